//! The annotated template: the sections a KEP may have, and the directives that say when each is required.

pub mod annotate;
mod asked;
pub mod compare;
pub mod directive;
pub mod role;

use self::directive::{Directive, Problem};
use self::role::SectionRole;
use crate::bounds::TEMPLATE_HEADINGS;
use crate::diagnostic::{Failure, Severity};
use crate::gap::signoff::SignoffItems;
use crate::hash::Hash;
use crate::kep::front_matter;
use crate::markdown::Document;
use crate::markdown::fingerprint::{self, Lines};
use crate::markdown::paragraph::is_list_item;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title::Title;
use crate::mdtoc::Markers;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

const BUILT_IN: &str = include_str!("../templates/kep.md");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(pub usize);

#[derive(Clone, Debug, Default)]
pub struct Template {
    pub document: Document,
    pub sections: Vec<TemplateSection>,
    keys: HashSet<String>,
    directives: Vec<(SectionId, Directive)>,
    pub problems: Vec<Problem>,
    /// Whether headings without a directive have that of the built-in template.
    pub is_borrowing: bool,
    /// Headings without a directive that do not come from the built-in template: KEPs are asked for them.
    pub asking: Vec<SectionId>,
    /// Headings that have another title in the built-in template, with their sections there.
    pub renamed: Vec<(SectionId, TemplateId)>,
    pub form_lines: Lines,
    pub has_toc: bool,
    /// Whether it is one of proposals that are no KEPs.
    pub is_of_others: bool,
    signoff: OnceLock<SignoffItems>,
}

#[derive(Clone, Debug)]
pub struct TemplateSection {
    pub title: Title,
    pub former: Vec<Title>,
    /// The other forms of its title and of its former titles, in this order.
    pub forms: Vec<Forms>,
    pub similar: Vec<Title>,
    pub words: Vec<String>,
    pub level: u8,
    pub parent: Option<TemplateId>,
    pub role: Option<SectionRole>,
    pub source: SectionId,
}

/// The forms in which a title is compared if it is not equal to a heading; made once for all KEPs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms {
    pub stems: String,
    pub question: String,
}

impl Forms {
    fn of(title: &Title) -> Self {
        Self { stems: title.stems(), question: title.question() }
    }
}

impl TemplateSection {
    pub fn titles(&self) -> impl Iterator<Item = &Title> {
        std::iter::once(&self.title).chain(&self.former)
    }

    pub fn has_wording(&self, title: &Title) -> bool {
        self.titles().any(|own| own.key == title.key)
    }

    pub fn is_question(&self) -> bool {
        self.title.text.ends_with('?')
    }

    /// Whether it is an example of a section that authors name: `Story 1 (Optional)`, `<Component>`, `{Persona}`.
    pub fn is_sample(&self) -> bool {
        let (key, text) = (&self.title.key, &self.title.text);
        let is_within = |(open, close): (char, char)| text.starts_with(open) && text.ends_with(close);
        key.ends_with(|letter: char| letter.is_ascii_digit()) || [('<', '>'), ('{', '}')].into_iter().any(is_within)
    }
}

static LENDER: LazyLock<Arc<Template>> = LazyLock::new(|| {
    let file = SourceFile::decode("templates/kep.md", BUILT_IN.into());
    let document = Document::parse(FileId(0), Arc::new(file));
    let (directives, problems) = directive::collect(&document);
    Arc::new(Template::new(document, directives, problems))
});

impl Template {
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&LENDER)
    }

    /// The template of proposals that have none.
    pub fn none() -> Self {
        Self::of_repository(Arc::new(SourceFile::decode("no template", Vec::new())))
    }

    pub fn is_built_in(&self) -> bool {
        self.document.text() == BUILT_IN
    }

    /// The built-in template, whose directives others borrow.
    pub(crate) fn lender() -> &'static Self {
        &LENDER
    }

    /// The directive of a section for another title of it, with all its other titles.
    pub(crate) fn lend(&self, id: TemplateId, title: &Title) -> Option<Directive> {
        let section = self.get(id);
        let others = section.titles().filter(|other| other.key != title.key).map(|other| other.text.clone());
        Some(Directive { aka: others.collect(), ..self.directive(section.source)?.clone() })
    }

    /// The template where a role that no directive names is given to the section that has the title of that
    /// role in the built-in template.
    pub(crate) fn with_roles_of_titles(mut self) -> Self {
        for (role, title) in LENDER.sections.iter().filter_map(|section| Some((section.role?, &section.title))) {
            let is_free = self.with_role(role).is_none();
            let mut sections = self.sections.iter_mut().filter(|section| section.role.is_none());
            if let Some(section) = sections.find(|section| is_free && section.has_wording(title)) {
                section.role = Some(role);
            }
        }
        self
    }

    pub(crate) fn new(document: Document, directives: Vec<(SectionId, Directive)>, problems: Vec<Problem>) -> Self {
        let mut sections: Vec<TemplateSection> = Vec::new();
        for (id, section) in headings(&document) {
            let directive = of(&directives, id);
            let parent = document.sections.parent(id);
            let parent = parent.and_then(|outer| sections.binary_search_by_key(&outer, |other| other.source).ok());
            let titles = |names: &Vec<String>| names.iter().map(|name| Title::new(name)).collect();
            let former: Vec<Title> = directive.map(|directive| titles(&directive.aka)).unwrap_or_default();
            sections.push(TemplateSection {
                title: section.title.clone(),
                words: section.title.words(),
                forms: std::iter::once(&section.title).chain(&former).map(Forms::of).collect(),
                former,
                similar: directive.map(|directive| titles(&directive.similar)).unwrap_or_default(),
                level: section.level,
                parent: parent.map(TemplateId),
                role: directive.and_then(|directive| directive.role),
                source: id,
            });
        }
        let keys = sections.iter().flat_map(TemplateSection::titles).map(|title| title.key.clone()).collect();
        let form_lines = form_lines(&document);
        let has_toc = Markers::find(document.text()).between().is_some();
        Self { document, sections, keys, directives, problems, form_lines, has_toc, ..Self::default() }
    }

    /// The template for a repository whose releases are not those of Kubernetes.
    pub fn without_since(mut self) -> Self {
        self.directives.iter_mut().for_each(|(_, directive)| directive.since = None);
        self
    }

    /// The directive of a heading in the template's own document; a section without one is optional.
    pub fn directive(&self, source: SectionId) -> Option<&Directive> {
        of(&self.directives, source)
    }

    /// Whether KEPs are asked for the section only because the template has its heading.
    pub fn is_asking(&self, id: TemplateId) -> bool {
        self.asks(self.get(id).source)
    }

    /// The same of a heading in the template's own document.
    pub fn asks(&self, source: SectionId) -> bool {
        self.asking.binary_search(&source).is_ok()
    }

    /// Whether KEPs may have the built-in template's title of the section as well.
    pub fn is_renamed(&self, id: TemplateId) -> bool {
        self.renamed.binary_search_by_key(&self.get(id).source, |(heading, _)| *heading).is_ok()
    }

    /// Whether the template has all of the section's text, which may stay: it asks for nothing there. Other communities
    /// write what they ask for in plain text, and what may stay in items.
    pub fn is_prefilled(&self, id: TemplateId) -> bool {
        const LEAST_WORDS: usize = 10;
        let range = self.range(id);
        let mut comments = self.document.comments.iter();
        let lines = self.document.visible_lines(range.clone()).filter(|line| !is_list_item(line));
        let lines: Vec<_> = lines.collect();
        let words: usize = lines.iter().map(|line| line.split_whitespace().count()).sum();
        // "Refer to the glossary of the book" is for the reader.
        let refers = lines.iter().any(|line| line.starts_with("Refer to "));
        let is_asked = self.is_of_others && words >= LEAST_WORDS && !refers;
        self.is_asking(id) && !is_asked && !comments.any(|comment| range.contains(&comment.span.start))
    }

    /// Whether there is no KEP to which the section does not apply: it is required at every stage, as an
    /// error.
    pub fn always_applies(&self, id: TemplateId) -> bool {
        let directive = self.directive(self.get(id).source).filter(|directive| directive.required);
        let is_error = |cap: Option<Severity>| cap.unwrap_or(Severity::Error) == Severity::Error;
        directive.is_some_and(|directive| directive.stage.is_none() && is_error(directive.severity))
    }

    pub fn misshapen(&self) -> Option<Failure> {
        match self.document.sections.len() {
            0 => Some(self.failure("it has no heading", "name a Markdown file with one heading per section")),
            1..=TEMPLATE_HEADINGS => None,
            count => {
                let help = format!("name a template with at most {TEMPLATE_HEADINGS}");
                Some(self.failure(&format!("it has {count} headings"), help))
            }
        }
    }

    /// The failure for a template that requires no section at any stage: every KEP would look complete.
    pub fn useless(&self) -> Option<Failure> {
        if self.directives.iter().any(|(_, directive)| directive.is_required()) {
            return None;
        }
        let help = "add `<!--DIRECTIVE: required: true-->` below headings, or use headings of the built-in template";
        Some(self.failure("it requires no section, so every KEP would look complete", help))
    }

    fn failure(&self, reason: &str, help: impl Into<String>) -> Failure {
        Failure::of("use", &self.document.source.path, reason).help(help)
    }

    pub fn has_title(&self, title: &Title) -> bool {
        self.keys.contains(&title.key)
    }

    pub fn iter(&self) -> impl Iterator<Item = (TemplateId, &TemplateSection)> {
        self.sections.iter().enumerate().map(|(at, section)| (TemplateId(at), section))
    }

    #[expect(clippy::indexing_slicing, reason = "an id is an index in the list that it came from, which never shrinks")]
    pub fn get(&self, id: TemplateId) -> &TemplateSection {
        &self.sections[id.0]
    }

    pub fn children(&self, id: TemplateId) -> impl Iterator<Item = (TemplateId, &TemplateSection)> {
        let level = self.get(id).level;
        let below = self.iter().skip(id.0 + 1).take_while(move |(_, section)| section.level > level);
        below.filter(move |(_, section)| section.parent == Some(id))
    }

    /// Whether the text of `id` is that of the questions in it: it has no other subsections.
    pub fn holds_only_questions(&self, id: TemplateId) -> bool {
        let mut children = self.children(id).peekable();
        children.peek().is_some()
            && children.all(|(child, section)| section.is_question() || self.holds_only_questions(child))
    }

    /// The sections around `id`, from the inside out.
    pub fn ancestors(&self, id: TemplateId) -> impl Iterator<Item = TemplateId> {
        std::iter::successors(self.get(id).parent, |inner| self.get(*inner).parent)
    }

    /// Whether `id` is in `outer`, at any depth.
    pub fn is_below(&self, id: TemplateId, outer: TemplateId) -> bool {
        self.ancestors(id).any(|around| around == outer)
    }

    pub fn path(&self, id: TemplateId) -> Vec<String> {
        let mut path: Vec<String> = self.ancestors(id).map(|around| self.get(around).title.text.clone()).collect();
        path.reverse();
        path.push(self.get(id).title.text.clone());
        path
    }

    pub fn comment_hashes(&self) -> Vec<Hash> {
        let comments = self.document.comments.iter().filter(|comment| comment.is_block);
        let lines = comments.flat_map(|comment| self.document.slice(comment.span.clone()).lines());
        let is_heading = |line: &&str| line.trim_start().starts_with('#');
        lines.filter(|line| !is_heading(line)).filter_map(fingerprint::hash).collect()
    }

    pub fn visible_hashes(&self) -> Vec<Hash> {
        let lines = self.document.visible_lines(0..self.document.text().len());
        lines.filter_map(|line| fingerprint::hash(&line)).collect()
    }

    pub fn heading(&self, id: TemplateId) -> &str {
        let section = self.document.sections.get(self.get(id).source);
        let written = self.document.slice(section.heading.clone());
        let content = written.trim_start_matches('#');
        if content.len() < written.len() { content.trim() } else { &section.title.text }
    }

    /// The section in the template's document, with its subsections.
    pub fn range(&self, id: TemplateId) -> Range<usize> {
        self.document.sections.get(self.get(id).source).subtree.clone()
    }

    /// The guidance and the form lines under the heading of `id`, without directives.
    pub fn guidance(&self, id: TemplateId) -> String {
        let range = self.document.sections.get(self.get(id).source).own.clone();
        let mut guidance = String::new();
        let mut at = range.start;
        for comment in self.document.comments.iter().filter(|comment| range.contains(&comment.span.start)) {
            if comment.is_directive(self.document.text()) {
                guidance += self.document.slice(at..comment.span.start);
                at = comment.span.end;
            }
        }
        guidance += self.document.slice(at..range.end);
        guidance.trim().replace("\r\n", "\n")
    }

    /// The items of the checklist in this section, the one for signoff.
    pub fn signoff_items(&self, id: TemplateId) -> &SignoffItems {
        self.signoff.get_or_init(|| SignoffItems::of(&self.guidance(id)))
    }

    /// Whether a line is one to fill in.
    pub fn is_form_line(&self, line: &str) -> bool {
        fingerprint::hash(line).is_some_and(|hash| self.form_lines.contains(hash))
    }

    pub fn with_role(&self, role: SectionRole) -> Option<TemplateId> {
        self.iter().find(|(_, section)| section.role == Some(role)).map(|(id, _)| id)
    }

    pub fn title_placeholder(&self) -> Option<&str> {
        let title = self.document.sections.get(self.document.sections.title()?).title.text.as_str();
        let words = title.split_once(':').map_or(title, |(_, words)| words).trim();
        Some(words).filter(|words| !words.is_empty())
    }
}

/// The guidance lines of all versions of upstream's template, in comments or visible.
static KNOWN_LINES: LazyLock<Lines> = LazyLock::new(|| {
    let mut lines = Lines::from_list(include_str!("../templates/history/comment-lines.txt"));
    lines.extend(Lines::from_list(include_str!("../templates/history/visible-lines.txt")));
    lines
});

pub fn is_known_line(hash: Hash) -> bool {
    KNOWN_LINES.contains(hash)
}

/// Whether `text` has lines with words, and all of them are guidance of a version of upstream's template.
pub fn is_guidance(text: &str) -> bool {
    let mut hashes = text.lines().filter_map(fingerprint::hash).peekable();
    // A line of digits has no hash, and is the author's.
    let has_figures = || text.lines().any(|line| fingerprint::hash(line).is_none() && line.contains(char::is_numeric));
    hashes.peek().is_some() && hashes.all(is_known_line) && !has_figures()
}

/// Whether text and code may have changed places: code or a comment does not end where it was meant to, or two
/// sides of a merge are there.
pub fn is_torn(document: &Document) -> bool {
    let mut guidance = 0..0;
    for hidden in document.hidden.iter().filter(|hidden| hidden.is_swallowed()) {
        let is_known = hidden.within == guidance || is_guidance_with_comment(document, &hidden.within);
        if !is_known || Template::lender().has_title(&hidden.title) {
            return true;
        }
        guidance = hidden.within.clone();
    }
    document.has_unclosed_block() || !document.conflict_markers().is_empty()
}

/// Whether this is a comment of upstream's template that has examples of headings and another comment in it.
fn is_guidance_with_comment(document: &Document, range: &Range<usize>) -> bool {
    let Some(comment) = document.comments.iter().find(|comment| comment.span == *range) else { return false };
    let lines = comment.body(document.text()).lines().filter(|line| !line.trim_start().starts_with('#'));
    comment.is_closed && is_guidance(&lines.collect::<Vec<_>>().join("\n"))
}

/// Where the front matter of a template ends, in which there may be what looks like a heading.
pub(crate) fn start_of_text(document: &Document) -> usize {
    let text = document.text();
    let front = front_matter::find(text).read;
    let has_keys = slice(text, front.clone()).lines().next().is_some_and(|key| key.contains(':'));
    if text.starts_with("---") && has_keys { front.end } else { 0 }
}

/// The headings of a template without its title. How to use the template may be a section without subsections above the
/// title that all else is below.
pub(crate) fn headings(document: &Document) -> impl Iterator<Item = (SectionId, &Section)> {
    let end = start_of_text(document);
    let has_sections = |id| document.sections.children(id).next().is_some();
    let titles: Vec<SectionId> = document.sections.iter().filter(|(_, top)| top.level == 1).map(|(id, _)| id).collect();
    let is_title = move |id| match titles[..] {
        [first, second] if !has_sections(first) && has_sections(second) => [first, second].contains(&id),
        _ => document.sections.title() == Some(id),
    };
    document.sections.iter().filter(move |(id, section)| !is_title(*id) && section.heading.start >= end)
}

fn of(directives: &[(SectionId, Directive)], section: SectionId) -> Option<&Directive> {
    let at = directives.binary_search_by_key(&section, |(owner, _)| *owner).ok()?;
    directives.get(at).map(|(_, directive)| directive)
}

/// The lines to fill in: its own, those of upstream's template, and blank fields of former versions.
fn form_lines(document: &Document) -> Lines {
    let mut lines = Lines::from_list(include_str!("../templates/history/form-lines.txt"));
    let sections = document.sections.iter().filter(|(id, _)| Some(*id) != document.sections.title());
    let visible = sections.flat_map(|(_, section)| document.visible_lines(section.own.clone()));
    // A line of guidance is none to fill in.
    lines.extend(visible.filter_map(|line| fingerprint::hash(&line)).filter(|hash| !is_known_line(*hash)).collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_of(text: &str, role: SectionRole) -> Option<String> {
        let template = Template::parse(SourceFile::decode("template.md", text.into()));
        template.with_role(role).map(|id| template.get(id).title.text.clone())
    }

    #[test]
    fn a_role_comes_from_the_directive_or_from_the_built_in_title() {
        let own = "# T\n\n## How we test\n<!--DIRECTIVE: required: true, role: test-plan-->\n\n## Test Plan\n";
        assert_eq!(title_of(own, SectionRole::TestPlan).as_deref(), Some("How we test"));
        assert_eq!(title_of("# T\n\n## testing plan\n", SectionRole::TestPlan).as_deref(), Some("testing plan"));
        assert_eq!(title_of("# T\n\n## test plan\n", SectionRole::TestPlan).as_deref(), Some("test plan"));
        assert_eq!(title_of("# T\n\n## Tests\n", SectionRole::TestPlan), None);
    }

    #[test]
    fn a_template_says_what_it_leaves_to_the_author() {
        let text = "# How to use it\n\nCopy it.\n\n# {Title}\n\n## Summary\n\nIn short.\n\n### {Persona}\n\n## Design\n\n\
            <!-- Optional: omit it for small changes. -->\n\n## More\n\n### Cost [optional]\n\n## Tests\n\n\
            Optics and tests.\n";
        let template = Template::parse(SourceFile::decode("template.md", text.into()));
        let titles = |is_open: bool| {
            let sections = template.iter().filter(|(id, _)| template.is_left_open(*id) == is_open);
            sections.map(|(_, section)| section.title.text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(titles(true), ["{Persona}", "Design", "More", "Cost [optional]"]);
        assert_eq!(titles(false), ["Summary", "Tests"]);
    }

    #[test]
    fn headings_without_directives_have_those_of_the_built_in_template() {
        let text = "# T\n\n## Summary\n\n## Cost\n\n## Testing Plan\n<!--DIRECTIVE: required: false-->\n";
        let required = |template: &Template| {
            let sections = template
                .iter()
                .filter(|(_, section)| template.directive(section.source).is_some_and(|directive| directive.required));
            sections.map(|(_, section)| section.title.text.clone()).collect::<Vec<_>>()
        };
        let file = || SourceFile::decode("template.md", text.into());
        let own = Template::of_repository(file());
        assert_eq!(required(&own), ["Summary", "Cost"]);
        let asking = own.asking.iter().map(|id| own.document.sections.get(*id).title.text.as_str());
        assert_eq!(asking.collect::<Vec<_>>(), ["Cost"]);
        assert_eq!(required(&Template::parse(file())), [""; 0]);
        assert!(Template::parse(file()).useless().is_some());
        let is_misshapen = |headings| {
            let decoded = SourceFile::decode("template.md", "## Heading\n".repeat(headings).into());
            Template::parse(decoded).misshapen().is_some()
        };
        assert_eq!([TEMPLATE_HEADINGS, TEMPLATE_HEADINGS + 1].map(is_misshapen), [false, true]);
    }

    #[test]
    fn the_built_in_template_has_every_role_once() {
        let template = Template::built_in();
        for role in SectionRole::names().filter_map(SectionRole::from_name) {
            let sections = template.iter().filter(|(_, section)| section.role == Some(role));
            assert_eq!(sections.count(), 1, "{}", role.name());
        }
        assert_eq!(template.title_placeholder(), Some("Your short, descriptive title"));
    }
}
