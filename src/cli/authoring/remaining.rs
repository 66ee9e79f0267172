//! What is left to do after a promotion: the readiness checklist for its stage and release.

use crate::cli::options::When;
use crate::cli::print::print;
use crate::cli::{color, screen, today};
use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::kep::texts::Texts;
use crate::lint::templates::Templates;
use crate::ready::board::Board;
use crate::ready::{self, Ask};
use crate::report::look::Look;
use crate::report::ready::pretty;
use crate::repository::Repository;
use crate::stage::release::Meant;

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
    let board = Board::of_one(checklist, repository, meant, today::time()?);
    let (width, color) = (screen::width(), color::is_wanted(color));
    print(&pretty::render(&board, &Look { width, color, frames: screen::shows_frames(), ..Look::default() }))
}
