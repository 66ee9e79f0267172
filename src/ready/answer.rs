//! The answer to an item for a KEP: its state, where that was read, and what to write. Apart from the items, because what
//! they look at makes parts of it.

use crate::bounds;
/// How an item is answered; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is as asked.
    Met,
    /// Nothing is asked yet: it is only told.
    Info,
    /// The files do not tell, so that a person must look.
    Look,
    /// It is not as asked.
    NotMet,
}

impl State {
    /// The best first.
    pub const ALL: [Self; 4] = [Self::Met, Self::Info, Self::Look, Self::NotMet];

    /// Its name in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Info => "info",
            Self::Look => "look",
            Self::NotMet => "not-met",
        }
    }

    /// Parses [`State::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Info => "info",
            Self::Look => "look",
            Self::NotMet => "not met",
        }
    }
}

/// The answer to an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it is answered.
    pub state: State,
    /// What there is, in one clause; quoted text is in backticks.
    pub words: String,
    /// Where that was read.
    pub place: Option<Place>,
    /// What to write.
    pub lines: Option<Lines>,
    /// The parts of the answer, if there are several.
    pub details: Vec<Detail>,
}

impl Answer {
    /// An answer without details.
    pub fn new(state: State, words: impl Into<String>) -> Self {
        Self { state, words: words.into(), place: None, lines: None, details: Vec::new() }
    }

    /// It is as asked.
    pub fn met(words: impl Into<String>) -> Self {
        Self::new(State::Met, words)
    }

    /// It is not as asked.
    pub fn not_met(words: impl Into<String>) -> Self {
        Self::new(State::NotMet, words)
    }

    /// A person must look.
    pub fn look(words: impl Into<String>) -> Self {
        Self::new(State::Look, words)
    }

    /// Adds where it was read.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// Adds what to write.
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

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the file.
    pub path: String,
    /// The line, from 1 on.
    pub line: usize,
}

/// Lines to write into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The path of the file, which may be missing.
    pub path: String,
    /// The lines, without a line end after the last one.
    pub text: String,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The chapter of the template that it is about.
    pub chapter: Option<String>,
    /// How many sections, boxes or places it stands for.
    pub count: usize,
    /// What there is, in one clause.
    pub words: String,
    /// Where that was read.
    pub place: Option<Place>,
    /// What to do about it, beginning with a verb.
    pub help: Option<String>,
}
