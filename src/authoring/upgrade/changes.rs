//! What an upgrade changes in a README, and what it leaves to the author, in words.

use crate::diagnostic::{Diagnostic, brief, counted};
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId};
use crate::matching::Matching;
use crate::requirement::Requirement;
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::collections::BTreeMap;

/// A README and how it matches the template.
struct Version<'a> {
    document: &'a Document,
    matching: Matching,
}

impl<'a> Version<'a> {
    fn section(&self, id: TemplateId) -> Option<&'a Section> {
        Some(self.document.sections.get(self.matching.place(id)?.section?))
    }

    /// A heading with its marks and the number of its line.
    fn line(&self, section: &Section) -> String {
        let line = self.document.source.position(section.heading.start).line;
        format!("{line}: `{}`", heading(section))
    }

    fn boxes_of_signoff(&self, template: &Template) -> Option<usize> {
        let place = self.matching.with_role(template, SectionRole::Signoff)?;
        Some(self.document.boxes.iter().filter(|item| place.subtree.contains(&item.span.start)).count())
    }
}

fn heading(section: &Section) -> String {
    format!("{} {}", "#".repeat(section.level.into()), brief(&section.title.text))
}

/// A README before and after an upgrade.
pub struct Change<'a> {
    old: Version<'a>,
    new: Version<'a>,
    template: &'a Template,
}

impl<'a> Change<'a> {
    pub fn new(before: &'a Document, after: &'a Document, template: &'a Template) -> Self {
        let version = |document| Version { document, matching: Matching::new(template, document) };
        Self { old: version(before), new: version(after), template }
    }

    /// What is done and what is left, line by line; the first one says how much. The stage asks for those sections that
    /// are in `requirements`, and the `findings` are left.
    pub fn lines(&self, stage: Stage, requirements: &[Requirement], findings: &[Diagnostic]) -> Vec<String> {
        let Self { old, new, template } = self;
        let ids = || template.iter().map(|(id, _)| id).filter(|id| new.section(*id).is_some());
        let added: Vec<TemplateId> = ids().filter(|id| old.section(*id).is_none()).collect();
        let headed = added.iter().filter(|id| old.matching.place(**id).is_some()).count();
        let is_asked = |id: &TemplateId| {
            old.matching.place(*id).is_none() && requirements.iter().any(|requirement| requirement.section == *id)
        };
        let asked: Vec<TemplateId> = added.iter().copied().filter(is_asked).collect();
        let renamed: Vec<String> = ids().filter_map(|id| self.renamed(id)).collect();
        let left: Vec<String> = self.disorder().into_iter().chain(self.told(findings)).collect();
        let of_stage = match asked.len() {
            0 => String::new(),
            count => format!(" ({} asked for at {stage})", counted(count, "is", "are")),
        };
        let counts = format!("renamed {}, added {}{of_stage}, left alone {}", renamed.len(), added.len(), left.len());
        let mut lines = vec![counts];
        lines.extend(renamed);
        lines.extend(listed(&format!("to be filled in, as asked for at {stage}"), self.to_fill(&asked)));
        if headed > 0 {
            let headings = counted(headed, "heading stands", "headings stand");
            lines.push(format!("  {headings} above text that begins with the same words: remove these"));
        }
        let boxes = old.boxes_of_signoff(template).zip(new.boxes_of_signoff(template));
        let items = boxes.map_or(0, |(before, after)| after.saturating_sub(before));
        if items > 0 {
            lines.push(format!("  added {} to the signoff checklist", counted(items, "line", "lines")));
        }
        lines.extend(listed("left to you", left));
        lines
    }

    fn renamed(&self, id: TemplateId) -> Option<String> {
        let (was, is) = (self.old.section(id)?, self.new.section(id)?);
        let words = format!("  renamed `{}` to `{}`", heading(was), heading(is));
        (was.title.text != is.title.text).then_some(words)
    }

    /// The sections that are `asked` for, without those that are in others of them, each with its line.
    fn to_fill(&self, asked: &[TemplateId]) -> Vec<String> {
        let is_in = |id: TemplateId, outer: TemplateId| self.template.ancestors(id).any(|around| around == outer);
        let outermost = asked.iter().filter(|id| !asked.iter().any(|outer| is_in(**id, *outer)));
        let line = |id: &TemplateId| {
            let more = match asked.iter().filter(|other| is_in(**other, *id)).count() {
                0 => String::new(),
                count => format!(", with {} in it", counted(count, "other", "others")),
            };
            Some(self.new.line(self.new.section(*id)?) + &more)
        };
        outermost.filter_map(line).collect()
    }

    fn told(&self, findings: &[Diagnostic]) -> Vec<String> {
        let Self { old, new, template } = self;
        // A new test plan has all of its lines to be filled in.
        let has_plan = template.with_role(SectionRole::TestPlan).is_some_and(|id| old.section(id).is_some());
        let is_left = |finding: &&Diagnostic| {
            finding.span.file == new.document.file && (has_plan || finding.rule != "unacknowledged-test-plan")
        };
        let words = |finding: &Diagnostic| {
            let line = new.document.source.position(finding.span.start).line;
            let help = finding.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
            format!("{line}: {}{help}", finding.message)
        };
        findings.iter().filter(is_left).map(words).collect()
    }

    /// The sections of the template that stand beside others in another order, as few as possible.
    fn disorder(&self) -> Vec<String> {
        let Self { new, template, .. } = self;
        let sections = &new.document.sections;
        let mut groups: BTreeMap<_, Vec<(TemplateId, SectionId)>> = BTreeMap::new();
        for (heading, _) in sections.iter() {
            let owner = new.matching.owner(heading);
            if let Some(owner) = owner.filter(|owner| new.matching.is_at(*owner, heading)) {
                let around = (sections.parent(heading), template.get(owner).parent);
                groups.entry(around).or_default().push((owner, heading));
            }
        }
        let mut told = Vec::new();
        for group in groups.values() {
            let kept = longest_rising(group);
            for (owner, at) in group.iter().filter(|it| !kept.contains(it)) {
                let above = kept.iter().rfind(|(other, place)| other < owner && place > at);
                let below = kept.iter().find(|(other, place)| other > owner && place < at);
                let (word, other) = match (above, below) {
                    (Some((_, other)), _) => ("above", other),
                    (None, Some((_, other))) => ("below", other),
                    (None, None) => continue,
                };
                let other = heading(sections.get(*other));
                told.push(format!("{} stands {word} `{other}`: move it", new.line(sections.get(*at))));
            }
        }
        told
    }
}

/// A list below its title; nothing if it is empty.
fn listed(title: &str, items: Vec<String>) -> Vec<String> {
    if items.is_empty() {
        return items;
    }
    std::iter::once(format!("  {title}:")).chain(items.iter().map(|item| format!("    {item}"))).collect()
}

/// The most of these sections that are in the template's order.
fn longest_rising(sections: &[(TemplateId, SectionId)]) -> Vec<(TemplateId, SectionId)> {
    let mut best: Vec<Vec<(TemplateId, SectionId)>> = Vec::new();
    for section in sections {
        let before = best.iter().filter(|rising| rising.last().is_some_and(|last| last.0 < section.0));
        let mut longest = before.max_by_key(|rising| rising.len()).cloned().unwrap_or_default();
        longest.push(*section);
        best.push(longest);
    }
    best.into_iter().max_by_key(Vec::len).unwrap_or_default()
}
