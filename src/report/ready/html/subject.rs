//! The KEPs of a dashboard: what each is called, and the values that it is filtered by.

use crate::kep::filter::Handle;
use crate::ready::actor::Actor;
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Readiness};
use crate::ready::tracked::Tracked;
use crate::ready::waiting::Reviewer;
use crate::report::html::id::Ids;
use crate::report::html::subject::NONE;
use crate::report::printable;
use crate::report::ready::words;
use crate::stage::Status;

/// The value of all that is not ready.
pub const OPEN: &str = "open";

pub struct Subject<'a> {
    pub checklist: &'a Checklist,
    pub id: String,
    /// `KEP-1`, or how it was asked for.
    pub number: String,
    pub sig: &'a str,
    /// The stage that is asked about, or [`NONE`].
    pub stage: &'static str,
    pub is_ready: bool,
    pub readiness: Readiness,
    pub actors: Vec<Actor>,
    /// What the tracking board says; empty without a list.
    pub status: String,
    pub contacts: Vec<String>,
    pub approvers: Vec<String>,
    /// The handles of those who can approve its PRR, if it waits for that.
    pub reviewers: Vec<String>,
}

/// The KEPs of `board`, in its order.
pub fn all<'a>(board: &'a Board, ids: &mut Ids) -> Vec<Subject<'a>> {
    board.checklists.iter().map(|checklist| Subject::of(board, checklist, ids)).collect()
}

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
            readiness: checklist.readiness(board.strictness),
            actors: Actor::all_of(checklist),
            status: as_value(
                checklist.tracked.as_ref().and_then(|tracked| tracked.status.as_deref()).unwrap_or_default(),
            ),
            contacts: checklist.tracked.iter().flat_map(Tracked::contacts).map(as_value).collect(),
            approvers: handles(&checklist.approvers),
            reviewers: match &checklist.waiting.review {
                Some(Reviewer::Named(handle)) => vec![plain(handle)],
                Some(Reviewer::Any) => reviewers(board),
                None => Vec::new(),
            },
        }
    }

    pub fn own_status(&self) -> &str {
        let status = self.checklist.about.status.as_deref().and_then(|text| Status::from_name(&text.to_lowercase()));
        status.map_or(NONE, Status::name)
    }

    /// The values that it is filtered by as to how far it is.
    pub fn states(&self) -> String {
        match self.readiness {
            Readiness::Ready => self.readiness.name().to_owned(),
            other => format!("{OPEN}|{}", other.name()),
        }
    }

    pub fn is_in_tree(&self) -> bool {
        self.checklist.kep.is_some()
    }

    pub fn name(&self) -> String {
        let title = self.checklist.about.title.as_ref().map(|title| format!(" {title}")).unwrap_or_default();
        format!("{}{title}", self.number)
    }
}

fn handles<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    names.into_iter().filter_map(|name| Handle::of(name)).map(|handle| plain(&handle)).collect()
}

/// A handle as the page has it in lists.
fn plain(handle: &Handle) -> String {
    as_value(handle.name())
}

/// A text as the page has it in lists, whose values a bar separates.
fn as_value(text: &str) -> String {
    printable(text).replace('|', " ")
}
