//! The places that show text of a KEP, a configuration, a template or a file name, each with what it is written in: the same
//! hostile texts from all these sources act in none of them. A new place gets a row.

mod server;

use crate::support::acts::{Carrier, HARMLESS, HOSTILE, acting, kinds_of_tags};
use crate::support::in_turn;
use crate::support::program::{Printed, command, items, kep_lint, printed, text};
use crate::support::scratch::Scratch;
use kep_lint::report::format::ALL;
use kep_lint::report::ready;
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

/// What a place is written in.
#[derive(Clone, Copy)]
enum Written {
    In(Carrier),
    /// Lines with `\r\n`, in which no field is a formula.
    Csv,
    /// Lines with the tabs and line ends of a file.
    Patch,
}

use Written::{Csv, In, Patch};

impl Written {
    fn acting(self, text: &str) -> Option<String> {
        let is_formula = |field: &&str| field.trim_start_matches('"').trim_start().starts_with(['=', '+', '-', '@']);
        match self {
            In(carrier) => acting(carrier, text),
            Patch => acting(Carrier::Lines, &text.replace("\r\n", "\n").replace('\t', " ")),
            Csv => {
                let formula = text.split([',', '\n']).find(is_formula).map(str::to_owned);
                formula.or_else(|| acting(Carrier::Lines, &text.replace("\r\n", "\n")))
            }
        }
    }
}

/// What is printed to standard output, by the arguments: `TITLE` is a heading of the template, and `ALL` the KEP with all
/// texts. Every format is added.
const PLACES: &[(&str, Written)] = &[
    ("keps --statistics", In(Carrier::Lines)),
    ("keps --diff --unsafe-fixes", Patch),
    ("explain TITLE", In(Carrier::Lines)),
    ("explain TITLE --template template.md --answers 9", In(Carrier::Lines)),
    ("template show template.md", In(Carrier::Lines)),
    ("template show template.md --wide", In(Carrier::Lines)),
    ("template show template.md --format json", In(Carrier::Json)),
    ("template show template.md --format markdown", In(Carrier::Markdown)),
    ("template compare template.md other.md", In(Carrier::Lines)),
    ("template compare template.md other.md --format json", In(Carrier::Json)),
    ("template compare template.md other.md --format markdown", In(Carrier::Markdown)),
    ("template check template.md --level suggestion", In(Carrier::Lines)),
    ("template lines template.md --of visible", In(Carrier::Lines)),
    ("template annotate other.md --diff", Patch),
    ("ready ALL --prr", In(Carrier::Lines)),
    ("ready ALL --prr --format markdown", In(Carrier::Markdown)),
    ("ready ALL --prr --format html", In(Carrier::Html)),
    ("ready ALL --format comment --gate enhancements", In(Carrier::Markdown)),
    ("promote ALL beta --diff", Patch),
    ("upgrade ALL --diff", Patch),
    ("new sig-node 99 Images --diff", Patch),
    ("gates 1 2 3 ALL", In(Carrier::Lines)),
    ("list", In(Carrier::Lines)),
    ("list --format markdown", In(Carrier::Markdown)),
    ("list --format json", In(Carrier::Json)),
    ("list --format csv", Csv),
    ("facts", In(Carrier::Json)),
    ("config show", In(Carrier::Lines)),
    ("lsp --check", In(Carrier::Lines)),
];

/// `text` on one line.
fn line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// `text` as a value of YAML.
fn quoted(text: &str) -> String {
    let escaped = |letter: char| match letter {
        _ if letter.is_ascii_alphanumeric() || letter == ' ' => letter.to_string(),
        _ => format!("\\U{:08x}", u32::from(letter)),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// Headings, directives and guidance that say each of these.
fn template(texts: &[&str], guidance: &str) -> String {
    let section = |text: &&str| {
        let flat = line(text);
        format!(
            "## {flat}\n<!--DIRECTIVE: required: true, aka: \"old {flat}\"-->\n\n<!--\n{guidance} {text}\n-->\n\nform {flat}\n\n\
             ### More {flat}\n<!--DIRECTIVE: required: true, stage: {flat}, {flat}: x-->\n\n"
        )
    };
    format!("# KEP-NNNN: Title\n\n{}", texts.iter().map(section).collect::<String>())
}

/// The number of a KEP with broken links.
const LINKS: usize = 1_000;

/// A repository in which everything that a pull request can bring says these: a KEP for each of them, and one for all.
fn repository(texts: &[&str]) -> Scratch {
    let scratch = Scratch::empty();
    let all = texts.join(" ");
    let keps: Vec<(usize, &str)> = texts.iter().copied().chain([all.as_str()]).enumerate().collect();
    // A change has what it is compared with, too.
    for (is_base, (at, text)) in
        [true, false].into_iter().flat_map(|is_base| keps.iter().map(move |kep| (is_base, kep)))
    {
        let (number, flat, value) = (at + 1, line(text), quoted(text));
        // A name has at most 255 bytes, and not all letters.
        let name: String = text.chars().filter(|letter| !['/', '\0'].contains(letter)).take(60).collect();
        let directory = format!("keps/sig-node/{number}-{name}");
        let readme = format!(
            "# KEP-{number}: {flat}\n\n<!-- toc -->\n- [{flat}](#{flat})\n<!-- /toc -->\n\n## {flat}\n\n[a]({text})[b](#{text})\n\
             ##x{text}\n\n<<[UNRESOLVED {text}]>>\n\n[{text}][{text}]\n\n{text}\n\n<!-- {text}\n"
        );
        let metadata = format!(
            "title: {value}\nkep-number: {number}\nauthors: [{value}]\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n\
             approvers: [{value}]\nsee-also: [{value}]\nlatest-milestone: v1.37\nmilestone:\n  alpha: {value}\n  beta: v1.38\n\
             feature-gates:\n  - name: {value}\n    components: [{value}]\n{}: {value}\n",
            quoted(&name)
        );
        if is_base {
            let readme = readme.replace(&format!("[a]({text})"), "");
            let metadata = metadata.replace("stage: alpha", &format!("stage: {value}"));
            scratch.write(&format!("{directory}/README.md"), &readme);
            scratch.write(
                &format!("{directory}/kep.yaml"),
                &metadata.replace("milestone: v1.37", &format!("milestone: {value}")),
            );
            if *at + 1 == keps.len() {
                scratch.commit();
            }
            continue;
        }
        let review = format!("kep-number: {number}\nalpha:\n  approver: {value}\n");
        scratch.write(&format!("{directory}/README.md"), &readme);
        scratch.write(&format!("{directory}/kep.yaml"), &metadata);
        scratch.write(&format!("keps/prod-readiness/sig-node/{number}.yaml"), &review);
        #[cfg(unix)]
        {
            let links = scratch.at(&format!("keps/sig-node/{LINKS}-links"));
            std::fs::create_dir_all(&links).expect("a directory");
            std::os::unix::fs::symlink("nowhere", links.join(format!("{number}{name}.md"))).expect("a link");
        }
    }
    let values: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    scratch.write(".kep-lint.yaml", &format!("template: template.md\napprovers: [{}]\n", values.join(", ")));
    scratch.write("template.md", &template(texts, "Say"));
    scratch.write("keps/NNNN-kep-template/README.md", &template(texts, "Say"));
    scratch.write("other.md", &template(texts, "Write"));
    scratch.commit();
    scratch
}

/// Two repositories of as many texts, in one of which all are harmless.
struct Pair {
    texts: Vec<&'static str>,
    hostile: Scratch,
    calm: Scratch,
}

/// In how many parts the texts are tried. What a run costs grows with the square of their number.
const PARTS: usize = 3;

impl Pair {
    /// Those of a part, which has some of every kind.
    fn of_part(part: usize) -> Self {
        let texts: Vec<&str> = HOSTILE.into_iter().skip(part).step_by(PARTS).collect();
        let calm: Vec<&str> = [HARMLESS, "two words"].into_iter().cycle().take(texts.len()).collect();
        Self { hostile: repository(&texts), calm: repository(&calm), texts }
    }
}

/// What is printed for a row.
fn shown(folder: &Path, arguments: &str, title: &str, count: usize) -> Printed {
    let all = (count + 1).to_string();
    let word = |word| match word {
        "TITLE" => title,
        "ALL" => &all,
        _ => word,
    };
    kep_lint(folder, arguments.split(' ').map(word))
}

/// All rows.
fn places() -> Vec<(String, Written)> {
    let base = "--link-base https://example.com/o/r/blob/main";
    let findings = ALL.iter().flat_map(|it| {
        let since = format!("keps {base} --level suggestion --since HEAD~1 --format {}", it.name);
        let all = format!("keps {base} --level suggestion --format {}", it.name);
        let has_all = it.name != "github-review";
        [since].into_iter().chain(has_all.then_some(all)).map(|arguments| (arguments, In(Carrier::of(it))))
    });
    let boards = ready::ALL.iter().flat_map(|format| {
        let written = match format.name {
            "pretty" => In(Carrier::Lines),
            "csv" => Csv,
            "json" => In(Carrier::Json),
            "html" => In(Carrier::Html),
            _ => In(Carrier::Markdown),
        };
        ["keps", "ALL"].map(|what| (format!("ready {what} {base} --format {}", format.name), written))
    });
    findings
        .chain(boards)
        .chain(PLACES.iter().map(|(arguments, written)| ((*arguments).to_owned(), *written)))
        .collect()
}

#[test]
fn no_text_acts_in_any_place() {
    let pairs: Vec<Pair> = (0..PARTS).map(Pair::of_part).collect();
    // What a fix removes, lines to copy, and words that would act elsewhere.
    let of_fixes = kinds_of_tags(Carrier::Html, "<del></del><pre></pre><code></code>");
    let problems = |pair: &Pair, arguments: &str, written: Written| {
        let printed = shown(&pair.hostile.root, arguments, &line(pair.texts[3]), pair.texts.len());
        let acting = [written.acting(&printed.stdout), acting(Carrier::Lines, &printed.stderr)];
        let mut problems: Vec<String> = acting.into_iter().flatten().map(|found| format!("{found} acts")).collect();
        if printed.stdout.is_empty() {
            problems.push(format!("nothing is printed: {}", printed.stderr.lines().next().unwrap_or_default()));
        }
        if let In(carrier @ (Carrier::Markdown | Carrier::Html | Carrier::Xml)) = written {
            let calm = shown(&pair.calm.root, arguments, HARMLESS, pair.texts.len());
            let mut known = kinds_of_tags(carrier, &calm.stdout);
            known.extend(of_fixes.clone());
            let found = kinds_of_tags(carrier, &printed.stdout);
            problems.extend(found.difference(&known).map(|tag| format!("there is a {tag}")));
        }
        problems.into_iter().map(|problem| format!("{arguments}: {problem}")).collect::<Vec<_>>()
    };
    let places = places();
    let rows = places.par_iter().enumerate();
    let failed: Vec<String> = rows
        .flat_map_iter(|(at, (arguments, written))| {
            in_turn(&pairs, at).iter().flat_map(|pair| problems(pair, arguments, *written))
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A configuration is refused at its first mistake, so that each text has one of its own.
#[test]
fn no_configuration_acts() {
    let scratch = Scratch::sample();
    let mut run = 0;
    for (at, text) in HOSTILE.iter().enumerate() {
        let value = quoted(text);
        let forms = [
            format!("{value}: 1\n"),
            format!("preset: {value}\n"),
            format!("template: {value}\n"),
            format!("rules: {{{value}: off}}\n"),
            format!("exclude: [{value}, \"[\"]\n"),
        ];
        for form in in_turn(&forms, at) {
            scratch.write("own.yaml", form);
            let printed = kep_lint(&scratch.root, ["keps/sig-node", "--config", "own.yaml"]);
            assert_eq!((printed.status, acting(Carrier::Lines, &printed.stderr)), (2, None), "{}", printed.stderr);
            run += 1;
        }
    }
    assert!(run >= HOSTILE.len());
}

/// A runner reads commands on both outputs, and its summary is Markdown.
#[test]
fn no_text_acts_in_a_summary() {
    let scratch = repository(&HOSTILE);
    let mut command = command(&scratch.root);
    let command = command.args(["keps", "--format", "github"]).env("GITHUB_STEP_SUMMARY", scratch.at("summary.md"));
    let printed = printed(&command.output().expect("it runs"));
    assert_eq!(acting(Carrier::Commands, &printed.stdout), None);
    assert_eq!(acting(Carrier::Lines, &printed.stderr), None);
    assert_eq!(acting(Carrier::Markdown, &scratch.read("summary.md")), None);
}

/// A review is text of Markdown in JSON. What a suggestion replaces is in one block, which no text ends.
#[test]
fn no_text_acts_in_a_review() {
    let scratch = repository(&HOSTILE);
    let arguments = ["keps", "--since", "HEAD~1", "--level", "suggestion", "--format", "github-review"];
    let printed = kep_lint(&scratch.root, arguments);
    let review: Value = serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{}", printed.stderr));
    assert_eq!(acting(Carrier::Markdown, text(&review["body"])), None);
    let comments = items(&review["comments"]);
    assert!(!comments.is_empty());
    for comment in comments {
        let body = text(&comment["body"]);
        assert_eq!(acting(Carrier::Markdown, body), None, "{body}");
        let (before, block) = body.split_once("\n\n`").expect("a block");
        let fence = block.find("suggestion\n").expect("a suggestion") + 1;
        let lines: Vec<&str> = body.lines().collect();
        let closing = "`".repeat(fence);
        assert_eq!(lines.last(), Some(&closing.as_str()), "{body}");
        let inside = &lines[before.lines().count() + 2..lines.len() - 1];
        assert!(inside.iter().all(|line| !line.contains(&closing) && !line.trim_start().starts_with('/')), "{body}");
    }
}
