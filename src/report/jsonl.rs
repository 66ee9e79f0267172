//! One JSON object per line, for `jq`, `grep` and log collectors, which do not have to read the whole report.
//!
//! Each finding is a line, and the same object as in the `diagnostics` of the JSON report, whatever `--level` is: columns
//! are counted in characters, offsets in bytes, and paths are as they were given. After the findings there is a line with
//! the single key `failure` for each entry of its `failures`: if there is one, the report is incomplete. A line with the
//! single key `conditions` is last, if the JSON report has them. There is no line that sums up.

use super::json::{self, encoding};
use super::{in_order, pieces};
use crate::lint::Run;
use serde::Serialize;
use std::io::{self, Write};

/// Writes the findings and failures of `run`.
pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    for (report, finding) in in_order(run) {
        out.write_all(encoding::line(&json::finding(report, finding)).as_bytes())?;
    }
    for failure in &run.failures {
        out.write_all(encoding::line(&Incomplete { failure: json::failure(failure) }).as_bytes())?;
    }
    if let Some(conditions) = json::conditions(&run.conditions) {
        out.write_all(encoding::line(&Decided { conditions }).as_bytes())?;
    }
    Ok(())
}

/// Renders the findings and failures of `run`.
pub fn render(run: &Run) -> String {
    pieces::text(|out| write(run, out))
}

/// A line that is not a finding.
#[derive(Serialize)]
struct Incomplete<F> {
    failure: F,
}

/// The line about what decides how strict the run is.
#[derive(Serialize)]
struct Decided<C> {
    conditions: C,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Failure;
    use crate::report::sample;
    use serde_json::Value;

    #[test]
    fn lines_are_the_entries_of_the_json_report() {
        let mut run = sample::run();
        run.reports[0].diagnostics[0].message = "two\nlines\u{2028}##[x]".to_owned();
        run.failures.push(Failure::of("read", "keps/x", "it is gone").help("restore it"));
        let text = render(&run);
        let lines: Vec<Value> = text.split('\n').filter_map(|line| serde_json::from_str(line).ok()).collect();
        let json: Value = serde_json::from_str(&json::render(&run)).expect("it is JSON");
        assert_eq!(lines.len(), text.lines().count());
        let (failures, findings): (Vec<Value>, Vec<Value>) =
            lines.into_iter().partition(|line| line.get("failure").is_some());
        assert_eq!(json["diagnostics"], Value::from(findings));
        assert_eq!(failures[0]["failure"], json["failures"][0]);
        assert!(text.ends_with("}\n") && render(&Run::default()).is_empty());
    }
}
