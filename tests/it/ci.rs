//! What runs on pull requests, at night and before a release: together everything that the scripts in `.ci` ask for.

use crate::support::{files_below, project};
use serde_yaml::Value;
use std::collections::BTreeSet;
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The parts that a script declares.
fn declared(script: &str) -> BTreeSet<String> {
    let text = read(script);
    let parts = text.rsplit_once("run_parts \"").and_then(|(_, rest)| rest.split_once('"')).expect("it has parts").0;
    parts.split(' ').map(str::to_owned).collect()
}

/// The words after each `mark` of a workflow, up to the end of a line, a comma or a brace.
fn named(workflow: &str, mark: &str) -> BTreeSet<String> {
    let text = read(&format!(".github/workflows/{workflow}.yml"));
    let rests = text.split(mark).skip(1).map(|rest| rest.split([',', '}', '\n']).next().unwrap_or_default());
    rests.flat_map(|words| words.split(' ')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_part_is_in_a_workflow() {
    assert_eq!(named("ci", "run: .ci/run"), declared(".ci/run"));
    let nightly = read(".github/workflows/nightly.yml");
    let matrix = nightly.split_once("parts: [").and_then(|(_, rest)| rest.split_once(']')).expect("a matrix").0;
    let mut run: BTreeSet<String> =
        matrix.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    run.extend(named("nightly", "{ parts: "));
    run.extend(named("ci", "run: .ci/nightly"));
    assert_eq!(run, declared(".ci/nightly"));
}

#[test]
fn a_release_needs_what_changes_and_nights_need() {
    let release = read(".github/workflows/release.yml");
    for workflow in ["ci", "nightly"] {
        assert!(release.contains(&format!("uses: ./.github/workflows/{workflow}.yml\n")), "{workflow}");
        assert!(read(&format!(".github/workflows/{workflow}.yml")).contains("\n  workflow_call:\n"), "{workflow}");
    }
    let build = release.split_once("\n  build:\n").expect("a job").1;
    assert!(build.starts_with("    needs: [ci, nightly]\n"));
    assert!(release.contains("run: contrib/release/check \"$GITHUB_REF_NAME\"\n"));
}

/// The lines of each job of a workflow, by the name of the job.
fn jobs(workflow: &str) -> Vec<(String, Vec<String>)> {
    let text = read(&format!(".github/workflows/{workflow}.yml"));
    let mut jobs: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.split_once("\njobs:\n").expect("jobs").1.lines() {
        let name = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'));
        match name.filter(|name| !name.starts_with([' ', '#'])) {
            Some(name) => jobs.push((name.to_owned(), Vec::new())),
            None => jobs.last_mut().expect("a job").1.push(line.to_owned()),
        }
    }
    jobs
}

/// A job of a workflow.
fn job(workflow: &str, name: &str) -> Value {
    let text = read(&format!(".github/workflows/{workflow}.yml"));
    let workflow: Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{workflow}: {error}"));
    workflow["jobs"][name].clone()
}

/// With another compiler, or without the sources of its library, the page in the book is too large.
#[test]
fn a_release_builds_the_book_as_nights_do() {
    let (night, release) = (job("nightly", "part"), job("release", "book"));
    assert_eq!(night["strategy"]["matrix"]["runner"][0], release["runs-on"]);
    for setting in ["env", "container"] {
        assert!(night[setting].is_null() && release[setting].is_null(), "{setting}");
    }
    let commands = |job: &Value| -> Vec<String> {
        let steps = job["steps"].as_sequence().expect("steps").iter();
        steps.map(|step| step["run"].as_str().or(step["uses"].as_str()).expect("a command").to_owned()).collect()
    };
    let mut wanted = commands(&night);
    // The book needs no KEPs.
    wanted.retain(|command| !command.starts_with("contrib/corpus "));
    let parts = wanted.pop();
    assert_eq!(parts.as_deref(), Some(".ci/nightly $PARTS"));
    wanted.push(".ci/nightly book".to_owned());
    let mut built = commands(&release);
    assert!(built.pop().is_some_and(|upload| upload.starts_with("actions/upload-pages-artifact@")));
    assert_eq!(built, wanted);
}

/// The version of Rust is in Cargo.toml. Only what lists the crates takes the newest one, as it installs the newest program.
#[test]
fn workflows_install_the_rust_that_cargo_names() {
    for workflow in ["ci", "data", "nightly", "release"] {
        let text = read(&format!(".github/workflows/{workflow}.yml"));
        assert!(text.contains("install_rust"), "{workflow}");
        let others = text.lines().filter(|line| line.contains("rustup") || line.contains("toolchain"));
        let others: Vec<&str> = others.map(str::trim).filter(|line| *line != "rustup default stable").collect();
        assert_eq!(others, [""; 0], "{workflow}");
    }
    let version = |path: &str| read(path).lines().find(|line| line.starts_with("rust-version = ")).map(str::to_owned);
    assert_eq!(version("Cargo.toml"), version("contrib/playground/Cargo.toml"));
}

/// What a job may do: the lines below its `permissions:`, without their comments.
fn permissions(lines: &[String]) -> Vec<&str> {
    let below = lines.iter().skip_while(|line| *line != "    permissions:").skip(1);
    let below = below.map_while(|line| line.strip_prefix("      "));
    below.map(|line| line.split(" #").next().unwrap_or_default()).collect()
}

/// The page for maintainers has a row for each job of a release: what it needs, and what it may do.
#[test]
fn the_trace_of_a_release_has_its_jobs() {
    let page = read("contrib/release/README.md");
    let table = page.split_once("| job | needs | may |").expect("a table").1.split_once("\n\n").expect("an end").0;
    let rows: Vec<[&str; 3]> = table
        .lines()
        .skip(2)
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            [cells[1], cells[2], cells[3]]
        })
        .collect();
    let code = |words: Vec<&str>| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let jobs = jobs("release");
    for (name, lines) in &jobs {
        let needs = lines.iter().find_map(|line| line.strip_prefix("    needs: "));
        let needs = needs.map(|needs| code(needs.trim_matches(['[', ']']).split(", ").collect()));
        let row = [format!("`{name}`"), needs.unwrap_or_else(|| "–".to_owned()), code(permissions(lines))];
        assert!(rows.iter().any(|shown| *shown == row), "the row of {row:?}");
    }
    assert_eq!(rows.len(), jobs.len());
}

/// A job that runs the code of a project that is being built, or of its tools, can write nothing.
#[test]
fn only_jobs_that_build_nothing_may_write() {
    let builds = ["cargo ", "contrib/release/build", "contrib/release/book", ".ci/", "pip\" install"];
    let mut count = 0;
    for workflow in ["ci", "data", "nightly", "release"] {
        assert!(read(&format!(".github/workflows/{workflow}.yml")).contains("\npermissions: {}\n"), "{workflow}");
        for (name, lines) in jobs(workflow) {
            let may_write = permissions(&lines).iter().any(|may| may.ends_with(": write"));
            let code = lines.join("\n");
            assert!(!may_write || !builds.iter().any(|word| code.contains(word)), "{workflow}: {name}");
            let checkouts = code.matches("persist-credentials: false").count();
            let all = lines.iter().filter(|line| line.contains("uses: actions/checkout@")).count();
            assert_eq!(checkouts, all, "{workflow}: {name} keeps a token");
            count += usize::from(may_write);
        }
    }
    assert_eq!(count, 4, "the pull request with data, publish, pypi and pages");
}

/// The pages of the book are an artifact too, and no file of a release.
#[test]
fn a_release_has_only_what_was_built_for_it() {
    let release = read(".github/workflows/release.yml");
    assert_eq!(
        release.matches("          name: dist-").count(),
        3,
        "the programs, the bill of materials, and the extension"
    );
    assert!(release.contains("          pattern: dist-*\n          path: dist\n"));
}

/// A tag or a branch of another repository may be moved; a commit may not.
#[test]
fn foreign_actions_are_pinned_to_commits() {
    let mut count = 0;
    for file in files_below(&project().join(".github/workflows"), &|_| true) {
        let text = fs::read_to_string(&file).expect("workflows are UTF-8");
        for used in text.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, used)| used) {
            let commit = used.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")).map(|(commit, _)| commit);
            let is_commit = |text: &str| text.len() == 40 && text.chars().all(|digit| digit.is_ascii_hexdigit());
            assert!(used.starts_with("./") || commit.is_some_and(is_commit), "{}: {used}", file.display());
            count += 1;
        }
    }
    assert!(count > 10, "only {count} actions");
}
