//! What differs between two templates: for those who take over a new version of upstream's template, and have to look
//! after the directives.

use super::directive::{self, Directive};
use super::{Template, TemplateId};
use crate::markdown::fingerprint;
use crate::markdown::section::SectionId;
use crate::suggest;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// How many headings of an older template are compared with a new one, to find out what it was: those nearest to its
/// place.
const COMPARED_HEADINGS: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub kind: Kind,
    /// The 1-based line of the heading: in the new template, and of a heading that is gone, in the old one.
    pub line: usize,
    pub heading: String,
    /// What it was, or what differs, in words; empty if the kind says it all.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Added,
    Removed,
    Renamed,
    /// A heading below another one, or at another level.
    Moved,
    /// Other text below the heading: guidance or lines to fill in.
    Guidance,
    /// A heading that had a directive, or that is new in a template with directives, has none.
    NoDirective,
    Directive,
}

impl Kind {
    pub const ALL: [Self; 7] =
        [Self::Added, Self::Removed, Self::Renamed, Self::Moved, Self::Guidance, Self::NoDirective, Self::Directive];

    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
            Self::Guidance => "other text",
            Self::NoDirective => "no directive",
            Self::Directive => "other directive",
        }
    }
}

/// Compares two templates, heading by heading, in the order of the new one; headings that are gone come last. A template
/// without any directive is not said to lack those of single headings.
pub fn compare(old: &Template, new: &Template) -> Vec<Difference> {
    let pairs = Pairs::of(old, new);
    let (old_directives, new_directives) = (directives(old), directives(new));
    let mut differences = Vec::new();
    for (id, section) in new.iter() {
        let mut report = |kind, what: String| differences.push(difference(new, id, kind, what));
        let is_without = !new_directives.is_empty() && !new_directives.contains_key(&section.source);
        let Some(former) = pairs.old_of(id) else {
            report(Kind::Added, String::new());
            if is_without {
                report(Kind::NoDirective, String::new());
            }
            continue;
        };
        let before = old.get(former);
        if before.title.text != section.title.text {
            report(Kind::Renamed, format!("it was `{}`", before.title.text));
        }
        if section.parent.map(|parent| pairs.old_of(parent)) != before.parent.map(Some) {
            let (was, is) = (around(old, before.parent), around(new, section.parent));
            report(Kind::Moved, format!("it was {was}, and is {is}"));
        } else if before.level != section.level {
            report(Kind::Moved, format!("it was at level {}", before.level));
        }
        if let Some(what) = other_text(&old.guidance(former), &new.guidance(id)) {
            report(Kind::Guidance, what);
        }
        match (old_directives.get(&before.source), new_directives.get(&section.source)) {
            (Some(was), Some(is)) if was.written() != is.written() => {
                report(Kind::Directive, format!("it was `{}`", was.written()));
            }
            (Some(_), None) if is_without => report(Kind::NoDirective, String::new()),
            _ => {}
        }
    }
    let gone = old.iter().filter(|(id, _)| !pairs.is_paired(*id));
    differences.extend(gone.map(|(id, _)| difference(old, id, Kind::Removed, String::new())));
    differences
}

fn difference(template: &Template, id: TemplateId, kind: Kind, what: String) -> Difference {
    let section = template.get(id);
    let start = template.document.sections.get(section.source).heading.start;
    let heading = format!("{} {}", "#".repeat(section.level.into()), section.title.text);
    Difference { kind, line: template.document.source.position(start).line, heading, what }
}

pub fn has_directives(template: &Template) -> bool {
    !directives(template).is_empty()
}

fn directives(template: &Template) -> BTreeMap<SectionId, Directive> {
    directive::collect(&template.document).0.into_iter().collect()
}

fn around(template: &Template, parent: Option<TemplateId>) -> String {
    parent.map_or("at the top".to_owned(), |parent| format!("below `{}`", template.get(parent).title.text))
}

/// How the text below a heading differs, by its lines with words; `None` if it does not.
fn other_text(old: &str, new: &str) -> Option<String> {
    let lines = |text: &str| text.lines().filter_map(fingerprint::hash).collect::<BTreeSet<_>>();
    let (old, new) = (lines(old), lines(new));
    let part = |count: usize, done: &str| match count {
        0 => None,
        1 => Some(format!("1 line {done}")),
        _ => Some(format!("{count} lines {done}")),
    };
    let added = part(new.difference(&old).count(), "added");
    let removed = part(old.difference(&new).count(), "removed");
    let parts: Vec<String> = added.into_iter().chain(removed).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[derive(Default)]
struct Pairs {
    /// The sections of the old template, by those of the new one that they are.
    by_new: BTreeMap<TemplateId, TemplateId>,
    paired: BTreeSet<TemplateId>,
}

impl Pairs {
    /// Pairs equal titles first, those at the same place before others, then titles that a directive or the built-in
    /// template knows as the same, and at last similar ones below the same heading.
    fn of(old: &Template, new: &Template) -> Self {
        let mut pairs = Self::default();
        pairs.pair(old, new, |template, id| vec![template.path(id).join("\n")]);
        pairs.pair(old, new, |template, id| vec![template.get(id).title.key.clone()]);
        pairs.pair(old, new, |template, id| {
            let section = template.get(id);
            let form = section.forms.first().map(|form| format!("{}\n{}", form.stems, form.question));
            section.titles().map(|title| title.key.clone()).chain(form).collect()
        });
        for (id, section) in new.iter() {
            if pairs.old_of(id).is_some() {
                continue;
            }
            let old_parent = section.parent.map(|parent| pairs.old_of(parent));
            let free = old.iter().filter(|(was, it)| !pairs.is_paired(*was) && it.parent.map(Some) == old_parent);
            let mut free: Vec<(TemplateId, &str)> = free.map(|(was, it)| (was, it.title.text.as_str())).collect();
            free.sort_by_key(|(was, _)| was.0.abs_diff(id.0));
            free.truncate(COMPARED_HEADINGS);
            // Of equally similar ones, `nearest` takes the last.
            let nearest = suggest::nearest(&section.title.text, free.iter().rev().map(|(_, title)| *title));
            if let Some((was, _)) = free.iter().find(|(_, title)| Some(*title) == nearest) {
                pairs.insert(id, *was);
            }
        }
        pairs
    }

    /// Pairs sections that are left and have one of these `names` in common, in the order of the templates.
    fn pair(&mut self, old: &Template, new: &Template, names: impl Fn(&Template, TemplateId) -> Vec<String>) {
        let mut named: HashMap<String, VecDeque<TemplateId>> = HashMap::new();
        for (was, _) in old.iter().filter(|(was, _)| !self.is_paired(*was)) {
            names(old, was).into_iter().for_each(|name| named.entry(name).or_default().push_back(was));
        }
        for (id, _) in new.iter() {
            if self.old_of(id).is_some() {
                continue;
            }
            let first_free = |name: &String| {
                let sections = named.get_mut(name)?;
                std::iter::from_fn(|| sections.pop_front()).find(|was| !self.is_paired(*was))
            };
            if let Some(was) = names(new, id).iter().find_map(first_free) {
                self.insert(id, was);
            }
        }
    }

    fn insert(&mut self, id: TemplateId, was: TemplateId) {
        self.by_new.insert(id, was);
        self.paired.insert(was);
    }

    fn old_of(&self, id: TemplateId) -> Option<TemplateId> {
        self.by_new.get(&id).copied()
    }

    fn is_paired(&self, was: TemplateId) -> bool {
        self.paired.contains(&was)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    fn differences(old: &str, new: &str) -> Vec<String> {
        let parse = |text: &str| Template::parse(SourceFile::decode("template.md", text.into()));
        let shown =
            |found: Difference| format!("{}: {} {} {}", found.line, found.kind.name(), found.heading, found.what);
        compare(&parse(old), &parse(new)).into_iter().map(|found| shown(found).trim_end().to_owned()).collect()
    }

    #[test]
    fn headings_and_their_text_are_compared() {
        const OLD: &str = "# T\n\n## Summary\n\nSay what it is.\n\n## Risks\n\n### Cost\n\n## Notes\n";
        assert_eq!(differences(OLD, OLD), [""; 0]);
        assert_eq!(
            differences(OLD, "# T\n\n## Summary\n\nSay why.\n\n### Cost\n\n## Risk\n\n## Cloud providers\n"),
            [
                "3: other text ## Summary 1 line added, 1 line removed",
                "7: moved ### Cost it was below `Risks`, and is below `Summary`",
                "9: renamed ## Risk it was `Risks`",
                "11: added ## Cloud providers",
                "11: removed ## Notes",
            ]
        );
    }

    #[test]
    fn a_renamed_heading_is_looked_for_near_its_place() {
        let old: String = (0..40).map(|at| format!("## Number {at}\n\n")).collect();
        let found = differences(&format!("# T\n\n{old}"), "# T\n\n## Numbre 1\n");
        assert_eq!(found.first().map(String::as_str), Some("3: renamed ## Numbre 1 it was `Number 1`"));
        // Of several that are as similar, it is the nearest.
        let nearest = differences("# T\n\n## Step 3\n\n## Step 4\n", "# T\n\n## Step 5\n");
        assert_eq!(nearest.first().map(String::as_str), Some("3: renamed ## Step 5 it was `Step 3`"));
    }

    #[test]
    fn directives_are_looked_after() {
        const OLD: &str = "# T\n\n## A\n<!--DIRECTIVE: required: true-->\n\n## B\n<!--DIRECTIVE: required: true-->\n";
        assert_eq!(
            differences(OLD, &OLD.replace("\n\n## B", "\n\n## C\n\n## B")),
            ["6: added ## C", "6: no directive ## C"]
        );
        let beta = OLD.replacen("required: true", "required: true, stage: beta", 1);
        assert_eq!(differences(OLD, &beta), ["3: other directive ## A it was `<!--DIRECTIVE: required: true-->`"]);
        let lost = OLD.replacen("<!--DIRECTIVE: required: true-->\n", "", 1);
        assert_eq!(differences(OLD, &lost), ["3: no directive ## A"]);
        assert_eq!(
            differences(OLD, "# T\n\n## A\n\n## B\n"),
            [""; 0],
            "all directives are missing, which is said once"
        );
    }
}
