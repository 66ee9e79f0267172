//! The KEPs of a run, what is known around them, and how they are checked. Everything that checks KEPs makes one of these:
//! the command line, the versions that a change is compared with, and programs that embed the library.
//!
//! ```
//! use kep_lint::workspace::discover::discover;
//! use kep_lint::workspace::files::{Source, memory::Memory};
//! use kep_lint::workspace::project::Project;
//! use kep_lint::workspace::terms::Terms;
//! use std::{path::PathBuf, sync::Arc};
//!
//! let mut files = Memory::default();
//! files.insert("keps/sig-node/1-images/README.md", b"# KEP-1: Images\n".to_vec());
//! let source: Source = Arc::new(files);
//! let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
//! let run = Project::open(Terms::default(), found).check(None);
//! assert!(run.reports[0].diagnostics.iter().any(|finding| finding.rule == "missing-kep-yaml"));
//! ```

#![warn(missing_docs)]

use super::cache::Cache;
use super::config_file::ConfigFile;
use super::directory::KepDirectory;
use super::discover::Discovery;
use super::filtered;
use super::kep_files::{KepTexts, read_kep};
use super::pool::each;
use super::terms::Terms;
use super::trees::{self, Extent, Repositories};
use super::walked::Looked;
use crate::diagnostic::{Failure, counted};
use crate::kep::filter::Filter;
use crate::lint::baseline::Baseline;
use crate::lint::panics::caught;
use crate::lint::templates::{Parsed, Templates};
use crate::lint::{self, Checked, Input, Linter, Run, Supply};
use crate::repository::Repository;
use std::sync::Arc;

/// KEPs, and all that is needed to check them.
pub struct Project {
    /// The KEPs, by path.
    pub keps: Vec<KepDirectory>,
    /// The trees that they are in.
    pub repositories: Repositories,
    /// How they are checked.
    pub terms: Terms,
    /// How many of the files that were named belong to no KEP, but to a repository of KEPs.
    pub skipped: usize,
    /// The files that were named and belong to neither.
    pub strangers: Vec<Failure>,
    /// What could not be found or read, but for the trees.
    pub failures: Vec<Failure>,
    /// The templates of the trees that were parsed.
    parsed: Arc<Parsed>,
}

impl Project {
    /// The KEPs that were found, with all that rules may ask for.
    pub fn open(terms: Terms, found: Discovery) -> Self {
        let Discovery { keps, looked, skipped, strangers, failures, .. } = found;
        Self { skipped, strangers, failures, ..Self::read(terms, keps, &looked, Extent::Whole) }
    }

    /// These KEPs, with as much of their trees as `extent` says, and what the configuration knows of groups and approvers;
    /// `looked` is what was listed already.
    pub fn read(terms: Terms, keps: Vec<KepDirectory>, looked: &Looked, extent: Extent<'_>) -> Self {
        let mut repositories = trees::collect(&keps, looked, extent);
        repositories.adopt(&terms.options);
        Self::of(keps, repositories, terms)
    }

    /// These KEPs of these trees.
    pub(super) fn of(keps: Vec<KepDirectory>, repositories: Repositories, terms: Terms) -> Self {
        Self {
            keps,
            repositories,
            terms,
            skipped: 0,
            strangers: Vec::new(),
            failures: Vec::new(),
            parsed: Arc::default(),
        }
    }

    /// Takes the files that were named and belong to nothing: either they are only counted, or each is a failure.
    pub fn take_strangers(&mut self, are_skipped: bool) {
        let strangers = std::mem::take(&mut self.strangers);
        if are_skipped {
            self.skipped += strangers.len();
        } else {
            self.failures.extend(strangers);
        }
    }

    /// Leaves only the KEPs that the configuration and the filter want. All are still known: links and PRR files may refer
    /// to them. Fails for names of SIGs that do not exist.
    pub fn choose(&mut self, choice: Choice<'_>) -> Result<LeftOut, Failure> {
        let Choice { config, knows_sigs, has_excluded, filter } = choice;
        if let Some(file) = config.as_deref()
            && knows_sigs
        {
            file.check_sigs(&self.keps, &self.repositories)?;
        }
        let excluded = config.map_or(0, |file| file.place(&mut self.keps, has_excluded));
        let filtered = filtered::apply(filter, std::mem::take(&mut self.keps), &self.repositories)?;
        if !filter.is_empty() {
            self.repositories.leave_out_own_findings();
        }
        let left_out = LeftOut { excluded, filtered: filtered.left_out, is_nothing_left: filtered.keps.is_empty() };
        self.keps = filtered.keps;
        self.failures.extend(filtered.failures);
        Ok(left_out)
    }

    /// Takes the templates that an earlier project parsed, so that the same files are not parsed again.
    pub fn take_templates(&mut self, earlier: &Self) {
        self.parsed = Arc::clone(&earlier.parsed);
    }

    /// The templates that the KEPs are checked by.
    pub fn templates(&self) -> Templates<'_> {
        let Terms { template, prefers_own, .. } = &self.terms;
        let own: Vec<&Repository> = if *prefers_own { self.repositories.iter().collect() } else { Vec::new() };
        Templates::new(template, &own, &self.parsed)
    }

    /// Checks all KEPs. With a `cache`, one that is as it was in an earlier run is not checked again.
    pub fn check(&self, cache: Option<&Cache>) -> Run {
        let mut run = self.check_with(Box::new(|linter| self.check_each(linter, cache, read_kep)));
        run.failures.splice(0..0, self.failures.iter().chain(&self.repositories.failures).cloned());
        run
    }

    /// Checks what `supply` passes to the linter.
    pub fn check_with(&self, supply: Supply<'_>) -> Run {
        lint::run(&self.input(supply), &self.terms.options)
    }

    /// The findings in what `supply` passes to the linter, for a later run that does not have to report them again.
    pub fn baseline(&self, supply: Supply<'_>) -> Baseline {
        lint::baseline(&self.input(supply), &self.terms.options)
    }

    /// Checks each KEP, which `read` reads.
    pub fn check_each(
        &self,
        linter: &Linter<'_>,
        cache: Option<&Cache>,
        read: impl Fn(&KepDirectory) -> KepTexts + Sync + Send,
    ) -> Vec<Checked> {
        if let Some(cache) = cache {
            cache.compare(&self.terms, &self.repositories);
        }
        each(&self.keps, |kep| {
            let read = caught("check", &kep.shown, || read(kep));
            kep.forget();
            read.map_or_else(Checked::failed, |KepTexts { texts, failures, .. }| {
                let checked = match cache {
                    Some(cache) => cache.check(linter, texts, &self.repositories, kep),
                    None => linter.check(&texts, self.repositories.of(kep)),
                };
                Checked { failures: [failures, checked.failures].concat(), ..checked }
            })
        })
    }

    /// What the library is asked, with the KEPs that `supply` passes to the linter.
    fn input<'a>(&'a self, supply: Supply<'a>) -> Input<'a> {
        Input {
            template: &self.terms.template,
            prefers_own: self.terms.prefers_own,
            repositories: self.repositories.iter().collect(),
            keps: supply,
            documents: Box::new(|path| self.repositories.document(path)),
            parsed: Arc::clone(&self.parsed),
        }
    }
}

/// Which KEPs are wanted.
pub struct Choice<'a> {
    /// The configuration, which excludes some.
    pub config: Option<&'a mut ConfigFile>,
    /// Whether it is of the version that is checked, so that the SIGs that it names must be known.
    pub knows_sigs: bool,
    /// Whether those that it excludes are wanted as well.
    pub has_excluded: bool,
    /// What all of them must be.
    pub filter: &'a Filter,
}

/// How many KEPs were found, but are not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// By the configuration.
    pub excluded: usize,
    /// By the filter.
    pub filtered: usize,
    /// Whether there is no other KEP.
    pub is_nothing_left: bool,
}

impl LeftOut {
    /// "; filtered out 3 KEPs", for the end of the summary line; empty if there are none.
    pub fn words(self) -> String {
        match self.filtered {
            0 => String::new(),
            count => format!("; filtered out {}", counted(count, "KEP", "KEPs")),
        }
    }

    /// The sentence for a run in which the filter leaves nothing.
    pub fn nothing(self) -> Option<String> {
        let is_all = self.is_nothing_left && self.filtered > 0;
        is_all.then(|| format!("no KEP matches the filters{}", self.words()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::discover::discover;
    use crate::workspace::files::{Source, memory::Memory};
    use std::path::PathBuf;

    #[test]
    fn a_panic_skips_only_its_kep() {
        let mut files = Memory::default();
        for name in ["1-a", "2-panics", "3-b"] {
            files.insert(&format!("keps/sig-node/{name}/README.md"), b"# KEP\n".to_vec());
        }
        let source: Source = Arc::new(files);
        let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
        let run = Project::open(Terms::default(), found).check_read(None, |kep| {
            assert!(!kep.shown.ends_with("panics"), "on purpose");
            read_kep(kep)
        });
        let checked: Vec<_> = run.reports.iter().filter_map(|report| report.kep.as_deref()).collect();
        assert_eq!(checked, ["keps/sig-node/1-a", "keps/sig-node/3-b"]);
        let [failure] = run.failures.as_slice() else { panic!("one failure") };
        assert!(failure.message.contains("cannot check `keps/sig-node/2-panics`: kep-lint panicked"), "{failure:?}");
        assert!(failure.message.contains("on purpose"), "{failure:?}");
    }
}
