//! The text of a baseline file: a line that says what it is, and a line of JSON for each entry, sorted by file, rule and
//! fingerprint. It has no line numbers and no messages, so that it changes only if findings do, and two changes of it can
//! be merged line by line.

use crate::bounds;
use crate::diagnostic::subject::Fingerprint;
use crate::diagnostic::{Failure, Severity, brief, counted};
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Release;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::sync::Arc;

/// What to do about a file that is none.
const WRITE: &str = "name a file that `kep-lint --write-baseline FILE` wrote";

/// What the first line says.
const VERSION: u32 = 1;

/// A finding that is not reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The highest severity at which it is not reported.
    pub severity: Severity,
    /// Its rule; this kep-lint may not know it.
    pub rule: String,
    /// What fingerprints call the KEP: its number, or else its directory; empty for a file that belongs to no KEP.
    pub kep: String,
    /// The file, from `keps` on, as it was called when the entry was written.
    pub file: String,
}

/// The entries by their fingerprints.
pub type Entries = BTreeMap<Fingerprint, Entry>;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "kep-lint-baseline")]
    version: u32,
    /// The release that the KEPs were checked for.
    release: String,
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The release that the KEPs were checked for; `None` if there is no file yet.
    pub release: Option<Release>,
    /// The findings.
    pub entries: Entries,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    rule: Cow<'a, str>,
    severity: Cow<'a, str>,
    kep: Cow<'a, str>,
    fingerprint: Cow<'a, str>,
}

/// The text of a file with these entries.
pub fn render(release: Release, entries: &Entries) -> String {
    let mut sorted: Vec<(&Fingerprint, &Entry)> = entries.iter().collect();
    sorted.sort_by_key(|(fingerprint, Entry { rule, file, .. })| (file, rule, **fingerprint));
    let mut text = line(&Header { version: VERSION, release: release.to_string() });
    for (fingerprint, Entry { severity, rule, kep, file }) in sorted {
        text += &line(&Line {
            file: file.into(),
            rule: rule.into(),
            severity: severity.name().into(),
            kep: kep.into(),
            fingerprint: fingerprint.to_string().into(),
        });
    }
    text
}

/// A value as one line of ASCII, whatever is in the names of files.
fn line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("strings and numbers have a JSON form");
    let mut text = String::with_capacity(json.len() + 1);
    for letter in json.chars() {
        if letter.is_ascii() && letter != '\u{7f}' {
            text.push(letter);
        } else {
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        }
    }
    text + "\n"
}

/// Whether `file` says that it is a baseline.
pub fn is_one(file: &SourceFile) -> bool {
    file.text.lines().next().is_some_and(|first| serde_json::from_str::<Header>(first).is_ok())
}

/// Reads a baseline file, which must be one in every line.
pub fn parse(file: &Arc<SourceFile>) -> Result<Document, Failure> {
    if file.invalid_utf8.is_some() {
        return Err(Failure::of("read", &file.path, "it is not UTF-8").help(WRITE));
    }
    let mut at = 0;
    let lines = file.text.split_inclusive('\n').map(|line| {
        let span = Span::new(FileId(0), at..at + line.trim_end().len());
        at += line.len();
        (span, line.trim_end())
    });
    let mut lines = lines.zip(1..);
    let Some(((span, first), _)) = lines.next() else {
        return Err(Failure::of("read", &file.path, "it is empty").help(WRITE));
    };
    let release = header(first).map_err(|(message, help)| failure(file, span, 1, &message).help(help))?;
    let mut entries: BTreeMap<Fingerprint, (Entry, usize)> = BTreeMap::new();
    for ((place, line), number) in lines.filter(|((_, line), _)| !line.is_empty()) {
        let (fingerprint, entry) =
            read(line).map_err(|(message, help)| failure(file, place, number, &message).help(help))?;
        match entries.entry(fingerprint) {
            Place::Vacant(vacant) => drop(vacant.insert((entry, number))),
            Place::Occupied(known) => {
                let message = format!("line {} has the same fingerprint", known.get().1);
                return Err(failure(file, place, number, &message).help("remove one of the two lines"));
            }
        }
    }
    let entries = entries.into_iter().map(|(fingerprint, (entry, _))| (fingerprint, entry)).collect();
    Ok(Document { release: Some(release), entries })
}

/// The release in the first line, or what is wrong with it, and what to do about it.
fn header(line: &str) -> Result<Release, (String, &'static str)> {
    const NEWER: &str = "use the kep-lint that wrote it, or write it again";
    let release = match serde_json::from_str::<Header>(line) {
        Ok(Header { version: VERSION, release }) => Release::parse(&release),
        Ok(Header { version, .. }) => {
            return Err((format!("version {version} of baselines is unknown, this kep-lint knows {VERSION}"), NEWER));
        }
        Err(_) => None,
    };
    release.ok_or_else(|| ("not a baseline of kep-lint".to_owned(), WRITE))
}

/// An entry, or what is wrong with its line, and what to do about it.
fn read(line: &str) -> Result<(Fingerprint, Entry), (String, &'static str)> {
    const AGAIN: &str = "restore the line, or remove it and write the file again";
    if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark)) {
        let help =
            "remove the marks and keep the lines of both sides, then write the file again with `--write-baseline`";
        return Err(("a merge conflict is not resolved".to_owned(), help));
    }
    let Line { file, rule, severity, kep, fingerprint } =
        serde_json::from_str(line).map_err(|error| (format!("not an entry: {}", reason(&error)), AGAIN))?;
    let severity = Severity::from_name(&severity)
        .ok_or_else(|| (format!("unknown severity `{}`", brief(&severity)), "write `error`, `warning` or `advice`"))?;
    let fingerprint = Fingerprint::parse(&fingerprint)
        .ok_or_else(|| (format!("`{}` is not a fingerprint: 16 hexadecimal digits", brief(&fingerprint)), AGAIN))?;
    let [rule, kep, file] = [rule, kep, file].map(Cow::into_owned);
    Ok((fingerprint, Entry { severity, rule, kep, file }))
}

/// What JSON's reader says, without the place in the line, which always is line 1.
fn reason(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    brief(words).into_owned()
}

fn failure(file: &Arc<SourceFile>, span: Span, line: usize, message: &str) -> Failure {
    Failure::new(format!("{}:{line}: {message}", file.path)).at(&file.path).quote(file, span)
}

/// What differs between two versions of a file, such as `adds 3 entries, removes 1`; `None` if nothing does that decides.
pub fn difference(before: &Entries, after: &Entries) -> Option<String> {
    let added = after.keys().filter(|print| !before.contains_key(print)).count();
    let removed = before.keys().filter(|print| !after.contains_key(print)).count();
    let is_raised = |print: &Fingerprint, old: &Entry| after.get(print).is_some_and(|new| new.severity > old.severity);
    let raised = before.iter().filter(|(print, old)| is_raised(print, old)).count();
    let is_other = |print: &Fingerprint, old: &Entry| {
        after.get(print).is_some_and(|new| (&new.rule, &new.kep) != (&old.rule, &old.kep))
    };
    let others = before.iter().filter(|(print, old)| is_other(print, old)).count();
    let parts = [
        (added, format!("adds {}", counted(added, "entry", "entries"))),
        (removed, format!("removes {}", counted(removed, "entry", "entries"))),
        (raised, format!("raises the severity of {}", counted(raised, "entry", "entries"))),
        (others, format!("changes the rule or KEP of {}", counted(others, "entry", "entries"))),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// The failure if a text with so many bytes would not be read again.
pub fn check_size(path: &str, text: &str) -> Result<(), Failure> {
    if text.len() as u64 <= bounds::BASELINE_BYTES {
        return Ok(());
    }
    let failure =
        Failure::of("write", path, &format!("it would have more than {}", bounds::size(bounds::BASELINE_BYTES)));
    Err(failure.help("fix some of the findings first, or write a file for each part of the tree"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(severity: Severity, file: &str) -> Entry {
        Entry { severity, rule: "dead-link".to_owned(), kep: "1".to_owned(), file: file.to_owned() }
    }

    fn entries() -> Entries {
        let print = |word: &str| Fingerprint::of([word], 0);
        let files = ["keps/sig-b/1-x/README.md", "keps/sig-a/1-x/\u{202e}\"ü\u{7f}.md", "keps/sig-a/1-x/a.md"];
        files.iter().map(|file| (print(file), entry(Severity::Warning, file))).collect()
    }

    fn refused(bytes: &[u8]) -> String {
        let file = Arc::new(SourceFile::decode("b.jsonl", bytes.to_vec()));
        let Failure { message, help, .. } = parse(&file).expect_err("it is refused");
        format!("{message} — {}", help.unwrap_or_default())
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = render(Release::CURRENT, &entries());
        assert!(text.is_ascii() && !text.contains('\u{7f}'), "{text}");
        let file = |shown: &str| Arc::new(SourceFile::decode("b.jsonl", shown.as_bytes().to_vec()));
        let read = Ok(Document { release: Some(Release::CURRENT), entries: entries() });
        assert!(is_one(&file(&text)));
        assert_eq!(parse(&file(&text)), read);
        assert_eq!(parse(&file(&text.replace('\n', "\r\n\r\n"))), read);
        assert_eq!(parse(&file(text.trim_end())), read);
        let entry = |line| serde_json::from_str::<Line<'_>>(line).expect("an entry").file.into_owned();
        let files: Vec<String> = text.lines().skip(1).map(entry).collect();
        assert!(files.is_sorted(), "{files:?}");
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_its_line() {
        let text = render(Release::CURRENT, &entries());
        let last = text.lines().last().expect("it has lines");
        for (bytes, says) in [
            ("".to_owned(), "cannot read `b.jsonl`: it is empty"),
            ("# KEP-1\n".to_owned(), "b.jsonl:1: not a baseline of kep-lint"),
            ("{\"version\": 1}\n".to_owned(), "b.jsonl:1: not a baseline of kep-lint"),
            ("{\"kep-lint-baseline\": 1}\n".to_owned(), "b.jsonl:1: not a baseline of kep-lint"),
            (text.replacen("v1", "soon", 1), "b.jsonl:1: not a baseline of kep-lint"),
            (text.replacen(":1,", ":9,", 1), "b.jsonl:1: version 9 of baselines is unknown"),
            (format!("{text}{{\"file\": \"x\"}}\n"), "b.jsonl:5: not an entry: missing field `rule` — restore"),
            (text.replacen("\"file\"", "\"more\":1,\"file\"", 1), "b.jsonl:2: not an entry: unknown field `more`"),
            (text.replacen("warning", "fatal", 1), "b.jsonl:2: unknown severity `fatal` — write `error`"),
            (text.replacen("fingerprint\":\"", "fingerprint\":\"+", 1), "is not a fingerprint"),
            (format!("{text}{last}\n"), "b.jsonl:5: line 4 has the same fingerprint — remove one of the two lines"),
            (format!("{text}<<<<<<< HEAD\n"), "b.jsonl:5: a merge conflict is not resolved"),
            (format!("{text}{{\"file\": \n"), "b.jsonl:5: not an entry: EOF while parsing a value — "),
        ] {
            let message = refused(bytes.as_bytes());
            assert!(message.contains(says), "{message}");
        }
        assert!(refused(b"{\"kep-lint-baseline\":1,\"release\":\"v1.37\"}\n\xff").contains("it is not UTF-8"));
    }

    #[test]
    fn versions_are_compared() {
        let (before, mut after) = (entries(), entries());
        assert_eq!(difference(&before, &after), None);
        after.values_mut().take(1).for_each(|entry| entry.severity = Severity::Error);
        after.values_mut().skip(1).take(1).for_each(|entry| entry.kep = "2".to_owned());
        after.pop_last();
        after.insert(Fingerprint::of(["new"], 0), entry(Severity::Advice, "x"));
        let words = "adds 1 entry, removes 1 entry, raises the severity of 1 entry, changes the rule or KEP of 1 entry";
        assert_eq!(difference(&before, &after).as_deref(), Some(words));
    }
}
