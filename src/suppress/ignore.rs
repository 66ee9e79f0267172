//! An ignore as it is written, `kep-lint-ignore RULE[, RULE]: reason`, in whatever kind of comment.

use crate::bounds;
use crate::markdown::title::Title;
use crate::span::{FileId, Span, slice};
use std::ops::Range;

pub const NAME: &str = "kep-lint";

pub const WORD: &str = "kep-lint-ignore";

pub const FILE_WORD: &str = "kep-lint-ignore-file";

/// The offset of a finding that is everywhere in its file: only ignores for the whole file cover it.
pub const EVERYWHERE: usize = usize::MAX - 1;

pub const WHOLE_FILE: Range<usize> = 0..usize::MAX;

#[derive(Clone, Debug)]
pub struct Ignore {
    pub comment: Span,
    pub kind: Kind,
    pub names: Vec<Named>,
    pub has_reason: bool,
    pub covers: Range<usize>,
    /// Whether it is in a file of the KEP's directory: not in a PRR file, which may belong to another KEP, too.
    pub is_own: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The section, block, line or key after it.
    Next,
    File,
    Unknown,
}

#[derive(Clone, Debug)]
pub struct Named {
    pub range: Range<usize>,
    pub rule: String,
    /// The key of the title of the only section whose findings it silences.
    pub title: Option<String>,
    /// The key of its title in the repository's own template, if that has another one.
    pub new_title: Option<String>,
    pub is_used: bool,
}

impl Ignore {
    /// Whether it can silence findings: without a reason it does not.
    pub fn works(&self) -> bool {
        self.has_reason && self.kind != Kind::Unknown
    }

    /// The ignore that the text `body` of a comment is, if it is one. What it covers is not known yet.
    pub(super) fn parse(file: FileId, text: &str, comment: Range<usize>, body: Range<usize>) -> Option<Self> {
        let content = slice(text, body.clone());
        let content = content.trim_start();
        let end = directive_end(content)?;
        let start = body.end - content.len();
        let word = slice(content, ..end);
        let kind = match word {
            WORD => Kind::Next,
            FILE_WORD => Kind::File,
            _ => Kind::Unknown,
        };
        let (mut names, has_reason) = names(text, start + end..body.end);
        if kind == Kind::Unknown {
            names = vec![Named::new(start..start + end, word)];
        }
        Some(Self { comment: Span::new(file, comment), kind, names, has_reason, covers: 0..0, is_own: true })
    }
}

impl Named {
    fn new(range: Range<usize>, rule: &str) -> Self {
        Self { range, rule: rule.to_owned(), title: None, new_title: None, is_used: false }
    }
}

pub fn is_one(body: &str) -> bool {
    directive_end(body.trim_start()).is_some()
}

const VERBS: [&str; 9] = ["allow", "disable", "exclude", "ignore", "noqa", "nolint", "off", "skip", "suppress"];

/// Where the directive ends that a comment begins with: `kep-lint-ignore`, `kep-lint: ignore`, `kep-lint disable`. A
/// comment that only speaks about this program has none.
fn directive_end(content: &str) -> Option<usize> {
    let rest = content.strip_prefix(NAME)?;
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    let end_of_word = |text: &str| text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    if rest.starts_with(['-', '_']) {
        return Some(NAME.len() + end_of_word(rest));
    }
    let word = rest.trim_start_matches([':', '=', ' ', '\t']);
    let first = slice(word, ..end_of_word(word));
    let is_directive = rest.starts_with(':') || VERBS.iter().any(|verb| first.starts_with(verb));
    (word.len() < rest.len() && is_directive && !first.is_empty()).then(|| content.len() - word.len() + first.len())
}

/// The names in `range` of `text` up to the colon before the reason, and whether there is a reason.
fn names(text: &str, range: Range<usize>) -> (Vec<Named>, bool) {
    const TITLE_END: &str = "\")";
    let mut names = Vec::new();
    let mut at = range.start;
    loop {
        let left = slice(text, at..range.end);
        let start = range.end - left.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',').len();
        let rest = slice(text, start..range.end);
        if rest.is_empty() || names.len() > bounds::IGNORED_NAMES {
            return (names, false);
        }
        if let Some(reason) = rest.strip_prefix(':') {
            return (names, reason.contains(char::is_alphanumeric));
        }
        let end = rest.find([',', ':', '(']).unwrap_or(rest.len());
        let quoted = slice(rest, end..).strip_prefix("(\"");
        let title = quoted.and_then(|quoted| quoted.split_once(TITLE_END)).map(|(title, _)| title);
        let rule = slice(rest, ..end).trim_end();
        if let Some(title) = title {
            let end = start + end + "(\"".len() + title.len() + TITLE_END.len();
            names.push(Named { title: Some(Title::new(title).key), ..Named::new(start..end, rule) });
            at = end;
        } else {
            let length = rest.find([',', ':']).unwrap_or(rest.len());
            let name = slice(rest, ..length).trim_end();
            names.push(Named::new(start..start + name.len(), name));
            at = start + length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind of the ignore `body`, its names as `rule` or `rule(title)`, and whether it has a reason.
    fn parsed(body: &str) -> Option<(Kind, Vec<String>, bool)> {
        let ignore = Ignore::parse(FileId(0), body, 0..body.len(), 0..body.len())?;
        let shown = |name: &Named| {
            let title = name.title.as_ref().map(|title| format!("({title})")).unwrap_or_default();
            assert!(body[name.range.clone()].starts_with(&name.rule), "{name:?}");
            format!("{}{title}", name.rule)
        };
        Some((ignore.kind, ignore.names.iter().map(shown).collect(), ignore.has_reason))
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn an_ignore_names_rules_and_says_why() {
        let next = |list: &[&str], has_reason| Some((Kind::Next, names(list), has_reason));
        assert_eq!(parsed(" kep-lint-ignore a-b: why"), next(&["a-b"], true));
        assert_eq!(parsed("kep-lint-ignore a ,b,  c-d : it: is so"), next(&["a", "b", "c-d"], true));
        assert_eq!(parsed("kep-lint-ignore\n  a,\n  b: why\n"), next(&["a", "b"], true));
        assert_eq!(parsed("kep-lint-ignore-file a: why"), Some((Kind::File, names(&["a"]), true)));
        assert_eq!(parsed("kep-lint-ignore a"), next(&["a"], false));
        assert_eq!(parsed("kep-lint-ignore a: -"), next(&["a"], false));
        assert_eq!(parsed("kep-lint-ignore: why"), next(&[], true));
        assert_eq!(parsed("kep-lint-ignore"), next(&[], false));
        assert_eq!(parsed("kep-lint-ignore a b: why"), next(&["a b"], true));
        assert_eq!(
            parsed("kep-lint-ignore-line a: why"),
            Some((Kind::Unknown, names(&["kep-lint-ignore-line"]), true))
        );
        for text in ["kep-lint-disable", "kep-lint: ignore", "kep-lint disable", "kep-lint:ignore-next-line"] {
            assert_eq!(parsed(&format!("{text} a: why")), Some((Kind::Unknown, names(&[text]), true)), "{text}");
        }
        for text in ["see kep-lint-ignore a: why", "kep-lint", "kep-lint reports this", "kep-linter: x", "kep-lint: "] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn a_title_may_have_any_punctuation() {
        let title = |text: &str| parsed(text).map(|(_, names, _)| names);
        assert_eq!(title("kep-lint-ignore a(\"Test Plan\"), b: c"), Some(names(&["a(testplan)", "b"])));
        assert_eq!(title("kep-lint-ignore a(\"What (if): x, y?\"): c"), Some(names(&["a(whatifxy)"])));
        assert_eq!(title("kep-lint-ignore a(Test), b(\"c: d\"): e"), Some(names(&["a(Test)", "b(cd)"])));
        assert_eq!(title("kep-lint-ignore a(\"Test: c"), Some(names(&["a(\"Test"])));
    }
}
