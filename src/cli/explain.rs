//! `kep-lint explain RULE…`: a rule's own documentation.

use super::check::unknown_name;
use super::{Outcome, print};
use crate::diagnostic::Failure;
use crate::rules::rule::Rule;
use crate::rules::select;
use crate::stage::Phase;

/// Prints the documentation of the rules of these names.
pub fn run(names: &[String]) -> Result<Outcome, Failure> {
    let rules = names.iter().map(|name| select::rule(name)).collect::<Result<Vec<_>, _>>().map_err(unknown_name)?;
    let pages: Vec<String> = rules.into_iter().map(page).collect();
    print(&pages.join("\n"))?;
    Ok(Outcome::Clean)
}

fn page(rule: &Rule) -> String {
    let level = |phase: Phase| format!("{} {}", phase.name(), rule.severity.at(phase).name());
    let levels = Phase::ALL.map(level).join(", ");
    let fix = rule.fix_name();
    let upstream = match rule.upstream {
        [] => String::new(),
        scripts => format!("Also rejected by kubernetes/enhancements' {}.\n", scripts.join(" and ")),
    };
    let (name, category, docs) = (rule.name, rule.category.name(), rule.docs());
    format!("# {name}\n\nCategory: {category}. Fix: {fix}.\nSeverity: {levels}.\n{upstream}\n{docs}\n")
}
