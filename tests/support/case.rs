//! Fixtures as they are written: a Markdown file with a heading a case, and the case's files and findings in fences of
//! four backticks. `fixtures/README.md` describes the format to those who write one.

use super::library::{self, Tree};
use kep_lint::kep::texts::Texts;
use kep_lint::template::Template;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The directory of the KEP whose files are named without one.
pub const DIRECTORY: &str = "keps/sig-node/1-prefetch";

/// What the tests write, by the name of the fence and its whole info string.
pub const FINDINGS: (&str, &str) = ("findings", "text findings");
/// See [`FINDINGS`].
pub const DIRECTIVES: (&str, &str) = ("directives", "text directives");
/// See [`FINDINGS`].
pub const DIFF: (&str, &str) = ("diff", "diff");

/// A fixture file.
pub struct CaseFile {
    pub path: PathBuf,
    /// The title: the rule's name.
    pub title: String,
    pub cases: Vec<Case>,
}

/// What is under one heading.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    /// The sentences that say why it is there.
    pub why: String,
    /// Its files, by the name they have there, those that are the same in every case included.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What is expected, by the name of the fence.
    pub expected: BTreeMap<String, String>,
}

impl Case {
    /// Its own template, or else the built-in one.
    pub fn template(&self) -> Arc<Template> {
        self.files.get("template").map_or_else(Template::built_in, |bytes| Arc::new(library::template(bytes)))
    }

    /// Whether more than one KEP is known: a PRR file, the aliases, or a path from `keps` on.
    pub fn is_tree(&self) -> bool {
        let is_of_tree = |name: &String| {
            name == "OWNERS_ALIASES" || name.starts_with("keps/") || name.starts_with("prod-readiness/")
        };
        self.files.keys().any(is_of_tree)
    }

    /// The whole tree.
    pub fn tree(&self) -> Tree {
        let files = self.files.iter().filter(|(name, _)| *name != "template");
        let files: Vec<(String, &[u8])> = files.map(|(name, bytes)| (path(name), bytes.as_slice())).collect();
        Tree::of(files.iter().map(|(path, bytes)| (path.as_str(), *bytes)))
    }

    /// The one KEP, of whose surroundings nothing is known. A file may be named with the KEP's directory.
    pub fn kep(&self) -> Texts {
        let default = DIRECTORY.rsplit('/').next().unwrap_or_default();
        let files = self.files.iter().filter(|(name, _)| *name != "template");
        let files: Vec<(&str, &str, &[u8])> = files
            .map(|(name, bytes)| {
                let (directory, name) = name.split_once('/').unwrap_or((default, name));
                (directory, name, bytes.as_slice())
            })
            .collect();
        let directory = files.first().map_or(default, |(directory, ..)| directory);
        library::kep(directory, files.iter().map(|(_, name, bytes)| (*name, *bytes)))
    }
}

/// The path of a file in the tree.
fn path(name: &str) -> String {
    match name {
        _ if name == "OWNERS_ALIASES" || name.starts_with("keps/") => name.to_owned(),
        _ if name.starts_with("prod-readiness/") => format!("keps/{name}"),
        _ => format!("{DIRECTORY}/{name}"),
    }
}

/// How findings name a file: as the fixtures do.
pub fn shown(path: &str) -> &str {
    let name = path.strip_prefix(DIRECTORY).or_else(|| path.strip_prefix("1-prefetch"));
    let name = name.and_then(|name| name.strip_prefix('/'));
    name.or_else(|| path.strip_prefix("keps/").filter(|path| path.starts_with("prod-readiness/"))).unwrap_or(path)
}

/// All fixture files of rules, by name.
pub fn rule_files() -> Vec<CaseFile> {
    let folder = super::project().join("fixtures/rules");
    let is_markdown = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let files = super::files_below(&folder, &is_markdown);
    files.iter().map(|path| read(path).unwrap_or_else(|problem| panic!("{problem}"))).collect()
}

/// The fixture file at `path`, or what is wrong with it.
pub fn read(path: &Path) -> Result<CaseFile, String> {
    let wrong = |problem: String| format!("{}: {problem}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let mut parts = parts(&text).map_err(wrong)?.into_iter();
    let first = parts.next().ok_or_else(|| wrong("there is no title".to_owned()))?;
    let defaults = files(&first).map_err(wrong)?;
    let mut cases: Vec<Case> = Vec::new();
    for part in parts {
        let mut files = files(&part).map_err(wrong)?;
        let has_directory = |name: &String| name.contains('/') && !name.starts_with("prod-readiness/");
        // A case that names the directory of its KEP shows all there is.
        if files.is_empty() || !files.keys().all(has_directory) {
            for (name, bytes) in &defaults {
                files.entry(name.clone()).or_insert_with(|| bytes.clone());
            }
        }
        let expected = part.fences.iter().filter(|fence| is_expected(&fence.name));
        let expected = expected.map(|fence| (fence.name.clone(), fence.content.clone())).collect();
        if cases.iter().any(|case| case.name == part.title) {
            return Err(wrong(format!("two cases are called `{}`", part.title)));
        }
        cases.push(Case { name: part.title, why: part.why, files, expected });
    }
    Ok(CaseFile { path: path.to_owned(), title: first.title, cases })
}

/// Writes what was found into the fences of a case, and leaves all else as it is. A fence without content goes, but for
/// the first.
pub fn write(path: &Path, case: &str, outputs: &[((&str, &str), String)]) -> Result<(), String> {
    let wrong = |problem: String| format!("{}: {problem}", path.display());
    let mut text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let mut previous: Option<&str> = None;
    for ((name, info), content) in outputs {
        let parts = parts(&text).map_err(wrong)?;
        let part = parts.iter().find(|part| part.title == case).ok_or_else(|| wrong(format!("no case `{case}`")))?;
        let fence = |name: &str| part.fences.iter().find(|fence| fence.name == name);
        let mut lines: Vec<&str> = text.split('\n').collect();
        let is_wanted = !content.is_empty() || previous.is_none();
        let new = format!("````{info}\n{content}````");
        match fence(name) {
            Some(fence) if is_wanted => drop(lines.splice(fence.lines.clone(), [new.as_str()])),
            Some(fence) => drop(lines.drain(fence.lines.start - 1..fence.lines.end)),
            None if is_wanted => {
                let end = previous.and_then(fence).or(part.fences.last()).map_or(part.lines.end, |it| it.lines.end);
                drop(lines.splice(end..end, ["", new.as_str()]));
            }
            None => {}
        }
        text = lines.join("\n");
        previous = Some(name);
    }
    fs::write(path, text).map_err(|error| wrong(error.to_string()))
}

/// A heading with what is under it.
struct Part {
    title: String,
    why: String,
    fences: Vec<Fence>,
    lines: Range<usize>,
}

struct Fence {
    name: String,
    content: String,
    has_escapes: bool,
    lines: Range<usize>,
}

fn is_expected(name: &str) -> bool {
    [FINDINGS, DIRECTIVES, DIFF].iter().any(|(known, _)| *known == name)
}

fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let title = line.strip_prefix(if parts.is_empty() { "# " } else { "## " });
        if let Some(title) = title {
            parts.push(Part { title: title.to_owned(), why: String::new(), fences: Vec::new(), lines: at..at + 1 });
            continue;
        }
        let part = parts.last_mut().ok_or_else(|| format!("line {}: it comes before the title", at + 1))?;
        if let Some(info) = line.strip_prefix("````") {
            let mut content = String::new();
            let end = loop {
                let (end, line) = lines.next().ok_or_else(|| format!("line {}: the fence is not closed", at + 1))?;
                if line == "````" {
                    break end + 1;
                }
                content += line;
                content.push('\n');
            };
            let (info, has_escapes) = info.strip_suffix(", bytes").map_or((info, false), |info| (info, true));
            let name = info.split_once(' ').map_or(info, |(_, name)| name).to_owned();
            if part.fences.iter().any(|fence| fence.name == name) {
                return Err(format!("line {}: a second `{name}` in one case", at + 1));
            }
            part.fences.push(Fence { name, content, has_escapes, lines: at..end });
            part.lines.end = end;
        } else if !line.trim().is_empty() {
            part.why += line;
            part.why.push('\n');
            part.lines.end = at + 1;
        }
    }
    Ok(parts)
}

fn files(part: &Part) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let inputs = part.fences.iter().filter(|fence| !is_expected(&fence.name));
    inputs
        .map(|fence| {
            let is_known = ["template", "OWNERS", "OWNERS_ALIASES"].contains(&fence.name.as_str());
            if !is_known && !fence.name.contains('.') {
                return Err(format!("line {}: `{}` is not the name of a file", fence.lines.start + 1, fence.name));
            }
            let bytes = if fence.has_escapes { unescape(&fence.content)? } else { fence.content.clone().into_bytes() };
            Ok((fence.name.clone(), bytes))
        })
        .collect()
}

/// The bytes of a text with escapes: `\r`, `\t`, `\xE9` for a byte, `\u{feff}` for a character, `\{100*x}` for a hundred times
/// `x`, `\\`, and a backslash at the end of a line for no line end.
pub fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let wrong = |rest: &str| format!("no escape: `\\{}`", rest.chars().take(12).collect::<String>());
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        let braces = |opening: &str| escaped.strip_prefix(opening)?.split_once('}');
        rest = if let Some(rest) = escaped.strip_prefix('\n') {
            rest
        } else if let Some(rest) = escaped.strip_prefix('\\') {
            bytes.push(b'\\');
            rest
        } else if let Some(rest) = escaped.strip_prefix('r') {
            bytes.push(b'\r');
            rest
        } else if let Some(rest) = escaped.strip_prefix('t') {
            bytes.push(b'\t');
            rest
        } else if let Some((digits, rest)) = escaped.strip_prefix('x').and_then(|digits| digits.split_at_checked(2)) {
            bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong(escaped))?);
            rest
        } else if let Some((digits, rest)) = braces("u{") {
            let letter = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(|| wrong(escaped))?;
            bytes.extend(letter.to_string().bytes());
            rest
        } else if let Some((repeated, rest)) = braces("{") {
            let (times, unit) = repeated.split_once('*').ok_or_else(|| wrong(escaped))?;
            bytes.extend(unit.repeat(times.parse().map_err(|_| wrong(escaped))?).bytes());
            rest
        } else {
            return Err(wrong(escaped));
        };
    }
    bytes.extend(rest.bytes());
    Ok(bytes)
}

/// A text in the form that [`unescape`] reads, for what cannot be seen otherwise.
pub fn escape(text: &str) -> String {
    text.replace('\r', "\\r").replace('\t', "\\t").replace('\u{feff}', "\\u{feff}")
}
