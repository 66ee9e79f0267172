//! A code quality report, which GitLab shows in merge requests.
//!
//! All findings are entries, whatever `--level` is. Lines count from 1; there are no columns. Paths are relative to the
//! working directory of the run, which GitLab takes for the root of the repository, and only absolute if they were given
//! so. Errors, warnings and advice are `major`, `minor` and `info`. The format has no place for failures: each is a
//! `blocker`, because a report without it would look complete.

use super::json::encoding;
use super::{Location as Place, in_order, uri, with_help};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::hash::Hash;
use crate::lint::{KepReport, Run};
use serde::Serialize;
use std::collections::BTreeMap;

/// Renders the findings and failures of `run`.
pub fn render(run: &Run) -> String {
    let findings = in_order(run).into_iter().map(|(report, found)| finding(report, found));
    let mut issues: Vec<Issue> = findings.chain(run.failures.iter().map(failure)).collect();
    make_unique(&mut issues);
    encoding::indented(&issues)
}

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

fn finding(report: &KepReport, found: &Diagnostic) -> Issue {
    let Place { path, start, .. } = Place::of(report, found.span);
    Issue {
        description: with_help(&found.message, found.help.as_deref()),
        check_name: found.rule,
        fingerprint: found.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default(),
        severity: severity(found.severity),
        location: Location { path: uri::plain(path), lines: Lines { begin: start.line } },
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Advice => "info",
    }
}

fn failure(failure: &Failure) -> Issue {
    let path = failure.path.as_deref().unwrap_or_default();
    Issue {
        description: with_help(&failure.message, failure.help.as_deref()),
        check_name: "failure",
        fingerprint: Hash::of(failure.message.as_bytes()).to_string(),
        severity: "blocker",
        location: Location { path: uri::plain(path), lines: Lines { begin: 1 } },
    }
}

/// GitLab drops entries whose fingerprint another one has. Findings of one repository never have the same, but those of
/// two copies of it do.
fn make_unique(issues: &mut [Issue]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for issue in issues {
        loop {
            let count = counts.entry(issue.fingerprint.clone()).or_default();
            *count += 1;
            if *count == 1 {
                break;
            }
            let hash = Hash::of(issue.fingerprint.as_bytes()).with(issue.location.path.as_bytes());
            issue.fingerprint = hash.with(count.to_string().as_bytes()).to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    fn parsed(run: &Run) -> Value {
        serde_json::from_str(&render(run)).expect("it is JSON")
    }

    #[test]
    fn entries_have_the_fields_that_gitlab_reads() {
        let mut run = sample::run();
        run.failures.push(Failure::of("read", "./keps/x", "it is gone").help("restore it"));
        let mut value = parsed(&run);
        assert_eq!(value[0]["fingerprint"].take(), "");
        assert_eq!(
            value[0],
            json!({
                "description": "section `Test Plan` is empty — help: answer it, or say why it does not apply",
                "check_name": "empty-section", "fingerprint": null, "severity": "major",
                "location": {"path": "keps/sig-node/1-x/README.md", "lines": {"begin": 5}},
            })
        );
        assert_eq!((&value[1]["severity"], &value[2]["severity"]), (&json!("info"), &json!("minor")));
        assert_eq!(value[3]["description"], "cannot read `./keps/x`: it is gone — help: restore it");
        assert_eq!(value[3]["location"], json!({"path": "keps/x", "lines": {"begin": 1}}));
        assert_eq!(value[3]["severity"], "blocker");
        assert_eq!(parsed(&Run::default()), json!([]));
    }

    #[test]
    fn no_two_entries_have_the_same_fingerprint() {
        let mut run = sample::run();
        run.failures = vec![Failure::new("it failed"), Failure::new("it failed"), Failure::new("it failed")];
        let value = parsed(&run);
        let entries = value.as_array().expect("an array");
        let prints: BTreeSet<&str> = entries.iter().filter_map(|entry| entry["fingerprint"].as_str()).collect();
        assert_eq!((entries.len(), prints.len()), (6, 6));
        assert_eq!(parsed(&run), value);
    }

    #[test]
    fn a_description_is_one_harmless_line() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "a\n::error::x%\u{1b}[31m\u{202e}".to_owned();
        let description = &parsed(&run)[0]["description"];
        assert!(description.as_str().is_some_and(|text| text.starts_with("a ::error::x%?[31m??? — ")), "{description}");
    }
}
