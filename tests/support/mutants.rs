//! KEPs made worse: whatever they hold, linting, drawing and fixing keep their promises. Apart from the properties because
//! it counts what fails, by claim, and shows the first of each made small.
//!
//! `KEP_LINT_SEED=7` makes other mutants, `KEP_LINT_SEED=7:NAME#3` only the third of the KEP of that name, in full;
//! `KEP_LINT_MUTANTS=100` makes a hundred of each KEP.

use super::keps::Source;
use super::library::{self, Against, lint_as_template};
use super::mutation::{Random, mutant, smaller};
use super::soundness::{self, Problem, cut};
use kep_lint::repository::Repository;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use rayon::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Once};
use std::{env, panic};

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

thread_local! {
    /// What the last panic of the thread said, and where; none while the thread tries nothing.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// One mutant.
#[derive(Clone, Copy)]
struct Mutant<'a> {
    seed: u64,
    source: &'a Source,
    /// The KEPs that pieces are taken from.
    others: &'a [Source],
    number: u64,
}

impl Mutant<'_> {
    /// What it is, and the stage it is checked against. Its name alone decides, so that no other KEP changes it.
    fn make(self) -> (Source, Option<Stage>) {
        // FNV-1a.
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let name = self.source.name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
        let mixed = self.seed.wrapping_mul(1_000_003) ^ self.number.wrapping_mul(0x5851_f42d_4c95_7f2d);
        let mut random = Random(name ^ mixed);
        let stage = *random.pick(&[None, None, Some(Stage::Alpha), Some(Stage::Beta), Some(Stage::Stable)]);
        let other = random.pick(self.others);
        (mutant(&mut random, self.source, other), stage)
    }

    fn problems(self) -> Vec<Problem> {
        let (source, stage) = self.make();
        problems(&source, stage)
    }

    fn name(self) -> String {
        format!("{}:{}#{}", self.seed, self.source.name, self.number)
    }
}

/// Asserts that so many mutants of each of `sources` keep all promises.
pub fn keep_all_promises(sources: &[Source], others: &[Source], usual_count: u64) {
    let (seed, only) = super::seed();
    let count =
        env::var("KEP_LINT_MUTANTS").map_or(usual_count, |count| count.parse().expect("KEP_LINT_MUTANTS is a number"));
    let mutants: Vec<Mutant<'_>> = sources
        .iter()
        .flat_map(|source| (0..count).map(move |number| Mutant { seed, source, others, number }))
        .filter(|mutant| only.as_ref().is_none_or(|only| mutant.name().ends_with(&format!(":{only}"))))
        .collect();
    assert!(only.is_some() || mutants.len() as u64 == sources.len() as u64 * count, "there are mutants");
    record_panics();
    let found: Vec<(Mutant<'_>, Problem)> = mutants
        .par_iter()
        .flat_map_iter(|mutant| mutant.problems().into_iter().map(|problem| (*mutant, problem)))
        .collect();
    let mut claims: BTreeMap<&str, Vec<(Mutant<'_>, String)>> = BTreeMap::new();
    for (mutant, problem) in found {
        claims.entry(problem.claim).or_default().push((mutant, problem.what));
    }
    let failed: Vec<String> = claims.iter().map(|(claim, found)| shown(claim, found)).collect();
    if only.is_some() {
        for mutant in &mutants {
            let (source, _) = mutant.make();
            println!(
                "{}\n----\n{}",
                String::from_utf8_lossy(&source.readme),
                String::from_utf8_lossy(&source.metadata)
            );
        }
    }
    assert!(failed.is_empty(), "{} claims do not hold:\n\n{}", failed.len(), failed.join("\n\n"));
}

/// Keeps the message of a panic while something is tried; other panics are reported as usual.
fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_tried = PANIC.with(|said| said.borrow_mut().as_mut().map(|said| *said = info.to_string()).is_some());
            if !is_tried {
                usual(info);
            }
        }));
    });
}

/// What is wrong with one KEP; a panic is a claim that does not hold, too.
fn problems(source: &Source, stage: Option<Stage>) -> Vec<Problem> {
    let options = library::options(|options| options.stage = stage);
    let job = || {
        let texts = source.texts();
        let own = source.template.as_deref().map(library::template);
        let against =
            Against { template: own.as_ref().unwrap_or(&TEMPLATE), repository: &REPOSITORY, options: &options };
        let mut problems = soundness::lint_problems(&texts, against);
        problems.extend(soundness::fix_problems(&texts, against));
        let own = own.map(|template| lint_as_template(&template, &options));
        problems.extend(own.into_iter().flat_map(soundness::report_problems));
        problems
    };
    PANIC.with(|said| *said.borrow_mut() = Some(String::new()));
    let outcome = panic::catch_unwind(job);
    let what = PANIC.with(|said| said.borrow_mut().take()).unwrap_or_default();
    outcome.unwrap_or_else(|_| vec![Problem { claim: "nothing panics", what }])
}

/// A failure as a reader wants it: the claim, how often, and the first mutant, made small.
fn shown(claim: &str, found: &[(Mutant<'_>, String)]) -> String {
    let (mutant, what) = &found[0];
    let (source, stage) = mutant.make();
    let is_bad = |source: &Source| problems(source, stage).iter().any(|problem| problem.claim == claim);
    let small = smaller(&source, 300, &is_bad);
    let now = problems(&small, stage).into_iter().find(|problem| problem.claim == claim).map(|problem| problem.what);
    let text = |bytes: &[u8]| cut(&format!("{:?}", String::from_utf8_lossy(bytes)), 500);
    let template = small.template.map(|text| format!("\n    template of {} bytes", text.len())).unwrap_or_default();
    // One more of each kind, by what comes before the first quote or colon: those that few rules take part in first.
    let mut others: BTreeMap<(usize, &str), String> = BTreeMap::new();
    for (mutant, what) in &found[1..] {
        let kind = what.split([':', '`', '"']).next().unwrap_or_default();
        others.entry((kind.len(), kind)).or_insert_with(|| format!("{}: {}", mutant.name(), cut(what, 200)));
    }
    let others: String = others.values().take(6).map(|other| format!("\n    also {other}")).collect();
    format!(
        "{claim}: {} mutants do not; first KEP_LINT_SEED='{}', checked against {stage:?}\n    {}\n    made small: {}\n    \
         README {}\n    kep.yaml {}{template}{others}",
        found.len(),
        mutant.name(),
        cut(what, 500),
        cut(&now.unwrap_or_default(), 500),
        text(&small.readme),
        text(&small.metadata),
    )
}
