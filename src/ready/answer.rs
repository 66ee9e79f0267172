//! The answers about a KEP: to an item, with where it was read and what to write; and for a gate, by the items that decide
//! there. Each is given once, and all formats quote it. What else people should know are remarks, which never decide.
use serde::{Deserialize, Serialize};

/// How an item is answered; the best first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    #[default]
    Met,
    /// Nothing is asked yet: it is only told.
    Info,
    /// The files do not tell, so that a person must look.
    Look,
    NotMet,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Info => "info",
            Self::Look => "look",
            Self::NotMet => "not-met",
        }
    }

    pub fn words(self) -> &'static str {
        if self == Self::NotMet { "not met" } else { self.name() }
    }
}

/// Of a board that was written, only its state is read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub state: State,
    /// What there is, in one clause; quoted text is in backticks.
    #[serde(skip_deserializing)]
    pub words: String,
    /// What people should know of a KEP for it, and what decides nothing.
    #[serde(skip)]
    pub remark: Option<String>,
    #[serde(skip_deserializing)]
    pub place: Option<Place>,
    #[serde(rename = "write", skip_deserializing)]
    pub lines: Option<Lines>,
    #[serde(skip_deserializing)]
    pub details: Vec<Detail>,
}

impl Answer {
    pub fn new(state: State, words: impl Into<String>) -> Self {
        Self { state, words: words.into(), remark: None, place: None, lines: None, details: Vec::new() }
    }

    pub fn met(words: impl Into<String>) -> Self {
        Self::new(State::Met, words)
    }

    pub fn not_met(words: impl Into<String>) -> Self {
        Self::new(State::NotMet, words)
    }

    pub fn look(words: impl Into<String>) -> Self {
        Self::new(State::Look, words)
    }

    pub fn at(self, place: impl Into<Option<Place>>) -> Self {
        Self { place: place.into(), ..self }
    }

    pub fn write(self, lines: impl Into<Option<Lines>>) -> Self {
        Self { lines: lines.into(), ..self }
    }

    pub fn remark(self, words: impl Into<String>) -> Self {
        Self { remark: Some(words.into()), ..self }
    }

    /// Adds its parts; only the first of many.
    pub fn with(mut self, details: impl IntoIterator<Item = Detail>) -> Self {
        const DETAILS: usize = 100;
        self.details.extend(details.into_iter().take(DETAILS));
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The path in a tree from `keps` on.
    pub path: String,
    pub line: usize,
    /// The path as the user gives it.
    #[serde(skip)]
    pub given: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// The path of the file, which may be missing, in a tree from `keps` on.
    pub path: String,
    /// The lines, without a line end after the last one.
    pub text: String,
    /// The path as the user gives it.
    #[serde(skip)]
    pub given: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Detail {
    pub chapter: Option<String>,
    /// How many sections, boxes or places it stands for.
    pub count: usize,
    pub words: String,
    pub place: Option<Place>,
    /// What to do about it, beginning with a verb.
    pub help: Option<String>,
}

/// What a value of an enum is called in data.
pub fn name_of(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

/// Whether a KEP meets a gate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Not met, if an item is not met; else a person must look if one is open.
    pub state: State,
    /// The names of the items that are open there.
    pub open: Vec<&'static str>,
}

impl Status {
    pub fn is_met(&self) -> bool {
        self.state == State::Met
    }

    pub fn words(&self) -> &'static str {
        match self.state {
            State::Met | State::Info => "ready",
            State::Look => "to look at",
            State::NotMet => "not ready",
        }
    }
}

/// Where a KEP is on its way into the release: its status at the enhancements freeze, and what people tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readiness {
    Ready,
    /// It is ready, but some of the required sections are open.
    SectionsOpen,
    Look,
    #[default]
    NotReady,
    /// It is not ready, and the tracking board says that an exception is asked for or granted.
    Exception,
    Absent,
}

impl Readiness {
    pub const ALL: [Self; 6] =
        [Self::Ready, Self::SectionsOpen, Self::Look, Self::NotReady, Self::Exception, Self::Absent];

    pub fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SectionsOpen => "ready with open sections",
            Self::Look => "to look at",
            Self::NotReady => "not ready",
            Self::Exception => "exception",
            Self::Absent => "not in the tree",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Actor {
    /// The authors: their files are not as asked.
    Author,
    /// The approvers of the SIG: the KEP is provisional.
    SigApprover,
    /// The PRR approver whom a pull request asks.
    PrrApprover,
    /// The Release Team: files do not tell, or the tracking board says something else.
    ReleaseTeam,
}

impl Actor {
    pub const ALL: [Self; 4] = [Self::Author, Self::SigApprover, Self::PrrApprover, Self::ReleaseTeam];

    pub fn words(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::SigApprover => "SIG approver",
            Self::PrrApprover => "PRR approver",
            Self::ReleaseTeam => "Release Team",
        }
    }
}

/// `12 ready, 3 not ready`, without what there is none of.
pub fn numbers<'a>(counts: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
    counts.collect::<Vec<_>>().join(", ")
}
