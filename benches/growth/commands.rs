//! Patterns with ignores and for newer rules, and what they cost in each command that reads a stranger's files.

use super::Place::{Body, Document, Metadata, Owners, Readme, Review};
use super::{Files, METADATA, Pattern, README, Tree, kep_file, keps, repeated};

/// A command, and the exit statuses of a run that works.
#[derive(Clone, Copy)]
pub struct Job {
    /// What rows are called after it.
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub statuses: &'static [i32],
}

/// A run with these options. Exceeded limits and reverted fixes are reported as failures, with 2.
macro_rules! check {
    ($name:literal $(, $option:literal)*) => {
        Job {
            name: $name,
            arguments: &["--jobs", "1", "-q", "--fail-on", "never", $($option,)* "."],
            statuses: &[0, 2],
        }
    };
}

/// Ignores of every kind. Long lines of them were quadratic.
pub const IGNORES: &[Pattern] = &[
    ("ignores on one line", Body, "", "<!-- kep-lint-ignore dead-link: x --> ", "\n"),
    ("ignores without a reason", Body, "", "<!-- kep-lint-ignore dead-link --> ", "\n"),
    ("ignores of unknown rules", Body, "", "<!-- kep-lint-ignore dead-lnk%: x --> ", "\n"),
    ("ignores with links after them", Body, "", "<!-- kep-lint-ignore dead-link: x --> [a](b.md) ", "\n"),
    ("ignores for the file", Body, "", "<!-- kep-lint-ignore-file dead-link: x --> ", "\n"),
    ("ignores with text between", Body, "", "text <!-- kep-lint-ignore dead-link: x --> ", "\n"),
    ("ignores in cells", Body, "| a |\n|---|\n", "| <!-- kep-lint-ignore dead-link: x --> ", "|\n"),
    ("ignores in kep.yaml", Metadata, "title: X\n", "# kep-lint-ignore unknown-key: x\nk%: x\n", ""),
    ("ignores on one line of kep.yaml", Metadata, "title: X ", "# kep-lint-ignore unknown-key: x ", "\n"),
    ("blanks between ignores", Body, "", "<!-- kep-lint-ignore dead-link: x -->          \t          ", "\n"),
    ("ignores on lines of their own", Body, "", "<!-- kep-lint-ignore dead-link: x -->\n\n", ""),
    ("ignores above headings", Body, "", "<!-- kep-lint-ignore empty-section: x -->\n## H %\n\n", ""),
    ("ignores in items", Body, "", "- <!-- kep-lint-ignore dead-link: x -->\n  [a](b%.md)\n", ""),
    ("rules of one ignore", Body, "<!-- kep-lint-ignore ", "dead-link, ", "stale-toc: x -->\n"),
    ("unknown rules of one ignore", Body, "<!-- kep-lint-ignore ", "no-rule-%, ", "stale-toc: x -->\n"),
    ("titles of one ignore", Body, "<!-- kep-lint-ignore ", "empty-section(\"Title %\"), ", "stale-toc: x -->\n"),
    ("titles that are not closed", Body, "<!-- kep-lint-ignore ", "empty-section(\"Title %, ", "b(\"c\"): x -->\n"),
    ("lines of an ignore", Body, "<!-- kep-lint-ignore dead-link: ", "a line\n", "-->\n"),
    ("ignores that are not closed", Body, "", "<!-- kep-lint-ignore dead-link: x\n\n", ""),
    ("ignores in OWNERS", Owners, "approvers:\n", "# kep-lint-ignore node-approver: x\n- a%\n", ""),
    (
        "ignores in a review",
        Review,
        "kep-number: 1\n",
        "# kep-lint-ignore invalid-prr: x\nalpha%:\n  approver: x\n",
        "",
    ),
    ("ignores of a document", Document, "", "<!-- kep-lint-ignore dead-link: x --> [a](b.md) ", "\n"),
];

/// What newer rules read.
pub const NEWER: &[Pattern] = &[
    ("undefined references", Body, "", "[a][b%] ", "\n"),
    ("links to KEPs", Body, "", "[KEP-%](/keps/sig-node/1-x/) ", "\n"),
    ("code spans that are not closed", Body, "", "a `b %\n\n", ""),
    ("backticks on one line", Body, "", "`a` `` ` ", "\n"),
    ("commented-out sections", Body, "", "<!--\n## Goals\n-->\n\n", ""),
    ("headings in one comment", Body, "<!--\n", "## Goals %\n\n", ""),
    ("history", Readme, "# KEP-1: X\n\n## Implementation History\n\n", "- 2024-01-02: alpha in v1.%\n", ""),
    ("graduation criteria", Readme, CRITERIA, "#### Beta\n\n- item %\n\n", ""),
    ("tests without links", Readme, TESTS, "- `pkg/a%`: `2024-01-02` - `80`\n", ""),
    (
        "answers in boxes",
        Readme,
        ENABLED,
        "- [ ] Feature gate %\n  - Components depending on the feature gate: x\n",
        "",
    ),
    ("components of a gate", Metadata, "title: X\nfeature-gates:\n  - name: A\n    components: [", "kube-%, ", "x]\n"),
    ("milestones", Metadata, "title: X\nmilestone:\n", "  alpha: \"v1.%\"\n", ""),
    ("metrics of kep.yaml", Metadata, "title: X\nmetrics:\n", "  - a_%_total\n", ""),
    ("replaced KEPs", Metadata, "title: X\nreplaces:\n", "  - /keps/sig-node/%-x\n", ""),
    ("unknown tags", Body, "", "a <b-%> ", "\n"),
    ("unknown tags in one word", Body, "", "<b-%>", "\n"),
    ("unknown tags with open ends", Body, "", "<b-%>/<", "\n"),
    ("unknown tags of HTML", Body, "<div>\n", "<b-%>\n", "</div>\n"),
    ("malformed boxes", Body, "", "- [] a %\n", ""),
    ("malformed boxes on one line", Body, "", "- [ x ", "\n"),
    ("dated lines", Readme, "# KEP-1: X\n\n## Implementation History\n\n", "2024-01-02: alpha in v1.%\n", ""),
    ("doubled words", Body, "", "a the the b ", "\n"),
    ("doubled words next to links", Body, "", "[a](b.md) the the ", "\n"),
    ("invalid metrics", Metadata, "title: X\nmetrics:\n", "  - a_% (of b)\n", ""),
    ("fields that are too deep", Readme, ENABLED, "- [x] Feature gate %\n      - Details: x\n", ""),
    ("tables without their columns", Body, "", "a | b\n--|--|--\n", ""),
    ("lines of dashes", Body, "", "|--|--|\n", ""),
    ("targets with spaces", Body, "", "[a](./b c d%) ", "\n"),
    ("targets with spaces that are not closed", Body, "", "[a](./b c ", "\n"),
    ("headings as targets", Body, "", "[a](#b c ", "\n"),
    ("targets with brackets", Body, "", "[a](b%]) ", "\n"),
    ("placeholder values", Metadata, "title: X\nreviewers:\n", "  - TBD\n", ""),
];

const CRITERIA: &str = "# KEP-1: X\n\n## Design Details\n\n### Graduation Criteria\n\n";
const TESTS: &str = "# KEP-1: X\n\n## Design Details\n\n### Test Plan\n\n##### Unit tests\n\n";
const ENABLED: &str = "# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n### Feature Enablement and \
    Rollback\n\n###### How can this feature be enabled / disabled in a live cluster?\n\n";

/// A report as JSON.
pub const JSON: Job = check!("", "--format", "json");
/// The same against a template of its own.
pub const TEMPLATE: Job = check!("", "--format", "json", "--template", "template.md");
/// The report for people.
pub const PRETTY: Job = check!("--format pretty", "--format", "pretty");
/// All fixes.
pub const FIX: Job = check!("--fix", "--format", "json", "--fix", "--unsafe-fixes");
/// With `--diff`, there being something to change is 1.
const ADD_IGNORES: Job =
    Job { statuses: &[1, 2], ..check!("--add-ignores", "--add-ignores=why", "--diff", "--level", "suggestion") };
const HTML: Job = check!("--format html", "--format", "html");
const SARIF: Job = check!("--format sarif", "--format", "sarif");
const JUNIT: Job = check!("--format junit", "--format", "junit");
const READY: Job = Job { name: "ready", arguments: &["ready", "1"], statuses: &[0, 1] };
const BOARD: Job =
    Job { name: "ready --format html", arguments: &["ready", "--format", "html", "keps"], statuses: &[0, 1] };
const PROMOTE: Job =
    Job { name: "promote", arguments: &["promote", "1", "stable", "--release", "v1.37", "--diff"], statuses: &[1] };
const ANSWERS: Job = Job {
    name: "explain --answers",
    arguments: &["explain", "Unit tests", "Scalability", "--answers", "3"],
    statuses: &[0],
};
const COMPARE: Job =
    Job { name: "template compare", arguments: &["template", "compare", "old.md", "new.md"], statuses: &[1] };

/// The patterns that are measured with other commands as well.
pub const ALSO: &[(Job, &[&str])] = &[
    (FIX, &["ignores on one line", "ignores without a reason", "unknown rules of one ignore", "ignores in items"]),
    (FIX, &["unknown tags", "malformed boxes", "dated lines", "doubled words"]),
    (ADD_IGNORES, &["dead links", "headings"]),
    (HTML, &["dead links", "dead anchors on one line", "ignores on one line", "bare names", "stale entries"]),
    (SARIF, &["dead links"]),
    (JUNIT, &["dead links"]),
    (READY, &["boxes", "headings", "graduation criteria", "tests without links", "stages of a review", "history"]),
    (
        PROMOTE,
        &["headings, toc", "boxes", "stages of a review", "ignores on one line", "equal headings", "blank lines"],
    ),
];

/// What takes other files than one pattern.
pub const FILES: &[(Job, Tree)] = &[
    (READY, ("unknown keys", KILOBYTES, |size| metadata(size, "", "k%: x\n"))),
    (READY, ("approvers", KILOBYTES, |size| metadata(size, "approvers:\n", "  - \"@a%\"\n"))),
    (BOARD, ("KEPs of a release", [50, 200], |count| keps(count, "latest-milestone: v1.37\n"))),
    (PROMOTE, ("unknown keys", KILOBYTES, |size| metadata(size, "", "k%: x\n"))),
    (PROMOTE, ("comments", KILOBYTES, |size| metadata(size, "", "# stage: alpha\n"))),
    (PROMOTE, ("milestones", KILOBYTES, |size| metadata(size, "milestone:\n", "  alpha%: \"v1.%\"\n"))),
    (PROMOTE, ("one long value", KILOBYTES, |size| metadata(size, "see-also: [", "/keps/sig-node/%-x, "))),
    (ANSWERS, ("tests", KILOBYTES, |size| answered(size, "- `pkg/a%`: `2024-01-02` - `80`\n"))),
    (ANSWERS, ("words", KILOBYTES, |size| answered(size, "word % "))),
    (COMPARE, ("headings", [100, 400], |count| templates(count, &format!("## {}%\n", "word ".repeat(5))))),
    (COMPARE, ("lines", [10_000, 40_000], |count| templates(count, "a line % of the guidance\n"))),
    (COMPARE, ("comments", [10_000, 40_000], |count| templates(count, "<!-- a line % -->\n\n"))),
    (
        ANSWERS,
        ("KEPs", [100, 400], |count| {
            let more = "## Design Details\n\n### Test Plan\n\n##### Unit tests\n\nAll of it is tested.\n";
            let directory = |at: usize| format!("keps/sig-node/{}-x{at}", at + 2);
            let metadata = METADATA.replace("implementable", "implemented").replace("beta", "stable");
            let file = |at: usize| {
                [
                    (format!("{}/README.md", directory(at)), format!("{README}\n{more}")),
                    (format!("{}/kep.yaml", directory(at)), metadata.clone()),
                ]
            };
            (0..count).flat_map(file).collect()
        }),
    ),
];

const KILOBYTES: [usize; 2] = [20_000, 80_000];

/// A kep.yaml with all that a KEP needs and, after `before`, `piece` again and again.
fn metadata(size: usize, before: &str, piece: &str) -> Files {
    let end = if before.ends_with('[') { "]\n" } else { "" };
    vec![kep_file("kep.yaml", format!("{METADATA}{before}{}{end}", repeated(piece, size)))]
}

/// Two versions of a template with `count` pieces, all of which differ if they have a number.
fn templates(count: usize, piece: &str) -> Files {
    let text = |from: usize| (0..count).map(|at| piece.replace('%', &(from + at).to_string())).collect::<String>();
    let file = |name: &str, from| (name.to_owned(), format!("# T\n\n## A {from}\n\n{}", text(from)));
    vec![file("old.md", 0), file("new.md", count)]
}

/// A KEP that is implemented, with a section of `piece`, again and again.
fn answered(size: usize, piece: &str) -> Files {
    let text = repeated(piece, size);
    let readme = format!("{README}\n## Design Details\n\n### Test Plan\n\n##### Unit tests\n\n{text}\n");
    let metadata = METADATA.replace("implementable", "implemented").replace("beta", "stable");
    vec![kep_file("README.md", readme), kep_file("kep.yaml", metadata)]
}
