//! `kep-lint explain SECTION --answers N` and `kep-lint answer`: how implemented KEPs of a tree answer a section of the template.

use super::arguments::AnswersArguments;
use crate::authoring::answer::{self, Answer};
use crate::authoring::group;
use crate::bounds;
use crate::diagnostic::{Failure, named};
use crate::kep::directory::is_named;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::report::look::Look;
use crate::report::page::{self, Example};
use crate::repository::Repository;
use crate::stage::{Release, Stage, Status};
use crate::template::{Template, TemplateId};
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::disk;
use crate::workspace::kep_files::read_metadata;
use crate::workspace::walked::Walked;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::path::Path;

pub struct Answers {
    keps: Vec<Implemented>,
    /// The SIG whose answers come first.
    pub sig: Option<String>,
    wanted: usize,
}

struct Implemented {
    directory: KepDirectory,
    title: String,
    sig: Option<String>,
    release: Option<Release>,
}

impl Answers {
    /// The KEPs whose answers are wanted; `None` if none are.
    pub fn of(arguments: &AnswersArguments) -> Result<Option<Self>, Failure> {
        let Some(wanted) = arguments.answers else { return Ok(None) };
        let source_here = disk::around(Path::new("."));
        let here = source_here.real(Path::new("."));
        let root = arguments.keps.clone().or_else(|| source_here.tree_around()).ok_or_else(|| {
            let failure =
                Failure::new(format!("there is no directory `{TREE}` here or above, whose KEPs have answers"));
            failure.help("run it in a repository of KEPs, or name the directory with `--keps PATH`")
        })?;
        let mut answers = Self::below(&root, wanted)?;
        let is_known = |name: &String| answers.keps.iter().any(|kep| kep.sig.as_ref() == Some(name));
        answers.sig = match &arguments.sig {
            Some(word) if is_known(word) => Some(word.clone()),
            Some(word) => Some(group::named(word, &Repository::default())?),
            None => sig_of(&here),
        };
        Ok(Some(answers))
    }

    /// The answers of the KEPs in this directory, of which a few are shown.
    pub fn below(root: &Path, wanted: u16) -> Result<Self, Failure> {
        let source = disk::around(root);
        let Walked { keps, failures, .. } = Walked::walk(root, &source);
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure);
        }
        if keps.is_empty() {
            let failure = Failure::new(format!("{} contains no KEP", named(root))).at(root);
            return Err(failure.help("name a directory of KEPs"));
        }
        let keps = keps.into_par_iter().filter_map(Implemented::read).collect();
        Ok(Self { keps, sig: None, wanted: wanted.into() })
    }

    pub fn render(&self, template: &Template, id: TemplateId, look: &Look) -> String {
        if !answer::has_answers(template, id) {
            return page::no_answers_of_checklist(look);
        }
        let answered = self.keps.par_iter().filter_map(|kep| {
            let readme = kep.directory.files.readme.as_ref()?;
            let file = kep.directory.source.read(readme, bounds::FILE_BYTES).ok()?.file;
            let path = file.path.clone();
            Some((kep, path, answer::find(file, template, id)?))
        });
        let mut answered: Vec<(&Implemented, String, Answer)> = answered.collect();
        answered.sort_by_cached_key(|(kep, path, answer)| {
            let is_of_other_sig = self.sig.is_some() && kep.sig != self.sig;
            (is_of_other_sig, answer.worth, Reverse(kep.release), Reverse(kep.number()), path.clone())
        });
        let count = answered.len();
        answered.truncate(self.wanted);
        let examples = answered.into_iter().map(|(kep, path, answer)| Example { name: kep.about(), path, answer });
        page::answers(&examples.collect::<Vec<_>>(), count, self.keps.len(), look)
    }
}

impl Implemented {
    fn read(directory: KepDirectory) -> Option<Self> {
        let texts = read_metadata(&directory).texts;
        let file = texts.metadata.file()?;
        let metadata = Metadata::parse(file, &texts.file(file).text);
        if metadata.status() != Some(Status::Implemented) {
            return None;
        }
        let ga = metadata.milestone_of(Stage::Stable).and_then(|field| field.value);
        let release = ga.or(metadata.milestone()).filter(|release| !release.is_unknown());
        let title = metadata.title.map(|title| title.text).unwrap_or_default();
        let sig = metadata.owning_sig.map(|sig| sig.text);
        Some(Self { directory, title, sig, release })
    }

    fn number(&self) -> Option<u64> {
        number::of_directory(&self.directory.name)?.parse().ok()
    }

    fn about(&self) -> String {
        let number =
            number::of_directory(&self.directory.name).map_or_else(String::new, |number| format!("KEP-{number}: "));
        let release = self.release.map(|release| release.to_string());
        let parts = [Some(format!("{number}{}", self.title)), self.sig.clone(), release];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The SIG whose directory this one is, or is in.
fn sig_of(directory: &Path) -> Option<String> {
    let keps = directory.ancestors().find(|above| is_named(above, TREE))?;
    let sig = directory.strip_prefix(keps).ok()?.iter().next()?.to_str()?;
    Some(sig.to_owned())
}
