//! `<!--DIRECTIVE: required: true, stage: beta-->`: a comment under a heading that says when the section is required.
//!
//! The keys, in any order and separated by commas: `required: true|false`,
//! `stage: alpha|beta|stable|ga|deprecated|disabled|removed`, `since: v1.NN`,
//! `severity: error|warning|suggestion`,
//! `role: signoff|test-plan|…`, `strict: true|false`, and any number of `aka: "former title"` and `similar: "title that may be meant"`.

use super::role::SectionRole;
use crate::diagnostic::{Fix, Safety, Severity, brief};
use crate::kep::layout::forms::Rank;
use crate::markdown::Document;
use crate::markdown::comment::{Comment, is_unclosed_directive};
use crate::markdown::section::SectionId;
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage};
use crate::suggest;
use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directive {
    pub span: Span,
    pub required: bool,
    pub strict: bool,
    pub stage: Option<Stage>,
    /// Whether another project's configuration allows that it is missing, but not that it is empty.
    pub is_optional: bool,
    /// The status from which on another project's template asks for it.
    pub from: Option<Rank>,
    /// Required in KEPs with a milestone of this release or later; `None`: in all.
    pub since: Option<Release>,
    /// The highest severity of a finding about a gap; `None`: no limit.
    pub severity: Option<Severity>,
    pub role: Option<SectionRole>,
    pub aka: Vec<String>,
    /// Titles that may be meant for the section: suggested if it is missing.
    pub similar: Vec<String>,
}

impl Directive {
    /// For a heading at `span` without a directive, which KEPs are asked for.
    pub fn asking(span: Span) -> Self {
        Self { required: true, severity: Some(Severity::Advice), span, ..Self::default() }
    }

    pub fn is_required(&self) -> bool {
        self.required && !self.strict && !self.is_optional
    }

    pub fn written(&self) -> String {
        let Self { span: _, required, strict, stage, is_optional: _, from: _, since, severity, role, aka, similar } =
            self;
        let mut fields = vec![format!("required: {required}")];
        fields.extend(strict.then(|| "strict: true".to_owned()));
        fields.extend(stage.map(|stage| format!("stage: {stage}")));
        fields.extend(since.map(|since| format!("since: {since}")));
        fields.extend(severity.map(|severity| format!("severity: {}", severity.name())));
        fields.extend(role.map(|role| format!("role: {}", role.name())));
        fields.extend(aka.iter().map(|title| format!("aka: \"{title}\"")));
        fields.extend(similar.iter().map(|title| format!("similar: \"{title}\"")));
        format!("<!--DIRECTIVE: {}-->", fields.join(", "))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub span: Span,
    pub message: String,
    pub help: String,
    pub fix: Option<Fix>,
}

const KEYS: [&str; 8] = ["required", "strict", "stage", "since", "severity", "role", "aka", "similar"];

const LISTS: [&str; 2] = ["aka", "similar"];

/// Every directive of a document with its section, and the problems of the directives.
pub fn collect(document: &Document) -> (Vec<(SectionId, Directive)>, Vec<Problem>) {
    let mut directives: Vec<(SectionId, Directive)> = Vec::new();
    let mut problems = Vec::new();
    for comment in &document.comments {
        let Some(Parser { directive, problems: more, .. }) = read(document.file, comment, document.text()) else {
            continue;
        };
        problems.extend(more);
        let span = directive.span;
        let section = document.sections.at(comment.span.start);
        let mut misplaced = |message: &str, help: &str| {
            problems.push(Problem { span, message: message.to_owned(), help: help.to_owned(), fix: None });
        };
        match section {
            None => misplaced("directive before the first heading", "move it under its heading"),
            // Comments come in order, and so do their sections.
            Some(section) if directives.last().is_some_and(|(last, _)| *last == section) => {
                misplaced("duplicate directive in this section", "keep one directive per heading");
            }
            Some(section) => directives.push((section, directive)),
        }
    }
    (directives, problems)
}

fn read(file: FileId, comment: &Comment, text: &str) -> Option<Parser> {
    let body = comment.body(text);
    let start = comment.span.start + "<!--".len();
    let content = body.trim_start().strip_prefix("DIRECTIVE")?;
    let span = Span::new(file, comment.span.clone());
    let directive = Directive { span, ..Directive::default() };
    let mut parser = Parser { file, offset: start + body.len() - content.len(), directive, problems: Vec::new() };
    let source = text.get(comment.span.clone()).unwrap_or_default();
    let content = if is_unclosed_directive(source) {
        let fields = content.trim_end().trim_end_matches(['-', '>', ' ']);
        let closer = comment.span.end - (content.trim_end().len() - fields.len())..comment.span.end;
        let fix = Fix::write(Safety::Safe, "close the comment with `-->`", Span::new(file, closer), "-->");
        parser.problems.push(Problem {
            span,
            message: "directive is closed by `>`, so the comment stays open".to_owned(),
            help: "close it with `-->`".to_owned(),
            // A comment of several lines may contain the rest of the document, so its intended end is not known.
            fix: (!source.contains('\n')).then_some(fix),
        });
        fields
    } else {
        content
    };
    match content.trim_start().strip_prefix(':') {
        Some(fields) => parser.read_fields(fields, content.len() - fields.len()),
        None => {
            let at = start + body.len() - body.trim_start().len();
            parser.problem(at..at + "DIRECTIVE".len(), "missing colon after `DIRECTIVE`", "write `DIRECTIVE:`");
        }
    }
    Some(parser)
}

struct Parser {
    file: FileId,
    offset: usize,
    directive: Directive,
    problems: Vec<Problem>,
}

impl Parser {
    fn problem(&mut self, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let span = Span::new(self.file, range);
        self.problems.push(Problem { span, message: message.into(), help: help.into(), fix: None });
    }

    fn read_fields(&mut self, fields: &str, from: usize) {
        let base = self.offset + from;
        let mut seen: Vec<&str> = Vec::new();
        let (mut next, mut is_quoted) = (base, false);
        let is_end = |letter: char| {
            is_quoted ^= letter == '"';
            letter == ',' && !is_quoted
        };
        for field in fields.split(is_end) {
            let at = next + field.len() - field.trim_start().len();
            next += field.len() + ','.len_utf8();
            let source = field.trim();
            let (key, value) = source.split_once(':').unwrap_or((source, ""));
            let value_at = at + source.len() - value.trim_start().len();
            let (key, value) = (key.trim_end(), value.trim());
            let key_range = at..at + key.len();
            if key.is_empty() {
                self.problem(base..base + fields.len(), "empty field in directive", "write `required: true`");
            } else if !KEYS.contains(&key) {
                let help = suggest::help(key, &KEYS);
                self.problem(key_range, format!("unknown key `{}` in directive", brief(key)), help);
            } else if !LISTS.contains(&key) && seen.contains(&key) {
                self.problem(key_range, format!("duplicate key `{key}` in directive"), "keep one of them");
            } else {
                self.read_value(key, value, value_at..value_at + value.len(), key_range);
            }
            if KEYS.contains(&key) && !seen.contains(&key) {
                seen.push(key);
            }
        }
        if !seen.contains(&"required") && self.problems.is_empty() {
            let range = self.directive.span.range();
            self.problem(range, "missing key `required` in directive", "add `required: true`");
        }
    }

    fn read_value(&mut self, key: &str, value: &str, range: Range<usize>, key_range: Range<usize>) {
        let choices: Vec<&str> = match key {
            "required" | "strict" => vec!["true", "false"],
            "stage" => Stage::words().collect(),
            "severity" => Severity::ALL.iter().rev().map(|severity| severity.name()).collect(),
            "role" => SectionRole::names().collect(),
            _ => Vec::new(),
        };
        if value.is_empty() {
            return self.problem(key_range, format!("key `{key}` has no value"), "add a value after the colon");
        }
        if !choices.is_empty() && !choices.contains(&value) {
            let help = suggest::help(value, &choices);
            return self.problem(range, format!("unknown value `{}` for `{key}`", brief(value)), help);
        }
        match key {
            "required" => self.directive.required = value == "true",
            "strict" => self.directive.strict = value == "true",
            "stage" => self.directive.stage = Stage::from_word(value),
            "severity" => self.directive.severity = Severity::from_name(value),
            "role" => self.directive.role = SectionRole::from_name(value),
            "since" => match Release::parse(value) {
                Some(release) if value.starts_with('v') => self.directive.since = Some(release),
                _ => self.problem(range, format!("`{}` is not a valid release", brief(value)), "write it as `v1.25`"),
            },
            _ => match value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
                Some(title) if !title.trim().is_empty() && key == "aka" => self.directive.aka.push(title.to_owned()),
                Some(title) if !title.trim().is_empty() => self.directive.similar.push(title.to_owned()),
                _ if key == "aka" => {
                    self.problem(range, "former title is not in quotes", "write it as `aka: \"former title\"`");
                }
                _ => self.problem(range, "similar title is not in quotes", "write it as `similar: \"title\"`"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::QUOTED_CHARACTERS;

    fn messages(text: &str) -> Vec<String> {
        let document = Document::of_text(text);
        collect(&document).1.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn a_duplicate_key_is_reported_beside_unknown_keys() {
        let found =
            messages("# A\n<!--DIRECTIVE: x: y, required: true, x: y, required: false, aka: \"b\", aka: \"c\"-->\n");
        assert_eq!(
            found,
            ["unknown key `x` in directive", "unknown key `x` in directive", "duplicate key `required` in directive"]
        );
    }

    #[test]
    fn a_section_has_one_directive() {
        let own = "<!--DIRECTIVE: required: true-->\n";
        assert_eq!(messages(&format!("# A\n{own}\n## B\n{own}")), Vec::<String>::new());
        assert_eq!(messages(&format!("# A\n{own}\n{own}\n## B\n{own}")), ["duplicate directive in this section"]);
    }

    #[test]
    fn quotes_are_cut_and_have_no_line_breaks() {
        let long = "words\n".repeat(100);
        for field in [format!("required: {long}"), format!("{long}: x"), format!("since: {long}")] {
            for message in messages(&format!("# A\n<!--DIRECTIVE: {field}-->\n")) {
                assert!(message.chars().count() < QUOTED_CHARACTERS + 60 && !message.contains('\n'), "{message}");
            }
        }
    }
}
