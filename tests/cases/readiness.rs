//! `ready` and lint answer alike: for the KEPs of the newest release of a tree, each at its stage and at the next one, every
//! item of the checklist is compared with the findings of the rules about the same thing.

use crate::support::library::{Tree, options};
use crate::support::{files_below, project, real_data, spread};
use crate::without_data;
use kep_lint::diagnostic::Diagnostic;
use kep_lint::diagnostic::script::Script;
use kep_lint::diagnostic::subject::Subject;
use kep_lint::kep::Kep;
use kep_lint::lint::lint;
use kep_lint::lint::report::KepReport;
use kep_lint::ready::answer::State;
use kep_lint::ready::case::Ask;
use kep_lint::ready::checklist::Checklist;
use kep_lint::ready::judge;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);

/// The rules that find a gap.
const GAPS: [&str; 6] = [
    "missing-section",
    "commented-out-section",
    "swallowed-heading",
    "empty-section",
    "placeholder-section",
    "template-text",
];

/// The items that a rule is about as well.
#[derive(Clone, Copy)]
struct Same {
    item: &'static str,
    /// The findings about the same thing.
    finds: fn(&Diagnostic, &Asked) -> bool,
    /// Whether the rules find something wherever the item is not met. Items also ask for what no rule reports: that
    /// kep.yaml has the stage and release that are asked about.
    is_found: bool,
}

/// What is asked.
struct Asked {
    stage: Stage,
    release: Release,
}

const SAME: [Same; 13] = [
    Same { item: "tree", finds: |it, _| ["missing-readme", "missing-kep-yaml"].contains(&it.rule), is_found: true },
    Same { item: "metadata", finds: is_invalid, is_found: true },
    Same { item: "status", finds: |it, _| it.rule == "invalid-status", is_found: false },
    Same { item: "stage", finds: |it, _| it.rule == "invalid-stage", is_found: false },
    Same { item: "stage-milestone", finds: is_about_milestone, is_found: true },
    Same { item: "prr", finds: is_about_review, is_found: true },
    Same { item: "node-approver", finds: |it, _| it.rule == "node-approver", is_found: false },
    Same { item: "toc", finds: is_about_toc, is_found: true },
    Same { item: "signoff", finds: |it, _| is_gap_in(it, "Release Signoff Checklist"), is_found: false },
    Same { item: "test-plan", finds: is_about_tests, is_found: true },
    Same { item: "graduation", finds: is_about_criteria, is_found: true },
    Same { item: "history", finds: is_about_history, is_found: true },
    Same { item: "unresolved", finds: is_unresolved, is_found: true },
];

fn is_invalid(found: &Diagnostic, _: &Asked) -> bool {
    let is_of_upstream = found.upstream == Some(Script::Metadata);
    let is_other = ["invalid-prr", "prr-approver", "missing-prr", "node-approver"].contains(&found.rule);
    is_of_upstream && !is_other || ["invalid-status", "kep-number-mismatch"].contains(&found.rule)
}

fn is_about_milestone(found: &Diagnostic, asked: &Asked) -> bool {
    let is_of_stage = || found.message.starts_with(&format!("the {} milestone", asked.stage));
    found.rule == "stage-milestone" || ["missed-milestone", "invalid-milestone"].contains(&found.rule) && is_of_stage()
}

/// Other stages have approvers as well: that of kep.yaml, and those before it.
fn is_about_review(found: &Diagnostic, asked: &Asked) -> bool {
    match found.rule {
        "missing-prr" => found.message.contains("missing") || found.message.ends_with(asked.stage.name()),
        "prr-approver" => found.message.contains("missing") || found.message.contains("is not in"),
        rule => ["invalid-prr", "prr-number-mismatch", "orphan-prr", "kep-number-mismatch"].contains(&rule),
    }
}

fn is_about_toc(found: &Diagnostic, _: &Asked) -> bool {
    ["missing-toc", "stale-toc"].contains(&found.rule) && found.upstream.is_some()
}

fn is_about_tests(found: &Diagnostic, _: &Asked) -> bool {
    found.rule == "unacknowledged-test-plan" || is_gap_in(found, "Test Plan")
}

fn is_about_criteria(found: &Diagnostic, _: &Asked) -> bool {
    found.rule == "missing-graduation-stage" || is_gap_in(found, "Graduation Criteria")
}

fn is_about_history(found: &Diagnostic, _: &Asked) -> bool {
    found.rule == "stale-history" || is_gap_in(found, "Implementation History")
}

fn is_unresolved(found: &Diagnostic, _: &Asked) -> bool {
    ["unresolved-marker", "unbalanced-unresolved"].contains(&found.rule)
}

/// Whether a finding is about a gap in this section of the template, or stands for one.
fn is_gap_in(found: &Diagnostic, title: &str) -> bool {
    let is_inside = |path: &[String]| path.iter().any(|part| part == title);
    let mut paths = TEMPLATE.iter().map(|(id, _)| TEMPLATE.path(id)).filter(|path| is_inside(path));
    let mut is_covered = || paths.any(|path| found.covers.contains(&Subject::gap(&path)));
    GAPS.contains(&found.rule) && (found.section.as_deref().is_some_and(is_inside) || is_covered())
}

pub fn trials() -> Vec<Trial> {
    let sample = Trial::test("ready/the sample is judged as it is linted", || {
        are_judged_as_linted(&project().join("fixtures/sample"), 1);
        Ok(())
    });
    let name = "ready/the KEPs of v1.37 are judged as they are linted";
    let corpus = real_data("corpus").map(|root| {
        Trial::test(name, move || {
            are_judged_as_linted(&root, 94);
            Ok(())
        })
    });
    vec![sample, corpus.unwrap_or_else(|| without_data(name))]
}

fn are_judged_as_linted(root: &Path, least: usize) {
    let tree = tree(root);
    let newest = Release { major: 1, minor: 37 };
    let keps: Vec<Kep> = tree.keps.iter().map(|texts| Kep::parse(texts.clone())).collect();
    let keps: Vec<&Kep> = keps.iter().filter(|kep| milestone(kep) == Some(newest)).collect();
    assert!(keps.len() >= least, "only {} KEPs", keps.len());
    let keps = spread(keps, 32);
    let contradictions = |kep: &Kep| -> Vec<String> {
        let own = kep.metadata.as_ref().and_then(|metadata| metadata.stage());
        let next = own.and_then(|own| Stage::ALL.into_iter().find(|stage| *stage > own));
        let next = next.map(|stage| (stage, Release { minor: newest.minor + 1, ..newest }));
        let asked = own.map(|stage| (stage, newest)).into_iter().chain(next);
        asked.flat_map(|(stage, release)| contradictions(kep, &tree, &Asked { stage, release })).collect()
    };
    let (first, second) = keps.split_at(keps.len() / 2);
    let all = |keps: &[&Kep]| keps.iter().flat_map(|kep| contradictions(kep)).collect::<Vec<_>>();
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| all(second));
        (all(first), other.join().expect("it ends"))
    });
    let all: Vec<String> = first.into_iter().chain(second).collect();
    assert!(all.is_empty(), "{} contradictions:\n{}", all.len(), all.join("\n"));
}

fn milestone(kep: &Kep) -> Option<Release> {
    kep.metadata.as_ref()?.milestone()
}

fn tree(root: &Path) -> Tree {
    let is_read = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with(".md") || name.ends_with(".yaml") || name.starts_with("OWNERS")
    };
    let paths = files_below(root, &is_read);
    let name = |path: &Path| path.strip_prefix(root).expect("it is below").to_string_lossy().replace('\\', "/");
    let files: Vec<(String, Vec<u8>)> =
        paths.iter().map(|path| (name(path), fs::read(path).expect("it can be read"))).collect();
    Tree::of(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())))
}

/// What the checklist says against the findings.
fn contradictions(kep: &Kep, tree: &Tree, asked: &Asked) -> Vec<String> {
    let options = options(|options| (options.stage, options.release) = (Some(asked.stage), Some(asked.release)));
    let linted = lint(&kep.texts, &TEMPLATE, &tree.repository, &options);
    let checklist = judge(kep.clone(), &TEMPLATE, &tree.repository, Ask::merged(Some(asked.stage), asked.release));
    let name = format!("{} at {} in {}", kep.texts.name, asked.stage, asked.release);
    let compared = SAME.iter().filter_map(|same| contradiction(&checklist, &linted, asked, same));
    let sections = sections(&checklist, &linted);
    compared.chain(sections).map(|words| format!("{name}: {words}")).collect()
}

fn contradiction(checklist: &Checklist, linted: &KepReport, asked: &Asked, same: &Same) -> Option<String> {
    let answer = checklist.answer(same.item)?;
    let found = linted.diagnostics.iter().find(|found| (same.finds)(found, asked));
    match (answer.state, found) {
        (State::Met, Some(found)) => {
            Some(format!("{} is met ({}), but {} finds: {}", same.item, answer.words, found.rule, found.message))
        }
        (State::NotMet, None) if same.is_found => {
            Some(format!("{} is not met ({}), and no rule finds anything", same.item, answer.words))
        }
        _ => None,
    }
}

/// As many sections are open as findings cover.
fn sections(checklist: &Checklist, linted: &KepReport) -> Option<String> {
    let gaps = linted.diagnostics.iter().filter(|found| GAPS.contains(&found.rule));
    let covered: usize = gaps.map(|found| found.covers.len().max(found.count)).sum();
    let open = checklist.open_sections;
    (covered != open).then(|| format!("{open} sections are open, but findings cover {covered}"))
}
