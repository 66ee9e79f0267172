//! Where boards go: standard output and files; and the Release Team's comments, one on standard output, or a file for each KEP in
//! a directory. Nothing is deleted: the comment of a KEP that is not on the board any more stays.
use super::arguments::{COMMENT, ReadyArguments, ReadyOutput};
use crate::bounds;
use crate::cli::destination::{self, TO_FILES, Target};
use crate::cli::output::note;
use crate::cli::print::print_to_save;
use crate::cli::protected::refuse_comments;
use crate::cli::write::report_file::ReportFile;
use crate::cli::{checkout, paths, screen};
use crate::diagnostic::{Failure, counted, named};
use crate::kep::number;
use crate::ready::board::Board;
use crate::ready::calendar::Family;
use crate::ready::checklist::Checklist;
use crate::ready::gate::Gate;
use crate::report::look::{Look, Order};
use crate::report::printable;
use crate::report::ready::comment::templates::{BUILT_IN, Templates};
use crate::report::ready::comment::{self, Comment, Refusal, no_deadline};
use crate::report::ready::{ALL, ReadyFormat, words};
use crate::stage::Release;
use crate::workspace::failure;
use crate::workspace::files::disk;
use crate::workspace::files::opened::Opened;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Where boards go. Made before any work is done, so that a path that cannot be written is reported at once.
pub struct Outputs {
    files: Vec<(&'static ReadyFormat, Target)>,
    comments: Option<Comments>,
    look: Look,
}

impl Outputs {
    pub fn open(arguments: &ReadyArguments) -> Result<Self, Failure> {
        let (mut boards, mut wanted) = (Vec::new(), Vec::new());
        for output in &arguments.format {
            match output {
                ReadyOutput::Board(board) => boards.push(board.clone()),
                ReadyOutput::Comments(directory) => wanted.push(directory),
            }
        }
        let comments = Comments::open(&wanted, arguments)?;
        let mut files = destination::open(&boards, || inputs(arguments))?;
        if comments.as_ref().is_some_and(|own| own.directory.is_none())
            && files.iter().any(|(_, target)| matches!(target, Target::Stdout))
        {
            return Err(Failure::new("only one format can go to standard output").help(TO_FILES));
        }
        if files.is_empty() && comments.is_none() {
            files.extend(ALL.first().map(|format| (format, Target::Stdout)));
        }
        Ok(Self { files, comments, look: look(arguments) })
    }

    /// Prints and writes `board`, each format even if another one fails. Returns the failures.
    pub fn write(self, mut board: Board) -> Vec<Failure> {
        // A page shows the comments that are asked for. Why there is none is told when they are written.
        let comments: Vec<Result<Comment, Refusal>> = self.comments.iter().flat_map(|own| own.all(&board)).collect();
        for (checklist, comment) in board.checklists.iter_mut().zip(&comments) {
            checklist.comment = comment.as_ref().ok().map(|comment| comment.text.clone());
        }
        let mut failures = Vec::new();
        let is_printed =
            self.comments.is_some() || self.files.iter().any(|(_, target)| !matches!(target, Target::File(_)));
        if !is_printed {
            note(&words::summary(&board));
        }
        for (format, target) in self.files {
            failures.extend(target.write(&self.look, |look| (format.render)(&board, look)).err());
        }
        if let Some(own) = self.comments {
            failures.extend(own.write(&board, comments));
        }
        failures
    }
}

/// What the arguments and the configuration name. An earlier board is read before, and may be replaced.
fn inputs(arguments: &ReadyArguments) -> Vec<PathBuf> {
    let ReadyArguments { keps, from, prs, template, comment_templates, config, .. } = arguments;
    let keps = paths::all(keps, &config.wanted());
    let named = [from, prs, template, comment_templates, &config.config].into_iter().flatten().cloned();
    paths::of_configuration(&keps, &config.wanted()).into_iter().chain(named).chain(keps).collect()
}

fn look(arguments: &ReadyArguments) -> Look {
    let (width, color) = (screen::width(), screen::has_color(arguments.color));
    let (link_base, checkout) = (arguments.link_base.clone(), checkout::around_here());
    let order = if io::stdout().is_terminal() { Order::WorstLast } else { Order::WorstFirst };
    Look { width, color, frames: screen::shows_frames(), link_base, checkout, order, ..Look::default() }
}

const IN_CLONE: &str = "release-team/role-handbooks/enhancements/communication-templates.md";

const TO_DIRECTORY: &str = "write a file for each KEP: `--format comment=DIR`";

pub struct Comments {
    gate: Gate,
    /// The team's own; otherwise those of kep-lint.
    templates: Option<(PathBuf, Templates)>,
    directory: Option<PathBuf>,
}

impl Comments {
    /// The comments that are wanted, if any. Templates and directory are tried before any work is done.
    fn open(wanted: &[&Option<PathBuf>], arguments: &ReadyArguments) -> Result<Option<Self>, Failure> {
        let (directory, gate) = match (wanted, arguments.gate) {
            ([], None) => return Ok(None),
            ([], Some(_)) => {
                let failure = Failure::new(format!("`--gate` is only for `--format {COMMENT}`"));
                return Err(failure.help(format!("add `--format {COMMENT}=DIR`, or leave `--gate` out")));
            }
            ([_], None) => {
                let gates = Gate::ALL.map(|gate| gate.name).join("|");
                let failure = Failure::new(format!("`--format {COMMENT}` needs a gate that the comment is about"));
                return Err(failure.help(format!("add `--gate {gates}`")));
            }
            ([_], Some(gate)) if gate.is_party && arguments.pr.is_some() => {
                let failure = Failure::new(format!("`--gate {}` is about what is merged", gate.name));
                return Err(failure.help("leave `--pr` out"));
            }
            ([directory], Some(gate)) => (*directory, gate),
            _ => return Err(Failure::new("comments can only go to one place").help("name one directory")),
        };
        let templates = arguments.comment_templates.as_deref().map(|path| read(path, gate)).transpose()?;
        directory.as_deref().map(make).transpose()?;
        Ok(Some(Self { gate, templates, directory: directory.clone() }))
    }

    fn all(&self, board: &Board) -> Vec<Result<Comment, Refusal>> {
        let templates = self.templates.as_ref().map_or(&*BUILT_IN, |(_, templates)| templates);
        board.checklists.iter().map(|checklist| comment::write(board, checklist, self.gate, templates)).collect()
    }

    /// Prints the comment on the only KEP, or writes one for each, and tells the status that each KEP gets.
    fn write(self, board: &Board, comments: Vec<Result<Comment, Refusal>>) -> Vec<Failure> {
        if let Some(failure) = self.refusal(board) {
            return vec![failure];
        }
        let is_shared = |own: &str| board.checklists.iter().filter(|kep| number(kep) == Some(own)).count() > 1;
        let (mut failures, mut written) = (Vec::new(), 0);
        for (checklist, comment) in board.checklists.iter().zip(comments) {
            let number = number(checklist);
            let name = number.map_or_else(|| words::number(checklist), str::to_owned);
            let file = match (&self.directory, number) {
                (None, _) => Ok(None),
                (Some(_), None) => Err("it has no number"),
                (Some(_), Some(number)) if is_shared(number) => Err("several KEPs here have this number"),
                (Some(directory), Some(number)) => Ok(Some(directory.join(format!("{number}.md")))),
            };
            match file.map(|file| self.one(comment, &name, file.as_deref())) {
                Ok(Ok(is_written)) => written += usize::from(is_written),
                Ok(Err(failure)) => failures.push(failure),
                Err(reason) => note(&format!("{name}: no comment: {reason}")),
            }
        }
        if let Some(directory) = &self.directory {
            note(&format!("wrote {} to {}", counted(written, "comment", "comments"), named(directory)));
        }
        failures
    }

    /// Writes the comment on a KEP; returns whether there is one.
    fn one(&self, comment: Result<Comment, Refusal>, name: &str, file: Option<&Path>) -> Result<bool, Failure> {
        let Comment { text, status, unless, left } = match comment {
            Ok(comment) => comment,
            Err(Refusal::Doubt(doubt)) => {
                let left = file.filter(|file| file.exists());
                let left = left.map(|old| format!("; {} is from an earlier run", named(old))).unwrap_or_default();
                note(&format!("{name}: no comment: {doubt}{left}"));
                return Ok(false);
            }
            Err(Refusal::Failed(reason)) => {
                let failure = Failure::new(format!("cannot write the comment on {name}: {reason}"));
                return Err(match &self.templates {
                    Some((path, _)) => failure.at(path),
                    None => failure,
                });
            }
        };
        match file {
            Some(file) => ReportFile::create(file)?.finish(&text)?,
            // A template of comments may have any characters.
            None => print_to_save(&text.split('\n').map(printable).collect::<Vec<_>>().join("\n"))?,
        }
        let unless = unless.map(|unless| format!(", {unless}")).unwrap_or_default();
        note(&format!("{name}: set the status to `{status}`{unless}"));
        if !left.is_empty() {
            note(&format!("{name}: not filled in: {}", left.join(", ")));
        }
        Ok(true)
    }

    fn refusal(&self, board: &Board) -> Option<Failure> {
        if self.directory.is_none() && board.checklists.len() > 1 {
            let count = counted(board.checklists.len(), "KEP", "KEPs");
            return Some(Failure::new(format!("cannot print the comments on {count}")).help(TO_DIRECTORY));
        }
        // The team's templates ask for what has been asked since then.
        let is_known = |family: &Family| family.asks("latest-milestone") && family.is_of_kubernetes();
        if let Some(other) = board.checklists.iter().find(|checklist| !is_known(checklist.family)) {
            let failure =
                Failure::new(format!("there are no comments for {}: {}", words::number(other), other.release));
            return Some(failure.help("they are about KEPs of Kubernetes for v1.24 or later"));
        }
        let without = board.checklists.iter().find(|checklist| checklist.family.deadline.is_none())?;
        let is_asked = self.gate.is_deadline;
        is_asked.then(|| Failure::new(no_deadline(without)).help("use `--gate enhancements`, or a later release"))
    }
}

/// The number of a KEP, if it has one that can name a file.
fn number(checklist: &Checklist) -> Option<&str> {
    const DIGITS: usize = 20;
    let number = checklist.number.as_deref()?;
    (number.len() <= DIGITS && number::is_digits(number)).then_some(number)
}

/// Reads the file of templates at `path`, or in the clone that is there. Fails if it lacks those of the gate.
fn read(path: &Path, gate: Gate) -> Result<(PathBuf, Templates), Failure> {
    const HELP: &str =
        "name release-team/role-handbooks/enhancements/communication-templates.md of kubernetes/sig-release";
    let path = if path.is_dir() { path.join(IN_CLONE) } else { path.to_owned() };
    let opened = disk::around(&path).read(&path, bounds::FILE_BYTES);
    let Opened { file, .. } =
        opened.map_err(|failure| if failure.help.is_none() { failure.help(HELP) } else { failure })?;
    if file.invalid_utf8.is_some() {
        return Err(Failure::of("use", &path, "it is not UTF-8").help("save it as UTF-8"));
    }
    let templates = Templates::parse(file);
    // The headings of all releases have the same places.
    let headings = gate.headings(Family::of(Release::CURRENT));
    templates.blocks(&headings).map_err(|problem| Failure::of("use", &path, &problem).help(HELP))?;
    Ok((path, templates))
}

fn make(directory: &Path) -> Result<(), Failure> {
    const HELP: &str = "name a directory that can be written";
    if directory == Path::new("-") {
        return Err(Failure::new("`-` is not a directory").help("leave it out to print to standard output"));
    }
    if fs::metadata(directory).is_ok_and(|metadata| !metadata.is_dir()) {
        return Err(Failure::of("write", directory, "it is not a directory").help(HELP));
    }
    refuse_comments(directory)?;
    fs::create_dir_all(directory).map_err(|error| failure::io("make", directory, &error).help(HELP))
}
