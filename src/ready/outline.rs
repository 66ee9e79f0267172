//! A board as far as it is compared with another one. It is read from the JSON of a board, perhaps that of another version of
//! kep-lint: keys that are not needed are skipped.
use super::checklist::Checklist;
use super::past::short;
use crate::diagnostic::{Failure, brief};
use crate::kep::filter::Handle;
use crate::stage::Release;
use crate::yaml::date::Date;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const VERSION: u32 = 1;

/// What another board can be.
pub const WHAT: &str = "name a board that `kep-lint ready --format json=FILE` wrote, or a commit";

#[derive(Clone, Deserialize)]
pub struct Outline {
    pub tool: Versioned<String>,
    pub release: Named<Release>,
    pub snapshot: Option<Snapshot>,
    pub day: Option<String>,
    pub strict: bool,
    pub waiting_for: Option<Handle>,
    pub items: Vec<Named<String>>,
    pub keps: Vec<Checklist>,
    pub prr_approvers: BTreeSet<String>,
    pub failures: Vec<IgnoredAny>,
    /// Whether each KEP was named, so that no other one is asked about. JSON does not tell.
    #[serde(skip)]
    pub is_selection: bool,
    #[serde(skip)]
    pub repeated: usize,
}

/// Which board another one is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The file, or the commit, branch or tag as the user wrote it.
    pub name: String,
    /// What was judged, if `name` is a file: `main at 64765b4b0`.
    pub judged: Option<String>,
    pub commit: Option<String>,
    /// The day on which the board was written, or the commit was made.
    pub day: Option<Date>,
    /// What people should know of the choice.
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub name: String,
    pub commit: String,
    /// Whether some of the files were changed and not committed.
    #[serde(rename = "uncommitted")]
    pub is_changed: bool,
}

impl Snapshot {
    /// What it is called, in a sentence: `main at 64765b4b0, with uncommitted changes`.
    pub fn words(&self) -> String {
        let changes = if self.is_changed { ", with uncommitted changes" } else { "" };
        format!("{} at {}{changes}", self.name, short(&self.commit))
    }
}

#[derive(Clone, Deserialize)]
pub struct Versioned<T> {
    pub version: T,
}

#[derive(Clone, Deserialize)]
pub struct Named<T> {
    pub name: T,
}

impl Outline {
    /// Reads the `text` of the file called `name`.
    pub fn read(name: &str, text: &str) -> Result<(Since, Self), Failure> {
        let refused = |reason: String| {
            Failure::new(format!("cannot compare with `{}`: {reason}", brief(name))).at(name).help(WHAT)
        };
        let no_board = |error| refused(not_a_board(&error));
        let Versioned::<u32> { version } = serde_json::from_str(text).map_err(no_board)?;
        if version != VERSION {
            return Err(refused(format!("its `version` is {version}, and this kep-lint reads {VERSION}")));
        }
        let mut outline: Self = serde_json::from_str(text).map_err(no_board)?;
        let count = outline.keps.len();
        let mut seen = BTreeSet::new();
        outline.keps.retain(|kep| seen.insert((kep.number.clone(), kep.kep.clone(), kep.stage)));
        outline.repeated = count - outline.keps.len();
        let day = outline.day.as_deref().map(|written| {
            let unknown = || refused(format!("it is not a board: `{}` is not a day", brief(written)));
            Date::parse(written).ok_or_else(unknown)
        });
        let day = day.transpose()?;
        let judged = outline.snapshot.as_ref().map(Snapshot::words);
        let commit = outline.snapshot.as_ref().map(|snapshot| snapshot.commit.clone());
        Ok((Since { name: name.to_owned(), judged, commit, day, note: None }, outline))
    }

    /// Reads a board that this kep-lint has just written.
    pub fn of_json(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|error| Failure::new(not_a_board(&error)))
    }

    /// The names of the items that it can tell about: those that it asks of some KEP.
    pub fn known_items(&self) -> BTreeSet<&str> {
        let answered = self.keps.iter().flat_map(|kep| &kep.entries).map(|entry| entry.item.name);
        let answered = answered.filter(|name| !name.is_empty());
        self.items.iter().map(|item| item.name.as_str()).chain(answered).collect()
    }

    /// Keeps only the KEPs that wait for this person, unless it has only those of a person.
    pub fn keep_waiting_for(&mut self, person: &Handle) {
        if self.waiting_for.is_some() {
            return;
        }
        let is_reviewer = self.prr_approvers.iter().any(|name| Handle::of(name).as_ref() == Some(person));
        self.keps.retain(|kep| !kep.waiting.causes(person, is_reviewer).is_empty());
        self.waiting_for = Some(person.clone());
    }
}

fn not_a_board(error: &serde_json::Error) -> String {
    format!("it is not a board of kep-lint: {}", brief(&error.to_string()))
}

impl Since {
    /// Which board it is: `main at 64765b4b0 (2026-05-31)`, `board.json (2026-05-31, main at 64765b4b0)`.
    pub fn words(&self) -> String {
        let name = brief(&self.name);
        let what = match (&self.judged, self.commit.as_deref()) {
            (None, Some(commit)) => {
                let short = short(commit);
                // Of a hash, the beginning is enough.
                if commit.starts_with(&self.name) { short.to_owned() } else { format!("{name} at {short}") }
            }
            _ => name.into_owned(),
        };
        let about = self.day.map(|day| day.to_string());
        let about: Vec<String> = about.into_iter().chain(self.judged.as_deref().map(|it| brief(it).into())).collect();
        if about.is_empty() { what } else { format!("{what} ({})", about.join(", ")) }
    }
}
