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

pub fn render(run: &Run) -> String {
    let mut issues = Vec::new();
    for (report, finding) in in_order(run) {
        let Location { path, start, .. } = Location::of(report, finding.span);
        let path = uri::plain(path);
        issues.push(json!({
            "description": with_help(&finding.message, "—", finding.help.as_deref()),
            "check_name": finding.rule,
            "fingerprint": finding.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default(),
            "severity": severity(finding.severity),
            "location": { "path": path, "lines": { "begin": start.line } },
        }));
    }
    for failure in &run.failures {
        let path = uri::plain(failure.path.as_deref().unwrap_or_default());
        issues.push(json!({
            "description": with_help(&failure.message, "—", failure.help.as_deref()),
            "check_name": "failure",
            "fingerprint": Hash::of(failure.message.as_bytes()).to_string(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Failure;
    use crate::report::sample;
    use serde_json::Value;

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
    fn a_description_is_one_harmless_line() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "a\n::error::x%\u{1b}[31m\u{202e}".to_owned();
        let description = &parsed(&run)[0]["description"];
        assert!(description.as_str().is_some_and(|text| text.starts_with("a ::error::x%?[31m??? — ")), "{description}");
    }
}
