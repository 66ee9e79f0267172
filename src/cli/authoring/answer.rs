//! `kep-lint answer KEP`: asks about the open sections of a README one by one, and writes the answers into it.

use super::answers::Answers;
use super::arguments::AnswerArguments;
use super::chosen::Chosen;
use crate::authoring::reply::{open_sections, write_below};
use crate::authoring::upgrade::refuse;
use crate::bounds;
use crate::cli::outcome::Outcome;
use crate::cli::output::{fitting, note};
use crate::cli::print::{print, print_to_save};
use crate::cli::write::together::Change;
use crate::cli::{diff, error, fixing, screen};
use crate::diagnostic::{Failure, counted};
use crate::kep::Kep;
use crate::kep::layout::Layout;
use crate::lint::Options;
use crate::lint::prepared::Prepared;
use crate::lint::templates::Templates;
use crate::report::look::Look;
use crate::report::{page, requirements};
use crate::rules::context::Readme;
use crate::rules::preset::Preset;
use crate::span::LINE_ENDS;
use crate::workspace::files::disk;
use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Read, StdinLock, stdin};

/// How many answers of other KEPs are shown with a section.
const EXAMPLES: u16 = 2;

/// The line that ends an answer, as in `mail`.
const END: &str = ".";

const STOP: &str = "q";

/// The longest line that a terminal passes on; it cuts what is longer.
const TERMINAL_LINE: usize = 4095;

pub fn run(arguments: &AnswerArguments) -> Result<Outcome, Failure> {
    let mut written = 0;
    let left = ask(arguments, &mut written);
    if written > 0 || left.is_ok() {
        let left = left.as_ref().map(|left| format!("; {left}")).unwrap_or_default();
        let line = format!("wrote {}{left}", counted(written, "answer", "answers"));
        print(&format!("\n{}\n", fitting(&line, screen::width())))?;
    }
    left.map(|_| Outcome::Clean)
}

/// Asks and counts what is `written`, until nothing more is open or wanted. Returns what is left.
fn ask(arguments: &AnswerArguments, written: &mut usize) -> Result<String, Failure> {
    let examples = examples(&Chosen::of(&arguments.kep, None, &disk::around)?)?;
    let look = Look { width: screen::width(), color: screen::has_color(arguments.kep.color), ..Look::default() };
    let mut input = stdin().lock();
    let mut asked = BTreeSet::new();
    // Each round reads the KEP again: somebody may have it open in an editor.
    'sections: loop {
        let chosen = Chosen::of(&arguments.kep, None, &disk::around)?;
        let templates = chosen.project.templates();
        let prepared = prepared(&chosen, &templates, arguments)?;
        let Some(readme) = prepared.ctx().readme else { return Err(Failure::new("there is no README.md")) };
        let (open, without_heading) = open_sections(&readme);
        let left = words(&prepared.kep, open.len(), without_heading);
        let mut unasked = open.iter().filter(|id| !asked.contains(*id));
        let Some(id) = unasked.next().copied() else { return Ok(left) };
        let all = asked.len() + 1 + unasked.count();
        if asked.is_empty() {
            let ends = format!("A line `{END}` ends an answer, `{STOP}` ends all. What gets no answer stays as it is.");
            print(&format!("{}\n{}\n", fitting(&left, look.width), fitting(&ends, look.width)))?;
        }
        asked.insert(id);
        let question = page::render(&requirements::asked(readme.template, id, &Layout::default()), &look);
        let answered = examples.as_ref().map(|examples| examples.render(readme.template, id, &look));
        let answered = answered.unwrap_or_default();
        print(&format!("\n{} of {all}\n{question}\n{answered}", asked.len()))?;
        let (mut answer, after) = loop {
            print("\nYour answer:\n")?;
            let mut answer = Typed::default();
            if !answer.read(&mut input)? {
                return Ok(left);
            }
            if answer.0.trim().is_empty() {
                continue 'sections;
            }
            match answer.whole().and_then(|text| write_below(&readme, id, text)) {
                Ok(after) => break (answer, after),
                Err(failure) => error::print(&failure),
            }
        };
        let Some(is_wanted) = confirmed(&readme, &after, arguments, &mut input)? else { return Ok(left) };
        if is_wanted {
            write(&chosen, &readme, &after)?;
            answer.0.clear();
            *written += 1;
        }
    }
}

/// The KEPs whose answers are shown, those of the same SIG first; `None` outside of a tree of KEPs.
fn examples(Chosen { directory, texts, .. }: &Chosen) -> Result<Option<Answers>, Failure> {
    let Some(tree) = directory.given_tree() else { return Ok(None) };
    let mut answers = Answers::below(&tree, EXAMPLES)?;
    let metadata = Kep::parse(texts.clone()).metadata;
    answers.sig = metadata.and_then(|metadata| metadata.owning_sig).map(|sig| sig.text);
    Ok(Some(answers))
}

fn prepared<'a>(
    chosen: &'a Chosen,
    templates: &'a Templates<'a>,
    arguments: &AnswerArguments,
) -> Result<Prepared<'a>, Failure> {
    let Chosen { directory, texts, project, .. } = chosen;
    let kep = Kep::parse(texts.clone());
    refuse(&kep)?;
    let repository = project.repositories.of(directory);
    let options = Options { stage: arguments.stage, ..project.terms.options.clone() };
    let question = options.question_about(&kep, repository);
    Ok(Prepared::new(kep, templates.for_keps_of(repository), repository, question, Preset::default()))
}

/// What is open: "KEP-1: 3 open sections to answer, 2 without a heading: `kep-lint upgrade 1` adds them".
fn words(kep: &Kep, open: usize, without_heading: usize) -> String {
    let name = kep.number().unwrap_or(&kep.texts.directory);
    let title = kep.number().map_or_else(|| name.to_owned(), |number| format!("KEP-{number}"));
    let them = if without_heading == 1 { "it" } else { "them" };
    let more = match without_heading {
        0 => String::new(),
        count => format!(", {count} without a heading: `kep-lint upgrade {name}` adds {them}"),
    };
    format!("{title}: {} to answer{more}", counted(open, "open section", "open sections"))
}

/// An answer as it is typed. Unless it is written, it is printed in the end, whatever the reason, so that nobody types it twice.
#[derive(Default)]
struct Typed(String);

impl Drop for Typed {
    fn drop(&mut self) {
        if !self.0.trim().is_empty() {
            // Without a standard output, there is no place for it.
            let _ = print("\n");
            note("note: your answer is not written:");
            let _ = print_to_save(&self.0);
        }
    }
}

impl Typed {
    /// Reads up to the line that ends an answer; `false` if it is the end of all.
    fn read(&mut self, input: &mut StdinLock<'_>) -> Result<bool, Failure> {
        while let Some(line) = typed_line(input)? {
            match line.trim_end() {
                END => return Ok(true),
                STOP if self.0.trim().is_empty() => return Ok(false),
                _ => self.0 += &format!("{line}\n"),
            }
            if self.0.len() as u64 > bounds::FILE_BYTES {
                let failure = Failure::new(format!("the answer has more than {}", bounds::size(bounds::FILE_BYTES)));
                return Err(failure.help("write it in README.md itself"));
            }
        }
        Ok(false)
    }

    /// The text, unless a part of it was lost on its way.
    fn whole(&self) -> Result<&str, Failure> {
        let is_too_long = |line: &str| line.len() >= TERMINAL_LINE;
        let fault = if stdin().is_terminal() && self.0.lines().any(is_too_long) {
            "a line that is too long: the terminal may have cut it"
        } else if self.0.contains(char::REPLACEMENT_CHARACTER) {
            "a character that is not UTF-8"
        } else {
            return Ok(&self.0);
        };
        Err(Failure::new(format!("the answer has {fault}")).help("write it in README.md itself"))
    }
}

/// A line without its end; `None` where nothing more is typed.
fn typed_line(input: &mut StdinLock<'_>) -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = input.by_ref().take(bounds::FILE_BYTES).read_until(b'\n', &mut line);
    let count = read.map_err(|error| Failure::new(format!("cannot read the answer: {error}")))?;
    Ok((count > 0).then(|| String::from_utf8_lossy(&line).trim_end_matches(LINE_ENDS).to_owned()))
}

/// Shows what would change in the README, and asks whether it is wanted; `None` if it is the end of all.
fn confirmed(
    readme: &Readme<'_>,
    after: &str,
    arguments: &AnswerArguments,
    input: &mut StdinLock<'_>,
) -> Result<Option<bool>, Failure> {
    let (path, before) = (&readme.document.source.path, Some(readme.document.text()));
    print(&format!("\n{}", diff::render(path, before, after, diff::Look::of(arguments.kep.color)).text))?;
    loop {
        print("Write this? (y/n) ")?;
        match typed_line(input)?.as_deref().map(str::trim) {
            None | Some(STOP) => return Ok(None),
            Some("y" | "Y" | "yes") => return Ok(Some(true)),
            Some("n" | "N" | "no") => return Ok(Some(false)),
            Some(_) => {}
        }
    }
}

fn write(Chosen { directory, places, .. }: &Chosen, readme: &Readme<'_>, after: &str) -> Result<(), Failure> {
    let place = places.get(readme.document.file.index()).ok_or_else(|| Failure::new("there is no README.md"))?;
    let before = Some((place.real.clone(), readme.document.text().to_owned()));
    fixing::write(&[Change { given: place.given.clone(), before, after: after.to_owned() }], &directory.source)
}
