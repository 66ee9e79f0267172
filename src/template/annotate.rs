//! Adds the directives of the built-in template to another one, so that a repository can commit and change them.

use super::Template;
use super::directive;
use crate::markdown::section::SectionId;
use crate::span::{first_line, last_line_start, line_end, slice};
use std::collections::BTreeSet;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    pub text: String,
    pub added: usize,
    pub kept: usize,
    pub unknown: Vec<String>,
}

/// Adds the directive of the built-in template below each heading of a repository's `template` that has none. All
/// other bytes stay.
pub fn annotate(template: &Template) -> Annotated {
    let source = template.document.text();
    let sections = &template.document.sections;
    let (annotated, _) = directive::collect(&template.document);
    let annotated: BTreeSet<SectionId> = annotated.into_iter().map(|(section, _)| section).collect();
    let (mut text, mut end, mut added) = (String::new(), 0, 0);
    for (id, section) in sections.iter().filter(|(id, _)| !annotated.contains(id)) {
        // Every title stands for that of the KEP, whatever its words are.
        let title = || Template::lender().directive(Template::lender().document.sections.title()?);
        let lent = if Some(id) == sections.title() { title() } else { template.directive(id) };
        let Some(directive) = lent.filter(|_| !template.asks(id)) else { continue };
        let at = section.heading.end + first_line(slice(source, section.heading.end..)).len();
        text += slice(source, end..at);
        text += &format!("{}{}{}", line_end(source, at), indent(source, &section.heading), directive.written());
        (end, added) = (at, added + 1);
    }
    text += slice(source, end..);
    let title_of = |id: &SectionId| sections.get(*id).title.text.clone();
    Annotated { text, added, kept: annotated.len(), unknown: template.asking.iter().map(title_of).collect() }
}

/// The white space before a new line that is in the same item of a list as a heading.
fn indent(text: &str, heading: &Range<usize>) -> String {
    let above = slice(text, ..heading.start);
    let prefix = slice(above, last_line_start(above)..).trim_start_matches('\u{feff}');
    prefix.chars().map(|letter| if letter == '\t' { letter } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Document;
    use crate::source::SourceFile;
    use crate::span::Span;
    use crate::template::directive::Directive;

    fn template(text: &str) -> Template {
        Template::of_repository(SourceFile::decode("template.md", text.into()))
    }

    fn annotated(text: &str) -> Annotated {
        annotate(&template(text))
    }

    fn bare() -> String {
        let text = Template::built_in().document.source.text.clone();
        text.split_inclusive('\n').filter(|line| !line.starts_with("<!--DIRECTIVE")).collect()
    }

    /// What the directives of a template say, by heading.
    fn directives(template: &Template) -> Vec<(String, Option<Directive>)> {
        let sections = template.document.sections.iter();
        let plain = |directive: &Directive| Directive { span: Span::default(), ..directive.clone() };
        sections.map(|(id, section)| (section.title.text.clone(), template.directive(id).map(plain))).collect()
    }

    #[test]
    fn the_built_in_template_gets_its_own_directives_back() {
        let annotated = annotated(&bare());
        assert_eq!((annotated.added, annotated.kept, annotated.unknown), (57, 0, Vec::new()));
        let again = Template::parse(SourceFile::decode("template.md", annotated.text.into()));
        assert_eq!(again.problems, []);
        assert_eq!(directives(&again), directives(&Template::built_in()));
    }

    #[test]
    fn own_directives_stay_and_unknown_headings_get_none() {
        let text = "# T\n\n## Summary\n<!-- DIRECTIVE: required: false -->\n\n## Cost\n\n## Testing Plan\ntext\n";
        let annotated = annotated(text);
        let directive = "<!--DIRECTIVE: required: true, stage: alpha, since: v1.15, severity: error, role: test-plan, \
                         aka: \"Test Plan\"-->";
        let title = "<!--DIRECTIVE: required: true, severity: error-->";
        let expected = text.replace("# T\n", &format!("# T\n{title}\n"));
        let expected = expected.replace("## Testing Plan\n", &format!("## Testing Plan\n{directive}\n"));
        assert_eq!(annotated.text, expected);
        assert_eq!((annotated.added, annotated.kept), (2, 1));
        assert_eq!(annotated.unknown, ["Cost"]);
        let again = super::tests::annotated(&annotated.text);
        assert_eq!((again.added, again.text), (0, annotated.text));
    }

    #[test]
    fn releases_of_other_projects_are_not_those_of_kubernetes() {
        let annotated = annotate(&template(&bare()).without_since());
        assert!(!annotated.text.contains("since:") && annotated.text.contains("stage: beta"), "{}", annotated.text);
    }

    #[test]
    fn line_ends_stay() {
        let directive = "<!--DIRECTIVE: required: true, severity: error-->";
        let result = |text| annotated(text).text;
        assert_eq!(result("## Goals"), format!("## Goals\n{directive}"));
        assert_eq!(result("## Goals\r\ntext"), format!("## Goals\r\n{directive}\r\ntext"));
        assert_eq!(result("text\r\n\r\n## Goals"), format!("text\r\n\r\n## Goals\r\n{directive}"));
        assert_eq!(result("## Goals  \rtext\r"), format!("## Goals  \r{directive}\rtext\r"));
        assert_eq!(result("Goals\n-----\n\nx"), format!("Goals\n-----\n{directive}\n\nx"));
        assert_eq!(result("\u{feff}## Goals\n"), format!("\u{feff}## Goals\n{directive}\n"));
        assert_eq!(result("no heading\n"), "no heading\n");
    }

    #[test]
    fn a_directive_stays_in_the_list_of_its_heading() {
        for text in ["- ## Goals\n\n  text\n", "1. a\n\n   ## Goals\n   text\n", "-\t## Goals\n"] {
            let annotated = annotated(text);
            assert_eq!(annotated.added, 1, "{}", annotated.text);
            let again = super::tests::annotated(&annotated.text);
            assert_eq!((again.added, again.kept), (0, 1), "{}", annotated.text);
            let before = Document::of_text(text);
            let after = Document::of_text(&annotated.text);
            assert_eq!(after.sections.len(), before.sections.len(), "{}", annotated.text);
        }
        assert_eq!(annotated("> ## Goals\n").added, 0);
    }
}
