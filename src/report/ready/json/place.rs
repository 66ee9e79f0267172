//! A place in a file, in JSON.

use serde::Serialize;
use std::borrow::Cow;

/// A place in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Place<'a> {
    /// The file, or the directory of the KEP; in a tree from `keps` on.
    pub path: Cow<'a, str>,
    /// From 1 on.
    pub line: usize,
}
