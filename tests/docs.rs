//! The documentation is true: each rule's Bad example makes it speak, each Good one keeps it quiet, and README.md's
//! table is the rules' own. `SNAPSHOTS=overwrite` writes the table anew.

use kep_lint::diagnostic::Diagnostic;
use kep_lint::kep::Texts;
use kep_lint::lint::{Options, lint};
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Rule;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use std::fs;
use std::path::Path;

const DIRECTORY: &str = "1-prefetch";

/// The KEP that the blocks under one heading make up.
#[derive(Default)]
struct Example {
    readme: Option<Vec<u8>>,
    metadata: Option<String>,
    /// PRR files and OWNERS, by path.
    others: Vec<(String, String)>,
    stage: Option<Stage>,
}

#[test]
fn bad_examples_make_their_rule_speak() {
    let failed = ALL.iter().filter(|rule| findings(rule, "Bad").is_empty());
    let names: Vec<&str> = failed.map(|rule| rule.name).collect();
    assert!(names.is_empty(), "nothing is said of the Bad example of {names:?}");
}

#[test]
fn good_examples_keep_their_rule_quiet() {
    let failed: Vec<Diagnostic> = ALL.iter().flat_map(|rule| findings(rule, "Good")).collect();
    assert!(failed.is_empty(), "something is said of a Good example: {failed:#?}");
}

#[test]
fn every_example_block_is_read() {
    for rule in ALL {
        for heading in ["Bad", "Good"] {
            let Example { readme, metadata, .. } = example(rule, heading);
            assert!(readme.is_some() || metadata.is_some(), "{}: `## {heading}` has no block", rule.name);
        }
    }
}

#[test]
fn the_readme_has_the_table_of_rules() {
    const OPENING: &str = "<!-- rules -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).expect("README.md is there");
    let (before, rest) = readme.split_once(OPENING).expect("README.md has a line `<!-- rules -->`");
    let (table, after) = rest.split_once("<!-- /rules -->").expect("README.md has a line `<!-- /rules -->`");
    let wanted = kep_lint::report::rules::table().markdown();
    if table != wanted && std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        fs::write(&path, format!("{before}{OPENING}{wanted}<!-- /rules -->{after}")).expect("README.md is written");
        return;
    }
    assert_eq!(table, wanted, "README.md's table is not the rules': run with SNAPSHOTS=overwrite");
}

/// What `rule` says of its example. Examples are short and lack most sections that a KEP owes, so a finding about a
/// section counts only if the last title of its path is written in one of the two examples.
fn findings(rule: &Rule, heading: &str) -> Vec<Diagnostic> {
    let Example { readme, metadata, others, stage } = example(rule, heading);
    let mut texts = Texts {
        directory: DIRECTORY.to_owned(),
        name: DIRECTORY.to_owned(),
        in_tree: true,
        tree_path: Some(format!("keps/sig-node/{DIRECTORY}")),
        ..Texts::default()
    };
    (texts.has_readme, texts.has_metadata) = (readme.is_some(), metadata.is_some());
    texts.readme = readme.map(|bytes| texts.push(SourceFile::decode(format!("{DIRECTORY}/README.md"), bytes)));
    texts.metadata = metadata.map(|text| texts.push(SourceFile::decode(format!("{DIRECTORY}/kep.yaml"), text.into())));
    let mut tree = tree();
    for (path, text) in others {
        let file = SourceFile::decode(path.as_str(), text.into());
        match path.strip_prefix("prod-readiness/").and_then(|path| path.strip_suffix(".yaml")?.split_once('/')) {
            Some((sig, number)) => tree.add_review(sig.to_owned(), number.to_owned(), file),
            None => texts.owners = Some(texts.push(file)),
        }
    }
    let selection = Selection::new(&[rule.name.to_owned()], &[]).expect("a rule's own name is known");
    let report = lint(texts, &Template::built_in(), &tree, &Options { stage, selection, ..Options::default() });
    let written = ["Bad", "Good"].map(|heading| part(&rule.docs(), heading)).concat();
    let is_about = |finding: &Diagnostic| {
        let title = finding.section.as_ref().and_then(|path| path.last());
        title.is_none_or(|title| written.contains(title.as_str()))
    };
    report.diagnostics.into_iter().filter(is_about).collect()
}

/// A tree that holds the example's KEP and nothing else.
fn tree() -> Repository {
    let kep = format!("keps/sig-node/{DIRECTORY}");
    let paths = ["", "/README.md", "/kep.yaml"].map(|file| format!("{kep}{file}"));
    let numbers = [("1".to_owned(), ["sig-node".to_owned()].into())];
    Repository {
        reviews: Some([].into()),
        numbers: Some(numbers.into()),
        paths: Some(paths.into()),
        ..Repository::default()
    }
}

fn example(rule: &Rule, heading: &str) -> Example {
    let docs = rule.docs();
    let part = part(&docs, heading);
    let mut example = Example::default();
    let mut lines = part.lines();
    while let Some(line) = lines.next() {
        let info = line.trim_start_matches('`');
        let fence = &line[..line.len() - info.len()];
        if fence.len() < 3 {
            continue;
        }
        let block: String = lines.by_ref().take_while(|line| *line != fence).map(|line| format!("{line}\n")).collect();
        match info.split_once(' ').unwrap_or((info, "")) {
            ("yaml", "") => example.metadata = Some(block),
            ("yaml", path) => example.others.push((path.to_owned(), block)),
            ("markdown", "bytes") => example.readme = Some(unescape(&block)),
            ("markdown", "") => example.readme = Some(block.into_bytes()),
            ("markdown", stage) => {
                example.stage = Stage::from_name(stage);
                assert!(example.stage.is_some(), "{}: `{stage}` is no stage", rule.name);
                example.readme = Some(block.into_bytes());
            }
            _ => panic!("{}: `{info}` is no kind of example", rule.name),
        }
    }
    example
}

/// The text below `## heading`.
fn part(docs: &str, heading: &str) -> String {
    let heading = format!("## {heading}");
    let mut fence = String::new();
    let mut is_inside = false;
    let mut part = String::new();
    for line in docs.lines() {
        if fence.is_empty() && line.starts_with("## ") {
            is_inside = line == heading;
        } else if is_inside {
            part += line;
            part += "\n";
        }
        let ticks = line.len() - line.trim_start_matches('`').len();
        if fence.is_empty() && ticks >= 3 {
            line[..ticks].clone_into(&mut fence);
        } else if line == fence {
            fence.clear();
        }
    }
    part
}

/// The bytes of `text`, in which `\xE9` stands for one that is not UTF-8.
fn unescape(text: &str) -> Vec<u8> {
    let mut pieces = text.split("\\x");
    let mut bytes: Vec<u8> = pieces.next().unwrap_or_default().bytes().collect();
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(2).expect("two digits follow `\\x`");
        bytes.push(u8::from_str_radix(digits, 16).expect("the digits are hexadecimal"));
        bytes.extend(rest.bytes());
    }
    bytes
}
