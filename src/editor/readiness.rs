//! Whether a KEP is ready for a stage in a release.

use super::view::View;
use crate::kep::Kep;
use crate::lint::Options;
use crate::ready::board::Board;
use crate::ready::calendar::on_day;
use crate::ready::calendar::schedule::Time;
use crate::ready::{self, Ask};
use crate::stage::{Release, Stage};

/// The board of the KEP alone, made at the time `now`. Without a stage or a release, it is that of the KEP.
pub fn board(view: &View<'_>, stage: Option<Stage>, release: Option<Release>, now: Time) -> Board {
    let options = Options { release: release.or(view.options.release), ..view.options.clone() };
    let kep = Kep::parse(view.texts.clone());
    let meant = options.release_asked(view.repository, kep.metadata.as_ref(), stage, Some(on_day(now)));
    let checklist = ready::judge(kep, view.template, view.repository, Ask::merged(stage, meant.release));
    Board::of_one(checklist, view.repository, meant, now)
}
