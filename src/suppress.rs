//! Ignores: comments in the files of a KEP that silence findings, each with a reason. Separate from the rules, which
//! know nothing of them, and from `lint`, which only says when they count. Failures are no findings, so that nothing
//! here can silence them.

pub mod ignore;
mod in_markdown;
mod in_yaml;
pub mod insertion;
pub mod removal;

use self::ignore::{Ignore, Named};
use crate::diagnostic::Diagnostic;
use crate::kep::Kep;
use crate::markdown::Document;
use crate::markdown::title::Title;
use crate::source::SourceFile;
use crate::span::FileId;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Ignores {
    /// File by file, in the order of each text.
    pub list: Vec<Ignore>,
}

impl Ignores {
    pub fn of(kep: &Kep) -> Self {
        let mut list = Vec::new();
        for document in kep.readme.iter().chain(&kep.documents) {
            list.extend(in_markdown::find(document));
        }
        for file in [kep.texts.metadata.file(), kep.texts.owners.file()].into_iter().flatten() {
            list.extend(in_yaml::find(file, kep.texts.file(file)));
        }
        let of_kep_alone = list.len();
        let review = kep.review.as_ref().map(|review| review.file);
        for file in review.into_iter().chain(kep.stray_reviews.iter().copied()) {
            list.extend(in_yaml::find(file, kep.texts.file(file)));
        }
        list.iter_mut().skip(of_kep_alone).for_each(|ignore| ignore.is_own = false);
        Self { list }
    }

    /// The ignores of one Markdown or YAML file.
    pub fn of_file(file: FileId, source: &Arc<SourceFile>) -> Self {
        let list = if !is_markdown(source) {
            in_yaml::find(file, source)
        } else if source.text.contains(ignore::NAME) {
            in_markdown::find(&Document::parse(file, Arc::clone(source)))
        } else {
            // Most files have none, and do not have to be parsed.
            Vec::new()
        };
        Self { list }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Removes the findings that are ignored, and notes which ignores did that. Returns how many findings it removed. What
    /// hides the KEP's status stays.
    pub fn silence(&mut self, diagnostics: &mut Vec<Diagnostic>) -> usize {
        let covered = Covered::of(&self.list);
        // The offsets of findings, by the number of what covers them.
        let mut offsets: Vec<Vec<usize>> = vec![Vec::new(); covered.parts.len()];
        let mut is_silenced = Vec::with_capacity(diagnostics.len());
        for finding in diagnostics.iter() {
            if finding.hides_status {
                is_silenced.push(false);
                continue;
            }
            let title = if covered.has_titles { finding.section.as_ref().and_then(|path| path.last()) } else { None };
            let title = title.map(|title| Title::new(title).key);
            let offset = offset_of(finding);
            let mut is_covered = false;
            for part in [None, title.as_deref()].into_iter().take(1 + usize::from(title.is_some())) {
                let Some(parts) = covered.parts.get(&(finding.span.file, finding.rule, part)) else { continue };
                offsets.get_mut(parts.number).into_iter().for_each(|offsets| offsets.push(offset));
                is_covered |= parts.holds(offset);
            }
            is_silenced.push(is_covered);
        }
        offsets.iter_mut().for_each(|offsets| offsets.sort_unstable());
        let is_used = |ignore: &Ignore, name: &Named| {
            let parts = if ignore.works() { covered.parts.get(&key(ignore, name)) } else { None };
            parts.and_then(|parts| offsets.get(parts.number)).is_some_and(|offsets| {
                let next = offsets.partition_point(|offset| *offset < ignore.covers.start);
                offsets.get(next).is_some_and(|offset| *offset < ignore.covers.end)
            })
        };
        let uses: Vec<Vec<bool>> =
            self.list.iter().map(|ignore| ignore.names.iter().map(|name| is_used(ignore, name)).collect()).collect();
        for (ignore, used) in self.list.iter_mut().zip(uses) {
            for (name, _) in ignore.names.iter_mut().zip(used).filter(|(_, used)| *used) {
                name.is_used = true;
            }
        }
        let mut count = 0;
        let mut is_silenced = is_silenced.into_iter();
        diagnostics.retain(|finding| {
            let is_silenced = is_silenced.next().unwrap_or(false);
            count += if is_silenced { finding.count } else { 0 };
            !is_silenced
        });
        count
    }
}

/// A file, a rule, and the key of a section's title if only findings about that section are ignored.
type Key<'a> = (FileId, &'a str, Option<&'a str>);

fn key<'a>(ignore: &Ignore, name: &'a Named) -> Key<'a> {
    (ignore.comment.file, name.rule.as_str(), name.title.as_deref())
}

struct Covered<'a> {
    parts: BTreeMap<Key<'a>, Parts>,
    /// Whether there is a key with a title.
    has_titles: bool,
}

/// The parts of a file in which the findings of a rule are ignored.
struct Parts {
    number: usize,
    /// The starts of the parts in ascending order, each with the furthest end of the parts up to there.
    spans: Vec<(usize, usize)>,
}

impl<'a> Covered<'a> {
    fn of(list: &'a [Ignore]) -> Self {
        let mut parts: BTreeMap<Key<'a>, Parts> = BTreeMap::new();
        for ignore in list.iter().filter(|ignore| ignore.works()) {
            for name in &ignore.names {
                let number = parts.len();
                let parts = parts.entry(key(ignore, name)).or_insert_with(|| Parts { number, spans: Vec::new() });
                parts.spans.push((ignore.covers.start, ignore.covers.end));
            }
        }
        for Parts { spans, .. } in parts.values_mut() {
            spans.sort_unstable();
            let mut furthest = 0;
            for (_, end) in spans {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        let has_titles = parts.keys().any(|(_, _, title)| title.is_some());
        Self { parts, has_titles }
    }
}

impl Parts {
    /// Whether byte `offset` is in one of them.
    fn holds(&self, offset: usize) -> bool {
        let before = self.spans.partition_point(|(start, _)| *start <= offset);
        let last = before.checked_sub(1).and_then(|last| self.spans.get(last));
        last.is_some_and(|(_, end)| offset < *end)
    }
}

/// The byte by which a finding is ignored. One that stands for many is everywhere in its file.
fn offset_of(finding: &Diagnostic) -> usize {
    if finding.count > 1 { ignore::EVERYWHERE } else { finding.span.start }
}

/// Whether a file is Markdown, not YAML.
fn is_markdown(source: &SourceFile) -> bool {
    source.path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}
