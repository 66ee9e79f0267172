//! Reads what is compared of a board that was written earlier, perhaps by another version of kep-lint: keys that are not
//! needed are skipped, whatever they hold.

use super::VERSION;
use crate::diagnostic::{Failure, brief};
use crate::kep::filter::Handle;
use crate::ready::answer::State;
use crate::ready::board::{Changes, Snapshot};
use crate::ready::checklist::Strictness;
use crate::ready::comparison::Since;
use crate::ready::outline::{KepName, Outline, OutlinedKep};
use crate::ready::waiting::{Reviewer, Waiting};
use crate::stage::{Release, Stage};
use crate::yaml::date::Date;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads the `text` of the file called `name`.
pub fn read(name: &str, text: &str) -> Result<(Since, Outline), Failure> {
    let refused = |reason: String| {
        let failure = Failure::new(format!("cannot compare with `{}`: {reason}", brief(name))).at(name);
        Err(failure.help("name a board that `kep-lint ready --format json=FILE` wrote, or a commit"))
    };
    let no_board = |error: &serde_json::Error| format!("it is not a board of kep-lint: {}", brief(&error.to_string()));
    let version = match serde_json::from_str(text) {
        Ok(Object(Versioned { version })) => version,
        Err(error) => return refused(no_board(&error)),
    };
    if version != u64::from(VERSION) {
        return refused(format!("its `version` is {version}, and this kep-lint reads {VERSION}"));
    }
    match serde_json::from_str(text) {
        Ok(Object(board)) => read_board(name, board).or_else(|reason| refused(format!("it is not a board: {reason}"))),
        Err(error) => refused(no_board(&error)),
    }
}

fn read_board(name: &str, board: Board) -> Result<(Since, Outline), String> {
    let snapshot = board.snapshot.map(|Object(it)| Snapshot {
        name: it.name,
        commit: it.commit,
        changes: if it.uncommitted { Changes::Uncommitted } else { Changes::None },
    });
    let day = |text: String| Date::parse(&text).ok_or_else(|| format!("`{}` is not a day", brief(&text)));
    let since = Since {
        name: name.to_owned(),
        judged: snapshot.as_ref().map(Snapshot::words),
        commit: snapshot.map(|snapshot| snapshot.commit),
        day: board.day.map(day).transpose()?,
    };
    let keps: Result<Vec<OutlinedKep>, String> = board.keps.into_iter().map(|Object(kep)| read_kep(kep)).collect();
    let outline = Outline {
        release: release(&board.release.0.name)?,
        strictness: if board.strict { Strictness::Evidence } else { Strictness::Verdict },
        is_selection: false,
        person: board.waiting_for.as_deref().and_then(Handle::of),
        reviewers: board.prr_approvers.into_iter().collect(),
        items: board.items.into_iter().map(|Object(item)| item.name).collect(),
        failures: board.failures.len(),
        tool: board.tool.0.version,
        keps: keps?,
    };
    Ok((since, outline))
}

fn read_kep(kep: Kep) -> Result<OutlinedKep, String> {
    let unknown = |what: &str, word: &str| format!("unknown {what} `{}`", brief(word));
    let stage = |name: String| Stage::from_name(&name).ok_or_else(|| unknown("stage", &name));
    let state = |Object(Answer { item, state })| match State::from_name(&state) {
        Some(state) => Ok((item, state)),
        None => Err(unknown("state", &state)),
    };
    let states: Result<Vec<(String, State)>, String> = kep.answers.into_iter().map(state).collect();
    let deadline = kep.deadline.map(|Object(it)| (it.name, if it.met { State::Met } else { State::NotMet }));
    let Object(Written { prr, prr_approver, sig }) = kep.waiting;
    let reviewer = prr_approver.as_deref().and_then(Handle::of).map_or(Reviewer::Any, Reviewer::Named);
    Ok(OutlinedKep {
        name: KepName {
            number: kep.number,
            directory: kep.kep,
            title: kep.title,
            sig: kep.sig,
            stage: kep.stage.map(stage).transpose()?,
        },
        release: release(&kep.release)?,
        is_proposed: kep.proposed,
        is_ready: kep.ready,
        states: states?,
        deadline,
        waiting: Waiting {
            review: prr.then_some(reviewer),
            sig: sig.iter().filter_map(|name| Handle::of(name)).collect(),
        },
    })
}

fn release(name: &str) -> Result<Release, String> {
    Release::parse(name).ok_or_else(|| format!("`{}` is not a release", brief(name)))
}

/// A JSON object. A derived reader would take a list of values for one as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

#[derive(Deserialize)]
struct Board {
    tool: Object<Tool>,
    release: Object<Named>,
    snapshot: Option<Object<Judged>>,
    day: Option<String>,
    strict: bool,
    waiting_for: Option<String>,
    items: Vec<Object<Named>>,
    keps: Vec<Object<Kep>>,
    prr_approvers: Vec<String>,
    failures: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Tool {
    version: String,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Judged {
    name: String,
    commit: String,
    uncommitted: bool,
}

#[derive(Deserialize)]
struct Kep {
    kep: Option<String>,
    number: Option<String>,
    title: Option<String>,
    sig: Option<String>,
    #[serde(default)]
    proposed: bool,
    stage: Option<String>,
    release: String,
    ready: bool,
    deadline: Option<Object<Deadline>>,
    answers: Vec<Object<Answer>>,
    waiting: Object<Written>,
}

#[derive(Deserialize)]
struct Deadline {
    name: String,
    met: bool,
}

#[derive(Deserialize)]
struct Answer {
    item: String,
    state: String,
}

#[derive(Deserialize)]
struct Written {
    prr: bool,
    prr_approver: Option<String>,
    sig: Vec<String>,
}
