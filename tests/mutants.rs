//! Thousands of KEPs made worse, of fixtures and of real ones where there are some: whatever they hold, linting, drawing
//! and fixing keep their promises. Apart from the properties because it counts what fails, by claim, and shows the first
//! of each made small.
//!
//! `KEP_LINT_SEED=7` makes other mutants, `KEP_LINT_SEED=7:123` only the one of that number, in full;
//! `KEP_LINT_MUTANTS=100000` makes more of them.

#[path = "shared/mutation.rs"]
mod mutation;
mod shared;
#[path = "shared/soundness.rs"]
mod soundness;
#[path = "shared/words.rs"]
mod words;

use kep_lint::diagnostic::Severity;
use kep_lint::lint::{Options, lint_template};
use kep_lint::repository::Repository;
use kep_lint::source::SourceFile;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use mutation::{Random, Source, mutant, smaller};
use rayon::prelude::*;
use shared::{files_below, is_readme, project, real_data, texts};
use soundness::{Against, Problem, cut};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::{env, fs, panic};

static TEMPLATE: LazyLock<Template> = LazyLock::new(Template::built_in);
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

thread_local! {
    /// What the last panic of the thread said, and where.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The KEPs below `root`: README.md, kep.yaml and template.md.
fn sources(root: &Path) -> Vec<Source> {
    let read = |path: &Path| fs::read(path).ok();
    let source = |readme: &Path| Source {
        readme: read(readme).unwrap_or_default(),
        metadata: read(&readme.with_file_name("kep.yaml")).unwrap_or_default(),
        template: readme.ancestors().nth(4).and_then(|folder| read(&folder.join("template.md"))),
    };
    files_below(root, &is_readme).iter().map(|readme| source(readme)).collect()
}

/// What is wrong with one KEP; a panic is a claim that does not hold, too.
fn problems(source: &Source, stage: Option<Stage>) -> Vec<Problem> {
    let options = Options { stage, ..Options::default() };
    let job = || {
        let texts =
            texts(Some(&source.readme), Some(&source.metadata).filter(|text| !text.is_empty()).map(|text| &text[..]));
        let own = source.template.clone().map(|text| Template::parse(SourceFile::decode("template.md", text)));
        let against =
            Against { template: own.as_ref().unwrap_or(&TEMPLATE), repository: &REPOSITORY, options: &options };
        let mut problems = soundness::lint_problems(&texts, against);
        problems.extend(soundness::fix_problems(&texts, against));
        let own = own.map(|template| lint_template(&template, Severity::Error, &options));
        problems.extend(own.into_iter().flat_map(soundness::report_problems));
        problems
    };
    panic::catch_unwind(job).unwrap_or_else(|_| {
        let what = PANIC.with(|said| said.borrow().clone());
        vec![Problem { claim: "nothing panics", what }]
    })
}

/// The mutant of a number, and the stage it is held to.
fn numbered(sources: &[Source], seed: u64, number: u64) -> (Source, Option<Stage>) {
    let mut random = Random(seed.wrapping_mul(1_000_003) ^ number.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let stage = *random.pick(&[None, None, Some(Stage::Alpha), Some(Stage::Beta), Some(Stage::Stable)]);
    (mutant(&mut random, sources), stage)
}

/// A failure as a reader wants it: the claim, how often, and the first mutant, made small.
fn shown(sources: &[Source], seed: u64, claim: &str, found: &[(u64, String)]) -> String {
    let (number, what) = &found[0];
    let (source, stage) = numbered(sources, seed, *number);
    let is_bad = |source: &Source| problems(source, stage).iter().any(|problem| problem.claim == claim);
    let small = smaller(&source, 300, &is_bad);
    let now = problems(&small, stage).into_iter().find(|problem| problem.claim == claim).map(|problem| problem.what);
    let text = |bytes: &[u8]| cut(&format!("{:?}", String::from_utf8_lossy(bytes)), 500);
    let template = small.template.map(|text| format!("\n    template of {} bytes", text.len())).unwrap_or_default();
    // One more of each kind, by what stands before the first quote or colon: those that few rules take part in first.
    let mut others: BTreeMap<(usize, &str), String> = BTreeMap::new();
    for (number, what) in &found[1..] {
        let kind = what.split([':', '`', '"']).next().unwrap_or_default();
        others.entry((kind.len(), kind)).or_insert_with(|| format!("{number}: {}", cut(what, 200)));
    }
    let others: String = others.values().take(6).map(|other| format!("\n    also {other}")).collect();
    format!(
        "{claim}: {} mutants do not; first KEP_LINT_SEED={seed}:{number}, held to {stage:?}\n    {}\n    made small: {}\n    \
         README {}\n    kep.yaml {}{template}{others}",
        found.len(),
        cut(what, 500),
        cut(&now.unwrap_or_default(), 500),
        text(&small.readme),
        text(&small.metadata),
    )
}

#[test]
fn mutants_keep_all_promises() {
    let asked = env::var("KEP_LINT_SEED").unwrap_or_else(|_| "20261121".to_owned());
    let (seed, only) = asked.split_once(':').map_or((asked.as_str(), None), |(seed, number)| (seed, Some(number)));
    let seed: u64 = seed.parse().expect("KEP_LINT_SEED is a number");
    let count =
        env::var("KEP_LINT_MUTANTS").map_or(5_000, |count| count.parse().expect("KEP_LINT_MUTANTS is a number"));
    let mut sources = sources(&project().join("fixtures"));
    sources.extend(real_data("corpus").iter().flat_map(|corpus| self::sources(&corpus.join("keps"))));
    assert!(sources.len() > 500, "only {} KEPs to make mutants of", sources.len());

    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| PANIC.with(|said| *said.borrow_mut() = info.to_string())));
    let numbers = match only {
        Some(number) => number.parse().map(|number: u64| number..number + 1).expect("a mutant has a number"),
        None => 0..count,
    };
    let found: Vec<(u64, Problem)> = numbers
        .into_par_iter()
        .flat_map_iter(|number| {
            let (source, stage) = numbered(&sources, seed, number);
            problems(&source, stage).into_iter().map(move |problem| (number, problem))
        })
        .collect();
    let mut claims: BTreeMap<&str, Vec<(u64, String)>> = BTreeMap::new();
    for (number, problem) in found {
        claims.entry(problem.claim).or_default().push((number, problem.what));
    }
    let failed: Vec<String> = claims.iter().map(|(claim, found)| shown(&sources, seed, claim, found)).collect();
    panic::set_hook(usual);
    if let Some(number) = only {
        let (source, _) = numbered(&sources, seed, number.parse().expect("it was read before"));
        println!("{}\n----\n{}", String::from_utf8_lossy(&source.readme), String::from_utf8_lossy(&source.metadata));
    }
    assert!(
        failed.is_empty(),
        "{} claims do not hold (of {} KEPs):\n\n{}",
        failed.len(),
        sources.len(),
        failed.join("\n\n")
    );
}
