//! The KEPs of a dashboard: what each is called, and the values that it is filtered by.

use crate::kep::filter::Handle;
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::ready::waiting::Reviewer;
use crate::report::html::id::Ids;
use crate::report::html::subject::NONE;
use crate::report::printable;
use crate::report::ready::words;

/// A KEP.
pub struct Subject<'a> {
    /// Its checklist.
    pub checklist: &'a Checklist,
    /// The id of its details.
    pub id: String,
    /// `KEP-1`, or how it was asked for.
    pub number: String,
    /// The SIG, or [`NONE`].
    pub sig: &'a str,
    /// The stage that is asked about, or [`NONE`].
    pub stage: &'static str,
    /// Whether it is ready.
    pub is_ready: bool,
    /// The handles of its approvers.
    pub approvers: Vec<String>,
    /// The handles of those who can approve its PRR, if it waits for that.
    pub reviewers: Vec<String>,
}

/// The KEPs of `board`, in its order.
pub fn all<'a>(board: &'a Board, ids: &mut Ids) -> Vec<Subject<'a>> {
    board.checklists.iter().map(|checklist| Subject::of(board, checklist, ids)).collect()
}

/// The handles of the PRR approvers.
pub fn reviewers(board: &Board) -> Vec<String> {
    handles(&board.reviewers)
}

impl<'a> Subject<'a> {
    fn of(board: &'a Board, checklist: &'a Checklist, ids: &mut Ids) -> Self {
        let number = words::number(checklist);
        Self {
            checklist,
            id: ids.unique(&number),
            number,
            sig: checklist.sig.as_deref().unwrap_or(NONE),
            stage: checklist.stage.map_or(NONE, |stage| stage.name()),
            is_ready: checklist.is_ready(board.strictness),
            approvers: handles(&checklist.approvers),
            reviewers: match &checklist.waiting.review {
                Some(Reviewer::Named(handle)) => vec![plain(handle)],
                Some(Reviewer::Any) => reviewers(board),
                None => Vec::new(),
            },
        }
    }

    /// Whether there is such a KEP.
    pub fn is_in_tree(&self) -> bool {
        self.checklist.kep.is_some()
    }

    /// `KEP-1 Prefetch images`
    pub fn name(&self) -> String {
        let title = self.checklist.about.title.as_ref().map(|title| format!(" {title}")).unwrap_or_default();
        format!("{}{title}", self.number)
    }
}

fn handles<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    names.into_iter().filter_map(|name| Handle::of(name)).map(|handle| plain(&handle)).collect()
}

/// A handle as the page has it in lists, whose names a bar separates.
fn plain(handle: &Handle) -> String {
    printable(handle.name()).replace('|', " ")
}
