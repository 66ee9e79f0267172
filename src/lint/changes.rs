//! What the change that a run is about does to KEPs: what its reviewers ask first.

#![warn(missing_docs)]

use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a change does to a KEP.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedKep {
    /// Its directory, as given on the command line and extended; `None` if the change removes it.
    pub kep: Option<String>,
    /// Its number, without leading zeros; of a KEP without a number, the name of its directory.
    pub name: String,
    /// Whether the base does not have it.
    #[serde(rename = "new")]
    pub is_new: bool,
    /// The values of kep.yaml that differ.
    pub values: Vec<ChangedValue>,
    /// The PRR approver whom the change names for the stage.
    pub asks: Option<String>,
    /// The lines of the README that differ, by chapter, the most first; if git calls it binary, one without lines.
    pub chapters: Vec<ChangedChapter>,
    /// How many of the required sections are not filled in, if the KEP is implementable.
    #[serde(rename = "sections")]
    pub open: Option<OpenSections>,
}

/// A value of kep.yaml that differs, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedValue {
    /// The key.
    pub key: &'static str,
    /// What the base has.
    pub before: Option<String>,
    /// What the KEP has now.
    pub after: Option<String>,
}

/// How many lines of a chapter differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangedChapter {
    /// Its heading; `None` for what is above the first one.
    pub title: Option<String>,
    /// How many lines only the KEP of today has.
    pub added: usize,
    /// How many lines only the base has.
    pub removed: usize,
}

/// How many of the required sections are not filled in, as `kep-lint ready` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OpenSections {
    /// How many are open.
    pub open: usize,
    /// How many the stage requires.
    pub required: usize,
}

/// The lines of the files of a commit that a review can be about: for each path from the root of the
/// repository on, those that each hunk of the diff shows, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reviewed {
    /// The commit, if all files are as they are in it.
    pub commit: Option<String>,
    /// The lines.
    pub hunks: BTreeMap<String, Vec<Range<usize>>>,
}

impl ChangedKep {
    /// Whether there is something to say of it.
    pub fn is_told(&self) -> bool {
        self.is_new || self.kep.is_none() || !self.values.is_empty() || self.asks.is_some() || !self.chapters.is_empty()
    }
}
