//! A KEP with all that rules read, made once. Apart from the run, because the readiness for a release asks rules as well.

use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::repository::Repository;
use crate::requirement::{self, Question, Requirement, Target};
use crate::rules::context::{Ctx, Made, Readme};
use crate::rules::preset::Preset;
use crate::span::FileId;
use crate::stage::Release;
use crate::template::Template;

pub struct Prepared<'a> {
    pub kep: Kep,
    pub target: Target,
    pub requirements: Vec<Requirement>,
    made: Made,
    base: Option<Metadata>,
    current: Release,
    preset: Preset,
    template: &'a Template,
    pub repository: &'a Repository,
}

impl<'a> Prepared<'a> {
    /// Prepares `kep`, which has its PRR files, for this question with the levels of `preset`.
    pub fn new(
        kep: Kep,
        template: &'a Template,
        repository: &'a Repository,
        question: Question,
        preset: Preset,
    ) -> Self {
        let target = Target::of(&kep, repository, question);
        let target = Target { is_strict: preset == Preset::Strict, ..target };
        let requirements = requirement::for_target(template, &target);
        let base = kep.texts.change.as_ref().and_then(|change| change.base.as_ref());
        // Its spans are of no file of the KEP: rules look only at its values.
        let base = base.and_then(|file| kep.texts.layout.read_metadata(FileId::at(kep.texts.files.len()), &file.text));
        let current = question.release;
        Self { kep, target, requirements, made: Made::default(), base, current, preset, template, repository }
    }

    /// The same KEP for another question. What does not depend on the question is not made again.
    pub fn asked(mut self, question: Question, preset: Preset) -> Self {
        self.kep.readme.iter_mut().flat_map(|readme| &mut readme.hidden).for_each(|hidden| hidden.is_named = true);
        let Self { kep, mut made, target, requirements, .. } = self;
        let mut next = Self::new(kep, self.template, self.repository, question, preset);
        if next.requirements != requirements || next.target.stage != target.stage {
            made.gaps.take();
        }
        next.made = made;
        next
    }

    pub fn ctx(&self) -> Ctx<'_> {
        let Self { kep, target, requirements, made, base, current, preset, template, repository } = self;
        let directory = kep.texts.tree_path.as_deref().unwrap_or(&kep.texts.directory);
        let of_document = |document| Readme { document, template, requirements, stage: target.stage, directory, made };
        let readme = kep.readme.as_ref().map(of_document);
        let (target, current, preset, base) = (*target, *current, *preset, base.as_ref());
        Ctx { kep, readme, template, repository, target, current, preset, requirements, base }
    }
}
