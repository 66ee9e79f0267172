//! Markdown: headings that are missing, links, feature gates and ignores.

use super::metadata::directories;
use super::{Choice, Completions, Kind, ignores};
use crate::editor::view::View;
use crate::markdown::Document;
use crate::markdown::anchor::{Anchors, Dialect};
use crate::markdown::section::SectionId;
use crate::report::requirements;
use crate::report::table::Table;
use crate::rules::context::{Ctx, Readme};
use crate::span::{line_end, slice};
use crate::template::TemplateId;
use std::collections::BTreeSet;
use std::ops::Range;

/// What can be written at byte `offset` of a document.
pub fn at(view: &View<'_>, document: &Document, offset: usize, found: &[&str]) -> Option<Completions> {
    let text = document.text();
    let start = slice(text, ..offset).rfind(['\n', '\r']).map_or(0, |at| at + 1);
    if document.is_in_block(&(start..offset)) {
        return None;
    }
    let before = slice(text, start..offset);
    if let Some(opening) = open_comment(text, offset) {
        return ignores(slice(text, opening..offset), opening, found);
    }
    let line = Line { text, before, offset };
    let ctx = view.ctx();
    let readme = ctx.readme.filter(|readme| readme.document.file == document.file);
    let completions = if let Some(readme) = readme.filter(|_| before.starts_with('#')) {
        headings(view, &ctx, readme, &line)
    } else if let Some(target) = before.rfind("](").map(|at| slice(before, at + 2..)).filter(|it| !it.contains(')')) {
        links(view, document, &line, target)
    } else {
        gates(view, &line)
    };
    completions.filter(|completions| !completions.choices.is_empty())
}

struct Line<'t> {
    text: &'t str,
    before: &'t str,
    offset: usize,
}

impl Line<'_> {
    /// What follows the place on its line.
    fn rest(&self) -> &str {
        let rest = slice(self.text, self.offset..);
        slice(rest, ..rest.find(['\r', '\n']).unwrap_or(rest.len()))
    }

    /// The last `length` bytes before the place, and `more` after it.
    fn range(&self, length: usize, more: usize) -> Range<usize> {
        self.offset - length..self.offset + more
    }
}

/// Where the text of the comment begins that is open at the place.
fn open_comment(text: &str, offset: usize) -> Option<usize> {
    let before = slice(text, ..offset);
    let start = before.rfind("<!--")? + 4;
    (!slice(before, start..).contains("-->")).then_some(start)
}

/// The sections of the template that the README lacks, where they belong; the required ones first.
fn headings(view: &View<'_>, ctx: &Ctx<'_>, readme: Readme<'_>, line: &Line<'_>) -> Option<Completions> {
    let hashes = line.before.len() - line.before.trim_start_matches('#').len();
    let typed = slice(line.before, hashes..);
    if hashes > 6 || !line.rest().trim().is_empty() || !(typed.is_empty() || typed.starts_with(' ')) {
        return None;
    }
    let start = line.offset - line.before.len();
    let around = start.checked_sub(1).and_then(|end| readme.sections.at(end));
    let template = view.template;
    let is_missing = |id: TemplateId| readme.matching().place(id).is_none_or(|place| place.heading.start == start);
    let fits = |id: TemplateId| level(readme, ctx, id).filter(|level| belongs(readme, ctx, id, *level, around));
    let missing = template.iter().filter(|(id, section)| section.level > 1 && is_missing(*id));
    let mut places: Vec<(TemplateId, u8)> = missing.filter_map(|(id, _)| Some((id, fits(id)?))).collect();
    let requirement = |id: TemplateId| ctx.requirements.iter().find(|required| required.section == id);
    places.sort_by_key(|(id, _)| (requirement(*id).is_none(), *id));
    let newline = line_end(line.text, 0);
    let choice = |(id, level): (TemplateId, u8)| {
        let heading = format!("{} {}", "#".repeat(level.into()), template.get(id).title.text);
        let guidance = template.guidance(id);
        let text = if guidance.is_empty() { heading.clone() } else { format!("{heading}\n\n{guidance}\n") };
        let detail = match requirement(id) {
            Some(requirement) => requirement.reason(template),
            None => "optional".to_owned(),
        };
        let page = requirements::page(template, id, ctx.layout(), &Table::markdown);
        Choice::new(Kind::Heading, heading).text(text.replace('\n', newline)).detail(detail).documentation(page)
    };
    let choices = places.into_iter().map(choice).collect();
    Some(Completions { range: line.range(line.before.len(), line.rest().len()), choices })
}

/// The level of a missing section: one below the section around it, as that is written.
fn level(readme: Readme<'_>, ctx: &Ctx<'_>, id: TemplateId) -> Option<u8> {
    let section = ctx.template.get(id);
    let Some(parent) = section.parent.filter(|parent| ctx.template.get(*parent).level > 1) else {
        return Some(section.level);
    };
    let written = readme.sections.get(readme.matching().place(parent)?.section?).level;
    let level = (written + section.level).checked_sub(ctx.template.get(parent).level)?;
    (level <= 6).then_some(level)
}

/// Whether a heading of this level after the text of the section `around` is below the parent of the section `id`.
fn belongs(readme: Readme<'_>, ctx: &Ctx<'_>, id: TemplateId, level: u8, around: Option<SectionId>) -> bool {
    let sections = &readme.sections;
    let chain = around.into_iter().chain(around.into_iter().flat_map(|inner| sections.ancestors(inner)));
    let above = chain.into_iter().find(|other| sections.get(*other).level < level);
    let wanted = ctx.template.get(id).parent.filter(|parent| ctx.template.get(*parent).level > 1);
    match (wanted, above) {
        (Some(parent), Some(above)) => readme.matching().is_at(parent, above),
        (Some(_), None) => false,
        (None, above) => above.is_none_or(|above| sections.get(above).level == 1),
    }
}

/// The targets of a link: anchors of this document, other files of the KEP, and other KEPs.
fn links(view: &View<'_>, document: &Document, line: &Line<'_>, target: &str) -> Option<Completions> {
    if document.code_around(line.offset - target.len()).is_some() {
        return None;
    }
    let is_part = |letter: char| !matches!(letter, ')' | ' ' | '\t' | '"');
    let more = line.rest().find(|letter| !is_part(letter)).unwrap_or(line.rest().len());
    let range = line.range(target.len(), more);
    if target.starts_with('#') {
        let mut anchors = Anchors::new(Dialect::GitHub);
        let all = document.shown_headings().into_iter().map(|(_, shown)| (anchors.next(shown), shown));
        let titled = all.filter(|(anchor, _)| !anchor.is_empty());
        let choices = titled.map(|(name, words)| Choice::new(Kind::Heading, format!("#{name}")).detail(words));
        return Some(Completions { range, choices: choices.collect() });
    }
    if target.contains([':', '#']) {
        return None;
    }
    let texts = &view.kep().texts;
    let own = texts.tree_path.as_deref()?;
    let start = texts.directory_of(document.file)?;
    let beside = view.kep().readme.iter().chain(&view.kep().documents).filter(|other| other.file != document.file);
    let beside = beside.filter_map(|other| {
        let name = other.source.path.rsplit('/').next()?;
        Some(relative(&start, &format!("{}/{name}", texts.directory_of(other.file)?)))
    });
    let others = directories(view).filter(|path| *path != own).map(|path| {
        // An absolute link is one from the root of the repository.
        let readme = format!("{path}/README.md");
        if target.starts_with('/') { format!("/{readme}") } else { relative(&start, &readme) }
    });
    let other_files = beside.filter(|_| !target.starts_with('/'));
    let choices = other_files.chain(others).map(|path| Choice::new(Kind::Path, path)).collect();
    Some(Completions { range, choices })
}

/// The way from a directory to a file, both from `keps` on.
fn relative(directory: &str, file: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (directory.split('/').collect(), file.split('/').collect());
    let same = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(same).map(|_| "..");
    up.chain(to.iter().skip(same).copied()).collect::<Vec<_>>().join("/")
}

/// The feature gates of kep.yaml, where one is named: after a backtick, or after `Feature gate name:`.
fn gates(view: &View<'_>, line: &Line<'_>) -> Option<Completions> {
    const ASKED: &str = "Feature gate name:";
    let metadata = view.kep().metadata.as_ref()?;
    let in_code = line.before.matches('`').count() % 2 == 1;
    let typed = if in_code {
        line.before.rsplit('`').next()?
    } else {
        line.before.split_once(ASKED).map(|(_, typed)| typed.trim_start())?
    };
    if typed.contains(|letter: char| !letter.is_ascii_alphanumeric()) {
        return None;
    }
    let names: BTreeSet<&str> = metadata.feature_gate_names().map(|field| field.text.as_str()).collect();
    let rest = line.rest();
    let more = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let end = if in_code && !slice(rest, more..).starts_with('`') { "`" } else { "" };
    let blank = if !in_code && line.before.ends_with(':') { " " } else { "" };
    let choice = |name: &str| {
        Choice::new(Kind::Gate, name).text(format!("{blank}{name}{end}")).detail("feature gate of kep.yaml")
    };
    Some(Completions { range: line.range(typed.len(), more), choices: names.into_iter().map(choice).collect() })
}
