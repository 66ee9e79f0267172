//! The KEPs of a run, what is known around them, and how they are checked. Everything that checks KEPs makes one of these:
//! the command line, the versions that a change is compared with, and programs that embed the library.
//!
//! ```
//! use kep_lint::workspace::discover::discover;
//! use kep_lint::workspace::files::{Source, memory::Memory};
//! use kep_lint::workspace::project::{Project, Terms};
//! use std::{path::PathBuf, sync::Arc};
//!
//! let mut files = Memory::default();
//! files.insert("keps/sig-node/1-images/README.md", b"# KEP-1: Images\n".to_vec());
//! let source: Source = Arc::new(files.into());
//! let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
//! let run = Project::open(Terms::default(), found).check();
//! assert!(run.reports[0].diagnostics.iter().any(|finding| finding.rule == "missing-kep-yaml"));
//! ```

#![warn(missing_docs)]

use super::config_file::ConfigFile;
use super::directory::KepDirectory;
use super::discover::Discovery;
use super::filtered;
use super::kep_files::{KepTexts, read_kep};
use super::pool::each;
use super::trees::{self, Repositories};
use super::walked::Looked;
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::kep::Kep;
use crate::kep::filter::Filter;
use crate::kep::layout::Layout;
use crate::lint::baseline::Baseline;
use crate::lint::links::{Documents, missing_documents};
use crate::lint::panics::caught;
use crate::lint::report::{Checked, keep_most_severe};
use crate::lint::templates::{Parsed, Templates};
use crate::lint::{self, Env, Options, Run};
use crate::ready::case::Proposed;
use crate::ready::checklist::Checklist;
use crate::ready::{self, case::Ask};
use crate::repository::Repository;
use crate::template::Template;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many KEPs are checked before it is decided which of their findings are kept.
const CHECKED_KEPS: usize = 100;

/// How the KEPs of a project are checked.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The options.
    pub options: Options,
    /// Defines which sections are required.
    pub template: Arc<Template>,
    /// Those of the second and further kinds of documents.
    pub more_templates: Vec<Arc<Template>>,
    /// Whether the template of a repository comes before it for the KEPs there.
    pub prefers_own: bool,
}

impl Default for Terms {
    /// Those of a run without options.
    fn default() -> Self {
        Self {
            options: Options::default(),
            template: Template::built_in(),
            more_templates: Vec::new(),
            prefers_own: true,
        }
    }
}

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
    parsed: Arc<Parsed>,
}

impl Project {
    /// The KEPs that were found, with all that rules may ask for.
    pub fn open(terms: Terms, found: Discovery) -> Self {
        let Discovery { keps, looked, skipped, strangers, failures, .. } = found;
        Self { skipped, strangers, failures, ..Self::read(terms, keps, &looked, None) }
    }

    /// These KEPs, with all of their trees, or the PRR files with these `numbers`, and what the configuration knows of groups
    /// and approvers; `looked` is what was listed already.
    pub fn read(terms: Terms, keps: Vec<KepDirectory>, looked: &Looked, numbers: Option<&BTreeSet<String>>) -> Self {
        let mut repositories = trees::collect(&keps, looked, numbers, None);
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
        let mut excluded = 0;
        if let Some(file) = config {
            excluded = file.place(&mut self.keps, has_excluded);
            self.repositories.exclude_misplaced(|place| !has_excluded && file.excludes(place));
        }
        let filtered = filtered::apply(filter, std::mem::take(&mut self.keps), &self.repositories)?;
        if !filter.is_empty() {
            self.repositories.leave_out_own_findings();
        }
        let left_out = LeftOut {
            excluded,
            filtered: filtered.left_out,
            is_nothing_left: filtered.keps.is_empty(),
            unmatched: filtered.unmatched,
        };
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
        let Terms { template, more_templates, prefers_own, .. } = &self.terms;
        if !prefers_own {
            return Templates::given(template).with_more(more_templates);
        }
        let repositories: Vec<&Repository> = self.repositories.iter().collect();
        Templates::of(template, &repositories, &self.parsed)
    }

    /// What `ready` says of one of its KEPs, which is `parsed` already, if it is asked by name;
    /// `proposed` is what was merged before a change.
    pub fn judge(&self, kep: &KepDirectory, parsed: Kep, proposed: Option<&Proposed>) -> Checklist {
        let repository = self.repositories.of(kep);
        let templates = self.templates();
        let metadata = parsed.metadata.as_ref();
        let release = self.terms.options.release_planned(repository, metadata, None, None).release;
        let ask = Ask { proposed, ..Ask::merged(None, release) };
        ready::judge(parsed, templates.for_keps_of(repository), repository, ask)
    }

    /// What its KEPs have in common.
    pub fn env(&self) -> Env<'_> {
        Env::new(self.templates(), self.repositories.iter().collect(), &self.terms.options)
    }

    /// Checks all KEPs.
    pub fn check(&self) -> Run {
        self.check_only(&self.keps)
    }

    /// Checks only these of its KEPs.
    pub fn check_only(&self, keps: &[KepDirectory]) -> Run {
        let mut run = self.join(self.check_each(keps, read_kep));
        run.failures.splice(0..0, self.failures.iter().chain(&self.repositories.failures).cloned());
        run
    }

    /// Checks each of these KEPs, which `read` reads.
    pub fn check_each(
        &self,
        keps: &[KepDirectory],
        read: impl Fn(&KepDirectory) -> KepTexts + Sync + Send,
    ) -> Vec<Checked> {
        let env = self.env();
        let check = |kep: &KepDirectory| {
            let KepTexts { texts, failures, .. } = read(kep);
            let mut report = env.lint_kep(&texts, self.repositories.of(kep));
            report.failures.splice(0..0, failures);
            report
        };
        let mut reports: Vec<Checked> = Vec::new();
        for some in keps.chunks(CHECKED_KEPS) {
            reports.extend(each(some, |kep| caught("check", &kep.shown, || check(kep))));
            keep_most_severe(reports.iter_mut().flatten(), bounds::FINDINGS_OF_RUN);
        }
        reports
    }

    /// The run that the reports on its KEPs make.
    pub fn join(&self, reports: Vec<Checked>) -> Run {
        let documents = self.documents(&reports);
        lint::join(reports, &documents, &self.env())
    }

    /// What these reports have, for a later run that does not have to report it again.
    pub fn baseline(&self, reports: Vec<Checked>) -> Baseline {
        let documents = self.documents(&reports);
        lint::baseline(reports, &documents, &self.env())
    }

    /// What the KEPs link to in documents that are in no report.
    fn documents(&self, reports: &[Checked]) -> Documents {
        let missing = missing_documents(reports).into_iter();
        missing.filter_map(|path| Some((path.clone(), self.repositories.document(&path)?))).collect()
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
    /// The first option of the filter that none of them matches.
    pub unmatched: Option<&'static str>,
}

impl LeftOut {
    /// "; filtered out 3 KEPs", for the end of the summary line; empty if there are none.
    pub fn words(self, layout: &Layout) -> String {
        match self.filtered {
            0 => String::new(),
            count => format!("; filtered out {}", counted(count, layout.name(), &layout.names())),
        }
    }

    /// The sentence for a run in which the filter leaves nothing.
    pub fn nothing(self, layout: &Layout) -> Option<String> {
        let is_all = self.is_nothing_left && self.filtered > 0;
        is_all.then(|| format!("no {} matches the filters{}", layout.name(), self.words(layout)))
    }

    /// The same as a failure, with what is wrong.
    pub fn failure(self, layout: &Layout) -> Option<Failure> {
        let help = match self.unmatched {
            Some(option) => format!("use another value for `{option}`: no KEP has this one"),
            None => "leave out one of the filters: no KEP matches all of them".to_owned(),
        };
        Some(Failure::new(self.nothing(layout)?).help(help))
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
        let source: Source = Arc::new(files.into());
        let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
        let project = Project::open(Terms::default(), found);
        let run = project.join(project.check_each(&project.keps, |kep| {
            assert!(!kep.shown.ends_with("panics"), "on purpose");
            read_kep(kep)
        }));
        let checked: Vec<_> = run.reports.iter().filter_map(|report| report.kep.as_deref()).collect();
        assert_eq!(checked, ["keps/sig-node/1-a", "keps/sig-node/3-b"]);
        let [failure] = run.failures.as_slice() else { panic!("one failure") };
        assert!(failure.message.contains("cannot check `keps/sig-node/2-panics`: kep-lint panicked"), "{failure:?}");
        assert!(failure.message.contains("on purpose"), "{failure:?}");
    }
}
