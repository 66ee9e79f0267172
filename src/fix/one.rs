//! Applies the fix of one finding, as editors offer it: with the same guard as all fixes of a KEP together.

use super::{FixRun, Fixed, Identity, counted, fixes, validate};
use crate::diagnostic::subject::Fingerprint;
use crate::diagnostic::{Diagnostic, Fix, Safety};
use crate::kep::texts::Texts;
use crate::lint::report::KepReport;
use crate::rules::select::rule_named;
use std::cell::OnceCell;

/// Applies the fix of the finding with this fingerprint among those that `lint` returns for `texts`, and the safe fixes of
/// what it causes: a new heading makes the table of contents stale. `None` if there is no such finding, or if it has no
/// fix. A fix that does not work is reverted, with all that followed.
pub fn fix_one(texts: &Texts, wanted: Fingerprint, lint: &dyn Fn(&Texts) -> KepReport) -> Option<Fixed> {
    let known = OnceCell::new();
    let run = FixRun::run_with(texts, lint, &|round, finding, fix| {
        let is_it = finding.fingerprint == Some(wanted);
        if round.number == 0 {
            return is_it;
        }
        let known = known.get_or_init(|| counted(round.before));
        !is_it && follows(finding, fix) && !known.contains_key(&Identity::of(finding))
    });
    let (finding, _) = fixes(&run.before).find(|(finding, _)| finding.fingerprint == Some(wanted))?;
    // What was hidden before is no consequence of the fix.
    let reveals = rule_named(finding.rule).is_some_and(|rule| rule.reveals);
    let run = if reveals && run.rounds > 1 { alone(texts, wanted, lint) } else { run };
    let broken = validate::broken(&run, &|_| FixRun::starting_with(run.before.clone()));
    Some(if broken.is_empty() { run.end(broken) } else { FixRun::starting_with(run.before).end(broken) })
}

/// Whether the fix of a finding that another fix causes is applied without being asked for.
fn follows(finding: &Diagnostic, fix: &Fix) -> bool {
    fix.safety == Safety::Safe && finding.count == 1
}

fn alone(texts: &Texts, wanted: Fingerprint, lint: &dyn Fn(&Texts) -> KepReport) -> FixRun {
    FixRun::run_with(texts, lint, &|round, finding, _| round.number == 0 && finding.fingerprint == Some(wanted))
}
