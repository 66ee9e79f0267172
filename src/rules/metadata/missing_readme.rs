//! A KEP directory has a kep.yaml, but no README.md.
//!
//! ## Why
//!
//! The README is the KEP itself. Upstream's check does not notice when it is missing, so the directory can stay without
//! one for a long time. A second file whose name differs from `README.md` only by case is reported too: only one of the
//! two is checked as the README, and it is not clear which one the author means.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! ```
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```

use crate::kep::texts::Slot;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-readme",
    summary: "a KEP directory has a kep.yaml, but no README.md",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    docs: docs!("missing_readme.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    second_readmes(ctx, out);
    if ctx.kep.texts.readme != Slot::Absent {
        return;
    }
    let text = &ctx.kep.texts.file(metadata.file).text;
    let first_line = text.lines().next().unwrap_or_default().len();
    let help = match misnamed(ctx.kep) {
        Some(name) => format!("rename `{name}` to `README.md`"),
        None => "copy `README.md` from the template's directory and fill it in".to_owned(),
    };
    let finding = Diagnostic::at(Span::new(metadata.file, 0..first_line), "the KEP has no `README.md`")
        .subject(Subject::File)
        .help(help);
    out.report(finding);
}

fn misnamed(kep: &Kep) -> Option<&str> {
    let mut names = kep.texts.documents.iter().filter_map(|file| {
        let (directory, name) = kep.texts.file(*file).path.rsplit_once('/')?;
        (directory == kep.texts.directory).then_some(name)
    });
    names.find(|name| ["kep.md", "index.md"].contains(&name.to_lowercase().as_str()))
}

/// Files next to README.md whose names differ from it only by case.
fn second_readmes(ctx: &Ctx<'_>, out: &mut Sink) {
    let texts = &ctx.kep.texts;
    let Some(readme) = texts.readme.file().map(|readme| texts.file(readme)) else { return };
    let Some((directory, checked)) = readme.path.rsplit_once('/') else { return };
    for file in &texts.documents {
        let source = texts.file(*file);
        let Some((other, name)) = source.path.rsplit_once('/') else { continue };
        if other != directory || !name.eq_ignore_ascii_case(checked) {
            continue;
        }
        let first_line = source.text.lines().next().unwrap_or_default().len();
        let message =
            format!("the KEP has both `{checked}` and `{name}`, and only `{checked}` is checked as the README");
        let finding = Diagnostic::at(Span::new(*file, 0..first_line), message)
            .help(format!("remove it, or merge it into `{checked}`"))
            .at_most(Severity::Warning)
            .subject(Subject::named(["another README"]));
        out.report(finding);
    }
}
