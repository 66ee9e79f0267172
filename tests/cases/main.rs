//! Tests that are lists of cases, each by its name: fixtures, and real data where it is there. Where it is not, they are
//! shown as ignored.

#![expect(clippy::shadow_unrelated, reason = "a test goes on with what its next step gives")]

mod agreement;
mod among;
mod annotate;
mod comments;
mod corpus;
mod fixtures;
mod kit;
mod mdtoc;
mod metrics;
mod oracle;
mod promotion;
mod readiness;
mod seeds;
#[path = "../support/mod.rs"]
mod support;
mod upstream;
mod yaml_schemas;

use crate::support::real_data;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::path::Path;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    trials.extend(fixtures::trials());
    let corpus = corpus::real();
    trials.extend(corpus::trials(corpus.as_ref()));
    trials.extend(oracle::trials(corpus.as_ref()));
    trials.extend(mdtoc::trials(corpus.as_ref()));
    trials.extend(upstream::trials());
    trials.extend(agreement::trials());
    trials.extend(among::trials());
    trials.extend(annotate::trials());
    trials.extend(seeds::trials());
    trials.extend(promotion::trials());
    trials.extend(readiness::trials());
    trials.extend(kit::trials());
    trials.extend(comments::trials());
    trials.extend(metrics::trials());
    trials.extend(yaml_schemas::trials(corpus.as_ref()));
    let is_run = !arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if is_run {
        let ignored = conclusion.num_ignored;
        println!(
            "{ignored} tests were ignored for lack of data{}",
            if ignored > 0 { ": KEP_LINT_SHARED names no folder that holds it" } else { "" }
        );
    }
    conclusion.exit();
}

/// A test of the folder `data` of the real data.
fn with_data(name: &str, data: &str, test: fn(&Path)) -> Trial {
    match real_data(data) {
        Some(folder) => Trial::test(name, move || {
            test(&folder);
            Ok(())
        }),
        None => without_data(name),
    }
}

/// A test that is ignored.
fn without_data(name: &str) -> Trial {
    let ignored = || Ok::<_, Failed>(Completion::ignored_with("KEP_LINT_SHARED names no folder that holds its data"));
    Trial::ignorable_test(name, ignored)
}
