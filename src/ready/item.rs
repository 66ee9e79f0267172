//! An item of the checklist, as the table has it.

use super::answer::Answer;
use super::case::Case;

/// One thing that is asked of a KEP, and how it is answered.
pub struct Item {
    pub name: &'static str,
    pub kind: Kind,
    pub title: &'static str,
    /// The rules whose findings it looks at.
    pub rules: &'static [&'static str],
    /// Answers it; `None` if it is not asked of this KEP.
    pub check: fn(&Case<'_>) -> Option<Answer>,
}

/// The items that are answered only if more than the files of KEPs is given.
const OPTIONAL: [&str; 2] = ["answers", "board"];

impl Item {
    /// Whether it is answered only if more than the files of KEPs is given.
    pub fn is_optional(&self) -> bool {
        OPTIONAL.contains(&self.name)
    }
}

/// Whether an item decides if a KEP is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It decides: files say all that is asked.
    Verdict,
    /// It is shown to the people who decide.
    Evidence,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Verdict, Self::Evidence];

    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Evidence => "evidence",
        }
    }
}
