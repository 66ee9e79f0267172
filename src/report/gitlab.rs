//! A code quality report, which GitLab shows in merge requests.
//!
//! All findings are entries, whatever `--level` is. Lines count from 1; there are no columns. Paths are relative to the
//! working directory of the run, which GitLab takes for the root of the repository, and only absolute if they were given
//! so. Errors, warnings and suggestions are `major`, `minor` and `info`. The format has no place for
//! failures: each is a `blocker`, because a report without it would look complete.

use super::json::encoding;
use super::{Location, in_order, uri, with_help};
use crate::diagnostic::Severity;
use crate::hash::Hash;
use crate::lint::Run;
use serde_json::json;
use std::collections::BTreeMap;

pub fn render(run: &Run) -> String {
    let mut seen = Seen::default();
    let mut issues = Vec::new();
    for (report, finding) in in_order(run) {
        let Location { path, start, .. } = Location::of(report, finding.span);
        let path = uri::plain(path);
        let fingerprint = finding.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default();
        issues.push(json!({
            "description": with_help(&finding.message, "—", finding.help.as_deref()),
            "check_name": finding.rule,
            "fingerprint": seen.distinct(fingerprint, &path),
            "severity": severity(finding.severity),
            "location": { "path": path, "lines": { "begin": start.line } },
        }));
    }
    for failure in &run.failures {
        let path = uri::plain(failure.path.as_deref().unwrap_or_default());
        let fingerprint = Hash::of(failure.message.as_bytes()).to_string();
        issues.push(json!({
            "description": with_help(&failure.message, "—", failure.help.as_deref()),
            "check_name": "failure",
            "fingerprint": seen.distinct(fingerprint, &path),
            "severity": "blocker",
            "location": { "path": path, "lines": { "begin": 1 } },
        }));
    }
    encoding::indented(&issues)
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Advice => "info",
    }
}

#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    /// GitLab drops entries whose fingerprint another one has. Findings of one repository never have the same, but those
    /// of two copies of it do.
    fn distinct(&mut self, mut fingerprint: String, path: &str) -> String {
        loop {
            let count = self.0.entry(fingerprint.clone()).or_default();
            *count += 1;
            if *count == 1 {
                return fingerprint;
            }
            let hash = Hash::of(fingerprint.as_bytes()).with(path.as_bytes());
            fingerprint = hash.with(count.to_string().as_bytes()).to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Failure;
    use crate::report::sample;
    use serde_json::Value;
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
