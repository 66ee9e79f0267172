//! Every KEP of the real corpus and of the vendored sample, each linted once for all questions: what is found is as
//! recorded, where it says, and worded like the rest; fixes keep their promise.

use crate::support::fixing::all_are_fixed;
use crate::support::program::{items, kep_lint, kep_lint_json, source, text};
use crate::support::wording::{self, Words};
use crate::support::{
    assert_generated, files_below, is_refresh, is_whole, keps, mutants, project, real_data, report_schema, spread,
};
use crate::{with_data, without_data};
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use kep_lint::markdown::Document;
use kep_lint::markdown::title::Title;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use kep_lint::source::SourceFile;
use kep_lint::stage::Stage;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A tree of real KEPs, with what is found in it.
pub struct Keps {
    name: &'static str,
    count: u64,
    /// The folder that holds `keps`.
    pub root: PathBuf,
    /// What the program prints, as JSON.
    run: OnceLock<Value>,
}

impl Keps {
    fn new(name: &'static str, count: u64, root: PathBuf) -> Arc<Self> {
        Arc::new(Self { name, count, root, run: OnceLock::new() })
    }

    /// The report of the one run for all questions.
    pub fn run(&self) -> &Value {
        self.run.get_or_init(|| {
            let printed = kep_lint(&self.root, ["keps", "--format", "json", "--jobs", "4"]);
            assert_eq!(printed.status, 1, "{}", printed.stderr);
            serde_json::from_str(&printed.stdout).expect("`--format json` prints JSON")
        })
    }

    /// Its findings.
    pub fn findings(&self) -> &[Value] {
        items(&self.run()["diagnostics"])
    }
}

const SAMPLE_SIZE: u64 = 20;
const CORPUS_SIZE: u64 = 654;

/// A question's name, and how it is asked.
type Question = (&'static str, fn(&Keps));

/// What is asked of a tree.
const QUESTIONS: [Question; 12] = [
    ("the findings are those of the golden", findings_are_golden),
    ("the number of threads changes nothing", threads_change_nothing),
    ("findings are in order", findings_are_in_order),
    ("the report is as its schema says", report_is_valid),
    ("every finding has its own fingerprint", fingerprints_differ),
    ("a KEP alone has the same fingerprints", fingerprints_remain),
    ("every place is a part of its file", places_are_in_their_file),
    ("errors are where someone is at work", errors_are_where_someone_is_at_work),
    ("what upstream accepts is read without complaint", what_upstream_accepts_is_read),
    ("messages are worded alike", messages_are_worded_alike),
    ("headings are those of CommonMark", headings_are_those_of_commonmark),
    ("every KEP is fixed", every_kep_is_fixed),
];

/// The corpus, where it is there.
pub fn real() -> Option<Arc<Keps>> {
    Some(Keps::new("corpus", CORPUS_SIZE, real_data("corpus")?))
}

pub fn trials(corpus: Option<&Arc<Keps>>) -> Vec<Trial> {
    let mut trials = Vec::new();
    let sample = Keps::new("sample", SAMPLE_SIZE, project().join("fixtures/sample"));
    for (name, keps) in [("sample", Some(&sample)), ("corpus", corpus)] {
        for (question, ask) in QUESTIONS {
            let name = format!("{name}/{question}");
            trials.push(match keps.cloned() {
                None => without_data(&name),
                Some(keps) => Trial::test(name, move || {
                    ask(&keps);
                    Ok(())
                }),
            });
        }
    }
    trials.push(with_data("corpus/mutants keep all promises", "corpus", mutants_keep_all_promises));
    trials.push(with_data("corpus/template lines are known", "corpus", template_lines_are_known));
    trials
}

/// One line a finding, so that a true finding that is replaced by a false one shows.
fn findings_are_golden(keps: &Keps) {
    let key = |finding: &Value| {
        let [path, rule, severity] = ["path", "rule", "severity"].map(|key| text(&finding[key]).to_owned());
        (path, finding["start"]["line"].as_u64().expect("lines are numbers"), rule, severity)
    };
    let mut found: Vec<_> = keps.findings().iter().map(key).collect();
    found.sort();
    let lines: String =
        found.iter().map(|(path, line, rule, severity)| format!("{path}:{line} {rule} {severity}\n")).collect();
    let name = format!("tests/goldens/{}.txt", keps.name);
    if is_refresh() {
        fs::write(project().join(&name), &lines).expect("the golden can be written");
    } else {
        let recorded = fs::read_to_string(project().join(&name)).unwrap_or_default();
        assert_generated(&name, &recorded, &lines);
    }
}

fn threads_change_nothing(keps: &Keps) {
    let part = if is_whole() { "keps" } else { "keps/sig-node" };
    let [one, four] = ["1", "4"].map(|jobs| kep_lint(&keps.root, [part, "--format", "json", "--jobs", jobs]));
    assert!(one.status < 2 && one.stdout == four.stdout, "`--jobs 1` and `--jobs 4` print different things");
}

fn findings_are_in_order(keps: &Keps) {
    let key = |finding: &Value| {
        (text(&finding["path"]).to_owned(), finding["start"]["offset"].as_u64(), text(&finding["rule"]).to_owned())
    };
    let keys: Vec<_> = keps.findings().iter().map(key).collect();
    assert!(keys.len() as u64 > keps.count, "only {} findings", keys.len());
    for pair in keys.windows(2) {
        assert!(pair[0] <= pair[1], "{:?} comes before {:?}", pair[0], pair[1]);
    }
}

fn report_is_valid(keps: &Keps) {
    let errors: Vec<String> = report_schema().iter_errors(keps.run()).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    // The sample has no template of its own.
    let source = if keps.name == "corpus" { "repository" } else { "built-in" };
    assert_eq!(keps.run()["template"]["source"], source);
}

fn fingerprints_differ(keps: &Keps) {
    let mut seen: HashMap<&str, &Value> = HashMap::new();
    for finding in keps.findings() {
        if let Some(other) = seen.insert(text(&finding["fingerprint"]), finding) {
            panic!("one fingerprint: {finding} {other}");
        }
        let rule = ALL.iter().find(|rule| rule.name == text(&finding["rule"])).expect("findings name a rule");
        assert_eq!(rule.is_gap, !finding["requirement"].is_null(), "{finding}");
    }
}

fn fingerprints_remain(keps: &Keps) {
    const TRIED: usize = 10;
    let prints = |findings: &[Value], name: &str| -> BTreeSet<String> {
        let own = findings.iter().filter(|finding| finding["kep"].as_str().is_some_and(|kep| kep.ends_with(name)));
        own.map(|finding| text(&finding["fingerprint"]).to_owned()).collect()
    };
    let targets: Vec<&str> = items(&keps.run()["targets"]).iter().map(|target| text(&target["kep"])).collect();
    let mut seen = 0;
    for kep in targets.iter().step_by((targets.len() / TRIED).max(1)) {
        let (sig, name) = kep.rsplit_once('/').expect("a KEP is in a directory");
        let alone = kep_lint_json(&keps.root.join(sig), &[name, "--fail-on", "never"]);
        let found = prints(items(&alone["diagnostics"]), name);
        assert_eq!(found, prints(keps.findings(), kep), "{kep}");
        seen += found.len();
    }
    assert!(seen > TRIED / 2, "only {seen} findings");
}

fn places_are_in_their_file(keps: &Keps) {
    let mut files: HashMap<String, SourceFile> = HashMap::new();
    let mut seen = 0;
    for finding in keps.findings() {
        let edits = finding["fix"]["edits"].as_array().into_iter().flatten();
        for place in std::iter::once(finding).chain(items(&finding["related"])).chain(edits) {
            let path = text(&place["path"]);
            let file = files.entry(path.to_owned()).or_insert_with(|| source(&keps.root.join(path), path));
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
    assert!(seen > keps.findings().len(), "only {seen} places");
}

fn errors_are_where_someone_is_at_work(keps: &Keps) {
    let targets = items(&keps.run()["targets"]);
    let phases: HashMap<&str, &str> =
        targets.iter().map(|target| (text(&target["kep"]), text(&target["phase"]))).collect();
    let is_section_error = |finding: &&Value| {
        let rule = ALL.iter().find(|rule| rule.name == text(&finding["rule"])).expect("findings name a rule");
        finding["severity"] == "error" && rule.category == Category::Sections
    };
    let mut active = 0;
    for finding in keps.findings().iter().filter(is_section_error) {
        match phases[text(&finding["kep"])] {
            "active" => active += 1,
            "provisional" => {}
            phase => {
                let rule = text(&finding["rule"]);
                assert!(matches!(rule, "swallowed-heading" | "bad-title"), "an error at a {phase} KEP: {finding}");
            }
        }
    }
    // A tenth of the KEPs to a fifth of them.
    let range = keps.count / 10..=keps.count / 5;
    assert!(range.contains(&active), "{active} errors about sections of active KEPs");
}

fn what_upstream_accepts_is_read(keps: &Keps) {
    assert_eq!(keps.run()["keps"], keps.count);
    for rule in ["invalid-yaml", "not-utf8", "missing-kep-yaml", "malformed-directive"] {
        let found = keps.findings().iter().find(|finding| finding["rule"] == rule);
        assert!(found.is_none(), "{found:?}");
    }
}

fn messages_are_worded_alike(keps: &Keps) {
    let words = |finding| words_of(finding);
    assert_eq!(wording::odd(&keps.findings().iter().map(words).collect::<Vec<_>>()), BTreeSet::new());
}

/// What a reader sees of a finding.
pub fn words_of(finding: &Value) -> Words<'_> {
    let related = items(&finding["related"]).iter().map(|related| text(&related["message"]));
    let remedies = [finding["help"].as_str(), finding["fix"]["title"].as_str()];
    Words {
        rule: text(&finding["rule"]),
        messages: std::iter::once(text(&finding["message"])).chain(related).collect(),
        remedies: remedies.into_iter().flatten().collect(),
    }
}

/// comrak is a second reader of CommonMark; what the two agree on is most likely what GitHub shows.
fn headings_are_those_of_commonmark(keps: &Keps) {
    let readmes = files_below(&keps.root.join("keps"), &|path| path.ends_with("README.md"));
    assert!(readmes.len() as u64 >= keps.count * 9 / 10, "only {} READMEs", readmes.len());
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.tasklist = true;
    options.extension.strikethrough = true;
    options.extension.footnotes = true;
    for readme in spread(readmes, 150) {
        let source = source(&readme, "README.md");
        let document = Document::of_text(&source.text);
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

fn every_kep_is_fixed(keps: &Keps) {
    let sources = spread(keps::below(&keps.root.join("keps")), 220);
    let findings = all_are_fixed(&sources, &[None, Some(Stage::Stable)]);
    let count = |rule: &str| findings.get(rule).copied().unwrap_or_default();
    let enough = count("missing-section") > sources.len() / 40 && count("renamed-section") > sources.len() / 100;
    assert!(enough, "{findings:?}");
}

fn mutants_keep_all_promises(corpus: &Path) {
    let keps = spread(keps::below(&corpus.join("keps")), 75);
    mutants::keep_all_promises(&keps, &keps::of_sample(), 1);
}

fn template_lines_are_known(corpus: &Path) {
    let history = project().join("templates/history");
    for (kind, list) in [("comments", "comment-lines.txt"), ("visible", "visible-lines.txt")] {
        let template = "keps/NNNN-kep-template/README.md";
        let printed = kep_lint(corpus, ["template", "lines", "--of", kind, template]).stdout;
        let known = fs::read_to_string(history.join(list)).expect("the list is there");
        let known: BTreeSet<&str> = known.lines().collect();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines.len() > 50, "only {} lines", lines.len());
        assert!(lines.iter().all(|line| known.contains(line)), "{list} lacks a line: generate it again");
    }
}
