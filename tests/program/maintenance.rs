//! The scripts that maintainers run by hand: those of a release, on a copy of the project, and the one that fetches the
//! KEPs of kubernetes/enhancements, from a repository that is used in its place.

use crate::support::program::Printed;
use crate::support::project;
use crate::support::scratch::Scratch;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// What is written where the project's owner is not known yet. Its name is put together here, because `home` also writes
/// into tests.
const OPEN: &str = concat!("<owner>", "/");
/// The same before the address of the book.
const OPEN_BOOK: &str = concat!("<owner>", ".");

/// A repository with the project's own files that the scripts of a release read, and those that say where it lives.
fn copy_of_the_project() -> Scratch {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(project())
        .output();
    let listed = listed.expect("git is installed").stdout;
    let listed = String::from_utf8(listed).expect("paths are UTF-8");
    let copy = Scratch::empty();
    for path in listed.split('\0') {
        // Others are not text, and a file that is deleted and not committed is still listed.
        let Ok(text) = fs::read_to_string(project().join(path)) else { continue };
        let is_read = path.starts_with("contrib/") || path == "Cargo.toml" || path == "CHANGELOG.md";
        if is_read || text.contains(OPEN) || text.contains(OPEN_BOOK) {
            copy.write(path, &text);
        }
    }
    copy.commit();
    copy
}

fn script(repository: &Scratch, name: &str, arguments: &[&str]) -> Printed {
    repository.run(&format!("contrib/release/{name}"), arguments, &[])
}

#[test]
fn a_release_needs_a_home() {
    let copy = copy_of_the_project();
    let version = env!("CARGO_PKG_VERSION");
    let tag = format!("v{version}");
    let changelog = copy.read("CHANGELOG.md");
    assert!(changelog.contains(&format!("\n## {version}")), "it only needs the day: {changelog}");
    copy.write(
        "CHANGELOG.md",
        &changelog.replace(&format!("\n## {version}\n"), &format!("\n## {version} - 2026-07-24\n")),
    );
    if !copy.read("Cargo.toml").contains(OPEN) {
        let accepted = script(&copy, "check", &[&tag]);
        assert_eq!(accepted.status, 0, "it is filled in: {}", accepted.stderr);
        return;
    }
    let refused = script(&copy, "check", &[&tag]);
    assert_eq!(refused.status, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("contrib/release/home OWNER/REPO"), "{}", refused.stderr);

    let commands = "contrib/release/README.md";
    let before = (copy.read(commands), copy.read("contrib/upstream/make"));
    let filled = script(&copy, "home", &["Kep-Tools/linter"]);
    assert_eq!(filled.status, 0, "{}", filled.stderr);
    for file in [
        "Cargo.toml",
        "pyproject.toml",
        commands,
        "docs/ci.md",
        "docs/book.toml",
        "src/report/look.rs",
        ".github/SECURITY.md",
    ] {
        assert!(filled.stdout.lines().any(|line| line == file), "{file} is filled in: {}", filled.stdout);
        assert!(!copy.read(file).contains(OPEN) && !copy.read(file).contains(OPEN_BOOK), "{file}");
    }
    assert!(copy.read("src/report/look.rs").contains("BOOK: &str = \"https://kep-tools.github.io/linter\";\n"));
    assert!(copy.read("Cargo.toml").contains("repository = \"https://github.com/Kep-Tools/linter\"\n"));
    assert!(copy.read("docs/ci.md").contains("https://github.com/Kep-Tools/kep-lint-pre-commit\n"));
    let shown = copy.read(commands);
    assert!(shown.contains("brew install Kep-Tools/tap/kep-lint`") && shown.contains(" ghcr.io/kep-tools/linter keps"));
    let home = before.0.replace(&format!("ghcr.io/{OPEN}kep-lint"), "ghcr.io/kep-tools/linter");
    let home = home.replace(&format!("{OPEN}kep-lint"), "Kep-Tools/linter").replace(OPEN, "Kep-Tools/");
    assert!(shown == home && copy.read("contrib/upstream/make") == before.1, "nothing else changes");

    let accepted = script(&copy, "check", &[&tag]);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    assert_eq!(script(&copy, "home", &["other/home"]).stdout, "", "nothing is left to fill in");
}

#[test]
fn a_release_is_of_the_version_that_its_files_name() {
    let copy = copy_of_the_project();
    let wrong = script(&copy, "check", &["v99.0.0"]);
    assert!(
        wrong.status == 1 && wrong.stderr.contains("Cargo.toml has no line `version = \"99.0.0\"`"),
        "{}",
        wrong.stderr
    );
    copy.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n");
    let undated = script(&copy, "check", &[concat!("v", env!("CARGO_PKG_VERSION"))]);
    assert!(undated.status == 1 && undated.stderr.contains("CHANGELOG.md has no heading"), "{}", undated.stderr);
}

#[test]
fn the_book_is_where_github_publishes_it() {
    let home = fs::read(project().join("contrib/release/home")).expect("it is there");
    for (name, book) in [
        ("acme/kep-lint", "https://acme.github.io/kep-lint"),
        ("Acme/My.Linter", "https://acme.github.io/My.Linter"),
        ("Acme/acme.github.io", "https://acme.github.io"),
        ("acme/other.github.io", "https://acme.github.io/other.github.io"),
    ] {
        let copy = Scratch::empty();
        copy.write_bytes("contrib/release/home", &home);
        copy.write("page", &format!("see https://{OPEN_BOOK}github.io/kep-lint/rules/bad-title.html\n"));
        copy.commit();
        assert_eq!(script(&copy, "home", &[name]).stdout, "page\n");
        assert_eq!(copy.read("page"), format!("see {book}/rules/bad-title.html\n"), "{name}");
    }
}

#[test]
fn a_home_is_an_owner_and_a_repository() {
    let copy = Scratch::empty();
    copy.write_bytes("contrib/release/home", &fs::read(project().join("contrib/release/home")).expect("it is there"));
    for wrong in ["", "owner", "owner/", "a/b/c", "owner/re|po", "https://github.com/owner/repo"] {
        let printed = script(&copy, "home", &[wrong]);
        assert!(printed.status == 2 && printed.stderr.starts_with("usage: "), "{wrong}: {}", printed.stderr);
    }
}

/// What is released under a tag names its home.
#[test]
fn a_tagged_tree_has_a_home() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(project()).output().expect("git is installed");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let tags = git(&["tag", "--points-at", "HEAD", "v*"]);
    if !tags.is_empty() {
        let left = git(&["grep", "--line-number", "--fixed-strings", "-e", OPEN, "-e", OPEN_BOOK]);
        assert_eq!(left, "", "{tags} must name a home");
    }
}

/// Fetches a corpus from `upstream` in place of kubernetes/enhancements.
fn fetch(upstream: &Scratch, into: &Path, commit: &str) -> Printed {
    let place = format!("url.file://{}.insteadOf", upstream.root.display());
    let instead = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", place.as_str()),
        ("GIT_CONFIG_VALUE_0", "https://github.com/kubernetes/enhancements"),
    ];
    let script = project().join("contrib/corpus");
    let [script, into] = [script.as_path(), into].map(|path| path.to_str().expect("it is UTF-8"));
    Scratch::empty().run(script, &[into, commit], &instead)
}

#[test]
fn a_corpus_is_the_text_of_one_commit() {
    let upstream = Scratch::sample();
    for file in
        ["Makefile", "LICENSE", "hack/.notableofcontents", "hack/verify.sh", "hack/boilerplate/boilerplate.sh.txt"]
    {
        upstream.write(file, "it is there\n");
    }
    for file in ["keps/README.md", "keps/sig-node/OWNERS", "keps/sig-node/picture.png", "cmd/main.go"] {
        upstream.write(file, "it is there\n");
    }
    upstream.commit();
    let commit = upstream.git(&["rev-parse", "--short", "HEAD"]);
    upstream.write("keps/README.md", "a later commit\n");
    upstream.commit();

    let directory = tempfile::tempdir().expect("a directory");
    let into = directory.path().join("data");
    let printed = fetch(&upstream, &into, &commit);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let into = into.canonicalize().expect("it is there");
    assert_eq!(printed.stdout, format!(concat!("export KEP_LINT", "_SHARED={}\n"), into.display()));
    let read = |path: &str| fs::read_to_string(into.join(path)).unwrap_or_default();
    for file in ["keps/README.md", "keps/sig-node/OWNERS", "hack/.notableofcontents", "LICENSE"] {
        assert_eq!(read(&format!("corpus/{file}")), "it is there\n", "{file}");
    }
    let kep = "keps/sig-storage/5502-emptydir-volume-mode/kep.yaml";
    assert_eq!(read(&format!("corpus/{kep}")), upstream.read(kep));
    for file in ["Makefile", "verify.sh", "boilerplate.sh.txt"] {
        assert_eq!(read(&format!("upstream/{file}")), "it is there\n", "{file}");
    }
    for gone in ["corpus/.git", "corpus/cmd", "corpus/keps/sig-node/picture.png", "corpus/hack/verify.sh"] {
        assert!(!into.join(gone).exists(), "{gone}");
    }
    let left: Vec<_> =
        fs::read_dir(&into).expect("it is there").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");

    // What is there is not touched.
    let again = fetch(&upstream, &into, &commit);
    assert!(again.status == 1 && again.stderr.contains("has a corpus already"), "{}", again.stderr);
}

/// The page takes an engine with a standard library of the ordinary size for too large a one. No linker of Debian is needed.
#[test]
fn the_engine_is_built_with_the_library_that_rustup_has() {
    let scratch = Scratch::empty();
    let root = scratch.root.display();
    fs::create_dir_all(scratch.at("sysroot/lib/rustlib/src/rust/library/std")).expect("a directory");
    let script = fs::read_to_string(project().join("contrib/playground/wasm")).expect("a script");
    // No machine has this one.
    scratch.write("wasm", &script.replace("/usr/lib/llvm-*", "/nowhere/llvm-*"));
    let cargo = format!(
        "echo \"$*\" >{root}/asked; mkdir -p target/wasm32-unknown-unknown/release\n\
         echo engine >target/wasm32-unknown-unknown/release/kep_lint_page.wasm"
    );
    for (name, code) in [("rustup", ""), ("rustc", &*format!("echo {root}/sysroot")), ("cargo", &*cargo)] {
        scratch.write(&format!("bin/{name}"), &format!("#!/bin/sh\n{code}\n"));
        fs::set_permissions(scratch.at(&format!("bin/{name}")), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let path = format!("{root}/bin:{}", std::env::var("PATH").expect("there is one"));
    let printed = scratch.run("wasm", &["engine.wasm"], &[("PATH", &path), ("CARGO_TARGET_DIR", "target")]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""));
    let asked = scratch.read("asked");
    assert!(asked.contains("-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size"), "{asked}");
    assert_eq!(scratch.read("engine.wasm"), "engine\n");
}
