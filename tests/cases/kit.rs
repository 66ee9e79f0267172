//! The pull request for kubernetes/enhancements in `contrib/upstream`: its patches apply to upstream's own files, and
//! `hack/verify.sh` runs our script, or leaves it out during the trial.

use crate::support::program::{PROGRAM, Printed, kep_lint, printed, scrubbed};
use crate::support::scratch::Scratch;
use crate::support::{project, real_data};
use crate::{with_data, without_data};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;

const TEMPLATE: &str = "keps/NNNN-kep-template/README.md";

/// An active alpha KEP of the sample without findings.
const KEP: &str = "keps/sig-storage/5502-emptydir-volume-mode";

pub fn trials() -> Vec<Trial> {
    let letter = with_data("kit/the letter has the figures of this program", "corpus", the_letter_is_true);
    let name = "kit/the pull request for upstream applies, and stops a broken KEP";
    let (Some(upstream), Some(corpus)) = (real_data("upstream"), real_data("corpus")) else {
        return vec![letter, without_data(name)];
    };
    let kit = Trial::test(name, move || {
        the_kit_applies(&upstream, &corpus);
        Ok(())
    });
    vec![letter, kit]
}

/// Those of pull requests need the history: `.ci/nightly data` compares them.
fn the_letter_is_true(corpus: &Path) {
    let mut figures = scrubbed("python3", project());
    figures.args(["contrib/upstream/figures", "--check"]).arg(corpus).env("KEP_LINT", PROGRAM);
    let printed = printed(&figures.output().expect("Python is installed"));
    assert_eq!(printed.status, 0, "{}", printed.stderr);
}

/// A clone of upstream as far as the kit needs it, with the KEPs of the sample.
fn clone_of(upstream: &Path, corpus: &Path) -> Scratch {
    let clone = Scratch::sample();
    for (from, to) in [(upstream.join("Makefile"), "Makefile"), (upstream.join("verify.sh"), "hack/verify.sh")] {
        clone.write_bytes(to, &fs::read(&from).unwrap_or_else(|error| panic!("{}: {error}", from.display())));
    }
    clone.write_bytes(TEMPLATE, &fs::read(corpus.join(TEMPLATE)).expect("the template"));
    clone.write(".gitignore", "/bin/\n");
    clone.commit();
    clone
}

/// Runs upstream's `hack/verify.sh` as its CI does for a pull request.
fn verify(clone: &Scratch) -> Printed {
    let base = clone.git(&["rev-parse", "refs/remotes/origin/main"]);
    let prow = [("PULL_BASE_SHA", base.as_str()), ("PULL_PULL_SHA", "0123"), ("JOB_TYPE", "presubmit")];
    clone.run("hack/verify.sh", &[], &[&prow[..], &[("KEP_LINT", PROGRAM)]].concat())
}

fn the_kit_applies(upstream: &Path, corpus: &Path) {
    let clone = clone_of(upstream, corpus);
    let patches = tempfile::tempdir().expect("a directory");
    let make = project().join("contrib/upstream/make");
    let script = project().join("contrib/prow/verify-kep-lint.sh");
    let arguments = [clone.root.as_path(), &script, patches.path()].map(|path| path.to_str().expect("it is UTF-8"));
    let made = clone.run(make.to_str().expect("it is UTF-8"), &arguments, &[("KEP_LINT", PROGRAM)]);
    assert_eq!(made.status, 0, "{}{}", made.stdout, made.stderr);
    let patch = |name: &str| patches.path().join(name).to_str().expect("it is UTF-8").to_owned();
    let before = clone.read(TEMPLATE);

    clone.git(&["apply", "--index", &patch("0001-kep-lint-trial.patch")]);
    clone.commit();
    clone.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert_eq!(clone.read(TEMPLATE), before, "the trial does not touch the template");
    assert!(clone.read("Makefile").contains("\nverify-kep-lint: ##"));

    // The trial: a broken KEP fails nobody.
    clone.replace(&format!("{KEP}/kep.yaml"), "status: implementable", "status: implementible");
    clone.commit();
    let printed = verify(&clone);
    assert!(printed.status == 0 && printed.stdout.contains("Skipping verify-kep-lint.sh"), "{}", printed.stdout);
    let printed = clone.run("hack/verify-kep-lint.sh", &["--since", "origin/main"], &[("KEP_LINT", PROGRAM)]);
    assert!(printed.status == 1 && printed.stdout.contains("invalid-status"), "{}", printed.stdout);

    clone.git(&["apply", "--index", &patch("0002-kep-lint-for-every-pull-request.patch")]);
    clone.commit();
    let printed = verify(&clone);
    assert!(printed.status == 1 && printed.stdout.contains("FAILED because of 1 error"), "{}", printed.stdout);
    clone.replace(&format!("{KEP}/kep.yaml"), "status: implementible", "status: implementable");
    clone.commit();
    let printed = verify(&clone);
    assert!(printed.status == 0 && printed.stdout.contains("SUCCESS"), "{}", printed.stdout);

    clone.git(&["apply", "--index", &patch("0003-kep-lint-directives.patch")]);
    clone.commit();
    let after = clone.read(TEMPLATE);
    let directives = after.lines().filter(|line| line.starts_with("<!--DIRECTIVE:")).count();
    assert!(directives >= 50, "{directives} directives");
    assert!(after.contains("### Scalability\n<!--DIRECTIVE: required: true, stage: beta, since: v1.21"), "{after}");
    let others: Vec<&str> = after.lines().filter(|line| !line.starts_with("<!--DIRECTIVE:")).collect();
    assert_eq!(others, before.lines().collect::<Vec<_>>(), "nothing else of the template changes");
    assert_eq!(kep_lint(&clone.root, ["template", "check", TEMPLATE]).status, 0);
    assert!(clone.read("docs/kep-lint.md").contains("\n## Directives of the template\n"));
    let printed = verify(&clone);
    assert!(printed.status == 0 && printed.stdout.contains("SUCCESS"), "{}", printed.stdout);
}
