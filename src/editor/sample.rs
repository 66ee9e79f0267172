//! KEPs in memory, for the tests of what editors ask.

use super::view::View;
use crate::span::FileId;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, memory::Memory};
use crate::workspace::project::{Project, Terms};
use std::path::PathBuf;
use std::sync::Arc;

pub const DIRECTORY: &str = "keps/sig-node/1-images";

/// What `question` says of the KEP at [`DIRECTORY`], in a tree with these files.
pub fn ask<T>(files: &[(&str, &str)], question: impl FnOnce(&View<'_>) -> T) -> T {
    let mut memory = Memory::default();
    for (path, text) in files {
        memory.insert(path, text.as_bytes().to_vec());
    }
    let source: Source = Arc::new(memory.into());
    let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
    let project = Project::open(Terms::default(), found);
    let kep = project.keps.iter().find(|kep| kep.shown == DIRECTORY).expect("it is among the files");
    let templates = project.templates();
    question(&View::of(&project, templates.for_keps_of(project.repositories.of(kep)), kep))
}

/// The file at a path, and where `mark` begins in it.
pub fn place(view: &View<'_>, path: &str, mark: &str) -> (FileId, usize) {
    let file = view.file(path).unwrap_or_else(|| panic!("{path} is no file of the KEP"));
    let at = view.kep().texts.file(file).text.find(mark).unwrap_or_else(|| panic!("{path} has no {mark}"));
    (file, at)
}
