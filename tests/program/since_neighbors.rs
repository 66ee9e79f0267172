//! What `--since` takes from the later version because it did not change: the metrics that other KEPs name.

use crate::support::scratch::Scratch;

const NEW: [&str; 3] = ["--since", "HEAD", "--new-only"];
const OTHER: &str = "keps/sig-node/2-y/README.md";

/// A README that names a metric.
fn readme(number: u32, metric: &str) -> String {
    format!(
        "# KEP-{number}: Prefetch images\n\n## Production Readiness Review Questionnaire\n\n### Monitoring Requirements\n\n\
         ###### What are the SLIs (Service Level Indicators) an operator can use to determine the health of the service?\n\n\
         - [x] Metrics\n  - Metric name: `{metric}`\n"
    )
}

fn metadata(number: u32) -> String {
    format!(
        "title: Prefetch images\nkep-number: {number}\nowning-sig: sig-node\nstatus: implementable\nstage: beta\n\
         latest-milestone: \"v1.37\"\n"
    )
}

/// A repository in which two KEPs name a metric, so that it is a general one; the README of the second has this name.
/// The README of the first is changed, but not committed.
fn with_general_metric(name: &str) -> Scratch {
    let repository = Scratch::empty();
    for (number, directory, name) in [(1, "keps/sig-node/1-x", "README.md"), (2, "keps/sig-node/2-y", name)] {
        repository.write(&format!("{directory}/{name}"), &readme(number, "foo_total"));
        repository.write(&format!("{directory}/kep.yaml"), &metadata(number));
    }
    repository.commit();
    repository.write("keps/sig-node/1-x/README.md", &(readme(1, "foo_total") + "\nMore.\n"));
    repository
}

/// Whether it is new that the first KEP does not list its metric.
fn is_reported(repository: &Scratch) -> bool {
    repository
        .findings(&NEW)
        .iter()
        .any(|found| found.starts_with("keps/sig-node/1-x") && found.ends_with("missing-metrics"))
}

#[test]
fn a_metric_that_another_kep_still_names_is_general() {
    assert!(!is_reported(&with_general_metric("README.md")));
}

#[test]
fn a_metric_that_no_other_kep_names_any_more_is_new() {
    let repository = with_general_metric("README.md");
    repository.write(OTHER, &readme(2, "bar_total"));
    assert!(is_reported(&repository));
    // Of this file, git was told not to look at what is on disk.
    repository.git(&["update-index", "--assume-unchanged", OTHER]);
    assert!(is_reported(&repository));
}

#[cfg(target_os = "linux")]
#[test]
fn another_file_may_be_the_readme_now() {
    let repository = with_general_metric("readme.md");
    assert!(!is_reported(&repository));
    repository.write(OTHER, &readme(2, "bar_total"));
    assert!(is_reported(&repository));
}
