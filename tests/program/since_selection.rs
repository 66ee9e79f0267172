//! `--new-only` finds what a change makes new in KEPs that it does not touch, and nothing else there.

use crate::support::mutation::Random;
use crate::support::scratch::{Scratch, findings};
use crate::support::{is_whole, seed};
use std::fs;

const NEW: [&str; 3] = ["--since", "HEAD~1", "--new-only"];
const CHANGED: &str = "keps/sig-scheduling/6132-prequeueing-hints";
const OTHER: &str = "keps/sig-storage/5502-emptydir-volume-mode";
const TEMPLATE: &str = "keps/NNNN-kep-template/README.md";

/// Adds a line at the end of a README.
fn add(repository: &Scratch, kep: &str, line: &str) {
    let path = format!("{kep}/README.md");
    let text = repository.read(&path);
    repository.write(&path, &format!("{text}\n{line}\n"));
}

#[test]
fn a_heading_that_another_kep_links_to_is_missed_there() {
    let repository = Scratch::sample();
    add(&repository, CHANGED, "### Odd Cases\n\nThere are some.");
    add(&repository, OTHER, "See [them](../../sig-scheduling/6132-prequeueing-hints/README.md#odd-cases).");
    repository.commit();
    repository.replace(&format!("{CHANGED}/README.md"), "### Odd Cases", "### Other Cases");
    repository.commit();
    assert_eq!(repository.findings(&NEW), [format!("{OTHER}/README.md dead-anchor")]);
    // Without it, only what was changed is checked.
    assert!(repository.lint(&NEW[..2]).stderr.starts_with("checked 1 KEP "));
    // A second link to it is new.
    add(&repository, OTHER, "[Again](../../sig-scheduling/6132-prequeueing-hints/README.md#odd-cases).");
    repository.commit();
    assert_eq!(repository.findings(&NEW), [format!("{OTHER}/README.md dead-anchor")]);
}

#[test]
fn a_gate_that_another_kep_names_is_missed_there() {
    let repository = Scratch::sample();
    let gate = "  - name: OddSchedulerHints\n    components:\n      - kube-scheduler\n";
    let key = "disable-supported";
    repository.replace(&format!("{CHANGED}/kep.yaml"), key, &format!("{gate}{key}"));
    let line = "  - Feature gate name: `EmptyDirVolumeMode`\n";
    let more = "  - Feature gate name: `OddSchedulerHints`\n  - Feature gate name: `SchedulerPreQueueingHints`\n";
    repository.replace(&format!("{OTHER}/README.md"), line, &format!("{line}{more}"));
    repository.commit();
    repository.replace(&format!("{CHANGED}/kep.yaml"), "OddSchedulerHints", "SchedulerOddHints");
    repository.commit();
    // It was a suggestion as long as another KEP had the gate.
    assert_eq!(repository.findings(&NEW), [format!("{OTHER}/README.md feature-gate-mismatch")]);
}

#[test]
fn what_is_asked_since_the_change_is_not_new() {
    let repository = Scratch::sample();
    let template = include_str!("../../templates/kep.md");
    repository.write(TEMPLATE, template);
    repository.commit();
    repository.write(TEMPLATE, &template.replace("\n### Goals\n", "\n### More Goals\n\n### Goals\n"));
    repository.commit();
    let about = ["--select", "missing-section,empty-section"];
    assert_eq!(repository.findings(&[&NEW[..], &about].concat()), [""; 0]);
    repository.write("sigs.yaml", "sigs:\n  - dir: sig-node\n");
    repository.commit();
    assert_eq!(repository.findings(&NEW), [""; 0]);
}

/// What is selected has all that is new: a change of `.gitattributes` selects all KEPs.
#[test]
fn a_run_over_all_keps_finds_no_more() {
    let repository = Scratch::sample();
    let mut random = Random(seed().0);
    let groups = fs::read_dir(repository.at("keps")).expect("a directory").map(|entry| entry.expect("an entry").path());
    let groups = groups.filter(|path| !path.ends_with("prod-readiness"));
    let keps = groups.flat_map(|group| fs::read_dir(group).expect("a directory"));
    let root = repository.at("");
    let shown =
        |path: std::path::PathBuf| path.strip_prefix(&root).expect("it is below").to_string_lossy().into_owned();
    let mut keps: Vec<String> = keps.map(|entry| shown(entry.expect("an entry").path())).collect();
    keps.sort();
    let mut new = 0;
    for step in 0..if is_whole() { 60 } else { 6 } {
        for _ in 0..=random.below(2) {
            change(&repository, &mut random, &keps, step);
        }
        repository.commit();
        let found = repository.lint(&NEW);
        repository.write("keps/.gitattributes", &format!("# {step}\n"));
        let all = repository.lint(&NEW);
        assert_eq!(findings(&found), findings(&all), "step {step}");
        fs::remove_file(repository.at("keps/.gitattributes")).expect("it was written");
        new += findings(&found).len();
    }
    assert!(new > 5, "there are new findings: {new}");
}

fn change(repository: &Scratch, random: &mut Random, keps: &[String], step: usize) {
    let (kep, other) = (random.pick(keps).clone(), random.pick(keps).clone());
    let (readme, metadata) = (format!("{kep}/README.md"), format!("{kep}/kep.yaml"));
    if !repository.at(&readme).exists() || !repository.at(&metadata).exists() {
        return;
    }
    let name = other.trim_start_matches("keps/");
    match random.below(8) {
        0 => add(repository, &kep, &format!("See [it](../../{name}/README.md#motivation).")),
        1 => add(repository, &kep, &format!("See [it](../../{name}/kep.yaml).")),
        2 => repository.write(&readme, &repository.read(&readme).replace("\n## Motivation\n", "\n## Reasons\n")),
        3 => repository.write(&readme, &repository.read(&readme).replace("\n## Reasons\n", "\n## Motivation\n")),
        4 => repository.write(&metadata, &repository.read(&metadata).replace("  - name: ", "  - name: Odd")),
        5 => repository.write(&metadata, &format!("{}see-also:\n  - /{other}\n", repository.read(&metadata))),
        6 => fs::remove_file(repository.at(&metadata)).expect("it is there"),
        _ => {
            let text = repository.read(&metadata).replace("kep-number: ", "kep-number: 1");
            repository.write(&format!("keps/sig-node/{}-new/kep.yaml", 7000 + step), &text);
            repository.write(&format!("keps/sig-node/{}-new/README.md", 7000 + step), &repository.read(&readme));
        }
    }
}
