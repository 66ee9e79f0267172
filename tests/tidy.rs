//! The rules that the code and the data of this project keep, as tests over their text.

mod shared;
#[path = "shared/tree.rs"]
mod tree;

use kep_lint::diagnostic::{Diagnostic, Severity};
use kep_lint::kep::fingerprint::{Lines, hash};
use kep_lint::kep::{SourceFile, Texts};
use kep_lint::lint::{Options, lint, lint_template, lint_tree};
use kep_lint::rules::{ALL, Category};
use kep_lint::template::Template;
use kep_lint::tree::Tree;
use shared::{files_below, project, real_data};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A source file, its path with `/` and from the project's root on.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn below(folder: &str) -> Vec<Self> {
        let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
        let read = |path: &Path| Self {
            path: relative(path),
            text: fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        };
        files_below(&project().join(folder), &is_rust).iter().map(|path| read(path)).collect()
    }

    /// The lines that are no comments, without those of the tests at the end.
    fn code(&self) -> impl Iterator<Item = &str> {
        let tests = self.text.find("#[cfg(test)]\nmod tests").unwrap_or(self.text.len());
        self.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"))
    }

    /// The top-level module that it belongs to: `kep` of `src/kep/yaml.rs`.
    fn module(&self) -> &str {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inner.split(['/', '.']).next().unwrap_or_default()
    }

    /// The names that follow `prefix` in its code, those in braces too: `fs` of `std::{io, fs::File}`.
    fn names_behind(&self, prefix: &str) -> BTreeSet<String> {
        let code = self.code().collect::<Vec<_>>().join("\n");
        let mut names = BTreeSet::new();
        for (at, _) in code.match_indices(prefix) {
            let is_whole = !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            let rest = &code[at + prefix.len()..];
            let list = rest.strip_prefix('{').map_or(rest.split(['\n', '}']).next(), |list| list.split('}').next());
            let is_list = rest.starts_with('{');
            let parts = list.unwrap_or_default().split(',').take(if is_list { usize::MAX } else { 1 });
            let words =
                parts.map(|part| part.trim().split(|letter: char| !(letter.is_alphanumeric() || letter == '_')));
            names.extend(words.filter(|_| is_whole).filter_map(|mut words| words.next().map(str::to_owned)));
        }
        names.remove("");
        names
    }
}

#[test]
fn names_are_seen_however_they_are_imported() {
    let text = "//! crate::no\nuse crate::{a::B, c::{self}};\nfn f() { crate::d::e(); xcrate::no(); }\n// crate::no\n";
    let text = format!("{text}use crate::g;\n#[cfg(test)]\nmod tests {{ use crate::no; }}\n");
    let source = Source { path: "src/kep/yaml.rs".to_owned(), text };
    assert_eq!(source.module(), "kep");
    assert_eq!(source.names_behind("crate::"), BTreeSet::from(["a", "c", "d", "g"].map(str::to_owned)));
}

/// A path of the project with `/`, from its root on.
fn relative(path: &Path) -> String {
    let path = path.strip_prefix(project()).expect("it lies in the project");
    path.to_string_lossy().replace('\\', "/")
}

/// The modules of the library in reading order.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(project().join("src/lib.rs")).expect("src/lib.rs is there");
    let name = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    lib.lines().filter_map(name).collect()
}

#[test]
fn a_module_uses_those_above_it() {
    let modules = modules();
    assert_eq!(modules.first().map(String::as_str), Some("span"));
    assert_eq!(modules.last().map(String::as_str), Some("cli"));
    let place = |name: &str| modules.iter().position(|module| module == name);
    for source in Source::below("src").iter().filter(|source| !matches!(source.module(), "lib" | "main")) {
        let own = place(source.module()).unwrap_or_else(|| panic!("{} is in no module of lib.rs", source.path));
        for name in source.names_behind("crate::") {
            let used =
                place(&name).unwrap_or_else(|| panic!("{} names `crate::{name}`, which lib.rs does not", source.path));
            assert!(used <= own, "{} uses `{name}`, which stands below it in lib.rs", source.path);
        }
    }
}

#[test]
fn the_foundation_uses_next_to_nothing() {
    let allowed =
        [("span", vec![]), ("diagnostic", vec!["span"]), ("stage", vec![]), ("suggest", vec![]), ("main", vec![])];
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
    for source in Source::below("src/rules").iter().filter(|source| is_rule_file(&source.path)) {
        let names = source.names_behind("crate::rules::");
        let is_type = |name: &String| name.starts_with(char::is_uppercase);
        assert!(names.iter().all(is_type), "{} uses {names:?} of the rules", source.path);
        assert!(source.names_behind("super::").is_empty(), "{} looks at its siblings", source.path);
    }
}

/// `src/rules/<category>/<rule>.rs`
fn is_rule_file(path: &str) -> bool {
    path.split('/').count() == 4 && !path.ends_with("/mod.rs")
}

#[test]
fn only_the_command_line_meets_the_world() {
    let world = ["fs", "env", "process", "time", "net", "io", "thread"];
    for source in Source::below("src").iter().filter(|source| !matches!(source.module(), "cli" | "main")) {
        let named = source.names_behind("std::");
        assert!(named.iter().all(|name| !world.contains(&name.as_str())), "{} names std::{named:?}", source.path);
        for line in source.code() {
            let prints = ["println!", "print!", "eprint!", "eprintln!"].iter().any(|word| line.contains(word));
            assert!(!prints, "{} prints: {line}", source.path);
        }
    }
}

#[test]
fn a_third_party_crate_is_named_in_one_place() {
    let places = BTreeMap::from([
        ("clap", "src/cli"),
        ("granit_parser", "src/kep/yaml/reader.rs"),
        ("miette", "src/report/pretty.rs"),
        ("pulldown_cmark", "src/kep/markdown.rs"),
        ("rayon", "src/cli"),
        ("regex", "src/rules/text/broken_link_syntax.rs"),
        ("semver", "src/kep/milestone.rs"),
        ("serde", "src/report/json.rs src/tree"),
        ("serde_json", "src/report"),
        ("serde_yaml", "src/tree/plain_yaml.rs"),
        ("similar", "src/cli/diff.rs"),
        ("strsim", "src/suggest.rs"),
        ("tempfile", "src/cli/write.rs"),
        ("terminal_size", "src/cli/output.rs"),
        ("walkdir", "src/cli/walk.rs"),
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
        assert!(rule.source == text, "the source of `{}` is another file's", rule.name);
    }
    assert!(files.is_empty(), "not in the table: {:?}", files.keys());
    assert!(Category::ALL.is_sorted());
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
    }
    for source in Source::below("tests") {
        assert!(!source.text.contains(concat!("#[", "ignore")), "{} leaves a test out", source.path);
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE", "Cargo.lock"] {
        let file = fs::read_to_string(project().join(name)).unwrap_or_default();
        assert!(!file.trim().is_empty(), "{name} is not there");
    }
}

/// What stands on the desk of whoever writes this is nobody else's concern.
#[test]
fn nothing_names_where_it_was_made() {
    let root = project();
    let is_ours = |path: &Path| {
        let top = path.strip_prefix(root).ok().and_then(|path| path.components().next());
        let is_other = |name: &str| top.is_some_and(|top| top.as_os_str() == name);
        let is_fuzzing =
            ["target", "corpus", "artifacts"].iter().any(|name| path.starts_with(root.join("fuzz").join(name)));
        !is_fuzzing && ![".git", "target", "Cargo.lock", "LICENSE"].into_iter().any(is_other)
    };
    let words = [concat!("/wo", "rk/"), concat!("/tmp/", "bash"), concat!("ses", "sion"), concat!("work", "place")];
    let files = files_below(root, &is_ours);
    assert!(files.len() > 100, "{}", files.len());
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("files can be read")).to_lowercase();
        let found = words.iter().find(|word| text.contains(**word));
        assert_eq!(found, None, "in {}", relative(&file));
    }
}

#[test]
fn the_built_in_template_is_whole() {
    let template = Template::built_in();
    let sections = &template.document.sections;
    assert_eq!(sections.len(), 57);
    assert_eq!(sections.iter().filter(|(id, _)| template.directive(*id).is_some()).count(), 57);
    assert_eq!(template.problems, []);
    let path = project().join("templates/history/form-lines.txt");
    let recorded = Lines::from_list(&fs::read_to_string(path).expect("the list is there"));
    let mut seen = 0;
    for (_, section) in sections.iter().filter(|(id, _)| Some(*id) != sections.title()) {
        for line in template.document.visible_lines(&template.file.text, section.own.clone()) {
            if let Some(hash) = hash(&line) {
                assert!(recorded.contains(hash), "no form line of any template: `{line}`");
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "only {seen} form lines");
}

/// The findings of every fixture, and of every real KEP where there are some.
fn findings() -> Vec<Diagnostic> {
    let template = Template::built_in();
    let mut keps: BTreeMap<String, Texts> = BTreeMap::new();
    let mut found = Vec::new();
    let is_read = |path: &Path| {
        path.file_name().is_some_and(|name| ["README.md", "kep.yaml", "input.md"].iter().any(|wanted| name == *wanted))
    };
    let roots = [Some(project().join("fixtures")), real_data("corpus"), real_data("seeds")];
    for file in roots.iter().flatten().flat_map(|root| files_below(root, &is_read)) {
        let source = SourceFile::decode("file", fs::read(&file).expect("files can be read"));
        let folder = file.parent().expect("a file lies in a folder");
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let texts = keps.entry(folder.to_string_lossy().into_owned()).or_insert_with(|| Texts {
            name,
            in_tree: true,
            ..Texts::default()
        });
        if file.ends_with("input.md") {
            found.extend(lint_template(&Template::parse(source), Severity::Error, &Options::default()).diagnostics);
        } else if file.ends_with("kep.yaml") {
            texts.metadata = Some(texts.push(source));
            texts.has_metadata = true;
        } else {
            texts.readme = Some(texts.push(source));
            texts.has_readme = true;
        }
    }
    let files = files_below(&project().join("fixtures/rules"), &|_| true);
    let tree_of =
        |file: &PathBuf| Some(file.ancestors().find(|around| around.ends_with("input/keps"))?.parent()?.to_owned());
    let trees: BTreeSet<PathBuf> = files.iter().filter_map(tree_of).collect();
    for root in trees {
        let (tree, texts) = tree::read(&root).expect("files can be read");
        found.extend(lint_tree(&tree, &Options::default()).into_iter().flat_map(|report| report.diagnostics));
        let lint = |texts| lint(texts, &template, &tree, &Options::default()).diagnostics;
        found.extend(texts.into_iter().flat_map(lint));
    }
    for texts in keps.into_values().filter(|texts| !texts.files.is_empty()) {
        found.extend(lint(texts, &template, &Tree::default(), &Options::default()).diagnostics);
    }
    found
}

#[test]
fn messages_are_worded_alike() {
    let found = findings();
    assert!(found.len() > 200, "only {} findings", found.len());
    let mut odd = BTreeSet::new();
    for diagnostic in &found {
        let related = diagnostic.related.iter().map(|related| &related.message);
        let clauses = related.chain([&diagnostic.message]).filter(|message| !is_clause(message));
        let remedies = diagnostic.help.iter().chain(diagnostic.fix.as_ref().map(|fix| &fix.title));
        let remedies = remedies.filter(|remedy| {
            // Below the first line may stand what to write.
            let first = remedy.lines().next().unwrap_or_default();
            !is_clause(first) || !begins_with_verb(first)
        });
        odd.extend(clauses.chain(remedies).map(|message| format!("{}: {message}", diagnostic.rule)));
    }
    assert!(odd.is_empty(), "worded otherwise than the others: {odd:#?}");
    let speaks = |name: &str| found.iter().any(|diagnostic| diagnostic.rule == name);
    let loud = ALL.iter().filter(|rule| !rule.is_off_by_default()).map(|rule| rule.name);
    let silent: Vec<&str> = loud.filter(|name| !speaks(name)).collect();
    assert!(silent.is_empty(), "no fixture makes them speak: {silent:?}");
}

/// One line, lower case at its beginning unless it is a name, without a full stop at its end.
fn is_clause(message: &str) -> bool {
    let begins_low = message.starts_with(|first: char| first.is_lowercase() || first.is_ascii_digit() || first == '`');
    (begins_low || message.starts_with("KEP")) && !message.ends_with(['.', ' ', '\n']) && !message.contains('\n')
}

/// Whether the first word can be a verb; a question for what was meant is a remedy too.
fn begins_with_verb(remedy: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "a", "an", "the", "it", "its", "this", "that", "these", "there", "you", "your", "please", "is", "are", "no",
        "see",
    ];
    let mut words = remedy.split(' ');
    let first = words.next().unwrap_or_default();
    let is_plain = first.chars().all(|letter| letter.is_ascii_lowercase());
    // A noun before "is" or "are" is a statement.
    let is_statement = matches!(words.next(), Some("is" | "are" | "has" | "have" | "must" | "should"));
    remedy.starts_with("did you mean ") || (is_plain && !is_statement && !OTHERS.contains(&first))
}
