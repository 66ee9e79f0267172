//! Tests of what can be written at a place.

use super::*;
use crate::diagnostic::{Diagnostic, Severity};
use crate::editor::sample::{DIRECTORY, ask};
use crate::span::Span;

const README: &str = "# KEP-1: Images\n\n## Summary\n\nText.\n\n| \n\n## Proposal\n\n## Design Details\n\n### Test Plan\n\n#### e2e tests\n";
const METADATA: &str = "title: Images\nkep-number: 1\nauthors:\n  - \"@a\"\nowning-sig: sig-node\nstatus: implementable\n\
    stage: beta\nlatest-milestone: \"v1.37\"\nmilestone:\n  alpha: \"v1.36\"\n  beta: \"v1.37\"\n\
    feature-gates:\n  - name: ImagesEarly\n    components:\n      - kubelet\ndisable-supported: true\n\
    see-also:\n  - /keps/sig-node/2-other\nparticipating-sigs:\n  - sig-api-machinery\n";
const OTHERS: [(&str, &str); 4] = [
    ("keps/sig-node/2-other/kep.yaml", "title: Other\n"),
    ("keps/sig-node/2-other/README.md", "# KEP-2: Other\n"),
    ("keps/sig-api-machinery/3-third/kep.yaml", "title: Third\n"),
    ("keps/prod-readiness/sig-node/1.yaml", "kep-number: 1\nbeta:\n  approver: \"@TBD\"\n"),
];

/// What can be written at `|` in a file, with the other files as they are.
fn offered(path: &str, text: &str) -> Option<(Vec<String>, Vec<String>)> {
    let offset = text.find('|').expect("the place is marked");
    let text = text.replacen('|', "", 1);
    with(path, &text, |view| {
        let file = view.file(path).expect("it is there");
        let finding = Diagnostic::new("dead-link", Severity::Error, Span::new(file, 0..0), "");
        let report = KepReport { diagnostics: vec![finding], ..KepReport::default() };
        let Completions { range, choices } = at(view, file, offset, Some(&report))?;
        assert!(range.start <= offset && offset <= range.end && !text[range.clone()].contains('\n'));
        let after =
            choices.iter().map(|choice| format!("{}{}{}", &text[..range.start], choice.text, &text[range.end..]));
        Some((choices.iter().map(|choice| choice.label.clone()).collect(), after.collect()))
    })
}

fn with<T>(path: &str, text: &str, question: impl FnOnce(&View<'_>) -> T) -> T {
    let (readme, metadata) = (format!("{DIRECTORY}/README.md"), format!("{DIRECTORY}/kep.yaml"));
    let plain = README.replace('|', "");
    let mut files = vec![(readme.as_str(), plain.as_str()), (metadata.as_str(), METADATA)];
    files.extend(OTHERS);
    files.retain(|(known, _)| *known != path);
    files.push((path, text));
    ask(&files, question)
}

fn metadata(text: &str) -> Vec<String> {
    offered(&format!("{DIRECTORY}/kep.yaml"), text).map(|(labels, _)| labels).unwrap_or_default()
}

fn readme(text: &str) -> Vec<String> {
    offered(&format!("{DIRECTORY}/README.md"), text).map(|(labels, _)| labels).unwrap_or_default()
}

#[test]
fn every_value_that_is_offered_passes_the_rules() {
    let path = format!("{DIRECTORY}/kep.yaml");
    let mut count = 0;
    let lines: Vec<&str> = METADATA.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let Some(at) = line.find(": ").map(|at| at + 2).or_else(|| line.find("- ").map(|at| at + 2)) else { continue };
        let marked = lines
            .iter()
            .enumerate()
            .map(|(other, text)| if other == number { format!("{}|\n", &text[..at]) } else { format!("{text}\n") });
        let Some((labels, texts)) = offered(&path, &marked.collect::<String>()) else { continue };
        for (label, text) in labels.iter().zip(&texts) {
            with(&path, text, |view| {
                let report = view.lint(&view.texts);
                let file = view.file(&path);
                let refused = report.diagnostics.iter().find(|finding| {
                    let here = &view.kep().texts.file(finding.span.file);
                    let is_there =
                        Some(finding.span.file) == file && here.lines().line_of(finding.span.start) == number;
                    // What else a status, stage or release asks for is not against the value.
                    let is_of_value = !["missing-prr", "stage-not-raised"].contains(&finding.rule);
                    is_there && finding.severity == Severity::Error && is_of_value
                });
                assert_eq!(refused, None, "{line}: {label}");
            });
            count += 1;
        }
    }
    assert!(count > 60, "only {count} values");
}

#[test]
fn keys_that_are_there_are_not_offered() {
    let keys = metadata(&format!("{METADATA}|\n"));
    assert!(keys.starts_with(&["approvers".to_owned()]), "{keys:?}");
    assert!(keys.contains(&"creation-date".to_owned()) && !keys.contains(&"title".to_owned()), "{keys:?}");
    assert!(!keys.iter().any(|key| ["id", "path", "name"].contains(&key.as_str())), "{keys:?}");
    let stages = metadata(&METADATA.replace("  beta: \"v1.37\"\n", "  |\n"));
    assert_eq!(stages, ["beta", "stable", "deprecated", "disabled", "removed"]);
    assert_eq!(metadata(&METADATA.replace("- name: ImagesEarly", "- |")), ["name", "components"]);
}

#[test]
fn values_are_those_that_fit() {
    assert_eq!(metadata(&METADATA.replace("sig-node\n", "|\n")), ["sig-node"], "the directory says which");
    let releases = metadata(&METADATA.replace("alpha: \"v1.36\"", "alpha: |"));
    assert_eq!(releases, ["v1.37"], "not after beta");
    assert_eq!(metadata(&METADATA.replace("  beta: \"v1.37\"", "  stable: |")), ["v1.37", "v1.38", "v1.39", "v1.40"]);
    assert_eq!(
        metadata(&METADATA.replace("- /keps/sig-node/2-other", "- /keps/sig-node/2-other\n  - /k|")),
        ["/keps/sig-api-machinery/3-third"]
    );
    let groups = metadata(&METADATA.replace("- sig-api-machinery", "- sig-api-machinery\n  - |"));
    assert!(
        groups.len() > 20
            && !groups.contains(&"sig-node".to_owned())
            && !groups.contains(&"sig-api-machinery".to_owned())
    );
    assert_eq!(metadata("# status: |\n"), Vec::<String>::new());
    let review = "keps/prod-readiness/sig-node/1.yaml";
    let (labels, texts) = offered(review, "kep-number: 1\nbeta:\n  approver: |\n").expect("there are approvers");
    assert!(labels.iter().all(|label| label.starts_with('@')) && texts[0].contains("approver: \"@"), "{texts:?}");
}

#[test]
fn headings_are_offered_where_they_belong() {
    let labels = readme(&README.replace("| ", "#|"));
    assert!(labels.contains(&"## Motivation".to_owned()) && !labels.contains(&"## Summary".to_owned()), "{labels:?}");
    assert!(labels.iter().all(|label| label.starts_with("## ")), "no subsection belongs below Summary: {labels:?}");
    let text = README.replace("| ", "").replace("## Proposal\n", "## Proposal\n\n### Ris|\n");
    let inner = readme(&text);
    assert!(inner.contains(&"### Risks and Mitigations".to_owned()), "{inner:?}");
    assert!(!inner.contains(&"### Goals".to_owned()), "{inner:?}");
    let (_, texts) = offered(&format!("{DIRECTORY}/README.md"), &text).expect("there are some");
    assert!(texts.iter().any(|it| it.contains("\n### Risks and Mitigations\n\n<!--")), "with guidance");
    assert_eq!(readme("```sh\n#|\n```\n"), Vec::<String>::new());
}

#[test]
fn links_gates_and_rules_are_offered() {
    assert_eq!(readme("# KEP-1: A b\n\n## Zürich\n\n[x](#z|)\n"), ["#kep-1-a-b", "#zürich"]);
    assert_eq!(readme("# T\n\n[x](|\n"), ["../../sig-api-machinery/3-third/README.md", "../2-other/README.md"]);
    assert_eq!(
        readme("# T\n\n[x](/keps|)\n"),
        ["/keps/sig-api-machinery/3-third/README.md", "/keps/sig-node/2-other/README.md"]
    );
    assert_eq!(readme("# T\n\n[x](https://|)\n"), Vec::<String>::new());
    assert_eq!(readme("# T\n\nThe gate `Im|` is off.\n"), ["ImagesEarly"]);
    assert_eq!(readme("# T\n\n  - Feature gate name:|\n"), ["ImagesEarly"]);
    assert_eq!(readme("# T\n\nNo gate| here.\n"), Vec::<String>::new());
    let rules = readme("# T\n\n<!-- kep-lint-ignore |\n");
    assert!(rules[0] == "dead-link" && rules.len() > 60 && !rules.contains(&"unused-ignore".to_owned()), "{rules:?}");
    assert!(!readme("# T\n\n<!-- kep-lint-ignore dead-link, | -->\n").contains(&"dead-link".to_owned()));
    assert_eq!(readme("# T\n\n<!-- kep-lint-ignore dead-link: | -->\n"), Vec::<String>::new());
    assert_eq!(readme("# T\n\n<!-- kep-|\n"), ["kep-lint-ignore", "kep-lint-ignore-file"]);
    assert!(metadata("# kep-lint-ignore unknown-s|\n").contains(&"unknown-sig".to_owned()));
}
