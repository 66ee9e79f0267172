//! The answer to an item for a KEP: its state, where that was read, and what to write. Apart from the items, because what
//! they look at makes parts of it.

use crate::bounds;
/// How an item is answered; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Met,
    /// Nothing is asked yet: it is only told.
    Info,
    /// The files do not tell, so that a person must look.
    Look,
    NotMet,
}

impl State {
    pub const ALL: [Self; 4] = [Self::Met, Self::Info, Self::Look, Self::NotMet];

    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Info => "info",
            Self::Look => "look",
            Self::NotMet => "not-met",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Info => "info",
            Self::Look => "look",
            Self::NotMet => "not met",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub state: State,
    /// What there is, in one clause; quoted text is in backticks.
    pub words: String,
    pub place: Option<Place>,
    pub lines: Option<Lines>,
    /// The parts of the answer, if there are several.
    pub details: Vec<Detail>,
}

impl Answer {
    pub fn new(state: State, words: impl Into<String>) -> Self {
        Self { state, words: words.into(), place: None, lines: None, details: Vec::new() }
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

    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    #[must_use]
    pub fn write(mut self, lines: impl Into<Option<Lines>>) -> Self {
        self.lines = lines.into();
        self
    }

    /// Adds its parts; only the first of many.
    #[must_use]
    pub fn with(mut self, details: impl IntoIterator<Item = Detail>) -> Self {
        self.details.extend(details.into_iter().take(bounds::DETAILS));
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: String,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The path of the file, which may be missing.
    pub path: String,
    /// The lines, without a line end after the last one.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The chapter of the template that it is about.
    pub chapter: Option<String>,
    /// How many sections, boxes or places it stands for.
    pub count: usize,
    pub words: String,
    pub place: Option<Place>,
    /// What to do about it, beginning with a verb.
    pub help: Option<String>,
}
