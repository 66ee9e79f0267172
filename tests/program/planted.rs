//! Repositories inside of the repository that is checked: files that git takes for one, which a pull request can add, and
//! submodules. None of them changes an answer, and nothing that they say is run.

use crate::support::program::Printed;
use crate::support::scratch::{Files, Scratch, findings};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::LazyLock;

const KEP: &str = "keps/sig-node/1-a";

const METADATA: &str = "title: A\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\nstatus: implementable\n\
                        creation-date: 2024-01-01\nstage: alpha\nlatest-milestone: v1.37\n";

const SINCE: [&str; 3] = ["--since", "origin/main", "--new-only"];

/// A repository with a KEP that the last commit breaks.
fn broken() -> Scratch {
    static FIRST: LazyLock<Files> = LazyLock::new(|| {
        let repository = Scratch::of(&[
            ("keps/sig-node/1-a/README.md", b"# KEP-1: A\n"),
            ("keps/sig-node/1-a/kep.yaml", METADATA.as_bytes()),
            ("OWNERS_ALIASES", b"aliases: {prod-readiness-approvers: [wojtek-t]}\n"),
        ]);
        repository.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: implmentable");
        repository.commit();
        repository.files()
    });
    Scratch::copy_of(&FIRST)
}

/// Adds the files of a repository of its own at `place`, without a `.git`, in which nothing has changed, and commits them.
/// `config` is added to its settings.
fn plant(repository: &Scratch, place: &str, config: &str) {
    fs::create_dir_all(repository.at(place)).expect("a directory");
    let own = tempfile::tempdir().expect("a directory");
    let own = own.path().join("own");
    let own_text = own.to_str().expect("it is UTF-8");
    repository.git(&["init", "-q", "--bare", own_text]);
    let place_text = repository.at(place);
    let git = |arguments: &[&str]| {
        let places = ["--git-dir", own_text, "--work-tree", place_text.to_str().expect("it is UTF-8")];
        repository.git(&[&["-C", place][..], &places, arguments].concat())
    };
    git(&["add", "--all"]);
    git(&["commit", "-q", "--allow-empty", "-m", "all is as it was"]);
    let head = git(&["rev-parse", "HEAD"]);
    copy(&own.join("objects"), &repository.at(&format!("{place}/objects")));
    fs::copy(own.join("index"), repository.at(&format!("{place}/index"))).expect("a copy");
    for (path, text) in [
        ("HEAD", "ref: refs/heads/main\n"),
        ("refs/heads/main", &head),
        ("refs/remotes/origin/main", &head),
        ("info/exclude", "*\n"),
        ("config", &format!("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n{config}")),
    ] {
        repository.write(&format!("{place}/{path}"), text);
    }
    repository.commit();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let (path, target) = (entry.as_ref().expect("an entry").path(), to.join(entry.expect("an entry").file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Fails unless the run reports the broken status.
fn reports_the_status(printed: &Printed, what: &str) {
    let expected = "kep.yaml invalid-status";
    let found = findings(printed);
    assert_eq!(printed.status, 1, "{what}: {}", printed.stderr);
    assert!(found.iter().any(|finding| finding.ends_with(expected)), "{what}: {found:?}{}", printed.stderr);
}

#[test]
fn files_that_look_like_a_repository_change_no_answer() {
    for place in ["keps", "keps/sig-node", KEP] {
        let repository = broken();
        plant(&repository, place, "");
        let root = repository.root.clone();
        let absolute = repository.at(place);
        let absolute = absolute.to_str().expect("it is UTF-8");
        for arguments in [&[][..], &["."], &["keps"], &[place], &["1"], &[absolute]] {
            let printed = repository.lint(&[&SINCE[..], arguments].concat());
            reports_the_status(&printed, &format!("{place} {arguments:?}"));
        }
        reports_the_status(&repository.lint_in(&repository.at(place), &["--since", "origin/main", "."], &[]), place);
        reports_the_status(&repository.lint_in(Path::new("/"), &["--since", "origin/main", absolute], &[]), place);
        let auto = ["--since", "auto", "--new-only"];
        reports_the_status(&repository.lint_in(&root, &auto, &[("GITHUB_BASE_REF", "main")]), place);
        let pushed = [("PRE_COMMIT_FROM_REF", "origin/main"), ("PRE_COMMIT_TO_REF", "HEAD")];
        let hook = ["pre-commit", "keps/sig-node/1-a/kep.yaml"];
        reports_the_status(&repository.lint_in(&root, &hook, &pushed), place);
        let told = [("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index")];
        reports_the_status(&repository.lint_in(&root, &SINCE, &told), place);
        repository.git(&["reset", "-q", "--soft", "origin/main"]);
        for arguments in [&["--staged"][..], &["--staged", "--new-only", place], &hook] {
            reports_the_status(&repository.lint(arguments), place);
        }
    }
}

#[test]
fn a_linked_work_tree_is_the_repository() {
    let repository = broken();
    plant(&repository, "keps", "");
    let tree = tempfile::tempdir().expect("a directory");
    let tree = tree.path().join("tree");
    repository.git(&["worktree", "add", "-q", "--detach", tree.to_str().expect("it is UTF-8")]);
    reports_the_status(&repository.lint_in(&tree, &SINCE, &[]), "a linked work tree");
    reports_the_status(&repository.lint_in(&tree.join("keps"), &SINCE, &[]), "in its keps");
}

#[test]
fn an_object_in_the_place_of_another_changes_no_answer() {
    let repository = broken();
    let (base, head) = (repository.git(&["rev-parse", "origin/main"]), repository.git(&["rev-parse", "HEAD"]));
    repository.git(&["update-ref", &format!("refs/replace/{base}"), &head]);
    let prow = [("PULL_BASE_SHA", base.as_str()), ("PULL_PULL_SHA", "x")];
    reports_the_status(&repository.lint_in(&repository.root, &["--since", "auto", "--new-only"], &prow), "replaced");
}

/// A git that does not know what newer ones rely on, and repeats options that it does not know.
fn old_git(directory: &Path, version: &str) -> String {
    let format = if version < "2.25" { "--show-other-format" } else { "--show-object-format" };
    let real = std::env::var("PATH").expect("there is a PATH");
    let real = real.split(':').map(|path| Path::new(path).join("git")).find(|git| git.is_file()).expect("git is there");
    let script = format!(
        "#!/bin/bash\nunset GIT_NO_LAZY_FETCH\n[ \"${{!#}}\" = version ] && {{ echo git version {version}; exit; }}\nwords=()\n\
         while [ $# -gt 0 ]; do\n  case \"$1 ${{2:-}}\" in\n    '-c safe.bareRepository='*) shift 2 ;;\n    \
         --show-object-format*) words+=({format}); shift ;;\n    \
         --end-of-options* | --no-relative* | --config-env=*) echo \"fatal: $1\" >&2; exit 129 ;;\n    \
         *) words+=(\"$1\"); shift ;;\n  esac\ndone\nexec {} \"${{words[@]}}\"\n",
        real.display()
    );
    let git = directory.join("git");
    fs::write(&git, script).expect("a file");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("it is ours");
    format!("{}:{}", directory.display(), std::env::var("PATH").expect("there is a PATH"))
}

#[test]
fn nothing_that_planted_files_say_is_run() {
    let repository = broken();
    let witness = repository.at("witness");
    let evil = format!("#!/bin/sh\ntouch {}\n", witness.display());
    for place in ["", "keps/", "keps/sig-node/"] {
        repository.write(&format!("{place}evil.sh"), &evil);
        let path = repository.at(&format!("{place}evil.sh"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let config = "[core]\n\tfsmonitor = ./evil.sh\n\thooksPath = .\n[remote \"origin\"]\n\turl = ext::./evil.sh %S\n\
                  \tpromisor = true\n[extensions]\n\tpartialClone = origin\n[protocol \"ext\"]\n\tallow = always\n";
    for place in ["keps", "keps/sig-node"] {
        plant(&repository, place, config);
        // A commit that is not there would be fetched.
        repository.write(&format!("{place}/refs/remotes/origin/main"), &"1234567890".repeat(4));
    }
    repository.commit();
    let old = tempfile::tempdir().expect("a directory");
    let path = old_git(old.path(), "2.25.0");
    for arguments in
        [&SINCE[..], &["--staged"], &["ready", "--pr=HEAD", "--format=json"], &["ready", "1", "--format=json"]]
    {
        for directory in ["", "keps", "keps/sig-node"] {
            for variables in [&[][..], &[("PATH", path.as_str())]] {
                let printed = repository.lint_in(&repository.at(directory), arguments, variables);
                assert!(!witness.exists(), "{arguments:?} in {directory:?}: {}", printed.stderr);
            }
        }
    }
    reports_the_status(&repository.lint_in(&repository.root, &SINCE, &[("PATH", &path)]), "an old git");
}

/// Also where the repository itself has a remote that may run a program, and lacks a commit.
#[test]
fn no_protocol_runs_a_program() {
    let repository = broken();
    let witness = repository.at("witness");
    repository.git(&["config", "remote.origin.url", &format!("ext::touch {}", witness.display())]);
    repository.git(&["config", "remote.origin.promisor", "true"]);
    repository.git(&["config", "extensions.partialClone", "origin"]);
    repository.git(&["config", "core.repositoryformatversion", "1"]);
    repository.git(&["config", "protocol.ext.allow", "always"]);
    fs::write(repository.at(".git/refs/remotes/origin/main"), "1234567890".repeat(4)).expect("a file");
    let old = tempfile::tempdir().expect("a directory");
    let path = old_git(old.path(), "2.25.0");
    for variables in [&[][..], &[("PATH", path.as_str())]] {
        let printed = repository.lint_in(&repository.root, &SINCE, variables);
        assert_eq!(printed.status, 2, "{}", printed.stderr);
        assert!(!witness.exists(), "{}", printed.stderr);
    }
}

#[test]
fn a_git_that_is_too_old_is_refused() {
    let repository = broken();
    for (version, is_refused) in [("2.24.4", true), ("1.9.1", true), ("2.25.0", false), ("3.0.0", false)] {
        let old = tempfile::tempdir().expect("a directory");
        let path = old_git(old.path(), version);
        let printed = repository.lint_in(&repository.root, &SINCE, &[("PATH", &path)]);
        assert_eq!(printed.status, if is_refused { 2 } else { 1 }, "{version}: {}", printed.stderr);
        let says = format!("cannot use `git version {version}`: it is too old\n  help: install git 2.25 or newer");
        assert_eq!(printed.stderr.contains(&says), is_refused, "{}", printed.stderr);
    }
}

#[test]
fn a_submodule_in_the_place_of_keps_is_refused() {
    let other = broken();
    let other = other.root.to_str().expect("it is UTF-8").to_owned();
    for (place, has_aliases) in [("keps", true), ("keps", false), ("keps/sig-node", false), (KEP, true)] {
        let repository = Scratch::of(&[
            ("keps/sig-node/1-a/README.md", b"# KEP-1: A\n"),
            ("keps/sig-node/1-a/kep.yaml", METADATA.as_bytes()),
            ("keps/sig-node/2-b/README.md", b"# KEP-2: B\n"),
        ]);
        if has_aliases {
            repository.write("OWNERS_ALIASES", "aliases: {prod-readiness-approvers: [wojtek-t]}\n");
            repository.commit();
            repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        }
        repository.git(&["rm", "-rq", place]);
        repository.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &other, place]);
        let refused = |arguments: &[&str], operation: &str| {
            let printed = repository.lint(arguments);
            assert_eq!(printed.status, 2, "{place} {arguments:?}: {}", printed.stderr);
            let says = format!("cannot {operation} `{place}`: it is a repository of its own");
            assert!(printed.stderr.contains(&says), "{arguments:?}: {}", printed.stderr);
        };
        refused(&["--staged"], "compare with git");
        repository.commit();
        refused(&SINCE, "compare with git");
        refused(&[&SINCE[..], &[place]].concat(), "compare with git");
        refused(&["ready", "--pr", "HEAD", "--format=json"], "judge");
        refused(&["ready", "1", "--at", "HEAD", "--format=json"], "judge");
        // Also if its files are not there.
        repository.git(&["submodule", "--quiet", "deinit", "--force", place]);
        refused(&SINCE, "compare with git");
    }
}

#[test]
fn a_file_that_names_a_repository_is_refused() {
    let repository = broken();
    plant(&repository, "keps/sig-node/own", "");
    repository.write("keps/.git", "gitdir: sig-node/own\n");
    for arguments in [&SINCE[..], &["--since", "origin/main", "keps/sig-node"]] {
        let printed = repository.lint(arguments);
        assert_eq!(printed.status, 2, "{}", printed.stderr);
        assert!(printed.stderr.contains("`keps`: it is a repository of its own"), "{}", printed.stderr);
    }
    let printed = repository.lint_in(&repository.at("keps"), &SINCE, &[]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    // What is staged is not on disk.
    assert_eq!(repository.lint(&["--staged"]).status, 0);
}

#[test]
fn a_file_that_links_into_a_submodule_is_refused() {
    let other = Scratch::of(&[("kep.yaml", METADATA.as_bytes())]);
    let repository = broken();
    let path = other.root.to_str().expect("it is UTF-8");
    repository.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "sub"]);
    fs::remove_file(repository.at(&format!("{KEP}/kep.yaml"))).expect("it is there");
    std::os::unix::fs::symlink("../../../sub/kep.yaml", repository.at(&format!("{KEP}/kep.yaml"))).expect("a link");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let printed = repository.lint(&SINCE);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert!(printed.stderr.contains("`sub`: it is a repository of its own"), "{}", printed.stderr);
}

#[test]
fn submodules_elsewhere_are_no_matter() {
    let other = Scratch::of(&[("x", b"x")]);
    let repository = broken();
    let other = other.root.to_str().expect("it is UTF-8");
    repository.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "third_party/x"]);
    repository.commit();
    reports_the_status(&repository.lint(&SINCE), "a submodule elsewhere");
    reports_the_status(&repository.lint(&[&SINCE[..], &["."]].concat()), "a submodule elsewhere");
    let inner = repository.lint_in(&repository.at("third_party/x"), &["--since", "origin/main", "../../keps"], &[]);
    reports_the_status(&inner, "from inside a submodule");
}

/// Symlinks: where each leads to, and where it is.
type Links = &'static [(&'static str, &'static str)];

/// Git tells only of the link, and not of the files that it leads to now.
#[test]
fn what_a_changed_link_leads_to_has_changed() {
    let bad = METADATA.replace("status: implementable", "status: implmentable");
    let files = [
        ("keps/sig-node/1-a/README.md", "# KEP-1: A\n"),
        ("keps/sig-node/1-a/kep.yaml", METADATA),
        ("keps/sig-node/2-b/README.md", "# KEP-2: B\n"),
        ("pkg/testdata/1-a/README.md", "# KEP-1: A\n"),
        ("pkg/testdata/1-a/kep.yaml", &bad),
        ("data/good.yaml", METADATA),
        ("data/bad.yaml", &bad),
        ("OWNERS_ALIASES", "aliases: {prod-readiness-approvers: [wojtek-t]}\n"),
    ];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let link = |repository: &Scratch, target: &str, path: &str| {
        let place = repository.at(path);
        let _ = fs::remove_dir_all(&place);
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink(target, place).expect("a link");
    };
    let changes: [(&str, Links, Links); 4] = [
        ("a KEP", &[], &[("../../pkg/testdata/1-a", KEP)]),
        ("a SIG", &[], &[("../pkg/testdata", "keps/sig-node")]),
        (
            "a file",
            &[("../../../data/good.yaml", "keps/sig-node/1-a/kep.yaml")],
            &[("../../../data/bad.yaml", "keps/sig-node/1-a/kep.yaml")],
        ),
        (
            "a link in the middle",
            &[("good.yaml", "data/now"), ("../../../data/now", "keps/sig-node/1-a/kep.yaml")],
            &[("bad.yaml", "data/now")],
        ),
    ];
    for (what, before, after) in changes {
        let repository = Scratch::of(&files);
        before.iter().for_each(|(target, path)| link(&repository, target, path));
        repository.commit();
        repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        after.iter().for_each(|(target, path)| link(&repository, target, path));
        // What is asked of a KEP depends on its place, so that it cannot be moved away behind a link.
        let moves = ["a KEP", "a SIG"].contains(&what);
        let is_noticed = |printed: &Printed, when: &str| {
            if moves {
                let says = "is a link to a directory";
                assert!(printed.status == 2 && printed.stderr.contains(says), "{what}, {when}: {}", printed.stderr);
            } else {
                reports_the_status(printed, &format!("{what}, {when}"));
            }
        };
        is_noticed(&repository.lint(&SINCE), "not committed");
        repository.git(&["add", "--all"]);
        is_noticed(&repository.lint(&["--staged", "--new-only"]), "staged");
        repository.commit();
        is_noticed(&repository.lint(&SINCE), "committed");
    }
}

#[test]
fn a_list_behind_a_changed_link_is_an_edited_one() {
    let repository = broken();
    repository.git(&["rm", "-q", "OWNERS_ALIASES"]);
    repository.write("lists/one", "aliases: {prod-readiness-approvers: [wojtek-t]}\n");
    repository.write("lists/two", "aliases: {prod-readiness-approvers: [wojtek-t, mallory]}\n");
    std::os::unix::fs::symlink("one", repository.at("lists/now")).expect("a link");
    std::os::unix::fs::symlink("lists/now", repository.at("OWNERS_ALIASES")).expect("a link");
    repository.commit();
    repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    fs::remove_file(repository.at("lists/now")).expect("it is there");
    std::os::unix::fs::symlink("two", repository.at("lists/now")).expect("a link");
    repository.commit();
    let printed = repository.lint(&SINCE);
    let words = printed.stderr.replace("\n  ", " ");
    assert!(words.contains("`OWNERS_ALIASES` (adds `mallory` to the PRR approvers)"), "{words}");
}
