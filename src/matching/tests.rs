//! Small templates and READMEs, and which heading is matched.

use super::*;
use crate::source::SourceFile;
use crate::span::slice;

fn template(text: &str) -> Template {
    Template::parse(SourceFile::decode("template.md", text.into()))
}

fn read(text: &str) -> Document {
    Document::of_text(text)
}

/// The heading that is the section `title` of the template, and how it is worded.
fn found<'a>(template: &Template, readme: &'a str, title: &str) -> Option<(&'a str, Wording)> {
    let matching = Matching::new(template, &read(readme));
    let (id, _) = template.iter().find(|(_, section)| section.title.text == title)?;
    matching.place(id).map(|place| (slice(readme, place.heading.clone()).trim_end(), place.wording))
}

#[test]
fn a_former_title_of_one_word_counts_only_at_its_place() {
    let aka = "<!--DIRECTIVE: aka: \"Implementation\", aka: \"Code Changes\"-->";
    let template = template(&format!("# T\n\n## Summary\n\n## Design\n{aka}\n"));
    let design = |readme: &'static str| found(&template, readme, "Design");
    assert_eq!(design("# T\n\n## Implementation\n"), Some(("## Implementation", Wording::Former)));
    assert_eq!(design("# T\n\n## Summary\n\n### Implementation\n"), None);
    assert_eq!(design("# T\n\n## Summary\n\n### Code changes\n"), Some(("### Code changes", Wording::Former)));
    assert_eq!(design("# T\n\n## Summary\n\n### Design\n"), Some(("### Design", Wording::Template)));
}

#[test]
fn a_heading_with_most_subsections_and_no_text_is_their_parent() {
    let template = template("# T\n\n## Operations\n\n### Monitoring\n\n### Scaling\n\n### Upgrade\n\n### Security\n");
    let operations = |readme: &'static str| found(&template, readme, "Operations");
    let most = "# T\n\n## How to run\n\n### Monitoring\n\n### Scaling\n\n### Upgrade\n";
    assert_eq!(operations(most), Some(("## How to run", Wording::Structural)));
    let half = "# T\n\n## How to run\n\n### Monitoring\n\n### Scaling\n";
    assert_eq!(operations(half), None);
    let text = "# T\n\n## How to run\n\nAs ever.\n\n### Monitoring\n\n### Scaling\n\n### Upgrade\n";
    assert_eq!(operations(text), None);
}

#[test]
fn several_words_of_a_title_are_found_elsewhere_if_it_is_not_matched_yet() {
    let template = template("# T\n\n## Summary\n\n## Test Plan\n\n## Version Skew Strategy\n\n## Drawbacks\n");
    let own = |heading| Some((heading, Wording::Own));
    let readme =
        "# T\n\n## Summary\n\n### Test and rollout plan\n\n### Version skew of the strategy\n\n### Drawbacks of it\n";
    assert_eq!(found(&template, readme, "Test Plan"), own("### Test and rollout plan"));
    assert_eq!(found(&template, readme, "Version Skew Strategy"), own("### Version skew of the strategy"));
    assert_eq!(found(&template, readme, "Drawbacks"), None);
    let both = "# T\n\n## Summary\n\n### Test and rollout plan\n\n## Test Plan\n";
    assert_eq!(found(&template, both, "Test Plan"), Some(("## Test Plan", Wording::Template)));
}

#[test]
fn a_title_of_a_document_is_not_a_misspelled_section() {
    let template = template("# T\n\n## Drawbacks\n");
    let probable = |readme: &str| {
        let (document, id) = (read(readme), template.iter().next()?.0);
        let heading = Matching::new(&template, &document).probable(&template, &document, id)?;
        Some(document.sections.get(heading).title.text.clone())
    };
    assert_eq!(probable("# T\n\n## Drawbaks\n").as_deref(), Some("Drawbaks"));
    assert_eq!(probable("# Drawbaks\n\n## Summary\n"), None);
}

#[test]
fn the_nearest_of_several_headings_with_the_title_is_the_section() {
    let template = template("# T\n\n## Summary\n\n### Goals\n\n## Design\n<!--DIRECTIVE: aka: \"Implementation\"-->\n");
    // The current wording, the right parent, the right level, and the first of what is left.
    let former = "# T\n\n## Implementation\n\n## Design\n";
    assert_eq!(found(&template, former, "Design"), Some(("## Design", Wording::Template)));
    let parent = "# T\n\n## Goals\n\n## Summary\n\n### Goals\n";
    assert_eq!(found(&template, parent, "Goals"), Some(("### Goals", Wording::Template)));
    let level = "# T\n\n## Summary\n\n#### Goals\n\n### Goals\n";
    assert_eq!(found(&template, level, "Goals"), Some(("### Goals", Wording::Template)));
    let first = "# T\n\n## Summary\n\n### Goals\n\n### GOALS\n";
    assert_eq!(found(&template, first, "Goals"), Some(("### Goals", Wording::Template)));
}

#[test]
fn the_title_of_a_document_is_no_section() {
    let template = template("# T\n\n## Summary\n\n## Drawbacks\n");
    assert_eq!(found(&template, "# Drawbacks\n\n## Summary\n", "Drawbacks"), None);
}

#[test]
fn a_heading_that_begins_like_a_question_is_probably_it_under_the_same_parent_only() {
    let template = template(
        "# T\n\n## Costs\n\n### Will enabling or using this feature result in an increase of objects?\n\n## Other\n",
    );
    let probable = |parent: &str| {
        let heading = "Will enabling or using this feature result in work by hand, such as when a node has no \
                       space left, and how would somebody with a thousand of them know which of them it is?";
        let readme = format!("# T\n\n## {parent}\n\n### {heading}\n");
        let document = read(&readme);
        let (id, _) = template.iter().find(|(_, section)| section.is_question())?;
        let probable = Matching::new(&template, &document).probable(&template, &document, id)?;
        Some(document.sections.get(probable).title.text == heading)
    };
    assert_eq!(probable("Costs"), Some(true));
    assert_eq!(probable("Other"), None);
}

#[test]
fn a_part_of_the_questionnaire_is_found_before_the_next_section_only() {
    let template = template(
        "# T\n\n## Questionnaire\n<!--DIRECTIVE: required: true, role: questionnaire-->\n\n### Scalability\n\n\
         ## Drawbacks\n",
    );
    let scalability = |readme: &'static str| found(&template, readme, "Scalability");
    let beside = "# T\n\n## Questionnaire\n\n## Scalability\n\n## Drawbacks\n";
    assert_eq!(scalability(beside), Some(("## Scalability", Wording::Template)));
    assert_eq!(scalability("# T\n\n## Questionnaire\n\n## Drawbacks\n\n### Scalability\n"), None);
    assert_eq!(scalability("# T\n\n## Drawbacks\n\n### Scalability\n\n## Questionnaire\n"), None);
}
