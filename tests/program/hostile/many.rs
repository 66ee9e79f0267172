//! Findings by the ten thousand: a run keeps the most severe of them, counts all, and says so.

use super::{PROVISIONAL, WITHDRAWN, World, readme, says};
use crate::support::is_whole;
use crate::support::program::{PROGRAM, Printed, items, kep_lint_json, printed, scrubbed, text};
use crate::support::scratch::Scratch;
use std::collections::BTreeSet;
use std::io::Read;
use std::process::Stdio;

/// How many findings a run keeps.
const MOST: usize = 50_000;

/// How many documents of 100 findings a KEP has.
const DOCUMENTS: usize = 20;

/// A document with 100 links to headings that are not there, which cost little to find.
fn document() -> String {
    let links: String = (0..100).map(|at| format!("[a](#gone{at})\n")).collect();
    format!("# D\n\n{links}")
}

/// `keps` KEPs with 2,000 such links each.
fn crowded(world: &World, keps: usize, metadata: &str) {
    for kep in 0..keps {
        let name = format!("{}-x", 100 + kep);
        world.kep(
            &name,
            format!("# KEP-{}: X\n", 100 + kep),
            &metadata.replace("number: 1", &format!("number: {}", 100 + kep)),
        );
        for at in 0..DOCUMENTS {
            world.write(&format!("r/keps/sig-node/{name}/d{at:02}.md"), document());
        }
    }
}

fn rules(report: &serde_json::Value) -> BTreeSet<&str> {
    items(&report["diagnostics"]).iter().map(|found| text(&found["rule"])).collect()
}

/// What would push an error out comes before it, by path and by number.
#[test]
fn the_most_severe_findings_are_listed_and_all_are_counted() {
    let world = World::new();
    crowded(&world, 30, PROVISIONAL);
    world.kep(
        "999-bad",
        "# KEP-999: X\n",
        &PROVISIONAL.replace("number: 1", "number: 999").replace("provisional", "nope"),
    );
    let run = |jobs: &str, formats: &[&str]| {
        let options = ["keps", "--jobs", jobs, "--fail-on", "never", "--select", "dead-anchor,invalid-status"];
        let formats = formats.iter().flat_map(|format| ["--format", format]);
        let message = "cannot list all 60001 findings: a run lists at most 50000, errors first";
        let printed = world.run(&options.into_iter().chain(formats).collect::<Vec<_>>());
        says(&printed, 2, &[message, "name fewer KEPs", "1 error, 0 warnings, 60000 suggestions"]);
    };
    run("5", &["json=r.json", "html=r.html", "sarif=r.sarif", "junit=r.xml"]);
    let [json, html, sarif, junit] =
        ["r.json", "r.html", "r.sarif", "r.xml"].map(|name| world.read(&format!("r/{name}")));
    if is_whole() {
        run("1", &["json=r.json"]);
        assert!(world.read("r/r.json") == json, "it depends on the number of threads");
    }
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let found = items(&json["diagnostics"]);
    assert_eq!(found.len(), MOST);
    assert!(rules(&json).contains("invalid-status"), "{:?}", rules(&json));
    assert_eq!(json["summary"], serde_json::json!({"error": 1, "warning": 0, "suggestion": 60_000}));
    assert!(text(&json["failures"][0]["message"]).starts_with("cannot list all 60001 findings"));
    // The first ones by path are kept.
    assert!(found.iter().any(|found| text(&found["path"]).contains("/100-x/")));
    assert!(!found.iter().any(|found| text(&found["path"]).contains("/129-x/")));
    assert!(html.contains("1 error, 0 warnings, 60000 suggestions"), "the page counts all");
    assert!(html.contains("2000 suggestions: the run has too many findings"), "the page says which are not listed");
    assert!(junit.contains("and 2000 suggestions that are not listed"), "JUnit says which are not listed");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("it is JSON");
    let run = &sarif["runs"][0];
    assert_eq!(items(&run["results"]).len(), 25_000);
    assert!(items(&run["results"]).iter().any(|result| result["level"] == "error"));
    let said = items(&run["invocations"][0]["toolExecutionNotifications"]);
    let said: Vec<&str> = said.iter().map(|notification| text(&notification["message"]["text"])).collect();
    assert!(said[0].contains("cannot list all 60001 findings"), "{said:?}");
    assert!(said[1].starts_with("left out 25000 suggestions: GitHub refuses a file with more than"), "{said:?}");
}

#[test]
fn what_a_person_reads_counts_all_findings() {
    let world = World::new();
    crowded(&world, 26, PROVISIONAL);
    let all = ["keps", "--select", "dead-anchor"];
    let statistics = world.run(&[&all[..], &["--statistics", "--jobs", "2"]].concat());
    let total = statistics.stdout.lines().find(|line| line.starts_with("dead-anchor")).unwrap_or_default();
    assert!(total.contains("52000"), "{}", statistics.stdout);
    let formats = ["--level", "suggestion", "--format", "markdown=r.md", "--format", "pretty"];
    says(&world.run(&[&all[..], &formats].concat()), 2, &["too many to be listed", "cannot list all"]);
    assert!(world.read("r/r.md").contains("for which there is no room here"));
}

/// What an earlier version has is subtracted before the bound, however much it is.
#[test]
fn only_new_findings_count_for_the_bound() {
    let repository = Scratch::empty();
    let metadata = |kep: usize| PROVISIONAL.replace("number: 1", &format!("number: {}", 100 + kep));
    for kep in 0..26 {
        let directory = format!("keps/sig-node/{}-x", 100 + kep);
        repository.write(&format!("{directory}/README.md"), &format!("# KEP-{}: X\n", 100 + kep));
        repository.write(&format!("{directory}/kep.yaml"), &metadata(kep));
        (0..DOCUMENTS).for_each(|at| repository.write(&format!("{directory}/d{at:02}.md"), &document()));
    }
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "work"]);
    for kep in 0..26 {
        repository.write(
            &format!("keps/sig-node/{}-x/README.md", 100 + kep),
            &format!("# KEP-{}: X\n\n[a](b.md)\n", 100 + kep),
        );
    }
    repository.commit();
    let options = ["--since", "main", "--new-only", "keps", "--select", "dead-anchor,dead-link"];
    let report = kep_lint_json(&repository.root, &options);
    assert_eq!(
        (items(&report["diagnostics"]).len(), items(&report["failures"]).len()),
        (26, 0),
        "{}",
        report["failures"]
    );
}

/// 150 are more than a report lists. The table of contents is missing as well.
#[test]
fn all_unused_ignores_go_in_one_run() {
    let ignore = "<!-- kep-lint-ignore dead-link: the page comes later -->";
    for between in [" ", "\n\n", " text "] {
        let world = World::new();
        let list = [ignore; 150].join(between);
        world.kep("1-a", format!("# KEP-1: X\n\n## Summary\n\n{list}\n"), PROVISIONAL);
        let before = kep_lint_json(&world.path("r"), &["keps"]);
        let unused = items(&before["diagnostics"]).iter().filter(|found| found["rule"] == "unused-ignore");
        assert_eq!(unused.map(|found| found["count"].as_u64().unwrap_or(1)).sum::<u64>(), 150);
        let shown = world.run(&["keps", "--diff"]);
        assert_eq!(
            shown.stdout.lines().filter(|line| line.starts_with('+') && line.contains("kep-lint-ignore")).count(),
            0
        );
        says(&world.run(&["keps", "--fix"]), 0, &["fixed 151 findings in 1 file"]);
        assert!(!world.read(&readme("1-a")).contains("kep-lint-ignore"), "{}", world.read(&readme("1-a")));
    }
}

#[cfg(unix)]
fn fifo(world: &World, path: &str) {
    let made = std::process::Command::new("mkfifo").arg(world.path(path)).status().expect("mkfifo is there");
    assert!(made.success());
}

#[cfg(unix)]
fn shell(world: &World, script: &str) -> Printed {
    let script = script.replace("kep-lint", &format!("'{PROGRAM}'"));
    printed(&scrubbed("bash", &world.path("r")).args(["-c", &script]).output().expect("there is a shell"))
}

#[cfg(unix)]
#[test]
fn reports_go_into_pipes_and_into_nothing() {
    use std::os::unix::fs::FileTypeExt;
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", &WITHDRAWN.replace("withdrawn", "nope"));
    says(&world.run(&["keps", "-q", "--format", "json=/dev/null", "--format", "html=/dev/null"]), 1, &[]);
    let null = std::fs::metadata("/dev/null").expect("it is there");
    assert!(null.file_type().is_char_device(), "it is still the device");
    fifo(&world, "r/pipe");
    for script in [
        "cat pipe & kep-lint keps -q --format json=pipe; status=$?; wait; exit $status",
        "exec 3>&1; kep-lint keps -q --format json=>(cat >&3) >&2",
        "exec 3>&1; kep-lint keps -q --format json=/proc/self/fd/9 9> >(cat >&3) >&2",
    ] {
        let printed = shell(&world, script);
        // The reader of a substitution may end after the program.
        let is_whole = printed.stdout.starts_with("{\n  \"version\": 2,") && printed.stdout.ends_with("}\n");
        assert!(is_whole && printed.status == 1, "{script}: {} {}", printed.status, super::all(&printed));
    }
    assert!(std::fs::symlink_metadata(world.path("r/pipe")).expect("it is there").file_type().is_fifo());
    let printed = shell(&world, "cat pipe & kep-lint ready 1 --format json=pipe; wait");
    assert!(printed.stdout.contains("\"version\": 1"), "{}", super::all(&printed));
    says(&world.run(&["ready", "1", "--format", "csv=/dev/null"]), 1, &[]);
    // That a reader wants no more is no failure.
    says(&shell(&world, "head -c 9 pipe > /dev/null & kep-lint keps -q --format json=pipe"), 1, &[]);
    says(
        &world.run(&["keps", "--format", "json=pipe", "--format", "html=./pipe"]),
        2,
        &["two formats go to the same file"],
    );
}

#[cfg(unix)]
#[test]
fn other_devices_and_links_to_pipes_are_refused() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    for device in ["/dev/zero", "/dev/full"] {
        says(&world.run(&["keps", "--format", &format!("json={device}")]), 2, &["not a regular file"]);
    }
    fifo(&world, "r/pipe");
    world.link("pipe", "r/link").link("/dev/null", "r/nothing");
    for link in ["link", "nothing"] {
        says(&world.run(&["keps", "--format", &format!("json={link}")]), 2, &["it is a link"]);
    }
}

/// A reader that has enough ends the writing, but does not change how the run ends.
#[test]
fn a_reader_may_go_away() {
    let world = World::new();
    crowded(&world, 2, WITHDRAWN);
    for format in ["json", "html", "sarif", "concise", "junit", "gitlab"] {
        let mut command = scrubbed(PROGRAM, &world.path("r"));
        command.args(["keps", "--fail-on", "suggestion", "--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut start = [0; 100];
        child.stdout.take().expect("it is piped").read_exact(&mut start).expect("it prints more");
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{format}: {said}");
    }
}
