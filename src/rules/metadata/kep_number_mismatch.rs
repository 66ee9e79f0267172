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

use crate::kep::number;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "kep-number-mismatch",
    summary: "`kep-number` does not match the KEP's directory, or is that of another KEP",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Warning, closed: Warning },
    docs: docs!("kep_number_mismatch.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(written) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref()) else { return };
    let Some(number) = ctx.kep.number() else {
        report_directory(ctx, written, out);
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
    let finding = Diagnostic::at(written.span, message)
        .help(format!("write `kep-number: {}`, or rename the directory", brief(number)));
    out.report(finding);
}

/// Reports a directory that has no number where kep.yaml has one.
fn report_directory(ctx: &Ctx<'_>, written: &Field, out: &mut Sink<'_>) {
    let name = &ctx.kep.texts.name;
    let number = number::without_zeros(&written.text);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || ctx.kep.texts.tree_path.is_none() {
        return;
    }
    let rest = ["KEP-", "kep-"].iter().find_map(|mark| name.strip_prefix(mark)).unwrap_or(name);
    let words = rest.strip_prefix(number).unwrap_or(rest).trim_start_matches('-');
    let title = if words.is_empty() { "<title>" } else { words };
    let finding =
        Diagnostic::at(written.span, format!("the directory `{}` does not begin with `{number}-`", brief(name)))
            .help(format!("rename it to `{number}-{}`", brief(title)))
            .subject(Subject::named(["directory"]))
            .at_most(Severity::Warning);
    out.report(finding);
}
