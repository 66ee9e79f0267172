//! Ignores: comments in the files of a KEP that silence findings, each with a reason. Separate from the rules, which
//! know nothing of them, and from `lint`, which only says when they count. Failures are no findings, so that nothing
//! here can silence them.

pub mod ignore;
mod in_markdown;
mod in_yaml;
pub(crate) mod insertion;
pub(crate) mod removal;

use self::ignore::Ignore;
use crate::bounds;
use crate::diagnostic::{Diagnostic, Failure};
use crate::kep::Kep;
use crate::markdown::Document;
use crate::markdown::title::Title;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::suggest;
use crate::template::Template;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Ignores {
    pub list: Vec<Ignore>,
    pub excessive: Vec<FileId>,
}

impl Ignores {
    pub fn of(kep: &Kep) -> Self {
        let mut ignores = Self::default();
        for document in kep.readme.iter().chain(&kep.documents) {
            ignores.add(in_markdown::find(document));
        }
        for file in [kep.texts.metadata.file(), kep.texts.owners.file()].into_iter().flatten() {
            ignores.add(in_yaml::find(file, kep.texts.file(file)));
        }
        let of_kep_alone = ignores.list.len();
        let review = kep.review.as_ref().map(|review| review.file);
        for file in review.into_iter().chain(kep.stray_reviews.iter().copied()) {
            ignores.add(in_yaml::find(file, kep.texts.file(file)));
        }
        ignores.list.iter_mut().skip(of_kep_alone).for_each(|ignore| ignore.is_own = false);
        ignores
    }

    pub fn of_file(file: FileId, source: &Arc<SourceFile>) -> Self {
        let mut ignores = Self::default();
        if !is_markdown(source) {
            ignores.add(in_yaml::find(file, source));
        } else if source.text.contains(ignore::NAME) {
            // Most files have none, and do not have to be parsed.
            ignores.add(in_markdown::find(&Document::parse(file, Arc::clone(source))));
        }
        ignores
    }

    /// Lets an ignore that names a section by its title in the built-in template count for its title in the
    /// repository's.
    pub fn follow(&mut self, template: &Template) {
        let names = self.list.iter_mut().flat_map(|ignore| &mut ignore.names);
        for name in names {
            let Some(key) = name.title.as_ref() else { continue };
            let mut renamed = template.iter().filter(|(id, _)| template.is_renamed(*id));
            let section = renamed.find(|(_, section)| section.former.iter().any(|title| title.key == *key));
            name.new_title = section.map(|(_, section)| section.title.key.clone());
        }
    }

    /// Adds the ignores of one file, as far as they name no more rules than are read.
    fn add(&mut self, of_file: Vec<Ignore>) {
        let mut names = 0;
        for ignore in of_file {
            names += ignore.names.len().max(1);
            if names > bounds::IGNORED_NAMES {
                return self.excessive.push(ignore.comment.file);
            }
            self.list.push(ignore);
        }
    }

    /// The failures to read all of the ignores in these files: findings may be too many then.
    pub fn unread(&self, files: &[Arc<SourceFile>]) -> impl Iterator<Item = Failure> {
        let reason = format!("its ignores name more than {} rules", bounds::IGNORED_NAMES);
        let excessive = self.excessive.iter().filter_map(|file| files.get(file.index()));
        excessive.map(move |file| {
            Failure::of("read all of", &file.path, &reason).help("remove some, or ignore a rule in the whole file")
        })
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Removes the findings that are ignored, but not what hides the KEP's status, and returns how many.
    pub fn silence(&mut self, diagnostics: &mut Vec<Diagnostic>) -> usize {
        let before: usize = diagnostics.iter().map(|finding| finding.count).sum();
        if !self.is_empty() {
            diagnostics.retain(|finding| finding.hides_status || !self.silences(finding));
        }
        before - diagnostics.iter().map(|finding| finding.count).sum::<usize>()
    }

    fn silences(&mut self, finding: &Diagnostic) -> bool {
        // One that stands for many is everywhere in its file.
        let offset = if finding.count > 1 { ignore::EVERYWHERE } else { finding.span.start };
        let title = finding.section.as_ref().and_then(|path| path.last()).map(|title| Title::new(title).key);
        let mut is_silenced = false;
        for ignore in self.list.iter_mut().filter(|ignore| ignore.works() && ignore.covers.contains(&offset)) {
            for name in ignore.names.iter_mut().filter(|name| suggest::current(&name.rule) == finding.rule) {
                let is_renamed = name.new_title.is_some() && name.new_title == title;
                let is_about_it = name.title.is_none() || name.title == title || is_renamed;
                if ignore.comment.file == finding.span.file && is_about_it {
                    name.is_used = true;
                    is_silenced = true;
                }
            }
        }
        is_silenced
    }
}

pub(crate) fn is_markdown(source: &SourceFile) -> bool {
    source.path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}
