//! `kep-lint facts [PATH]`: writes what is known of a repository of KEPs into one file.

use super::args::commands::FactsArguments;
use super::outcome::Outcome;
use super::print::print;
use super::write::together::{self, Change};
use super::{destination, error, output, paths};
use crate::bounds;
use crate::diagnostic::{Failure, counted, named};
use crate::report::facts::render;
use crate::repository::facts::Facts;
use crate::rules::preset::Preset;
use crate::source::SourceFile;
use crate::workspace::config_file;
use crate::workspace::discover::discover;
use crate::workspace::edge::Edge;
use crate::workspace::facts::{configuration, of_tree, tree_of};
use crate::workspace::files::disk;
use crate::workspace::files::opened::Opened;
use crate::workspace::paths::RealPath;
use crate::workspace::project::Terms;
use std::path::Path;

pub fn run(arguments: &FactsArguments) -> Result<Outcome, Failure> {
    let FactsArguments { path, output: file, config } = arguments;
    file.as_deref().map(destination::check_output).transpose()?;
    let before = file.as_deref().map(known).transpose()?.flatten();
    let path = path.as_deref().map_or_else(paths::here, paths::meant);
    let config =
        config_file::find(std::slice::from_ref(&path), &config.wanted(), &disk::around).map_err(error::first)?;
    config.as_ref().map_or(Ok(()), |config| config.only_keps())?;
    let found = discover(&[path], Preset::default(), &disk::around);
    let (tree, root) = tree_of(&found).map_err(error::first)?;
    let (mut written, failures) = of_tree(&tree, &disk::around(&tree));
    written.configuration = config.map(|config| configuration(&config, &root, &disk::around)).transpose()?;
    if !failures.is_empty() {
        return Ok(error::outcome(&failures));
    }
    let text = render(&written);
    // What is written must be readable.
    let facts = Facts::parse(&SourceFile::decode("the facts", text.clone().into_bytes()))?;
    Terms::known(&facts)?;
    let Some(file) = file else {
        print(&text)?;
        return Ok(Outcome::Clean);
    };
    let change = Change { given: file.clone(), before, after: text };
    together::write(&[change], &Edge::around(file))?;
    let count = counted(facts.written.keps.len(), "KEP", "KEPs");
    output::note(&format!("wrote {}: facts of {} with {count}", named(file), named(&tree)));
    Ok(Outcome::Clean)
}

/// The place and the text of a file of facts; `None` if there is no file. Fails for any other file, which
/// somebody may need.
fn known(path: &Path) -> Result<Option<(RealPath, String)>, Failure> {
    let Some(Opened { file, place }) = destination::known(path, bounds::FACTS_BYTES)? else { return Ok(None) };
    if Facts::are_in(&file) {
        return Ok(Some((place, file.text.clone())));
    }
    let failure = Failure::new(format!("{} exists, and has no facts", named(path))).at(path);
    Err(failure.help("name a new file, or remove this one"))
}
