//! `see-also`, `replaces` or `superseded-by` in kep.yaml points to a KEP that does not exist.
//!
//! ## Why
//!
//! Readers follow these keys from one KEP to another. KEPs were renumbered and moved in 2020, and many references still
//! have the old path.
//!
//! A bare number is the number of a KEP, and so is `KEP-1234`. Plain words, issues and URLs outside the repository of
//! KEPs are not checked.
//! Paths are looked up in the repository around, also when one KEP is linted. If a KEP has the number or the title of
//! the path, the fix writes its path.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! see-also:
//!   - /keps/sig-node/0001-prefetch.md
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! see-also:
//!   - /keps/sig-node/1-prefetch
//! ```

use crate::kep::directory;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "dead-reference",
    summary: "a reference in kep.yaml points to a KEP that does not exist",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    docs: docs!("dead_reference.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

const PATH: &str = "write the path of a KEP directory: `/keps/<sig>/<number>-<title>`";
const OTHER_PATH: &str = "write the path of a KEP, from the root of the repository on";

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let own = ctx.kep.texts.tree_path.as_deref();
    let has_own_layout = !ctx.layout().is_of_keps();
    let help = if has_own_layout { OTHER_PATH } else { PATH };
    let references = metadata.values.iter().filter(|(key, field)| {
        matches!(*key, "see-also" | "replaces" | "superseded-by") && !is_template_value(key, &field.text)
    });
    for (key, field) in references {
        if let Some(number) = reference::number(&field.text) {
            if ctx.repository.has_number(number) == Some(false) && !directory::is_template(ctx.kep.texts.name.as_ref())
            {
                let finding = Diagnostic::at(field.span, format!("`{key}`: KEP {number} does not exist"))
                    .help(help)
                    .alike(number);
                out.report(finding);
            }
            continue;
        }
        let around = ctx.kep.texts.directory_of(metadata.file);
        let Some(path) = ctx.repository.referenced_path(&field.text, around.as_deref()) else { continue };
        if ctx.repository.has_path(&path) != Some(false) {
            continue;
        }
        let is_value = |line: &str| line.trim().trim_start_matches("- ").trim_matches(['"', '\'']) == field.text;
        let is_example = has_own_layout && ctx.template.document.text().lines().any(is_value);
        let nearest = ctx.repository.nearest_kep(&path).filter(|kep| Some(*kep) != own && !is_example);
        let message = format!("`{key}`: `{}` does not exist", brief(&field.text));
        let finding = Diagnostic::at(field.span, message).alike(path.as_str());
        out.report(match nearest {
            Some(kep) => finding.help(format!("did you mean `/{}`?", brief(kep))).fix(fix(ctx, field.span, kep)),
            None if path.rsplit('/').next().and_then(number::of_directory).is_some() && !path.ends_with(".md") => {
                finding.help("remove it, or write where this KEP is now")
            }
            None if is_example => finding.help("remove it: it is an example of the template"),
            None => finding.help(help),
        });
    }
}

fn fix(ctx: &Ctx<'_>, value: Span, kep: &str) -> Option<Fix> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/-_.".contains(letter);
    if !kep.chars().all(is_plain) {
        return None;
    }
    let written = slice(&ctx.kep.texts.file(value.file).text, value.range());
    let quote = if written.starts_with(['"', '\'']) { slice(written, ..1) } else { "" };
    let title = format!("write `/{}`", brief(kep));
    Some(Fix::write(Safety::Unsafe, title, value, format!("{quote}/{kep}{quote}")))
}
