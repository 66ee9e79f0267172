//! `kep-lint new SIG NUMBER TITLE`: writes the files of a new KEP.

use super::arguments::NewArguments;
use super::{change, group, today};
use crate::authoring::draft::{self, Proposal};
use crate::authoring::{promotion, slug};
use crate::cli::directory::KepDirectory;
use crate::cli::discover::tree_around;
use crate::cli::git::Git;
use crate::cli::options::ConfigArguments;
use crate::cli::path::shown;
use crate::cli::source::{Kind, Opened, Source};
use crate::cli::walked::Walked;
use crate::cli::write::together::{self, Change};
use crate::cli::{Outcome, bounds, config_file, error, output, print, repository, template};
use crate::diagnostic::{Failure, brief, named};
use crate::kep::directory::{PROD_READINESS, TEMPLATES, TREE};
use crate::kep::number;
use crate::lint::{Options, Run};
use crate::report::{is_hidden, printable};
use crate::repository::Repository;
use crate::stage::Stage;
use crate::template::Template;
use std::path::{Path, PathBuf};

/// Writes or shows the files.
pub fn run(arguments: &NewArguments) -> Result<Outcome, Failure> {
    let tree = Tree::around_here(&arguments.config)?;
    let Words { sig, number, title } = tree.read(&arguments.words)?;
    let directory = tree.directory(sig.as_deref(), &number, &title)?;
    let author = author();
    let proposal = Proposal {
        number: &number,
        title: &title,
        sig: sig.as_deref(),
        author: author.as_deref(),
        date: today::date()?,
        release: arguments.release.unwrap_or_else(|| Run::new(&tree.options, Some(&tree.repository)).release),
    };
    let metadata = draft::metadata(tree.metadata()?.as_deref(), &proposal);
    let metadata = metadata.map_err(|reason| Failure::of("write", directory.join("kep.yaml"), &reason))?;
    let mut files = vec![
        (directory.join("README.md"), draft::readme(&tree.template, &proposal)),
        (directory.join("kep.yaml"), metadata),
    ];
    if let Some(sig) = &sig {
        let path = tree.keps.join(PROD_READINESS).join(sig).join(format!("{number}.yaml"));
        files.push((path, promotion::first_review(&number, Stage::Alpha)));
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(together::exists(path));
    }
    let new = |(given, after)| Change { given, before: None, after };
    let files: Vec<Change> = files.into_iter().map(new).collect();
    if arguments.diff {
        return change::show(&files, arguments.color);
    }
    let Source::Disk(edge) = &tree.source else { return Err(Failure::new("a new KEP is written only on disk")) };
    together::write(&files, edge)?;
    let lines = files.iter().map(|file| format!("wrote {}\n", printable(&shown(&file.given))));
    print(&lines.collect::<String>())?;
    if author.is_none() {
        output::note("`authors` has a placeholder: `git config github.user HANDLE` sets the author of the next KEP");
    }
    let path = printable(&shown(&directory));
    output::note(&format!("fill in the sections; `kep-lint {path}` says what is left"));
    Ok(Outcome::Clean)
}

/// What the command line says of the new KEP.
struct Words {
    sig: Option<String>,
    number: String,
    title: String,
}

/// The tree that the KEP is added to.
struct Tree {
    /// The directory `keps`, from the working directory on.
    keps: PathBuf,
    source: Source,
    found: Vec<KepDirectory>,
    repository: Repository,
    options: Options,
    template: Template,
}

impl Tree {
    fn around_here(arguments: &ConfigArguments) -> Result<Self, Failure> {
        let here = Source::disk(Path::new(".")).real(Path::new("."));
        let keps = tree_around(&here).ok_or_else(|| {
            let failure = Failure::new(format!("there is no directory `{TREE}` here or above"));
            failure.help("run it in a repository of KEPs, or make the directory first")
        })?;
        let source = Source::disk(&keps);
        let walked = Walked::walk(&keps, &source);
        let (mut repository, failures) = repository::of_tree(&keps, &source, &walked.keps);
        // A KEP that cannot be seen may have the number.
        if let Some(failure) = walked.failures.into_iter().chain(failures).next() {
            return Err(failure);
        }
        let config = config_file::find(std::slice::from_ref(&keps), arguments, &Source::disk);
        let config = config.map_err(|failures| {
            let (last, others) = failures.split_last().expect("a failure to read has a reason");
            error::print_all(others);
            last.clone()
        })?;
        let given = config.as_ref().map(config_file::ConfigFile::template).transpose()?.flatten();
        let options = Options { config: config.map(|file| file.config).unwrap_or_default(), ..Options::default() };
        repository::configure(&mut repository, &options.config);
        let template = match (given, repository.template.clone()) {
            (None, Some(own)) => Template::of_repository(own),
            (given, _) => template::load(given.as_deref())?,
        };
        if let Some(failure) = template.misshapen() {
            return Err(failure);
        }
        Ok(Self { keps, source, found: walked.keps, repository, options, template })
    }

    /// The SIG, the number and the title that the words of the command line are.
    fn read(&self, words: &[String]) -> Result<Words, Failure> {
        let is_number = |word: &str| {
            let digits = word.trim_start_matches('#');
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let first_is_sig = words.first().is_some_and(|first| !is_number(first));
        // A tree without anything in it may become either.
        let has_groups = self.repository.has_groups || (self.found.is_empty() && first_is_sig);
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
        let Some((number, title)) = rest.split_first() else { return Err(Failure::new("the number is missing")) };
        let number = checked_number(number)?;
        if title.is_empty() {
            let failure = Failure::new("the title is missing");
            return Err(failure.help("write a short title after the number, such as `Prefetch images`"));
        }
        let words = title.join(" ");
        let title = draft::title_of(&words, &number);
        let reason = draft::problem_of_title(&title, &self.template)
            .or(words.contains(is_hidden).then_some("it has hidden characters"));
        match reason {
            Some(reason) => {
                let failure = Failure::new(format!("cannot use the title `{}`: {reason}", brief(&title)));
                Err(failure.help("write a short title, such as `Prefetch images`"))
            }
            None => Ok(Words { sig, number, title }),
        }
    }

    /// The directory of the new KEP, if its number and its name are free.
    fn directory(&self, sig: Option<&str>, number: &str, title: &str) -> Result<PathBuf, Failure> {
        let taken = self.found.iter().find(|kep| number::of_directory(&kep.name) == Some(number));
        if let Some(kep) = taken {
            let failure = Failure::new(format!("KEP {number} exists: {}", named(&kep.given))).at(&kep.given);
            return Err(failure.help("use the number of the KEP's own tracking issue"));
        }
        if let Some(review) = self.repository.reviews_of(number).first() {
            let failure = Failure::new(format!("a PRR file for KEP {number} exists: `{}`", review.file.path));
            return Err(failure.at(&review.file.path).help("use the number of the KEP's own tracking issue"));
        }
        let slug = slug::of_title(title).ok_or_else(|| {
            let failure = Failure::new(format!("no directory can be named after the title `{}`", brief(title)));
            failure.help("write a title with letters of ASCII")
        })?;
        let around = sig.map_or_else(|| self.keps.clone(), |sig| self.keps.join(sig));
        let directory = around.join(format!("{number}-{slug}"));
        let start = format!("{number}-");
        let names = self.source.names(&around);
        let other = names.iter().find(|name| name.to_string_lossy().starts_with(&start));
        match other {
            Some(name) => Err(together::exists(&around.join(name))),
            None => Ok(directory),
        }
    }

    /// The kep.yaml of the repository's template.
    fn metadata(&self) -> Result<Option<String>, Failure> {
        let paths = TEMPLATES.iter().map(|readme| self.keps.join(readme).with_file_name("kep.yaml"));
        let path = paths.into_iter().find(|path| self.source.kind(path) == Some(Kind::Other));
        let Some(path) = path else { return Ok(None) };
        let Opened { file, .. } = self.source.read(&path, bounds::FILE_BYTES)?;
        Ok(Some(file.text))
    }
}

/// A number as kep.yaml and the directory have it.
fn checked_number(text: &str) -> Result<String, Failure> {
    let refused = |help: &str| Err(Failure::new(format!("`{}` is not the number of a KEP", brief(text))).help(help));
    let digits = text.trim_start_matches('#');
    match digits.parse::<u32>() {
        Ok(0) => refused("write the number of its tracking issue"),
        Ok(number) if number.to_string() == digits => Ok(digits.to_owned()),
        Ok(number) => refused(&format!("write `{number}`")),
        Err(_) => refused("open its tracking issue in kubernetes/enhancements first, and write the number of that"),
    }
}

/// The GitHub handle of the user, if git knows one.
fn author() -> Option<String> {
    let handle = Git::around(Path::new(".")).ok()?.line(["config", "--get", "github.user"])?;
    let handle = handle.trim().trim_start_matches('@');
    let is_handle = handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_handle && !handle.is_empty()).then(|| handle.to_owned())
}
