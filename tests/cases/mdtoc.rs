//! Tables of contents against what `mdtoc`, which upstream's CI runs, was recorded to write, case by case and for a
//! third of the corpus, or all of it at night.

use crate::agreement;
use crate::corpus::Keps;
use crate::oracle::recorded;
use crate::support::library::{self, Against, kep};
use crate::support::program::text;
use crate::support::{real_data, spread};
use crate::{with_data, without_data};
use data_encoding::HEXLOWER;
use kep_lint::diagnostic::{Diagnostic, Fix, Safety, Severity};
use kep_lint::fix::apply;
use kep_lint::mdtoc::{self, Markers};
use kep_lint::repository::Repository;
use kep_lint::rules::select::Selection;
use kep_lint::template::Template;
use libtest_mimic::Trial;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(Template::built_in);
static REPOSITORY: LazyLock<Repository> = LazyLock::new(Repository::default);

/// mdtoc compares carriage returns too, and so finds a file with them out of date whatever it says. Git may have put
/// them there at checkout; they are no fault of the author's, and only the preset `upstream` reports them.
const WITH_CARRIAGE_RETURNS: [&str; 2] = [
    "real:crlf:keps/sig-scheduling/2372-node-labels-quota/README.md",
    "real:crlf:keps/sig-cli/859-kubectl-headers/README.md",
];

pub fn trials(corpus: Option<&Arc<Keps>>) -> Vec<Trial> {
    let mut trials = vec![with_data("seeds/the table of 3920 is updated", "seeds", the_table_of_3920_is_updated)];
    for case in recorded("mdtoc-cases.jsonl") {
        let name = text(&case["name"]).to_owned();
        trials.push(agreement::trial("mdtoc", &name, move || recorded_case(&case)));
    }
    let (Some(oracle), Some(corpus)) = (real_data("oracle"), corpus) else {
        trials.push(without_data("mdtoc-corpus/all files"));
        return trials;
    };
    let head = fs::read_to_string(oracle.join("mdtoc-head.json")).expect("the record is there");
    let head: Value = serde_json::from_str(&head).expect("the record is JSON");
    for (path, record) in spread(head["files"].as_object().expect("files by path").iter().collect(), 150) {
        let (file, record) = (corpus.root.join(path), record.clone());
        trials.push(agreement::trial("mdtoc-corpus", path, move || corpus_file(&read_linked(&file), &record)));
    }
    trials
}

/// What a rule of this category finds in a README.
fn findings(readme: &str, rule: &str) -> Vec<Diagnostic> {
    let selection = Selection::new(&[rule.to_owned()], &[]).expect("it is a rule");
    let options = library::options(|options| options.selection = selection);
    let against = Against { template: &TEMPLATE, repository: &REPOSITORY, options: &options };
    against.lint(&kep("keps/sig-node/1234-images", [("README.md", readme)])).diagnostics
}

fn fixed(readme: &str, fix: &Fix) -> String {
    // Where mdtoc and GitHub see different headings, the fix needs review.
    let disagrees = findings(readme, "stale-toc")
        .iter()
        .any(|found| found.message != "the table of contents is out of date" || !found.related.is_empty());
    assert!(fix.safety == Safety::Safe || disagrees);
    apply(readme, &fix.edits).expect("the edits lie in the README")
}

/// The table is what mdtoc writes, and it is reported where mdtoc complains.
fn recorded_case(case: &Value) -> Result<(), String> {
    let (name, markdown) = (text(&case["name"]), text(&case["markdown"]));
    let (ours, theirs) = (mdtoc::generate(markdown), text(&case["toc"]));
    if ours != theirs {
        return Err(format!("ours:\n{ours}\ntheirs:\n{theirs}"));
    }
    let is_stale = findings(markdown, "stale-toc").iter().any(|found| found.severity > Severity::Advice);
    let is_missing = !findings(markdown, "missing-toc").is_empty();
    let ours = match (is_missing, is_stale) {
        (true, false) => "error",
        (false, true) => "out-of-date",
        (false, false) => "up-to-date",
        (true, true) => return Err("missing and stale".to_owned()),
    };
    let theirs = if WITH_CARRIAGE_RETURNS.contains(&name) { "up-to-date" } else { text(&case["status"]) };
    if ours == theirs { Ok(()) } else { Err(format!("{ours} instead of {theirs}")) }
}

/// The text of a file. A link may be there as a file of one line that names its target, as git writes it where the file
/// system has no links.
fn read_linked(path: &Path) -> String {
    let content = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_link = !content.contains('\n') && content.ends_with(".md");
    if is_link { read_linked(&path.with_file_name(content)) } else { content }
}

/// A file that mdtoc finds up to date is no error; its table is the recorded one, and is written again once it is emptied.
fn corpus_file(readme: &str, record: &Value) -> Result<(), String> {
    assert_eq!(record["status"], "up-to-date");
    if let Some(found) = findings(readme, "stale-toc").iter().find(|found| found.severity > Severity::Advice) {
        return Err(format!("up to date, but reported: {found:?}"));
    }
    let hash = HEXLOWER.encode(&Sha256::digest(mdtoc::generate(readme)));
    if hash != text(&record["toc_sha256"]) {
        return Err("the table is another one".to_owned());
    }
    let between = Markers::find(readme).between().ok_or("there are no markers")?;
    let with = |table: &str| [&readme[..between.start], table, &readme[between.end..]].concat();
    let emptied = with("");
    if mdtoc::generate(readme).is_empty() {
        // There is nothing to list.
        return Ok(());
    }
    let found = findings(&emptied, "stale-toc");
    let fix = found.first().and_then(|found| found.fix.as_ref()).ok_or("an emptied table is not fixed")?;
    // mdtoc accepts blank lines around a table, but writes none.
    let trimmed = format!("\n{}\n", readme[between.clone()].trim());
    let is_same = [readme, &with(&trimmed)].contains(&fixed(&emptied, fix).as_str());
    if is_same { Ok(()) } else { Err("an emptied table is written otherwise".to_owned()) }
}

fn the_table_of_3920_is_updated(seeds: &Path) {
    let readme = fs::read_to_string(seeds.join("3920/README.md")).expect("the seed is there");
    let found = findings(&readme, "stale-toc");
    assert_eq!(found.iter().map(|found| found.severity).collect::<Vec<_>>(), [Severity::Error]);
    let fixed = fixed(&readme, found[0].fix.as_ref().expect("it can be fixed"));
    let (before, after) = (Markers::find(&readme).between(), Markers::find(&fixed).between());
    let (before, after) = (before.expect("markers"), after.expect("markers"));
    assert_eq!(readme[..before.start], fixed[..after.start]);
    assert_eq!(readme[before.end..], fixed[after.end..]);
    let table = &fixed[after];
    for listed in ["- [High-level design](#", "- [Client Flow](#", "- [API](#", "- [Server flow](#"] {
        assert_eq!(table.matches(listed).count(), 1, "{listed} in {table}");
    }
    assert_eq!(table.matches("- [Story: ").count(), 4, "{table}");
    assert_eq!(findings(&fixed, "stale-toc"), []);
}
