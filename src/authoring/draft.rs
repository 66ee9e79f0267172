//! The texts of a new KEP: the template's, with all that is known of the KEP filled in.

use super::entry::{Form, replace, set};
use super::promotion::first_review;
use super::scalar::written;
use crate::diagnostic::Failure;
use crate::gap::content::is_placeholder;
use crate::kep::directory::PROD_READINESS;
use crate::kep::number;
use crate::kep::schema::is_template_value;
use crate::markdown::Document;
use crate::mdtoc::{self, Markers};
use crate::span::{LINE_ENDS, line_end, slice, strip_line_end};
use crate::stage::{Release, Stage, Status};
use crate::template::Template;
use crate::yaml::date::Date;
use crate::yaml::tree::{Node, Style, Yaml};
use std::ops::Range;

/// The kep.yaml for repositories that have none in their template.
pub const METADATA: &str = include_str!("../../templates/kep.yaml");

#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    pub number: &'a str,
    /// Its title, on one line and without the number.
    pub title: &'a str,
    /// The SIG that owns it; `None` where KEPs belong to no group.
    pub sig: Option<&'a str>,
    /// The GitHub handles of its authors, without `@`.
    pub authors: &'a [String],
    pub date: Date,
    /// The release that its alpha is planned for.
    pub release: Release,
}

/// The files of a new KEP with their paths from `keps` on, the one last that makes it a KEP; or why they cannot be written.
/// It is in the directory of this `name` of its SIG, and `of_template` is the kep.yaml of the repository's template.
pub fn files(
    template: &Template,
    of_template: Option<&str>,
    proposal: &Proposal<'_>,
    name: &str,
) -> Result<Vec<(String, String)>, Failure> {
    let directory = proposal.sig.map_or_else(|| name.to_owned(), |sig| format!("{sig}/{name}"));
    let path = format!("{directory}/kep.yaml");
    let metadata = metadata(of_template, proposal).map_err(|reason| Failure::of("write", &path, &reason))?;
    let review = proposal.sig.map(|sig| {
        let review = first_review(proposal.number, Stage::Alpha);
        (format!("{PROD_READINESS}/{sig}/{}.yaml", proposal.number), review)
    });
    let own = [(format!("{directory}/README.md"), readme(template, proposal)), (path, metadata)];
    Ok(review.into_iter().chain(own).collect())
}

/// The longest name of a directory made of a title, in bytes, so that paths can be read.
pub const SLUG_BYTES: usize = 60;

/// The name of a new KEP's directory after its number: the words of `title` in lower case, joined by `-`. They are letters
/// and digits of ASCII, since paths and links have only those; words that are too many are left out. `None` if there is none.
pub fn slug(title: &str) -> Option<String> {
    // An apostrophe is inside of a word.
    let title = title.to_lowercase().replace(['\'', '’'], "");
    let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if !slug.is_empty() && slug.len() + 1 + word.len() > SLUG_BYTES {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().take(SLUG_BYTES));
    }
    (!slug.is_empty()).then_some(slug)
}

/// Why a title cannot be used, as a clause; `None` if it can be.
pub fn problem_of_title(title: &str, template: &Template) -> Option<&'static str> {
    let is_of_template = || {
        let is_title = |text: &str| text.eq_ignore_ascii_case(title);
        is_template_value("title", title)
            || template.title_placeholder().is_some_and(is_title)
            || title.to_ascii_uppercase().contains("NNNN")
    };
    let begins_with_kep =
        || title.trim_start_matches('[').get(..3).is_some_and(|word| word.eq_ignore_ascii_case("kep"));
    match title {
        _ if title.trim().is_empty() => Some("it is empty"),
        _ if title.contains("---") => Some("upstream treats any line of kep.yaml with `---` as a delimiter"),
        _ if title.contains(char::is_control) => Some("it has control characters"),
        _ if title.contains("<!--") => Some("it begins a comment"),
        _ if is_of_template() => Some("it is the template's"),
        _ if is_placeholder(title, None) => Some("it is a placeholder"),
        _ if begins_with_kep() && number::in_title(title).is_some() => Some("it begins with the number of another KEP"),
        _ => None,
    }
}

/// A title as it is used: on one line, without a number at its start.
pub fn title_of(words: &str, own: &str) -> String {
    let title = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match number::in_title(&title).filter(|range| number::is_same(slice(&title, range.clone()), own)) {
        Some(range) => slice(&title, range.end..).trim_start_matches([':', '-', '–', ' ', ']', '.']).to_owned(),
        None => title,
    }
}

/// README.md: the template's text with the KEP's title and a new table of contents. Of the built-in template, the
/// directives and the notes for those who change it are left out.
pub fn readme(template: &Template, proposal: &Proposal<'_>) -> String {
    let document = &template.document;
    let text = document.text();
    let heading = document.sections.title().map(|title| document.sections.get(title).heading.clone());
    let Range { start, end } = heading.clone().unwrap_or_default();
    let before = if template.is_built_in() { "" } else { slice(text, ..start) };
    let mut readme = format!("{before}# KEP-{}: {}", proposal.number, heading_text(proposal.title));
    if heading.is_none() {
        readme += &line_end(text, 0).repeat(2);
    }
    let mut at = end;
    if template.is_built_in() {
        let comments = document.comments.iter().filter(|comment| comment.span.start >= end);
        for comment in comments.filter(|comment| comment.is_directive(text)) {
            let line = whole_line(text, comment.span.clone());
            readme += slice(text, at..line.start);
            at = line.end;
        }
    }
    readme += slice(text, at..);
    with_contents(&readme)
}

/// kep.yaml: that of the repository's template, or else the built-in one if there is none, or if it cannot be filled in;
/// or why neither can.
pub fn metadata(template: Option<&str>, proposal: &Proposal<'_>) -> Result<String, String> {
    let of_template = template.and_then(|template| filled(template, proposal).ok());
    of_template.map_or_else(|| filled(METADATA, proposal), Ok)
}

/// `text` with all that is known, or why it cannot be filled in.
fn filled(text: &str, proposal: &Proposal<'_>) -> Result<String, String> {
    let (release, date) = (proposal.release.to_string(), proposal.date.to_string());
    let template = Form::Proposal.read(text);
    let mut draft = Draft(text.to_owned());
    let newline = line_end(text, 0);
    let line = |content: &str| format!("{newline}  {content}");
    // A new KEP has no relations to others yet: what the template has is an example.
    for key in ["see-also", "replaces", "superseded-by"] {
        if values(&template, key).any(|value| !value.is_empty()) {
            draft.replace(key, " []")?;
        }
    }
    for key in ["participating-sigs", "metrics"] {
        let mut values = values(&template, key).peekable();
        if values.peek().is_some() && values.all(|value| is_template_value(key, value)) {
            draft.replace(key, " []")?;
        }
    }
    for key in ["reviewers", "approvers"] {
        if values(&template, key).any(|value| is_template_value(key, value)) {
            draft.replace(key, &line("- TBD"))?;
        }
    }
    if !proposal.authors.is_empty() {
        let item = |author: &String| line(&format!("- {}", written(&format!("@{author}"), Style::DoubleQuoted)));
        draft.replace("authors", &proposal.authors.iter().map(item).collect::<String>())?;
    }
    if template.root.as_ref().is_some_and(|root| root.get("milestone").is_some()) {
        let alpha = format!("{}: {}", Stage::Alpha, written(&release, Style::DoubleQuoted));
        draft.replace("milestone", &line(&alpha))?;
    }
    if values(&template, "last-updated").any(|value| is_template_value("last-updated", value)) {
        draft.set(&["last-updated"], &date)?;
    }
    draft.set(&["title"], proposal.title)?;
    draft.set(&["kep-number"], proposal.number)?;
    if let Some(sig) = proposal.sig {
        draft.set(&["owning-sig"], sig)?;
    }
    draft.set(&["status"], Status::Provisional.name())?;
    draft.set(&["creation-date"], &date)?;
    draft.set(&["stage"], Stage::Alpha.name())?;
    draft.set(&["latest-milestone"], &release)?;
    draft.set(&["milestone", Stage::Alpha.name()], &release)?;
    Ok(draft.0)
}

/// The text of a kep.yaml while it is filled in.
struct Draft(String);

impl Draft {
    fn set(&mut self, path: &[&str], value: &str) -> Result<(), String> {
        self.0 = set(&self.0, Form::Proposal, path, value)?;
        Ok(())
    }

    fn replace(&mut self, key: &str, block: &str) -> Result<(), String> {
        self.0 = replace(&self.0, Form::Proposal, key, block)?;
        Ok(())
    }
}

fn values<'a>(tree: &'a Yaml, key: &str) -> impl Iterator<Item = &'a str> {
    let value = tree.root.as_ref().and_then(|root| root.get(key)).map(|entry| &entry.value);
    let items = value.into_iter().flat_map(|value| value.as_sequence().unwrap_or(std::slice::from_ref(value)));
    items.filter_map(Node::as_str)
}

/// A title as the text of a heading: `<` begins no tag in it, and `#` at its end does not close it.
fn heading_text(title: &str) -> String {
    let shown = |text: &str| {
        let document = Document::of_text(&format!("# {text}\n"));
        let heading = document.sections.title().map(|heading| document.sections.get(heading));
        heading.map(|heading| heading.title.text.clone()).unwrap_or_default()
    };
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    if letters(&shown(title)) == letters(title) && !title.ends_with('#') {
        return title.to_owned();
    }
    title.replace('<', "\\<").replace('#', "\\#")
}

/// The bytes with the line break after them, if they are all of their line.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let rest = slice(text, range.end..);
    let is_first = slice(text, ..range.start).ends_with(LINE_ENDS);
    let end = rest.find(LINE_ENDS).filter(|at| is_first && slice(rest, ..*at).trim().is_empty());
    let end = end.and_then(|at| Some(text.len() - strip_line_end(slice(rest, at..))?.len()));
    range.start..end.unwrap_or(range.end)
}

/// `readme` with the table of contents that mdtoc generates, if it has markers.
fn with_contents(readme: &str) -> String {
    let Some(between) = Markers::find(readme).between() else { return readme.to_owned() };
    let contents = mdtoc::block(readme, &mdtoc::entries(readme, between.end).unwrap_or_default());
    [slice(readme, ..between.start), &contents, slice(readme, between.end..)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;
    use std::sync::LazyLock;

    static AUTHORS: LazyLock<[String; 2]> = LazyLock::new(|| ["ann", "bob"].map(str::to_owned));

    fn proposal(title: &str) -> Proposal<'_> {
        let date = Date::parse("2026-11-22").expect("it is a date");
        let release = Release { major: 1, minor: 38 };
        let authors = LazyLock::force(&AUTHORS);
        Proposal { number: "42", title, sig: Some("sig-node"), authors, date, release }
    }

    fn titles(title: &str) -> (String, Option<String>) {
        let readme = readme(&Template::built_in(), &proposal(title));
        let yaml = metadata(None, &proposal(title)).expect("it can be filled in");
        let heading = readme.lines().next().unwrap_or_default().to_owned();
        (heading, super::super::entry::get(&yaml, Form::Proposal, &["title"]))
    }

    #[test]
    fn a_title_stays_what_it_is() {
        for title in ["Prefetch images", "yes", "a: b # c", "`x` \"y\" \\ 'z'", "1.20", "@x", "Größe – α", "*x* [y](z)"]
        {
            assert_eq!(titles(title), (format!("# KEP-42: {title}"), Some(title.to_owned())));
        }
        assert_eq!(titles("Support <nil> in C#").0, "# KEP-42: Support \\<nil> in C\\#");
        assert_eq!(title_of(" KEP-0042:  Two\twords ", "42"), "Two words");
        assert_eq!(title_of("KEP-7: x", "42"), "KEP-7: x");
    }

    #[test]
    fn a_title_is_of_this_kep() {
        let problem = |title: &str| problem_of_title(title, &Template::built_in());
        for title in [
            "a --- b",
            "a <!-- b",
            "KEP-NNNN: foo",
            "KEP Template",
            "TBD",
            "Your short, descriptive title",
            "KEP-1: x",
            "[KEP-1](x): y",
        ] {
            assert!(problem(title).is_some(), "{title}");
        }
        for title in ["Keep images", "KEP numbers in logs", "2-phase deletion", "Templates of pods", "1.20: the end"] {
            assert_eq!(problem(title), None, "{title}");
        }
    }

    #[test]
    fn a_template_that_cannot_be_filled_in_is_not_used() {
        let built_in = metadata(None, &proposal("X")).expect("it can be filled in");
        for broken in ["title: [", "title: a\ntitle: b\n", "- title\n", "title: &t KEP Template\nname: *t\n"] {
            assert_eq!(metadata(Some(broken), &proposal("X")).as_ref(), Ok(&built_in), "{broken}");
        }
        assert!(
            built_in.contains("  - \"@ann\"\n  - \"@bob\"\n")
                && !built_in.contains("NNNN")
                && !built_in.contains("v1.yy")
        );
    }

    #[test]
    fn relations_of_the_template_are_left_out() {
        let template = "title: T\nauthors:\n  - TBD\nsee-also:\n  - \"/keps/1234-x\"\n  - /keps/2-y\nreplaces: [/keps/3-z]\nsuperseded-by:\nstage: alpha\n";
        let yaml = metadata(Some(template), &proposal("X")).expect("it can be filled in");
        assert!(yaml.contains("\nsee-also: []\nreplaces: []\nsuperseded-by:\nstage: alpha\n"), "{yaml}");
    }

    #[test]
    fn a_template_without_a_title_gets_one() {
        let template = Template::parse(SourceFile::decode("t.md", b"## Summary\r\n\r\nText\r\n".to_vec()));
        assert_eq!(readme(&template, &proposal("X")), "# KEP-42: X\r\n\r\n## Summary\r\n\r\nText\r\n");
    }

    #[test]
    fn the_built_in_template_has_no_directives_left() {
        let readme = readme(&Template::built_in(), &proposal("X"));
        assert!(!readme.contains("DIRECTIVE") && !readme.contains("built into kep-lint"), "{readme}");
        assert!(readme.contains("\n## Summary\n\n<!--\n") && readme.ends_with("-->\n"), "{readme}");
    }

    #[test]
    fn words_are_joined() {
        let slug = |title: &str| super::slug(title).unwrap_or_default();
        assert_eq!(slug("In-Place Update of Pod Resources"), "in-place-update-of-pod-resources");
        assert_eq!(slug("  `kubectl exec`: don't   hang (v2) "), "kubectl-exec-dont-hang-v2");
        assert_eq!(slug("Größe α"), "gr-e");
        assert_eq!(slug("αβγ — ?"), "");
        let long = slug(&"word ".repeat(50));
        assert!(long.len() <= SLUG_BYTES && long.ends_with("-word"), "{long}");
        assert_eq!(slug(&"x".repeat(500)).len(), SLUG_BYTES);
    }
}
