//! Whatever a KEP or a template holds, linting ends, returns the same twice, and points at nothing but the text.

mod pieces;
mod upgrade;

use self::pieces::{MARKDOWN, WORDS, YAML};
use crate::support::fixing::{bad_place, fixed_soundly};
use crate::support::library::{self, Against, lint_as_template};
use crate::support::{is_whole, keps, seed};
use kep_lint::kep::texts::Texts;
use kep_lint::lint::Options;
use kep_lint::lint::report::KepReport;
use kep_lint::report::look::Look;
use kep_lint::report::pretty::{self, Detail};
use kep_lint::report::{concise, json};
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::select::Selection;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use std::sync::{Arc, LazyLock};
use std::thread;

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

fn against(options: &Options) -> Against<'_> {
    Against { template: &TEMPLATE, repository: &REPOSITORY, options }
}

fn with_template<'a>(template: &'a Template, options: &'a Options) -> Against<'a> {
    Against { template, ..against(options) }
}

/// The KEP of these two texts.
fn texts(readme: Option<&[u8]>, metadata: Option<&[u8]>) -> Texts {
    let files = [("README.md", readme), ("kep.yaml", metadata)];
    library::kep("keps/sig-node/1234-images", files.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))))
}

fn headings() -> Vec<String> {
    let line = |heading: std::ops::Range<usize>| format!("\n{}\n", &TEMPLATE.document.source.text[heading]);
    TEMPLATE.document.sections.iter().map(|(_, section)| line(section.heading.clone())).collect()
}

fn form_lines() -> Vec<String> {
    let text = &TEMPLATE.document.source.text;
    TEMPLATE.document.visible_lines(0..text.len()).map(|line| format!("{line}\n")).collect()
}

fn owned(pieces: &[&str]) -> Vec<String> {
    pieces.iter().map(|piece| (*piece).to_owned()).collect()
}

fn readme() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => select(owned(&MARKDOWN)),
        2 => select(owned(&WORDS)),
        2 => select(headings()),
        1 => select(form_lines()),
        1 => "[a-z ]{1,12}",
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn metadata() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => select(owned(&YAML)), 1 => any::<char>().prop_map(String::from)];
    vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = Options> {
    let stages: Vec<Option<Stage>> = std::iter::once(None).chain(Stage::ALL.map(Some)).collect();
    select(stages).prop_map(|stage| library::options(|options| options.stage = stage))
}

/// Runs `property` on `cases` values where everything is tried, and else on a third of them: the same ones each
/// time, but for another seed.
fn check<S: Strategy>(cases: u32, values: &S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seed = RngSeed::Fixed(seed().0);
    let config = Config {
        cases: if is_whole() { cases } else { cases.div_ceil(3) },
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: seed,
        ..Config::default()
    };
    if let Err(error) = TestRunner::new(config).run(values, property) {
        panic!("{error}");
    }
}

/// What must be true of every report.
fn is_sound(texts: &Texts, options: &Options) -> Result<(), TestCaseError> {
    let (report, again) = (against(options).lint(texts), against(options).lint(texts));
    prop_assert_eq!(&report.diagnostics, &again.diagnostics);
    points_at_its_text(&report)?;
    is_within_its_ladder(&report)?;
    can_be_drawn(report)
}

fn points_at_its_text(report: &KepReport) -> Result<(), TestCaseError> {
    let bad = report.diagnostics.iter().find_map(|found| bad_place(report, found));
    prop_assert_eq!(bad, None);
    Ok(())
}

fn is_within_its_ladder(report: &KepReport) -> Result<(), TestCaseError> {
    let phases = report.target.expect("a KEP has a target").phases();
    for found in &report.diagnostics {
        let rule = ALL.iter().find(|rule| rule.name == found.rule).expect("findings name a rule");
        let most = phases.iter().filter_map(|phase| rule.severity.at(*phase).severity()).max();
        prop_assert!(most.is_some_and(|most| found.severity <= most), "{:?} at {:?}", found, phases);
    }
    Ok(())
}

fn can_be_drawn(report: KepReport) -> Result<(), TestCaseError> {
    let count = report.diagnostics.len();
    let run = library::run_of(vec![report]);
    prop_assert_eq!(concise::render(&run, &Look::default()).lines().count(), count);
    let parsed: serde_json::Value = serde_json::from_str(&json::render(&run)).expect("it is JSON");
    prop_assert_eq!(parsed["diagnostics"].as_array().map(Vec::len), Some(count));
    let mut look = Look::default();
    look.width = 80;
    let drawn = pretty::render(&run, &look, Detail::Full);
    prop_assert_eq!(drawn.is_empty(), count == 0);
    prop_assert!(!drawn.contains('\u{1b}'), "a KEP steers the terminal: {:?}", drawn);
    Ok(())
}

#[test]
fn arbitrary_keps_are_linted() {
    check(250, &(readme(), metadata(), options()), |(readme, metadata, options)| {
        is_sound(&texts(Some(readme.as_bytes()), Some(metadata.as_bytes())), &options)
    });
}

#[test]
fn arbitrary_bytes_are_linted() {
    let bytes = || proptest::option::of(vec(any::<u8>(), 0..200));
    check(150, &(bytes(), bytes()), |(readme, metadata)| {
        is_sound(&texts(readme.as_deref(), metadata.as_deref()), &Options::default())
    });
}

#[test]
fn arbitrary_templates_are_read() {
    check(250, &(readme(), readme()), |(template, readme)| {
        let (template, options) = (library::template(template.as_bytes()), Options::default());
        points_at_its_text(&lint_as_template(&template, &options))?;
        let texts = texts(Some(readme.as_bytes()), None);
        points_at_its_text(&with_template(&template, &options).lint(&texts))
    });
}

/// A title without a letter has nothing to be compared by.
#[test]
fn a_template_of_bare_marks_is_read() {
    let (template, options) = (library::template(b"# T\n\n## ?\n\n## !\n"), Options::default());
    let texts = texts(Some(b"# KEP-1234: X\n\n- **a**\n"), None);
    let report = with_template(&template, &options).lint(&texts);
    assert_eq!(report.diagnostics.iter().find_map(|found| bad_place(&report, found)), None);
}

/// One change of a text, at a place given in thousandths of its length.
#[derive(Clone, Debug)]
enum Change {
    Cut { at: usize, length: usize },
    Insert { at: usize, piece: String },
    Repeat { at: usize, length: usize },
    Truncate { at: usize },
}

impl Change {
    fn any(pieces: &[&str]) -> impl Strategy<Value = Self> + use<> {
        let (at, length) = (|| 0..1000_usize, || 0..400_usize);
        prop_oneof![
            (at(), length()).prop_map(|(at, length)| Self::Cut { at, length }),
            (at(), select(owned(pieces))).prop_map(|(at, piece)| Self::Insert { at, piece }),
            (at(), length()).prop_map(|(at, length)| Self::Repeat { at, length }),
            at().prop_map(|at| Self::Truncate { at }),
        ]
    }

    fn apply(&self, text: &mut String) {
        let place = |at: usize| text.floor_char_boundary(text.len() * at / 1000);
        let end_of = |at: usize, length: usize| text.floor_char_boundary((at + length).min(text.len()));
        match self {
            Self::Cut { at, length } => {
                let range = place(*at)..end_of(place(*at), *length);
                text.replace_range(range, "");
            }
            Self::Insert { at, piece } => text.insert_str(place(*at), piece),
            Self::Repeat { at, length } => {
                let copy = text[place(*at)..end_of(place(*at), *length)].to_owned();
                text.insert_str(place(*at), &copy);
            }
            Self::Truncate { at } => text.truncate(place((*at).max(300))),
        }
    }
}

/// The KEPs of the sample that are changed, by name, so that no other file changes what is tested.
const KEPS: [&str; 12] = [
    "sig-api-machinery/3156-http3",
    "sig-api-machinery/4568-resilient-watchcache-initialization",
    "sig-api-machinery/6178-concurrent-watch-object-decode",
    "sig-architecture/5241-beta-featuregate-promotion-requirements",
    "sig-cli/2551-return-code-normalization",
    "sig-network/1138-ipv6",
    "sig-network/5495-deprecate-ipvs-mode-in-kube-proxy",
    "sig-node/281-dynamic-kubelet-configuration",
    "sig-node/4742-node-topology-downward-api",
    "sig-scheduling/6132-prequeueing-hints",
    "sig-storage/3107-csi-nodeexpandsecret",
    "sig-storage/5502-emptydir-volume-mode",
];

/// README and kep.yaml of [`KEPS`].
fn keps() -> Vec<(String, String)> {
    let sample = keps::of_sample();
    let named = KEPS.map(|name| sample.iter().find(|kep| kep.name == name).expect("the sample has it"));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the sample is UTF-8");
    named.iter().map(|kep| (text(&kep.readme), text(&kep.metadata))).collect()
}

#[test]
fn mutated_keps_are_linted() {
    let keps = keps();
    let changes = (vec(Change::any(&MARKDOWN), 1..6), vec(Change::any(&YAML), 0..4));
    check(60, &(select(keps), changes, options()), |((mut readme, mut metadata), changes, options)| {
        changes.0.iter().for_each(|change| change.apply(&mut readme));
        changes.1.iter().for_each(|change| change.apply(&mut metadata));
        is_sound(&texts(Some(readme.as_bytes()), Some(metadata.as_bytes())), &options)
    });
}

#[test]
fn mutated_keps_are_fixed() {
    let keps = keps();
    let changes = (vec(Change::any(&MARKDOWN), 1..6), vec(Change::any(&YAML), 0..3), any::<bool>());
    check(60, &(select(keps), changes, options()), |((mut readme, mut metadata), changes, options)| {
        if changes.2 {
            readme = readme.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        changes.0.iter().for_each(|change| change.apply(&mut readme));
        changes.1.iter().for_each(|change| change.apply(&mut metadata));
        is_fixed(&readme, &metadata, &options)
    });
}

#[test]
fn arbitrary_keps_are_fixed() {
    check(300, &(readme(), metadata(), options()), |(readme, metadata, options)| {
        is_fixed(&readme, &metadata, &options)
    });
}

fn is_fixed(readme: &str, metadata: &str, options: &Options) -> Result<(), TestCaseError> {
    let texts = texts(Some(readme.as_bytes()), Some(metadata.as_bytes()));
    fixed_soundly(&texts, against(options)).map(drop).map_err(TestCaseError::fail)
}

#[test]
fn mutated_templates_are_read() {
    check(60, &vec(Change::any(&MARKDOWN), 1..8), |changes| {
        let mut text = TEMPLATE.document.source.text.clone();
        changes.iter().for_each(|change| change.apply(&mut text));
        let (template, options) = (library::template(text.as_bytes()), Options::default());
        points_at_its_text(&lint_as_template(&template, &options))?;
        points_at_its_text(&with_template(&template, &options).lint(&texts(Some(text.as_bytes()), None)))
    });
}

/// `text` below a heading of the template, and in kep.yaml, on a thread with a small stack.
fn fits_on_a_small_stack(text: String) {
    const STACK: usize = 2 << 20;
    let job = move || {
        for (readme, metadata) in [(text.as_str(), ""), ("# KEP-1234: X\n", text.as_str())] {
            let readme = format!("# KEP-1234: X\n\n## Summary\n\n{readme}\n");
            let texts = texts(Some(readme.as_bytes()), Some(metadata.as_bytes()));
            let report = against(&library::options(|options| options.stage = Some(Stage::Beta))).lint(&texts);
            assert!(!report.diagnostics.is_empty());
            assert_eq!(report.diagnostics.iter().find_map(|found| bad_place(&report, found)), None);
        }
        let template = library::template(text.as_bytes());
        let found = lint_as_template(&template, &Options::default()).diagnostics;
        assert_eq!(template.problems.len(), found.len());
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(job).expect("a thread can be started");
    thread.join().expect("the thread does not panic");
}

#[test]
fn deep_nesting_is_survived() {
    for text in ["[".repeat(40_000), ">".repeat(10_000), "> ".repeat(10_000), "- ".repeat(10_000)] {
        fits_on_a_small_stack(text);
    }
    for text in ["*a ".repeat(20_000), "![".repeat(20_000), "{a: ".repeat(20_000), "<b>".repeat(20_000)] {
        fits_on_a_small_stack(text);
    }
}

/// A quarter of a mebibyte of one pattern, in a heading and in a text, on a stack of a mebibyte, or a quarter of each: no
/// function may follow the text into its depth, where each step takes some hundred bytes, nor read it again for each of its
/// letters.
#[test]
fn long_repetitions_are_survived() {
    let headings = ["[", "[a](", "[a](<b", "<a ", "**", "a `", "http://a) "].map(|unit| ("\n\n## ", unit));
    let texts =
        ["[^a", "![a](", "(a)[", "> ", "- ", "*a*##x ", "a <!-- b --> ", "<<[UNRESOLVED "].map(|unit| ("\n\n", unit));
    let (stack, length) = if is_whole() { (1 << 20, 1 << 18) } else { (1 << 18, 1 << 16) };
    for (opening, unit) in headings.into_iter().chain(texts) {
        let body = unit.repeat(length / unit.len());
        survives(stack, format!("# KEP-1: T\n\n<!-- toc -->\n<!-- /toc -->{opening}{body}\n"));
    }
    survives(1 << 20, (0..1400).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect());
}

/// The README on a thread with a stack of this size.
fn survives(stack: usize, readme: String) {
    let job = move || {
        let texts = texts(Some(readme.as_bytes()), None);
        assert!(!against(&Options::default()).lint(&texts).diagnostics.is_empty());
    };
    let thread = thread::Builder::new().stack_size(stack).spawn(job).expect("a thread can be started");
    thread.join().expect("the thread does not panic");
}

#[test]
fn long_lists_and_lines_are_survived() {
    fits_on_a_small_stack("- item\n".repeat(100_000));
    fits_on_a_small_stack("word ".repeat(200_000));
    fits_on_a_small_stack("x".repeat(1_000_000));
}

#[test]
fn every_selection_is_a_part_of_the_whole() {
    let keps = keps();
    check(
        20,
        &(
            select(keps),
            select(ALL.iter().filter(|rule| !rule.is_off_by_default()).map(|rule| rule.name).collect::<Vec<_>>()),
        ),
        |((readme, metadata), name)| {
            let texts = texts(Some(readme.as_bytes()), Some(metadata.as_bytes()));
            let whole = against(&Options::default()).lint(&texts);
            let selection = |select: &[String], ignore: &[String]| {
                let selection = Selection::new(select, ignore).expect("rules have these names");
                against(&library::options(|options| options.selection = selection)).lint(&texts).diagnostics
            };
            let name = [name.to_owned()];
            let (alone, others): (Vec<_>, Vec<_>) =
                whole.diagnostics.into_iter().partition(|found| found.rule == name[0]);
            prop_assert_eq!(selection(&[], &name), others);
            prop_assert_eq!(selection(&name, &[]), alone);
            Ok(())
        },
    );
}
