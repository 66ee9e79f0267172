//! The latest milestone is out, but the feature gates were before the KEP's stage in it.
//!
//! ## Why
//!
//! A feature that was not ready at the code freeze moves to the next release, and its KEP has to move with it: the Release
//! Team, tools and readers take `latest-milestone` and `stage` for what was released. Only KEPs are reported of which all own
//! gates are before the stage.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: stable
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: EnvFiles
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: EnvFiles
//!     components:
//!       - kubelet
//! ```

use crate::gates::gate::Presence;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missed-release",
    summary: "the latest milestone is out, but the feature gates were before the stage in it",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Off, closed: Off },
    settings: &["groups", "feature-gates"],
    docs: docs!("missed_release.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|it| it.status() == Some(Status::Implementable)) else {
        return;
    };
    let (Some(field), Some(latest), Some(stage)) = (&metadata.latest_milestone, metadata.milestone(), metadata.stage())
    else {
        return;
    };
    // What a release under development will have is not known.
    if !ctx.has_final_code(latest) {
        return;
    }
    let Some(gates) = ctx.in_code().and_then(|code| code.missed(metadata)) else { return };
    let Some(((first, presence), others)) = gates.split_first() else { return };
    let was = match presence {
        Presence::At(reached) => format!("was {reached}"),
        _ => "was not there".to_owned(),
    };
    let more = match others.len() {
        0 => String::new(),
        1 => " and another gate is before that stage, too".to_owned(),
        count => format!(", and {count} other gates are before that stage, too"),
    };
    let gate = first.shown();
    let message =
        format!("the stage is {stage} and `latest-milestone` is {latest}, but `{gate}` {was} in {latest}{more}");
    let mut finding = Diagnostic::at(field.span, message);
    let later = metadata.milestone_of(stage).and_then(|milestone| milestone.value).filter(|release| *release > latest);
    finding.help = Some(match later {
        Some(release) => {
            format!("write `latest-milestone: \"{release}\"`, the milestone of {stage}, or the release it now aims at")
        }
        None => format!(
            "if the feature missed {latest}, move `latest-milestone` and `milestone.{stage}` to the release it now aims at"
        ),
    });
    gates.iter().for_each(|(own, _)| finding.relate(own.span, "this gate"));
    out.report(finding);
}
