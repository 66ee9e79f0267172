//! A change gives the proposal a status or a stage that does not follow from the one before.
//!
//! ## Why
//!
//! A proposal goes its way step by step: who accepts it has seen it as a draft, and what was rejected does not come back
//! unseen. Reported only with `--since` and `--staged`, because it takes two versions of the metadata to see, and only for
//! proposals [of another layout](../other-repositories.md) whose configuration names the steps. A new proposal may begin
//! anywhere. A word that is unknown is reported by `invalid-status` or `invalid-stage`.
//!
//! ## Bad
//!
//! ```yaml kep-lint.yaml
//! documents: proposals/{number}-{name}/README.md
//! steps: {status: [[provisional, implementable], [implementable, implemented]]}
//! ```
//!
//! ```yaml base.yaml
//! status: provisional
//! ```
//!
//! ```yaml
//! status: implemented
//! ```
//!
//! ## Good
//!
//! ```yaml kep-lint.yaml
//! documents: proposals/{number}-{name}/README.md
//! steps: {status: [[provisional, implementable], [implementable, implemented]]}
//! ```
//!
//! ```yaml base.yaml
//! status: provisional
//! ```
//!
//! ```yaml
//! status: implementable
//! ```

use crate::kep::layout::Steps;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-step",
    summary: "with `--since`: the status or the stage does not follow from the one before",
    severity: Ladder::everywhere(Error),
    docs: docs!("invalid_step.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (Some(own), Some(base)) = (ctx.layout().own(), ctx.base) else { return };
    let status = |field: &Field<Status>| field.value.map(|_| field.text.trim().to_lowercase());
    if let (Some(steps), Some(old), Some(new)) = (own.steps.get("status"), &base.status, &metadata.status)
        && let (Some(from), Some(to)) = (status(old), status(new))
    {
        report(ctx, "status", steps, [&from, &to], new.span, out);
    }
    if let (Some(steps), Some(from), Some(to)) = (own.steps.get("stage"), base.stage(), metadata.stage())
        && let Some(new) = &metadata.stage
    {
        report(ctx, "stage", steps, [from.name(), to.name()], new.span, out);
    }
}

fn report(ctx: &Ctx<'_>, key: &str, steps: &Steps, [from, to]: [&str; 2], span: Span, out: &mut Sink) {
    let next: Vec<&str> =
        steps.iter().filter(|(earlier, _)| earlier == from).map(|(_, later)| later.as_str()).collect();
    if from == to || next.contains(&to) {
        return;
    }
    let as_here =
        |word| Stage::from_name(word).filter(|_| key == "stage").map_or(word, |it| ctx.layout().stage_word(it));
    let (from, to) = (as_here(from), as_here(to));
    let help = match next.as_slice() {
        [] => format!("write `{from}` again: no step leads on from it"),
        next => {
            let next: Vec<&str> = next.iter().map(|word| as_here(word)).collect();
            format!("write {}, as the steps go on from `{from}`", suggest::list(next, "or"))
        }
    };
    let message = format!("the {key} moves from `{from}` to `{to}`, which is none of the `steps`");
    out.report(Diagnostic::at(span, message).help(help).subject(Subject::named([key])));
}
