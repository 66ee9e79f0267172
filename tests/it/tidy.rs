//! The rules that the code and the data of this project keep, as tests over their text.

use crate::support::source::Source;
use crate::support::{files_below, project};
use kep_lint::markdown::fingerprint::{Lines, hash};
use kep_lint::markdown::section::SectionId;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use kep_lint::template::Template;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn names_are_seen_however_they_are_imported() {
    let text = "//! crate::no\nuse crate::{a::B, c::{self}};\nfn f() { crate::d::e(); xcrate::no(); }\n// crate::no\n";
    let text = format!("{text}use crate::g;\n#[cfg(test)]\nmod tests {{ use crate::no; }}\n");
    let source = Source { path: "src/kep/review.rs".to_owned(), text };
    assert_eq!(source.module(), "kep");
    let files = ["a", "c", "c/x", "d/e", "g", "kep/review"].map(str::to_owned).into();
    assert_eq!(source.uses(&files), ["a", "c", "d/e", "g"].map(str::to_owned).into());
    assert_eq!(source.names_behind("crate::"), BTreeSet::from(["a", "c", "d", "g"].map(str::to_owned)));
}

/// The rooms from the ground up, with what may use only those before them. Files of one room may use each other.
const ROOMS: [&[&str]; 21] = [
    &["bounds", "search", "span", "hash", "source", "stage", "suggest", "diagnostic"],
    &["markdown"],
    &["mdtoc"],
    &["yaml"],
    &["gates"],
    &["kep"],
    &["repository"],
    &["template", "requirement", "matching", "gap"],
    &["suppress"],
    &["rules"],
    &["config"],
    &["lint"],
    &["fix"],
    &["ready"],
    &["authoring"],
    &["workspace"],
    &["report"],
    &["editor"],
    &["cli"],
    &["main"],
    &["lib"],
];

#[test]
fn a_room_uses_those_above_it() {
    let lib = fs::read_to_string(project().join("src/lib.rs")).expect("src/lib.rs is there");
    let name = |line: &str| Some(line.strip_prefix("pub")?.split_once(" mod ")?.1.strip_suffix(';')?.to_owned());
    let declared: Vec<String> = lib.lines().filter_map(name).collect();
    let listed = ROOMS.iter().copied().flatten().filter(|name| !["main", "lib"].contains(name));
    assert_eq!(declared, listed.copied().collect::<Vec<_>>(), "the order of src/lib.rs");
    let guide = fs::read_to_string(project().join("CONTRIBUTING.md")).expect("CONTRIBUTING.md is there");
    let layout = guide.split("| module | what it does |").nth(1).and_then(|rest| rest.split("\n\n").next());
    let modules = layout.unwrap_or_default().lines().filter_map(|row| row.split('|').nth(1));
    let described: Vec<&str> = modules.flat_map(|modules| modules.split('`').skip(1).step_by(2)).collect();
    assert_eq!(described, declared, "the layout in CONTRIBUTING.md");
    let room = |module: &str| ROOMS.iter().position(|room| room.contains(&module));
    for source in Source::below("src").iter().filter(|source| !matches!(source.module(), "lib" | "main")) {
        let own = room(source.module()).unwrap_or_else(|| panic!("{} is in no room", source.path));
        for name in source.names_behind("crate::") {
            let used = room(&name).unwrap_or_else(|| panic!("{} names `crate::{name}`, which is no room", source.path));
            assert!(used <= own, "{} uses `{name}`, which is below it", source.path);
        }
    }
}

#[test]
fn upstreams_markdown_meets_the_other_in_one_file() {
    let markdown = |source: &&Source| source.names_behind("crate::").contains("markdown");
    let users: Vec<String> = Source::below("src")
        .iter()
        .filter(|source| source.module() == "mdtoc")
        .filter(markdown)
        .map(|source| source.path.clone())
        .collect();
    assert_eq!(users, ["src/mdtoc.rs"]);
    for module in ["markdown", "yaml"] {
        for source in Source::below("src").iter().filter(|source| source.module() == module) {
            let used = source.names_behind("crate::");
            let is_ground = |name: &String| ROOMS[0].contains(&name.as_str()) || name == module;
            assert!(used.iter().all(is_ground), "{} uses {used:?}", source.path);
        }
    }
}

#[test]
fn files_form_no_circle() {
    let sources = Source::below("src");
    let files: BTreeSet<String> = sources.iter().map(|source| source.place().to_owned()).collect();
    let uses: BTreeMap<&str, BTreeSet<String>> =
        sources.iter().map(|source| (source.place(), source.uses(&files))).collect();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 300, "uses are seen");
    let mut left = uses.clone();
    // A file that uses none of the files left is in no circle, nor is one that none of them uses.
    loop {
        let is_left = |name: &String| left.contains_key(name.as_str());
        let is_used = |name: &str| left.values().any(|uses| uses.contains(name));
        let Some(free) = left.iter().find(|(name, uses)| !uses.iter().any(is_left) || !is_used(name)) else { break };
        let free = *free.0;
        left.remove(free);
    }
    assert_eq!(left.into_keys().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn the_foundation_uses_next_to_nothing() {
    let allowed = [
        ("bounds", vec![]),
        ("search", vec![]),
        ("span", vec!["bounds", "search"]),
        ("hash", vec![]),
        ("source", vec!["span"]),
        ("diagnostic", vec!["bounds", "diagnostic", "hash", "source", "span", "stage"]),
        ("stage", vec!["suggest"]),
        ("suggest", vec!["bounds"]),
        ("main", vec![]),
    ];
    for (module, allowed) in allowed {
        for source in Source::below("src").iter().filter(|source| source.module() == module) {
            let used = source.names_behind("crate::");
            assert!(used.iter().all(|name| allowed.contains(&name.as_str())), "{} uses {used:?}", source.path);
        }
    }
    let main = Source::below("src").into_iter().find(|source| source.path == "src/main.rs").expect("it is there");
    assert_eq!(main.names_behind("kep_lint::"), BTreeSet::from(["cli".to_owned()]));
}

#[test]
fn a_rule_uses_no_other_rule() {
    let vocabulary = ["cause", "context", "prelude", "rule"];
    for source in Source::below("src/rules").iter().filter(|source| is_rule_file(&source.path)) {
        let names = source.names_behind("crate::rules::");
        assert!(names.iter().all(|name| vocabulary.contains(&name.as_str())), "{} uses {names:?}", source.path);
        assert!(source.names_behind("super::").is_empty(), "{} looks at its siblings", source.path);
    }
}

/// `src/rules/<category>/<rule>.rs`
fn is_rule_file(path: &str) -> bool {
    path.split('/').count() == 4
}

#[test]
fn only_the_command_line_and_the_disk_meet_the_world() {
    // The rooms that only the feature `cli` has.
    let is_outside = |path: &str| {
        let rooms = ["change", "edge.rs", "failure.rs", "files/disk.rs", "git", "tip.rs"];
        path.strip_prefix("src/workspace/").is_some_and(|path| rooms.iter().any(|room| path.starts_with(room)))
    };
    let world = ["fs", "env", "process", "time", "net", "io", "thread"];
    for source in Source::below("src").iter().filter(|source| !matches!(source.module(), "cli" | "main")) {
        if is_outside(&source.path) {
            continue;
        }
        let named = source.names_behind("std::");
        assert!(!named.iter().any(|name| world.contains(&name.as_str())), "{} names std::{named:?}", source.path);
        let streams = ["stdout()", "stderr()", "stdin()"];
        let takes = source.code().find(|line| streams.iter().any(|stream| line.contains(stream)));
        assert_eq!(takes, None, "{} takes a stream", source.path);
        for line in source.code() {
            let prints = ["println!", "print!", "eprint!", "eprintln!"].iter().any(|word| line.contains(word));
            assert!(!prints, "{} prints: {line}", source.path);
        }
    }
}

#[test]
fn a_third_party_crate_is_named_in_one_place() {
    let places = BTreeMap::from([
        ("anstream", "src/cli/screen.rs"),
        ("anstyle", "src/report/paint.rs"),
        ("clap", "src/cli"),
        ("clap_complete", "src/cli/args.rs src/cli/completions.rs"),
        ("clap_mangen", "src/cli/manual.rs"),
        ("crossbeam_channel", "src/cli/lsp"),
        ("fast_glob", "src/config/globs.rs"),
        ("gen_lsp_types", "src/cli/lsp"),
        ("granit_parser", "src/yaml/reader.rs"),
        ("lsp_server", "src/cli/lsp/client.rs src/cli/lsp/conversation.rs src/cli/lsp/stdio.rs"),
        ("memchr", "src/search.rs"),
        ("miette", "src/report/pretty/snippet.rs"),
        ("minijinja", "src/cli/config_init.rs src/report/html src/report/ready"),
        ("notify", "src/cli/lsp/watch.rs src/cli/watch.rs"),
        ("percent_encoding", "src/cli/lsp/uri.rs src/markdown/link.rs src/report/uri.rs"),
        ("pulldown_cmark", "src/editor/page/markdown.rs src/markdown.rs"),
        ("rayon", "src/cli src/workspace"),
        (
            "regex",
            "src/gap src/kep/layout src/markdown/anchor.rs src/markdown/other_heading.rs src/report/ready/comment/fill.rs src/rules/sections/stale_history.rs src/rules/sections/unnumbered_title.rs src/rules/text src/workspace/change/selection.rs",
        ),
        ("semver", "src/kep/milestone.rs"),
        // A list of pull requests is JSON that another program writes.
        (
            "serde",
            "src/cli/lsp src/cli/ready/pulls/export.rs src/editor/page src/gates/code.rs src/kep/filter.rs src/lint/changes.rs src/lint/conditions.rs src/ready src/report src/repository.rs src/repository/facts.rs src/repository/vocabulary.rs src/stage.rs src/yaml/plain.rs",
        ),
        (
            "serde_json",
            "src/cli/lsp src/cli/ready/pulls/export.rs src/config src/editor/page src/ready src/report src/repository",
        ),
        ("serde_yaml", "src/yaml/plain.rs"),
        ("signal_hook", "src/cli/signals.rs"),
        ("similar", "src/cli/diff.rs src/fix/hunks.rs"),
        ("strsim", "src/suggest.rs"),
        ("tempfile", "src/cli/write"),
        ("supports_hyperlinks", "src/cli/screen.rs"),
        ("terminal_size", "src/cli/screen.rs"),
        ("unicode_width", "src/report/width.rs"),
        ("xattr", "src/cli/write.rs"),
    ]);
    let manifest = fs::read_to_string(project().join("Cargo.toml")).expect("Cargo.toml is there");
    // The tables of all systems and of some, not that of the tests.
    let tables = manifest.split("\n[").filter(|table| {
        let name = table.lines().next().unwrap_or_default();
        name.ends_with("dependencies]") && !name.starts_with("dev-")
    });
    let entries = tables.flat_map(str::lines).filter(|line| !line.starts_with('#'));
    let dependencies: BTreeSet<String> =
        entries.filter_map(|line| Some(line.split_once(" =")?.0.replace('-', "_"))).collect();
    assert_eq!(dependencies, places.keys().map(|name| (*name).to_owned()).collect(), "dependencies and their places");
    let sources = Source::below("src");
    for (name, place) in places {
        let prefix = format!("{name}::");
        let users: Vec<&str> = sources
            .iter()
            .filter(|source| !source.names_behind(&prefix).is_empty())
            .map(|source| source.path.as_str())
            .collect();
        assert!(!users.is_empty(), "`{name}` is used nowhere");
        let is_place = |user: &&str| place.split(' ').any(|place| user.starts_with(place));
        assert!(users.iter().all(is_place), "`{name}` is used in {users:?}");
    }
}

#[test]
fn each_limit_is_kept_somewhere() {
    let sources = Source::below("src");
    let is_list = |source: &&Source| source.module() == "bounds";
    let list = sources.iter().find(is_list).expect("the limits are there");
    let names = list.code().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    for name in names {
        let mut others = sources.iter().filter(|source| !is_list(source)).flat_map(Source::code);
        assert!(others.any(|line| line.contains(name)), "no code keeps the limit {name}");
    }
}

/// What git may search for, run and write is decided in one place.
#[test]
fn programs_are_started_in_one_place() {
    let starts = |source: &&Source| source.code().any(|line| line.contains("Command::new("));
    let sources = Source::below("src");
    let places: Vec<&str> = sources.iter().filter(starts).map(|source| source.path.as_str()).collect();
    assert_eq!(places, ["src/workspace/git.rs"]);
    let users = sources.iter().filter(|source| source.names_behind("std::").contains("process"));
    let users: Vec<&str> =
        users.map(|source| source.path.as_str()).filter(|path| !path.starts_with("src/workspace/git")).collect();
    assert_eq!(users, ["src/cli/outcome.rs", "src/cli.rs", "src/main.rs"], "for exit codes");
}

#[test]
fn every_dependency_says_what_for() {
    let manifest = fs::read_to_string(project().join("Cargo.toml")).expect("Cargo.toml is there");
    let lines: Vec<&str> = manifest.split("[dependencies]").nth(1).unwrap_or_default().lines().collect();
    let lines: Vec<&str> = lines.into_iter().take_while(|line| !line.starts_with("[[")).collect();
    let is_dependency = |line: &str| line.contains(" = ");
    assert!(lines.iter().filter(|line| is_dependency(line)).count() > 10);
    for pair in lines.windows(2).filter(|pair| is_dependency(pair[1])) {
        assert!(pair[0].starts_with("# "), "no comment above `{}`", pair[1]);
    }
}

/// The text of the `//!` lines of a file.
fn docs(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_table_of_rules_is_their_files() {
    let mut files = BTreeMap::new();
    for source in Source::below("src/rules").into_iter().filter(|source| is_rule_file(&source.path)) {
        let mut parts = source.path.trim_end_matches(".rs").rsplit('/');
        let name = parts.next().unwrap_or_default().replace('_', "-");
        let folder = parts.next().unwrap_or_default().to_owned();
        files.insert(name, (folder, source.text));
    }
    for rule in ALL {
        let (folder, text) = files.remove(rule.name).unwrap_or_else(|| panic!("`{}` has no file", rule.name));
        assert_eq!(rule.category.name(), folder, "the category of `{}`", rule.name);
        assert_eq!(rule.docs, docs(&text), "the docs of `{}`", rule.name);
    }
    let lacking = files.into_iter().map(|(name, (folder, _))| format!("{folder}::{}::RULE", name.replace('-', "_")));
    let lacking: Vec<String> = lacking.collect();
    assert_eq!(
        lacking, [""; 0],
        "lines that `ALL` in src/rules.rs lacks, each with a `pub(crate) mod` in src/rules/<category>.rs"
    );
    assert!(Category::ALL.is_sorted());
}

/// A fence of CONTRIBUTING.md that names a file shows a part of it, whole lines.
#[test]
fn the_worked_example_is_a_real_rule() {
    let guide = fs::read_to_string(project().join("CONTRIBUTING.md")).expect("it is there");
    let mut lines = guide.split_inclusive('\n');
    let mut shown = BTreeSet::new();
    while let Some(line) = lines.next() {
        let info = line.trim_start_matches('`');
        let fence = &line[..line.len() - info.len()];
        let Some((_, path)) = info.trim_end().split_once(' ') else { continue };
        if fence.len() < 3 {
            continue;
        }
        let excerpt: String = lines.by_ref().take_while(|line| line.trim_end() != fence).collect();
        let text = fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_part = format!("\n{text}").contains(&format!("\n{excerpt}"));
        assert!(
            !excerpt.is_empty() && is_part,
            "{path} does not have these lines, which CONTRIBUTING.md shows:\n{excerpt}"
        );
        shown.insert(path.to_owned());
    }
    let wanted = ["fixtures/rules/missing-successor.md", "src/rules.rs", "src/rules/metadata.rs"];
    let rule = fs::read_to_string(project().join("src/rules/metadata/missing_successor.rs")).expect("it is there");
    assert!(guide.contains(&rule) && wanted.iter().all(|path| shown.contains(*path)), "{shown:?}");
}

#[test]
fn a_rule_lists_the_roles_that_its_code_names() {
    /// The roles that `code` names, except where it leaves their sections out.
    fn named(code: &str) -> BTreeSet<&str> {
        let code = code.split("SectionRole::").collect::<Vec<_>>();
        let pairs = code.windows(2).filter(|pair| !pair[0].ends_with("!= Some("));
        let words =
            pairs.map(|pair| pair[1].split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default());
        words.filter(|word| !word.is_empty()).collect()
    }
    let context = fs::read_to_string(project().join("src/rules/context.rs")).expect("it is there");
    let queries: Vec<(String, BTreeSet<&str>)> = context
        .split("pub fn ")
        .filter_map(|function| Some((format!(".{}(", function.split_once('(')?.0), named(function))))
        .filter(|(_, roles)| !roles.is_empty())
        .collect();
    assert_eq!(queries.len(), 1, "{queries:?}");
    for rule in ALL {
        let file = format!("src/rules/{}/{}.rs", rule.category.name(), rule.name.replace('-', "_"));
        let text = fs::read_to_string(project().join(file)).expect("it is there");
        let code = text.split_once("\nfn ").map_or("", |(_, code)| code);
        let asked = queries.iter().filter(|(query, _)| code.contains(query)).flat_map(|(_, roles)| roles).copied();
        let wanted: BTreeSet<String> = named(code).into_iter().chain(asked).map(str::to_owned).collect();
        let listed: BTreeSet<String> = rule.roles.iter().map(|role| format!("{role:?}")).collect();
        assert_eq!(listed, wanted, "the roles of `{}`", rule.name);
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let sources = ["src", "tests", "benches"].into_iter().flat_map(Source::below);
    for source in sources {
        let lines = source.text.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", source.path);
        assert!(source.text.starts_with("//! "), "{} does not say what it is", source.path);
    }
}

#[test]
fn nothing_is_left_undone() {
    let left = [".unwrap()", "todo!", "dbg!", "unimplemented!", "#[allow(", "#![allow("];
    for source in Source::below("src") {
        for line in source.text.lines() {
            assert!(!left.iter().any(|word| line.contains(word)), "{}: {line}", source.path);
        }
        // A thing has one name, but for those that the file of nearly every rule uses.
        let is_second = |line: &str| line.starts_with("pub") && line.contains(" use ");
        let has_second = source.code().any(is_second);
        let is_prelude = ["src/rules/docs.rs", "src/rules/prelude.rs"].contains(&source.path.as_str());
        assert_eq!(has_second, is_prelude, "{} has a `pub use`", source.path);
    }
    for source in Source::below("tests") {
        assert!(!source.text.contains(concat!("#[", "ignore")), "{} leaves a test out", source.path);
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE", "Cargo.lock"] {
        let file = fs::read_to_string(project().join(name)).unwrap_or_default();
        assert!(!file.trim().is_empty(), "{name} is not there");
    }
}

/// An editor may remove them, and the change would not be visible.
#[test]
fn fixtures_have_no_spaces_at_the_end_of_a_line() {
    let is_markdown = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let files = files_below(&project().join("fixtures/rules"), &is_markdown);
    assert!(files.len() >= ALL.len(), "only {} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("fixtures are UTF-8");
        let line = text.lines().position(|line| line.ends_with([' ', '\t', '\r']));
        assert_eq!(line.map(|at| at + 1), None, "{}: write the end of the line as an escape", file.display());
    }
}

/// Real data may be missing, which only the cases can show.
#[test]
fn only_cases_use_what_may_be_missing() {
    for source in ["tests/it", "tests/program"].into_iter().flat_map(Source::below) {
        let names = [concat!("real", "_data"), concat!("KEP_LINT", "_SHARED")];
        assert!(!names.iter().any(|name| source.text.contains(name)), "{} uses real data", source.path);
    }
}

/// What the library answers is tested in seconds.
#[test]
fn tests_of_the_library_start_no_program() {
    let starts = ["Command::new", "PROGRAM", "scratch::", "kep_lint(", "kep_lint_", "CARGO_BIN_EXE"];
    for source in Source::below("tests/it").iter().filter(|source| source.path != "tests/it/tidy.rs") {
        let start = starts.iter().find(|start| source.text.contains(**start));
        assert_eq!(start, None, "{} belongs to tests/program", source.path);
    }
}

#[test]
fn the_built_in_template_is_whole() {
    let template = Template::built_in();
    let sections = &template.document.sections;
    assert!(sections.len() > 50, "only {} sections", sections.len());
    let is_new = |section: &SectionId| template.directive(*section).is_none();
    let new = sections.iter().filter(|(id, _)| is_new(id)).map(|(_, section)| section.title.text.as_str());
    assert_eq!(
        new.collect::<Vec<_>>(),
        [""; 0],
        "say whether it is required, from which stage, and write its guidance"
    );
    assert_eq!(template.problems, []);
    let path = project().join("templates/history/form-lines.txt");
    let recorded = Lines::from_list(&fs::read_to_string(path).expect("the list is there"));
    let mut seen = 0;
    for (_, section) in sections.iter().filter(|(id, _)| Some(*id) != sections.title()) {
        for line in template.document.visible_lines(section.own.clone()) {
            if let Some(hash) = hash(&line) {
                assert!(recorded.contains(hash), "no form line of any template: `{line}`");
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "only {seen} form lines");
}

/// One command writes again all that tests compare with: a test that knows how to write is one that it runs.
#[test]
fn one_command_refreshes_all_that_is_generated() {
    let script = fs::read_to_string(project().join(".ci/refresh")).expect("the script is there");
    let writers: Vec<Source> = Source::below("tests")
        .into_iter()
        .filter(|source| !source.path.starts_with("tests/support/") && source.path != "tests/it/tidy.rs")
        .filter(|source| {
            ["is_refresh", "assert_generated", "action_env", "trycmd::"].iter().any(|mark| source.text.contains(mark))
        })
        .collect();
    assert!(writers.len() > 5);
    for Source { path, .. } in writers {
        let (program, file) = path.trim_start_matches("tests/").split_once('/').expect("a test program");
        let module = if file == "cli.rs" { "transcripts" } else { file.trim_end_matches(".rs") };
        let command = script.lines().find(|line| line.contains(&format!("--test {program}")) && !line.contains('$'));
        let filters = command.and_then(|line| line.split_once(" -- ")).map(|(_, filters)| filters.split(' '));
        let is_run = filters.is_none_or(|mut filters| filters.any(|filter| filter == module));
        assert!(command.is_some() && is_run, ".ci/refresh does not run {path}");
    }
}
