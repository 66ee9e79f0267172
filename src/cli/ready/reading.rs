//! Reads and parses a KEP: one of a few while the repository around them is read, others when they are judged.

use crate::diagnostic::Failure;
use crate::kep::Kep;
use crate::lint::panics::caught;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::{KepTexts, read_kep};
use std::sync::OnceLock;

/// A KEP that is read at most once.
#[derive(Default)]
pub struct Reading(OnceLock<Result<Parsed, Failure>>);

pub struct Parsed {
    pub kep: Kep,
    pub failures: Vec<Failure>,
}

impl Reading {
    pub fn begin(&self, kep: &KepDirectory) {
        self.0.get_or_init(|| read(kep));
    }

    /// What was read, or is read now.
    pub fn end(self, kep: &KepDirectory) -> Result<Parsed, Failure> {
        self.0.into_inner().unwrap_or_else(|| read(kep))
    }
}

fn read(kep: &KepDirectory) -> Result<Parsed, Failure> {
    caught("read", &kep.shown, || {
        let KepTexts { texts, failures, .. } = read_kep(kep);
        Parsed { kep: Kep::parse(texts), failures }
    })
}
