//! `unchecked`, `explain` and `example`: what rules are about.

use super::check::{self, Settings};
use super::engine::{Answer, Engine};
use super::place::Files;
use crate::diagnostic::Failure;
use crate::kep::layout::Layout;
use crate::report::rules;
use crate::rules::ALL;
use crate::rules::example::{BAD, Example};
use crate::rules::preset::Preset;
use crate::rules::rule::{Category, Rule};
use crate::rules::select;
use crate::stage::{Release, Stage};
use serde_json::{Value, json};

const DIRECTORY: &str = "keps/sig-node/1-prefetch";
const REVIEW: &str = "keps/prod-readiness/sig-node/1.yaml";

pub fn explain(engine: &Engine, name: &str) -> Answer {
    let rule = select::rule(name)?;
    let markdown = rules::of_rule(rule, &Layout::default());
    Ok(json!({ "markdown": markdown, "hasExample": shown(engine, rule).is_some() }))
}

/// The example of a rule as a page shows it, if its finding is seen there: not if that is about bytes that are no text, a
/// change, or what a repository has besides.
fn shown(engine: &Engine, rule: &Rule) -> Option<(Files, Settings)> {
    let (kep, settings) = files(rule)?;
    let held = check::checked(engine, None, kep.clone(), &settings).ok()?;
    let is_seen = held.report()?.diagnostics.iter().any(|finding| finding.rule == rule.name);
    is_seen.then_some((kep, settings))
}

/// The rules that report nothing on a page, because they need other files or the history of the repository.
pub fn unchecked(engine: &Engine) -> Value {
    let silent = ALL.iter().filter(|rule| shown(engine, rule).is_none());
    silent.map(|rule| json!({ "name": rule.name, "summary": rule.summary })).collect()
}

fn files(rule: &Rule) -> Option<(Files, Settings)> {
    let Example { readme, has_escapes, metadata, base, mut others, stage } = Example::of(rule, BAD)?;
    if has_escapes || base.is_some() {
        return None;
    }
    let of_review = others.iter().position(|(path, _)| path == REVIEW);
    let review = of_review.map(|at| others.swap_remove(at).1);
    let others = others.into_iter().collect();
    let is_of_ignores = rule.category == Category::Ignores;
    let is_alone = metadata.is_none() && is_of_ignores;
    let stage = stage.or(is_alone.then_some(Stage::Alpha));
    let kep = Files { directory: Some(DIRECTORY.to_owned()), readme, metadata, review, others };
    let settings = Settings {
        stage: stage.map(|stage| stage.name().to_owned()),
        // With a release, nothing is said of ignores that silence nothing.
        release: if is_of_ignores { None } else { Some(Release::CURRENT.to_string()) },
        preset: rule.is_off_by_default().then(|| Preset::Strict.name().to_owned()),
        // An example lacks most of what a KEP needs: other rules would have more to say than this one. Those about ignores
        // need the findings of all.
        select: if is_of_ignores { None } else { Some(vec![rule.name.to_owned()]) },
        ..Settings::default()
    };
    Some((kep, settings))
}

pub fn example(engine: &Engine, name: &str) -> Answer {
    let rule = select::rule(name)?;
    let none = || Failure::new(format!("`{}` has no example that a page can show", rule.name));
    let (kep, settings) = shown(engine, rule).ok_or_else(none)?;
    Ok(json!({ "kep": kep, "settings": settings }))
}
