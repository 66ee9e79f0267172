//! Input that means harm, entry by entry as it was found: nothing outside of the repository is read or written, nothing
//! is lost, nothing hangs, and whatever is wrong with one KEP, the others are checked.

mod shared;

use shared::{Printed, items, kep_lint, kep_lint_json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A kep.yaml that has nothing wrong.
const WITHDRAWN: &str = "title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\n\
    approvers: [\"@bob\"]\nstatus: withdrawn\n";

/// A kep.yaml whose KEP is worked on, but for all that it lacks.
const PROVISIONAL: &str = "title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\n\
    approvers: [\"@bob\"]\nstatus: provisional\n";

/// A directory of its own, with a repository `r` and what is outside of it.
struct World {
    directory: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { directory: tempfile::tempdir().expect("a directory") };
        world.write("r/.git/HEAD", "ref: refs/heads/main\n");
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        fs::write(&path, content).expect("a file");
        self
    }

    /// A KEP `keps/sig-node/<name>` with a README that says this.
    fn kep(&self, name: &str, readme: impl AsRef<[u8]>, metadata: &str) -> &Self {
        self.write(&format!("r/keps/sig-node/{name}/README.md"), readme);
        self.write(&format!("r/keps/sig-node/{name}/kep.yaml"), metadata)
    }

    #[cfg(unix)]
    fn link(&self, target: &str, path: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).expect("a link");
        self
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("the file is there")
    }

    fn run(&self, arguments: &[&str]) -> Printed {
        kep_lint(&self.path("r"), arguments)
    }
}

fn readme(name: &str) -> String {
    format!("r/keps/sig-node/{name}/README.md")
}

fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

/// Asserts how a run ended and what it says.
fn says(printed: &Printed, status: i32, parts: &[&str]) {
    assert_eq!(printed.status, status, "{}", all(printed));
    for part in parts {
        assert!(all(printed).contains(part), "it does not say `{part}`: {}", all(printed));
    }
}

const BETWEEN: [&str; 4] = [
    "# KEP-1: T\n\n<!-- toc -->\n- [Summary](#summary)\n\n## My own design\n\nTen pages.\n\n<!-- /toc -->\n\n## Summary\n\nText\n",
    "# KEP-1: T\n\n<!-- toc -->\n- [A](#a)\n\nTen pages.\n<!-- /toc -->\n\n## Summary\n\nText\n",
    "# KEP-1: T\n\n<!-- toc -->\n| Ten | pages. |\n<!-- /toc -->\n\n## Summary\n\nText\n",
    "# KEP-1: T\n\n<!-- toc -->Ten pages.<!-- /toc -->\n\n## Summary\n\nText\n",
];

#[test]
fn a1_text_between_the_markers_of_contents_is_kept() {
    for text in BETWEEN {
        for status in ["provisional", "implementable\nstage: alpha\nlatest-milestone: v1.36", "withdrawn"] {
            let world = World::new();
            world.kep("1-a", text, &WITHDRAWN.replace("withdrawn", status));
            for options in [&["--fix"][..], &["--fix", "--unsafe-fixes"]] {
                let printed = world.run(&[options, &["keps"]].concat());
                assert!(world.read(&readme("1-a")).contains("Ten") && world.read(&readme("1-a")).contains("pages."));
                assert!(!printed.stderr.contains("report this as a bug"), "{}", printed.stderr);
                assert!(all(&printed).contains("[stale-toc]"), "{}", all(&printed));
            }
        }
    }
}

#[test]
fn a1_a_list_of_links_is_regenerated() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: T\n\n<!-- toc -->\n- [Old](#old)\n<!-- /toc -->\n\n## Summary\n\nText\n", WITHDRAWN);
    says(&world.run(&["--fix", "keps"]), 0, &["fixed 1 finding"]);
    assert!(world.read(&readme("1-a")).contains("<!-- toc -->\n- [Summary](#summary)\n<!-- /toc -->\n"));
}

/// Words of brackets are as long as the largest file, and each of these recursed or was searched again for each of its
/// marks.
#[test]
fn a2_no_text_is_too_deep() {
    let most = 1 << 20;
    for unit in ["[^a", "[a](", "![a](", "(a)[", "[a](<b", "> ", "- ", "* a `", "**a", "<a ", "[[", "]("] {
        let world = World::new();
        world.kep("1-a", format!("# KEP-1: X\n\n## Summary\n\n{}", unit.repeat(most / unit.len())), WITHDRAWN);
        world.kep("2-b", "# KEP-2: Y\n", "status: nope\n");
        let printed = world.run(&["keps", "--fail-on", "never"]);
        says(&printed, 0, &["2-b/kep.yaml", "checked 2 KEPs"]);
    }
}

#[test]
fn a3_lists_that_expand_are_refused() {
    let list = format!("a: &a [{}x]\n", "x,".repeat(10_000));
    let expanding = |name: &str| format!("{name}: [{}]\n", "*a,".repeat(900));
    let bomb = list + &(0..80).map(|at| expanding(&format!("b{at}"))).collect::<String>();
    for (name, text) in [
        ("sigs.yaml", bomb.as_str()),
        ("OWNERS_ALIASES", bomb.as_str()),
        ("OWNERS_ALIASES", &format!("aliases: {}", "[".repeat(100_000))),
        ("OWNERS_ALIASES", &"x".repeat(300_000)),
    ] {
        let world = World::new();
        world.kep("1-a", "# KEP-1: x\n", WITHDRAWN).write(&format!("r/{name}"), text);
        let printed = world.run(&["keps", "--fail-on", "never"]);
        assert!(printed.stderr.contains("checked 1 KEP"), "{}", all(&printed));
        let is_told = all(&printed).contains("OWNERS_ALIASES");
        assert_eq!(is_told, name == "OWNERS_ALIASES", "{}", all(&printed));
        assert!(all(&printed).len() < 2_000, "{}", all(&printed).len());
    }
}

#[cfg(unix)]
#[test]
fn a4_a_link_out_of_the_repository_is_not_written_through() {
    let victim = "# KEP-9: T\n\n##Foo\n";
    let world = World::new();
    world.kep("1-a", "", WITHDRAWN).write("outside/victim.md", victim);
    world.link("../../../../outside/victim.md", &readme("1-a"));
    let printed = world.run(&["--fix", "--unsafe-fixes", "--stage", "beta", "keps"]);
    says(&printed, 2, &["README.md`: it leads out of `", "checked 1 KEP"]);
    assert_eq!(world.read("outside/victim.md"), victim);
    assert!(world.path(&readme("1-a")).is_symlink());
}

#[cfg(unix)]
#[test]
fn a4_what_lies_outside_is_not_quoted() {
    for (file, names) in [
        ("README.md", &["r/keps/sig-node/1-a/README.md"][..]),
        ("kep.yaml", &["r/keps/sig-node/1-a/kep.yaml"]),
        ("other", &["r/keps/sig-node/1-a/more.md", "r/keps/sig-node/1-a/OWNERS"]),
        ("lists", &["r/OWNERS_ALIASES", "r/sigs.yaml", "r/keps/prod-readiness/sig-node/1.yaml"]),
        ("directory", &["r/keps/prod-readiness/sig-node", "r/keps/sig-node/1-a/d", "r/keps/sig-other"]),
    ] {
        let world = World::new();
        world.kep("1-a", "# KEP-1: X\n", PROVISIONAL).kep("2-b", "# KEP-2: Y\n", "status: nope\n");
        world.write("outside/secret", "status: s3cr3t\nstage: s3cr3t\n## s3cr3t\n[s3cr3t]()\n@s3cr3t: - s3cr3t\n");
        world.write("outside/d/1.yaml", "s3cr3t: s3cr3t\n").write("outside/d/kep.yaml", "s3cr3t: s3cr3t\n");
        let target = world.path(if file == "directory" { "outside/d" } else { "outside/secret" });
        for name in names {
            world.link(&target.display().to_string(), name);
        }
        for format in ["pretty", "concise", "json"] {
            let printed = world.run(&["keps", "--format", format, "--max-diagnostics", "0"]);
            says(&printed, if file == "directory" { printed.status } else { 2 }, &["2-b", "checked 2 KEPs"]);
            assert!(!all(&printed).contains("s3cr3t"), "{file}: {}", all(&printed));
        }
    }
}

#[cfg(unix)]
#[test]
fn a4_a_tree_that_is_a_link_out_is_refused() {
    let world = World::new();
    world.write("outside/keps/sig-node/1-a/README.md", "# KEP-1: s3cr3t\n");
    world.link("../outside/keps", "r/keps");
    says(&world.run(&["keps"]), 2, &["cannot read `keps`: it leads out of `", "name the directory that it leads to"]);
    says(&world.run(&[]), 2, &["it leads out of `"]);
    world.link("../../outside/keps/sig-node/1-a/README.md", "r/docs/README.md");
    says(&world.run(&["docs/README.md"]), 2, &["it leads out of `"]);
}

/// What a link within the repository leads to is read and fixed as before.
#[cfg(unix)]
#[test]
fn a4_links_within_the_repository_hold() {
    let world = World::new();
    world.kep("1-a", "", WITHDRAWN).write("r/docs/a.md", "# KEP-9: T\n");
    world.link("../../../docs/a.md", &readme("1-a"));
    says(&world.run(&["--fix", "keps"]), 0, &["fixed 1 finding"]);
    assert!(world.path(&readme("1-a")).is_symlink());
    assert_eq!(world.read("r/docs/a.md"), "# KEP-1: T\n");
}

#[cfg(unix)]
#[test]
fn a4_links_that_multiply_are_followed_once() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    for at in 0..24 {
        world.write(&format!("r/keps/sig-node/1-a/d{at}/more.md"), "# X\n");
    }
    for at in 0..23 {
        for name in ["a", "b"] {
            world.link(&format!("../d{}", at + 1), &format!("r/keps/sig-node/1-a/d{at}/{name}"));
        }
    }
    world.link("..", "r/keps/sig-node/1-a/up").link("self", "r/keps/sig-node/1-a/self");
    world.link("../../..", "r/keps/sig-node/1-a/around");
    for at in 0..3_000 {
        world.link("../1-a", &format!("r/keps/sig-node/links/l{at}"));
    }
    says(&world.run(&["keps"]), 0, &["checked 1 KEP (2 files)"]);
}

#[cfg(unix)]
#[test]
fn a4_what_is_no_regular_file_is_not_opened() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).kep("2-b", "# KEP-2: X\n", WITHDRAWN);
    let fifo = world.path("r/keps/sig-node/1-a/more.md");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo is there");
    assert!(made.success());
    let says_of = ["more.md`: it is not a regular file", "checked 2 KEPs"];
    says(&world.run(&["keps"]), 2, &says_of);
}

#[test]
fn b3_a_kep_has_bounds() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).kep("2-b", "# KEP-2: Y\n", "status: nope\n");
    let large = format!("# X\n\n{}", "word ".repeat((2 << 20) / 5));
    for at in 0..9 {
        world.write(&format!("r/keps/sig-node/1-a/d{at}.md"), &large[..(2 << 20) - 10]);
    }
    let says_of = ["d7.md`: the KEP has more than 16 MiB of text", "2-b/kep.yaml:1:9", "checked 2 KEPs"];
    says(&world.run(&["keps"]), 2, &says_of);
    world.write("r/keps/sig-node/1-a/README.md", vec![b'x'; (2 << 20) + 1]);
    says(&world.run(&["keps"]), 2, &["1-a/README.md`: it has 2 MiB", "at most 2 MiB are read"]);
}

#[test]
fn b3_nesting_beyond_the_limit_is_a_failure_that_nothing_silences() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", &format!("{PROVISIONAL}see-also: {}\n", "[".repeat(200)));
    let printed = world.run(&["keps", "--ignore", "invalid-yaml"]);
    says(&printed, 2, &["cannot read all of `keps/sig-node/1-a/kep.yaml`: it is nested more than 100 levels deep"]);
}

#[test]
fn b3_findings_are_counted_beyond_a_limit() {
    let world = World::new();
    world.kep(
        "1-a",
        "# KEP-1: X\n",
        &format!("{PROVISIONAL}see-also:\n{}", "- /keps/sig-node/0-dead\n".repeat(40_000)),
    );
    let run = kep_lint_json(&world.path("r"), &["keps", "--select", "dead-reference"]);
    assert_eq!(items(&run["diagnostics"]).len(), 101);
    assert_eq!(run["diagnostics"][100]["count"], 39_900);
    assert_eq!(run["summary"]["advice"], 40_000);
    let printed = world.run(&["keps", "--select", "dead-reference"]);
    says(&printed, 0, &["39900 more findings of this rule in this file", "40000 advice"]);
}

#[test]
fn b4_messages_have_an_end() {
    let long = "9".repeat(1 << 19);
    let keps = [
        ("# KEP-1: X\n".to_owned(), format!("kep-number: {long}\nstatus: {long}\nstage: {long}\n{long}: x\n")),
        (
            format!("# KEP-1: {long}\n\n<!-- toc -->\n<!-- /toc -->\n\n## {long}\n[{long}](#{long})\n"),
            PROVISIONAL.to_owned(),
        ),
        (format!("# X\n\n## Y\n<!--DIRECTIVE: {long}: x, stage: {long}-->\n"), format!("latest-milestone: {long}\n")),
    ];
    for (at, (readme, metadata)) in keps.iter().enumerate() {
        let world = World::new();
        world.kep(&format!("{}-a", at + 1), readme, metadata);
        let printed = world.run(&["keps", "--format", "concise"]);
        assert!(!printed.stdout.is_empty());
        assert!(printed.stdout.lines().all(|line| line.len() < 700), "{}", printed.stdout.len());
        assert!(world.run(&["keps", "--format", "pretty"]).stdout.len() < 60_000);
    }
}

#[test]
fn b5_more_documents_than_are_read_are_told() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n\n## Summary\n\nText.\n\n## Motivation\n\nText.\n", PROVISIONAL);
    for at in 0..1_100 {
        world.write(&format!("r/keps/sig-node/1-a/docs/{at:06}.md"), format!("# D{at}\n"));
    }
    says(&world.run(&["--fix", "keps"]), 2, &["it has more than 1000 Markdown files", "fixed 1 finding in 1 file"]);
    assert!(world.read(&readme("1-a")).contains("<!-- toc -->"));
    for at in 0..1_100 {
        assert_eq!(world.read(&format!("r/keps/sig-node/1-a/docs/{at:06}.md")), format!("# D{at}\n"));
    }
}

#[test]
fn b6_any_number_of_names_is_quoted() {
    for count in [1, 11, 250] {
        let world = World::new();
        let names: String = (0..count).map(|at| format!("  - @dev{at}\n")).collect();
        world.kep("1-a", "# KEP-1: T\n", &format!("title: T\nkep-number: 1\nstatus: withdrawn\nauthors:\n{names}"));
        let printed = world.run(&["--fix", "--select", "invalid-yaml", "keps"]);
        says(&printed, 0, &["0 errors"]);
        assert!(world.read("r/keps/sig-node/1-a/kep.yaml").ends_with(&format!("  - \"@dev{}\"\n", count - 1)));
    }
}

#[test]
fn b7_an_answer_in_a_heading_is_kept() {
    let question = "Will enabling / using this feature result in any new API calls?";
    let world = World::new();
    let text = format!(
        "# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n### Scalability\n\n###### {question} `No`\n"
    );
    let metadata = WITHDRAWN.replace("withdrawn", "implementable\nstage: beta\nlatest-milestone: v1.37");
    world.kep("1-a", text, &metadata);
    world.run(&["--fix", "--unsafe-fixes", "--select", "renamed-section", "keps"]);
    let fixed = world.read(&readme("1-a"));
    assert!(fixed.ends_with(&format!("###### {question}\n\nNo\n")), "{fixed}");
}

#[cfg(unix)]
#[test]
fn c1_names_of_files_steer_nothing() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    world.link("nowhere", "r/keps/sig-node/1-a/x\n::error::pwned\u{1b}[31m\u{1b}]0;t\u{7}a.md");
    let printed = world.run(&["keps", "--select", "nope\n::error::\u{1b}[31m"]);
    is_harmless(&printed);
    is_harmless(&world.run(&["keps"]));
    is_harmless(&world.run(&["no\u{2028}where\n::error::x"]));
    world.kep("::error file=x::y/1-z", "# KEP-2: X\n", "status: nope\n");
    is_harmless(&kep_lint(&world.path("r/keps/sig-node"), ["::error file=x::y"]));
}

fn is_harmless(printed: &Printed) {
    let text = all(printed);
    let is_bad =
        |letter: char| letter.is_control() && letter != '\n' || matches!(letter, '\u{2028}' | '\u{202e}' | '\u{200b}');
    assert!(!text.contains(is_bad), "{text:?}");
    assert!(!text.contains("##["), "{text:?}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text:?}");
}

#[test]
fn c2_c3_texts_of_files_steer_nothing() {
    let world = World::new();
    let bad = "\u{2028}::error::a\u{202e}b\u{200b}c\u{1b}[31m ##[add-mask]d";
    let readme = format!(
        "# KEP-2: {bad}\n\n<!-- toc -->\n<!-- /toc -->\n\n::error::x\n\n## {bad}\n\n[a]({bad})[b](#{bad})\n##x{bad}\n"
    );
    world.kep("1-a", readme, &format!("status: \"##[add-mask]a\"\nstage: '{bad}'\ntitle: '{bad}'\n{bad}: x\n"));
    for format in ["pretty", "concise"] {
        let printed = world.run(&["keps", "--format", format, "--max-diagnostics", "0"]);
        assert!(printed.stdout.contains("bad-title"), "{}", printed.stdout);
        is_harmless(&printed);
    }
    let printed = world.run(&["keps", "--diff", "--unsafe-fixes"]);
    assert!(printed.stderr.contains("would steer a terminal or a log"), "{}", all(&printed));
    is_harmless(&printed);
}

#[cfg(unix)]
#[test]
fn c4_a_report_follows_no_link() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).write("precious", "text\n");
    world.link("../precious", "r/kep-lint.json");
    says(&world.run(&["keps", "--format", "json=kep-lint.json"]), 2, &["cannot write `kep-lint.json`: it is a link"]);
    assert_eq!(world.read("precious"), "text\n");
    let made = std::process::Command::new("mkfifo").arg(world.path("r/pipe")).status().expect("mkfifo is there");
    assert!(made.success());
    says(&world.run(&["keps", "--format", "json=pipe"]), 2, &["it is not a regular file"]);
    world.link("../outside", "r/out").write("outside/x", "");
    says(&world.run(&["keps", "--format", "json=out/y.json"]), 2, &["its directory is a link out of the repository"]);
    let printed = world.run(&["keps", "--format", "json=/dev/stdout"]);
    assert!(printed.stdout.starts_with("{\n  \"version\": 1,"), "{}", printed.stdout);
    says(&world.run(&["keps", "--format", "json=kept.json", "-q"]), 0, &[]);
    assert!(world.read("r/kept.json").contains("\"version\": 1"));
}

#[test]
fn c5_a_report_that_cannot_be_written_costs_no_work() {
    let world = World::new();
    world.kep("1-a", "# KEP-2: X\n", WITHDRAWN);
    let printed = world.run(&["--fix", "keps", "--format", "json=nowhere/x.json"]);
    says(&printed, 2, &["cannot write `nowhere/x.json`"]);
    assert_eq!(world.read(&readme("1-a")), "# KEP-2: X\n");
}

#[test]
fn c6_another_readme_does_not_hide_the_real_one() {
    let world = World::new();
    world.kep("1-a", "# Nothing\n", PROVISIONAL).write("r/keps/sig-node/1-a/readme.md", "# KEP-1: fine\n");
    if fs::read_dir(world.path("r/keps/sig-node/1-a")).expect("it is there").count() < 3 {
        // A file system that does not tell them apart.
        return;
    }
    let says_of = ["1-a/README.md:1:1: error[bad-title]", "1-a/readme.md:1:1: warning[missing-readme]"];
    let printed = world.run(&["keps", "--stage", "alpha"]);
    assert!(all(&printed).contains(says_of[1]), "{}", all(&printed));
    assert!(all(&printed).contains("/README.md:1:"), "{}", all(&printed));
}

#[cfg(target_os = "linux")]
#[test]
fn c7_a_name_that_is_no_text_is_written_where_it_was_read() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    world.kep("2-\u{fffd}", "# KEP-9: X\n", "status: withdrawn\n");
    let name = std::ffi::OsStr::from_bytes(b"2-\xff");
    let directory = world.path("r/keps/sig-node").join(name);
    fs::create_dir(&directory).expect("a directory");
    fs::write(directory.join("README.md"), "# KEP-8: Y\n").expect("a file");
    fs::write(directory.join("kep.yaml"), "status: withdrawn\n").expect("a file");
    world.run(&["--fix", "keps"]);
    assert_eq!(world.read(&readme("2-\u{fffd}")), "# KEP-2: X\n");
    assert_eq!(fs::read_to_string(directory.join("README.md")).expect("it is there"), "# KEP-2: Y\n");
}

#[test]
fn c8_c9_right_fixes_are_not_blamed() {
    let twice = "status: provisional\neditor: @alice\nstatus: provisional\neditor: @alice\n";
    for (metadata, after) in [
        (twice, "status: provisional\neditor: \"@alice\"\nstatus: provisional\neditor: \"@alice\"\n"),
        ("approvers: [@y]\napprovers:\n", "approvers: [\"@y\"]\napprovers:\n"),
    ] {
        let world = World::new();
        world.kep("1-a", "# KEP-1: X\n", metadata);
        let printed = world.run(&["--fix", "--select", "invalid-yaml,duplicate-key", "keps"]);
        assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
        assert_eq!(world.read("r/keps/sig-node/1-a/kep.yaml"), after);
    }
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", "METRICS: []\nMETRICS:\n");
    let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
    assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
    let readme_text = "# KEP-2: X\n\n## Production Readiness Review Questionnaire\n\n### Feature Enablement and Rollback\n\n\
        ###### How can this feature be enabled / disabled in a live cluster?\n\n- [x] Feature gate\n  - Feature gate name: FooBar\n";
    let metadata = "title: X\nkep-number: 1\nstatus: implementable\nstage: alpha\nlatest-milestone: v1.37\nfeature-gate:\n  - name: BarFoo\n";
    let world = World::new();
    world.kep("1-a", readme_text, metadata);
    let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
    assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
    assert!(world.read(&readme("1-a")).starts_with("# KEP-1: X\n"));
    assert!(world.read("r/keps/sig-node/1-a/kep.yaml").contains("feature-gates:\n"));
}

#[test]
fn c9_a_marker_in_a_heading_ends() {
    let world = World::new();
    for text in [
        "# KEP-1: X\n\n<!-- toc -->\n#A<!-- /toc -->\n\n## B\n",
        "# KEP-1: X\n\n<!-- toc -->\n## A<!-- /toc -->\n\n## B\n",
    ] {
        world.kep("1-a", text, PROVISIONAL);
        let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
        assert!(!printed.stderr.contains("no end"), "{}", printed.stderr);
        assert!(world.read(&readme("1-a")).contains("A<!-- /toc -->"));
    }
}

#[test]
fn c10_messages_are_one_line() {
    let world = World::new();
    let text =
        "# KEP-1: X\n\n## Goals\n<!--DIRECTIVE: required: true, stage: bett\n### Non-Goals\n\nTen pages.\n\n-->\n";
    world.kep("1-a", text, "owning-sig: \"a\\nb\"\nkep-number: \"1\\n2\"\nstatus: \"x\\ny\"\n");
    let run = kep_lint_json(&world.path("r"), &["keps"]);
    for finding in items(&run["diagnostics"]) {
        let message = finding["message"].as_str().expect("it has one");
        assert!(!message.contains('\n') && message.len() < 300, "{message}");
    }
}

#[test]
fn c12_threads_are_no_more_than_keps() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    says(&world.run(&["keps", "--jobs", "60000"]), 0, &["checked 1 KEP"]);
}

#[cfg(unix)]
#[test]
fn d2_a_file_with_two_names_is_left_alone() {
    let world = World::new();
    world.kep("1-a", "# KEP-2: X\n", WITHDRAWN);
    fs::hard_link(world.path(&readme("1-a")), world.path("other")).expect("a link");
    says(&world.run(&["--fix", "keps"]), 2, &["it has other names (hard links)"]);
    assert_eq!(world.read(&readme("1-a")), "# KEP-2: X\n");
}

#[test]
fn d5_d6_d7_odd_arguments_are_told() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    for path in ["-", "/dev/stdin"] {
        says(&world.run(&[path]), 2, &["standard input is not read"]);
    }
    says(&world.run(&["keps", "--select", ""]), 2, &["the name of a rule or category is empty"]);
    let printed = world.run(&[&"d/".repeat(3_000)]);
    says(&printed, 2, &["does not exist"]);
    assert!(printed.stderr.len() < 1_000, "{}", printed.stderr.len());
}

#[cfg(target_os = "linux")]
#[test]
fn d6_help_that_cannot_be_printed_fails() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_kep-lint")).arg("--help").stdout(full).status();
    assert_eq!(status.expect("it runs").code(), Some(2));
}

/// Trees and KEPs by the thousand cost what they hold.
#[test]
fn many_trees_are_read() {
    let world = World::new();
    for at in 0..400 {
        world.write(&format!("r/t{at}/keps/sig-node/1-a/README.md"), "# KEP-1: X\n");
        world.write(&format!("r/t{at}/keps/sig-node/1-a/kep.yaml"), WITHDRAWN);
    }
    says(&world.run(&["."]), 0, &["checked 400 KEPs (800 files)"]);
}

/// The bounds that README promises are those of the program.
#[test]
fn the_bounds_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    for figure in ["2 MiB", "256 KiB", "16 MiB", "64 MiB", "1,000", "250,000", "100 levels", "100 findings"] {
        assert!(readme.contains(figure), "README.md does not say `{figure}`");
    }
}
