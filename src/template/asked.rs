//! The template of proposals that are no KEPs: what of it is asked for, as the configuration says.

use super::directive::Directive;
use super::{Template, TemplateId, TemplateSection, headings};
use crate::diagnostic::{Failure, brief};
use crate::kep::layout::Own;
use crate::kep::layout::forms::{Expression, Rank};
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title::Title;
use crate::span::Span;

/// Titles that mean the same in other projects.
const SYNONYMS: [&[&str]; 6] = [
    &["Summary", "TL;DR", "TLDR", "Abstract", "Objective", "Overview"],
    &["Motivation", "Purpose", "Introduction"],
    &["Goals", "In Scope"],
    &["Non-Goals", "No Goals", "Out of Scope"],
    &["User Stories", "Use Cases"],
    &["Design Details", "Implementation Details", "Implementation Details/Notes/Constraints", "Architecture"],
];

/// The other names that a title has: parts of `Introduction/Overview` and of `Upgrade / Downgrade Strategy`, `Design` of
/// `Design Details`, and titles that mean the same.
fn names(section: &Section) -> Vec<String> {
    let parts: Vec<&str> = section.title.text.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
    let common = parts.last().and_then(|last| last.split_once(' ')).map_or("", |(_, common)| common);
    let whole = parts.iter().map(|part| format!("{part} {common}")).filter(|_| parts.len() > 1 && !common.is_empty());
    // Without what is in parentheses: `Purpose (Why)`.
    let whole_key = Title::new(section.title.text.split('(').next().unwrap_or_default()).key;
    let keys: Vec<String> = parts.iter().map(|part| Title::new(part).key).chain([whole_key]).collect();
    let is_same = |titles: &&[&str]| titles.iter().any(|title| keys.contains(&Title::new(title).key));
    let same = SYNONYMS.into_iter().filter(is_same).flatten();
    let short = section.title.text.strip_suffix(" Details");
    parts.iter().copied().chain(short).chain(same.copied()).map(str::to_owned).chain(whole).collect()
}

impl TemplateSection {
    /// Whether the title alone leaves it to the author.
    fn has_open_title(&self) -> bool {
        self.is_sample() || self.title.is_optional() || self.title.text.to_lowercase().contains("please remove")
    }
}

impl Template {
    /// Whether a document has no title: its first heading is that of a section, and so is another one at the level of a title.
    pub fn finds_no_title(&self, document: &Document) -> bool {
        let tops = document.sections.iter().filter(|(_, top)| top.level == 1);
        let mut own = tops.map(|(_, top)| self.sections.iter().any(|section| section.title.key == top.title.key));
        own.next() == Some(true) && own.any(|is_section| is_section)
    }

    /// The same template, of which only that is asked for which the configuration does not leave open. Fails
    /// if that is nothing.
    pub fn asked_by(self, own: &Own) -> Result<Self, Failure> {
        let mut directives: Vec<(SectionId, Directive)> = Vec::new();
        let mut asking = Vec::new();
        let parts = headings(&self.document).flat_map(|(id, it)| it.title.text.split('/').map(move |part| (id, part)));
        let all: Vec<(SectionId, String)> = parts.map(|(id, part)| (id, Title::new(part).key)).collect();
        for (wanted, TemplateSection { source: id, .. }) in self.iter() {
            let (id, section) = (*id, self.document.sections.get(*id));
            let is_optional = own.sections.optional.iter().any(|optional| optional.is_match(&section.title.text));
            let span = Span::new(self.document.file, section.text.clone());
            let is_annotated = self.is_annotated(section);
            let directive = match &own.sections.directive {
                None if is_annotated => self.directive(id).cloned(),
                None => self.directive(id).map(|known| self.asked(id, known, span)),
                Some(form) => {
                    self.rank(section, form, own)?.map(|from| Directive { from: Some(from), ..Directive::asking(span) })
                }
            };
            let Some(directive) = directive else { continue };
            if directive.from.is_some() || !is_annotated {
                asking.push(id);
            }
            // A name that others give to this section may be that of another one here.
            let is_free = |name: &String| {
                let key = Title::new(name).key;
                is_annotated || !all.iter().any(|(other, title)| *other != id && *title == key)
            };
            let aka = directive.aka.iter().cloned().chain(names(section)).filter(is_free).collect();
            let is_certain = directive.from.is_some() || is_annotated;
            let required = directive.required && (is_certain || !self.is_optional(wanted));
            directives.push((id, Directive { required, is_optional, aka, ..directive }));
        }
        if !directives.iter().any(|(_, directive)| directive.is_required()) {
            let help = "name a template with headings that `sections` in the configuration asks for";
            return Err(self.failure("it asks for no section, so every document would look complete", help));
        }
        let is_borrowing = self.is_borrowing;
        let template = Self::new(self.document, directives, self.problems).with_roles_of_titles();
        Ok(Self { is_borrowing, asking, is_of_others: true, ..template })
    }

    /// Whether it is a title, or left to the author, or the title of one around it says so.
    fn is_optional(&self, id: TemplateId) -> bool {
        let mut titles = self.ancestors(id).map(|around| self.get(around));
        self.get(id).level == 1 || self.is_left_open(id) || titles.any(TemplateSection::has_open_title)
    }

    /// Whether another project's template leaves it to the author: its title or text says so, or it only holds such
    /// sections.
    pub fn is_left_open(&self, id: TemplateId) -> bool {
        const WORDS: [&str; 8] = [
            "optional",
            "this section is optional",
            "skip this section",
            "omit this section",
            "once the ",
            "if applicable",
            "what are some important details",
            "what are the caveats",
        ];
        let text = self.text_below(id);
        let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let is_open = self.get(id).has_open_title() || WORDS.iter().any(|words| text.starts_with(words));
        let mut children = self.children(id).peekable();
        is_open || (text.is_empty() && children.peek().is_some() && children.all(|(child, _)| self.is_left_open(child)))
    }

    /// Whether it, or a section around it, says that it is written later: "Section not required until …".
    pub fn is_postponed(&self, id: TemplateId) -> bool {
        let first = |at| self.text_below(at).trim_start().lines().next().unwrap_or_default().to_lowercase();
        self.ancestors(id).chain([id]).any(|at| first(at).contains("not required until"))
    }

    /// The text between a heading and the next one.
    fn text_below(&self, id: TemplateId) -> &str {
        self.document.slice(self.document.sections.get(self.get(id).source).own.clone())
    }

    /// Whether a directive of its own says when the section is required.
    fn is_annotated(&self, section: &Section) -> bool {
        let mut comments = self.document.comments.iter();
        comments.any(|comment| section.own.contains(&comment.span.start) && comment.is_directive(self.document.text()))
    }

    /// A heading that asks for itself. What KEPs are asked for at which stage says nothing of it: only names of the section
    /// are taken from there, unless it was guessed.
    fn asked(&self, id: SectionId, known: &Directive, span: Span) -> Directive {
        if self.renamed.iter().any(|(renamed, _)| *renamed == id) {
            return Directive::asking(span);
        }
        let Directive { role, aka, similar, .. } = known.clone();
        Directive { role, aka, similar, ..Directive::asking(span) }
    }

    /// The status that a line below a heading names.
    fn rank(&self, section: &Section, form: &Expression, own: &Own) -> Result<Option<Rank>, Failure> {
        let text = self.document.slice(section.own.clone());
        let Some(word) = text.lines().find_map(|line| form.part(line, "phase")) else { return Ok(None) };
        own.rank(word).map(Some).ok_or_else(|| {
            let reason = format!("`{}` below `{}` is no status", brief(word), brief(&section.title.text));
            self.failure(&reason, "say in `phases` what it means")
        })
    }
}
