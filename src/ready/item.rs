//! An item of the checklist, as the table has it.

use super::answer::Answer;
use super::case::Case;
use serde::Serialize;

/// One thing that is asked of a KEP, and how it is answered.
#[derive(Serialize)]
pub struct Item {
    pub name: &'static str,
    pub kind: Kind,
    pub title: &'static str,
    /// The rules whose findings it looks at, or that find the same.
    #[serde(skip)]
    pub rules: &'static [&'static str],
    /// Answers it; `None` if it is not asked of this KEP.
    #[serde(skip)]
    pub check: fn(&Case<'_>) -> Option<Answer>,
}

/// The items that are answered only if more than the files of KEPs is given, or if there is something to say.
const OPTIONAL: [&str; 3] = ["answers", "errors", "board"];

impl Item {
    /// Whether it is not answered for each KEP that it is asked of.
    pub fn is_optional(&self) -> bool {
        OPTIONAL.contains(&self.name)
    }
}

/// Whether an item decides if a KEP is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It decides: files say all that is asked.
    Verdict,
    /// It is shown to the people who decide.
    Evidence,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Verdict, Self::Evidence];
}
