//! Fills in a template: its boxes, by what their words ask, its placeholders, and the line for action items.
//! All are found before anything is filled in, so that nothing of a KEP is taken for one.
use crate::bounds;
use crate::diagnostic::brief;
use crate::markdown::Document;
use crate::markdown::checkbox::TaskBox;
use crate::ready::calendar::schedule::Schedule;
use crate::ready::checklist::Checklist;
use crate::ready::gate::{Assessment, COMMENT_NAMES, Check, Gate};
use crate::report::markdown::text::code;
use crate::span::{line_at, slice};
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

pub struct Filler<'a> {
    pub assessment: &'a Assessment<'a>,
    pub schedule: Option<&'a Schedule>,
    /// The action items, each in Markdown that fits after `- `.
    pub items: Vec<String>,
}

pub struct Filled {
    pub sheet: Sheet,
    pub has_unknown_boxes: bool,
    /// The placeholders and boxes that are left as they are, as people are told of them.
    pub left: Vec<String>,
}

impl Filler<'_> {
    pub fn fill(&self, template: &str) -> Filled {
        let document = Document::of_text(template);
        let mut left = Vec::new();
        let mut parts: Vec<(Range<usize>, Vec<Piece>)> = Vec::new();
        for task in &document.boxes {
            let text = box_text(template, task);
            let check = asked(self.assessment.gate, text);
            if check.is_none() {
                left.push(format!("the box `{}`", brief(text)));
            }
            let is_ticked = check.is_some_and(|check| self.assessment.is_ticked(check));
            parts.push((task.span.clone(), vec![Piece::own(if is_ticked { "[x]" } else { "[ ]" })]));
        }
        let has_unknown_boxes = !left.is_empty();
        for range in placeholders(template) {
            match self.part(template, range.clone()) {
                Some(part) => parts.push(part),
                None => left.push(format!("`{}`", brief(slice(template, range)))),
            }
        }
        let mut seen = BTreeSet::new();
        left.retain(|text| seen.insert(text.clone()));
        parts.sort_by_key(|(range, _)| range.start);
        let mut sheet = Sheet::default();
        let mut done = 0;
        for (range, pieces) in parts {
            // Of two parts at one place, such as a placeholder in the brackets of a box, the first counts.
            if range.start >= done {
                sheet.push(Piece::own(slice(template, done..range.start)));
                pieces.into_iter().for_each(|piece| sheet.push(piece));
                done = range.end;
            }
        }
        sheet.push(Piece::own(slice(template, done..)));
        Filled { sheet, has_unknown_boxes, left }
    }

    /// What is written for a placeholder; `None` if that is not known, or has no room there.
    fn part(&self, template: &str, range: Range<usize>) -> Option<(Range<usize>, Vec<Piece>)> {
        let name = name_of(slice(template, range.clone()));
        let line = line_at(template, range.start);
        let before = slice(template, line.start..range.start);
        match name.as_str() {
            "enhancement owner" | "enhancement owners" => {
                let owners = owners(&self.assessment.checklist.authors);
                let is_command = before.trim_start().starts_with('/');
                (!owners.is_empty() && !is_command).then_some((range, owners))
            }
            "insert list of action items" | "list of action items" | "action items" => {
                let after = slice(template, range.end..line.end);
                let mark = list_mark(before)?;
                after.trim().is_empty().then(|| (line, self.list(&mark)))
            }
            name => Some((range, vec![Piece::Own(self.word(name)?)])),
        }
    }

    /// The action items, with `mark` before each of them.
    fn list(&self, mark: &str) -> Vec<Piece> {
        if self.items.is_empty() {
            return vec![Piece::Own(format!("{mark}nothing"))];
        }
        let indent = " ".repeat(mark.len() - mark.trim_start().len());
        let pieces = self.items.iter().enumerate().flat_map(|(index, item)| {
            let end = if index == 0 { "" } else { "\n" };
            [Piece::Own(format!("{end}{mark}")), Piece::Words(item.replace('\n', &format!("\n{indent}")))]
        });
        pieces.collect()
    }

    fn word(&self, name: &str) -> Option<String> {
        let Checklist { family, release, stage, .. } = self.assessment.checklist;
        match name {
            "current release" => Some(release.to_string()),
            "stage" => Some(stage.as_ref()?.name().to_owned()),
            "deadline" => Some(family.deadline.as_ref()?.name.clone()),
            _ => {
                let of = name.strip_suffix(" datetime")?;
                let is_one = |names: &[String]| names.iter().any(|known| known.eq_ignore_ascii_case(of));
                let moment = if of == "deadline" || is_one(&COMMENT_NAMES.deadline) {
                    self.schedule?.deadline.as_ref()
                } else {
                    self.schedule?.enhancements_freeze.as_ref().filter(|_| is_one(&COMMENT_NAMES.enhancements))
                };
                Some(moment?.written.clone())
            }
        }
    }
}

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[^{}\r\n]*\}").expect("it is well-formed"));

/// The bytes of all `{…}` that are in one line each.
fn placeholders(template: &str) -> impl Iterator<Item = Range<usize>> {
    PLACEHOLDER.find_iter(template).filter(|found| !name_of(found.as_str()).is_empty()).map(|found| found.range())
}

/// `{ PRR_FREEZE_DATETIME }` is `prr freeze datetime`.
fn name_of(placeholder: &str) -> String {
    let inner = placeholder.trim_matches(['{', '}']).to_lowercase();
    let words = inner.split(|letter: char| letter.is_whitespace() || ['_', '-'].contains(&letter));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What is before each item of a list, if this is before the first of them; `None` for other words.
fn list_mark(before: &str) -> Option<String> {
    let mark = before.trim();
    let blanks = slice(before, ..before.len() - before.trim_start().len());
    match mark {
        "-" | "*" | "+" if !blanks.contains('\t') => Some(format!("{blanks}{mark} ")),
        "" => Some("- ".to_owned()),
        _ => None,
    }
}

/// The words of a box: up to the next item, or a blank line.
fn box_text<'t>(template: &'t str, task: &TaskBox) -> &'t str {
    let rest = slice(template, task.span.end..);
    let is_end = |line: &&str| {
        let line = line.trim_start();
        let after_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')']);
        line.is_empty() || line.starts_with(['-', '*', '+', '#', '/']) || is_numbered
    };
    let mut lines = rest.split_inclusive('\n');
    let first = lines.next().unwrap_or_default().len();
    let length = first + lines.take_while(|line| !is_end(line)).map(str::len).sum::<usize>();
    slice(rest, ..length).trim()
}

/// What stands in the place of an author who is not known yet.
const NOBODY: [&str; 4] = ["tbd", "todo", "none", "n/a"];

/// The authors. Whoever has a handle is mentioned; teams, remarks and everything else are code.
fn owners(authors: &[String]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut seen = BTreeSet::new();
    let name = |author: &str| author.strip_prefix('@').unwrap_or(author).to_lowercase();
    let authors = authors.iter().map(|author| author.trim()).filter(|author| !author.is_empty());
    for (index, author) in authors.filter(|author| seen.insert(name(author))).enumerate() {
        if index == bounds::LISTED_NAMES {
            pieces.push(Piece::own(" and others"));
            break;
        }
        if index > 0 {
            pieces.push(Piece::own(", "));
        }
        pieces.push(match handle(author) {
            Some(handle) => Piece::Mention(format!("@{handle}")),
            None => Piece::Words(code(&author.chars().take(bounds::QUOTED_CHARACTERS).collect::<String>())),
        });
    }
    pieces
}

/// The handle of an author, without @, if all of the text is one.
fn handle(author: &str) -> Option<&str> {
    let name = author.strip_prefix('@').unwrap_or(author);
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_handle = name.len() <= bounds::HANDLE_BYTES && name.split('-').all(is_part);
    (is_handle && !NOBODY.contains(&name.to_lowercase().as_str())).then_some(name)
}

/// What a box with this text asks at a gate; `None` if that is not certain.
fn asked(gate: Gate, text: &str) -> Option<&'static Check> {
    let words = words(&TARGET.replace_all(text, " "));
    let mut known = gate.checks().iter().filter(|check| is_asked(check, &words));
    let first = known.next()?;
    known.next().is_none().then_some(first)
}

/// Whether words ask for a check. One that is not known may ask for something else.
fn is_asked(check: &Check, words: &[String]) -> bool {
    let Check { keys, words: others, .. } = check;
    let has_keys = keys.iter().all(|keys| words.iter().any(|word| keys.contains(word)));
    let is_key = |word: &String| keys.iter().any(|keys| keys.contains(word));
    let is_known = |word: &String| {
        let mut known = COMMENT_NAMES.any_words.split(' ').chain(others.split(' '));
        is_key(word) || known.any(|known| known == word)
    };
    has_keys && words.iter().all(is_known)
}

/// The words of a text, in lower case. Those of a name in code, such as `latest-milestone`, stay together.
fn words(text: &str) -> Vec<String> {
    let is_apart = |letter: char| !(letter.is_alphanumeric() || "-./'{}".contains(letter));
    let lower = text.to_lowercase().replace('’', "'");
    let trimmed = lower.split(is_apart).map(|word| word.trim_matches(['-', '.', '/', '\'']));
    // What is filled in is neither known nor unknown.
    let words = trimmed.filter(|word| !word.is_empty() && !word.contains(['{', '}']));
    let is_release = |word: &str| word.strip_prefix("v1.").is_some_and(|minor| minor.parse::<u32>().is_ok());
    words.filter(|word| !is_release(word)).map(str::to_owned).collect()
}

/// The targets of links, and placeholders.
static TARGET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\]\([^)]*\)|\{[^}]*\}").expect("it is well-formed"));

/// A comment while it is written, with the places of what is not from the template. In the end it makes sure that words of a KEP
/// are only words: in code, or letters that mean nothing; that no line begins with them; and that no command has a part of them.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    text: String,
    words: Vec<Range<usize>>,
    mentions: Vec<Range<usize>>,
}

pub enum Piece {
    /// Text of the template, or of kep-lint itself.
    Own(String),
    /// Markdown that has words of a KEP, all of them escaped.
    Words(String),
    /// An author who is to be told.
    Mention(String),
}

impl Piece {
    pub fn own(text: &str) -> Self {
        Self::Own(text.to_owned())
    }
}

impl Sheet {
    pub fn push(&mut self, piece: Piece) {
        let start = self.text.len();
        let (Piece::Own(text) | Piece::Words(text) | Piece::Mention(text)) = &piece;
        self.text += text;
        let range = start..self.text.len();
        match piece {
            Piece::Own(_) => {}
            Piece::Words(_) => self.words.push(range),
            Piece::Mention(_) => self.mentions.push(range),
        }
    }

    /// The comment; or why it cannot be written, such as that words of a KEP would be more than words there.
    pub fn finish(self) -> Result<String, &'static str> {
        if self.text.chars().count() > bounds::COMMENT_CHARACTERS {
            return Err("it is too long for a comment");
        }
        let document = Document::of_text(&self.text);
        let is_word = |range: &Range<usize>| {
            slice(&self.text, range.clone()).char_indices().all(|(at, letter)| {
                let at = range.start + at;
                let is_in_code = || !document.is_comment(at) && document.code_around(at).is_some();
                is_harmless(letter) || is_in_code()
            })
        };
        let is_safe = self.words.iter().all(is_word) && self.lines_are_safe() && self.mentions_are_safe();
        if is_safe { Ok(self.text) } else { Err("text of the KEP would be more than text in this template") }
    }

    /// No line of words begins a command, and no command has any.
    fn lines_are_safe(&self) -> bool {
        let mut start = 0;
        self.text.split_inclusive(['\n', '\r']).all(|line| {
            let range = start..start + line.len();
            start = range.end;
            let has_words =
                self.words.iter().chain(&self.mentions).any(|words| words.start < range.end && range.start < words.end);
            !(has_words && without_marks(line).starts_with('/'))
        })
    }

    /// A mention ends where its handle ends.
    fn mentions_are_safe(&self) -> bool {
        let is_of_name = |letter: char| letter.is_alphanumeric() || "-_/@".contains(letter);
        self.mentions.iter().all(|mention| {
            let before = slice(&self.text, ..mention.start).chars().next_back();
            let after = slice(&self.text, mention.end..).chars().next();
            !before.is_some_and(is_of_name) && !after.is_some_and(is_of_name)
        })
    }
}

/// Whether a letter means nothing in Markdown, as far as it is not a part of a word that does.
fn is_harmless(letter: char) -> bool {
    letter.is_alphanumeric() || !letter.is_ascii() || letter.is_ascii_whitespace() || ".,;:'\"()/+=?-".contains(letter)
}

/// A line without its blanks, and without the marks of quotes, lists and boxes.
fn without_marks(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let number = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mark = if number.len() < rest.len() && number.starts_with(['.', ')']) { number } else { rest };
        let after = mark.strip_prefix(['>', '-', '*', '+', '.', ')']);
        let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|boxed| rest.strip_prefix(boxed));
        match after.or(boxed) {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_read_in_any_spelling() {
        let text = "a {b} { C_D } {e\nf} {{ g }} {} { } }{ h";
        let names: Vec<String> = placeholders(text).map(|range| name_of(slice(text, range))).collect();
        assert_eq!(names, ["b", "c d", "g"]);
    }

    #[test]
    fn a_box_ends_with_its_item() {
        let text = "- [ ] a\n  b\n- [x] c\n\nd\n* [x] e\n/label f\n1. [ ] g\n2. h\n";
        let document = Document::of_text(text);
        let texts: Vec<&str> = document.boxes.iter().map(|task| box_text(text, task)).collect();
        assert_eq!(texts, ["a\n  b", "c", "e", "g"]);
    }

    #[test]
    fn items_take_a_line_of_their_own() {
        assert_eq!(list_mark("  - ").as_deref(), Some("  - "));
        assert_eq!((list_mark("").as_deref(), list_mark("1. "), list_mark("/cc ")), (Some("- "), None, None));
    }

    fn shown(authors: &[&str]) -> String {
        let authors: Vec<String> = authors.iter().map(|author| (*author).to_owned()).collect();
        let mut sheet = Sheet::default();
        owners(&authors).into_iter().for_each(|piece| sheet.push(piece));
        sheet.finish().expect("it is safe")
    }

    #[test]
    fn only_handles_are_mentioned() {
        assert_eq!(shown(&["@Ann-1", "bob", " @ann-1 ", ""]), "@Ann-1, @bob");
        for author in [
            "@kubernetes/sig-node-leads",
            "@a\n/lgtm",
            "@ann (API)",
            "@jane.doe",
            "-->",
            "/label x",
            "@-a",
            "@a--b",
            "@a_b",
            "TBD",
            "@@ann",
            "@é",
        ] {
            assert_eq!(shown(&[author]), code(author), "{author}");
        }
        assert_eq!(shown(&["@a\n/lgtm", "`"]), "`@a /lgtm`, `` ` ``");
        assert_eq!(shown(&[&"a".repeat(40)]), format!("`{}`", "a".repeat(40)));
        let many: Vec<String> = (0..1000).map(|number| format!("a{number}")).collect();
        assert_eq!(
            shown(&many.iter().map(String::as_str).collect::<Vec<_>>()).matches('@').count(),
            bounds::LISTED_NAMES
        );
    }

    #[test]
    fn boxes_are_known_by_their_words() {
        for (gate, text, expected) in [
            (
                Gate::DEADLINE,
                "An open or merged PR has the PRR questionnaire filled in for the target stage",
                Some("questions"),
            ),
            (
                Gate::DEADLINE,
                "PR with [kep.yaml](https://x/questionnaire) updated with the `stage` and `milestone`",
                Some("latest-milestone"),
            ),
            (Gate::DEADLINE, "A PRR file that lists an approver for the stage", Some("prr")),
            (Gate::DEADLINE, "PR open or merged with the PRR questionnaire **not** filled out", None),
            (Gate::DEADLINE, "The readme lists graduation criteria.", None),
            (Gate::ENHANCEMENTS, "The readme lists graduation criteria.", Some("graduation")),
            (
                Gate::ENHANCEMENTS,
                "KEP readme has graduation criteria, e2e tests, a docs PR and a blog placeholder",
                None,
            ),
            (Gate::ENHANCEMENTS, "There are outstanding PRs that modify the KEP readme", None),
            (Gate::ENHANCEMENTS, "No open pull request changes README or kep.yaml", Some("pulls")),
            (Gate::ENHANCEMENTS, "KEP status isn't `implementable` for `latest-milestone`", None),
            (Gate::ENHANCEMENTS, "KEP status is `implementable` for `latest-milestone: { X }`", Some("metadata")),
            (Gate::ENHANCEMENTS, "The docs PR is open", None),
            (Gate::ENHANCEMENTS, "There are no PRs that modify the API", None),
            (Gate::ENHANCEMENTS, "KEP readme has up-to-date graduation criteria and test plan", None),
            (Gate::DEADLINE, "PRR questionnaire has been approved by the PRR team", None),
            (Gate::DEADLINE, "kep.yaml has stage, milestone and reviewers", None),
            (Gate::ENHANCEMENTS, "", None),
            (Gate::ENHANCEMENTS, "PRR assigned to an approver, completed and merged", None),
        ] {
            let item = asked(gate, text).and_then(|check| check.items.first()).map(String::as_str);
            assert_eq!(item, expected, "{text}");
        }
    }

    fn finished(before: &str, words: &str, after: &str) -> bool {
        let mut sheet = Sheet::default();
        sheet.push(Piece::own(before));
        sheet.push(Piece::Words(words.to_owned()));
        sheet.push(Piece::own(after));
        sheet.finish().is_ok()
    }

    #[test]
    fn words_stay_words_wherever_they_are() {
        assert!(finished("a ", "`@b`, c", " d\n/label e\n"));
        assert!(finished("- ", "a:\n\n  ```yaml\n  @b: <c>\n  ```", "\n"));
        for (before, words, after) in [
            ("a ", "@b", ""),
            ("a ` ", "`@b`", ""),
            ("<!-- ", "`-->`", " -->"),
            ("<details>\n", "`<!--`", "\n</details>"),
            ("", "/a", ""),
            ("- > 1. [x] ", "/a", ""),
            ("/label ", "a", ""),
            ("/label ", "`a`", "\n"),
            ("a\r", "/b", ""),
        ] {
            assert!(!finished(before, words, after), "{before}{words}{after}");
        }
    }

    #[test]
    fn a_mention_is_only_of_its_handle() {
        let mentions = |before: &str, after: &str| {
            let mut sheet = Sheet::default();
            sheet.push(Piece::own(before));
            sheet.push(Piece::Mention("@ann".to_owned()));
            sheet.push(Piece::own(after));
            sheet.finish().is_ok()
        };
        assert!(mentions("Hello ", ", @bob") && mentions("", "!"));
        for (before, after) in [("Hello ", "/team"), ("Hello ", "-x"), ("Hello", ""), ("@", ""), ("/assign ", "")] {
            assert!(!mentions(before, after), "{before}@ann{after}");
        }
    }
}
