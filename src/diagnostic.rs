//! What a rule reports about a KEP: plain data, created by rules, filtered by the run, printed by the
//! reports.

#![warn(missing_docs)]

pub mod script;
pub mod subject;

use self::script::Script;
use self::subject::{Fingerprint, Subject};
use crate::bounds;
use crate::source::SourceFile;
use crate::span::{Span, slice};
use crate::stage::{Release, Stage};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How severe a finding is, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; no action required.
    #[default]
    Advice,
    /// A reviewer would ask for it.
    Warning,
    /// A maintainer would want it fixed.
    Error,
}

/// What a suggestion was called before it had its name in options.
pub const FORMER_NAME: &str = "advice";

impl Severity {
    /// In ascending order.
    pub const ALL: [Self; 3] = [Self::Advice, Self::Warning, Self::Error];

    /// Its name in reports, directives and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Advice => "suggestion",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Parses [`Severity::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }

    /// The same for an option or the configuration, where version 0.1 also accepts what the lowest one was
    /// called before.
    pub fn from_option(name: &str) -> Option<Self> {
        if name == FORMER_NAME { Some(Self::Advice) } else { Self::from_name(name) }
    }
}

/// `text` as messages quote it: on one line, with a `?` for each other control character as reports show it, and cut after
/// [`bounds::QUOTED_CHARACTERS`] characters.
pub fn brief(text: &str) -> Cow<'_, str> {
    let cut = text.char_indices().nth(bounds::QUOTED_CHARACTERS).map(|(at, _)| at);
    let kept = slice(text, ..cut.unwrap_or(text.len()));
    let is_break = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '\u{2028}' | '\u{2029}');
    let is_replaced = |letter: char| letter != ' ' && (letter.is_control() || is_break(letter));
    if cut.is_none() && !kept.contains(is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut brief = kept.replace("\r\n", " ").replace(is_break, " ").replace(char::is_control, "?");
    brief.push_str(if cut.is_some() { "…" } else { "" });
    Cow::Owned(brief)
}

/// The text as code in a message, which may have code in it.
pub fn quoted(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// One finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The name of the rule that found it.
    pub rule: &'static str,
    /// How severe it is, after phase, directive and options are applied.
    pub severity: Severity,
    /// The smallest part to change; for something missing, the heading it belongs under.
    pub span: Span,
    /// What is wrong with this KEP, in one clause.
    pub message: String,
    /// What to do about it, beginning with a verb.
    pub help: Option<String>,
    /// The section it is about: the titles in the template from the outermost section to this one, without
    /// the H1.
    pub section: Option<Vec<String>>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// The change that fixes it, if one is known.
    pub fix: Option<Fix>,
    /// How many findings it represents: 1, or all findings of a rule in a file beyond those that are listed.
    pub count: usize,
    /// The script of kubernetes/enhancements that fails because of it, whatever its severity here.
    pub upstream: Option<Script>,
    /// Whether kep.yaml cannot be read because of it: an ignore of it would hide the KEP's status, and so
    /// other findings.
    pub hides_status: bool,
    /// The rule that says it better: it is left out where that one has a finding about the same KEP.
    pub yields_to: Option<&'static str>,
    /// Why the section that it reports as missing or empty is required.
    pub requirement: Option<RequiredFrom>,
    /// What it is about.
    pub subject: Subject,
    /// What it is about, if that is several things, of which each can be fixed alone.
    pub covers: Vec<Subject>,
    /// What it has in common with other findings of its rule in the file, if people read of all of them at once.
    pub alike: Option<Subject>,
    /// Whether a level that the configuration has for the rule may be higher than its severity.
    pub can_be_raised: bool,
    /// The rule that reports its cause: where that rule runs, this finding is left out.
    pub unless: Option<&'static str>,
    /// Identifies it; `None` until all findings of the KEP are known.
    pub fingerprint: Option<Fingerprint>,
    /// The fingerprints that findings about each of the things it covers alone would have.
    pub covered: Vec<Fingerprint>,
}

impl Diagnostic {
    /// A finding without details.
    pub fn new(rule: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self { rule, severity, span, message: message.into(), count: 1, ..Self::default() }
    }

    /// Its sentences.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let related = self.related.iter_mut().map(|related| &mut related.message);
        let fix = self.fix.as_mut().map(|fix| &mut fix.title);
        [&mut self.message].into_iter().chain(self.help.as_mut()).chain(related).chain(fix)
    }

    /// A finding of a rule, whose name and severity it gets when it is reported.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Self::new("", Severity::Error, span, message)
    }

    /// Says what to do about it, beginning with a verb.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(crate) fn subject(self, subject: Subject) -> Self {
        Self { subject, ..self }
    }

    /// Says which things it is about, if those are several.
    pub(crate) fn covers(self, covers: Vec<Subject>) -> Self {
        Self { covers, ..self }
    }

    /// Says what it has in common with findings that are told together with it, if there is something.
    pub(crate) fn alike<'c>(self, cause: impl Into<Option<&'c str>>) -> Self {
        Self { alike: cause.into().map(|cause| Subject::named([cause])), ..self }
    }

    pub(crate) fn unless(self, rule: impl Into<Option<&'static str>>) -> Self {
        Self { unless: rule.into(), ..self }
    }

    pub(crate) fn section(self, path: Vec<String>) -> Self {
        Self { section: Some(path), ..self }
    }

    /// Says that it is about a section of the template as a whole.
    pub(crate) fn of_section(self, path: Vec<String>) -> Self {
        self.subject(Subject::named(&path)).section(path)
    }

    /// Names the script of kubernetes/enhancements that fails because of it, if one does.
    pub(crate) fn upstream(self, script: impl Into<Option<Script>>) -> Self {
        Self { upstream: script.into(), ..self }
    }

    /// Leaves it to another rule, if that one has a finding about the same KEP.
    pub(crate) fn yields_to(self, rule: impl Into<Option<&'static str>>) -> Self {
        Self { yields_to: rule.into(), ..self }
    }

    /// Offers a change that fixes it, if there is one.
    pub(crate) fn fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }

    /// Offers the only change that fixes it, which needs review: to write `text` at `span`.
    pub(crate) fn replacement(self, help: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.edits(format!("write `{}`", brief(&text)), vec![Edit { span, text }]).help(help)
    }

    /// Offers edits that need review, and says so in its help.
    pub(crate) fn edits(self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        let title = title.into();
        self.help(title.clone()).fix(Fix { safety: Safety::Unsafe, title, edits })
    }

    /// Lowers the severity to `limit`, if it is higher.
    pub(crate) fn at_most(self, limit: Severity) -> Self {
        Self { severity: self.severity.min(limit), ..self }
    }

    /// Adds a place that explains it, if there is one.
    pub(crate) fn related(mut self, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        self.related.extend(span.into().map(|span| Related { span, message: message.into() }));
        self
    }

    /// Adds other places of the same file that it is about; only the first of many.
    pub(crate) fn related_others<'r>(
        mut self,
        others: impl IntoIterator<Item = &'r Range<usize>>,
        message: &str,
    ) -> Self {
        for other in others.into_iter().take(bounds::RELATED_PLACES) {
            self.relate(Span::new(self.span.file, other.clone()), message);
        }
        self
    }

    /// The fingerprints of all that it stands for, to compare two runs: what one finding covers in one run
    /// may be several findings in the other. It is new if the other run has no finding that stands for one
    /// of them.
    pub fn stands_for(&self) -> &[Fingerprint] {
        if self.covered.is_empty() { self.fingerprint.as_slice() } else { &self.covered }
    }

    /// Every place that it refers to: its own, the related ones, and those of its edits.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        let related = self.related.iter().map(|related| related.span);
        let edits = self.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        std::iter::once(self.span).chain(related).chain(edits)
    }

    /// Adds a place that explains the finding.
    pub fn relate(&mut self, span: Span, message: impl Into<String>) {
        self.related.push(Related { span, message: message.into() });
    }
}

/// From which stage on a section is required, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredFrom {
    /// The first stage; `None`: always.
    pub stage: Option<Stage>,
    /// The first release whose KEPs must have it; `None`: all releases.
    pub since: Option<Release>,
}

/// A place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// Whether a fix needs review; the safest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// Keeps what the author meant; may be applied without review.
    Safe,
    /// Probably what the author meant; needs review.
    Unsafe,
}

impl Safety {
    /// Its name in reports and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Whether it needs review.
    pub safety: Safety,
    /// What it does, beginning with a verb.
    pub title: String,
    /// The changes, in no order, none overlapping another.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Writes `text` at `span`, and nothing else.
    pub(crate) fn write(safety: Safety, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Self { safety, title: title.into(), edits: vec![Edit { span, text: text.into() }] }
    }
}

/// One replacement on the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// Something that could not be done, so that a KEP was not checked completely.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The file or directory, if it is about one.
    pub path: Option<String>,
    /// The operation, its object and the reason.
    pub message: String,
    /// What the user can do, beginning with a verb.
    pub help: Option<String>,
    /// What it is about in a file.
    pub quote: Option<Quote>,
}

impl Failure {
    /// `message` names the operation and its object.
    pub fn new(message: impl Into<String>) -> Self {
        Self { path: None, message: message.into(), help: None, quote: None }
    }

    /// The same failure, which is about the file or directory at `path`.
    #[must_use]
    pub fn at(self, path: impl AsRef<Path>) -> Self {
        Self { path: Some(path.as_ref().to_string_lossy().into_owned()), ..self }
    }

    /// An operation on `path` that failed, or was not tried, because of `reason`.
    pub fn of(operation: &str, path: impl AsRef<Path>, reason: &str) -> Self {
        let path = path.as_ref();
        let message = format!("cannot {operation} {}: {reason}", named(path));
        Self::new(message).at(path)
    }

    /// Adds what it is about in a file.
    #[must_use]
    pub fn quote(self, file: &Arc<SourceFile>, span: Span) -> Self {
        Self { quote: Some(Quote { file: Arc::clone(file), span }), ..self }
    }

    /// The message for a text that is published; see [`public`].
    pub fn public_message(&self) -> String {
        self.path.as_deref().map_or_else(|| self.message.clone(), |path| self.message.replace(path, public(path)))
    }

    /// Adds what the user can do, beginning with a verb.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// What a failure is about: a part of a file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The part, in bytes.
    pub span: Span,
}

/// A count and the word for what is counted: `1 file`, `2 files`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Words of kep-lint as the beginning of a sentence.
pub fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// A path in backticks; a long one without its beginning.
pub fn named(path: &Path) -> String {
    let path = path.to_string_lossy();
    match path.char_indices().rev().nth(bounds::PATH_CHARACTERS) {
        Some((at, _)) => format!("`…{}`", path.get(at..).unwrap_or_default()),
        None => format!("`{path}`"),
    }
}

/// A path for a text that is published. Where somebody's files are is nobody's business: of a path that
/// tells it, this is what is from `keps` on, or the name of the file.
pub fn public(path: &str) -> &str {
    if !Path::new(path).is_absolute() && !path.starts_with("..") {
        return path;
    }
    let name = Path::new(path).file_name().and_then(OsStr::to_str);
    path.find("/keps/").and_then(|at| path.get(at + 1..)).or(name).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(brief("v1.37"), "v1.37");
        assert_eq!(brief("a\r\nb\nc\td\u{1b}\u{2028}e\u{7f}"), "a b c d? e?");
        let long = "é".repeat(bounds::QUOTED_CHARACTERS);
        assert_eq!(brief(&long), long);
        assert_eq!(brief(&format!("{long}x")), format!("{long}…"));
    }

    #[test]
    fn a_long_path_is_cut() {
        assert_eq!(named(Path::new("keps/x")), "`keps/x`");
        let long = named(&Path::new(&"d/".repeat(2_000)).join("é.md"));
        assert!(long.starts_with("`…") && long.ends_with("/é.md`") && long.chars().count() < 310, "{long}");
    }
}
