//! One cause is one finding. Where the rule that reports the cause does not run, others speak.

use crate::support::library::{self, Against};
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::template::Template;

/// The rules of the category "text", and of hidden and missing sections, that report lines of this README.
fn found(readme: &str, ignored: &str) -> Vec<(&'static str, usize)> {
    let select = ["text", "swallowed-heading", "bad-title"].map(str::to_owned);
    let ignored = if ignored.is_empty() { vec![] } else { vec![ignored.to_owned()] };
    let selection = Selection::new(&select, &ignored).expect("they are rules");
    let options = library::options(|options| options.selection = selection);
    let (template, repository) = (Template::built_in(), Repository::default());
    let against = Against { template: &template, repository: &repository, options: &options };
    let metadata = "status: implementable\nstage: alpha\nkep-number: 1\nlatest-milestone: v9.9\n";
    let kep = library::kep("keps/sig-node/1-prefetch", [("README.md", readme), ("kep.yaml", metadata)]);
    let report = against.lint(&kep);
    let findings = report.diagnostics.iter().filter(|found| found.rule != "missing-toc");
    findings.map(|found| (found.rule, found.span.start)).map(|(rule, at)| (rule, line(readme, at))).collect()
}

fn line(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

const CONTENTS: &str =
    "# KEP-1: T\n\n<!-- toc -->\n- [Motivation](#motivation)\n  - [Goals](#goals)\n<!-- /toc -->\n\n## Motivation\n\n";

#[test]
fn one_cause_is_one_finding() {
    let second = format!("{CONTENTS}### Goals\n\n<!-- toc -->\n- [A](#a)\n- [B](#b)\n<!-- /toc -->\n");
    let no_heading = format!("{CONTENTS}See [below](#goals).\n\n###Goals\n");
    let conflict = format!("{CONTENTS}<<<<<<< HEAD\n### Goals\n\n=======\n### Goals\n\n>>>>>>> topic\n");
    let ignored_conflict = conflict.replace("<<<<<<<", "<!-- kep-lint-ignore merge-conflict: an example -->\n<<<<<<<");
    let behind_tag = "# KEP-1: T\n\n<pool>\n## Summary\n".to_owned();
    let in_html = format!("{CONTENTS}See [below](#goals).\n\n<br>\n### Goals\n");
    for (readme, ignored, expected) in [
        (&second, "", vec![("duplicate-toc", 12)]),
        (&second, "duplicate-toc", vec![("dead-anchor", 13), ("dead-anchor", 14)]),
        (&conflict, "", vec![("merge-conflict", 10)]),
        (&conflict, "merge-conflict", vec![("stale-toc", 6)]),
        (&ignored_conflict, "", vec![("stale-toc", 6)]),
        (&no_heading, "", vec![("not-a-heading", 12)]),
        (&no_heading, "not-a-heading", vec![("stale-toc", 5), ("dead-anchor", 10)]),
        (&in_html, "", vec![("swallowed-heading", 12)]),
        (&in_html, "swallowed-heading", vec![("dead-anchor", 10), ("stale-toc", 13)]),
        (&"# KEP-1: T\n\n## Goals\n\n[a](#go\u{200b}als)\n".to_owned(), "", vec![("broken-link-syntax", 5)]),
        (&"# KEP-1: T\n\n| a | b |\n|-|-|\n| `c|d` | e |\n".to_owned(), "", vec![("run-together-lines", 5)]),
        (&"#\u{a0}KEP-1: T\n\nText.\n".to_owned(), "", vec![("not-a-heading", 1)]),
        (&"#\u{a0}KEP-1: T\n\nText.\n".to_owned(), "not-a-heading", vec![("bad-title", 1)]),
        (&behind_tag, "", vec![("swallowed-heading", 3)]),
        (&behind_tag, "swallowed-heading", vec![("swallowed-tag", 3)]),
        (&"# KEP-1: T\n\nA <node> of a <pool>.\n".to_owned(), "", vec![("swallowed-tag", 3)]),
    ] {
        let mut found = found(readme, ignored);
        found.sort_by_key(|(_, line)| *line);
        assert_eq!(found, expected, "{readme:?} without {ignored:?}");
    }
}
