//! `kep-lint new SIG NUMBER TITLE`: writes the files of a new KEP.

use super::arguments::NewArguments;
use crate::authoring::draft::{self, Proposal};
use crate::authoring::group;
use crate::bounds;
use crate::cli::fixing::{self, write};
use crate::cli::options::ConfigArguments;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::is_unfinished;
use crate::cli::write::together::{self, Change};
use crate::cli::{error, output, template, today};
use crate::diagnostic::{Failure, brief, named};
use crate::editor::naming;
use crate::kep::directory::templates;
use crate::kep::layout::TREE;
use crate::kep::number;
use crate::lint::Options;
use crate::ready::calendar::on_day;
use crate::ready::calendar::schedule::Time;
use crate::report::printable;
use crate::repository::Repository;
use crate::stage::Release;
use crate::stage::release::Meant;
use crate::template::Template;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::directory::KepDirectory;
use crate::workspace::files::opened::{Kind, Opened, or_here};
use crate::workspace::files::{Source, disk};
use crate::workspace::git::{Git, quoted};
use crate::workspace::paths::shown;
use crate::workspace::tip::tell_tree_by_default_branch;
use crate::workspace::trees::{self, Whole};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(arguments: &NewArguments) -> Result<Outcome, Failure> {
    let here = Path::new("");
    let author = author(here);
    let Planned { files, left_out, directory, source, notes } = Planned::of(here, arguments, author.as_deref())?;
    if arguments.diff {
        let outcome = fixing::show(&files, arguments.color)?;
        notes.iter().for_each(|words| output::note(&format!("note: {words}")));
        return Ok(outcome);
    }
    write(&files, &source)?;
    let lines = files.iter().map(|file| format!("wrote {}\n", printable(&shown(&file.given))));
    print(&lines.collect::<String>())?;
    if left_out > 0 {
        output::note("the other files are there from a run that was ended");
    }
    if author.is_none() {
        output::note("`authors` has a placeholder: `git config github.user HANDLE` sets the author of the next KEP");
    }
    notes.iter().for_each(|words| output::note(words));
    let path = printable(&shown(&directory));
    output::note(&format!("fill in the sections; `kep-lint {path}` says what is left"));
    Ok(Outcome::Clean)
}

pub struct Planned {
    /// Those that are not there yet, kep.yaml last.
    pub files: Vec<Change>,
    /// How many others there are, from a run that was ended.
    left_out: usize,
    pub directory: PathBuf,
    source: Source,
    pub notes: Vec<String>,
}

impl Planned {
    pub fn of(here: &Path, arguments: &NewArguments, author: Option<&str>) -> Result<Self, Failure> {
        let tree = Tree::around(here, &arguments.config)?;
        let (sig, number, title) = tree.read(&arguments.words)?;
        let name = naming::directory(&number, &title)?;
        let directory = sig.as_ref().map_or_else(|| tree.keps.clone(), |sig| tree.keps.join(sig)).join(&name);
        let now = today::time()?;
        let meant = tree.release(arguments.release, sig.is_some(), now)?;
        let authors: Vec<String> = author.map(str::to_owned).into_iter().collect();
        let proposal = Proposal {
            number: &number,
            title: &title,
            sig: sig.as_deref(),
            authors: &authors,
            date: now.date()?,
            release: meant.release,
        };
        let files = draft::files(&tree.template, tree.metadata()?.as_deref(), &proposal, &name)?;
        let new = |(path, after): (String, String)| Change { given: tree.keps.join(path), before: None, after };
        let files: Vec<Change> = files.into_iter().map(new).collect();
        let count = files.len();
        let files = tree.unwritten(&number, &directory, files)?;
        let left_out = count - files.len();
        Ok(Self { files, left_out, directory, source: tree.source, notes: meant.plan().into_iter().collect() })
    }
}

struct Tree {
    /// The directory `keps`, from the working directory on.
    keps: PathBuf,
    source: Source,
    directories: Vec<KepDirectory>,
    repository: Repository,
    options: Options,
    template: Arc<Template>,
}

impl Tree {
    fn around(here: &Path, arguments: &ConfigArguments) -> Result<Self, Failure> {
        let found = disk::around(here).tree_from(here).map(|keps| here.join(keps));
        let place = found.clone().unwrap_or_else(|| or_here(here).to_owned());
        let config = config_file::find(&[place], &arguments.wanted(), &disk::around).map_err(error::first)?;
        config.as_ref().map_or(Ok(()), ConfigFile::only_keps)?;
        let keps = found.ok_or_else(|| {
            let failure = Failure::new(format!("there is no directory `{TREE}` here or above"));
            failure.help("run it in a repository of KEPs, or make the directory first")
        })?;
        let source = disk::around(&keps);
        let Whole { keps: directories, mut repository, failures } = trees::whole(&keps, &source);
        // A KEP that cannot be seen may have the number.
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure);
        }
        let configured = config.as_ref().map(ConfigFile::template).transpose()?.flatten();
        let options = Options { config: config.map(|file| file.config).unwrap_or_default(), ..Options::default() };
        trees::configure(&mut repository, &options.config);
        let template = match (configured, repository.template.clone()) {
            (None, Some(file)) => Arc::new(Template::of_repository(file)),
            (path, _) => template::load(path.as_deref())?,
        };
        if let Some(failure) = template.misshapen() {
            return Err(failure);
        }
        Ok(Self { keps, source, directories, repository, options, template })
    }

    /// The SIG, the number and the title that the words of the command line are.
    fn read(&self, words: &[String]) -> Result<(Option<String>, String, String), Failure> {
        let is_number = |word: &str| number::is_digits(word.trim_start_matches('#'));
        let first_is_sig = words.first().is_some_and(|first| !is_number(first));
        // A tree without anything in it may become either.
        let has_groups = self.repository.has_groups || (self.directories.is_empty() && first_is_sig);
        let (sig, rest) = match words.split_first() {
            Some((sig, rest)) if has_groups && first_is_sig => (Some(group::named(sig, &self.repository)?), rest),
            _ if has_groups => {
                return Err(Failure::new("the SIG is missing").help("write `kep-lint new SIG NUMBER TITLE`"));
            }
            Some((sig, _)) if first_is_sig && words.get(1).is_some_and(|word| is_number(word)) => {
                let failure = Failure::new("KEPs of this repository belong to no SIG");
                return Err(failure.help(format!("leave out `{}`", brief(sig))));
            }
            _ => (None, words),
        };
        let Some((number, title_words)) = rest.split_first() else {
            return Err(Failure::new("the number is missing"));
        };
        let number = naming::number(number)?;
        if title_words.is_empty() {
            let failure = Failure::new("the title is missing");
            return Err(failure.help("write a short title after the number, such as `Prefetch images`"));
        }
        let title = naming::title(&title_words.join(" "), &number, &self.template)?;
        Ok((sig, number, title))
    }

    fn release(&self, release: Option<Release>, has_groups: bool, now: Time) -> Result<Meant, Failure> {
        let options = Options { release, ..self.options.clone() };
        let mut repository = Repository { has_groups, ..self.repository.clone() };
        tell_tree_by_default_branch(&self.keps, &mut repository, &options);
        options.release_written(&repository, None, None, on_day(now))
    }

    /// Those of `files` that are not there yet: all of them, unless this KEP was begun by a run that was
    /// ended. Fails if its number or its name is not free.
    fn unwritten(&self, number: &str, directory: &Path, files: Vec<Change>) -> Result<Vec<Change>, Failure> {
        let has_number = |kep: &&KepDirectory| number::of_directory(&kep.name) == Some(number);
        let taken = self.directories.iter().filter(has_number);
        let taken = taken.map(|kep| (kep.given.clone(), exists(number, &kep.given)));
        let start = format!("{number}-");
        let parent = directory.parent().unwrap_or(&self.keps);
        let names = self.source.names(parent);
        let similar = names.iter().filter(|name| name.to_string_lossy().starts_with(&start));
        let similar = similar.map(|name| parent.join(name)).map(|path| (path.clone(), together::exists(&path)));
        let mut is_begun = false;
        for (path, failure) in taken.chain(similar) {
            if !is_half_made(&path, &self.source) {
                return Err(failure);
            }
            if path != directory {
                return Err(half_made(number, &path, &files, &self.source));
            }
            is_begun = true;
        }
        let is_new = |review: &str| files.iter().any(|file| file.given == Path::new(review));
        let mut reviews = self.repository.reviews_of(number).iter().map(|review| review.file.path.as_str());
        if let Some(path) = reviews.find(|path| !(is_begun && is_new(path))) {
            let failure = Failure::new(format!("a PRR file for KEP {number} exists: `{path}`"));
            return Err(failure.at(path).help(OTHER_NUMBER));
        }
        if is_begun {
            return missing(number, directory, files, &self.source);
        }
        match files.iter().find(|file| file.given.symlink_metadata().is_ok()) {
            Some(file) => Err(together::exists(&file.given)),
            None => Ok(files),
        }
    }

    fn metadata(&self) -> Result<Option<String>, Failure> {
        let directories = templates(self.source.names(&self.keps)).into_iter();
        let mut paths = directories.map(|directory| self.keps.join(directory).join("kep.yaml"));
        let path = paths.find(|path| self.source.kind(path) == Some(Kind::Other));
        let Some(path) = path else { return Ok(None) };
        let Opened { file, .. } = self.source.read(&path, bounds::FILE_BYTES)?;
        Ok(Some(file.text.clone()))
    }
}

const OTHER_NUMBER: &str = "use the number of the KEP's own tracking issue";

fn exists(number: &str, kep: &Path) -> Failure {
    Failure::new(format!("KEP {number} exists: {}", named(kep))).at(kep).help(OTHER_NUMBER)
}

// What `new` leaves if it is killed is the directory of a KEP without kep.yaml, which is written last. The
// same command completes it, and another one says how to remove it.

/// Whether `directory` has nothing but what `new` may have left: a README.md, and unfinished files.
fn is_half_made(directory: &Path, source: &Source) -> bool {
    let is_directory = directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    is_directory && source.names(directory).iter().all(|name| name == "README.md" || is_unfinished(name))
}

/// Those of `files` that are not there yet. All others must have the text that `new` writes.
fn missing(number: &str, directory: &Path, files: Vec<Change>, source: &Source) -> Result<Vec<Change>, Failure> {
    let (present, missing): (Vec<Change>, Vec<Change>) =
        files.into_iter().partition(|file| file.given.symlink_metadata().is_ok());
    if !present.iter().all(|file| is_written(file, source)) {
        return Err(half_made(number, directory, &present, source));
    }
    Ok(missing)
}

/// The failure for a half-made KEP that is not the one to write, with those of the new files that are there already.
fn half_made(number: &str, directory: &Path, present: &[Change], source: &Source) -> Failure {
    let failure =
        Failure::new(format!("KEP {number} is half made: {} has no kep.yaml", named(directory))).at(directory);
    let outside = present.iter().filter(|file| !file.given.starts_with(directory) && is_written(file, source));
    let paths = std::iter::once(directory).chain(outside.map(|file| file.given.as_path()));
    let paths = paths.map(|path| quoted(&shown(path))).collect::<Vec<_>>().join(" ");
    failure.help(format!("see whether its files are needed, remove it with `rm -r {paths}`, and run kep-lint again"))
}

fn is_written(file: &Change, source: &Source) -> bool {
    let opened = source.read(&file.given, bounds::FILE_BYTES);
    opened.is_ok_and(|opened| opened.file.invalid_utf8.is_none() && opened.file.text == file.after)
}

/// The GitHub handle of the user, if git knows one in the repository around `here`.
pub fn author(here: &Path) -> Option<String> {
    naming::handle(&Git::around(or_here(here)).ok()?.line(["config", "--get", "github.user"])?)
}
