//! kep.yaml is not valid YAML.
//!
//! ## Why
//!
//! Upstream's tools stop at the first such file. kep-lint uses what it can read of the file, and lints the README
//! anyway. Upstream's tools also treat any line that contains `---` as a delimiter, and read only the lines between the
//! first two delimiters. They reject lines longer than 65,535 bytes.
//!
//! A syntax error cannot be ignored: the status of the KEP may not be known because of it.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! authors:
//!   - @alice
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! authors:
//!   - "@alice"
//! ```

use crate::kep::odd;
use crate::kep::schema::{Key, PROPOSAL, Shape};
use crate::rules::prelude::*;
use crate::span::is_odd_space;

pub const RULE: Rule = Rule {
    name: "invalid-yaml",
    summary: "kep.yaml is not valid YAML",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Safe),
    reveals: true,
    upstream: &[Script::Metadata],
    docs: docs!("invalid_yaml.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let source = ctx.kep.texts.file(metadata.file);
    for problem in &metadata.tree.problems {
        let mut finding = of_problem(problem, &source.text).upstream(Script::Metadata);
        finding.hides_status = true;
        let line = slice(&source.text, problem.span.range());
        // `status: **provisional**|implementable` begins like an alias.
        if let Some((key, value)) = line_around(&source.text, problem.span.start).split_once(':')
            && is_template_value(key, &value.replace('*', ""))
        {
            finding.message = format!("`{key}` is still the list of the template");
            finding.help = Some(format!("write this KEP's `{key}`"));
        }
        let list = items(problem, &source.text);
        if let Some((key, items)) = &list {
            finding.help = Some(format!("write `{key}: {}`", brief(items)));
        }
        let before = slice(&source.text, ..problem.span.start).trim_end_matches([' ', '\t']);
        let is_item = before.ends_with(['-', '[', ',']);
        if let [first, _, ..] = names::people(line).as_slice()
            && is_item
        {
            finding.help = Some(format!("write one person per item, in quotes: `\"{}\"`", brief(first)));
        }
        let list = list.map_or(format!("\"{line}\""), |(_, items)| items);
        // One habit, such as names without quotes, is many mistakes.
        finding = finding.alike(Some(problem.message.as_str()).filter(|_| is_item || line.starts_with("* ")));
        finding.fix = quotes(problem, line, list).or_else(|| space(problem, line));
        out.report(finding);
    }
    if let Some(line) = &metadata.front_matter.long_line {
        let message = front_matter::long_line_message(&source.text, line);
        let finding = Diagnostic::at(Span::new(metadata.file, line.clone()), message)
            .help("break the line")
            .upstream(Script::Metadata)
            .subject(Subject::named(["long line", slice(&source.text, line.clone())]));
        out.report(finding);
    }
    check_cut(ctx, metadata, out);
}

fn check_cut(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(delimiter) = &metadata.front_matter.cut else { return };
    let source = ctx.kep.texts.file(metadata.file);
    let read = slice(&source.text, metadata.front_matter.read.clone()).trim_end();
    let first = source.position(metadata.front_matter.read.start).line;
    let what = match read.lines().count() {
        0 => "nothing of this file".to_owned(),
        1 => format!("only line {first}"),
        count => format!("only lines {first} to {}", first + count - 1),
    };
    let message = format!("upstream reads {what}: it treats any line with `---` as a delimiter");
    let has_lost_keys = metadata.has_lost_keys();
    let finding = Diagnostic::at(Span::new(metadata.file, delimiter.clone()), message)
        .help("remove the `---`")
        .at_most(if has_lost_keys { Severity::Error } else { Severity::Warning })
        .upstream(has_lost_keys.then_some(Script::Metadata))
        .subject(Subject::near(line_around(&source.text, delimiter.start)));
    out.report(Diagnostic { hides_status: has_lost_keys && metadata.status.is_none(), ..finding });
}

/// The key of a list whose value is names on the same line, and those as a list.
fn items<'t>(problem: &Problem, text: &'t str) -> Option<(&'t str, String)> {
    let before = slice(text, ..problem.span.start).trim_end_matches([' ', '\t']).strip_suffix(':')?;
    let key = slice(before, last_line_start(before)..);
    let is_list = |known: &Key| known.name == key && matches!(known.shape, Shape::Texts);
    let split = |by: &[char]| -> Vec<&str> {
        let names = slice(text, problem.span.range()).split(by).map(|name| name.trim().trim_matches(['"', '\'', '`']));
        names.filter(|name| !["", "and"].contains(name)).collect()
    };
    let words = split(&[',', ' ']);
    let names = if words.iter().all(|word| word.starts_with('@')) { words } else { split(&[',']) };
    let is_odd = |letter: char| letter.is_whitespace() || "[]\"'".contains(letter);
    let are_names = names.iter().all(|name| !name.contains(is_odd));
    let list = || format!("[{}]", names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "));
    (are_names && !names.is_empty() && PROPOSAL.iter().any(is_list)).then(|| (key, list()))
}

/// `quoted` in place of `source`, if that is the name of one person.
fn quotes(problem: &Problem, source: &str, quoted: String) -> Option<Fix> {
    let name = source.strip_prefix('@')?;
    let is_handle = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    let fix = Fix::write(Safety::Safe, "put it in quotes", problem.span, quoted);
    (!name.is_empty() && name.bytes().all(is_handle)).then_some(fix)
}

/// A space after the colon in place of a character that looks like one.
fn space(problem: &Problem, line: &str) -> Option<Fix> {
    let (key, value) = line.split_once(':')?;
    let odd = value.len() - value.trim_start_matches(is_odd_space).len();
    let start = problem.span.start + key.len() + 1;
    let span = Span::new(problem.span.file, start..start + odd);
    let fix = Fix::write(Safety::Safe, "write a space after the colon", span, " ");
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_read = || odd::scalars(&format!("{key}: {}", slice(value, odd..))).is_some_and(|scalars| scalars.len() > 1);
    (odd > 0 && key.bytes().all(is_key) && is_read()).then_some(fix)
}
