//! What the formats have when the program prints them: the threshold, the levels, and paths from the working directory.

use crate::support::program::{items, kep_lint, paths, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use roxmltree::Document;
use serde_json::Value;
use std::collections::BTreeSet;

fn parsed(drawn: &str) -> Value {
    serde_json::from_str(drawn).expect("it is JSON")
}

#[test]
fn the_threshold_is_that_of_the_command_line_and_the_configuration() {
    let readme = b"# KEP-1: X\n\n## Sumary\n".as_slice();
    let metadata = b"title: X\nkep-number: 1\nowning-sig: sig-node\nstatus: provisional\n".as_slice();
    let files = [("keps/sig-node/1-x/README.md", readme), ("keps/sig-node/1-x/kep.yaml", metadata)];
    let repository = Scratch::of(&files);
    let failures = |arguments: &[&str]| {
        let printed = kep_lint(&repository.root, arguments.iter().chain(&["--format", "junit", "keps"]));
        let document = Document::parse(&printed.stdout).expect("it is XML");
        let root = document.root_element();
        let failures: i32 = root.attribute("failures").and_then(|text| text.parse().ok()).expect("it is a number");
        assert_eq!(printed.status, i32::from(failures > 0), "the exit status says the same");
        failures
    };
    let all = ["never", "error", "warning", "suggestion"].map(|severity| failures(&["--fail-on", severity]));
    assert!(all[0] == 0 && all[1] < all[2] && all[1] <= all[3] && all.is_sorted(), "{all:?}");
    assert_eq!(failures(&[]), all[1]);
    repository.write(".kep-lint.yaml", "fail-on: warning\n");
    assert_eq!((failures(&[]), failures(&["--isolated"])), (all[2], all[1]));
    assert_eq!(failures(&["--fail-on", "never"]), 0);
}

#[test]
fn levels_hide_nothing_from_programs() {
    let home = project().join("fixtures");
    for format in ["json", "sarif", "gitlab", "junit"] {
        let drawn = |level| kep_lint(&home, ["--level", level, "--format", format, "demo/keps"]).stdout;
        assert_eq!(drawn("error"), drawn("suggestion"), "{format}");
    }
}

#[test]
fn paths_lead_from_the_working_directory() {
    let home = project().join("fixtures/demo");
    let drawn = |format: &str| parsed(&kep_lint(&home, ["--format", format, "./keps/../keps"]).stdout);
    for (sarif, gitlab) in items(&drawn("sarif")["runs"][0]["results"]).iter().zip(items(&drawn("gitlab"))) {
        let place = &sarif["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!((text(&place["uri"]), text(&place["uriBaseId"])), (text(&gitlab["location"]["path"]), "%SRCROOT%"));
        assert!(home.join(text(&place["uri"])).is_file(), "{place}");
    }
    let absolute = home.join("keps");
    let printed = kep_lint(&home, ["--format", "sarif", absolute.to_str().expect("a path in UTF-8")]).stdout;
    let drawn = parsed(&printed);
    let place = &drawn["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert!(text(&place["uri"]).starts_with("file:///") && place["uriBaseId"].is_null(), "{place}");
}

#[test]
fn every_path_opens_from_the_working_directory() {
    let absolute = project().join("fixtures/sample/keps");
    for (home, argument) in [
        (project().to_path_buf(), "fixtures/sample/keps"),
        (project().join("fixtures/sample"), "keps"),
        (project().join("tests"), "../fixtures/sample/./keps"),
        (project().join("src"), absolute.to_str().expect("a path in UTF-8")),
    ] {
        let run = |format| kep_lint(&home, ["--format", format, "--level", "suggestion", argument]).stdout;
        let json: Value = serde_json::from_str(&run("json")).expect("it is JSON");
        let found = items(&json["diagnostics"]).iter().map(|entry| text(&entry["path"]));
        let found: BTreeSet<&str> = found.collect();
        assert!(found.len() > 10 && found.iter().all(|path| home.join(path).is_file()), "{found:?}");
        let concise = run("concise");
        assert_eq!(
            concise.lines().map(|line| line.split(':').next().unwrap_or_default()).collect::<BTreeSet<_>>(),
            found
        );
        for format in ["pretty", "full"] {
            let report = run(format);
            let shown = paths(&report);
            assert!(shown.iter().all(|path| home.join(path).is_file()), "{shown:?}");
            assert!(shown.is_superset(&found), "{shown:?}");
        }
    }
}
