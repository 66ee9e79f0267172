//! Whether a text leads to tests of a KEP: by an address, a path, or the name of a test or a job.

use super::answer::pattern;
use super::content::Content;
use crate::markdown::Document;
use crate::markdown::link::Link;
use crate::span::line_around;
use crate::template::Template;
use regex::Regex;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

// The number after an alternative is a KEP that says so. `(?-u)` makes `\b` and `\w` about ASCII, which is faster.

/// An address, a path, a file, a package, a job, or the name of a Go test.
static TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x-u)
        https?://                                # KEP-1040
        | (?:^|[\ \n`(])k8s\.io/[\w-]            # KEP-2339
        | testgrid                               # KEP-1040
        | [\w-]+/[\w-]+/[\w-]      # KEP-4762: a path
        | \b(test|pkg|cmd|staging)/[\w-]         # KEP-2403
        | [\w-]\.go\b                            # KEP-3939
        | _test\b                                # KEP-1027
        | \bTest[A-Z][\w-]                       # KEP-5474: a Go test
        | \[(sig-|Feature:|Conformance)          # KEP-1847: the name of an e2e test
        | \#\d\d\d\d                             # KEP-4193: a pull request
        | \b(pull|ci)-[\w-]                      # KEP-6132: a job
        | scheduler_perf                         # KEP-5598
        ",
    )
});

/// The links in `range` that are not in a line of the template.
pub fn own_links<'d>(
    document: &'d Document,
    range: Range<usize>,
    template: &Template,
) -> impl Iterator<Item = &'d Link> {
    let links = document.links.iter().filter(move |link| range.contains(&link.span.start));
    links.filter(|link| !Content::is_of_template(line_around(document.text(), link.span.start), template))
}

pub fn names_tests(text: &str) -> bool {
    let text = without_roots(text);
    // Most texts have an address, and the pattern takes long to compile.
    text.contains("https://") || TESTS.is_match(&text)
}

/// Directories that hold all tests of a kind.
const ROOTS: [&str; 4] = ["test/e2e", "test/e2e_node", "test/integration", "test/conformance"];

/// Whether a path or an address leads to all tests of a kind, and so to none of a KEP.
pub fn is_root(path: &str) -> bool {
    let path = path.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    ROOTS.iter().any(|root| path.strip_suffix(root).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

fn without_roots(text: &str) -> Cow<'_, str> {
    if !ROOTS.iter().any(|root| text.contains(root)) {
        return Cow::Borrowed(text);
    }
    let is_end = |letter: char| !letter.is_alphanumeric() && !"/._-:".contains(letter);
    Cow::Owned(text.split_inclusive(is_end).filter(|word| !is_root(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_of_the_template_is_not_the_authors() {
        let template = Template::built_in();
        let samples = template.document.text().lines().filter(|line| line.contains("MyCoolFeature)"));
        let text = format!("{}\n[mine](test/e2e/node)\n", samples.collect::<Vec<_>>().join("\n"));
        let document = Document::of_text(&text);
        let own: Vec<&str> = own_links(&document, 0..text.len(), &template).map(|link| link.target.as_str()).collect();
        assert!(document.links.len() > 6 && own == ["test/e2e/node"], "{own:?}");
    }

    #[test]
    fn tests_are_recognized() {
        let texts = [
            "https://x",
            "k8s.io/kubectl",
            "see testgrid",
            "mount/fs/proc",
            "pkg/kubelet",
            "gc_controller.go",
            "union_test",
            "TestPrefetch",
            "[sig-node] pulls",
            "in #1234",
            "the job ci-node",
            "scheduler_perf",
        ];
        let is_next = |line: &&str| line.trim_start().starts_with("| ");
        assert_eq!(TESTS.as_str().lines().filter(is_next).count() + 1, texts.len(), "a text for each line");
        for text in texts {
            assert!(TESTS.is_match(text), "{text}");
        }
        for text in [
            "A pod starts and/or stops.",
            "in test/e2e_node",
            "(`k8s.io/kubernetes/test/e2e`)",
            "- test/integration/: a pod",
            "staging/src/k8s.io/kubectl/test/e2e.",
            "[test/e2e](https://github.com/kubernetes/kubernetes/tree/master/test/e2e/)",
            "test/conformance, a pod",
        ] {
            assert!(!names_tests(text), "{text}");
        }
        for text in [
            "test/e2e_node/images",
            "test/e2e/node/images.go",
            "`test/integration/images`",
            "k8s.io/kubernetes/test/e2e_kubeadm",
            "test/e2e: TestPull",
        ] {
            assert!(names_tests(text), "{text}");
        }
    }
}
