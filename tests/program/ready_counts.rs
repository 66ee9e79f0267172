//! `kep-lint ready`: what is open is counted once, by all commands and formats.

use crate::ready_cli::{demo, ready, repository};
use crate::support::program::kep_lint;
use crate::support::scratch::Scratch;
use serde_json::Value;
use std::fs;

#[test]
fn every_command_counts_the_same_open_sections() {
    const KEP: &str = "keps/sig-network/5495-deprecate-ipvs-mode-in-kube-proxy";
    let copy = Scratch::with_folder("fixtures/sample");
    let readme = format!("{KEP}/README.md");
    let text = copy.read(&readme);
    let history = text.find("\n## Implementation History\n").expect("it has a history");
    let drawbacks = text.find("\n## Drawbacks").expect("it has drawbacks");
    copy.write(&readme, &format!("{}\n## Implementation History\n{}", &text[..history], &text[drawbacks..]));
    let count = "5 of 49";
    let check = kep_lint(&copy.at(""), [KEP, "--level", "suggestion"]).stdout;
    assert!(check.contains(&format!("\n  {count} required sections are not filled in; ")), "{check}");
    let said = |format: &str| ready(&copy.at(""), &[KEP, "--format", format]).stdout;
    for (format, words) in [
        ("pretty", format!("required sections: {count} are open")),
        ("json", format!("\"{count} are open: ")),
        ("markdown", format!("required sections: {count} are open")),
        ("html", format!("{count} sections are open")),
        ("sigs", format!("{count} sections are open")),
        ("csv", ",5,".to_owned()),
    ] {
        assert!(said(format).contains(&words), "{format}: {words}: {}", said(format));
    }
}

#[test]
fn a_mistake_is_counted_once_and_what_to_write_is_next() {
    let demo = demo();
    let metadata = demo.path().join("keps/sig-storage/4-snapshot-hints/kep.yaml");
    let text = fs::read_to_string(&metadata).expect("a file");
    fs::write(&metadata, text.replace("alpha: \"v1.36\"", "alpha: \"v1.21, v1.37\"")).expect("a file");
    let shown = ready(demo.path(), &["4"]).stdout.replace("\n  ", " ");
    assert!(shown.contains("milestone of the stage: the alpha milestone `v1.21, v1.37` is not a"), "{shown}");
    assert!(!shown.contains("other errors"), "{shown}");
    assert!(shown.contains("Next: write these lines, open a pull request, ask a lead of the SIG"), "{shown}");
}

#[test]
fn a_board_that_has_keps_twice_says_so() {
    let scratch = repository();
    let written = kep_lint(&scratch.at(""), ["ready", "keps", "--milestone", "v1.37", "--format", "json"]);
    let mut board: Value = serde_json::from_str(&written.stdout).expect("it is JSON");
    let keps = board["keps"].as_array_mut().expect("a list");
    keps.extend(keps.clone());
    let count = keps.len() / 2;
    scratch.write("board.json", &board.to_string());
    let printed = kep_lint(&scratch.at(""), ["ready", "keps", "--milestone", "v1.37", "--compare", "board.json"]);
    assert!(printed.stdout.starts_with("Since board.json"), "{}", printed.stdout);
    assert!(printed.stdout.contains("nothing changed"), "{}", printed.stdout);
    let note = format!("`board.json` has {count} KEPs more than once, of which the first counts");
    assert!(printed.stderr.contains(&note), "{}", printed.stderr);
}
