//! `kep-lint ready --prs`: what a list of open pull requests and the heads that were fetched tell of KEPs.

use crate::ready_cli::repository;
use crate::support::program::{Printed, items, kep_lint, kep_lint_with, text};
use crate::support::project;
use crate::support::scratch::{Files, Scratch};
use serde_json::{Value, json};
use std::fs;
use std::sync::LazyLock;
use tempfile::TempDir;

const KEP_4: &str = "keps/sig-storage/4-snapshot-hints";
const KEP_5: &str = "keps/sig-storage/5-volume-labels";
const REVIEWS: &str = "keps/prod-readiness/sig-storage";

/// The demo in a repository, with the heads of four of five pull requests.
struct Pulls {
    scratch: Scratch,
    /// The directory with the list, which is no file of the repository.
    outside: TempDir,
    export: Value,
}

/// A pull request of the list.
fn pull(number: u64, author: &str, head: &str, paths: &[&str]) -> Value {
    let files: Vec<Value> = paths.iter().map(|path| json!({ "path": path, "additions": 1, "deletions": 0 })).collect();
    json!({
        "number": number, "title": format!("Change {number}"), "author": { "login": author, "is_bot": false },
        "url": format!("https://github.com/kubernetes/enhancements/pull/{number}"), "files": files, "headRefOid": head,
        "baseRefName": "master", "labels": [{ "name": "lgtm" }], "isDraft": number == 13,
        "updatedAt": format!("2026-05-{number}T10:00:00Z"),
    })
}

impl Pulls {
    fn new() -> Self {
        static FIRST: LazyLock<(Files, Value)> = LazyLock::new(|| {
            let pulls = Pulls::made();
            (pulls.scratch.files(), pulls.export)
        });
        let pulls = Self::with(Scratch::copy_of(&FIRST.0), FIRST.1.clone());
        pulls.write();
        pulls
    }

    fn with(scratch: Scratch, export: Value) -> Self {
        Self { scratch, outside: tempfile::tempdir().expect("a directory"), export }
    }

    fn made() -> Self {
        let mut pulls = Self::with(repository(), json!([]));
        let (readme, metadata) = (format!("{KEP_4}/README.md"), format!("{KEP_4}/kep.yaml"));
        let review = format!("{REVIEWS}/4.yaml");
        // A KEP that is only here: like KEP-4, which is ready.
        let new = [format!("{KEP_5}/README.md"), format!("{KEP_5}/kep.yaml"), format!("{REVIEWS}/5.yaml")];
        let old = [readme.clone(), metadata.clone(), review.clone()];
        pulls.open(10, "judy", &new.each_ref().map(String::as_str), |scratch| {
            for (new, old) in new.iter().zip(&old) {
                let text = scratch.read(old).replace("KEP-4", "KEP-5").replace("kep-number: 4", "kep-number: 5");
                scratch.write(new, &text.replace("Snapshot hints", "Volume labels").replace("v1.36", "v1.37"));
            }
        });
        pulls.open(11, "ivan", &[&metadata, &review], |scratch| {
            scratch.replace(&metadata, "stage: alpha", "stage: beta");
            scratch.replace(&metadata, "alpha: \"v1.36\"", "alpha: \"v1.36\"\n  beta: \"v1.37\"");
            let text = scratch.read(&review);
            scratch.write(&review, &format!("{text}beta:\n  approver: \"@heidi\"\n"));
        });
        pulls.open(12, "eve", &["keps/sig-node/1-prefetch-images/README.md", "README.md"], |scratch| {
            let text = scratch.read("keps/sig-node/1-prefetch-images/README.md");
            scratch.write("keps/sig-node/1-prefetch-images/README.md", &format!("{text}\nMore.\n"));
        });
        pulls.open(13, "dave", &["keps/sig-apps/2-ordered-rollout/kep.yaml"], |scratch| {
            scratch.replace("keps/sig-apps/2-ordered-rollout/kep.yaml", "provisonal", "provisional");
        });
        let missing =
            pull(14, "bob", &"0".repeat(40), &["keps/prod-readiness/sig-node/1.yaml", "keps/sig-x/9-y/kep.yaml"]);
        pulls.list().push(missing);
        pulls
    }

    /// Opens a pull request with what `change` makes of the main branch.
    fn open(&mut self, number: u64, author: &str, paths: &[&str], change: impl FnOnce(&Scratch)) {
        let scratch = &self.scratch;
        scratch.git(&["checkout", "-q", "-B", "work", "main"]);
        change(scratch);
        scratch.commit();
        scratch.git(&["update-ref", &format!("refs/pull/{number}/head"), "HEAD"]);
        let head = scratch.git(&["rev-parse", "HEAD"]);
        scratch.git(&["checkout", "-q", "main"]);
        self.list().push(pull(number, author, &head, paths));
    }

    /// Takes a pull request off the list.
    fn close(&mut self, number: u64) {
        self.list().retain(|pull| pull["number"] != number);
    }

    fn list(&mut self) -> &mut Vec<Value> {
        self.export.as_array_mut().expect("it is a list")
    }

    /// The pull request of this number in the list.
    fn listed(&mut self, number: u64) -> &mut Value {
        self.list().iter_mut().find(|pull| pull["number"] == number).expect("it is there")
    }

    /// Writes the list.
    fn write(&self) {
        self.write_bytes(self.export.to_string().as_bytes());
    }

    fn write_bytes(&self, bytes: &[u8]) {
        fs::write(self.path(), bytes).expect("a file");
    }

    /// Where the list is.
    fn path(&self) -> String {
        self.outside.path().join("prs.json").to_str().expect("it is UTF-8").to_owned()
    }

    fn ready(&self, arguments: &[&str]) -> Printed {
        kep_lint(&self.scratch.root, [&["ready", "--prs", &self.path()], arguments].concat())
    }

    fn board(&self, arguments: &[&str]) -> Value {
        let printed = self.ready(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {}", printed.stderr))
    }

    /// The KEP of this number on the board.
    fn kep(&self, arguments: &[&str], number: &str) -> Value {
        let board = self.board(arguments);
        let kep = items(&board["keps"]).iter().find(|kep| kep["number"] == number);
        kep.unwrap_or_else(|| panic!("no KEP {number}: {board}")).clone()
    }
}

/// The state and the words of an answer.
fn answer(kep: &Value, item: &str) -> (String, String) {
    let answer = items(&kep["answers"]).iter().find(|answer| answer["item"] == item);
    let answer = answer.unwrap_or_else(|| panic!("{item} is not asked"));
    (text(&answer["state"]).to_owned(), text(&answer["words"]).to_owned())
}

fn not_met(words: &str) -> (String, String) {
    ("not-met".to_owned(), words.to_owned())
}

fn met(words: &str) -> (String, String) {
    ("met".to_owned(), words.to_owned())
}

#[test]
fn other_open_pull_requests_are_found_in_the_list() {
    let pulls = Pulls::new();
    let of = |number: &str| answer(&pulls.kep(&[], number), "pulls");
    assert_eq!(of("1"), not_met("#12 by `eve` changes README.md"), "#14 changes only the PRR file");
    assert_eq!(of("2"), not_met("#13 (a draft) by `dave` changes kep.yaml"));
    assert_eq!(of("4"), not_met("#11 by `ivan` changes kep.yaml"));
    assert_eq!(of("5"), met("none of the 4 other open ones changes its README or kep.yaml"));
    assert_eq!(answer(&pulls.kep(&["3"], "3"), "tree").0, "met", "v1.29 asks for no pull requests");
    let board = pulls.board(&[]);
    assert_eq!(items(&board["by_hand"]), [Value::Null; 0], "it was asked");
    assert!(items(&board["items"]).iter().any(|item| item["name"] == "pulls"));
    let without = kep_lint(&pulls.scratch.root, ["ready", "4"]);
    assert!(without.stdout.contains("Check by hand: no other open pull request"), "{}", without.stdout);
    assert!(!pulls.ready(&["4"]).stdout.to_lowercase().contains("by hand"));
}

#[test]
fn a_kep_that_only_a_pull_request_has_is_judged_there() {
    let pulls = Pulls::new();
    for arguments in [
        &[][..],
        &["5"],
        &["--milestone", "v1.37"],
        &["keps/sig-storage"],
        &["--sig", "sig-storage"],
        &["--approver", "heidi"],
    ] {
        let kep = pulls.kep(arguments, "5");
        assert_eq!(answer(&kep, "tree"), not_met("in #10 only"), "{arguments:?}");
        let state = |key: &str| kep[key].clone();
        assert_eq!((state("proposed"), state("ready"), state("kep")), (json!(true), json!(false), json!(KEP_5)));
        assert_eq!(answer(&kep, "prr"), met("asks `heidi` (not yet approved)"));
        let open = items(&kep["answers"]).iter().filter(|answer| answer["state"] == "not-met");
        let open: Vec<&str> = open.map(|answer| text(&answer["item"])).collect();
        assert_eq!(open, ["tree"], "all else is there");
        let [pull] = items(&kep["pulls"]) else { panic!("{kep}") };
        assert_eq!((&pull["number"], &pull["ready"], &pull["missing"]), (&json!(10), &json!(true), &json!([])));
        assert_eq!((&kep["deadline"]["met"], &kep["deadline"]["by"]), (&json!(true), &json!([10])));
    }
    let others = pulls.board(&["--sig", "sig-node"]);
    assert!(items(&others["keps"]).iter().all(|kep| kep["number"] != "5"), "{others}");
    let shown = pulls.ready(&["5"]).stdout;
    let shown = shown.replace("\n  ", " ");
    assert!(shown.contains("\nready for the PRR freeze in 9 days (2026-06-09 AoE) by #10\n"), "{shown}");
    assert!(shown.contains("\nnot ready for alpha"), "{shown}");
    assert!(shown.contains("would be ready for alpha in v1.37"), "{shown}");
    assert!(pulls.board(&["keps/sig-node"])["keps"].as_array().expect("a list").iter().all(|kep| kep["number"] == "1"));
    let words = |pulls: &Pulls, name: &str| answer(&pulls.kep(&[name], name), "tree");
    assert_eq!(words(&pulls, "99"), not_met("not in the tree, and in no open pull request"));
}

#[test]
fn the_one_that_was_updated_last_counts() {
    let mut pulls = Pulls::new();
    pulls.open(15, "eve", &[&format!("{KEP_5}/kep.yaml")], |scratch| {
        scratch.write(&format!("{KEP_5}/kep.yaml"), "title: Other labels\nkep-number: 5\nlatest-milestone: v1.37\n");
    });
    pulls.write();
    let kep = pulls.kep(&[], "5");
    assert_eq!((text(&kep["title"]), answer(&kep, "tree").1.as_str()), ("Other labels", "in #15 only"));
    assert_eq!(answer(&kep, "pulls"), not_met("#10 by `judy` changes README.md and kep.yaml"), "that one is another");
    let numbers: Vec<&Value> = items(&kep["pulls"]).iter().map(|pull| &pull["number"]).collect();
    assert_eq!(numbers, [&json!(15), &json!(10)]);
    pulls.listed(10)["updatedAt"] = json!("2026-06-01T00:00:00Z");
    pulls.write();
    assert_eq!(answer(&pulls.kep(&["5"], "5"), "tree").1, "in #10 only");
}

#[test]
fn a_promotion_counts_for_the_deadline_before_the_freeze() {
    let pulls = Pulls::new();
    let kep = pulls.kep(&["4", "--stage", "beta"], "4");
    assert_eq!(answer(&kep, "prr"), not_met("no approver for beta"), "what is merged decides");
    // It has no answers for beta, but all else.
    assert_eq!(kep["deadline"]["met"], json!(false));
    assert_eq!((&kep["deadline"]["missing"], &kep["deadline"]["by"]), (&json!(["PRR questions"]), &json!([11])));
    let [pull] = items(&kep["pulls"]) else { panic!("{kep}") };
    assert_eq!((text(&pull["stage"]), text(&pull["author"]), &pull["draft"]), ("beta", "ivan", &json!(false)));
    assert_eq!(items(&pull["files"]), ["kep.yaml", "prod-readiness/sig-storage/4.yaml"]);
    assert_eq!(pull["waiting"], json!({ "prr": true, "prr_approver": "heidi", "sig": [] }));
    let other = pulls.kep(&["4", "--stage", "stable"], "4");
    assert_eq!((&other["deadline"]["met"], &other["deadline"]["by"]), (&json!(false), &json!([])));
    // Two that have it together.
    let mut pulls = Pulls::new();
    let metadata = format!("{KEP_4}/kep.yaml");
    pulls.close(11);
    pulls.open(16, "ivan", &[&metadata], |scratch| {
        scratch.replace(&metadata, "stage: alpha", "stage: beta");
        scratch.replace(&metadata, "alpha: \"v1.36\"", "alpha: \"v1.36\"\n  beta: \"v1.37\"");
    });
    pulls.open(15, "eve", &[&format!("{REVIEWS}/4.yaml")], |scratch| {
        scratch.write(&format!("{REVIEWS}/4.yaml"), "kep-number: 4\nbeta:\n  approver: \"@heidi\"\n");
    });
    pulls.write();
    let kep = pulls.kep(&["4", "--stage", "beta"], "4");
    assert_eq!(kep["deadline"]["by"], json!([16, 15]), "a file that the one does not change counts as merged");
}

#[test]
fn a_kep_that_gets_the_milestone_in_a_pull_request_is_on_the_board() {
    let mut pulls = Pulls::new();
    let metadata = "keps/sig-network/3-quiet-endpoints/kep.yaml";
    pulls.open(15, "grace", &[metadata], |scratch| {
        scratch.replace(metadata, "stage: stable", "stage: removed");
        scratch.replace(metadata, "latest-milestone: \"v1.29\"", "latest-milestone: \"v1.37\"");
    });
    pulls.write();
    let kep = pulls.kep(&[], "3");
    assert_eq!((text(&kep["stage"]), &kep["proposed"]), ("removed", &json!(false)), "the stage that is planned");
    assert_eq!(answer(&kep, "latest-milestone").0, "not-met", "what is merged decides");
    assert_eq!(pulls.board(&[])["left_out"], json!(0));
    assert!(items(&pulls.board(&["keps/sig-node"])["keps"]).iter().all(|kep| kep["number"] == "1"));
}

#[test]
fn a_file_that_is_moved_is_changed() {
    let mut pulls = Pulls::new();
    let moved = format!("{KEP_4}/design.md");
    pulls.close(11);
    pulls.open(15, "eve", &[&moved], |scratch| {
        scratch.git(&["mv", &format!("{KEP_4}/README.md"), &moved]);
    });
    pulls.write();
    let kep = pulls.kep(&["4"], "4");
    assert_eq!(answer(&kep, "pulls"), not_met("#15 by `eve` changes README.md"), "a list has the new path alone");
}

#[test]
fn heads_that_are_missing_or_differ_are_named_with_one_command() {
    let mut pulls = Pulls::new();
    let printed = pulls.ready(&["1", "4"]);
    let command = "\n  git fetch origin refs/pull/14/head:refs/pull/14/head\n";
    assert!(pulls.ready(&["keps/sig-storage"]).stderr.contains(command), "it may bring a KEP");
    assert!(printed.stderr.contains(command), "{}", printed.stderr);
    for other in ["4", KEP_4] {
        assert!(!pulls.ready(&[other]).stderr.contains("git fetch"), "it does not change that");
    }
    let kep = pulls.kep(&["1"], "1");
    let states: Vec<(&Value, &Value)> =
        items(&kep["pulls"]).iter().map(|pull| (&pull["number"], &pull["ready"])).collect();
    assert_eq!(states, [(&json!(14), &Value::Null), (&json!(12), &json!(false))]);
    pulls.scratch.git(&["remote", "add", "upstream", "https://example.com/kubernetes/enhancements"]);
    pulls.scratch.git(&["update-ref", "-d", "refs/pull/12/head"]);
    pulls.listed(12)["headRefOid"] = json!("1".repeat(40));
    pulls.listed(11)["headRefOid"] = json!("2".repeat(40));
    pulls.write();
    let printed = pulls.ready(&["1", "4"]);
    let heads = "refs/pull/12/head:refs/pull/12/head refs/pull/14/head:refs/pull/14/head";
    assert!(printed.stderr.contains(&format!("\n  git fetch upstream {heads}\n")), "{}", printed.stderr);
    assert!(
        printed.stderr.replace("\n  ", " ").contains("prs.json: #11; list them again, and fetch them with"),
        "{}",
        printed.stderr
    );
    assert!(printed.stderr.contains("\n  git fetch upstream +refs/pull/11/head:refs/pull/11/head\n"));
    // The commit of the list is enough, under whatever name it was fetched.
    let mut pulls = Pulls::new();
    pulls.scratch.git(&["update-ref", "refs/heads/review", "refs/pull/10/head"]);
    pulls.scratch.git(&["update-ref", "-d", "refs/pull/10/head"]);
    assert_eq!(pulls.kep(&["5"], "5")["pulls"][0]["ready"], json!(true));
    pulls.listed(10)["headRefOid"] = json!("HEAD");
    pulls.write();
    let kep = pulls.kep(&["5"], "5");
    assert_eq!(answer(&kep, "tree"), not_met("not in the tree; #10 may have it, but could not be judged"));
}

#[test]
fn whom_pull_requests_wait_for() {
    let pulls = Pulls::new();
    let printed = pulls.ready(&["--waiting-for", "heidi"]);
    let line = |number: u64| printed.stdout.lines().find(|line| line.trim_start().starts_with(&format!("#{number}: ")));
    let shown = &printed.stdout;
    assert_eq!(line(11).map(str::trim), Some("#11: PRR for beta in v1.37; PRR questions are open"), "{shown}");
    assert_eq!(line(10).map(str::trim), Some("#10: PRR for alpha in v1.37"), "{shown}");
    assert_eq!((line(12), line(13)), (None, None), "they ask nobody");
    assert!(shown.contains("Prefetch images"), "what is merged waits as well: {shown}");
    let csv = pulls.ready(&["--waiting-for", "heidi", "--format", "csv"]).stdout;
    assert!(csv.contains("PRR by `heidi` in #11"), "{csv}");
    let carol = pulls.ready(&["--waiting-for", "carol"]);
    assert!(carol.stdout.contains("0 KEPs wait for `carol`"), "{}", carol.stdout);
    // An entry without an approver asks all of them, where a pull request adds it.
    let mut pulls = Pulls::new();
    pulls.open(15, "eve", &[&format!("{REVIEWS}/4.yaml"), &format!("{KEP_4}/kep.yaml")], |scratch| {
        scratch.replace(&format!("{KEP_4}/kep.yaml"), "stage: alpha", "stage: beta");
        scratch.write(&format!("{REVIEWS}/4.yaml"), "kep-number: 4\nbeta:\n  approver: TBD\n");
    });
    pulls.write();
    assert!(pulls.ready(&["--waiting-for", "heidi"]).stdout.contains("#15: PRR for beta in v1.37; missing: "));
    pulls.open(16, "eve", &[&format!("{KEP_4}/kep.yaml")], |scratch| {
        scratch.replace(&format!("{KEP_4}/kep.yaml"), "stage: alpha", "stage: beta");
    });
    pulls.write();
    assert!(!pulls.ready(&["--waiting-for", "heidi"]).stdout.contains("#16"), "it does not touch the PRR file");
}

#[test]
fn the_pull_request_that_is_judged_is_no_other_one() {
    let pulls = Pulls::new();
    let kep = pulls.kep(&["--pr", "11"], "4");
    assert_eq!(answer(&kep, "pulls"), met("none of the 4 other open ones changes its README or kep.yaml"));
    assert_eq!(items(&kep["pulls"]), [Value::Null; 0]);
    let printed = pulls.ready(&["--pr", "12", "1"]);
    assert!(!printed.stderr.contains("git fetch"), "{}", printed.stderr);
    let other = pulls.kep(&["--pr", "12", "4"], "4");
    assert_eq!(answer(&other, "pulls"), not_met("#11 by `ivan` changes kep.yaml"));
    assert_eq!(other["pulls"][0]["ready"], Value::Null, "others are not judged on top of it");
    let at = pulls.kep(&["--at", "main", "5"], "5");
    assert_eq!(at["pulls"][0]["ready"], json!(true));
}

#[test]
fn a_list_that_may_be_cut_proves_nothing() {
    let mut pulls = Pulls::new();
    for number in 100..125 {
        pulls.list().push(pull(number, "ann", &"0".repeat(40), &["README.md"]));
    }
    pulls.write();
    let printed = pulls.ready(&["5"]);
    assert!(printed.stderr.contains("prs.json has exactly 30 pull requests"), "{}", printed.stderr);
    assert_eq!(answer(&pulls.kep(&["5"], "5"), "pulls").0, "look");
    let mut pulls = Pulls::new();
    let paths: Vec<String> = (0..100).map(|index| format!("docs/{index}.md")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    pulls.open(15, "eve", &paths, |scratch| {
        let text = scratch.read(&format!("{KEP_4}/README.md"));
        scratch.write(&format!("{KEP_4}/README.md"), &format!("{text}\nMore.\n"));
    });
    pulls.write();
    assert!(answer(&pulls.kep(&["4"], "4"), "pulls").1.contains("#15 by `eve` changes README.md"), "its head tells");
    assert_eq!(answer(&pulls.kep(&["5"], "5"), "pulls").0, "met");
    pulls.scratch.git(&["update-ref", "-d", "refs/pull/15/head"]);
    pulls.listed(15)["headRefOid"] = json!("3".repeat(40));
    pulls.write();
    let words = "#15 changes more files than the list has";
    assert_eq!(answer(&pulls.kep(&["5"], "5"), "pulls"), ("look".to_owned(), words.to_owned()));
    assert!(pulls.ready(&["5"]).stderr.contains("refs/pull/15/head"));
}

#[test]
fn without_a_repository_only_the_list_counts() {
    let pulls = Pulls::new();
    fs::remove_dir_all(pulls.scratch.at(".git")).expect("a directory");
    let printed = kep_lint(&pulls.scratch.root, ["ready", "4", "--prs", &pulls.path()]);
    assert!(printed.stdout.contains("#11 by `ivan` changes kep.yaml"), "{}", printed.stdout);
    assert!(printed.stderr.contains("open pull requests are not judged"), "{}", printed.stderr);
}

#[test]
fn a_list_is_refused_with_its_name() {
    let pulls = Pulls::new();
    let refused = |bytes: &[u8], reason: &str| {
        pulls.write_bytes(bytes);
        let printed = pulls.ready(&["4"]);
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{reason}");
        let said = printed.stderr.replace("\n  ", " ").replace('\n', " ");
        assert!(said.contains("prs.json") && said.contains(reason), "{reason}: {said}");
    };
    refused(b"", "is no list of pull requests");
    refused(b"{}", "invalid type: map, expected a sequence");
    refused(b"\xff\xfe[\0]\0", "is not UTF-8");
    let list = |length: usize| format!("[{}]", " ".repeat(length - "[]".len()));
    refused(list((32 << 20) + 1).as_bytes(), "reduce it to at most 32 MiB");
    refused(b"[{\"number\": 4}]", "missing field `files`");
    let long = kep_lint_with(&pulls.scratch.root, list(32 << 20).as_bytes(), &["ready", "--prs", "-", "4"]);
    assert_eq!(long.status, 0, "{}{}", long.stderr, long.stdout);
    let missing = kep_lint(&pulls.scratch.root, ["ready", "--prs", "nowhere.json", "4"]);
    assert!(missing.status == 2 && missing.stderr.contains("nowhere.json"), "{}", missing.stderr);
    let input = kep_lint_with(&pulls.scratch.root, b"[]", &["ready", "--prs", "-", "4"]);
    assert_eq!(input.status, 0, "{}{}", input.stderr, input.stdout);
    let both = kep_lint_with(&pulls.scratch.root, b"[]", &["ready", "--prs", "-", "--from", "-"]);
    assert!(both.status == 2 && both.stderr.contains("cannot both"), "{}", both.stderr);
}

#[test]
fn words_of_pull_requests_are_only_words() {
    let mut pulls = Pulls::new();
    let listed = pulls.listed(11);
    listed["title"] = json!("--> </ul><script>alert(1)</script>\n/close @kubernetes/all [a](b) \u{202e}\u{1b}[31m");
    listed["author"]["login"] = json!("=x\"</li>\n/lgtm");
    listed["url"] = json!("javascript:alert(1)");
    let long = format!("{KEP_4}/{}\n/x\u{0}.md", "y".repeat(5000));
    listed["files"]
        .as_array_mut()
        .expect("a list")
        .extend([json!({ "path": long }), json!({ "path": "../../keps/4-x/README.md" })]);
    pulls.listed(12)["url"] = json!("https://github.com/a/b/pull/1\"onclick=x");
    pulls.write();
    for format in ["pretty", "markdown", "json", "csv", "html"] {
        let printed = pulls.ready(&["4", "1", "--format", format]);
        let shown = printed.stdout.as_str();
        // Only a comment is read for commands.
        assert!(format != "markdown" || !shown.lines().any(|line| line.starts_with('/')), "{shown}");
        // JSON is data for programs; code in Markdown opens no element.
        assert!(format == "json" || !shown.contains(['\u{202e}', '\u{1b}']), "{format}: {shown}");
        assert!(format != "html" || !shown.contains("<script>alert"), "{format}: {shown}");
        let is_link = |text: &str| shown.contains(&format!("href=\"{text}")) || shown.contains(&format!("]({text}"));
        assert!(!is_link("javascript") && !is_link("https://github.com/a/b/pull"), "{format}: {shown}");
    }
    let csv = pulls.ready(&["4", "--format", "csv"]).stdout;
    assert!(
        csv.lines().next().is_some_and(|head| head.ends_with(",kep,release-day,release-source,data-day,pull-requests")),
        "{csv}"
    );
    let markdown = Pulls::new().ready(&["4", "--format", "markdown"]).stdout;
    let line = "- [#11](https://github.com/kubernetes/enhancements/pull/11) by `ivan`: Change 11: would be ready for beta in v1.37 once merged; ";
    assert!(markdown.contains(line), "{markdown}");
    assert!(markdown.contains("- [ ] other open pull requests: `#11` by `ivan` changes kep.yaml"), "{markdown}");
}

#[test]
fn the_json_is_what_its_schema_says() {
    let schema = kep_lint(project(), ["schema", "ready"]);
    let schema = serde_json::from_str(&schema.stdout).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is valid");
    let pulls = Pulls::new();
    for arguments in [&[][..], &["5", "99", "1"], &["--waiting-for", "heidi"], &["--pr", "11"]] {
        let errors: Vec<String> = schema.iter_errors(&pulls.board(arguments)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}
