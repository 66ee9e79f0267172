//! Malicious input, attack by attack as it was found: nothing outside of the repository is read or written, nothing
//! is lost, nothing hangs, and whatever is wrong with one KEP, the others are checked.

mod bounds;
mod many;
mod output;

use crate::support::is_whole;
use crate::support::program::{PROGRAM, Printed, kep_lint, printed, scrubbed};
use std::fs;
use std::path::PathBuf;
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

/// As long as half of the largest file at night, else an eighth, too deep for any stack as well: each of
/// these recursed or was searched again for each of its marks.
#[test]
fn a2_no_text_is_too_deep() {
    let most = if is_whole() { 1 << 20 } else { 1 << 18 };
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
        ("OWNERS_ALIASES", &"x".repeat((1 << 20) + 1)),
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
    let printed = world.run(&["--fix", "--unsafe-fixes", "--stage", "beta", "keps/sig-node/1-a"]);
    says(&printed, 2, &["README.md`: it is outside of `", "checked 1 KEP"]);
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
            let printed = world.run(&["keps", "--format", format, "--max-findings", "0"]);
            says(&printed, 2, &["2-b", "checked 2 KEPs"]);
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
    says(&world.run(&["keps"]), 2, &["cannot read `keps`: it is outside of `", "name the directory that it leads to"]);
    says(&world.run(&[]), 2, &["it is outside of `"]);
    world.link("../../outside/keps/sig-node/1-a/README.md", "r/docs/README.md");
    says(&world.run(&["docs/README.md"]), 2, &["it is outside of `"]);
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
fn a4_links_that_multiply_are_not_followed() {
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
    for at in 0..1_000 {
        world.link("../1-a", &format!("r/keps/sig-node/links/l{at}"));
    }
    says(&world.run(&["keps"]), 2, &["checked 1 KEP (26 files)", "error: and 948 more failures"]);
}

#[cfg(unix)]
#[test]
fn a4_what_is_no_regular_file_is_not_opened() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).kep("2-b", "# KEP-2: X\n", WITHDRAWN);
    let fifo = world.path("r/keps/sig-node/1-a/more.md");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo is there");
    assert!(made.success());
    let says_of = ["more.md`: not a regular file", "checked 2 KEPs"];
    says(&world.run(&["keps"]), 2, &says_of);
}

/// What git keeps for itself is no part of the repository's content.
#[cfg(unix)]
#[test]
fn a4_nothing_of_git_is_read_or_written() {
    let world = World::new();
    world.kep("1-a", "", WITHDRAWN).write("r/.git/hook", "#!/bin/sh\n# hook s3cr3t\n");
    world.link("../../../.git/hook", &readme("1-a")).link("../../../.git", "r/keps/sig-node/1-a/g");
    let printed = world.run(&["keps", "--fix", "--unsafe-fixes", "--format", "pretty"]);
    says(&printed, 2, &["README.md`: it is outside of `"]);
    assert!(!all(&printed).contains("s3cr3t"), "{}", all(&printed));
    assert_eq!(world.read("r/.git/hook"), "#!/bin/sh\n# hook s3cr3t\n");
}

/// The approvers are those of the repository, however a KEP is named.
#[test]
fn a_pull_request_brings_no_aliases_of_its_own() {
    let metadata = WITHDRAWN.replace("withdrawn", "implementable\nstage: alpha\nlatest-milestone: v1.37");
    let aliases = |name: &str| format!("aliases:\n  prod-readiness-approvers: [{name}]\n");
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", &metadata).write("r/OWNERS_ALIASES", aliases("wojtek-t"));
    world.write("r/keps/prod-readiness/sig-node/1.yaml", "kep-number: 1\nalpha:\n  approver: \"@mallory\"\n");
    for path in ["r/keps/sig-node/OWNERS_ALIASES", "r/keps/OWNERS_ALIASES", "r/keps/sig-node/1-a/OWNERS_ALIASES"] {
        world.write(path, aliases("mallory"));
    }
    for (directory, path) in [
        ("r", "keps"),
        ("r", "keps/sig-node/../sig-node/1-a"),
        ("r/keps/sig-node/1-a", "."),
        ("r/keps/sig-node", "../sig-node/1-a"),
    ] {
        let printed = kep_lint(&world.path(directory), [path, "--select", "prr-approver"]);
        says(&printed, 1, &["`@mallory`"]);
    }
}

/// Text of somebody in a line of the contents is no line of the contents.
#[test]
fn a1_text_in_a_line_of_contents_is_kept() {
    for line in [
        "- [WIP] Alice promised to rewrite this: [Summary](#old)",
        "- [ ] TODO(alice): drop this once it merges [Summary](#old)",
        "- [Summary <!-- keep this note --> x](#old)",
    ] {
        let world = World::new();
        world.kep(
            "1-a",
            format!("# KEP-1: T\n\n<!-- toc -->\n{line}\n<!-- /toc -->\n\n## Summary\n\nText\n"),
            WITHDRAWN,
        );
        world.run(&["--fix", "--unsafe-fixes", "keps"]);
        assert!(world.read(&readme("1-a")).contains(line));
    }
}

/// Safe fixes of single lines leave alone what other lines, code and links make of them.
#[test]
fn a1_structure_is_kept() {
    for text in [
        "See (old)[https://k8s.io/a](https://k8s.io/b).",
        "call (a `b)[https://x.y]` c",
        "(a\n\n- b)[https://x.y]",
        "fn[T]((x))",
        "[#Sum-mary]\n\n[#Sum-mary]: #Sum-mary",
        "[option 1.1](#option-1-1)\n\n## Option 11\n\nText",
        "a\n##foo\n===",
        "| a |\n|---|\n##foo\n| b |",
        "##Tests [a\nb](https://x.y)",
        "##Foo<!-- /toc -->",
    ] {
        let world = World::new();
        let whole = format!("# KEP-1: T\n\n<!-- toc -->\n<!-- /toc -->\n\n{text}\n");
        world.kep("1-a", &whole, PROVISIONAL);
        let rules = "broken-link-syntax,dead-anchor,not-a-heading";
        world.run(&["--fix", "--select", rules, "keps"]);
        assert_eq!(world.read(&readme("1-a")), whole);
    }
}

#[cfg(unix)]
#[test]
fn a_working_directory_that_is_gone_is_named() {
    let world = World::new();
    world.kep("1-x", "# KEP-1: X\n", WITHDRAWN);
    let gone = world.path("gone");
    for arguments in ["", "check .", "ready 1", "ready --milestone v1.37"] {
        fs::create_dir(&gone).expect("a directory");
        let script = format!("rmdir ../gone && exec '{PROGRAM}' {arguments}");
        let printed = printed(&scrubbed("sh", &gone).args(["-c", &script]).output().expect("there is a shell"));
        let message = "error: cannot find the working directory `.`: no such file or directory\n  \
                       help: change to a directory that exists\n";
        assert_eq!((printed.status, printed.stderr.as_str()), (2, message), "{arguments}");
    }
}
