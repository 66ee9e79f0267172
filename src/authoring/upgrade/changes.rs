//! What an upgrade changes in a README, and what it leaves to the author, in words.

use crate::diagnostic::{Diagnostic, brief, counted};
use crate::lint::report::KepReport;
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId};
use crate::matching::Matching;
use crate::requirement::Requirement;
use crate::stage::Stage;
use crate::suggest;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::collections::BTreeMap;

/// A README and how it matches the template.
struct Version<'a> {
    document: &'a Document,
    matching: Matching,
}

impl<'a> Version<'a> {
    fn of(document: &'a Document, template: &Template) -> Self {
        Self { document, matching: Matching::new(template, document) }
    }

    fn section(&self, id: TemplateId) -> Option<&'a Section> {
        Some(self.document.sections.get(self.matching.place(id)?.section?))
    }

    /// A heading with its marks and the number of its line.
    fn line(&self, section: &Section) -> String {
        let line = self.document.source.position(section.heading.start).line;
        format!("{line}: `{}`", heading(section))
    }
}

fn heading(section: &Section) -> String {
    format!("{} {}", "#".repeat(section.level.into()), brief(&section.title.text))
}

/// What an upgrade changes in a README, and what it leaves.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Upgrade {
    /// The headings that got the template's words: the old one and the new one.
    pub renamed: Vec<(String, String)>,
    /// How many headings are new.
    pub added: usize,
    /// How many of them the stage asks for, and have no text yet.
    pub asked: usize,
    /// These, without those that are in others of them, each with its line.
    pub to_fill: Vec<String>,
    /// How many of them stand above text that had their words in bold, or as a label.
    pub headed: usize,
    /// How many lines the checklist got.
    pub items: usize,
    /// The keys of the template that kep.yaml lacks.
    pub keys: Vec<String>,
    /// What is left to the author: sentences without a full stop, each with its line.
    pub left: Vec<String>,
}

impl Upgrade {
    /// What the upgrade from `before` to `after` has changed; the stage has these `requirements`.
    pub fn of(
        before: &Document,
        report: &KepReport,
        after: &Document,
        template: &Template,
        requirements: &[Requirement],
    ) -> Self {
        let (old, new) = (Version::of(before, template), Version::of(after, template));
        let mut upgrade = Self::default();
        let is_asked = |id: TemplateId| {
            let is_new = old.matching.place(id).is_none() && new.section(id).is_some();
            is_new && requirements.iter().any(|requirement| requirement.section == id)
        };
        let below = |id: TemplateId| {
            let asked = template.iter().filter(|(other, _)| is_asked(*other));
            asked.filter(|(other, _)| template.ancestors(*other).any(|around| around == id)).count()
        };
        for (id, _) in template.iter() {
            let Some(section) = new.section(id) else { continue };
            match old.section(id) {
                Some(was) if was.title.text != section.title.text => {
                    upgrade.renamed.push((heading(was), heading(section)));
                }
                None if old.matching.place(id).is_some() => {
                    upgrade.added += 1;
                    upgrade.headed += 1;
                }
                None => {
                    upgrade.added += 1;
                    upgrade.asked += usize::from(is_asked(id));
                    if is_asked(id) && !template.ancestors(id).any(is_asked) {
                        let more = match below(id) {
                            0 => String::new(),
                            count => format!(", with {} in it", counted(count, "other", "others")),
                        };
                        upgrade.to_fill.push(new.line(section) + &more);
                    }
                }
                _ => {}
            }
        }
        let boxes = |version: &Version<'_>| {
            let place = version.matching.with_role(template, SectionRole::Signoff)?;
            let boxes = version.document.boxes.iter();
            Some(boxes.filter(|item| place.subtree.contains(&item.span.start)).count())
        };
        upgrade.items = boxes(&old).zip(boxes(&new)).map_or(0, |(old, new)| new.saturating_sub(old));
        upgrade.left.extend(disorder(&new, template));
        // A new test plan has all of its lines to be filled in.
        let has_plan = template.with_role(SectionRole::TestPlan).is_some_and(|id| old.section(id).is_some());
        let is_left = |finding: &&Diagnostic| {
            finding.span.file == after.file && (has_plan || finding.rule != "unacknowledged-test-plan")
        };
        upgrade.left.extend(report.diagnostics.iter().filter(is_left).map(|finding| told(after, finding)));
        upgrade
    }

    /// What it is in one line: "renamed 3, added 33 (12 are asked for at beta), left alone 2".
    pub fn words(&self, stage: Stage) -> String {
        let Self { renamed, added, asked, left, .. } = self;
        let of_stage = match asked {
            0 => String::new(),
            1 => format!(" (1 is asked for at {stage})"),
            count => format!(" ({count} are asked for at {stage})"),
        };
        format!("renamed {}, added {added}{of_stage}, left alone {}", renamed.len(), left.len())
    }

    /// What is done and what is left, line by line.
    pub fn details(&self, stage: Stage) -> Vec<String> {
        let Self { renamed, to_fill, headed, items, keys, left, .. } = self;
        let mut lines = Vec::new();
        lines.extend(renamed.iter().map(|(old, new)| format!("  renamed `{old}` to `{new}`")));
        if !to_fill.is_empty() {
            lines.push(format!("  to be filled in, as asked for at {stage}:"));
            lines.extend(to_fill.iter().map(|line| format!("    {line}")));
        }
        if *headed > 0 {
            let headings = counted(*headed, "heading stands", "headings stand");
            lines.push(format!("  {headings} above text that begins with the same words: remove these"));
        }
        if *items > 0 {
            lines.push(format!("  added {} to the signoff checklist", counted(*items, "line", "lines")));
        }
        if !left.is_empty() {
            lines.push("  left to you:".to_owned());
            lines.extend(left.iter().map(|line| format!("    {line}")));
        }
        if !keys.is_empty() {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            lines.push(format!("  kep.yaml lacks {} of the template", suggest::list(&keys, "and")));
        }
        lines
    }
}

fn told(document: &Document, finding: &Diagnostic) -> String {
    let line = document.source.position(finding.span.start).line;
    let help = finding.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
    format!("{line}: {}{help}", finding.message)
}

/// The sections of the template that stand beside others in another order, as few as possible.
fn disorder(new: &Version<'_>, template: &Template) -> Vec<String> {
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
