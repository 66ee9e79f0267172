//! The texts and trees whose cost the growth check measures, one line per pattern.

#[path = "commands.rs"]
pub mod commands;

use self::Place::{Aliases, Body, Document, Groups, Metadata, Owners, Readme, Review, Template, Toc};

/// Which file of a KEP a pattern fills.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// README.md, below a title and `## Summary`.
    Body,
    /// README.md, below a title, `<!-- toc -->`, `<!-- /toc -->` and `## Summary`.
    Toc,
    /// README.md, completely.
    Readme,
    /// Another Markdown file of the KEP, below a title.
    Document,
    /// kep.yaml.
    Metadata,
    /// OWNERS.
    Owners,
    /// The PRR file.
    Review,
    /// OWNERS_ALIASES.
    Aliases,
    /// sigs.yaml.
    Groups,
    /// The file of `--template`.
    Template,
}

/// A name, the file, the text before, the text that is repeated (`%` is a number that increases), and the text after.
pub type Pattern = (&'static str, Place, &'static str, &'static str, &'static str);

/// The patterns that are linted.
pub const PATTERNS: &[Pattern] = &[
    // Formerly quadratic, or overflowed the stack.
    ("keys without values", Metadata, "", "k%:\n", ""),
    ("keys", Metadata, "", "k%: x\n", ""),
    ("nearly known keys", Metadata, "", "latest-mileston%: x\n", ""),
    ("authors on one line", Metadata, "authors: [", "\"@a\", ", "\"@b\"]\n"),
    ("brackets in a heading", Body, "## ", "[", "\n"),
    ("brackets in a heading, toc", Toc, "## ", "[", "\n"),
    ("half links in a heading", Body, "## ", "[a](", "\n"),
    ("half links in a heading, toc", Toc, "## ", "[a](", "\n"),
    ("half tags in a heading", Body, "## ", "<a ", "\n"),
    ("half tags in a heading, toc", Toc, "## ", "<a ", "\n"),
    ("emphasis and hashes on one line", Body, "", "*a*##x ", "\n"),
    ("unresolved markers on one line", Body, "", "<<[UNRESOLVED ", "\n"),
    ("comments on one line", Body, "", "a <!-- b --> ", "\n"),
    ("dead anchors on one line", Body, "", "[a](#b) ", "\n"),
    ("directive with unknown keys", Body, "<!-- DIRECTIVE: ", "x: y, ", "required: true -->\n"),
    ("keys with CR alone", Metadata, "", "k%: x\r", ""),
    ("nested metric names", Readme, SLI, "- ", "Metric name: a_b\n"),
    ("half footnotes", Body, "", "[^a", "\n"),
    ("half links", Body, "", "[a](", "\n"),
    ("parentheses before brackets", Body, "", "(a)[", "\n"),
    ("half images", Body, "", "![a](", "\n"),
    ("half links in angle brackets", Body, "", "[a](<b", "\n"),
    // Markdown.
    ("words", Body, "", "word ", "\n"),
    ("one long word", Body, "", "x", "\n"),
    ("open brackets", Body, "", "[", "\n"),
    ("closed brackets", Body, "", "]", "\n"),
    ("stars", Body, "", "*a **b ", "\n"),
    ("underscores", Body, "", "_a __b ", "\n"),
    ("tildes", Body, "", "~a ~~b ", "\n"),
    ("backticks", Body, "", "`a ``b ", "\n"),
    ("backslashes", Body, "", "\\[\\](", "\n"),
    ("entities", Body, "", "&amp;&lt;&#1;&x", "\n"),
    ("tags", Body, "", "<b><i>", "\n"),
    ("half tags", Body, "", "<a b='", "\n"),
    ("autolinks", Body, "", "<http://a.b/%> ", "\n"),
    ("bare addresses", Body, "", "https://a.b/% www.a.b ", "\n"),
    ("quotes on one line", Body, "", "> ", "a\n"),
    ("items on one line", Body, "", "- ", "a\n"),
    ("quoted lines", Body, "", "> a\n> - b\n", ""),
    ("items", Body, "", "- item %\n", ""),
    ("numbered items", Body, "", "%. item\n\n", ""),
    ("boxes", Body, "", "- [ ] (R) item %\n", ""),
    ("boxes on one line", Body, "", "[x] ", "\n"),
    ("rows of a table", Body, "| a | b |\n|---|---|\n", "| `c` | % |\n", ""),
    ("columns of a table", Body, "", "| a ", "|\n"),
    ("HTML blocks", Body, "", "<div>\n\n", ""),
    ("details", Body, "", "<details>\n<summary>a</summary>\n", ""),
    ("fences", Body, "", "```\n# a\n", ""),
    ("fences of two kinds", Body, "", "~~~\n```go\n", ""),
    ("indented code", Body, "", "    a\n\n", ""),
    ("blank lines", Body, "", "\n", ""),
    ("tabs", Body, "", "\t", "a\n"),
    ("hard breaks", Body, "", "a  \nb\\\n", ""),
    ("thematic breaks", Body, "", "---\n\n***\n\n", ""),
    ("setext headings", Body, "", "a %\n===\n\nb\n---\n\n", ""),
    ("lines with CR alone", Body, "", "## a %\r\rtext\r\r", ""),
    ("lines with CR LF", Body, "", "## a %\r\n\r\ntext\r\n", ""),
    ("NUL and others", Body, "", "\0\u{feff}\u{2028}", "\n"),
    ("definitions", Body, "", "[a%]: b\n", ""),
    ("references", Body, "", "[a%][a%] [b%] ", "\n\n[a1]: b\n"),
    ("footnotes", Body, "", "a[^%]\n\n[^%]: b\n\n", ""),
    ("checked boxes with links", Body, "", "- [x] [a](b)\n", ""),
    // Headings and tables of contents.
    ("headings", Body, "", "## Heading %\n\n", ""),
    ("headings, toc", Toc, "", "## Heading %\n\n", ""),
    ("equal headings", Body, "", "## Summary\n\n", ""),
    ("equal headings, toc", Toc, "", "## A\n\n", ""),
    ("stairs of headings, toc", Toc, "", "# a\n## b\n### c\n#### d\n##### e\n###### f\n", ""),
    ("headings without a space", Body, "", "##a%\n\n", ""),
    ("headings in code", Body, "", "```\n\n## Goals\n\n", ""),
    ("one long heading, toc", Toc, "## ", "word ", "\n"),
    ("stars in a heading, toc", Toc, "## ", "*a **b ", "\n"),
    ("backticks in a heading, toc", Toc, "## ", "`a ``b ", "\n"),
    ("entities in a heading, toc", Toc, "## ", "&amp;&x", "\n"),
    ("images in a heading, toc", Toc, "## ", "![a", "\n"),
    ("half footnotes in a heading, toc", Toc, "## ", "[^a", "\n"),
    ("markers", Readme, "# KEP-1: X\n\n", "<!-- toc -->\n<!-- /toc -->\n", ""),
    ("stale entries", Readme, "# KEP-1: X\n\n<!-- toc -->\n", "- [a %](#a-%)\n", "<!-- /toc -->\n\n## Summary\n"),
    ("opening markers", Readme, "# KEP-1: X\n\n", "<!-- toc -->\n", "- [a](#a)\n"),
    ("quotes on one line, toc", Toc, "", "> ", "a\n"),
    ("items on one line, toc", Toc, "", "- ", "# a\n"),
    ("items, toc", Toc, "", "- item\n\n  ## a\n\n", ""),
    ("tables, toc", Toc, "", "a | b\n--|--\n", ""),
    ("HTML blocks, toc", Toc, "", "<div>\n\n", ""),
    ("fences, toc", Toc, "", "```\n~~~\n", ""),
    ("definitions, toc", Toc, "", "[a%]: b\n[^c%]: d\n", ""),
    ("thematic breaks, toc", Toc, "", "---\n\n## a\n\n", ""),
    ("brackets, toc", Toc, "", "[a][", "\n"),
    ("comments, toc", Toc, "", "<!-- a\n\n## b\n", ""),
    // Comments, links and other text that rules check.
    ("openings of comments", Body, "", "<!--", "\n"),
    ("ends of comments", Body, "", "-->\n", ""),
    ("empty comments", Body, "", "<!-->\n<!--->\n", ""),
    ("comments", Body, "", "<!-- a % -->\n\n", ""),
    ("one long comment", Body, "<!--\n", "a line\n", "-->\n"),
    ("dead links", Body, "", "[a](b%.md) ", "\n"),
    ("broken links", Body, "", "[a] (b) [c]() [d](e.io) ", "\n"),
    ("links to headings", Body, "", "## a%\n\n[b](#c%)\n\n", ""),
    ("placeholders", Body, "", "TBD\n\nTODO\n\n", ""),
    ("unresolved blocks", Body, "", "<<[UNRESOLVED a]>>\n\n<<[/UNRESOLVED]>>\n\n", ""),
    ("unresolved, never closed", Body, "", "<<[UNRESOLVED a]>>\n", ""),
    ("one long title", Readme, "# KEP-1: ", "KEP-NNNN ", "\n"),
    ("titles", Readme, "", "# KEP-1: a\n\n", ""),
    ("template questions", Body, "", "###### How can this feature be enabled / disabled in a live cluster?\n\n", ""),
    ("gates", Readme, GATES, "- Feature gate name: GateOf%\n", ""),
    ("gates on one line", Readme, GATES, "- Feature gate name: GateOf%, ", "\n"),
    ("metrics", Readme, SLI, "- Metric name: a_%_total\n", ""),
    ("directives", Body, "", "<!-- DIRECTIVE: required: true -->\n", ""),
    ("directives, never closed", Body, "", "<!-- DIRECTIVE: required: true >\n", ""),
    ("aka in a directive", Body, "<!-- DIRECTIVE: required: true", ", aka: \"a%\"", " -->\n"),
    ("quotes in a directive", Body, "<!-- DIRECTIVE: ", "\"", " -->\n"),
    ("headings of a document", Document, "", "## Heading %\n\n[a](#b%)\n\n", ""),
    // YAML.
    ("equal keys", Metadata, "", "stage: alpha\n", ""),
    ("list items", Metadata, "title: X\nreviewers:\n", "  - \"@a%\"\n", ""),
    ("bare names", Metadata, "title: X\nauthors:\n", "  - @a%\n", ""),
    ("bare names in many keys", Metadata, "", "k%: @a\n", ""),
    ("dead references", Metadata, "title: X\nsee-also:\n", "  - /keps/sig-node/%-x\n", ""),
    ("feature gates", Metadata, "title: X\nfeature-gates:\n", "  - name: GateOf%\n    components: [a]\n", ""),
    ("unknown keys in gates", Metadata, "title: X\nfeature-gates:\n", "  - nam%: A\n", ""),
    ("flow sequences", Metadata, "title: ", "[", "\n"),
    ("flow mappings", Metadata, "title: ", "{a: ", "\n"),
    ("dashes on one line", Metadata, "title:\n  ", "- ", "a\n"),
    ("question marks", Metadata, "", "? a%\n", ""),
    ("anchors", Metadata, "", "k%: &a% x\n", ""),
    ("aliases", Metadata, "a: &a [x]\nb: [", "*a, ", "*a]\n"),
    ("dead aliases", Metadata, "b: [", "*a%, ", "*a]\n"),
    ("merges", Metadata, "a: &a {x: y}\n", "k%:\n  <<: *a\n", ""),
    ("comments in YAML", Metadata, "", "# a\n", "title: X\n"),
    ("comments after values", Metadata, "", "k%: x # a\n", ""),
    ("a long block", Metadata, "title: |\n", "  a line\n", ""),
    ("a long plain value", Metadata, "title: ", "word ", "\n"),
    ("a value of many lines", Metadata, "title: \"", "a\n  ", "\"\n"),
    ("a long date", Metadata, "creation-date: ", "9", "\n"),
    ("documents", Metadata, "", "--- \na: b\n", ""),
    ("tabs in YAML", Metadata, "", "k%:\tx\n\t- a\n", ""),
    ("colons without a space", Metadata, "", "a%:b\n", ""),
    ("quotes in YAML", Metadata, "title: ", "'a\" ", "\n"),
    ("tags in YAML", Metadata, "", "k%: !!int x\n", ""),
    // Other files.
    ("stages of a review", Review, "kep-number: 1\n", "alpha%:\n  approver: \"@a\"\n", ""),
    ("equal stages of a review", Review, "kep-number: 1\n", "beta:\n  approver: \"@a\"\n", ""),
    ("brackets in a review", Review, "kep-number: ", "[", "\n"),
    ("names in OWNERS", Owners, "approvers:\n", "- a%\n", ""),
    ("comments in OWNERS", Owners, "approvers:\n", "- a # b\n", ""),
    ("brackets in OWNERS", Owners, "approvers: ", "[", "\n"),
    ("groups in aliases", Aliases, "aliases:\n", "  a%:\n    - x\n", ""),
    ("approvers in aliases", Aliases, "aliases:\n  prod-readiness-approvers:\n", "    - a%\n", ""),
    ("brackets in aliases", Aliases, "aliases: ", "[", "\n"),
    ("groups", Groups, "sigs:\n", "- dir: sig-%\n", ""),
    ("brackets in groups", Groups, "sigs: ", "[", "\n"),
    ("former titles", Template, "# T\n\n## A\n<!--DIRECTIVE: required: true", ", aka: \"a %\"", "-->\n"),
    ("lines of a template", Template, "# T\n\n## A\n<!--DIRECTIVE: required: true-->\n", "\n- Line %\n", ""),
];

/// The patterns that are also measured with `--fix`.
pub const FIXED: &[&str] = &[
    "bare names",
    "headings, toc",
    "stale entries",
    "headings without a space",
    "brackets in a heading, toc",
    "template questions",
    "links to headings",
    "directives, never closed",
];

/// The patterns that are also measured with `--format pretty`.
pub const PRINTED: &[&str] = &["keys", "dead anchors on one line", "one long title", "headings", "dead references"];

const SLI: &str = "# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n### Monitoring Requirements\n\n###### What are the SLIs (Service Level Indicators) an operator can use to determine the health of the service?\n\n";

const GATES: &str = "# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n### Feature Enablement and Rollback\n\n###### How can this feature be enabled / disabled in a live cluster?\n\n";

/// The README of an empty KEP.
pub const README: &str = "# KEP-1: X\n\n## Summary\n\nText.\n";

/// The kep.yaml of an empty KEP.
pub const METADATA: &str = "title: X\nkep-number: 1\nstatus: implementable\nstage: beta\nowning-sig: sig-node\n";

/// The path and the text of a pattern's file at a size.
pub fn file((_, place, before, piece, after): Pattern, size: usize) -> (String, String) {
    let (path, head) = match place {
        Body => ("keps/sig-node/1-x/README.md", "# KEP-1: X\n\n## Summary\n\n"),
        Toc => ("keps/sig-node/1-x/README.md", "# KEP-1: X\n\n<!-- toc -->\n<!-- /toc -->\n\n## Summary\n\n"),
        Readme => ("keps/sig-node/1-x/README.md", ""),
        Document => ("keps/sig-node/1-x/design.md", "# Design\n\n"),
        Metadata => ("keps/sig-node/1-x/kep.yaml", ""),
        Owners => ("keps/sig-node/1-x/OWNERS", ""),
        Review => ("keps/prod-readiness/sig-node/1.yaml", ""),
        Aliases => ("OWNERS_ALIASES", ""),
        Groups => ("sigs.yaml", ""),
        Template => ("template.md", ""),
    };
    (path.to_owned(), format!("{head}{before}{}{after}", repeated(piece, size)))
}

/// `piece`, repeated until there are `size` bytes.
fn repeated(piece: &str, size: usize) -> String {
    let mut text = String::with_capacity(size + piece.len());
    for number in 1.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&piece.replace('%', &number.to_string()));
    }
    text
}

/// Paths and texts of several files.
pub type Files = Vec<(String, String)>;

/// A name, two sizes, and the files at a size.
pub type Tree = (&'static str, [usize; 2], fn(usize) -> Files);

/// Proposals that are no KEPs, whose pattern has all the wildcards that it may have and so many letters after them.
fn documents(count: usize, letters: usize) -> Files {
    let end = "b".repeat(letters);
    let config = format!("documents: p/{}{end}.md\nmetadata: none\n", "*a".repeat(8));
    let name = |at: usize| (format!("p/{}{at}{}{end}.md", "a".repeat(20), "a".repeat(20)), "# A\n".to_owned());
    let around = [("kep-lint.yaml".to_owned(), config), (".git/HEAD".to_owned(), String::new())];
    (0..count).map(name).chain(around).collect()
}

/// Measurements with several files: few and many, or short and long.
pub const TREES: &[Tree] = &[
    ("nested items in stairs", [20_000, 80_000], |size| readme(stairs(size, "- Metric name:\n"))),
    ("nested quotes in stairs", [20_000, 80_000], |size| readme(stairs(size, "> a\n"))),
    ("typos of feature gates", [2_000, 8_000], |size| {
        let typos: String =
            (0..size).map(|at| format!("The feature gate PrefetchImaeg{at} or PrefetchIMages0.\n")).collect();
        vec![kep_file("README.md", format!("{README}{typos}")), kep_file("kep.yaml", with_gates(1))]
    }),
    ("unknown feature gates", [500, 2_000], |size| {
        vec![kep_file("README.md", README.to_owned()), kep_file("kep.yaml", with_gates(size))]
    }),
    ("nested keys in stairs", [20_000, 80_000], |size| vec![kep_file("kep.yaml", stairs(size, "a:\n"))]),
    ("backticks of every length", [20_000, 80_000], |size| readme(runs(size, '`'))),
    ("stars of every length", [20_000, 80_000], |size| readme(runs(size, '*'))),
    ("aliases of a long list", [5_000, 20_000], long_aliases),
    ("anchors and aliases in groups", [20_000, 80_000], |size| vec![("sigs.yaml".to_owned(), expanding(size))]),
    ("anchors and aliases in aliases", [20_000, 80_000], |size| vec![("OWNERS_ALIASES".to_owned(), expanding(size))]),
    ("many documents of a KEP", [100, 400], |count| (0..count).map(document).collect()),
    ("KEPs", [100, 400], |count| keps(count, "")),
    ("KEPs with dead references", [100, 400], |count| keps(count, &dead_references(20))),
    ("KEPs that link to one another", [100, 400], linked),
    ("KEPs of one number", [100, 400], |count| (0..count).map(|at| bare(&format!("keps/sig-a{at}/7-x"), "")).collect()),
    ("documents of a pattern", [100, 400], |count| documents(count, 100)),
    ("letters of a pattern", [12, 48], |letters| documents(100, letters)),
    ("trees", [100, 400], |count| (0..count).map(|at| bare(&format!("t{at}/keps/sig-node/1-x"), "")).collect()),
    ("reviews of no KEP", [100, 400], |count| (0..count).map(stray_review).collect()),
    // What only KEPs are asked that are worked on.
    ("announced tests", [20_000, 80_000], |size| {
        active("### Test Plan\n\n##### Unit tests", size, "- Tests will be added.\n")
    }),
    ("tests announced in a paragraph", [20_000, 80_000], |size| {
        active("### Test Plan\n\n##### Unit tests", size, "Tests will be added for GA.\n")
    }),
    ("waits", [20_000, 80_000], |size| active("### Graduation Criteria", size, "- GA: two releases in beta.\n")),
    ("waits in a paragraph", [20_000, 80_000], |size| {
        active("### Graduation Criteria\n\n#### GA", size, "Two releases\n")
    }),
    ("items of a checklist", [20_000, 80_000], |size| {
        active("## Release Signoff Checklist", size, "- [x] (R) Test plan is in place for GA\n")
    }),
    ("an item of a checklist", [20_000, 80_000], |size| {
        active("## Release Signoff Checklist\n\n- Test plan is in place\n- ", size, "Graduation criteria is in place\n")
    }),
    ("words about stages", [20_000, 80_000], |size| active("## Summary", size, "This is an alpha field of GateOfX.\n")),
    ("what the template asks for", [20_000, 80_000], |size| {
        active("### Scalability", size, "- estimated throughput\n")
    }),
    ("dead references and links of one KEP", [300, 1200], |count| {
        let links: String = (0..count).map(|at| format!("[a](/keps/sig-node/{at}-y/README.md)\n")).collect();
        let mut files = keps(100, "");
        files.push(kep_file("README.md", format!("{README}{links}")));
        files.push(kep_file("kep.yaml", format!("{METADATA}{}", dead_references(count))));
        files
    }),
];

/// A kep.yaml with `count` feature gates that Kubernetes does not have.
fn with_gates(count: usize) -> String {
    let gates: String =
        (0..count).map(|at| format!("  - name: PrefetchImages{at}\n    components: [kubelet]\n")).collect();
    format!("status: implementable\nstage: alpha\nlatest-milestone: v1.36\nfeature-gates:\n{gates}")
}

fn kep_file(name: &str, text: String) -> (String, String) {
    (format!("keps/sig-node/1-x/{name}"), text)
}

fn readme(text: String) -> Files {
    vec![kep_file("README.md", format!("{SLI}{text}"))]
}

/// A KEP that is worked on, with `piece` again and again below `heading`.
fn active(heading: &str, size: usize, piece: &str) -> Files {
    const PLAN: &str = "latest-milestone: v1.37\nmilestone:\n  beta: v1.37\n  stable: v1.38\n";
    let metadata = format!("{METADATA}{PLAN}feature-gates:\n  - name: GateOfX\n    components: [kubelet]\n");
    let readme = format!("# KEP-1: X\n\n## Design Details\n\n{heading}\n\n{}", repeated(piece, size));
    vec![kep_file("README.md", readme), kep_file("kep.yaml", metadata)]
}

/// Lines with increasing indentation, until there are `size` bytes.
fn stairs(size: usize, line: &str) -> String {
    let mut text = String::new();
    for depth in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&"  ".repeat(depth));
        text.push_str(line);
    }
    text
}

/// Runs of `letter` with increasing length, until there are `size` bytes.
fn runs(size: usize, letter: char) -> String {
    let mut text = String::new();
    for length in 1.. {
        if text.len() >= size {
            break;
        }
        text.extend(std::iter::repeat_n(letter, length));
        text.push_str(" a ");
    }
    text
}

/// A list of half the `size`, and aliases of it.
fn expanding(size: usize) -> String {
    let list = "x,".repeat(size / 4);
    let aliases: String = (0..size / 80).map(|at| format!("b{at}: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n")).collect();
    format!("a: &a [{list}]\n{aliases}")
}

fn long_aliases(size: usize) -> Files {
    let (list, aliases) = ("x,".repeat(size / 4), "*a,".repeat(size / 6));
    vec![kep_file(
        "kep.yaml",
        format!("title: X\nreviewers: &a [{list}]\nauthors: [{aliases}]\nsee-also: [{aliases}]\n"),
    )]
}

fn document(at: usize) -> (String, String) {
    let next = at + 1;
    kep_file(&format!("docs/d{at}.md"), format!("# D {at}\n\n[a](d{next}.md#d-{next}) [b](gone{at}.md)\n"))
}

/// Only a KEP's README.
fn bare(directory: &str, more: &str) -> (String, String) {
    (format!("{directory}/README.md"), format!("{README}{more}"))
}

/// `count` KEPs, with `more` in each kep.yaml.
fn keps(count: usize, more: &str) -> Files {
    let directory = |at: usize| format!("keps/sig-node/{}-x{at}", at + 2);
    let metadata = (0..count).map(|at| (format!("{}/kep.yaml", directory(at)), format!("{METADATA}{more}")));
    (0..count).map(|at| bare(&directory(at), "")).chain(metadata).collect()
}

fn dead_references(count: usize) -> String {
    let paths: String = (0..count).map(|at| format!("  - /keps/sig-node/9{at}-dead\n")).collect();
    format!("see-also:\n{paths}")
}

fn linked(count: usize) -> Files {
    let link = |at: usize| format!("\n[a](../{}-x/README.md#gone)\n", (at + 1) % count);
    (0..count).map(|at| bare(&format!("keps/sig-node/{at}-x"), &link(at))).collect()
}

fn stray_review(at: usize) -> (String, String) {
    (format!("keps/prod-readiness/sig-node/{}.yaml", at + 2), "kep-number: 1\n".to_owned())
}
