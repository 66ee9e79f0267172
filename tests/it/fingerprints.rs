//! Fingerprints of findings: the same while what a finding is about remains, and different for different findings. Each
//! test changes a KEP without findings.

use crate::support::library::{Tree, kep};
use crate::support::project;
use kep_lint::diagnostic::Diagnostic;
use kep_lint::lint::Options;
use kep_lint::template::Template;
use std::collections::BTreeSet;
use std::fs;

const DIRECTORY: &str = "keps/sig-node/1-prefetch-images";

/// The KEP without findings.
#[derive(Clone)]
struct Kep {
    readme: String,
    metadata: String,
}

impl Kep {
    fn clean() -> Self {
        let read =
            |name: &str| fs::read_to_string(project().join("fixtures/clean/beta").join(name)).expect("it is there");
        Self { readme: read("README.md"), metadata: read("kep.yaml") }
    }

    /// The KEP with another text in place of one that its README has.
    fn readme(mut self, old: &str, new: &str) -> Self {
        assert!(self.readme.contains(old), "no {old:?}");
        self.readme = self.readme.replacen(old, new, 1);
        self
    }

    /// The KEP with another text in place of one that its kep.yaml has.
    fn metadata(mut self, old: &str, new: &str) -> Self {
        assert!(self.metadata.contains(old), "no {old:?}");
        self.metadata = self.metadata.replacen(old, new, 1);
        self
    }

    /// The KEP without the section that begins with this heading, up to the next one.
    fn without(self, heading: &str, next: &str) -> Self {
        let section = self.section(heading, next);
        self.readme(&section, "")
    }

    fn section(&self, heading: &str, next: &str) -> String {
        let from = self.readme.find(&format!("\n{heading}\n")).expect("the heading is there") + 1;
        let to = self.readme.find(&format!("\n{next}\n")).expect("the next heading is there") + 1;
        self.readme[from..to].to_owned()
    }

    /// Its findings in this directory, alone in its tree.
    fn lint_in(&self, directory: &str) -> Vec<Diagnostic> {
        self.lint_beside(directory, &[])
    }

    /// Its findings in this directory of a tree with these other directories of KEPs.
    fn lint_beside(&self, directory: &str, others: &[&str]) -> Vec<Diagnostic> {
        let mut files = vec![
            (format!("{directory}/README.md"), self.readme.as_bytes()),
            (format!("{directory}/kep.yaml"), self.metadata.as_bytes()),
        ];
        files.extend(others.iter().map(|other| (format!("{other}/kep.yaml"), b"title: X\n".as_slice())));
        let tree = Tree::of(files.iter().map(|(path, text)| (path.as_str(), *text)));
        let reports = tree.lint(&Template::built_in(), &Options::default());
        let own = reports.into_iter().find(|report| report.kep.as_deref() == Some(directory));
        // In a tree, the KEP lacks its approvals.
        let is_own = |found: &Diagnostic| !["missing-prr", "node-approver"].contains(&found.rule);
        own.expect("the KEP has a report").diagnostics.into_iter().filter(is_own).collect()
    }

    /// Its findings in its own directory.
    fn lint(&self) -> Vec<Diagnostic> {
        self.lint_in(DIRECTORY)
    }
}

/// Rules and fingerprints, each once.
fn prints(findings: &[Diagnostic]) -> BTreeSet<(&'static str, String)> {
    let prints: BTreeSet<(&str, String)> = findings.iter().map(|found| (found.rule, print(found))).collect();
    assert_eq!(prints.len(), findings.len(), "two findings have one fingerprint: {findings:#?}");
    prints
}

fn print(found: &Diagnostic) -> String {
    found.fingerprint.expect("the findings of a run have fingerprints").to_string()
}

fn rules(findings: &[Diagnostic]) -> Vec<&str> {
    findings.iter().map(|found| found.rule).collect()
}

/// The only finding of a rule.
fn only<'f>(findings: &'f [Diagnostic], rule: &str) -> &'f Diagnostic {
    let mut found = findings.iter().filter(|found| found.rule == rule);
    let only = found.next().unwrap_or_else(|| panic!("no {rule} in {:?}", rules(findings)));
    assert!(found.next().is_none(), "several {rule}");
    only
}

/// Whether all that the findings after a change stand for was reported before.
fn is_nothing_new(before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let known: BTreeSet<_> = before.iter().flat_map(Diagnostic::stands_for).collect();
    after.iter().flat_map(Diagnostic::stands_for).all(|print| known.contains(print))
}

/// A KEP with findings of many kinds.
fn flawed() -> Kep {
    Kep::clean()
        .readme("A full disk evicts pods.", "A full [disk](#disks) evicts [pods](../9-pods/README.md), [see][nowhere].")
        .readme("- Pushing images", "- See [docs](www.example.com/docs) and `this\n- Pushing images")
        .readme("A prefetched image is", "<<[UNRESOLVED is it?]>>\nA prefetched image is")
        .readme("waiting for a registry.\n", "waiting for a registry.\n\n-->\n")
        .readme("## Drawbacks\n", "##Drawbacks\n")
        .without("### Dependencies", "### Scalability")
        .readme("## Alternatives\n", "## Alternatives\n\nTBD\n\n## Appendix\n")
        .metadata("owning-sig: sig-node", "owning-sig: sig-nod\ntyop: 1")
        .metadata("authors:\n  - \"@alice\"\n", "")
        .metadata("2025-09-10", "2025-09-31")
        .metadata("  - sig-storage", "  - sig-storag\n  - sig-netwrk")
}

#[test]
fn moved_text_has_the_same_findings() {
    let before = flawed().lint();
    assert!(before.len() >= 15, "{:?}", rules(&before));
    let longer = ["\n## Summary\n", "\n### Non-Goals\n", "\n### Risks and Mitigations\n", "\n## Appendix\n"];
    let longer = longer.iter().fold(flawed(), |kep, heading| {
        kep.readme(heading, &format!("{heading}\nOne more paragraph here, on\ntwo lines.\n"))
    });
    let longer =
        longer.metadata("title:", "# A comment\ntitle:").metadata("reviewers:\n", "reviewers:\n  - \"@dan\"\n");
    assert_eq!(prints(&longer.lint()), prints(&before));
}

#[test]
fn a_section_that_is_moved_in_its_parent_has_the_same_findings() {
    let kep = flawed();
    let risks = kep.section("### Risks and Mitigations", "## Design Details");
    let moved = kep
        .clone()
        .readme(&risks, "")
        .readme("### User Stories (Optional)\n", &format!("{risks}### User Stories (Optional)\n"));
    let before = prints(&kep.lint());
    let after = prints(&moved.lint());
    let not_toc = |prints: BTreeSet<(&'static str, String)>| -> BTreeSet<(&'static str, String)> {
        prints.into_iter().filter(|(rule, _)| *rule != "stale-toc").collect()
    };
    assert_eq!(not_toc(after), not_toc(before));
}

#[test]
fn a_kep_that_is_renamed_or_moved_has_the_same_findings() {
    let kep = flawed().metadata("sig-nod\n", "sig-node\n");
    let found = |directory: &str| -> BTreeSet<(&'static str, String)> {
        let is_about_place = |found: &Diagnostic| ["owning-sig-mismatch", "dead-link"].contains(&found.rule);
        prints(&kep.lint_in(directory).into_iter().filter(|found| !is_about_place(found)).collect::<Vec<_>>())
    };
    let before = found(DIRECTORY);
    assert_eq!(found("keps/sig-node/0001-images"), before);
    assert_eq!(found("keps/sig-apps/1-prefetch-images"), before);
    assert!(found("keps/sig-node/2-prefetch-images").is_disjoint(&before));
}

#[test]
fn a_number_that_two_keps_have_is_not_enough() {
    let kep = Kep::clean().without("### Dependencies", "### Scalability");
    let missing = |others: &[&str]| print(only(&kep.lint_beside(DIRECTORY, others), "missing-section"));
    let alone = missing(&[]);
    assert_eq!(missing(&["keps/sig-apps/2-x"]), alone);
    assert_ne!(missing(&["keps/sig-apps/1-x"]), alone);
    assert_ne!(missing(&["keps/sig-node/1-x"]), alone);
    // Wherever the run begins, the path is that from `keps` on.
    let files = [("README.md", &kep.readme), ("kep.yaml", &kep.metadata)];
    let shared =
        Tree::of([(format!("{DIRECTORY}/kep.yaml").as_str(), b"".as_slice()), ("keps/sig-apps/1-x/kep.yaml", b"")]);
    let texts = kep_texts(&format!("/home/me/enhancements/{DIRECTORY}"), files);
    let report = shared.against(&Template::built_in(), &Options::default()).lint(&texts);
    assert_eq!(print(only(&report.diagnostics, "missing-section")), missing(&["keps/sig-apps/1-x"]));
}

fn kep_texts(directory: &str, files: [(&str, &String); 2]) -> kep_lint::kep::texts::Texts {
    kep(directory, files.map(|(name, text)| (name, text.as_bytes())))
}

#[test]
fn a_gap_is_the_same_whether_missing_empty_or_a_placeholder() {
    let heading = "## Alternatives\n";
    let kep = Kep::clean();
    let own = kep.readme[kep.readme.find(heading).expect("it is there")..].to_owned();
    let found: Vec<(&str, String)> =
        ["", "## Alternatives\n", "## Alternatives\n\nTBD\n", "<!--\n## Alternatives\n-->\n"]
            .into_iter()
            .map(|text| {
                let findings = kep.clone().readme(&own, text).lint();
                let gap = findings.iter().find(|found| found.requirement.is_some()).expect("it is a gap");
                (gap.rule, print(gap))
            })
            .collect();
    let rules: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules, ["missing-section", "empty-section", "placeholder-section", "commented-out-section"]);
    assert!(found.windows(2).all(|pair| pair[0].1 == pair[1].1), "{found:?}");
}

#[test]
fn another_gap_link_or_key_is_another_finding() {
    let pairs = [
        (
            Kep::clean().without("### Dependencies", "### Scalability"),
            Kep::clean().without("### Troubleshooting", "## Implementation History"),
        ),
        (Kep::clean().readme("A node", "[A](#a) node"), Kep::clean().readme("A node", "[A](#b) node")),
        (Kep::clean().readme("A node", "[A](../2-a) node"), Kep::clean().readme("A node", "[A](../2-b) node")),
        (Kep::clean().readme("A node", "[A][x y] node"), Kep::clean().readme("A node", "[A][x z] node")),
        (Kep::clean().readme("A node", "`A node"), Kep::clean().readme("A pod", "`A pod")),
        (
            Kep::clean().readme("A node", "<<[UNRESOLVED]>> A node"),
            Kep::clean().readme("A pod", "<<[UNRESOLVED]>> A pod"),
        ),
        (Kep::clean().metadata("stage:", "a: 1\nstage:"), Kep::clean().metadata("stage:", "b: 1\nstage:")),
        (Kep::clean().metadata("sig-storage", "sig-x"), Kep::clean().metadata("sig-storage", "sig-y")),
        (Kep::clean().metadata("title: Prefetch images\n", ""), Kep::clean().metadata("status: implementable\n", "")),
        (Kep::clean().metadata("v1.36", "soon"), Kep::clean().metadata("v1.36", "later")),
        (
            Kep::clean().metadata("beta: \"v1.37\"", "beta: soon"),
            Kep::clean().metadata("latest-milestone: \"v1.37\"", "latest-milestone: soon"),
        ),
        (Kep::clean().metadata("\"@alice\"", "@alice"), Kep::clean().metadata("\"@bob\"", "@bob")),
        (
            Kep::clean().metadata("name: NFTablesNetlink", "nam: A"),
            Kep::clean().metadata("name: NFTablesNetlink", "naem: A"),
        ),
    ];
    for (at, (one, other)) in pairs.into_iter().enumerate() {
        let (one, other) = (one.lint(), other.lint());
        assert!(!one.is_empty() && !other.is_empty(), "pair {at}: {one:?} {other:?}");
        let common: Vec<_> = prints(&one).intersection(&prints(&other)).cloned().collect();
        // What follows from the change is not about it.
        let common: Vec<_> = common.into_iter().filter(|(rule, _)| *rule != "stale-toc").collect();
        assert_eq!(common, [], "{:?} {:?}", rules(&one), rules(&other));
    }
}

#[test]
fn a_finding_that_is_there_twice_has_two_fingerprints() {
    let kep = Kep::clean()
        .readme("A node", "[A](www.example.com/a) node")
        .readme("Pods with", "[Pods](www.example.com/a) with");
    let before = kep.lint();
    assert_eq!(rules(&before), ["broken-link-syntax"; 2]);
    let prints = prints(&before);
    let after = kep.readme("[A](www.example.com/a)", "A").lint();
    assert!(prints.contains(&("broken-link-syntax", print(only(&after, "broken-link-syntax")))));
}

#[test]
fn one_fixed_and_another_added_is_new() {
    let near = |text: &str| Kep::clean().readme(text, &format!("{text}\n\n-->\n"));
    let open = |text: &str| Kep::clean().readme(text, &format!("`{text}"));
    let node = |text: &str| Kep::clean().readme(text, &format!("<<[UNRESOLVED]>>\n{text}"));
    for (before, after) in [
        (near("## Summary\n"), near("## Drawbacks\n")),
        (near("## Summary\n"), near("pods to it, so that they start without waiting for a registry.")),
        (open("A node"), open("A pod")),
        (node("A node"), node("A pod")),
        (node("A full disk evicts pods."), node("image garbage collection. SIG")),
    ] {
        let (before, after) = (before.lint(), after.lint());
        assert_eq!(rules(&before), rules(&after));
        assert!(!is_nothing_new(&before, &after), "{before:?} {after:?}");
    }
}

#[test]
fn gaps_that_are_reported_together_are_not_new() {
    let bare = |text: &str| {
        let (from, to) = ("### Rollout, Upgrade and Rollback Planning", "### Monitoring Requirements");
        let section = Kep::clean().section(from, to);
        Kep::clean().readme(&section, text)
    };
    let questions: Vec<String> = Kep::clean()
        .section("### Rollout, Upgrade and Rollback Planning", "### Monitoring Requirements")
        .lines()
        .filter(|line| line.starts_with("######"))
        .map(str::to_owned)
        .collect();
    assert_eq!(questions.len(), 4);
    let heading = "### Rollout, Upgrade and Rollback Planning\n\n";
    let empty = format!("{heading}{}\n\n", questions.join("\n\n"));
    let missing = bare("").lint();
    let wholly_empty = bare(&empty).lint();
    let answered = bare(&empty.replacen("?\n", "?\n\nIt was tested with and without the feature.\n", 1)).lint();
    let only_text =
        bare(&format!("{heading}It was tested with and without the feature, and nothing happened.\n\n")).lint();
    assert_eq!(missing.iter().filter(|found| found.requirement.is_some()).count(), 1);
    assert_eq!(wholly_empty.iter().filter(|found| found.requirement.is_some()).count(), 1);
    assert_eq!(answered.iter().filter(|found| found.requirement.is_some()).count(), 3);
    assert_eq!(only_text.iter().filter(|found| found.requirement.is_some()).count(), 1);
    let gaps = |findings: &[Diagnostic]| -> Vec<Diagnostic> {
        findings.iter().filter(|found| found.requirement.is_some()).cloned().collect()
    };
    let [missing, wholly_empty, answered, only_text] = [missing, wholly_empty, answered, only_text].map(|it| gaps(&it));
    for (before, after) in [
        (&missing, &wholly_empty),
        (&wholly_empty, &missing),
        (&missing, &answered),
        (&missing, &only_text),
        (&wholly_empty, &only_text),
    ] {
        assert!(is_nothing_new(before, after), "{before:#?} {after:#?}");
    }
    // An answer was removed.
    assert!(!is_nothing_new(&answered, &wholly_empty));
    // The text was removed with its heading.
    assert!(!is_nothing_new(&only_text, &missing));
}

#[test]
fn findings_that_are_only_counted_are_compared_too() {
    let links = |from: usize, to: usize| -> String { (from..to).map(|at| format!("[a](#x{at}) ")).collect() };
    let kep = |links: String| Kep::clean().readme("A node", &format!("{links} A node"));
    let before = kep(links(0, 150)).lint();
    let counted = before.iter().find(|found| found.count > 1).expect("not all are listed");
    assert_eq!((counted.count, counted.stands_for().len()), (50, 50));
    assert!(is_nothing_new(&before, &kep(links(0, 149)).lint()));
    assert!(!is_nothing_new(&before, &kep(links(0, 151)).lint()));
    assert!(!is_nothing_new(&before, &kep(links(1, 151)).lint()));
}

#[test]
fn a_discussion_that_goes_on_is_not_new() {
    let summary = "## Summary\n";
    let open = |text: &str| {
        let discussion = format!("{summary}\n<<[UNRESOLVED which images? ]>>\n{text}\n<<[/UNRESOLVED]>>\n");
        Kep::clean().readme(summary, &discussion).lint()
    };
    let (before, after) = (open("All?"), open("All, or some?"));
    assert!(rules(&before).contains(&"unresolved-marker") && prints(&before) == prints(&after), "{after:?}");
}
