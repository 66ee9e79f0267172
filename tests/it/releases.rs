//! Which release is meant for the merged pull requests of three releases of Kubernetes, each on the day of its branch.

use crate::support::keps::{self, Source};
use crate::support::library::{self, Against};
use crate::support::project;
use kep_lint::ready::calendar::on_day;
use kep_lint::repository::Repository;
use kep_lint::stage::release::{OnDay, Question, Teller, Told, meant};
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use kep_lint::yaml::date::Date;
use std::fs;

/// A KEP that a pull request changes.
struct Row {
    pull: String,
    number: String,
    /// What the days of the releases say of the day of the merge.
    merged: OnDay,
    told: Told,
    own: Option<Release>,
    recorded: Release,
}

fn release(text: &str) -> Release {
    Release::parse(text).unwrap_or_else(|| panic!("`{text}` is no release"))
}

/// "v1.36=12,v1.35=73,older=363"
fn milestones(text: &str) -> impl Iterator<Item = Release> {
    text.split(',').flat_map(|entry| {
        let (name, count) = entry.split_once('=').expect("a release and a count");
        let name = if name == "older" { "v1.1" } else { name };
        std::iter::repeat_n(release(name), count.parse().expect("a count"))
    })
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(project().join("fixtures/releases/pulls.tsv")).expect("the table");
    let day = |text: &str| on_day(Date::parse(text).unwrap_or_else(|| panic!("`{text}` is no day")).into());
    let rows = table.lines().skip(1).flat_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [pull, _, merged, tip, counts, keps] = columns[..] else { panic!("{line}") };
        let (merged, tip) = (day(merged), day(tip));
        let told = Told { by: Teller::Base, milestones: milestones(counts).collect(), on_day: Some(tip) };
        let row = |kep: &str| {
            let parts: Vec<&str> = kep.split(':').collect();
            let [number, own, recorded] = parts[..] else { panic!("{kep}") };
            Row {
                pull: pull.to_owned(),
                number: number.to_owned(),
                merged,
                told: told.clone(),
                own: Release::parse(own).filter(|own| !own.is_unknown()),
                recorded: release(recorded),
            }
        };
        keps.split(' ').map(row).collect::<Vec<_>>()
    });
    rows.collect()
}

/// What is said of a stage to come names the release that it is planned for, and none that is out.
#[test]
fn a_given_stage_has_one_release() {
    let (template, repository) = (Template::built_in(), Repository::default());
    let options = library::options(|options| options.stage = Some(Stage::Stable));
    let against = Against { template: &template, repository: &repository, options: &options };
    let kep = |stable: &str| {
        let metadata = format!(
            "status: implementable\nstage: beta\nlatest-milestone: v1.37\nmilestone:\n  beta: v1.35\n  stable: {stable}\n"
        );
        let readme = b"# KEP-1: T\n\n## Implementation History\n\n- KEP accepted\n".to_vec();
        Source { readme, metadata: metadata.into_bytes(), ..keps::of_sample().remove(0) }
    };
    let words = |stable: &str, rule: &str| {
        let report = against.lint(&kep(stable).texts());
        let found = report.diagnostics.iter().find(|found| found.rule == rule).expect("it is found");
        format!("{}: {}", found.message, found.help.as_deref().unwrap_or_default())
    };
    let missed = words("v1.36", "stale-history");
    assert!(!missed.contains("v1.36"), "{missed}");
    let (history, milestone) = (words("TBD", "stale-history"), words("TBD", "invalid-milestone"));
    let planned = milestone.rsplit('"').nth(1).expect("a release");
    assert!(history.contains(&format!("({planned})")), "{history}, {milestone}");
}

#[test]
fn no_kep_of_a_pull_request_is_judged_for_a_release_that_is_out() {
    let rows = rows();
    assert!(rows.len() > 450, "{}", rows.len());
    let mut late = Vec::new();
    for Row { pull, number, merged, told, own, recorded } in &rows {
        let question = Question {
            given: None,
            configured: None,
            told: Some(told),
            is_kubernetes: true,
            own: *own,
            ahead: None,
            today: None,
        };
        let release = meant(&question).release;
        assert_eq!(release, *recorded, "pull request {pull}, KEP {number}");
        let on_tip = told.on_day.expect("the branch has a day");
        assert!(release >= on_tip.release, "pull request {pull}, KEP {number}: {release}");
        if release < merged.release {
            late.push((pull.as_str(), number.as_str()));
        }
    }
    // Both were merged on the day of a release, into a branch without a commit of that day.
    assert_eq!(late, [("5706", "1645"), ("6024", "5547")]);
    let is_there = |pull: &str| rows.iter().any(|row| row.pull == pull && row.recorded == row.merged.release);
    assert!(["5818", "6043", "6066"].into_iter().all(is_there));
}
