//! A KEP as it is in an open pull request. What that adds is proposed: an approver whom it names in the PRR file is asked, and
//! has approved nothing yet.

use crate::kep::filter::Handle;
use crate::kep::review::Review;
use crate::repository::ReviewFile;
use crate::span::FileId;
use crate::stage::Stage;

/// What was merged already of a KEP that is judged in a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// The approvers that the PRR file names where the pull request began.
    approvals: Vec<(Stage, Handle)>,
    /// The PRR files of the KEP as the pull request has them, with its number; `None` if the repository has them.
    reviews: Option<(String, Vec<ReviewFile>)>,
}

impl Proposed {
    /// What a pull request proposes that began with this `review`, the text of the PRR file.
    pub fn after(review: &str) -> Self {
        let review = Review::parse(FileId(0), review);
        let handle = |stage, text: &str| Some((stage, Handle::of(text)?));
        let approvals = review.approvals.iter();
        let approvals = approvals.filter_map(|approval| handle(approval.stage, &approval.approver.as_ref()?.text));
        Self { approvals: approvals.collect(), reviews: None }
    }

    /// The same with these PRR files of the KEP of this number in the place of those in the repository.
    #[must_use]
    pub fn with_reviews(self, number: String, reviews: Vec<ReviewFile>) -> Self {
        Self { reviews: Some((number, reviews)), ..self }
    }

    /// The number of the KEP and its PRR files, if the repository does not have those.
    pub fn reviews(&self) -> Option<(&str, &[ReviewFile])> {
        self.reviews.as_ref().map(|(number, reviews)| (number.as_str(), reviews.as_slice()))
    }

    /// Whether the approver of this `name` was named for `stage` before.
    pub fn is_merged(&self, stage: Stage, name: &str) -> bool {
        let handle = Handle::of(name);
        self.approvals.iter().any(|(known, approver)| *known == stage && handle.as_ref() == Some(approver))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approver_who_was_named_before_is_not_asked_again() {
        let proposed = Proposed::after("kep-number: 1\nalpha:\n  approver: \"@ann\"\nbeta:\n  approver: TBD\n");
        assert!(proposed.is_merged(Stage::Alpha, "Ann"));
        assert!(!proposed.is_merged(Stage::Beta, "ann") && !proposed.is_merged(Stage::Alpha, "bob"));
        assert!(!Proposed::default().is_merged(Stage::Alpha, "ann"));
    }
}
