//! A heading of a template without directives is not in the built-in template.
//!
//! ## Why
//!
//! A repository may have its own template in `keps/NNNN-kep-template` or `keps/NNNN-template`. Its headings without a
//! directive have that of the built-in template. KEPs are asked for a heading that the built-in template does not
//! have, as a suggestion, unless it says "(Optional)". The same goes for a file without any directive that is named
//! with `--template`.
//!
//! ## Bad
//!
//! ```markdown keps/NNNN-template/README.md
//! # KEP-NNNN: Your short, descriptive title
//!
//! ## Summary
//!
//! ## Cost of Images
//! ```
//!
//! ## Good
//!
//! ```markdown keps/NNNN-template/README.md
//! # KEP-NNNN: Your short, descriptive title
//!
//! ## Summary
//!
//! ## Cost of Images
//! <!--DIRECTIVE: required: true, stage: beta-->
//! ```

use crate::rules::prelude::*;
use crate::template::Template;

pub const RULE: Rule = Rule {
    name: "unknown-template-section",
    summary: "a heading of a template without directives is not in the built-in template",
    severity: Ladder::everywhere(Advice),
    docs: docs!("unknown_template_section.rs"),
    checks: &[Check::Template(check)],
    ..Rule::of(Category::Sections)
};

fn check(template: &Template, out: &mut Sink) {
    for id in &template.asking {
        let section = template.document.sections.get(*id);
        let message = format!("`{}` has no directive, so KEPs are asked for it", brief(&section.title.text));
        let finding = Diagnostic::at(Span::new(template.document.file, section.text.clone()), message)
            .help("add `<!--DIRECTIVE: required: true-->` below it, or `required: false`");
        out.report(finding);
    }
}
