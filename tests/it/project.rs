//! A project that keeps what it found answers as a new one, whatever was edited, added, renamed or deleted in between.

use crate::support::mutation::Random;
use crate::support::{files_below, is_whole, project, seed};
use kep_lint::config;
use kep_lint::report::json;
use kep_lint::source::SourceFile;
use kep_lint::stage::Stage;
use kep_lint::workspace::cache::Cache;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::files::Source;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::Project;
use kep_lint::workspace::terms::Terms;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// How many edits are made, of how many KEPs.
const USUAL: (usize, usize) = (12, 20);
/// The same where everything is tried.
const WHOLE: (usize, usize) = (2000, 50);

/// Lines that matter beyond their KEP, or for one rule or another.
const README_LINES: &[&str] = &[
    "See [the API](../2383-extend-kustomize-patches-to-multiple-targets/README.md#motivation).\n",
    "See [this](/keps/sig-node/793-node-os-arch-labels/README.md#no-such-part) and KEP-3156.\n",
    "<!-- kep-lint-ignore missing-section: it is short -->\n",
    "## Motivation\n",
    "### Risks and Mitigations\n",
    "TBD\n",
    "```\n",
    "",
];

const METADATA_LINES: &[&str] = &[
    "latest-milestone: \"v1.37\"\n",
    "stage: beta\n",
    "status: implementable\n",
    "owning-sig: sig-nod\n",
    "kep-number: 793\n",
    "replaces:\n  - \"/keps/sig-cli/2551-return-code-normalization\"\n",
    "feature-gates:\n  - name: HTTP3\n    components:\n      - kubelet\n",
    "",
];

const REVIEW_LINES: &[&str] =
    &["alpha:\n  approver: \"@wojtek-t\"\n", "beta:\n  approver: \"@nobody\"\n", "kep-number: 793\n", ""];

const ALIASES: &str = "aliases:\n  prod-readiness-approvers:\n    - wojtek-t\n    - nobody\n";

/// The files of a repository, by their paths.
struct Tree {
    files: BTreeMap<String, String>,
    random: Random,
}

impl Tree {
    /// The sample, of which KEPs are copied until there are enough.
    fn new(least: usize, seed: u64) -> Self {
        let root = project().join("fixtures/sample");
        let paths = files_below(&root, &|_| true);
        let read = |path: &PathBuf| {
            let way = path.strip_prefix(&root).expect("it is below").to_str().expect("it is UTF-8").to_owned();
            Some((way, std::fs::read_to_string(path).ok()?))
        };
        let mut tree = Self { files: paths.iter().filter_map(read).collect(), random: Random(seed) };
        for number in 0..least.saturating_sub(tree.keps().len()) {
            tree.copy_kep(9000 + number);
        }
        tree
    }

    /// The directories of the KEPs.
    fn keps(&self) -> Vec<String> {
        let keps = self.files.keys().filter_map(|path| path.strip_suffix("/kep.yaml"));
        keps.map(str::to_owned).collect()
    }

    fn copy_kep(&mut self, number: usize) {
        let keps = self.keps();
        let kep = self.random.pick(&keps).clone();
        let (sig, name) = kep.rsplit_once('/').expect("it is in a SIG");
        let new = format!("{sig}/{number}-{}", name.split_once('-').map_or("copy", |(_, title)| title));
        let files = self.files.iter().filter(|(path, _)| path.starts_with(&format!("{kep}/")));
        let copies = files.map(|(path, text)| (path.replacen(&kep, &new, 1), text.clone()));
        let copies: Vec<(String, String)> = copies.collect();
        self.files.extend(copies);
    }

    /// Replaces, adds or removes a line of a file.
    fn edit(&mut self, is_wanted: impl Fn(&str) -> bool, lines: &[&str]) {
        let paths: Vec<String> = self.files.keys().filter(|path| is_wanted(path)).cloned().collect();
        let path = self.random.pick(&paths).clone();
        let text = &self.files[&path];
        let mut kept: Vec<&str> = text.split_inclusive('\n').collect();
        let at = self.random.below(kept.len() + 1);
        if self.random.one_in(2) && at < kept.len() {
            kept.remove(at);
        }
        kept.insert(at, *self.random.pick(lines));
        let text = kept.concat();
        self.files.insert(path, text);
    }

    fn rename(&mut self, old: &str, new: &str) {
        let moved: Vec<String> = self.files.keys().filter(|path| path.starts_with(old)).cloned().collect();
        for path in moved {
            let text = self.files.remove(&path).expect("it is there");
            self.files.insert(path.replacen(old, new, 1), text);
        }
    }

    /// One change, and what it is called.
    fn change(&mut self, step: usize) -> &'static str {
        let keps = self.keps();
        let kep = self.random.pick(&keps).clone();
        let is_few = keps.len() < 10;
        match self.random.below(16) {
            0..=4 => {
                self.edit(|path| path.ends_with("README.md"), README_LINES);
                "edit of a README"
            }
            5..=7 => {
                self.edit(|path| path.ends_with("kep.yaml"), METADATA_LINES);
                "edit of a kep.yaml"
            }
            8 | 9 => {
                self.edit(|path| path.contains("/prod-readiness/"), REVIEW_LINES);
                "edit of a PRR file"
            }
            10 => {
                self.copy_kep(10_000 + step);
                "new KEP"
            }
            11 => {
                self.files.insert(format!("{kep}/notes-{step}.md"), "# Notes\n\n## Motivation\n".to_owned());
                "new document"
            }
            12 => {
                let (sig, name) = kep.rsplit_once('/').expect("it is in a SIG");
                self.rename(&format!("{kep}/"), &format!("{sig}/{name}-x/"));
                "renamed KEP"
            }
            13 if !is_few => {
                self.files.retain(|path, _| !path.starts_with(&format!("{kep}/")));
                "deleted KEP"
            }
            14 => {
                let paths: Vec<String> = self.files.keys().filter(|path| path.starts_with(&kep)).cloned().collect();
                let path = self.random.pick(&paths).clone();
                self.files.remove(&path);
                "deleted file"
            }
            _ => {
                let aliases = "OWNERS_ALIASES".to_owned();
                match self.files.remove(&aliases) {
                    Some(_) => "deleted OWNERS_ALIASES",
                    None => {
                        self.files.insert(aliases, ALIASES.to_owned());
                        "new OWNERS_ALIASES"
                    }
                }
            }
        }
    }

    /// The findings of a run over the files, with all that a program reads of them.
    fn report(&self, terms: &Terms, cache: Option<&Cache>) -> String {
        let mut memory = Memory::default();
        for (path, text) in &self.files {
            memory.insert(path, text.clone().into_bytes());
        }
        let source: Source = Arc::new(memory.into());
        let found = discover(&[PathBuf::from("keps")], terms.options.selection.preset(), &|_| Arc::clone(&source));
        let run = Project::open(terms.clone(), found).check(cache);
        format!("{}\n{:?}", json::render(&run), run.failures)
    }
}

#[test]
fn what_is_kept_gives_the_findings_of_a_new_run() {
    let (edits, keps) = if is_whole() { WHOLE } else { USUAL };
    let mut tree = Tree::new(keps, seed().0);
    let (cache, mut terms) = (Cache::default(), Terms::default());
    let mut history = vec![tree.files.clone()];
    let mut different = 0;
    let mut last = tree.report(&terms, Some(&cache));
    for step in 0..edits {
        let change = match tree.random.below(12) {
            0 => {
                tree.files = tree.random.pick(&history).clone();
                "return to an earlier state"
            }
            1 => {
                terms.options.stage = *tree.random.pick(&[None, Some(Stage::Beta), Some(Stage::Stable)]);
                "other stage"
            }
            _ => tree.change(step),
        };
        history.push(tree.files.clone());
        let kept = tree.report(&terms, Some(&cache));
        assert!(kept == tree.report(&terms, None), "step {step}: {change}");
        different += usize::from(kept != last);
        last = kept;
    }
    let counts = cache.counts();
    println!("{edits} edits of {} KEPs: {different} runs differ from the one before; {counts:?}", tree.keps().len());
    assert!(different * 2 > edits, "most edits change findings: {different} of {edits}");
    assert!(counts.reused > counts.checked / 4, "what is as it was is not checked again: {counts:?}");
}

#[test]
fn a_configuration_adds_groups_for_every_project() {
    let has_unknown_sig = |config: &str| {
        let mut tree = Tree::new(0, 1);
        let metadata =
            tree.files.get_mut("keps/sig-node/793-node-os-arch-labels/kep.yaml").expect("it is in the sample");
        *metadata = metadata.replace("owning-sig: sig-node", "owning-sig: sig-own");
        let mut terms = Terms::default();
        let file = SourceFile::decode(".kep-lint.yaml", config.as_bytes().to_vec());
        terms.options.config = config::parse(&file).unwrap_or_else(|problems| panic!("{problems:?}"));
        tree.report(&terms, None).contains("unknown-sig")
    };
    assert!(has_unknown_sig("level: suggestion\n"));
    assert!(!has_unknown_sig("groups: [sig-own]\n"));
}

#[test]
fn an_edit_of_one_readme_checks_that_kep_alone() {
    let mut tree = Tree::new(0, 1);
    let (cache, terms) = (Cache::default(), Terms::default());
    tree.report(&terms, Some(&cache));
    let first = cache.counts();
    assert_eq!((first.checked, first.reused), (tree.keps().len(), 0));
    let readme = "keps/sig-node/793-node-os-arch-labels/README.md";
    let text = tree.files.get_mut(readme).expect("it is in the sample");
    *text = text.replace("## Motivation", "## Reasons");
    assert_eq!(tree.report(&terms, Some(&cache)), tree.report(&terms, None));
    let second = cache.counts();
    assert_eq!((second.checked - first.checked, second.reused), (1, first.checked - 1));
    let review = "keps/prod-readiness/sig-node/4742.yaml";
    tree.files.get_mut(review).expect("it is in the sample").push_str("# Changed.\n");
    assert_eq!(tree.report(&terms, Some(&cache)), tree.report(&terms, None));
    assert_eq!(cache.counts().checked - second.checked, 1, "only the KEP of a PRR file is checked again");
}
