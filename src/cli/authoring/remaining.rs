//! What is left to do after a promotion: the readiness checklist for its stage and release. The one place that says it.

use crate::cli::options::When;
use crate::cli::print::print;
use crate::cli::{color, screen, today};
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::kep::texts::Texts;
use crate::lint::conditions::Conditions;
use crate::lint::release::Meant;
use crate::lint::templates::Templates;
use crate::ready::board::Board;
use crate::ready::calendar::schedule_of;
use crate::ready::checklist::{Checklist, Strictness};
use crate::ready::{self, Ask};
use crate::report::look::Look;
use crate::report::ready::pretty;
use crate::repository::Repository;

/// Prints the checklist of the KEP with these `texts`, as it is after a promotion in the release that is `meant`.
pub fn print_checklist(
    texts: &Texts,
    templates: &Templates<'_>,
    repository: &Repository,
    meant: Meant,
    color: When,
) -> Result<(), Failure> {
    let kep = Kep::parse(texts.clone());
    let ask = Ask::merged(None, meant.release);
    let checklist = ready::judge(kep, templates.for_keps_of(repository), repository, ask);
    let board = board(checklist, repository, meant)?;
    let (width, color) = (screen::width(), color::is_wanted(color));
    print(&pretty::render(&board, &Look { width, color, frames: screen::shows_frames(), ..Look::default() }))
}

/// The board of one KEP, without what git and others know of it.
pub fn board(checklist: Checklist, repository: &Repository, meant: Meant) -> Result<Board, Failure> {
    Ok(Board {
        family: checklist.family,
        checklists: vec![checklist],
        release: meant.release,
        now: today::time()?,
        schedule: schedule_of(meant.release).cloned(),
        release_origin: meant.origin,
        snapshot: None,
        is_unmerged: false,
        strictness: Strictness::Verdict,
        is_selection: true,
        person: None,
        is_to_close: false,
        reviewers: repository.active_approvers(),
        left_out: 0,
        filtered: 0,
        conditions: Conditions::default(),
        failures: Vec::new(),
        comparison: None,
    })
}
