//! Whatever a kep.yaml looks like, a promotion changes only the values that it is about.

use crate::support::{is_whole, library, seed};
use kep_lint::authoring::promotion::{Goal, Promotion, Request, promote};
use kep_lint::diagnostic::Failure;
use kep_lint::kep::Kep;
use kep_lint::repository::Repository;
use kep_lint::stage::{Release, Stage};
use kep_lint::yaml::date::Date;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Lines that no promotion changes.
const OTHERS: [&str; 12] = [
    "title: \"A: title\"   # stage: alpha",
    "kep-number: 0042",
    "authors:\n  - \"@ann\" # latest-milestone: v1.30\n  - '@bob'",
    "owning-sig: sig-node",
    "participating-sigs: [sig-api-machinery,  'sig-cli']",
    "approvers: [ \"@cat\" ]",
    "creation-date: '2020-01-31'",
    "see-also:\n- /keps/sig-node/1-x\n",
    "feature-gates:\n  - name: Images # milestone\n    components:\n      - kubelet\n",
    "disable-supported: true",
    "metrics: # beta: v1.1\n  - images_total",
    "# stage: alpha\n\n# milestone:\n#   beta: v1.2",
];

/// What may be written for each value, around `{}`.
const QUOTES: [&str; 3] = ["{}", "'{}'", "\"{}\""];

const STATUS: [&str; 2] = ["provisional", "implementable"];

const MAPS: [&str; 8] = [
    "",
    "milestone:\n  alpha: v1.30",
    "milestone: # all\n    # first\n    alpha: \"v1.30\" # out\n    # more\n    stable: 'TBD'",
    "milestone: {alpha: v1.30}",
    "milestone: { \"alpha\": 'v1.30', stable: v1.40 } # end",
    "milestone:",
    "milestone: {}",
    "milestone:\n  beta: \"v1.33\"\n  alpha: v1.30\n  stable:",
];

const DATES: [&str; 3] = ["", "last-updated: 2021-02-03 # then", "last-updated: \"yyyy-mm-dd\""];

fn metadata() -> impl Strategy<Value = String> {
    let line = |key: &'static str, values: Vec<&'static str>| {
        let comments = select(vec!["", " # why", "   #alpha"]);
        (select(values), select(QUOTES.to_vec()), comments)
            .prop_map(move |(value, quotes, comment)| format!("{key}: {}{comment}", quotes.replace("{}", value)))
    };
    let values = (
        line("status", STATUS.to_vec()),
        line("stage", vec!["alpha", "beta"]),
        line("latest-milestone", vec!["v1.30", "0.0"]),
    );
    let others = subsequence(OTHERS.to_vec(), 0..=OTHERS.len()).prop_shuffle();
    let ends = (
        select(vec!["\n", "\r\n"]),
        select(vec!["", "\n", "\n\n# end\n"]),
        select(vec!["", "\u{feff}", "---\n", "# top\n\n"]),
    );
    let more = (select(MAPS.to_vec()), select(DATES.to_vec()), any::<prop::sample::Index>());
    (values, others, ends, more).prop_map(
        |((status, stage, latest), others, (newline, last, first), (map, date, at))| {
            let mut lines: Vec<String> = others.into_iter().map(str::to_owned).collect();
            let own = [status, stage, latest, map.to_owned(), date.to_owned()];
            for line in own.into_iter().filter(|line| !line.is_empty()) {
                let place = at.index(lines.len() + 1);
                lines.insert(place, line);
            }
            format!("{first}{}{last}", lines.join("\n")).replace('\n', newline)
        },
    )
}

/// A repository without PRR files.
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

/// The promotion of a KEP with this kep.yaml, in v1.38.
fn outcome(metadata: &str, goal: Goal) -> Result<Promotion, Failure> {
    promote(&kep(metadata), &request(goal))
}

fn kep(metadata: &str) -> Kep {
    Kep::parse(library::kep("keps/sig-node/42-images", [("kep.yaml", metadata.as_bytes())]))
}

fn request(goal: Goal) -> Request<'static> {
    let today = Date::parse("2026-11-22").expect("it is a date");
    let release = Release { major: 1, minor: 38 };
    Request { goal, release, skips_beta: true, today, repository: &REPOSITORY }
}

fn promoted(metadata: &str, goal: Goal) -> Option<Promotion> {
    outcome(metadata, goal).ok()
}

#[test]
fn a_review_is_asked_for_but_not_of_what_is_withdrawn() {
    let review = |status: &str| {
        let kep = kep(&format!("kep-number: 42\nowning-sig: sig-node\nstatus: {status}\nstage: beta\n"));
        let repository = &Repository { reviews: Some(BTreeMap::new()), ..Repository::default() };
        let request = Request { repository, ..request(Goal::Stage(Stage::Removed)) };
        let promotion = promote(&kep, &request).expect("it can be promoted");
        promotion.review.map(|review| review.text)
    };
    let text = review("implementable").expect("it is written");
    assert!(text.ends_with("kep-number: 42\nremoved:\n  approver: \"@TBD\"\n"), "{text}");
    assert_eq!(review("withdrawn"), None);
}

/// Whether a line is, or becomes, one of those that a promotion is about.
fn is_about(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_start();
    let keys = ["status:", "stage:", "latest-milestone:", "last-updated:", "milestone:", "alpha:", "beta:", "stable:"];
    keys.iter().any(|key| line.starts_with(key))
}

/// A line without its value: its key, and the comment and line end after the value.
fn around(line: &str) -> (&str, &str) {
    let (key, rest) = line.split_once(':').unwrap_or((line, ""));
    let value = rest.trim_start();
    let quote = value.chars().next().filter(|first| "'\"".contains(*first));
    let end = match quote {
        Some(quote) => value[1..].find(quote).map_or(value.len(), |end| end + 2),
        None => value.find([' ', '\r', '\n', '{']).unwrap_or(value.len()),
    };
    (key, &value[end..])
}

fn is_sound(before: &str, goal: Goal) -> Result<(), TestCaseError> {
    let Some(promotion) = promoted(before, goal) else {
        // Only a stage that is reached already may be refused here.
        let is_stage = |line: &&str| line.trim_start_matches('\u{feff}').starts_with("stage:");
        let stage = before.lines().find(is_stage).unwrap_or_default();
        prop_assert!(goal == Goal::Stage(Stage::Alpha) && stage.contains("beta"), "{before}");
        return Ok(());
    };
    let mut old = before.split_inclusive('\n').peekable();
    for line in promotion.metadata.split_inclusive('\n') {
        let trimmed = |line: &str| line.trim_end_matches(['\r', '\n']).to_owned();
        match old.peek() {
            // A line that was the last one may have got a line end.
            Some(same) if *same == line || (trimmed(same) == trimmed(line) && !same.ends_with('\n')) => {
                let _ = old.next();
            }
            Some(changed) if is_about(changed) && around(changed).0 == around(line).0 => {
                let changed = old.next().unwrap_or_default();
                let is_same = trimmed(around(changed).1) == trimmed(around(line).1);
                prop_assert!(line.contains('{') || is_same, "{changed:?} became {line:?}");
            }
            _ => prop_assert!(is_about(line), "{line:?} is new in\n{}", promotion.metadata),
        }
    }
    prop_assert_eq!(old.next(), None, "a line is lost in\n{}", promotion.metadata);
    prop_assert_eq!(before.ends_with('\n'), promotion.metadata.ends_with('\n'));
    prop_assert_eq!(before.matches('#').count(), promotion.metadata.matches('#').count());
    prop_assert!(promoted(&promotion.metadata, goal).is_none(), "it is promoted twice:\n{}", promotion.metadata);
    Ok(())
}

#[test]
fn a_promotion_changes_only_its_own_values() {
    let (seed, _) = seed();
    let config = Config {
        cases: if is_whole() { 1_000 } else { 100 },
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let goals = select(vec![Goal::Stage(Stage::Alpha), Goal::Stage(Stage::Beta), Goal::Stage(Stage::Stable)]);
    let result = TestRunner::new(config).run(&(metadata(), goals), |(text, goal)| is_sound(&text, goal));
    result.unwrap_or_else(|error| panic!("{error}"));
}

fn refusal(metadata: &str, goal: Goal) -> String {
    outcome(metadata, goal).map_or_else(|failure| failure.message, |promotion| promotion.metadata)
}

#[test]
fn what_cannot_be_promoted_is_refused_with_a_reason() {
    let beta = Goal::Stage(Stage::Beta);
    for (metadata, goal, says) in [
        ("status: implemented\nstage: stable\n", beta, "the KEP is implemented"),
        ("status: withdrawn\n", beta, "the KEP is withdrawn"),
        ("status: implementible\n", beta, "unknown status `implementible`"),
        ("status: implementable\nstage: stable\n", beta, "it is at stable, which is after beta"),
        ("status: implementable\nstage: alpha\nlatest-milestone: v1.40\n", beta, "v1.40, which is after v1.38"),
        (
            "status: implementable\nstage: beta\nlatest-milestone: v1.38\nmilestone: {beta: v1.38}\n",
            beta,
            "at beta for v1.38 already",
        ),
        ("status: [implementable\n", beta, "line 1:"),
        ("status: implementable\nstage: alpha\nstage: alpha\n", beta, "line 3: duplicate key `stage`"),
        ("status: implementable\nmilestone: v1.2\n", beta, "line 2: `milestone` is"),
        ("- status\n", beta, "line 1: the file contains a list"),
        ("status: implementable\n---\nstage: alpha\n---\n", beta, "line 2:"),
        ("status: implementable\nstage: &s alpha\nname: *s\n", beta, "`stage` cannot be changed"),
        ("status: implementable\nstage: beta\n", Goal::Implemented, "its stage is beta, not stable"),
        ("status: provisional\nstage: stable\n", Goal::Implemented, "its status is provisional"),
        ("status: implementable\nstage: stable\n", Goal::Implemented, "it has no milestone"),
        (
            "status: implementable\nstage: stable\nlatest-milestone: v1.39\n",
            Goal::Implemented,
            "its milestone is v1.39",
        ),
        ("status: implemented\nstage: stable\n", Goal::Implemented, "it is implemented already"),
        (
            "status: implementable\nstage: alpha\nmilestone: {alpha: v1.39}\n",
            beta,
            "its milestone for alpha is v1.39, which is after v1.38",
        ),
        (
            "status: implementable\nstage: beta\nmilestone: {beta: v1.40}\n",
            Goal::Stage(Stage::Stable),
            "its milestone for beta is v1.40, which is after v1.38",
        ),
        ("status: rejected\nstage: alpha\n", Goal::Stage(Stage::Removed), "the KEP is rejected"),
    ] {
        let refused = refusal(metadata, goal);
        assert!(refused.contains(says) && refused.starts_with("cannot "), "{metadata}: {refused}");
    }
}

#[test]
fn a_kep_stays_in_a_stage_for_a_later_release() {
    let text = "status: implementable\nstage: beta\nlatest-milestone: v1.36\nmilestone:\n  beta: v1.35\n  stable: v1.37 # soon\n";
    let promotion = promoted(text, Goal::Stage(Stage::Beta)).expect("the release is later");
    let wanted = text.replace("v1.36", "v1.38").replace("v1.37", "TBD");
    assert_eq!(promotion.metadata, wanted);
    assert_eq!(promotion.changes, ["latest-milestone: v1.36 → v1.38", "milestone.stable: v1.37 → TBD"]);
    assert_eq!(
        promotion.notes,
        [
            "it stays at beta, which it reached in v1.35",
            "stable was planned for v1.37, which is before v1.38: write the new plan"
        ]
    );
    // What is only proposed has not reached its stage.
    let proposed = text.replace("implementable", "provisional");
    let promotion = promoted(&proposed, Goal::Stage(Stage::Beta)).expect("it becomes implementable");
    assert_eq!(promotion.metadata, wanted.replace("v1.35", "v1.38"));
}

#[test]
fn the_help_of_a_refusal_can_be_followed() {
    for (metadata, help) in [
        (
            "status: implementable\nstage: deprecated\n",
            Some("promote it to `removed` first, once the feature is removed"),
        ),
        ("status: implementable\nstage: alpha\n", Some("promote it to `stable` first")),
        ("status: withdrawn\nstage: stable\n", Some("set `status: implementable` if it is taken up again")),
        ("status: provisional\nstage: alpha\n", Some("promote it to its stages first")),
        ("status: implemented\nstage: stable\n", None),
    ] {
        let failure = outcome(metadata, Goal::Implemented).expect_err("it is not done");
        assert_eq!(failure.help.as_deref(), help, "{metadata}");
    }
    let removed = Goal::Stage(Stage::Removed);
    for status in ["implementable", "withdrawn"] {
        let deprecated = format!("status: {status}\nstage: deprecated\n");
        let promotion = outcome(&deprecated, removed).expect("it can be removed");
        assert!(promotion.metadata.starts_with(&format!("status: {status}\nstage: removed\n")), "{status}");
        assert_eq!(promotion.changes.first().map(String::as_str), Some("stage: deprecated → removed"));
    }
}

#[test]
fn a_note_says_what_may_not_be_meant() {
    let notes = |metadata: &str, stage: Stage| {
        let promotion = outcome(
            &format!("kep-number: 42\nowning-sig: sig-node\nstatus: implementable\n{metadata}"),
            Goal::Stage(stage),
        );
        promotion.expect("it can be promoted").notes
    };
    for (metadata, stage, note) in [
        (
            "stage: alpha\nmilestone: {alpha: v1.38}\n",
            Stage::Beta,
            "alpha and beta are both v1.38: is release v1.39 meant?",
        ),
        (
            "stage: alpha\nlatest-milestone: v1.38\n",
            Stage::Beta,
            "alpha and beta are both v1.38: is release v1.39 meant?",
        ),
        (
            "stage: alpha\nmilestone: {alpha: TBD}\n",
            Stage::Beta,
            "`milestone.alpha` is `TBD`, not a release: write the one that it was in, or remove the line",
        ),
        (
            "stage: stable\nlatest-milestone: v1.30\nmilestone: {stable: v1.30}\n",
            Stage::Stable,
            "it stays at stable, which it reached in v1.30; if it is done, `kep-lint promote 42 implemented`",
        ),
    ] {
        assert_eq!(notes(metadata, stage), [note], "{metadata}");
    }
    assert_eq!(notes("stage: alpha\nmilestone: {alpha: v1.37, beta: v1.37}\n", Stage::Stable), [""; 0]);
    assert_eq!(notes("stage: alpha\nmilestone: {alpha: v1.30}\n", Stage::Deprecated), [""; 0]);
}

#[test]
fn only_who_says_so_skips_beta() {
    let promoted = |metadata: &str, stage: Stage, skips_beta: bool| {
        let text = format!("status: implementable\n{metadata}");
        let request = Request { skips_beta, ..request(Goal::Stage(stage)) };
        let failure = promote(&kep(&text), &request).err();
        failure.map(|failure| (failure.message, failure.help.unwrap_or_default()))
    };
    let alpha = "stage: alpha\nmilestone: {alpha: v1.30}\n";
    let (message, help) = promoted(alpha, Stage::Stable, false).expect("it is refused");
    assert!(message.ends_with("it was not in beta, which is before stable"), "{message}");
    assert_eq!(help, "promote it to beta first, or add `--skip-beta`");
    assert_eq!(promoted(alpha, Stage::Stable, true), None);
    for (metadata, stage) in [
        (alpha, Stage::Beta),
        (alpha, Stage::Removed),
        ("stage: alpha\nmilestone: {alpha: v1.30, beta: v1.34}\n", Stage::Stable),
        ("stage: beta\nmilestone: {alpha: v1.30}\n", Stage::Stable),
        ("", Stage::Stable),
    ] {
        assert_eq!(promoted(metadata, stage, false), None, "{metadata}");
    }
}
