//! Every KEP of the real corpus: what is found is as recorded, where it says, and the same on any number of threads.

mod shared;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use kep_lint::markdown::Document;
use kep_lint::markdown::title::Title;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use kep_lint::source::SourceFile;
use kep_lint::span::FileId;
use serde_json::Value;
use shared::{files_below, is_readme, items, kep_lint, kep_lint_json, project, real_data, text};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::env;
use std::fmt::Write;
use std::fs;

/// How many findings there are of a rule and a severity.
type Counts = BTreeMap<(String, String), usize>;

const GOLDEN: &str = "tests/goldens/corpus.txt";

#[test]
fn the_counts_are_those_of_the_golden() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = kep_lint_json(&corpus, &["keps"]);
    let mut now = Counts::new();
    for finding in items(&run["diagnostics"]) {
        *now.entry((text(&finding["rule"]).to_owned(), text(&finding["severity"]).to_owned())).or_default() += 1;
    }
    let golden = project().join(GOLDEN);
    if env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(golden, table(&now)).expect("the golden can be written");
        return;
    }
    let recorded = counts(&fs::read_to_string(golden).unwrap_or_default());
    let changes = changes(&recorded, &now);
    assert!(changes.is_empty(), "{GOLDEN} (refresh with SNAPSHOTS=overwrite):\n{}", changes.join("\n"));
}

/// `missing-section error 34 → 33`
fn changes(before: &Counts, now: &Counts) -> Vec<String> {
    let keys: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let count = |counts: &Counts, key: &(String, String)| counts.get(key).copied().unwrap_or_default();
    let change = |key: &(String, String)| {
        let (before, now) = (count(before, key), count(now, key));
        (before != now).then(|| format!("{} {} {before} → {now}", key.0, key.1))
    };
    keys.into_iter().filter_map(change).collect()
}

fn table(counts: &Counts) -> String {
    counts.iter().fold(String::new(), |mut table, ((rule, severity), count)| {
        writeln!(table, "{rule} {severity} {count}").expect("a string takes all");
        table
    })
}

fn counts(table: &str) -> Counts {
    let count = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let key = (words.next()?, words.next()?);
        Some((key, words.next()?.parse().ok()?))
    };
    table.lines().map(|line| count(line).unwrap_or_else(|| panic!("{GOLDEN}: `{line}`"))).collect()
}

#[test]
fn a_change_of_counts_reads_as_one() {
    let before = counts("a error 34\nb advice 2\nc warning 1\n");
    let now = counts("a error 33\nb advice 2\nd error 5\n");
    assert_eq!(changes(&before, &now), ["a error 34 → 33", "c warning 1 → 0", "d error 0 → 5"]);
    assert_eq!(counts(&table(&now)), now);
}

#[test]
fn threads_change_nothing() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = |jobs| kep_lint(&corpus, ["keps", "--format", "json", "--jobs", jobs]);
    let (one, four) = (run("1"), run("4"));
    assert!(one.status == 1 && four.status == 1, "{}{}", one.stderr, four.stderr);
    assert!(one.stdout == four.stdout, "`--jobs 1` and `--jobs 4` print different things");
    assert_eq!(one.stderr, four.stderr);
}

#[test]
fn findings_are_in_order() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = kep_lint_json(&corpus, &["keps"]);
    let key = |finding: &Value| {
        let offset = |end: &str| finding[end]["offset"].as_u64();
        (text(&finding["path"]).to_owned(), offset("start"), offset("end"), text(&finding["rule"]).to_owned())
    };
    let keys: Vec<_> = items(&run["diagnostics"]).iter().map(key).collect();
    assert!(keys.len() > 500, "only {} findings", keys.len());
    for pair in keys.windows(2) {
        assert!(pair[0] <= pair[1], "{:?} comes before {:?}", pair[0], pair[1]);
    }
}

#[test]
fn every_place_is_a_part_of_its_file() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = kep_lint_json(&corpus, &["keps"]);
    let mut files: HashMap<String, SourceFile> = HashMap::new();
    let mut seen = 0;
    for finding in items(&run["diagnostics"]) {
        let edits = finding["fix"]["edits"].as_array().into_iter().flatten();
        for place in std::iter::once(finding).chain(items(&finding["related"])).chain(edits) {
            let path = text(&place["path"]);
            let file = files.entry(path.to_owned()).or_insert_with(|| {
                let bytes = fs::read(corpus.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
                SourceFile::decode(path, bytes)
            });
            let number = |end: &str, what: &str| {
                let number = place[end][what].as_u64().and_then(|number| usize::try_from(number).ok());
                number.expect("places are numbers")
            };
            let (start, end) = (number("start", "offset"), number("end", "offset"));
            assert!(file.text.get(start..end).is_some(), "{start}..{end} is no part of its file: {finding}");
            for (name, offset) in [("start", start), ("end", end)] {
                let position = file.position(offset);
                let said = (number(name, "line"), number(name, "column"));
                assert_eq!((position.line, position.column), said, "{finding}");
            }
            seen += 1;
        }
    }
    assert!(seen > 700, "only {seen} places");
}

#[test]
fn errors_are_where_someone_is_at_work() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = kep_lint_json(&corpus, &["keps"]);
    let phases: HashMap<&str, &str> =
        items(&run["targets"]).iter().map(|target| (text(&target["kep"]), text(&target["phase"]))).collect();
    let is_section_error = |finding: &&Value| {
        let rule = ALL.iter().find(|rule| rule.name == text(&finding["rule"])).expect("findings name a rule");
        finding["severity"] == "error" && rule.category == Category::Sections
    };
    let mut active = 0;
    for finding in items(&run["diagnostics"]).iter().filter(is_section_error) {
        match phases[text(&finding["kep"])] {
            "active" => active += 1,
            "provisional" => {}
            phase => {
                let rule = text(&finding["rule"]);
                assert!(matches!(rule, "swallowed-heading" | "bad-title"), "an error at a {phase} KEP: {finding}");
            }
        }
    }
    assert!((85..=130).contains(&active), "{active} errors about sections of active KEPs");
}

#[test]
fn what_upstream_accepts_is_read_without_complaint() {
    let Some(corpus) = real_data("corpus") else { return };
    let run = kep_lint_json(&corpus, &["keps"]);
    assert_eq!(run["keps"], 655);
    for rule in ["invalid-yaml", "not-utf8", "missing-kep-yaml", "malformed-directive"] {
        let found = items(&run["diagnostics"]).iter().find(|finding| finding["rule"] == rule);
        assert!(found.is_none(), "{found:?}");
    }
}

/// comrak is a second reader of CommonMark; what the two agree on is most likely what GitHub shows.
#[test]
fn headings_are_those_of_commonmark() {
    let Some(corpus) = real_data("corpus") else { return };
    let readmes = files_below(&corpus.join("keps"), &is_readme);
    assert!(readmes.len() > 600, "only {} READMEs", readmes.len());
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.tasklist = true;
    options.extension.strikethrough = true;
    options.extension.footnotes = true;
    for readme in readmes {
        let source = SourceFile::decode("README.md", fs::read(&readme).expect("the corpus can be read"));
        let document = Document::parse(FileId(0), &source.text, &source.lines);
        let ours: Vec<(u8, &str)> =
            document.sections.iter().map(|(_, section)| (section.level, section.title.text.as_str())).collect();
        let arena = Arena::new();
        let theirs = headings(parse_document(&arena, &source.text, &options));
        let theirs: Vec<(u8, &str)> = theirs.iter().map(|(level, title)| (*level, title.text.as_str())).collect();
        assert_eq!(ours, theirs, "{}", readme.display());
    }
}

/// The headings outside block quotes, which are someone else's words.
fn headings<'a>(root: &'a AstNode<'a>) -> Vec<(u8, Title)> {
    let mut headings = Vec::new();
    for node in root.descendants() {
        let NodeValue::Heading(heading) = node.data.borrow().value else { continue };
        let is_quoted = |around: &AstNode<'_>| matches!(around.data.borrow().value, NodeValue::BlockQuote);
        if !node.ancestors().any(is_quoted) {
            let words: String = node.descendants().map(|inline| words(&inline.data.borrow().value)).collect();
            // A box before a heading, in a list item that is one, is text to comrak alone.
            headings.push((heading.level, Title::new(words.strip_prefix("[x] ").unwrap_or(&words))));
        }
    }
    headings
}

fn words(inline: &NodeValue) -> String {
    match inline {
        NodeValue::Text(text) => text.clone().into_owned(),
        NodeValue::Code(code) => code.literal.clone(),
        NodeValue::SoftBreak | NodeValue::LineBreak => " ".to_owned(),
        _ => String::new(),
    }
}

#[test]
fn the_lists_of_template_lines_hold_those_of_the_newest_template() {
    let Some(corpus) = real_data("corpus") else { return };
    let history = project().join("templates/history");
    for (kind, list) in [("comments", "comment-lines.txt"), ("visible", "visible-lines.txt")] {
        let template = "keps/NNNN-kep-template/README.md";
        let printed = kep_lint(&corpus, ["template", "lines", "--of", kind, template]).stdout;
        let known = fs::read_to_string(history.join(list)).expect("the list is there");
        let known: BTreeSet<&str> = known.lines().collect();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines.len() > 50, "only {} lines", lines.len());
        assert!(lines.iter().all(|line| known.contains(line)), "{list} lacks a line: make it anew");
    }
}
