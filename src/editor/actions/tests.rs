//! Tests of what can be done about a finding.

use super::*;
use crate::editor::sample::{DIRECTORY, ask};
use crate::fix::apply;

const README: &str = "# KEP-1: Images\n\n<!-- toc -->\n- [Summary](#summary)\n- [Motivation](#motivation)\n<!-- /toc -->\n\n\
    ## Summary\n\nImages are fetched early, before a pod needs them.\n\n## Motivation\n\nPods start late, see [this](#sumary).\n";
const METADATA: &str =
    "title: Images\nkep-number: 1\nauthors:\n  - \"@a\"\nowning-sig: sig-node\nstatus: provisional\nstage: alhpa\n";

/// The texts after a remedy of the first finding of `rule`, and what is to be typed.
fn after(rule: &str, remedy: Remedy) -> Result<(Vec<String>, Option<String>), String> {
    after_in(METADATA, rule, remedy)
}

fn after_in(written: &str, rule: &str, remedy: Remedy) -> Result<(Vec<String>, Option<String>), String> {
    let readme = format!("{DIRECTORY}/README.md");
    let metadata = format!("{DIRECTORY}/kep.yaml");
    ask(&[(&readme, README), (&metadata, written)], |view| {
        let report = view.lint(&view.texts);
        let has_remedy =
            |finding: &&Diagnostic| finding.rule == rule && remedies(&view.texts, finding).contains(&remedy);
        let finding = report.diagnostics.iter().find(has_remedy);
        let finding = finding.unwrap_or_else(|| panic!("no {rule}: {:?}", report.diagnostics));
        let change = change(view, finding, remedy)?;
        let typed = change.to_type.map(|(number, range)| change.edits[number].text[range].to_owned());
        let texts = view.texts.files.iter().enumerate().map(|(number, file)| {
            let edits: Vec<Edit> =
                change.edits.iter().filter(|edit| edit.span.file.index() == number).cloned().collect();
            apply(&file.text, &edits).expect("the edits do not overlap")
        });
        Ok((texts.collect(), typed))
    })
}

#[test]
fn a_missing_section_takes_its_entry_in_the_contents_with_it() {
    let (texts, _) = after("missing-section", Remedy::Fix(Safety::Unsafe)).expect("it works");
    let readme = &texts[0];
    let (contents, rest) = readme.split_once("<!-- /toc -->").expect("it stays");
    let added: Vec<&str> = contents.lines().filter(|line| line.starts_with('-') && !README.contains(line)).collect();
    assert_eq!(added.len(), 1, "{readme}");
    let title = added[0].trim_start_matches("- [").split(']').next().expect("a link");
    assert!(rest.contains(&format!("## {title}\n")), "{readme}");
}

#[test]
fn an_ignore_waits_for_its_reason() {
    let (texts, typed) = after("invalid-stage", Remedy::Ignore).expect("it can be ignored");
    assert!(texts[1].contains("# kep-lint-ignore invalid-stage: …\nstage: alhpa\n"), "{}", texts[1]);
    assert_eq!(typed.as_deref(), Some(NO_REASON));
    let (others, _) = after("dead-anchor", Remedy::Ignore).expect("it can be ignored");
    assert!(others[0].contains("<!-- kep-lint-ignore dead-anchor: … -->\n"), "{}", others[0]);
}

#[test]
fn one_fix_changes_nothing_else() {
    let written = METADATA.replace("provisional", "Provisional");
    let (texts, typed) = after_in(&written, "invalid-status", Remedy::Fix(Safety::Safe)).expect("it works");
    assert_eq!(texts, [README, METADATA]);
    assert_eq!(typed, None);
}

#[test]
fn the_safe_fixes_are_those_of_the_command_line() {
    let readme = format!("{DIRECTORY}/README.md");
    let text = README.replace("- [Motivation](#motivation)\n", "");
    ask(&[(&readme, &text), (&format!("{DIRECTORY}/kep.yaml"), METADATA)], |view| {
        let Change { edits, fixed, .. } = fix_all(view, |_| false);
        let edit = Edit { text: "- [Motivation](#motivation)\n".to_owned(), ..edits[0].clone() };
        assert_eq!((edits, fixed), (vec![edit], 1));
    });
}

#[test]
fn only_the_contents_are_formatted() {
    let path = format!("{DIRECTORY}/README.md");
    let edits = |text: &str| {
        ask(&[(&path, text)], |view| {
            let change = contents(view, view.file(&path).expect("it is there"))?;
            Some(change.edits.into_iter().map(|edit| edit.text).collect::<Vec<_>>())
        })
    };
    let stale = "# KEP-1: Images\n\n<!-- toc -->\n- [Goals](#goals)\n<!-- /toc -->\n\n##  Summary  \n";
    assert_eq!(edits(stale), Some(vec!["Summary](#summary".to_owned()]));
    assert_eq!(edits("# KEP-1: Images\n\n<!-- toc -->\nMy words.\n<!-- /toc -->\n\n## Summary\n"), None);
    assert_eq!(edits("# KEP-1: Images\n\n##  Summary  \n"), None);
}
