//! `kep-lint ready --format comment` as the Release Team meets it: where comments go, what is said beside them, and what is
//! refused.

use crate::ready_cli::demo_at;
use crate::support::page::elements;
use crate::support::program::{Printed, kep_lint};
use crate::support::project;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const IN_CLONE: &str = "release-team/role-handbooks/enhancements/communication-templates.md";

/// A clone of kubernetes/sig-release, as far as it matters.
fn clone() -> PathBuf {
    project().join("fixtures/sig-release")
}

fn demo() -> TempDir {
    demo_at("")
}

fn comments(directory: &Path, arguments: &[&str]) -> Printed {
    kep_lint(directory, [&["ready"], arguments].concat())
}

/// What was said, on one line each.
fn said(printed: &Printed) -> Vec<String> {
    printed.stderr.replace("\n  ", " ").lines().map(str::to_owned).collect()
}

fn refused(directory: &Path, arguments: &[&str]) -> String {
    let printed = comments(directory, arguments);
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{arguments:?}: {}", printed.stderr);
    said(&printed).join("\n")
}

#[test]
fn one_kep_is_printed() {
    let demo = demo();
    let clone = clone();
    let clone = clone.to_str().expect("it is UTF-8");
    let file = format!("{clone}/{IN_CLONE}");
    for path in [clone, &file] {
        let arguments = ["4", "--format", "comment", "--gate", "deadline", "--comment-templates", path];
        let printed = comments(demo.path(), &arguments);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        assert!(printed.stdout.starts_with("Hi @ivan 👋, all is there for v1.37, `alpha`.\n"), "{}", printed.stdout);
        assert!(printed.stdout.ends_with(".\n\n/label tracked/yes\n"), "{}", printed.stdout);
        assert_eq!(said(&printed), ["4: set the status to `Tracked for PRR freeze`"]);
    }
    let own = comments(demo.path(), &["1", "--format", "comment", "--gate", "enhancements"]);
    assert_eq!(
        (own.status, said(&own)),
        (1, vec!["1: set the status to `At risk for enhancements freeze`".to_owned()])
    );
    assert!(own.stdout.starts_with("Hello @alice, ") && !own.stdout.contains("\n/"), "{}", own.stdout);
    let uncertain = comments(demo.path(), &["4", "--format", "comment", "--gate", "enhancements"]);
    let unless = "4: set the status to `Tracked for enhancements freeze`, once it is known that no other open pull request \
                  changes the KEP";
    assert_eq!((uncertain.status, said(&uncertain)), (0, vec![unless.to_owned()]));
    let party = comments(demo.path(), &["1", "--format", "comment", "--gate", "deadline-party"]);
    assert_eq!((party.status, party.stdout.as_str()), (1, ""));
    assert_eq!(said(&party), ["1: no comment: its open pull requests are not known"]);
    let json = ["4", "--format", "comment", "--gate", "deadline", "--format", "json=board.json"];
    assert!(comments(demo.path(), &json).stdout.starts_with("Hello @ivan"));
    assert!(demo.path().join("board.json").is_file(), "other formats go to files");
}

#[test]
fn several_keps_go_to_a_directory() {
    let demo = demo();
    let list = "number,stage,Status\n4,alpha,@kubernetes/sig-node-leads\n99,beta,\"-->\n/lgtm\"\n1,,\n,beta,/label x\n";
    fs::write(demo.path().join("board.csv"), list).expect("a file");
    let arguments =
        ["--from", "board.csv", "--format", "comment=out/comments", "--gate", "deadline", "--format", "csv"];
    let printed = comments(demo.path(), &arguments);
    assert_eq!(printed.status, 1, "{}", printed.stderr);
    assert_eq!(printed.stdout.lines().count(), 5, "the other format is printed: {}", printed.stdout);
    let expected = [
        "4: set the status to `Tracked for PRR freeze`",
        "99: set the status to `At risk for PRR freeze`",
        "99: not filled in: `{enhancement owner}`",
        "1: set the status to `At risk for PRR freeze`",
        "line 6 of the list: no comment: it has no number",
        "wrote 3 comments to `out/comments`",
    ];
    assert_eq!(said(&printed), expected);
    let directory = demo.path().join("out/comments");
    let mut names: Vec<String> = fs::read_dir(&directory)
        .expect("it is there")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("it is UTF-8"))
        .collect();
    names.sort();
    assert_eq!(names, ["1.md", "4.md", "99.md"]);
    let read = |name: &str| fs::read_to_string(directory.join(name)).expect("a file");
    assert!(read("4.md").starts_with("Hello @ivan"));
    assert!(
        ["1.md", "4.md", "99.md"].iter().all(|name| !read(name).contains("kubernetes") && !read(name).contains("\n/"))
    );
    // What is there stays unless it is written again.
    fs::write(directory.join("4.md"), "old").expect("a file");
    let printed = comments(demo.path(), &["1", "--format", "comment=out/comments", "--gate", "deadline"]);
    assert_eq!((printed.status, printed.stdout.as_str(), read("4.md").as_str()), (1, "", "old"));
    comments(demo.path(), &["4", "--format", "comment=out/comments", "--gate", "deadline"]);
    assert!(read("4.md").starts_with("Hello @ivan"));
}

#[test]
fn a_number_that_two_keps_have_names_no_file() {
    let demo = demo();
    fs::write(demo.path().join("twice.txt"), "4 alpha\n4 beta\n").expect("a file");
    let printed = comments(demo.path(), &["--from", "twice.txt", "--format", "comment=out", "--gate", "deadline"]);
    let twice = "4: no comment: several KEPs here have this number";
    assert_eq!(said(&printed), [twice, twice, "wrote 0 comments to `out`"]);
    assert!(!demo.path().join("out/4.md").exists());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let demo = demo();
    let refused = |arguments: &[&str]| refused(demo.path(), arguments);
    let all = refused(&["--format", "comment", "--gate", "deadline"]);
    assert!(all.contains("cannot print the comments on 3 KEPs") && all.contains("`--format comment=DIR`"), "{all}");
    let without = refused(&["4", "--format", "comment"]);
    assert!(without.contains("add `--gate deadline|deadline-party|enhancements|enhancements-party`"), "{without}");
    assert!(refused(&["4", "--gate", "deadline"]).contains("`--gate` is only for `--format comment`"));
    assert!(refused(&["4", "--format", "comment=", "--gate", "deadline"]).contains("missing DIR"));
    assert!(refused(&["4", "--format", "comment=-", "--gate", "deadline"]).contains("`-` is not a directory"));
    let file = refused(&["4", "--format", "comment=OWNERS_ALIASES", "--gate", "deadline"]);
    assert!(file.contains("cannot write `OWNERS_ALIASES`: it is not a directory"), "{file}");
    let two = refused(&["4", "--format", "comment=a", "--format", "comment=b", "--gate", "deadline"]);
    assert!(two.contains("comments can only go to one place"), "{two}");
    let both = refused(&["4", "--format", "comment", "--format", "csv", "--gate", "deadline"]);
    assert!(both.contains("only one format can go to standard output"), "{both}");
    let early = refused(&["4", "--release", "v1.30", "--format", "comment=out", "--gate", "deadline-party"]);
    assert!(early.contains("v1.30 has no deadline before the enhancements freeze"), "{early}");
    let unknown = refused(&["4", "--format", "coment", "--gate", "deadline"]);
    assert!(unknown.contains("did you mean `comment`?"), "{unknown}");
}

#[test]
fn templates_that_cannot_be_used_are_refused() {
    let demo = demo();
    let with = |path: &str| {
        refused(demo.path(), &["4", "--format", "comment=out", "--gate", "deadline", "--comment-templates", path])
    };
    let missing = with("nowhere.md");
    assert!(missing.contains("cannot read `nowhere.md`") && missing.contains(IN_CLONE), "{missing}");
    assert!(with("keps").contains(&format!("cannot read `keps/{IN_CLONE}`")));
    let others = with("keps/README.md");
    assert!(others.contains("it has no heading `## PRR Freeze Templates` or "), "{others}");
    assert!(!demo.path().join("out").exists(), "nothing was made");
    let text = fs::read_to_string(clone().join(IN_CLONE)).expect("a file");
    let write = |bytes: &[u8]| fs::write(demo.path().join("own.md"), bytes).expect("a file");
    write(text.replacen("✅", "Done", 1).as_bytes());
    assert!(with("own.md").contains("`## PRR Freeze Templates` has no fenced block after a line that begins with ✅"));
    write(&[text.as_bytes(), b"\xff"].concat());
    assert!(with("own.md").contains("it is not UTF-8"));
    write(&vec![b'x'; 3 << 20]);
    assert!(with("own.md").contains("it has 3 MiB"));
    write(text.replace("{stage}", "{ a place }").as_bytes());
    let printed = comments(
        demo.path(),
        &["4", "1", "--format", "comment=out", "--gate", "deadline", "--comment-templates", "own.md"],
    );
    let left: Vec<String> = said(&printed).into_iter().filter(|line| line.contains("not filled in")).collect();
    assert_eq!(left, ["1: not filled in: `{ a place }`", "4: not filled in: `{ a place }`"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_not_written_through() {
    let demo = demo();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let victim = elsewhere.path().join("victim");
    fs::write(&victim, "mine").expect("a file");
    fs::create_dir(demo.path().join("out")).expect("a directory");
    std::os::unix::fs::symlink(&victim, demo.path().join("out/4.md")).expect("a link");
    let arguments = ["4", "1", "--format", "comment=out", "--gate", "deadline"];
    let printed = comments(demo.path(), &arguments);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("it is a link"), "{}", printed.stderr);
    assert_eq!(fs::read_to_string(&victim).expect("a file"), "mine");
    assert!(demo.path().join("out/1.md").is_file(), "the others are written");
}

#[test]
fn the_page_has_the_comments_to_copy() {
    let demo = demo();
    let to = demo.path().join("comments");
    let (format, page) = (format!("comment={}", to.display()), demo.path().join("page.html"));
    let html = format!("html={}", page.display());
    comments(demo.path(), &["1", "4", "--format", &format, "--gate", "deadline", "--format", &html]);
    let page = elements(&fs::read_to_string(page).expect("the page is written"));
    for number in ["1", "4"] {
        let text = fs::read_to_string(to.join(format!("{number}.md"))).expect("the comment is written");
        let shown = page.iter().find(|element| element.attribute("id") == format!("KEP-{number}-comment"));
        assert_eq!(shown.expect("it is on the page").text, text.trim_end());
    }
}

#[test]
fn a_party_removes_nobody_in_doubt() {
    let repository = crate::ready_cli::repository();
    let root = &repository.root;
    let write =
        |name: &str, text: &str| fs::write(root.parent().expect("a directory").join(name), text).expect("a file");
    let path = |name: &str| root.parent().expect("a directory").join(name).display().to_string();
    let said = |pulls: &str, list: &str| {
        write("prs.json", pulls);
        write("list.csv", list);
        let (pulls, list) = (path("prs.json"), path("list.csv"));
        let arguments =
            ["--from", &list, "--release", "v1.37", "--prs", &pulls, "--gate", "deadline-party", "--format"];
        said(&comments(root, &[&arguments[..], &[&format!("comment={}", path("out"))]].concat())).join("\n")
    };
    assert!(said("[]", "1 alpha\n").contains("1: set the status to `Removed from Milestone`"));
    let cut = r#"[{"number": 7, "files": null, "title": "x"}]"#;
    assert!(said(cut, "1 alpha\n").contains("1: no comment: not all open pull requests are known; "), "from before");
    let excepted = "number,stage,status\n1,alpha,At risk for PRR freeze\n1,alpha,Exception approved\n";
    assert!(said("[]", excepted).contains("1: no comment: the tracking board has an exception for it"));
    let other = "number,stage,milestone\n1,alpha,v1.38\n";
    assert!(said("[]", other).contains("1: no comment: the tracking board has another stage or milestone"));
    let broken = "1 alpha\nsoon\n";
    assert!(said("[]", broken).contains("1: no comment: not everything could be read"));
    repository.replace("keps/sig-node/1-prefetch-images/README.md", "## Summary", "\n## Summary");
    assert!(said("[]", "1 alpha\n").contains("1: no comment: some of the files that were judged are not committed"));
    repository.git(&["checkout", "-q", "--", "."]);
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.replace("keps/sig-node/1-prefetch-images/README.md", "## Summary", "\n## Summary");
    repository.commit();
    assert!(said("[]", "1 alpha\n").contains("1: no comment: the commit that was judged is not merged"));
    let merged = refused(root, &["1", "--pr", "main", "--format", "comment", "--gate", "deadline-party"]);
    assert!(merged.contains("`--gate deadline-party` is about what is merged"), "{merged}");
}
