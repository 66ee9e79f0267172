//! What can be done about a finding: its fix, or an ignore; and all safe fixes of a KEP. Each is tried before it is offered
//! as a change: the words of the KEP stay, the finding is gone, and there is no new error.

use super::edits;
use super::view::View;
use crate::diagnostic::{Diagnostic, Edit, Safety, capitalized};
use crate::fix::addition::add_ignore;
use crate::fix::fix_one;
use crate::fix::{fix, keep_own};
use crate::kep::texts::Texts;
use crate::lint::report::KepReport;
use crate::rules::rule::Category;
use crate::rules::select::rule_named;
use crate::span::FileId;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    Fix(Safety),
    /// An ignore, whose reason the author has to type.
    Ignore,
}

impl Remedy {
    const ALL: [Self; 3] = [Self::Fix(Safety::Safe), Self::Fix(Safety::Unsafe), Self::Ignore];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fix(Safety::Safe) => "fix",
            Self::Fix(Safety::Unsafe) => "unsafe-fix",
            Self::Ignore => "ignore",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|remedy| remedy.name() == name)
    }

    /// What it does to `finding`, for a menu.
    pub fn title(self, finding: &Diagnostic) -> String {
        let fix = || finding.fix.as_ref().map(|fix| capitalized(&fix.title)).unwrap_or_default();
        match self {
            Self::Fix(Safety::Safe) => fix(),
            Self::Fix(Safety::Unsafe) => format!("{} (needs review)", fix()),
            Self::Ignore => format!("Ignore `{}` here, for a reason that you type", finding.rule),
        }
    }
}

/// What stands for a reason until the author types one. It has no letter, so that it is none: such an ignore silences
/// nothing, and is a finding.
pub const NO_REASON: &str = "…";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The replacements, by file and in the order of its text.
    pub edits: Vec<Edit>,
    /// What the author has to type in its place: the number of the replacement, and the bytes of its text.
    pub to_type: Option<(usize, Range<usize>)>,
    pub fixed: usize,
}

/// A finding of a report, by its fingerprint.
pub fn finding<'r>(report: &'r KepReport, print: &str) -> Option<&'r Diagnostic> {
    report.diagnostics.iter().find(|it| it.fingerprint.is_some_and(|known| known.to_string() == print))
}

/// What can be done about a finding in the KEP with these texts, which are its own files without PRR files; the best first.
/// Other files, and those that are not UTF-8, are not changed.
pub fn remedies(texts: &Texts, finding: &Diagnostic) -> Vec<Remedy> {
    let is_writable = |file: FileId| texts.files.get(file.index()).is_some_and(|file| file.invalid_utf8.is_none());
    let fix = finding.fix.as_ref().filter(|fix| fix.edits.iter().all(|edit| is_writable(edit.span.file)));
    let is_about_ignores = rule_named(finding.rule).is_none_or(|rule| rule.category == Category::Ignores);
    let can_be_ignored = finding.count == 1 && !is_about_ignores && !finding.hides_status;
    let ignore = can_be_ignored && is_writable(finding.span.file);
    fix.map(|fix| Remedy::Fix(fix.safety)).into_iter().chain(ignore.then_some(Remedy::Ignore)).collect()
}

/// The change that is made by a remedy of `finding`, or why there is none, as a clause.
pub fn change(view: &View<'_>, finding: &Diagnostic, remedy: Remedy) -> Result<Change, String> {
    let lint = |texts: &Texts| view.lint(texts);
    match remedy {
        Remedy::Ignore => {
            const REASON: &str = "because";
            let fixed = add_ignore(&view.texts, finding, REASON, &lint).ok_or("the finding cannot be ignored here")?;
            Ok(with_reason_to_type(edits::of_fixed(&fixed), REASON))
        }
        Remedy::Fix(_) => {
            let print = finding.fingerprint.ok_or("the finding is not known any more")?;
            let fixed = fix_one(&view.texts, print, &lint).ok_or("the finding is not there any more")?;
            let edits = edits::of_fixed(&fixed);
            match fixed.reverted.first() {
                Some(reverted) => Err(reverted.reason.words()),
                None if edits.is_empty() => Err("it changes nothing".to_owned()),
                None => Ok(Change { edits, to_type: None, fixed: 1 }),
            }
        }
    }
}

/// All safe fixes of the KEP, as `--fix` makes them. Of a directory that is no KEP, only the files that `is_named` names are
/// changed.
pub fn fix_all(view: &View<'_>, is_named: impl Fn(FileId) -> bool) -> Change {
    let fixed = fix(&view.texts, Safety::Safe, &|texts| {
        let mut report = view.lint(texts);
        if !view.directory.has_place() {
            keep_own(&mut report, &is_named);
        }
        report
    });
    Change { edits: edits::of_fixed(&fixed), to_type: None, fixed: fixed.applied.values().sum() }
}

/// The change that makes the table of contents of a document right, if it is stale and its fix is safe.
pub fn contents(view: &View<'_>, file: FileId) -> Option<Change> {
    let report = view.lint(&view.texts);
    let is_safe = |finding: &Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    let is_it = |finding: &&Diagnostic| finding.rule == "stale-toc" && finding.span.file == file && is_safe(finding);
    let change = change(view, report.diagnostics.iter().find(is_it)?, Remedy::Fix(Safety::Safe)).ok()?;
    change.edits.iter().all(|edit| edit.span.file == file).then_some(change)
}

/// The ignore in these edits with its reason left to the author.
fn with_reason_to_type(mut edits: Vec<Edit>, reason: &str) -> Change {
    let place = edits.iter().enumerate().find_map(|(number, edit)| Some((number, edit.text.rfind(reason)?)));
    let mut to_type = None;
    if let Some((number, at)) = place
        && let Some(edit) = edits.get_mut(number)
    {
        edit.text.replace_range(at..at + reason.len(), NO_REASON);
        to_type = Some((number, at..at + NO_REASON.len()));
    }
    Change { edits, to_type, fixed: 0 }
}

#[cfg(test)]
mod tests;
