//! The `kep-number` in kep.yaml does not match the number of the KEP's directory, or another KEP has the same.
//!
//! ## Why
//!
//! The number is that of the tracking issue, and upstream uses the number in kep.yaml to find the PRR file. Leading
//! zeros are ignored, and so is a directory without a real number yet, `0000`. A directory without any
//! number is a warning, and so is a number that two directories have, for the KEP that is worked on.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 2
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml
//! kep-number: 0001
//! status: implementable
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "kep-number-mismatch",
    summary: "`kep-number` does not match the KEP's directory, or is that of another KEP",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Warning, closed: Warning },
    docs: docs!("kep_number_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    report_shared(ctx, out);
    let Some(written) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref()) else { return };
    let Some(number) = ctx.kep.number() else {
        if ctx.layout().is_of_keps() {
            report_directory(ctx, written, out);
        }
        return;
    };
    if number == "0" {
        return;
    }
    let is_open = matches!(ctx.target.phase, Phase::Provisional | Phase::Active);
    if is_open && ctx.repository.shared_numbers.contains(number::without_zeros(number)) {
        let finding = Diagnostic::at(written.span, format!("another KEP has the number {}, too", brief(number)))
            .help("take the number of the tracking issue of this KEP")
            .subject(Subject::named(["of another KEP", number]))
            .at_most(Severity::Warning);
        out.report(finding);
    }
    // `168-2` for the directory `168-2-visibility`.
    let begins_name = ctx.kep.texts.name.strip_prefix(&written.text).is_some_and(|rest| rest.starts_with('-'));
    let is_reported_elsewhere = written.text.is_empty() || is_template_value("kep-number", &written.text);
    if is_reported_elsewhere || begins_name || number::is_same(&written.text, number) {
        return;
    }
    let message = format!("`kep-number` is {}, but the directory is {}", written.shown(), brief(number));
    let write = format!("write `kep-number: {}`", brief(number));
    let help = if ctx.kep.review.is_some() {
        format!("rename the directory, as the PRR file is, or {write} and rename that file")
    } else {
        format!("{write}, or rename the directory")
    };
    // Upstream does not find the PRR file then.
    let other = if ctx.is_reviewed_by_directory() { Some("missing-prr") } else { None };
    out.report(Diagnostic::at(written.span, message).help(help).yields_to(other));
}

/// Reports a number that another proposal has which is no KEP. In another group, or of another kind, it may. Where
/// only paths have numbers, these are tickets, and one may have several proposals.
fn report_shared(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(readme), Some(path)) = (ctx.readme, &ctx.kep.texts.tree_path) else { return };
    let Some(layout) = ctx.layout().own() else { return };
    let is_written = ctx.kep.metadata.as_ref().is_some_and(|metadata| metadata.number.is_some());
    if layout.title.is_none() && !is_written {
        return;
    }
    let documents = &layout.documents;
    let (Some(own), Some(number)) = (documents.kind(path), documents.number(path)) else { return };
    let (number, group) = (number::without_zeros(number), documents.group(path).unwrap_or_default());
    let same = |kind: usize| ctx.repository.numbered.get(&format!("{kind} {group} {number}"));
    // Of several kinds of documents in a directory, the first reports it.
    let earlier = (0..own).filter_map(same);
    let mut others = same(own).into_iter().flatten().filter(|other| !path.ends_with(other.as_str()));
    if let Some(other) = others.next()
        && earlier.max_by_key(|paths| paths.len()).is_none_or(|paths| paths.len() < 2)
    {
        let other = format!("{}/{other}", documents.tree);
        let finding = Diagnostic::at(readme.top(), format!("another KEP has the number {}, too", brief(number)))
            .help(format!("give one of them a number of its own; the other is `{}`", brief(&other)))
            .subject(Subject::named(["of another KEP", number]));
        out.report(finding.at_most(Severity::Advice));
    }
}

/// Reports a directory that has no number where kep.yaml has one.
fn report_directory(ctx: &Ctx<'_>, written: &Field, out: &mut Sink) {
    let name = &ctx.kep.texts.name;
    let number = number::without_zeros(&written.text);
    if !number::is_digits(number) || ctx.kep.texts.tree_path.is_none() {
        return;
    }
    let renamed = format!("{number}-{}", title(name, number));
    let finding =
        Diagnostic::at(written.span, format!("the directory `{}` does not begin with `{number}-`", brief(name)))
            .help(format!("rename it to `{}`", brief(&renamed)))
            .subject(Subject::named(["directory"]))
            .at_most(Severity::Warning);
    out.report(finding);
}

/// The words of a directory's name: without the number, and without what stands for it in the template.
fn title(name: &str, number: &str) -> String {
    let is_gap = |letter: char| !letter.is_alphanumeric();
    let start = name.trim_start_matches(is_gap);
    let after_kep = start.get(..3).filter(|kep| kep.eq_ignore_ascii_case("kep")).map(|kep| slice(start, kep.len()..));
    let rest = after_kep.unwrap_or(start).trim_start_matches(is_gap);
    let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_of_number = number::is_same(slice(rest, ..rest.len() - after.len()), number);
    let name = if is_of_number { after.trim_start_matches(is_gap) } else { name };
    let words = name.split(['-', '_', ' ']).filter(|word| !word.is_empty());
    let is_mark = |word: &str| {
        word.eq_ignore_ascii_case("kep") || word.len() > 1 && word.bytes().all(|byte| b"NnXx".contains(&byte))
    };
    let words: Vec<&str> = words.skip_while(|word| is_mark(word)).filter(|word| *word != number).collect();
    if words.is_empty() { "<title>".to_owned() } else { words.join("-") }
}
