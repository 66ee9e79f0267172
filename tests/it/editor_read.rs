//! What editors ask to read a KEP, at many places of real and of broken texts: every answer is in the text.

use crate::support::mutation::{Random, mistake};
use crate::support::{files_below, project, seed};
use kep_lint::editor::definition::{self, Place};
use kep_lint::editor::hover;
use kep_lint::editor::view::View;
use kep_lint::markdown::Document;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::files::{Source, memory::Memory};
use kep_lint::workspace::project::{Project, Terms};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// How many places of a file are tried.
const PLACES: usize = 6;

/// The files of the sample, each with its path in the repository.
fn sample() -> Vec<(String, Vec<u8>)> {
    let sample = project().join("fixtures/sample");
    let files = files_below(&sample, &|_| true);
    let file = |path: PathBuf| {
        let way = path.strip_prefix(&sample).expect("it is below").to_str().expect("it is UTF-8").to_owned();
        (way, fs::read(&path).expect("a file"))
    };
    files.into_iter().map(file).collect()
}

/// Asks all questions about all KEPs in these files. Returns how many answers there were.
fn ask(files: &[(String, Vec<u8>)], random: &mut Random) -> usize {
    let mut memory = Memory::default();
    files.iter().for_each(|(path, bytes)| memory.insert(path.as_str(), bytes.clone()));
    let source: Source = Arc::new(memory.into());
    let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
    let project = Project::open(Terms::default(), found);
    let templates = project.templates();
    let views = project.keps.iter().map(|kep| {
        let template = templates.for_keps_of(project.repositories.of(kep));
        View::of(&project, template, kep)
    });
    views.map(|view| ask_kep(&view, random)).sum()
}

fn ask_kep(view: &View<'_>, random: &mut Random) -> usize {
    let is_inside = |place: &Place| assert!(place.file.text.get(place.range.clone()).is_some(), "{place:?}");
    let mut count = 0;
    for (file, source) in view.kep().texts.iter() {
        let text = &source.text;
        for _ in 0..PLACES {
            let offset = text.floor_char_boundary(random.below(text.len() + 1));
            let definitions = definition::of(view, file, offset);
            definitions.iter().for_each(is_inside);
            count += definitions.len();
            if let Some(hover) = hover::at(view, file, offset) {
                assert!(text.get(hover.span.range()).is_some() && !hover.markdown.trim().is_empty(), "{hover:?}");
                let shown = Document::of_text(&hover.markdown);
                let is_harmless = |target: &str| target.starts_with("http://") || target.starts_with("https://");
                assert!(shown.links.iter().all(|link| is_harmless(&link.target)), "{}", hover.markdown);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_answer_about_the_sample_is_in_its_text() {
    let count = ask(&sample(), &mut Random(31));
    assert!(count > 200, "only {count} answers");
}

#[test]
fn every_answer_about_a_broken_text_is_in_it() {
    let (seed, _) = seed();
    let mut random = Random(seed);
    for _ in 0..4 {
        let mut files = sample();
        for (path, bytes) in &mut files {
            for _ in 0..random.below(12) {
                let at = random.below(bytes.len() + 1);
                let end = (at + random.below(60)).min(bytes.len());
                bytes.splice(at..end, mistake(&mut random, path).iter().copied());
            }
        }
        ask(&files, &mut random);
    }
}
