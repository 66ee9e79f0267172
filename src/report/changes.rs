//! The first lines of a report on a change: what it does to each KEP, in the order in which a reviewer asks.

use crate::diagnostic::brief;
use crate::kep::layout::Layout;
use crate::lint::Run;
use crate::lint::changes::{ChangedChapter, ChangedKep, ChangedValue};

/// How many KEPs are told of.
const KEPS: usize = 5;

/// How many chapters of a README are told of; the other lines are counted.
const CHAPTERS: usize = 2;

/// A line for each KEP that the change touches, and at last how many others there are: `KEP-5647: alpha
/// → beta, v1.36 → v1.37, asks `ann` for PRR; Design Details +122 −83 lines; 24 of 49 sections open`.
/// What a KEP says is one line, and code where it is more than words.
pub fn lines(run: &Run) -> Vec<String> {
    let changed = run.since.as_ref().map(|since| since.changed.as_slice()).unwrap_or_default();
    let mut lines: Vec<String> = changed.iter().take(KEPS).map(|kep| line(kep, &run.layout)).collect();
    if changed.len() > KEPS {
        lines.push(format!("and {} more", changed.len() - KEPS));
    }
    lines
}

fn line(kep: &ChangedKep, layout: &Layout) -> String {
    let is_number = kep.name.bytes().all(|byte| byte.is_ascii_digit());
    let name = if is_number { layout.called(&kep.name) } else { format!("`{}`", plain(&kep.name)) };
    let open = kep.open.map(|it| format!("{} of {} sections open", it.open, it.required)).unwrap_or_default();
    let parts = [values(kep), chapters(&kep.chapters), open];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{name}: {}", parts.join("; "))
}

fn values(kep: &ChangedKep) -> String {
    let ChangedKep { kep: directory, is_new, values, asks, .. } = kep;
    let is_status = |value: &&ChangedValue| value.key == "status";
    let is_provisional = values.iter().any(|value| value.after.as_deref() == Some("provisional"));
    let mut words = Vec::new();
    if directory.is_none() {
        words.push("removed".to_owned());
    } else if *is_new {
        words.push("new".to_owned());
        // A KEP that is provisional is not planned yet.
        let is_told = |value: &&ChangedValue| is_status(value) || (!is_provisional && value.key != "owning-sig");
        let told = values.iter().filter(is_told);
        words.extend(told.filter_map(|value| value.after.as_deref()).map(said));
    } else {
        words.extend(values.iter().map(value));
    }
    words.extend(asks.as_ref().map(|name| format!("asks `{}` for PRR", plain(name))));
    words.join(", ")
}

fn value(ChangedValue { key, before, after, .. }: &ChangedValue) -> String {
    match (before.as_deref().map(said), after.as_deref().map(said)) {
        (Some(before), Some(after)) if key.starts_with("milestone.") => format!("{key} {before} → {after}"),
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (Some(before), None) => format!("no {key} (was {before})"),
        (None, Some(after)) => format!("{key} {after}"),
        (None, None) => String::new(),
    }
}

/// `Design Details +122 −83, PRR +12, elsewhere +3 −3 lines`
fn chapters(chapters: &[ChangedChapter]) -> String {
    let all: usize = chapters.iter().map(|chapter| chapter.added + chapter.removed).sum();
    if all == 0 {
        return if chapters.is_empty() { String::new() } else { "README.md changed".to_owned() };
    }
    let (first, rest) = chapters.split_at(chapters.len().min(CHAPTERS));
    let mut words: Vec<String> = first.iter().map(|chapter| title(chapter) + &counts(chapter)).collect();
    if !rest.is_empty() {
        let (added, removed) =
            (rest.iter().map(|chapter| chapter.added).sum(), rest.iter().map(|chapter| chapter.removed).sum());
        words.push(format!("elsewhere{}", counts(&ChangedChapter { title: None, added, removed })));
    }
    words.join(", ") + if all == 1 { " line" } else { " lines" }
}

fn title(chapter: &ChangedChapter) -> String {
    match chapter.title.as_deref() {
        None => "before the first chapter".to_owned(),
        Some(long) if long.starts_with("Production Readiness Review") => "PRR".to_owned(),
        Some(title) => said(title),
    }
}

fn counts(chapter: &ChangedChapter) -> String {
    let signed = |sign: &str, count: usize| if count > 0 { format!(" {sign}{count}") } else { String::new() };
    signed("+", chapter.added) + &signed("−", chapter.removed)
}

/// A text of a KEP, as code where it could be taken for what is said of the KEP.
fn said(text: &str) -> String {
    let text = plain(text);
    if text.contains([',', ';', ':', '+', '−', '→']) { format!("`{text}`") } else { text }
}

/// A text of a KEP on one line, without backticks.
fn plain(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = brief(text).replace('`', "'");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::changes::OpenSections;
    use crate::lint::origin::Since;

    fn told(kep: ChangedKep) -> String {
        let run = Run { since: Some(Since { changed: vec![kep], ..Since::default() }), ..Run::default() };
        lines(&run).concat()
    }

    fn value_of(key: &'static str, before: Option<&str>, after: Option<&str>) -> ChangedValue {
        ChangedValue { key, before: before.map(str::to_owned), after: after.map(str::to_owned) }
    }

    fn kep(values: Vec<ChangedValue>) -> ChangedKep {
        ChangedKep { kep: Some("keps/sig-a/7-x".to_owned()), name: "7".to_owned(), values, ..ChangedKep::default() }
    }

    #[test]
    fn what_a_kep_says_is_not_taken_for_what_is_said_of_it() {
        let forged = value_of("latest-milestone", Some("v1.37"), Some("v1.38, asks ann for PRR"));
        assert_eq!(told(kep(vec![forged])), "KEP-7: v1.37 → `v1.38, asks ann for PRR`");
    }

    #[test]
    fn a_promotion_is_told_as_reviewers_ask() {
        let chapter = |title: &str, added, removed| ChangedChapter { title: Some(title.to_owned()), added, removed };
        let promoted = ChangedKep {
            asks: Some("ann".to_owned()),
            chapters: vec![
                chapter("Design Details", 122, 83),
                chapter("Production Readiness Review Questionnaire", 9, 0),
                chapter("Summary", 1, 2),
                ChangedChapter { removed: 1, ..ChangedChapter::default() },
            ],
            open: Some(OpenSections { open: 24, required: 49 }),
            ..kep(vec![
                value_of("stage", Some("alpha"), Some("beta")),
                value_of("latest-milestone", Some("v1.36"), Some("v1.37")),
            ])
        };
        assert_eq!(
            told(promoted),
            "KEP-7: alpha → beta, v1.36 → v1.37, asks `ann` for PRR; Design Details +122 −83, PRR +9, elsewhere +1 −3 \
             lines; 24 of 49 sections open"
        );
    }

    #[test]
    fn what_is_new_or_gone_is_told() {
        let status = |word: &str| value_of("status", None, Some(word));
        let new = |word: &str| ChangedKep {
            is_new: true,
            ..kep(vec![status(word), value_of("stage", None, Some("alpha")), value_of("owning-sig", None, Some("x"))])
        };
        assert_eq!(told(new("provisional")), "KEP-7: new, provisional");
        assert_eq!(told(new("implementable")), "KEP-7: new, implementable, alpha");
        let binary = ChangedKep { chapters: vec![ChangedChapter::default()], ..kep(Vec::new()) };
        assert_eq!(told(binary), "KEP-7: README.md changed");
        assert_eq!(told(ChangedKep { kep: None, ..kep(Vec::new()) }), "KEP-7: removed");
        let moved = vec![value_of("milestone.beta", Some("v1.35"), Some("v1.36"))];
        assert_eq!(told(kep(moved)), "KEP-7: milestone.beta v1.35 → v1.36");
        let values = vec![status("`@x`\n<b>"), value_of("stage", Some(&"y".repeat(99)), None)];
        assert_eq!(told(kep(values)), format!("KEP-7: status '@x' <b>, no stage (was {}…)", "y".repeat(60)));
        assert_eq!(told(ChangedKep { name: "a`b".to_owned(), is_new: true, ..kep(Vec::new()) }), "`a'b`: new");
    }

    #[test]
    fn five_keps_are_told_of() {
        let since = Since { changed: vec![kep(Vec::new()); 140], ..Since::default() };
        let lines = lines(&Run { since: Some(since), ..Run::default() });
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (6, Some("and 135 more")));
    }
}
