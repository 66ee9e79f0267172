//! How the file of the Release Team's templates, and its board, call things, as data: `templates/comment-names.yaml`.

use crate::yaml::plain;
use serde::Deserialize;
use std::sync::LazyLock;

pub static COMMENT_NAMES: LazyLock<CommentNames> = LazyLock::new(|| {
    let data = include_str!("../../templates/comment-names.yaml");
    plain::read(data).expect("a test reads the built-in names")
});

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommentNames {
    /// The names of the deadline before the freeze in headings.
    pub deadline: Vec<String>,
    pub enhancements: Vec<String>,
    pub removed: String,
    /// Words that make no difference in any box.
    pub any_words: String,
    pub deadline_boxes: Vec<Check>,
    pub enhancements_boxes: Vec<Check>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The names of the items that answer it.
    pub items: Vec<String>,
    /// It has one of the words of each list.
    pub keys: Vec<Vec<String>>,
    pub words: String,
}
