//! What changed since an earlier board: two outlines are compared, KEP by KEP and item by item.
use super::answer::{State, numbers};
use super::checklist::Checklist;
use super::items::{ALL, Kind};
use super::outline::{Outline, Since};
use crate::bounds;
use crate::diagnostic::{brief, counted, quoted};
use crate::span::grouped;
use crate::stage::Stage;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub since: Since,
    /// Why some answers may differ although no file changed, each as a sentence without a full stop.
    pub notes: Vec<String>,
    /// The KEPs that are not as before, in the order of reports.
    pub keps: Vec<ComparedKep>,
    pub same: usize,
}

/// Of a KEP that is gone, it is what the earlier board has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedKep {
    pub kep: Option<String>,
    pub number: Option<String>,
    pub title: Option<String>,
    pub sig: Option<String>,
    /// The stage that is asked about: a list may have a KEP twice.
    pub stage: Option<Stage>,
    pub reason: Option<Reason>,
    pub items: Vec<Difference>,
    #[serde(skip)]
    pub change: Change,
    /// What differs, or what else a reader wants to know.
    #[serde(skip)]
    pub details: String,
    /// Its place on the board, from 0 on; `None` if it is not there any more.
    #[serde(skip)]
    pub place: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    FellBack,
    TurnedReady,
    /// It was not on the earlier board, or not there.
    New,
    /// It is not on the board any more, or not there.
    Gone,
    /// It is ready or not as before, but items differ.
    Changed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The board, such as for its milestone.
    Board,
    Files,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The name of the item, or of what else is compared.
    pub item: &'static str,
    pub title: String,
    /// The names of the states, stages or releases; `None` for what is not asked, and for no stage.
    pub before: Option<String>,
    pub after: Option<String>,
}

/// The items that two boards can tell about, and those that only one of them can.
struct Items<'a> {
    common: BTreeSet<&'a str>,
    other: BTreeSet<&'a str>,
}

impl Change {
    pub const ALL: [Self; 5] = [Self::FellBack, Self::TurnedReady, Self::New, Self::Gone, Self::Changed];

    pub fn words(self) -> &'static str {
        match self {
            Self::FellBack => "fell back",
            Self::TurnedReady => "turned ready",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Changed => "changed",
        }
    }

    /// Whether it is good or bad; `None` if it may be either.
    pub fn state(self) -> Option<State> {
        match self {
            Self::FellBack => Some(State::NotMet),
            Self::TurnedReady => Some(State::Met),
            Self::New | Self::Gone | Self::Changed => None,
        }
    }
}

impl ComparedKep {
    fn of(kep: &Checklist, place: Option<usize>, change: Change, details: String) -> Self {
        let Checklist { kep, number, title, sig, stage, .. } = kep.clone();
        Self { kep, number, title, sig, stage, reason: None, items: Vec::new(), change, details, place }
    }
}

impl Comparison {
    /// Compares the board `now` with the one `before`. `is_there` tells whether a KEP that is not asked about any more is
    /// still in the tree. Fails with the reason if the two are about different releases.
    pub fn of(
        since: Since,
        before: &Outline,
        now: &Outline,
        is_there: impl Fn(&Checklist) -> bool,
    ) -> Result<Self, String> {
        let Pairs { both, new, mut gone } = paired(&before.keps, &now.keps);
        if now.is_selection {
            gone.clear();
        }
        if before.release.name != now.release.name && !both.iter().any(|(old, _, kep)| old.release == kep.release) {
            return Err(format!("it is about {}, and this board about {}", before.release.name, now.release.name));
        }
        let (known_before, known_now) = (before.known_items(), now.known_items());
        let optional: BTreeSet<&str> = ALL.iter().filter(|item| item.is_optional()).map(|item| item.name).collect();
        let items = Items { common: &known_before & &known_now, other: &(&known_before ^ &known_now) - &optional };
        let mut keps: Vec<ComparedKep> =
            both.iter().filter_map(|(old, place, kep)| compared(old, *place, kep, &items)).collect();
        let same = both.len() - keps.len();
        keps.extend(new.iter().map(|(place, kep)| only_in_one(kep, Some(*place), Change::New, Reason::Board)));
        for kep in &gone {
            let is_lost = kep.kep.is_some() && !is_there(kep);
            let reason = if is_lost { Reason::Files } else { Reason::Board };
            keps.push(only_in_one(kep, None, Change::Gone, reason));
        }
        // The kinds of changes one after the other, and in each of them the KEPs by number.
        keps.sort_by_cached_key(|kep| {
            let digits = kep.number.as_deref().and_then(|number| number.parse::<u64>().ok());
            (kep.change, Reverse(digits.is_some()), digits, kep.kep.clone(), kep.number.clone(), kep.stage)
        });
        let notes = notes(&since, before, now, &items, !gone.is_empty());
        Ok(Self { since, notes, keps, same })
    }

    /// What changed for the KEP at this place of the board; `None` if it is as before.
    pub fn at(&self, place: usize) -> Option<&ComparedKep> {
        self.keps.iter().find(|kep| kep.place == Some(place))
    }

    /// How many KEPs changed in which way, and how many did not: `1 fell back, 2 changed, 80 as before`.
    pub fn counts(&self) -> String {
        if self.keps.is_empty() {
            return "nothing changed".to_owned();
        }
        let counted = |change| (self.keps.iter().filter(|kep| kep.change == change).count(), change.words());
        numbers(Change::ALL.into_iter().map(counted).chain([(self.same, "as before")]))
    }
}

/// The KEPs that both boards have, and that only one of them has; those of the new one with their places.
struct Pairs<'a> {
    both: Vec<(&'a Checklist, usize, &'a Checklist)>,
    new: Vec<(usize, &'a Checklist)>,
    gone: Vec<&'a Checklist>,
}

/// A KEP is the one with its number; of several, that of its directory and stage.
fn paired<'a>(before: &'a [Checklist], now: &'a [Checklist]) -> Pairs<'a> {
    let mut by_key: HashMap<&str, Vec<&Checklist>> = HashMap::new();
    before.iter().for_each(|kep| by_key.entry(key(kep)).or_default().push(kep));
    let mut new: Vec<(usize, &Checklist)> = now.iter().enumerate().collect();
    let mut both = Vec::new();
    for (has_kep, has_stage) in [(true, true), (true, false), (false, true), (false, false)] {
        let is_pair = |one: &Checklist, other: &Checklist| {
            (one.kep == other.kep || !has_kep) && (one.stage == other.stage || !has_stage)
        };
        new.retain(|(place, kep)| {
            let Some(others) = by_key.get_mut(key(kep)) else { return true };
            let Some(at) = others.iter().position(|other| is_pair(other, kep)) else { return true };
            both.push((others.remove(at), *place, *kep));
            false
        });
    }
    Pairs { both, new, gone: by_key.into_values().flatten().collect() }
}

/// What tells a KEP from others on all boards: its number, or its directory if it has none.
fn key(kep: &Checklist) -> &str {
    kep.number.as_deref().or(kep.kep.as_deref()).unwrap_or_default()
}

/// What changed for a KEP that is on both boards; `None` if nothing did.
fn compared(before: &Checklist, place: usize, now: &Checklist, items: &Items<'_>) -> Option<ComparedKep> {
    match (&before.kep, &now.kep) {
        (Some(_), None) => return Some(only_in_one(before, Some(place), Change::Gone, Reason::Files)),
        (None, Some(_)) => return Some(only_in_one(now, Some(place), Change::New, Reason::Files)),
        _ => {}
    }
    let differences = differences(before, now, items);
    let change = match (is_ready(before, items), is_ready(now, items)) {
        // Another question has another answer.
        _ if before.release != now.release => Change::Changed,
        (true, false) => Change::FellBack,
        (false, true) => Change::TurnedReady,
        _ if differences.is_empty() => return None,
        _ => Change::Changed,
    };
    let details = if differences.is_empty() { "no item differs".to_owned() } else { words(&differences) };
    Some(ComparedKep { items: differences, ..ComparedKep::of(now, Some(place), change, details) })
}

fn only_in_one(kep: &Checklist, place: Option<usize>, change: Change, reason: Reason) -> ComparedKep {
    let state = match (&kep.kep, kep.is_ready) {
        (None, _) => "not in the tree",
        (Some(_), true) => "ready",
        (Some(_), false) => "not ready",
    };
    let details = match (change, reason) {
        (Change::Gone, Reason::Board) => "not on the board any more".to_owned(),
        (Change::Gone, Reason::Files) => "its files are gone".to_owned(),
        (_, Reason::Board) => state.to_owned(),
        (_, Reason::Files) => format!("its files are new; {state}"),
    };
    ComparedKep { reason: Some(reason), ..ComparedKep::of(kep, place, change, details) }
}

/// Whether a KEP is ready as far as both boards tell: what only one of them was given decides nothing.
fn is_ready(kep: &Checklist, items: &Items<'_>) -> bool {
    if !ALL.iter().any(|item| item.kind == Kind::Verdict && items.other.contains(item.name)) {
        return kep.is_ready;
    }
    let mut known = kep.of_kind(Kind::Verdict).filter(|entry| !items.other.contains(entry.item.name));
    known.all(|entry| entry.answer.state == State::Met)
}

fn differences(before: &Checklist, now: &Checklist, items: &Items<'_>) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut add = |item, title: &str, old: Option<String>, new: Option<String>| {
        if old != new {
            differences.push(Difference { item, title: title.to_owned(), before: old, after: new });
        }
    };
    if before.release != now.release {
        add("release", "release", Some(before.release.to_string()), Some(now.release.to_string()));
        return differences;
    }
    let stage = |kep: &Checklist| kep.stage.map(|stage| stage.to_string());
    add("target-stage", "target stage", stage(before), stage(now));
    for item in ALL.iter().filter(|item| items.common.contains(item.name)) {
        let state = |kep: &Checklist| kep.answer(item.name).map(|answer| answer.state.name().to_owned());
        let (old, new) = (state(before), state(now));
        // It was not answered for want of something that is not the KEP's.
        if !item.is_optional() || old.is_some() && new.is_some() {
            add(item.name, item.title, old, new);
        }
    }
    let in_time = |kep: &Checklist| {
        kep.deadline.as_ref().map(|it| if it.met { State::Met } else { State::NotMet }.name().to_owned())
    };
    let named = now.deadline.as_ref().or(before.deadline.as_ref());
    let title = named.map(|deadline| brief(&deadline.name)).unwrap_or_default();
    add("deadline", &title, in_time(before), in_time(now));
    differences
}

/// The items with the same answers together: `PRR, PRR freeze not met (were met); target stage beta (was alpha)`.
fn words(differences: &[Difference]) -> String {
    let values = differences.iter().map(|one| ((value(&one.after, one), value(&one.before, one)), one.title.as_str()));
    let group = |((after, before), titles): ((&str, &str), Vec<&str>)| {
        let were = if titles.len() == 1 { "was" } else { "were" };
        format!("{} {after} ({were} {before})", titles.join(", "))
    };
    grouped(values).into_iter().map(group).collect::<Vec<_>>().join("; ")
}

fn value<'a>(value: &'a Option<String>, of: &Difference) -> &'a str {
    match value.as_deref() {
        None if of.item == "target-stage" => "none",
        None => "not asked",
        Some("not-met") => State::NotMet.words(),
        Some(name) => name,
    }
}

fn notes(since: &Since, before: &Outline, now: &Outline, items: &Items<'_>, has_gone: bool) -> Vec<String> {
    let name = format!("`{}`", brief(&since.name));
    let mut notes: Vec<String> = since.note.iter().cloned().collect();
    if before.keps.is_empty() {
        notes.push(format!("{name} has none of these KEPs"));
    }
    if before.repeated > 0 {
        let keps = counted(before.repeated, "KEP", "KEPs");
        notes.push(format!("{name} has {keps} more than once, of which the first counts"));
    }
    if !before.failures.is_empty() {
        let failures = counted(before.failures.len(), "failure", "failures");
        notes.push(format!("{name} is incomplete: its run had {failures}"));
    }
    if !now.failures.is_empty() && has_gone {
        notes.push("this run has failures: KEPs may be gone for that reason alone".to_owned());
    }
    if before.strict != now.strict {
        let (then, today) = if now.strict { ("without", "with") } else { ("with", "without") };
        notes.push(format!("{name} was made {then} `--strict`, and this board {today}: what is ready differs"));
    }
    if before.tool.version != now.tool.version {
        let (theirs, own) = (brief(&before.tool.version), &now.tool.version);
        notes.push(format!("{name} was made by kep-lint {theirs}, and this board by {own}: answers may differ"));
    }
    if !items.other.is_empty() && !before.keps.is_empty() {
        let others = items.other.iter().take(bounds::LISTED_NAMES).map(|item| format!("`{}`", brief(item)));
        let others = others.collect::<Vec<_>>().join(", ");
        let more = items.other.len().checked_sub(bounds::LISTED_NAMES).filter(|more| *more > 0);
        let more = more.map(|more| format!(" and {more} others")).unwrap_or_default();
        notes.push(format!("only one of the boards has the items {others}{more}, which are not compared"));
    }
    if let Some(person) = before.waiting_for.as_ref().filter(|person| now.waiting_for.as_ref() != Some(person)) {
        notes.push(format!("{name} has only KEPs that wait for {}", quoted(&brief(person.name()))));
    }
    if now.keps.iter().any(|kep| kep.is_proposed) {
        notes.push("what changes in a pull request counts only once it is merged".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::answer::Answer;
    use crate::ready::checklist::Entry;
    use crate::ready::items::item;

    fn kep(number: &str, directory: Option<&str>, stage: Option<Stage>, status: State) -> Checklist {
        let entry = |item| Entry { item, answer: Answer::new(status, "") };
        Checklist {
            number: Some(number.to_owned()),
            kep: directory.map(str::to_owned),
            stage,
            is_ready: status == State::Met,
            entries: item("status").map(entry).into_iter().collect(),
            ..Checklist::default()
        }
    }

    fn outline(keps: Vec<Checklist>) -> Outline {
        let text = r#"{"tool": {"version": ""}, "release": {"name": "v1.37"}, "strict": false, "prr_approvers": [],
            "items": [{"name": "status"}], "keps": [], "failures": []}"#;
        Outline { keps, ..Outline::of_json(text).expect("it is one") }
    }

    fn changes(before: Vec<Checklist>, now: Vec<Checklist>) -> Vec<String> {
        let since = Since { name: "main".to_owned(), judged: None, commit: None, day: None, note: None };
        let comparison = Comparison::of(since, &outline(before), &outline(now), |_| true).expect("one release");
        let kep = |ComparedKep { number, place, change, details, .. }: &ComparedKep| {
            let place = place.map_or(String::new(), |place| format!(" at {place}"));
            format!("{} {}{place}: {details}", change.words(), number.as_deref().unwrap_or_default())
        };
        comparison.keps.iter().map(kep).chain([comparison.counts()]).collect()
    }

    #[test]
    fn of_several_keps_with_a_number_the_likest_are_changes() {
        let (alpha, beta) = (Some(Stage::Alpha), Some(Stage::Beta));
        let before = vec![
            kep("5", Some("keps/a/5-x"), alpha, State::Met),
            kep("5", Some("keps/a/5-x"), beta, State::NotMet),
            kep("5", Some("keps/b/5-x"), beta, State::Look),
        ];
        let mut now = before.clone();
        now.rotate_left(1);
        assert_eq!(changes(before.clone(), now.clone()), ["nothing changed"]);
        // Its directory tells more than its stage.
        now.remove(1);
        if let Some(kep) = now.first_mut() {
            kep.stage = None;
        }
        let expected = [
            "gone 5: not on the board any more",
            "changed 5 at 0: target stage none (was beta)",
            "1 gone, 1 changed, 1 as before",
        ];
        assert_eq!(changes(before, now), expected);
    }

    #[test]
    fn keps_are_in_the_order_of_changes_and_numbers() {
        let states = |numbers: &[&str], state| -> Vec<Checklist> {
            numbers.iter().map(|number| kep(number, Some("keps/a"), None, state)).collect()
        };
        let before = [states(&["30", "4"], State::NotMet), states(&["100", "20"], State::Met)].concat();
        let now = [states(&["100", "20", "4"], State::NotMet), states(&["30", "line 3 of the list", "7"], State::Met)];
        let lines = changes(before, now.concat());
        let words: Vec<&str> = lines.iter().filter_map(|line| line.split(" at ").next()).collect();
        let expected = ["fell back 20", "fell back 100", "turned ready 30", "new 7", "new line 3 of the list"];
        assert_eq!(words[..5], expected);
        assert_eq!(lines.last().map(String::as_str), Some("2 fell back, 1 turned ready, 2 new, 1 as before"));
    }

    #[test]
    fn a_kep_that_was_asked_for_and_came_is_new() {
        let absent = |number| kep(number, None, None, State::NotMet);
        let there = |number| kep(number, Some("keps/a"), None, State::Met);
        let lines = changes(
            vec![absent("1"), there("2"), absent("3"), absent("4")],
            vec![there("1"), absent("2"), absent("3")],
        );
        let expected = [
            "new 1 at 0: its files are new; ready",
            "gone 2 at 1: its files are gone",
            "gone 4: not on the board any more",
            "1 new, 2 gone, 1 as before",
        ];
        assert_eq!(lines, expected);
    }
}
