//! Where kep-lint knowingly answers otherwise than upstream's tools, case by case. Everywhere else the two agree.

use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// A case with another answer.
struct Deviation {
    oracle: &'static str,
    case: &'static str,
    reason: &'static str,
}

const fn deviation(oracle: &'static str, case: &'static str, reason: &'static str) -> Deviation {
    Deviation { oracle, case, reason }
}

const DEVIATIONS: &[Deviation] = &[
    deviation("kepval", r#"kep-number-prrfile[\"a/b\"][a/b]"#, "a number is a file's name, not a path"),
    deviation("kepval", "kep-number-traversal", "a number is a file's name, not a path"),
    deviation("trees", "kepyaml-at-keps-root", "a stray file does not hide the whole tree"),
    deviation("trees", "lower-readme", "a README is one in upper or lower case, and requires a kep.yaml"),
    deviation("trees", "template-bad", "the template's directory is not a KEP"),
    deviation("mdtoc", "in-deflist2", DEFINITION_LIST),
    deviation("upstream-kepval", r#"kep-number-prrfile[\"a/b\"][a/b]"#, "a number is a file's name, not a path"),
    deviation("upstream-kepval", "kep-number-traversal", "a number is a file's name, not a path"),
    deviation("upstream-kepval", "owning-sig-dot", "a SIG is a directory's name, not a path"),
    deviation("upstream-trees", "kepyaml-at-keps-root", "a stray file does not hide the whole tree"),
];

const DEFINITION_LIST: &str = "definition lists are not in CommonMark, and a heading in one shows as text on GitHub";

/// The deviations that were asked for.
static SEEN: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

/// Passes a case that agrees, and one that is known not to; fails the others, and a deviation that exists no longer.
pub fn agrees(oracle: &str, case: &str, outcome: Result<(), String>) -> Result<(), Failed> {
    let known = DEVIATIONS.iter().find(|deviation| deviation.oracle == oracle && deviation.case == case);
    match (known, outcome) {
        (None, Ok(())) | (Some(_), Err(_)) => Ok(()),
        (None, Err(problem)) => Err(problem.into()),
        (Some(known), Ok(())) => Err(format!("agrees now: remove it from DEVIATIONS ({})", known.reason).into()),
    }
}

/// A test of one case.
pub fn trial(oracle: &'static str, case: &str, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    let case = case.to_owned();
    SEEN.lock().expect("no thread has failed yet").insert((oracle.to_owned(), case.clone()));
    Trial::test(format!("{oracle}/{case}"), move || agrees(oracle, &case, test()))
}

/// That each deviation names a case.
pub fn trials() -> Vec<Trial> {
    let seen = SEEN.lock().expect("no thread has failed yet").clone();
    let oracles: BTreeSet<&str> = DEVIATIONS.iter().map(|deviation| deviation.oracle).collect();
    let trial = |oracle: &'static str| {
        let name = format!("{oracle}/every deviation is a case");
        let of_oracle = DEVIATIONS.iter().filter(|deviation| deviation.oracle == oracle);
        let unknown = of_oracle.map(|it| it.case).find(|case| !seen.contains(&(oracle.to_owned(), (*case).to_owned())));
        Trial::test(name, move || match unknown {
            Some(case) => Err(format!("there is no case `{case}`").into()),
            None => Ok(()),
        })
    };
    oracles.into_iter().map(trial).collect()
}
