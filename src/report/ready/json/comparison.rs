//! What changed since an earlier board, as types from which the JSON and its schema are made, see the document.

use crate::ready::comparison::{self, Change, ComparedKep, Gone};
use crate::ready::difference;
#[cfg(feature = "cli")]
use crate::report::json::schema;
use serde::Serialize;
use std::borrow::Cow;

/// What changed since an earlier board. Each list is in the order of numbers.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Comparison<'a> {
    /// The earlier board.
    pub since: Since<'a>,
    /// Why some answers may differ although no file changed.
    pub notes: &'a [String],
    /// The KEPs that were ready, and are not any more.
    pub fell_back: Vec<Compared<'a>>,
    /// The KEPs that are ready, and were not.
    pub turned_ready: Vec<Compared<'a>>,
    /// The KEPs that were not on the earlier board, or not there.
    pub new: Vec<Compared<'a>>,
    /// The KEPs that are not on the board any more, or not there.
    pub gone: Vec<Compared<'a>>,
    /// The KEPs that are ready or not as before, of which items differ.
    pub changed: Vec<Compared<'a>>,
    /// How many KEPs are as before.
    pub same: usize,
}

/// An earlier board.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Since<'a> {
    /// The file that it was read from, or the commit, branch or tag as the user wrote it.
    pub name: &'a str,
    /// The hash of the commit that was judged; null if it is not known.
    pub commit: Option<&'a str>,
    /// The day on which the file was written, or the commit was made, as 2026-06-01; null if it is not known.
    pub day: Option<String>,
}

/// A KEP that is not as before.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Compared<'a> {
    /// Its directory, in a tree from `keps` on; null if there is no such KEP.
    pub kep: Option<&'a str>,
    /// Its number, without leading zeros; of a KEP that is not there, how it was asked for.
    pub number: Option<&'a str>,
    /// Its title, without the number.
    pub title: Option<&'a str>,
    /// Its SIG.
    pub sig: Option<&'a str>,
    /// The stage that is asked about.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_stage"))]
    pub stage: Option<&'static str>,
    /// What is new or gone: `files` if its files are, `board` if it is asked about, or not any more; null if it was and is
    /// there.
    #[cfg_attr(feature = "cli", schemars(schema_with = "schema::optional_absences"))]
    pub reason: Option<&'static str>,
    /// The items that are answered in another way.
    pub items: Vec<Difference<'a>>,
}

/// An item that is answered in another way.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Difference<'a> {
    /// Its name; or target-stage, release, or deadline for that before the enhancements freeze.
    pub item: &'static str,
    /// What people call it.
    pub title: &'a str,
    /// The earlier answer; null if it was not asked, or there was no stage.
    pub before: Option<Cow<'static, str>>,
    /// The answer now; null if it is not asked, or there is no stage.
    pub after: Option<Cow<'static, str>>,
}

impl<'a> Comparison<'a> {
    pub fn of(comparison: &'a comparison::Comparison) -> Self {
        let comparison::Comparison { since, notes, keps, same } = comparison;
        let of = |is_meant: fn(&Change) -> bool| -> Vec<Compared<'a>> {
            keps.iter().filter(|kep| is_meant(&kep.change)).map(Compared::of).collect()
        };
        Self {
            since: Since {
                name: &since.name,
                commit: since.commit.as_deref(),
                day: since.day.map(|day| day.to_string()),
            },
            notes,
            fell_back: of(|change| matches!(change, Change::FellBack(_))),
            turned_ready: of(|change| matches!(change, Change::TurnedReady(_))),
            new: of(|change| matches!(change, Change::New(_))),
            gone: of(|change| matches!(change, Change::Gone(_))),
            changed: of(|change| matches!(change, Change::Changed(_))),
            same: *same,
        }
    }
}

impl<'a> Compared<'a> {
    fn of(ComparedKep { name, change, .. }: &'a ComparedKep) -> Self {
        let gone = match change {
            Change::Gone(gone) => Some(*gone),
            Change::New(new) if new.was_asked => Some(Gone::Files),
            Change::New(_) => Some(Gone::Board),
            Change::FellBack(_) | Change::TurnedReady(_) | Change::Changed(_) => None,
        };
        let difference = |it: &'a difference::Difference| Difference {
            item: it.item,
            title: &it.title,
            before: it.before.name(),
            after: it.after.name(),
        };
        Self {
            kep: name.directory.as_deref(),
            number: name.number.as_deref(),
            title: name.title.as_deref(),
            sig: name.sig.as_deref(),
            stage: name.stage.map(|stage| stage.name()),
            reason: gone.map(Gone::name),
            items: change.differences().iter().map(difference).collect(),
        }
    }
}
