//! `kep-lint ready` as a user meets it: which KEPs are asked about, which version of the files, formats and exit status.

use crate::support::program::{NOW, Printed, command, kep_lint, kep_lint_with, printed};
use crate::support::readiness::README;
use crate::support::scratch::{Files, Scratch};
use crate::support::{files_below, project};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A copy of the demo that no repository of git is around.
pub fn demo() -> TempDir {
    demo_at("")
}

/// The same, at `path` in the directory.
pub fn demo_at(path: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let demo = project().join("fixtures/demo");
    for file in files_below(&demo, &|_| true) {
        let path = directory.path().join(path).join(file.strip_prefix(&demo).expect("it is below"));
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::copy(&file, path).expect("a file");
    }
    directory
}

/// The demo in a repository of git.
pub fn repository() -> Scratch {
    static FIRST: LazyLock<Files> = LazyLock::new(|| Scratch::with_folder("fixtures/demo").files());
    Scratch::copy_of(&FIRST)
}

pub fn ready(directory: &Path, arguments: &[&str]) -> Printed {
    kep_lint(directory, [&["ready"], arguments].concat())
}

pub fn json(printed: &Printed) -> Value {
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {}", printed.stderr))
}

/// The numbers of the KEPs in the answer, in order.
fn numbers(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let board = json(&ready(directory, &[arguments, &["--format", "json"]].concat()));
    let keps = board["keps"].as_array().expect("a list");
    keps.iter().map(|kep| kep["number"].as_str().unwrap_or("none").to_owned()).collect()
}

#[test]
fn keps_are_named_by_number_name_and_path() {
    let demo = demo();
    let numbers = |arguments: &[&str]| numbers(demo.path(), arguments);
    for name in
        ["4", "KEP-4", "0004", "sig-storage/4", "4-snapshot-hints", "keps/sig-storage/4-snapshot-hints/kep.yaml"]
    {
        assert_eq!(numbers(&[name]), ["4"], "{name}");
        assert_eq!(ready(demo.path(), &[name]).status, 0, "{name}");
    }
    assert_eq!(numbers(&["4", "KEP-4", "keps/sig-storage/4-snapshot-hints"]), ["4"], "each once");
    // Of a directory, those for the release; one that is broken must not hide.
    assert_eq!(numbers(&[]), ["2", "1", "4"]);
    assert_eq!(numbers(&["keps/sig-network", "4"]), ["4"]);
    assert_eq!(numbers(&["keps/sig-network/3-quiet-endpoints"]), ["3"], "a KEP that is named counts");
    assert_eq!(numbers(&["--milestone", "v1.29"]), ["2", "3"]);
    assert_eq!(ready(demo.path(), &["--milestone", "v1.29", "--format", "csv"]).status, 1);
}

#[test]
fn a_kep_that_is_not_there_is_an_answer() {
    let demo = demo();
    for name in ["99", "sig-node/99", "keps/sig-node/99-x", "99-x"] {
        let printed = ready(demo.path(), &[name]);
        assert_eq!(printed.status, 1, "{name}: {}", printed.stderr);
        assert!(printed.stdout.contains("not in the tree; a pull request may have it"), "{}", printed.stdout);
        assert!(printed.stdout.contains("for v1.37"), "the release is that of the tree: {}", printed.stdout);
    }
    assert_eq!(numbers(demo.path(), &["4", "99"]), ["99", "4"], "the worst comes first");
    for name in ["sig-node/4", "keps/sig-node/4-snapshots", "4-snapshots"] {
        let printed = ready(demo.path(), &[name]);
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{name}");
        assert!(printed.stderr.contains("did you mean `keps/sig-storage/4-snapshot-hints`?"), "{}", printed.stderr);
    }
    let printed = ready(demo.path(), &["OWNERS_ALIASES"]);
    assert!(printed.status == 2 && printed.stderr.contains("belongs to no KEP"), "{}", printed.stderr);
    let printed = ready(demo.path(), &["4", "--release", "v1.3"]);
    assert!(printed.status == 2 && printed.stderr.contains("there is no checklist for v1.3"), "{}", printed.stderr);
    let printed = ready(demo.path(), &["nowhere"]);
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""));
    assert!(printed.stderr.contains("`nowhere` does not exist"), "{}", printed.stderr);
    let printed = ready(demo.path(), &["--milestone", "v1.73"]);
    assert_eq!(printed.status, 1, "the broken KEP may be for any release");
    fs::remove_dir_all(demo.path().join("keps/sig-apps")).expect("a directory");
    let printed = ready(demo.path(), &["--milestone", "v1.73"]);
    assert_eq!(printed.status, 2, "no KEP is no KEP that is ready");
    assert!(printed.stderr.contains("no KEP has `latest-milestone` v1.73, out of 3"), "{}", printed.stderr);
}

#[test]
fn a_list_keeps_its_order() {
    let demo = demo();
    let list = "Title,URL,Stage\n\"Hints, etc.\",https://github.com/kubernetes/enhancements/issues/4,\n\
                Later,#99,Beta\nImages,KEP-1,GA\nA draft,,Beta\n";
    fs::write(demo.path().join("board.csv"), list).expect("a file");
    let printed = ready(demo.path(), &["--from", "board.csv", "--format", "json"]);
    assert_eq!(printed.status, 1);
    let board = json(&printed);
    let rows: Vec<(&str, &str, bool)> = board["keps"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|kep| {
            let text = |key: &str| kep[key].as_str().unwrap_or_default();
            (text("number"), text("stage"), kep["kep"].is_null())
        })
        .collect();
    assert_eq!(
        rows,
        [("4", "alpha", false), ("99", "beta", true), ("1", "stable", false), ("line 5 of the list", "beta", true)]
    );
    let from_input = kep_lint_with(demo.path(), b"4\n", &["ready", "--from", "-"]);
    assert_eq!(from_input.status, 0, "{}", from_input.stderr);
    fs::write(demo.path().join("bad.txt"), "4 alpha\nsoon\n").expect("a file");
    let printed = ready(demo.path(), &["--from", "bad.txt"]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("bad.txt:2: `soon` is not a KEP"), "{}", printed.stderr);
    assert!(printed.stdout.contains("KEP-4 "), "the other line is judged: {}", printed.stdout);
}

#[test]
fn the_version_that_was_judged_is_named() {
    let repository = repository();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let short = &commit[..9];
    let judged = |arguments: &[&str]| ready(&repository.root, arguments).stdout.replace("\n  ", " ");
    let clean = judged(&["4"]);
    assert!(clean.contains(&format!("judged on main at {short}, https:")), "{clean}");
    repository.replace("keps/sig-storage/4-snapshot-hints/kep.yaml", "status: implementable", "status: provisional");
    let changed = judged(&["4"]);
    assert!(changed.contains(&format!("judged on main at {short}, with uncommitted changes, https:")), "{changed}");
    assert!(changed.contains("not ready") && !judged(&["--at", "HEAD", "4"]).contains("not ready"));
    let other = judged(&["1"]);
    assert!(!other.contains("uncommitted"), "the change is in another KEP: {other}");
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.commit();
    let at_main = ready(&repository.root, &["--at", "main", "4"]);
    assert_eq!((at_main.status, at_main.stdout.contains("judged on main at")), (0, true), "{}", at_main.stdout);
    repository.git(&["update-ref", "refs/pull/12/head", "topic"]);
    repository.git(&["checkout", "-q", "main"]);
    for name in ["12", "#12", "pull/12/head"] {
        let printed = ready(&repository.root, &["--pr", name, "4"]);
        assert_eq!(printed.status, 1, "{}", printed.stderr);
        assert!(printed.stdout.contains("judged on pull request 12 at"), "{}", printed.stdout);
    }
    let numbers = |arguments: &[&str]| numbers(&repository.root, arguments);
    assert_eq!(numbers(&["--pr", "12"]), ["4"], "the KEPs that it changes");
    assert_eq!(numbers(&["--pr", "12", "--milestone", "v1.37"]), ["2", "1", "4"]);
    repository.git(&["checkout", "-q", "-b", "review"]);
    repository.replace("keps/prod-readiness/sig-node/1.yaml", "TBD", "@heidi");
    repository.commit();
    assert_eq!(numbers(&["--pr", "review"]), ["1"], "also if it changes only the PRR file");
    let below = repository.root.join("keps/sig-apps");
    assert_eq!(super::ready_cli::numbers(&below, &["--pr", "review"]), ["1"], "wherever it is asked");
    repository.git(&["rm", "-q", "-r", "keps/sig-storage/4-snapshot-hints"]);
    repository.commit();
    assert_eq!(numbers(&["--pr", "review"]), ["4", "1"], "a KEP that it deletes is not there");
    let merged = ready(&repository.root, &["--pr", "main"]);
    assert!(merged.status == 2 && merged.stderr.contains("it is merged already"), "{}", merged.stderr);
    repository.git(&["checkout", "-q", "--orphan", "alone"]);
    repository.commit();
    repository.git(&["update-ref", "refs/pull/9/head", "alone"]);
    let alone = ready(&repository.root, &["--pr", "9"]);
    assert!(alone.status == 2 && alone.stderr.contains("it left no branch that is known here"), "{}", alone.stderr);
    repository.git(&["checkout", "-q", "main"]);
    let missing = ready(&repository.root, &["--pr", "13", "4"]);
    let command = "git fetch origin pull/13/head:refs/pull/13/head";
    assert_eq!((missing.status, missing.stderr.contains(command)), (2, true), "{}", missing.stderr);
    let missing = ready(&repository.root, &["--at", "release-1.38", "4"]);
    let command = "git fetch origin release-1.38:release-1.38";
    assert_eq!((missing.status, missing.stderr.contains(command)), (2, true), "{}", missing.stderr);
    assert!(!ready(demo().path(), &["4"]).stdout.contains("judged"), "without git");
    let outside = ready(demo().path(), &["--at", "main", "4"]);
    assert_eq!((outside.status, outside.stderr.contains("or without `--at` and `--pr`")), (2, true));
}

#[test]
fn the_question_decides_the_exit_status() {
    let demo = demo();
    let status = |arguments: &[&str]| ready(demo.path(), arguments).status;
    assert_eq!((status(&["4"]), status(&["1"]), status(&["4", "1"])), (0, 1, 1));
    assert_eq!((status(&["4", "--stage", "beta"]), status(&["4", "--release", "v1.38"])), (1, 1));
    let readme = demo.path().join("keps/sig-storage/4-snapshot-hints/README.md");
    let text = fs::read_to_string(&readme).expect("a file").replace("[x] I/we", "[ ] I/we");
    fs::write(&readme, &text).expect("a file");
    assert_eq!((status(&["4"]), status(&["4", "--strict"])), (0, 1), "evidence decides only if it is asked to");
    for format in ["sigs", "csv"] {
        let printed = ready(demo.path(), &["4", "--strict", "--format", format]);
        assert!(printed.stdout.contains("test plan: not acknowledged"), "{format}: {}", printed.stdout);
    }
    let bytes = [text.as_bytes(), b"\n\xff\n"].concat();
    fs::write(&readme, bytes).expect("a file");
    let printed = ready(demo.path(), &["4"]);
    assert!(!printed.stdout.contains("PRR: byte"), "it is no fault of the PRR: {}", printed.stdout);
    fs::write(&readme, vec![b'x'; 3 << 20]).expect("a file");
    let printed = ready(demo.path(), &["4"]);
    assert_eq!(printed.status, 2, "a README that is too large cannot be judged");
    assert!(printed.stdout.contains("README.md cannot be read") && printed.stderr.contains("it has 3 MiB"));
}

#[test]
fn a_configuration_hides_nothing() {
    let demo = demo();
    let config = "exclude: ['**']\nrules:\n  stale-toc: off\n  prr-approver: off\nrelease: v1.38\napprovers: [TBD]\n";
    fs::write(demo.path().join(".kep-lint.yaml"), config).expect("a file");
    let printed = ready(demo.path(), &["1", "--format", "csv"]);
    let row = printed.stdout.lines().nth(1).expect("a line").to_owned();
    assert!(row.contains("table of contents: out of date") && row.contains("not v1.38"), "{row}");
    assert!(!row.contains("PRR"), "the approvers of the configuration count: {row}");
}

#[test]
fn whom_keps_wait_for() {
    let demo = demo();
    let waiting = |handle: &str| {
        let printed = ready(demo.path(), &["--waiting-for", handle]);
        (printed.status, printed.stdout)
    };
    let (status, table) = waiting("@Heidi");
    assert_eq!(status, 1);
    assert!(table.contains("  PRR\n    Prefetch images\n") && table.contains("1 KEP waits for `heidi`"), "{table}");
    assert!(!table.contains("Snapshot hints"), "{table}");
    assert!(waiting("erin").1.contains("  SIG approval\n    Ordered rollout\n"));
    let (status, nobody) = waiting("carol");
    assert_eq!((status, nobody.contains("0 KEPs wait for `carol`")), (0, true), "{nobody}");
    let comment = ready(demo.path(), &["--waiting-for", "carol", "--format", "markdown"]).stdout;
    assert!(comment.starts_with("No KEP waits for `carol`"), "{comment}");
    assert!(waiting("nobody").1.contains("who is no approver of any of these KEPs"));
}

#[test]
fn in_a_log_nothing_is_cut() {
    let demo = demo();
    for arguments in [&["ready"][..], &["ready", "1"]] {
        let narrow = command(demo.path()).env("COLUMNS", "40").args(arguments).output();
        let text = printed(&narrow.expect("the program was built with this test")).stdout;
        assert!(text.lines().count() > 8 && !text.contains("..."), "{text}");
    }
}

#[test]
fn the_json_is_what_its_schema_says() {
    let schema = kep_lint(project(), ["schema", "ready"]);
    let schema = serde_json::from_str(&schema.stdout).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is valid");
    let (demo, repository) = (demo(), repository());
    for board in [
        ready(demo.path(), &["--format", "json"]),
        ready(demo.path(), &["99", "4", "--stage", "ga", "--release", "v1.20", "--format", "json"]),
        ready(demo.path(), &["--waiting-for", "heidi", "--strict", "--format", "json"]),
        ready(&repository.root, &["--at", "HEAD", "--format", "json"]),
    ] {
        let errors: Vec<String> = schema.iter_errors(&json(&board)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
    let mut board = json(&ready(demo.path(), &["4", "--format", "json"]));
    assert!(schema.is_valid(&board));
    board["keps"][0]["answers"][0]["state"] = Value::from("maybe");
    assert!(!schema.is_valid(&board));
}

#[test]
fn a_stage_and_the_url_of_an_issue_are_understood() {
    let demo = demo();
    let wanted = ready(demo.path(), &["4", "--stage", "beta"]);
    for arguments in [
        &["4", "beta"][..],
        &["https://kep.k8s.io/4", "beta"],
        &["https://github.com/kubernetes/enhancements/issues/4", "--stage", "beta"],
    ] {
        assert_eq!(ready(demo.path(), arguments).stdout, wanted.stdout, "{arguments:?}");
    }
    let other = ready(demo.path(), &["https://github.com/kubernetes/website/issues/4"]);
    assert!(other.status == 2 && other.stderr.contains("is no KEP of this repository"), "{}", other.stderr);
    let pull = ready(demo.path(), &["https://github.com/kubernetes/enhancements/pull/12"]);
    assert_eq!(pull.status, 2, "it is judged as `--pr 12`, in a clone: {}", pull.stderr);
    let both = ready(demo.path(), &["4", "beta", "--stage", "alpha"]);
    assert!(both.status == 2 && both.stderr.contains("two stages are named"), "{}", both.stderr);
}

#[test]
fn keps_are_in_groups_with_what_matters_first_in_a_log() {
    let demo = demo();
    let table = ready(demo.path(), &["keps"]).stdout;
    let place = |words: &str| table.find(words).unwrap_or_else(|| panic!("{words}: {table}"));
    assert!(place("\nnot ready 2\n") < place("\nready 1\n4\n"), "{table}");
    assert!(table.contains("\nKEP  SIG       stage  open"), "{table}");
}

#[test]
fn a_checklist_fits_a_screen() {
    let demo = demo();
    for (name, lines) in [("4", 22), ("1", 31), ("3", 36)] {
        let mut run = command(demo.path());
        let run = run.args(["ready", name]).env("COLUMNS", "80");
        let shown = printed(&run.output().expect("the program was built with this test")).stdout;
        assert!(shown.lines().count() <= lines, "{} lines:\n{shown}", shown.lines().count());
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{shown}");
    }
}

#[test]
fn how_new_the_data_is_is_said() {
    let demo = demo();
    let version = kep_lint(demo.path(), ["--version"]).stdout;
    let (first, data) = version.split_once('\n').expect("two lines");
    assert_eq!(first, concat!("kep-lint ", env!("CARGO_PKG_VERSION")));
    assert_eq!(kep_lint(demo.path(), ["-V"]).stdout, format!("{first}\n"));
    assert!(data.starts_with("data of 20") && data.ends_with(", gates\n"), "{data}");
    for keps in ["4", "keps"] {
        let shown = ready(demo.path(), &[keps]).stdout;
        assert!(shown.ends_with(&format!("\n{data}")), "{shown}");
        let mut later = command(demo.path());
        // In 2100.
        let later = later.args(["ready", keps]).env("SOURCE_DATE_EPOCH", "4102444800").env("COLUMNS", "300");
        let later = printed(&later.output().expect("the program was built with this test")).stdout;
        let last = later.lines().last().expect("a line");
        let end =
            " is out, and nothing is known of the next release: update kep-lint, or name its days by `--sig-release`";
        assert!(last.starts_with(data.trim_end()) && last.ends_with(end), "{last}");
    }
    let page = ready(demo.path(), &["keps", "--format", "html"]).stdout;
    assert!(page.contains(&format!(" D{}.", data.trim_start_matches('d').trim_end())), "{page}");
}

#[test]
fn a_ready_kep_with_open_sections_is_not_shown_as_complete() {
    let demo = demo();
    let readme = demo.path().join(README);
    let text = fs::read_to_string(&readme).expect("it is there");
    let text = text.replace("Fewer snapshots of volumes that nobody restores.\n", "");
    fs::write(&readme, text).expect("it can be written");
    let open = "1 of 23 sections is open";
    for format in ["pretty", "markdown", "html"] {
        let shown = ready(demo.path(), &["4", "--format", format]);
        assert_eq!(shown.status, 0, "the items decide");
        assert!(shown.stdout.replace("\n  ", " ").contains(open), "{}", shown.stdout);
    }
    let painted = ready(demo.path(), &["4", "--color", "always"]).stdout;
    assert!(painted.contains("\u{1b}[33mready\u{1b}[0m for alpha"), "{painted}");
}

#[test]
fn the_repository_of_the_kep_is_named() {
    let inner = repository();
    let outer = Scratch::empty();
    outer.write("README.md", "It holds a clone.\n");
    outer.commit();
    outer.git(&["clone", "-q", inner.root.to_str().expect("it is UTF-8"), "clone"]);
    let commit = format!("judged on main at {}", &inner.git(&["rev-parse", "HEAD"])[..9]);
    for arguments in [&[][..], &["."], &["clone/keps/sig-storage/4-snapshot-hints"]] {
        let shown = ready(&outer.root, arguments).stdout.replace("\n  ", " ");
        assert!(shown.contains(&commit), "{arguments:?}: {shown}");
    }
    let list: String = (100..130).map(|number| format!("{number} beta\n")).collect();
    inner.write("list.txt", &format!("4 alpha\n{list}"));
    inner.write("keps/sig-apps/notes.txt", "about no KEP\n");
    let listed = ready(&inner.root, &["--from", "list.txt"]).stdout;
    assert!(listed.contains(&commit) && !listed.contains("uncommitted"), "{listed}");
    let elsewhere = tempfile::tempdir().expect("a directory");
    inner.git(&["config", "core.worktree", elsewhere.path().to_str().expect("it is UTF-8")]);
    let shown = ready(&inner.root, &["4"]).stdout;
    assert!(!shown.contains("judged on"), "these are not the files of that repository: {shown}");
}

#[test]
fn a_row_of_a_list_about_another_repository_is_no_kep() {
    let repository = repository();
    repository.git(&["remote", "add", "fork", "git@github.com:alice/enhancements.git"]);
    let numbers = |rows: &str| {
        repository.write("list.csv", &format!("URL,Stage\n{rows}"));
        let printed = ready(&repository.root, &["--from", "list.csv", "--format", "json"]);
        let numbers: Vec<String> = json(&printed)["keps"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|kep| kep["number"].as_str().unwrap_or_default().to_owned())
            .collect();
        (numbers, printed)
    };
    let (own, _) = numbers("https://kep.k8s.io/4,alpha\nhttps://github.com/alice/enhancements/issues/1,alpha\n");
    assert_eq!(own, ["4", "1"]);
    let (own, printed) = numbers("4,alpha\nhttps://github.com/kubernetes/website/issues/1,alpha\n");
    assert_eq!((own, printed.status), (vec!["4".to_owned()], 2));
    let refused = "list.csv:3: `https://github.com/kubernetes/website/issues/1` is in another repository";
    assert!(printed.stderr.contains(refused), "{}", printed.stderr);
    // Elsewhere, an issue of Kubernetes is not that of a KEP.
    repository.git(&["mv", "keps", "moved"]);
    repository.write("keps/4-hints/README.md", "# KEP-4: Hints\n");
    let (own, _) = numbers("https://github.com/alice/enhancements/issues/4,alpha\nkubernetes/enhancements#4,alpha\n");
    assert_eq!(own, ["4"]);
}

#[test]
fn no_place_on_a_disk_is_published() {
    let repository = repository();
    let home = tempfile::tempdir().expect("a directory");
    let place = |name: &str| home.path().join(name).to_str().expect("it is UTF-8").to_owned();
    fs::write(home.path().join("list.txt"), "4 alpha\nsoon\n").expect("a file");
    fs::write(home.path().join("own.yaml"), "release: v1.37\nfail-on: never\n").expect("a file");
    let (board, list, config) = (place("board.json"), place("list.txt"), place("own.yaml"));
    ready(&repository.root, &["--from", &list, "--config", &config, "--format", &format!("json={board}")]);
    let published = |arguments: &[&str]| {
        let text = kep_lint(&repository.root, arguments).stdout;
        assert!(!text.contains(home.path().to_str().expect("it is UTF-8")), "{arguments:?}: {text}");
        assert!(!text.contains(repository.root.to_str().expect("it is UTF-8")), "{arguments:?}: {text}");
        text
    };
    let compared = ["ready", "--from", &list, "--compare", &board, "--config", &config, "--format"];
    let markdown = published(&[&compared[..], &["markdown"]].concat());
    assert!(markdown.starts_with("## Since board.json (") && markdown.contains("`own.yaml` makes"), "{markdown}");
    let page = published(&[&compared[..], &["html"]].concat());
    assert!(page.contains("Since board.json (") && page.contains("<li>list.txt:2: <code>soon</code>"), "{page}");
    let kep = repository.at("keps/sig-node/1-prefetch-images");
    let kep = kep.to_str().expect("it is UTF-8");
    let summary = published(&[kep, &place("nowhere"), "--config", &config, "--format", "markdown"]);
    assert!(summary.contains("`keps/sig-node/1-prefetch-images`"), "{summary}");
    assert!(summary.contains("`nowhere` does not exist"), "{summary}");
}

#[test]
fn a_comment_quotes_only_text() {
    let demo = demo();
    let yaml = demo.path().join("keps/sig-node/1-prefetch-images/kep.yaml");
    let text = fs::read_to_string(&yaml).expect("a file");
    let text = text.replace("title: Prefetch images", "title: \"@all <img src=x> #12 [x](https://evil.example) `y\"");
    fs::write(&yaml, text.replace("stage: alpha", "stage: \"@all`<b>\"")).expect("a file");
    let comment = ready(demo.path(), &["1", "--format", "markdown"]).stdout;
    assert!(comment.contains("- [x] KEP in the tree") && comment.contains("- [ ] PRR"), "{comment}");
    assert!(comment.contains("**At risk for enhancements freeze**"), "{comment}");
    let of_beta = ready(demo.path(), &["1", "--stage", "beta", "--format", "markdown"]).stdout;
    assert!(of_beta.contains("```yaml\nstage: beta\nmilestone:\n  beta: \"v1.37\"\n```\n"), "{of_beta}");
    let mut options = comrak::Options::default();
    options.extension.autolink = true;
    let parsed = comrak::markdown_to_html(&comment, &options);
    assert!(!parsed.contains("<img") && !parsed.contains("<a "), "{parsed}");
    // GitHub looks for people and issues everywhere but in code.
    let outside = parsed.split("<code>").filter_map(|part| part.split("</code>").last()).collect::<String>();
    for bad in ["@all", "#12", "evil.example", "&lt;"] {
        assert!(parsed.contains(bad) && !outside.contains(bad), "{bad}: {comment}");
    }
    let csv = ready(demo.path(), &["1", "--format", "csv"]).stdout;
    assert!(csv.contains("\"'@all"), "{csv}");
}

#[test]
fn what_a_pull_request_adds_is_only_proposed() {
    let repository = repository();
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.replace("keps/prod-readiness/sig-node/1.yaml", "TBD", "\"@heidi\"");
    repository.replace("keps/sig-storage/4-snapshot-hints/README.md", "## Summary", "\n## Summary");
    repository.commit();
    let judged = |arguments: &[&str]| {
        let printed = ready(&repository.root, arguments).stdout;
        printed.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let asked = judged(&["--pr", "topic", "1"]);
    assert!(asked.contains("PRR (asks `heidi` (not yet approved))"), "{asked}");
    assert!(asked.contains("ready for the PRR freeze"), "an open pull request is in time: {asked}");
    let waiting = judged(&["--pr", "topic", "1", "--waiting-for", "heidi"]);
    assert!(waiting.contains("1 KEP waits for `heidi`"), "{waiting}");
    let approved = judged(&["--pr", "topic", "4"]);
    assert!(approved.contains("would be ready for") && approved.contains(" once merged: "), "{approved}");
    assert!(approved.contains("approves") && !approved.contains("asks"), "its entry is merged: {approved}");
    let comment = judged(&["--pr", "topic", "4", "--format", "markdown"]);
    assert!(comment.contains("**Would be tracked for enhancements freeze once merged**: "), "{comment}");
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "topic"]);
    let merged = judged(&["--pr", "topic", "1"]);
    assert!(merged.contains("`heidi` approves") || merged.contains("PRR (`heidi` approves"), "{merged}");
}

#[test]
fn after_the_freeze_no_pull_request_can_bring_a_kep() {
    let demo = demo();
    let absent = |seconds: &str| {
        let mut command = command(demo.path());
        let output = command.args(["ready", "99"]).env(NOW.0, seconds).output().expect("it was built with this test");
        printed(&output).stdout
    };
    // Noon of 2026-06-17 in UTC is the end of 2026-06-16 anywhere on earth.
    assert!(absent("1781697599").contains("not in the tree; a pull request may have it"));
    assert!(!absent("1781697600").contains("a pull request may have it"));
}
