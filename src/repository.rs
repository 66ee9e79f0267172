//! What rules must know besides the KEP: plain data that the command line collects once per run.

pub(crate) mod code;
pub mod facts;
pub(crate) mod misplaced;
pub mod paths;
pub mod vocabulary;
pub(crate) mod shared;
pub(crate) mod verdict;

use self::misplaced::Misplaced;
use self::paths::{Paths, number_and_title};
use self::vocabulary::Vocabulary;
use crate::bounds;
use crate::diagnostic::Severity;
use crate::gates::Gates;
use crate::kep::brief::Brief;
use crate::kep::directory::{PROD_READINESS, is_group};
use crate::kep::layout::Layout;
use crate::kep::{number, reference};
use crate::source::SourceFile;
use crate::stage::release::Told;
use crate::yaml::plain::{self, Problem};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The SIGs, WGs and committees of kubernetes/community.
pub const GROUPS: &str = include_str!("repository/groups.txt");

/// The groups of kubernetes/community that were closed.
pub const RETIRED_GROUPS: &str = include_str!("repository/retired-groups.txt");

const ALIASES: &str = include_str!("repository/aliases.yaml");

static BUILT_IN: LazyLock<Aliases> = LazyLock::new(|| aliases(ALIASES).expect("the built-in aliases are well-formed"));

/// The file of a repository that lists the documents without a table of contents.
pub const WITHOUT_TOC: &str = "hack/.notableofcontents";

#[derive(Clone, Debug, PartialEq)]
pub struct Repository {
    pub layout: Layout,
    pub groups: BTreeSet<String>,
    pub aliases: Aliases,
    /// The PRR files by the number in their names, without leading zeros; `None` if they were not read.
    pub reviews: Option<BTreeMap<String, Vec<ReviewFile>>>,
    /// The PRR files that could not be read, as `<sig>/<name>`.
    pub unreadable_reviews: BTreeSet<String>,
    /// The directory of the PRR files, starting with the path from the command line.
    pub reviews_directory: String,
    /// The numbers of all KEP directories, with their SIG directories; `None` if only a part was read.
    pub numbers: Option<BTreeMap<String, BTreeSet<String>>>,
    /// What fingerprints begin with, so that they differ between the trees of a run; may be empty.
    pub label: String,
    /// The numbers that several KEP directories have, and the names of directories that are in no tree, so
    /// that they do not tell which KEP is meant.
    pub shared_numbers: BTreeSet<String>,
    /// The paths of the proposals that are no KEPs, by their kind, group and number.
    pub numbered: BTreeMap<String, BTreeSet<String>>,
    /// Whether KEPs belong to SIGs and are approved for Kubernetes' releases: `keps` has a directory of a
    /// SIG, or of PRR files.
    pub has_groups: bool,
    pub template: Option<Arc<SourceFile>>,
    /// What the kep.yaml of the template has in place of upstream's.
    pub vocabulary: Vocabulary,
    /// The highest severity of a gap that only the template asks to fill.
    pub sections: Severity,
    /// Whether it is the version that a change is compared with.
    pub is_earlier: bool,
    /// The documents that need no table of contents, from `keps` on: the lines of `hack/.notableofcontents`.
    pub without_toc: BTreeSet<String>,
    /// What is where no KEP is looked for, in the order of paths.
    pub misplaced: Vec<Misplaced>,
    /// Every path; `None` if only a part of the repository was read.
    pub paths: Option<Paths>,
    /// Whether the run is about the whole repository, so that files without a KEP are reported.
    pub is_whole: bool,
    /// The feature gates of all KEPs, each with the numbers of the KEPs that list it, without leading zeros,
    /// and whether these KEPs are still worked on.
    pub gates: BTreeMap<String, BTreeMap<String, bool>>,
    pub told: Told,
    /// What is wrong with this `OWNERS_ALIASES`, so that the built-in one is used.
    pub aliases_problem: Option<(Arc<SourceFile>, Problem)>,
    /// The feature gates of the code that the KEPs are for, if a configuration names a list.
    pub code: Option<Arc<Gates>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewFile {
    /// Its directory, which is that of the owning SIG.
    pub sig: String,
    pub name: String,
    pub file: Arc<SourceFile>,
}

impl Default for Repository {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            groups: GROUPS.lines().map(str::to_owned).collect(),
            aliases: BUILT_IN.clone(),
            reviews: None,
            unreadable_reviews: BTreeSet::new(),
            reviews_directory: "keps/prod-readiness".to_owned(),
            numbers: None,
            label: String::new(),
            shared_numbers: BTreeSet::new(),
            numbered: BTreeMap::new(),
            has_groups: true,
            template: None,
            vocabulary: Vocabulary::default(),
            sections: Severity::Advice,
            is_earlier: false,
            without_toc: BTreeSet::new(),
            misplaced: Vec::new(),
            paths: None,
            is_whole: false,
            gates: BTreeMap::new(),
            told: Told::default(),
            aliases_problem: None,
            code: None,
        }
    }
}

impl Repository {
    /// Whether milestones are releases of Kubernetes, whose days are known.
    pub fn has_releases_of_kubernetes(&self) -> bool {
        self.has_groups || self.layout.own().is_some_and(|own| own.has_releases_of_kubernetes)
    }

    /// Judges KEPs as `other` does, which is a later version: for its release, by its template and groups,
    /// and with the same fingerprints.
    pub fn judge_like(&mut self, other: &Self) {
        self.told.clone_from(&other.told);
        self.code.clone_from(&other.code);
        self.template.clone_from(&other.template);
        self.vocabulary.clone_from(&other.vocabulary);
        self.is_earlier = true;
        self.groups.clone_from(&other.groups);
        self.has_groups = other.has_groups;
        self.shared_numbers.clone_from(&other.shared_numbers);
        self.numbered.clone_from(&other.numbered);
        self.label.clone_from(&other.label);
    }

    /// Reads approvers and leads from an `OWNERS_ALIASES`; a problem with it is kept. Where there are PRR
    /// files, it is a problem if it is missing, at `required_at`.
    pub fn set_aliases(&mut self, file: Option<Arc<SourceFile>>, required_at: Option<&str>) {
        let Some(file) = file else {
            let (message, help) = ("`OWNERS_ALIASES` is missing".to_owned(), Some("add it".to_owned()));
            let none = |path| Arc::new(SourceFile::decode(path, Vec::new()));
            self.aliases_problem = required_at.map(|path| (none(path), Problem { offset: 0, message, help }));
            return;
        };
        let wrong = |offset| Problem {
            offset,
            message: "the file is not UTF-8".to_owned(),
            help: Some("save it as UTF-8".to_owned()),
        };
        match file.invalid_utf8.map_or_else(|| aliases(&file.text), |offset| Err(wrong(offset))) {
            Ok(aliases) => self.aliases = aliases,
            Err(problem) => self.aliases_problem = Some((file, problem)),
        }
    }

    /// Records which KEPs there are, by the paths of their directories from below `keps` on.
    pub fn set_keps<'a>(&mut self, directories: impl Iterator<Item = &'a Path>) {
        let mut numbers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (way, (number, sig)) in directories.filter_map(|way| Some((way, self.layout.numbered(way)?))) {
            if !self.layout.is_of_keps() {
                self.numbered.entry(format!("{sig} {number}")).or_default().insert(way.to_string_lossy().into_owned());
            }
            self.shared_numbers.extend(numbers.contains_key(&number).then(|| number.clone()));
            numbers.entry(number).or_default().insert(sig);
        }
        self.numbers = Some(numbers);
    }

    pub fn read_groups(&mut self, text: &str) {
        let Ok(lists) = plain::read::<BTreeMap<String, Value>>(text) else { return };
        let groups = lists.values().filter_map(Value::as_array).flatten();
        let names: BTreeSet<String> = groups.filter_map(|group| Some(group.get("dir")?.as_str()?.to_owned())).collect();
        if !names.is_empty() {
            self.groups = names;
        }
    }

    /// Takes the groups that have a directory of KEPs, or leads in `OWNERS_ALIASES`: they may be newer than
    /// the list that is built in.
    pub fn learn_groups(&mut self, directories: impl Iterator<Item = String>) {
        let of_leads: Vec<String> = self.aliases.leads.keys().cloned().collect();
        let names = directories.chain(of_leads).filter(|name| is_group(name) && !self.is_retired_group(name));
        let names: Vec<String> = names.collect();
        self.groups.extend(names);
    }

    pub fn add_review(&mut self, sig: String, name: String, file: impl Into<Arc<SourceFile>>) {
        let number = number::without_zeros(&name).to_owned();
        self.reviews.get_or_insert_default().entry(number).or_default().push(ReviewFile {
            sig,
            name,
            file: file.into(),
        });
    }

    pub fn active_approvers(&self) -> BTreeSet<String> {
        self.aliases.prr_approvers.difference(&self.aliases.emeritus_approvers).cloned().collect()
    }

    /// Whether there is a PRR file of this SIG and name that could not be read.
    pub fn is_unreadable(&self, sig: &str, name: &str) -> bool {
        self.unreadable_reviews.contains(&format!("{sig}/{name}"))
    }

    /// Whether the document at this path from `keps` on, if it has one, needs no table of contents.
    pub fn lists_without_toc(&self, path: Option<&str>) -> bool {
        path.is_some_and(|path| self.without_toc.contains(path))
    }

    /// The PRR approvers who can be asked, as a help lists them, and as names are compared with them.
    pub fn approver_names(&self) -> Vec<&str> {
        let Aliases { prr_approvers, emeritus_approvers, .. } = &self.aliases;
        let names = prr_approvers.difference(emeritus_approvers).map(String::as_str);
        names.filter(|name| name.len() <= bounds::HANDLE_BYTES).take(bounds::COMPARED_NAMES).collect()
    }

    /// Whether a path exists; `None` if only a part of the repository was read.
    pub fn has_path(&self, path: &str) -> Option<bool> {
        Some(self.paths.as_ref()?.has(path))
    }

    /// The path from `keps` on of a file that reports show at `path`; `None` if it is not in the tree.
    pub fn from_tree(&self, path: &str) -> Option<String> {
        let keps = self.reviews_directory.strip_suffix(PROD_READINESS)?;
        let rest = path.strip_prefix(keps)?;
        let is_outside = rest.starts_with('/') || rest.split('/').any(|name| name == "..");
        (!is_outside).then(|| format!("{}/{rest}", self.layout.tree()))
    }

    /// A path from below `keps` on as the command line writes it.
    pub fn as_given(&self, path: &Path) -> String {
        let keps = self.reviews_directory.strip_suffix(PROD_READINESS).unwrap_or_default();
        let names: Vec<Cow<'_, str>> = path.iter().map(|name| name.to_string_lossy()).collect();
        format!("{keps}{}", names.join("/"))
    }

    /// The directory of the PRR files in a message, without directories of this machine.
    pub fn shown_reviews(&self) -> &str {
        let is_given = Path::new(&self.reviews_directory).is_relative();
        if is_given { &self.reviews_directory } else { "keps/prod-readiness" }
    }

    /// Whether a group with this name existed, but does not exist any more.
    pub fn is_retired_group(&self, name: &str) -> bool {
        !self.groups.contains(name) && RETIRED_GROUPS.lines().any(|retired| retired == name)
    }

    pub fn has_number(&self, number: &str) -> Option<bool> {
        Some(self.numbers.as_ref()?.contains_key(number::without_zeros(number)))
    }

    pub fn has_kep(&self, sig: &str, number: &str) -> bool {
        let sigs = self.numbers.as_ref().and_then(|numbers| numbers.get(number::without_zeros(number)));
        sigs.is_some_and(|sigs| sigs.contains(sig))
    }

    /// The KEP that a `path` most likely means: the last one with its number, or its title after that.
    pub fn nearest_kep(&self, path: &str) -> Option<&str> {
        let (number, title) = number_and_title(path);
        let paths = self.paths.as_ref()?;
        let alike = [number, title].into_iter().flat_map(|name| paths.keps_named(name)).filter_map(|kep| {
            let (other, words) = number_and_title(kep);
            // Before 2020, KEPs were numbered from 1 on; those numbers are not valid any more.
            let has_number = number.len() > 2 && other == number;
            let has_title = !title.is_empty() && words.eq_ignore_ascii_case(title);
            if has_number || has_title { Some((has_number, has_title, kep.as_str())) } else { None }
        });
        alike.max().map(|(_, _, kep)| kep)
    }

    pub fn reviews_of(&self, number: &str) -> &[ReviewFile] {
        let reviews = self.reviews.as_ref().and_then(|reviews| reviews.get(number::without_zeros(number)));
        reviews.map(Vec::as_slice).unwrap_or_default()
    }

    /// Notes the feature gates and the latest milestones of all KEPs, each with the name of its directory.
    pub fn set_briefs<'a>(&mut self, briefs: impl Iterator<Item = (&'a str, Brief)>) {
        let mut milestones = Vec::new();
        for (directory, Brief { milestone, gates, is_open, .. }) in briefs {
            milestones.extend(milestone);
            let number = number::of_directory(directory).unwrap_or(directory);
            for gate in gates {
                self.gates.entry(gate).or_default().insert(number.to_owned(), is_open);
            }
        }
        self.told.milestones = milestones.into_iter().collect();
    }

    /// Whether releases are not those of Kubernetes, and KEPs are planned for none: no KEP, or few.
    pub fn has_no_milestones(&self) -> bool {
        let is_unused = self.told.milestones.is_empty() || self.vocabulary.lacks("latest-milestone");
        !self.has_groups && self.numbers.is_some() && is_unused
    }

    /// The numbers of PRR files that are not those of any KEP.
    pub fn orphans(&self) -> BTreeSet<String> {
        let numbers = self.reviews.iter().flat_map(BTreeMap::keys);
        numbers.filter(|number| self.has_number(number) == Some(false)).cloned().collect()
    }

    /// The number of a KEP, other than `number`, that a feature gate belongs to: the first one that lists it.
    pub fn other_kep_of(&self, gate: &str, number: Option<&str>) -> Option<&str> {
        let keps = self.gates.get(gate)?;
        keps.keys().map(String::as_str).find(|kep| Some(*kep) != number)
    }

    /// [`reference::linked_path`], if it is of this repository: URLs lead to kubernetes/enhancements.
    pub fn linked_path(&self, target: &str, directory: &str) -> Option<String> {
        let path = reference::linked_path(target, directory, self.layout.tree())?;
        // A site may have pages of its own beside the directories of proposals: `../overview.md`.
        let documents = self.layout.documents().filter(|documents| documents.file.is_some());
        let way = documents.and_then(|documents| path.strip_prefix(&documents.tree)).filter(|_| path.ends_with(".md"));
        let is_of_site = way.is_some_and(|way| way.rfind('/') == Some(0));
        if is_of_site || self.is_foreign(target) { None } else { Some(path) }
    }

    pub fn referenced_path(&self, text: &str, directory: Option<&str>) -> Option<String> {
        if self.is_foreign(text) { None } else { reference::path(text, directory, self.layout.tree()) }
    }

    /// Other projects show proposals on sites, whose pages are no files: `/ideas/overview/#states`.
    fn is_foreign(&self, target: &str) -> bool {
        let path = || target.split_once('#').map_or(target, |(path, _)| path);
        let is_page = !self.layout.is_of_keps() && target.starts_with('/') && path().ends_with('/');
        is_page || (!self.has_groups && target.contains("://"))
    }
}

pub(crate) fn people(approvers: &BTreeSet<String>, leads: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    leads.values().chain([approvers]).flatten().cloned().collect()
}

/// What `OWNERS_ALIASES` says of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aliases {
    pub prr_approvers: BTreeSet<String>,
    pub emeritus_approvers: BTreeSet<String>,
    /// SIG Node's tech leads, in lower case.
    pub tech_leads: BTreeSet<String>,
    /// The leads of groups, by the name of the group.
    pub leads: BTreeMap<String, BTreeSet<String>>,
    /// The PRR approvers and the leads of all groups.
    pub people: BTreeSet<String>,
}

#[derive(Deserialize)]
struct AliasesFile {
    #[serde(default)]
    aliases: Option<BTreeMap<String, Option<Vec<Value>>>>,
}

fn aliases(text: &str) -> Result<Aliases, Problem> {
    let wrong = |message: &str| Problem { offset: 0, message: message.to_owned(), help: None };
    let mut lists = plain::read::<AliasesFile>(text)?.aliases.ok_or_else(|| wrong("`aliases` is missing"))?;
    let names: Vec<String> = lists.keys().cloned().collect();
    let mut members = |name: &str| -> BTreeSet<String> {
        let list = lists.get_mut(name).and_then(Option::take);
        list.iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut prr_approvers = members("prod-readiness-approvers");
    if prr_approvers.is_empty() {
        return Err(wrong("alias `prod-readiness-approvers` is missing or empty"));
    }
    let mut emeritus_approvers = members("prod-readiness-approvers-emeritus");
    emeritus_approvers.retain(|name| !prr_approvers.contains(name));
    prr_approvers.extend(emeritus_approvers.iter().cloned());
    let tech_leads = members("sig-node-tech-leads").iter().map(|name| name.to_lowercase()).collect();
    let groups = names.iter().filter_map(|name| Some((name.strip_suffix("-leads")?, name)));
    let leads = groups.map(|(group, name)| (group.to_owned(), members(name))).collect();
    let people = people(&prr_approvers, &leads);
    Ok(Aliases { prr_approvers, emeritus_approvers, tech_leads, leads, people })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(aliases: &str) -> Repository {
        let mut repository = Repository::default();
        repository.set_aliases(Some(Arc::new(SourceFile::decode("OWNERS_ALIASES", aliases.into()))), None);
        repository
    }

    #[test]
    fn aliases_replace_the_built_in_ones() {
        let repository =
            repository("aliases:\n  prod-readiness-approvers: [ann]\n  prod-readiness-approvers-emeritus: [bob]\n");
        assert_eq!(repository.aliases.prr_approvers.into_iter().collect::<Vec<_>>(), ["ann", "bob"]);
        assert!(repository.aliases_problem.is_none());
    }

    #[test]
    fn invalid_aliases_keep_the_built_in_ones() {
        for text in ["aliases:\n  a: [x]\n  a: [y]\n", "aliases: [\n", "", "aliases:\n  a: [x]\n"] {
            let repository = repository(text);
            assert!(repository.aliases_problem.is_some(), "{text}");
            assert!(repository.aliases.prr_approvers.contains("wojtek-t"));
        }
        let mut latin = Repository::default();
        latin.set_aliases(Some(Arc::new(SourceFile::decode("OWNERS_ALIASES", b"aliases: {} # Zo\xeb\n".into()))), None);
        let told = latin.aliases_problem.map(|(_, problem)| (problem.offset, problem.message));
        assert_eq!(told, Some((16, "the file is not UTF-8".to_owned())));
        let problem = repository("aliases:\n  a: [x]\n  a: [y]\n").aliases_problem;
        assert_eq!(problem.map(|(_, problem)| problem.message).as_deref(), Some("duplicate key `a`"));
    }

    #[test]
    fn a_moved_kep_is_found_by_number_or_title() {
        let paths = ["keps/sig-a/1234-cats", "keps/sig-a/1234-cats/kep.yaml", "keps/sig-b/30-dogs/kep.yaml"];
        let paths = Some(Paths::new(|_| false, move || paths.map(str::to_owned).into()));
        let repository = Repository { paths, ..Repository::default() };
        for path in
            ["keps/sig-c/1234-cat", "keps/sig-a/20190401-cats.md", "keps/sig-a/1234", "keps/sig-a/01234-x/README.md"]
        {
            assert_eq!(repository.nearest_kep(path), Some("keps/sig-a/1234-cats"), "{path}");
        }
        assert_eq!(repository.nearest_kep("keps/sig-b/0030-birds.md"), None);
    }

    #[test]
    fn the_last_of_several_paths_is_used() {
        let paths = || ["keps/b/1234-x", "keps/a/1234-x", "keps/c/1234-y"].map(|kep| format!("{kep}/kep.yaml")).into();
        let repository = Repository { paths: Some(Paths::new(|_| false, paths)), ..Repository::default() };
        assert_eq!(repository.nearest_kep("keps/z/1234-x.md"), Some("keps/b/1234-x"));
        assert_eq!(repository.nearest_kep("keps/z/1234-z"), Some("keps/c/1234-y"));
        assert_eq!(repository.nearest_kep("keps/z/9-Y"), Some("keps/c/1234-y"));
        assert_eq!(repository.nearest_kep("keps/z/1-"), None);
    }

    #[test]
    fn members_that_are_not_strings_are_ignored() {
        let repository = repository("aliases:\n  prod-readiness-approvers: [ann, 7, ~, [x]]\n  b:\n");
        assert_eq!(repository.aliases.prr_approvers.into_iter().collect::<Vec<_>>(), ["ann"]);
    }

    #[test]
    fn nesting_and_alias_bombs_are_rejected() {
        let laughs = "a: &a [x, x, x, x, x, x, x, x]\n".to_owned()
            + &"b: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n".repeat(100);
        for text in [format!("aliases: {}", "[".repeat(100_000)), laughs] {
            let mut repository = repository(&text);
            assert!(repository.aliases_problem.is_some());
            repository.read_groups(&text);
            assert!(repository.groups.contains("sig-node"));
        }
    }

    #[test]
    fn groups_are_read_from_every_list() {
        let mut repository = Repository::default();
        assert!(repository.groups.contains("sig-node"));
        repository.read_groups("sigs:\n  - dir: sig-a\nworkinggroups:\n  - dir: wg-b\n");
        assert_eq!(repository.groups.into_iter().collect::<Vec<_>>(), ["sig-a", "wg-b"]);
    }
}
