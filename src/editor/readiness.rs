//! Whether a KEP is ready for a stage in a release.

use super::lens;
use super::view::View;
use crate::kep::Kep;
use crate::ready::board::Board;
use crate::ready::calendar::schedule::Time;
use crate::ready::{self, Ask};
use crate::stage::release::Meant;
use crate::stage::release::Reason;
use crate::stage::{Release, Stage};

/// The board of the KEP alone, made at the time `now`. Without a stage or a release, it is that of the KEP.
pub fn board(view: &View<'_>, stage: Option<Stage>, release: Option<Release>, now: Time) -> Board {
    let given = release.map(|release| Meant { release, reason: Reason::Given });
    let meant = given.unwrap_or_else(|| lens::meant(view));
    let kep = Kep::parse(view.texts.clone());
    let checklist = ready::judge(kep, view.template, view.repository, Ask::merged(stage, meant.release));
    Board::of_one(checklist, view.repository, meant, now)
}
