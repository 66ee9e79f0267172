//! What a configuration file says of the layout, key by key.

use super::values::Setting;
use crate::kep::layout::asked::AskedSections;
use crate::kep::layout::targets::TargetLine;
use crate::kep::layout::title::TitleForm;
use crate::kep::layout::{Keys, MetadataPlace};
use crate::stage::{Phase, Stage, Status};
use crate::yaml::tree::Entry;
use std::collections::BTreeMap;

/// What the file says of the layout, before all of it is read.
#[derive(Debug, Default)]
pub struct Draft<'a> {
    pub kinds: Vec<DocumentKind>,
    pub name: Option<String>,
    pub metadata: Option<MetadataPlace>,
    pub title: Option<TitleForm>,
    pub targets: Vec<TargetLine>,
    pub stages: BTreeMap<String, Stage>,
    pub statuses: Vec<(String, Status)>,
    pub without_status: Option<Phase>,
    pub keys: Keys,
    pub sections: AskedSections,
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
