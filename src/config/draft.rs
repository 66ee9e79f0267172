//! What a configuration file says of the layout, before all of it is read.

use super::values::Setting;
use crate::kep::layout::Own;
use crate::yaml::tree::Entry;

#[derive(Debug, Default)]
pub struct Draft<'a> {
    pub kinds: Vec<DocumentKind>,
    /// What the other keys say.
    pub own: Own,
    /// Read last: its words are those of other keys.
    pub steps: Option<&'a Entry>,
}

/// One kind of documents.
#[derive(Debug)]
pub struct DocumentKind {
    pub pattern: Setting<String>,
    /// Its own template, beside other kinds.
    pub template: Option<Setting<String>>,
}
