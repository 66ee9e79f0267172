//! Runs the rules about ignores, once it is known which findings were ignored. Separate from `run`, because a verdict
//! about an ignore depends on all other rules.

use super::ALL;
use super::context::{Ctx, JudgedIgnore, Verdict};
use super::rule::{Category, Check, Rule};
use super::run::{OutgoingLinks, checks, is_asked};
use super::select::{self, Selection};
use super::sink::Sink;
use crate::bounds;
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::texts::Slot;
use crate::source::SourceFile;
use crate::span::{Span, slice};
use crate::stage::Phase;
use crate::suggest;
use crate::suppress::Ignores;
use crate::suppress::ignore::{Ignore, Kind, Named};
use std::sync::Arc;

/// Whether an ignore of a KEP that silences none of its findings is unused: all rules were run with all that they need,
/// and none of the findings can hide others.
pub fn knows_all(ctx: &Ctx<'_>, selection: &Selection, diagnostics: &[Diagnostic]) -> bool {
    let texts = &ctx.kep.texts;
    let is_whole = [texts.readme, texts.metadata, texts.owners].iter().all(|slot| *slot != Slot::Unreadable);
    let hides =
        |finding: &Diagnostic| select::rule_named(finding.rule).is_some_and(|rule| rule.reveals) || finding.count > 1;
    let is_known = ctx.repository.paths.is_some() && selection.is_default() && !ctx.target.is_given;
    // What the configuration turns off can hide others all the same.
    let is_silenced = |rule: &Rule| rule.reveals && selection.silences(rule, &ctx.target);
    is_known && is_whole && !ALL.iter().any(is_silenced) && !diagnostics.iter().any(hides)
}

/// The findings about the `ignores` of a KEP. If not all is known, none is unused. Findings about its `outgoing` links are
/// made when all KEPs are known, so that an ignore that covers such a link is never unused.
pub fn run(
    ignores: &Ignores,
    ctx: &Ctx<'_>,
    selection: &Selection,
    outgoing: &OutgoingLinks,
    knows_all: bool,
) -> Vec<Diagnostic> {
    let is_stray = ctx.kep.is_stray_readme();
    let is_checked = |rule: &Rule| {
        let is_late = |check: &Check| matches!(check, Check::Link(_) | Check::Replaced(_));
        let has_check = if is_stray { rule.checks_strays } else { rule.is_of_kep() || rule.checks.iter().any(is_late) };
        has_check && is_asked(rule, ctx.repository, ctx.preset) && selection.severity(rule, &ctx.target).is_some()
    };
    let is_needed_later = |ignore: &Ignore, rule: &Rule| {
        let covers = |span: &Span| ignore.comment.file == span.file && ignore.covers.contains(&span.start);
        rule.checks.iter().any(|check| match check {
            Check::Link(_) => outgoing.links.iter().any(|link| covers(&link.span)),
            Check::Replaced(_) => outgoing.replaced.iter().any(|replaced| covers(&replaced.span)),
            _ => false,
        })
    };
    let is_unused = |ignore: &Ignore, name: &Named| {
        let is_left = knows_all && ignore.is_own && ignore.works() && !name.is_used;
        let rule = if is_left { select::rule_named(&name.rule) } else { None };
        rule.is_some_and(|rule| is_checked(rule) && !is_needed_later(ignore, rule))
    };
    let severity = |rule: &Rule| selection.severity(rule, &ctx.target);
    let review = ctx.kep.review.as_ref().map(|review| review.file);
    let is_judged = |ignore: &Ignore| ignore.is_own || review == Some(ignore.comment.file);
    report(ignores, &ctx.kep.texts.files, &severity, &is_judged, &is_unused)
}

/// The findings about the ignores of files that are not part of a KEP, for which `is_checked` says which rules were run.
pub fn run_files(
    ignores: &Ignores,
    files: &[Arc<SourceFile>],
    selection: &Selection,
    is_checked: fn(&Rule) -> bool,
) -> Vec<Diagnostic> {
    let severity = |rule: &Rule| selection.level(rule, Phase::Active).severity();
    let is_unused = |ignore: &Ignore, name: &Named| {
        let is_checked =
            select::rule_named(&name.rule).is_some_and(|rule| is_checked(rule) && severity(rule).is_some());
        selection.is_default() && ignore.works() && !name.is_used && is_checked
    };
    let mut findings = report(ignores, files, &severity, &|_| true, &is_unused);
    findings.iter_mut().for_each(|finding| finding.fix = None);
    findings
}

fn report(
    ignores: &Ignores,
    files: &[Arc<SourceFile>],
    severity: &dyn Fn(&Rule) -> Option<Severity>,
    is_judged: &dyn Fn(&Ignore) -> bool,
    is_unused: &dyn Fn(&Ignore, &Named) -> bool,
) -> Vec<Diagnostic> {
    let mut suggested = 0;
    let mut verdict = |ignore: &Ignore, name: &Named| match select::rule_named(&name.rule) {
        _ if ignore.kind == Kind::Unknown => Verdict::Unknown(None),
        Some(rule) if rule.category == Category::Ignores => Verdict::AboutIgnores,
        Some(_) if is_unused(ignore, name) => Verdict::Unused,
        Some(_) => Verdict::Fine,
        None => {
            if let Some(gone) = suggest::gone(&name.rule) {
                return Verdict::Gone(gone);
            }
            let category = Category::ALL.into_iter().find(|category| category.name() == name.rule);
            suggested += 1;
            let names = ALL.iter().filter(|rule| rule.category != Category::Ignores).map(|rule| rule.name);
            match category {
                Some(category) => Verdict::Category(category.name()),
                None if suggested > bounds::COMPARED_NAMES => Verdict::Unknown(None),
                None => Verdict::Unknown(suggest::nearest(&name.rule, names)),
            }
        }
    };
    let judged: Vec<JudgedIgnore<'_>> = ignores
        .list
        .iter()
        .filter(|ignore| is_judged(ignore))
        .filter_map(|ignore| {
            let source = files.get(ignore.comment.file.index())?;
            let verdicts = ignore.names.iter().map(|name| verdict(ignore, name)).collect();
            // A comment of several lines may be one that the author forgot to close: it holds more than the ignore.
            let is_one_line = !slice(&source.text, ignore.comment.range()).contains(['\n', '\r']);
            Some(JudgedIgnore { ignore, source, verdicts, is_fixable: ignore.is_own && is_one_line })
        })
        .collect();
    let mut diagnostics = Vec::new();
    for (rule, check) in checks() {
        let Check::Ignore(check) = check else { continue };
        let Some(severity) = severity(rule) else { continue };
        let check_all = |out: &mut Sink| judged.iter().for_each(|judged| check(judged, out));
        diagnostics.extend(Sink::collect(rule.name, severity, check_all));
    }
    diagnostics
}
