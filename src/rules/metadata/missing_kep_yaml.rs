//! A KEP directory has a README, but no kep.yaml.
//!
//! ## Why
//!
//! kep.yaml says who is responsible for the KEP, and what its status is. Upstream's check rejects a README without a
//! kep.yaml everywhere below `keps/`. kep-lint checks the README as if the KEP's stage were alpha. If the directory has
//! no number either, this is the only finding: the README is most likely not a KEP.
//!
//! Where documents have front matter, it must begin in their first line. The fix removes blank lines before it.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```
//!
//! ```yaml
//! title: Prefetch images
//! kep-number: 1
//! status: provisional
//! ```

use crate::kep::texts::Slot;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-kep-yaml",
    summary: "a KEP directory has a README, but no kep.yaml",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    fix: Some(Safety::Safe),
    upstream: &[Script::Metadata],
    docs: docs!("missing_kep_yaml.rs"),
    checks: &[Check::Readme(check)],
    checks_strays: true,
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if ctx.kep.texts.metadata != Slot::Absent {
        let text = &ctx.kep.texts.file(readme.file).text;
        let blank = text.len() - text.trim_start().len();
        if ctx.layout().has_front_matter() && blank > 0 {
            report_blank(readme.span(0..blank), out);
        }
        return;
    }
    // What is from before the template may have none.
    if ctx.kep.texts.tree_path.is_none() || ctx.target.is_older {
        return;
    }
    if ctx.layout().metadata_file().is_none() {
        if ctx.lacks_front_matter() {
            let finding = Diagnostic::at(readme.top(), "the KEP has no front matter")
                .help("begin it with keys between two lines `---`; if it is no KEP, name it in `exclude`")
                .subject(Subject::File);
            let asks_for_keys = ctx.layout().own().is_some_and(|own| !own.keys.required.is_empty());
            let finding = if asks_for_keys { finding } else { finding.at_most(Severity::Warning) };
            out.report(Diagnostic { can_be_raised: true, ..finding });
        }
        return;
    }
    let is_named_readme = ctx.pages().next().is_some_and(|page| page.name == "README.md");
    let help = match misnamed(ctx) {
        Some(name) => format!("rename `{name}` to `kep.yaml`"),
        None => "copy `kep.yaml` from the template's directory and fill it in".to_owned(),
    };
    let finding = Diagnostic::at(readme.top(), "the KEP has no `kep.yaml`")
        .help(help)
        // Upstream looks for this spelling only.
        .upstream(is_named_readme.then_some(Script::Metadata))
        .subject(Subject::File);
    out.report(finding);
}

/// Reports a document whose first bytes are blank lines before its front matter.
fn report_blank(span: Span, out: &mut Sink) {
    let finding = Diagnostic::at(span, "there is a blank line before the front matter")
        .help("begin the document with its first `---`: otherwise the page shows the keys as text")
        .fix(Fix::write(Safety::Safe, "remove what is before it", span, ""));
    out.report(finding.at_most(Severity::Warning).subject(Subject::File));
}

/// The name of a file that is most likely the kep.yaml: for other tools, both endings mean YAML.
fn misnamed(ctx: &Ctx<'_>) -> Option<String> {
    let directory = ctx.kep.texts.tree_path.as_ref()?;
    let names = ["kep.yml", "KEP.yaml", "KEP.yml", "metadata.yaml"].map(str::to_owned);
    let numbered = ctx.kep.number().map(|number| format!("{number}.yaml"));
    let mut names = names.into_iter().chain(numbered);
    names.find(|name| ctx.repository.has_path(&format!("{directory}/{name}")) == Some(true))
}
