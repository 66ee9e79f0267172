//! What changed since an earlier board: two outlines are compared, KEP by KEP and item by item.

use super::ALL;
use super::answer::State;
use super::checklist::Strictness;
use super::difference::{Difference, Items, differences, words};
use super::item::{Item, Kind};
use super::outline::{KepName, Outline, OutlinedKep};
use crate::bounds;
use crate::diagnostic::{brief, counted};
use crate::stage::Stage;
use crate::yaml::date::Date;
use std::cmp::Reverse;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub since: Since,
    /// Why some answers may differ although no file changed, each as a sentence without a full stop.
    pub notes: Vec<String>,
    /// The KEPs that are not as before, in the order of reports.
    pub keps: Vec<ComparedKep>,
    pub same: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The file, or the commit, branch or tag as the user wrote it.
    pub name: String,
    /// What was judged, if `name` is a file: `main at 64765b4b0`.
    pub judged: Option<String>,
    /// The hash of the commit that was judged; `None` without git.
    pub commit: Option<String>,
    /// The day on which the board was written, or the commit was made.
    pub day: Option<Date>,
}

/// A KEP that is not as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedKep {
    /// Which KEP it is; of one that is gone, as the earlier board has it.
    pub name: KepName,
    /// Its place on the board, from 0 on; `None` if it is not there any more.
    pub place: Option<usize>,
    pub change: Change,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    FellBack(Vec<Difference>),
    TurnedReady(Vec<Difference>),
    /// It was not on the earlier board, or not there.
    New(New),
    /// It is not on the board any more, or not there.
    Gone(Gone),
    /// It is ready or not as before, but items differ.
    Changed(Vec<Difference>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct New {
    /// Whether the earlier board asked for it, and its files were not there.
    pub was_asked: bool,
    pub is_in_tree: bool,
    pub is_ready: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// It is not on the board any more, such as for its milestone.
    Board,
    /// It is not in the tree any more.
    Files,
}

impl Comparison {
    /// Compares the board `now` with the one `before`. `is_there` tells whether a KEP that is not asked about any more is
    /// still in the tree.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the two are about different releases.
    pub fn of(
        since: Since,
        before: &Outline,
        now: &Outline,
        is_there: impl Fn(&KepName) -> bool,
    ) -> Result<Self, String> {
        let mut pairs = Pairs::of(&before.keps, &now.keps);
        if now.is_selection {
            pairs.gone.clear();
        }
        let is_comparable = |pair: &Pair<'_>| pair.before.release == pair.now.release;
        if before.release != now.release && !pairs.both.iter().any(is_comparable) {
            return Err(format!("it is about {}, and this board about {}", before.release, now.release));
        }
        let items = Items::of(before, now);
        let mut keps: Vec<ComparedKep> = pairs.both.iter().filter_map(|pair| pair.compared(&items)).collect();
        let same = pairs.both.len() - keps.len();
        let new = |(place, kep): &(usize, &OutlinedKep)| ComparedKep {
            name: kep.name.clone(),
            place: Some(*place),
            change: Change::New(New::of(kep)),
        };
        keps.extend(pairs.new.iter().map(new));
        let gone = |kep: &&OutlinedKep| {
            let is_lost = kep.name.is_in_tree() && !is_there(&kep.name);
            let change = Change::Gone(if is_lost { Gone::Files } else { Gone::Board });
            ComparedKep { name: kep.name.clone(), place: None, change }
        };
        keps.extend(pairs.gone.iter().map(gone));
        let has_gone = !pairs.gone.is_empty();
        keps.sort_by_cached_key(ComparedKep::order);
        let notes = notes(&since, before, now, &items, has_gone);
        Ok(Self { since, notes, keps, same })
    }

    /// What changed for the KEP at this place of the board; `None` if it is as before.
    pub fn change_at(&self, place: usize) -> Option<&Change> {
        self.keps.iter().find(|kep| kep.place == Some(place)).map(|kep| &kep.change)
    }

    /// How many KEPs changed in which way, and how many did not: `1 fell back, 2 changed, 80 as before`.
    pub fn counts(&self) -> String {
        if self.keps.is_empty() {
            return "nothing changed".to_owned();
        }
        let counted = |words| (self.keps.iter().filter(|kep| kep.change.words() == words).count(), words);
        let counts = Change::WORDS.into_iter().map(counted).chain([(self.same, "as before")]);
        let counts = counts.filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// The KEPs of two boards; those of the new one with their places.
struct Pairs<'a> {
    both: Vec<Pair<'a>>,
    new: Vec<(usize, &'a OutlinedKep)>,
    gone: Vec<&'a OutlinedKep>,
}

struct Pair<'a> {
    before: &'a OutlinedKep,
    now: &'a OutlinedKep,
    place: usize,
}

impl<'a> Pairs<'a> {
    /// A KEP is the one with its number; of several, that of its directory and stage.
    fn of(before: &'a [OutlinedKep], now: &'a [OutlinedKep]) -> Self {
        type IsPair = fn(&KepName, &KepName) -> bool;
        const PAIRS: [IsPair; 4] = [
            |one, other| one.directory == other.directory && one.stage == other.stage,
            |one, other| one.directory == other.directory,
            |one, other| one.stage == other.stage,
            |_, _| true,
        ];
        let mut by_key: HashMap<&str, Vec<&OutlinedKep>> = HashMap::new();
        before.iter().for_each(|kep| by_key.entry(kep.name.key()).or_default().push(kep));
        let mut left: Vec<(usize, &OutlinedKep)> = now.iter().enumerate().collect();
        let mut both = Vec::new();
        for is_pair in PAIRS {
            left.retain(|(place, kep)| {
                let Some(others) = by_key.get_mut(kep.name.key()) else { return true };
                let at = others.iter().position(|other| is_pair(&other.name, &kep.name));
                both.extend(at.map(|at| Pair { before: others.remove(at), now: kep, place: *place }));
                at.is_none()
            });
        }
        Self { both, new: left, gone: by_key.into_values().flatten().collect() }
    }
}

impl Pair<'_> {
    fn compared(&self, items: &Items<'_>) -> Option<ComparedKep> {
        let Self { before, now, place } = self;
        let change = change(before, now, items)?;
        let name = if matches!(change, Change::Gone(_)) { &before.name } else { &now.name };
        Some(ComparedKep { name: name.clone(), place: Some(*place), change })
    }
}

/// What changed for a KEP that is on both boards; `None` if nothing did.
fn change(before: &OutlinedKep, now: &OutlinedKep, items: &Items<'_>) -> Option<Change> {
    match (before.name.is_in_tree(), now.name.is_in_tree()) {
        (true, false) => return Some(Change::Gone(Gone::Files)),
        (false, true) => return Some(Change::New(New { was_asked: true, ..New::of(now) })),
        _ => {}
    }
    let differences = differences(before, now, items);
    match (is_ready(before, items), is_ready(now, items)) {
        // Another question has another answer.
        _ if before.release != now.release => Some(Change::Changed(differences)),
        (true, false) => Some(Change::FellBack(differences)),
        (false, true) => Some(Change::TurnedReady(differences)),
        _ if differences.is_empty() => None,
        _ => Some(Change::Changed(differences)),
    }
}

/// Whether a KEP is ready as far as both boards tell: what only one of them was given decides nothing.
fn is_ready(kep: &OutlinedKep, items: &Items<'_>) -> bool {
    let is_unknown = |item: &&Item| items.other.contains(item.name);
    let mut unknown = ALL.iter().filter(|item| item.kind == Kind::Verdict).filter(is_unknown).peekable();
    if unknown.peek().is_none() {
        return kep.is_ready;
    }
    let verdict = ALL.iter().filter(|item| item.kind == Kind::Verdict && !is_unknown(item));
    let mut known = verdict.filter_map(|item| kep.state(item.name));
    known.all(|state| state == State::Met)
}

/// Why some answers may differ although no file changed.
fn notes(since: &Since, before: &Outline, now: &Outline, items: &Items<'_>, has_gone: bool) -> Vec<String> {
    let name = format!("`{}`", brief(&since.name));
    let mut notes = Vec::new();
    if before.keps.is_empty() {
        notes.push(format!("{name} has none of these KEPs"));
    }
    if before.failures > 0 {
        let failures = counted(before.failures, "failure", "failures");
        notes.push(format!("{name} is incomplete: its run had {failures}"));
    }
    if now.failures > 0 && has_gone {
        notes.push("this run has failures: KEPs may be gone for that reason alone".to_owned());
    }
    let option = |board: &Outline| if board.strictness == Strictness::Evidence { "with" } else { "without" };
    if before.strictness != now.strictness {
        let (then, today) = (option(before), option(now));
        notes.push(format!("{name} was made {then} `--strict`, and this board {today}: what is ready differs"));
    }
    if before.tool != now.tool {
        let (theirs, own) = (brief(&before.tool), &now.tool);
        notes.push(format!("{name} was made by kep-lint {theirs}, and this board by {own}: answers may differ"));
    }
    if !items.other.is_empty() && !before.keps.is_empty() {
        let others = items.other.iter().take(bounds::LISTED_NAMES).map(|item| format!("`{}`", brief(item)));
        let others = others.collect::<Vec<_>>().join(", ");
        let more = items.other.len().checked_sub(bounds::LISTED_NAMES).filter(|more| *more > 0);
        let more = more.map(|more| format!(" and {more} others")).unwrap_or_default();
        notes.push(format!("only one of the boards has the items {others}{more}, which are not compared"));
    }
    if let Some(person) = before.person.as_ref().filter(|person| now.person.as_ref() != Some(person)) {
        notes.push(format!("{name} has only KEPs that wait for @{}", brief(person.name())));
    }
    if now.keps.iter().any(|kep| kep.is_proposed) {
        notes.push("what changes in a pull request counts only once it is merged".to_owned());
    }
    notes
}

impl New {
    fn of(kep: &OutlinedKep) -> Self {
        Self { was_asked: false, is_in_tree: kep.name.is_in_tree(), is_ready: kep.is_ready }
    }

    /// What a reader wants to know of it: `its files are new; not ready`.
    pub fn words(self) -> String {
        let state = match self {
            Self { is_in_tree: false, .. } => "not in the tree",
            Self { is_ready: true, .. } => "ready",
            Self { is_ready: false, .. } => "not ready",
        };
        if self.was_asked { format!("its files are new; {state}") } else { state.to_owned() }
    }
}

impl Gone {
    pub const ALL: [Self; 2] = [Self::Board, Self::Files];

    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Files => "files",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Board => "not on the board any more",
            Self::Files => "its files are gone",
        }
    }
}

impl Change {
    /// What each is called, in the order of reports.
    pub const WORDS: [&str; 5] = ["fell back", "turned ready", "new", "gone", "changed"];

    /// Its place in the order of reports.
    fn rank(&self) -> usize {
        match self {
            Self::FellBack(_) => 0,
            Self::TurnedReady(_) => 1,
            Self::New(_) => 2,
            Self::Gone(_) => 3,
            Self::Changed(_) => 4,
        }
    }

    pub fn words(&self) -> &'static str {
        Self::WORDS.get(self.rank()).copied().unwrap_or_default()
    }

    /// The items that are answered in another way.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::FellBack(items) | Self::TurnedReady(items) | Self::Changed(items) => items,
            Self::New(_) | Self::Gone(_) => &[],
        }
    }

    /// What differs, or what else a reader wants to know.
    pub fn details(&self) -> String {
        match self {
            Self::New(new) => new.words(),
            Self::Gone(gone) => gone.words().to_owned(),
            _ if self.differences().is_empty() => "no item differs".to_owned(),
            _ => words(self.differences()),
        }
    }
}

impl ComparedKep {
    /// The kinds of changes one after the other, and in each of them the KEPs by number.
    fn order(&self) -> (usize, Reverse<bool>, Option<u64>, KepOrder) {
        let KepName { number, directory, stage, .. } = &self.name;
        let digits = number.as_deref().and_then(|number| number.parse().ok());
        (self.change.rank(), Reverse(digits.is_some()), digits, (number.clone(), directory.clone(), *stage))
    }
}

/// The order of KEPs that have no number, or the same.
type KepOrder = (Option<String>, Option<String>, Option<Stage>);

impl Since {
    /// Which board it is: `main at 64765b4b0 (2026-05-31)`, `board.json (2026-05-31, main at 64765b4b0)`.
    pub fn words(&self) -> String {
        const SHORT: usize = 9;
        let name = brief(&self.name);
        let what = match (&self.judged, self.commit.as_deref()) {
            (None, Some(commit)) => {
                let short = commit.get(..SHORT).unwrap_or(commit);
                // Of a hash, the beginning is enough.
                if commit.starts_with(&self.name) { short.to_owned() } else { format!("{name} at {short}") }
            }
            _ => name.into_owned(),
        };
        let about = self.day.map(|day| day.to_string());
        let about: Vec<String> = about.into_iter().chain(self.judged.as_deref().map(|it| brief(it).into())).collect();
        if about.is_empty() { what } else { format!("{what} ({})", about.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::waiting::Waiting;
    use crate::stage::Release;
    use std::collections::BTreeSet;

    const V1_37: Release = Release { major: 1, minor: 37 };

    fn kep(number: &str, directory: Option<&str>, stage: Option<Stage>, status: State) -> OutlinedKep {
        let (number, directory) = (Some(number.to_owned()), directory.map(str::to_owned));
        OutlinedKep {
            name: KepName { number, directory, title: None, sig: None, stage },
            release: V1_37,
            is_proposed: false,
            is_ready: status == State::Met,
            states: vec![("status".to_owned(), status)],
            deadline: None,
            waiting: Waiting::default(),
        }
    }

    fn board(keps: Vec<OutlinedKep>) -> Outline {
        Outline {
            release: V1_37,
            strictness: Strictness::Verdict,
            is_selection: false,
            person: None,
            reviewers: BTreeSet::new(),
            items: BTreeSet::from(["status".to_owned()]),
            failures: 0,
            tool: String::new(),
            keps,
        }
    }

    fn compared(before: Vec<OutlinedKep>, now: Vec<OutlinedKep>) -> Vec<String> {
        let since = Since { name: "main".to_owned(), judged: None, commit: None, day: None };
        let comparison = Comparison::of(since, &board(before), &board(now), |_| true).expect("one release");
        let kep = |ComparedKep { name, place, change }: &ComparedKep| {
            let place = place.map_or(String::new(), |place| format!(" at {place}"));
            format!("{} {}{place}: {}", change.words(), name.key(), change.details())
        };
        comparison.keps.iter().map(kep).chain([comparison.counts()]).collect()
    }

    #[test]
    fn of_several_keps_with_a_number_the_likest_are_compared() {
        let (alpha, beta) = (Some(Stage::Alpha), Some(Stage::Beta));
        let before = vec![
            kep("5", Some("keps/a/5-x"), alpha, State::Met),
            kep("5", Some("keps/a/5-x"), beta, State::NotMet),
            kep("5", Some("keps/b/5-x"), beta, State::Look),
        ];
        let mut now = before.clone();
        now.rotate_left(1);
        assert_eq!(compared(before.clone(), now.clone()), ["nothing changed"]);
        // Its directory tells more than its stage.
        now.remove(1);
        if let Some(kep) = now.first_mut() {
            kep.name.stage = None;
        }
        let expected = [
            "gone 5: not on the board any more",
            "changed 5 at 0: target stage none (was beta)",
            "1 gone, 1 changed, 1 as before",
        ];
        assert_eq!(compared(before, now), expected);
    }

    #[test]
    fn keps_are_in_the_order_of_changes_and_numbers() {
        let states = |numbers: &[&str], state| -> Vec<OutlinedKep> {
            numbers.iter().map(|number| kep(number, Some("keps/a"), None, state)).collect()
        };
        let before = [states(&["30", "4"], State::NotMet), states(&["100", "20"], State::Met)].concat();
        let now = [states(&["100", "20", "4"], State::NotMet), states(&["30", "line 3 of the list", "7"], State::Met)];
        let lines = compared(before, now.concat());
        let words: Vec<&str> = lines.iter().filter_map(|line| line.split(" at ").next()).collect();
        let expected = ["fell back 20", "fell back 100", "turned ready 30", "new 7", "new line 3 of the list"];
        assert_eq!(words[..5], expected);
        assert_eq!(lines.last().map(String::as_str), Some("2 fell back, 1 turned ready, 2 new, 1 as before"));
    }

    #[test]
    fn a_kep_that_was_asked_for_and_came_is_new() {
        let absent = |number| kep(number, None, None, State::NotMet);
        let there = |number| kep(number, Some("keps/a"), None, State::Met);
        let lines = compared(
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
