//! Every call into the library that reads, lints or fixes a KEP. Apart from the other support because a change of the
//! library's functions then changes one file here. The fuzzer uses it too, so it names nothing but the library.

use kep_lint::diagnostic::{Safety, Severity};
use kep_lint::fix::{Fixed, fix};
use kep_lint::kep::{Texts, number};
use kep_lint::lint::{KepReport, Options, lint, lint_links, lint_repository, lint_template};
use kep_lint::repository::Repository;
use kep_lint::source::SourceFile;
use kep_lint::template::Template;
use std::collections::{BTreeMap, HashSet};

/// What a KEP is linted against.
#[derive(Clone, Copy)]
pub struct Against<'a> {
    /// The template.
    pub template: &'a Template,
    /// What is known beyond the KEP.
    pub repository: &'a Repository,
    /// The stage, and which rules.
    pub options: &'a Options,
}

impl Against<'_> {
    /// The findings of one KEP.
    pub fn lint(self, texts: &Texts) -> KepReport {
        lint(texts.clone(), self.template, self.repository, self.options)
    }

    /// The KEP after its fixes of this safety.
    pub fn fix(self, texts: &Texts, allowed: Safety) -> Fixed {
        fix(texts, allowed, &|texts| lint(texts, self.template, self.repository, self.options))
    }

    /// What was fixed before, fixed again.
    pub fn fix_again(self, texts: &Texts, fixed: &Fixed, allowed: Safety) -> Fixed {
        self.fix(&Texts { files: fixed.after.files.clone(), ..texts.clone() }, allowed)
    }

    /// The findings of several KEPs that link to each other.
    pub fn lint_together(self, keps: &[Texts]) -> Vec<KepReport> {
        let mut reports: Vec<KepReport> = keps.iter().map(|texts| self.lint(texts)).collect();
        lint_links(&mut reports);
        reports
    }
}

/// A template of one's own.
pub fn template(bytes: &[u8]) -> Template {
    Template::parse(SourceFile::decode("template.md", bytes.to_vec()))
}

/// The findings of a template.
pub fn lint_as_template(template: &Template, options: &Options) -> KepReport {
    lint_template(template, Severity::Error, options)
}

/// The KEP in `directory` with these files, by their name in it. A directory that begins with `keps/` is one of a tree.
pub fn kep<N: AsRef<str>, B: AsRef<[u8]>>(directory: &str, files: impl IntoIterator<Item = (N, B)>) -> Texts {
    let is_in_tree = directory.starts_with("keps/");
    let mut texts = Texts {
        directory: directory.to_owned(),
        name: directory.rsplit('/').next().unwrap_or_default().to_owned(),
        in_tree: true,
        tree_path: is_in_tree.then(|| directory.to_owned()),
        ..Texts::default()
    };
    for (name, bytes) in files {
        let path = format!("{directory}/{}", name.as_ref());
        let around = path.rsplit_once('/').map(|(around, _)| around.to_owned());
        let file = SourceFile::decode(path, bytes.as_ref().to_vec());
        match name.as_ref() {
            "README.md" => (texts.has_readme, texts.readme) = (true, Some(texts.push(file))),
            "kep.yaml" => (texts.has_metadata, texts.metadata) = (true, Some(texts.push(file))),
            "OWNERS" => texts.owners = Some(texts.push(file)),
            name if name.ends_with(".md") => {
                let document = (texts.push(file), around.filter(|_| is_in_tree));
                texts.documents.push(document);
            }
            _ => {}
        }
    }
    texts
}

/// A tree of KEPs, and all that is known of it.
pub struct Tree {
    /// What is known beyond each KEP.
    pub repository: Repository,
    /// The KEPs, by path.
    pub keps: Vec<Texts>,
}

impl Tree {
    /// The tree of these files, by their path: those of KEPs, PRR files, and `OWNERS_ALIASES`.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let (reviews, numbers) = (Some(BTreeMap::new()), Some(BTreeMap::new()));
        let mut repository = Repository { reviews, numbers, ..Repository::default() };
        let mut keps: BTreeMap<String, Vec<(String, &[u8])>> = BTreeMap::new();
        let mut paths = HashSet::new();
        for (path, bytes) in files {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            paths.extend(ends.map(|end| path[..end].to_owned()).filter(|path| path.starts_with("keps/")));
            match path.split('/').collect::<Vec<_>>().as_slice() {
                ["OWNERS_ALIASES"] => repository.read_aliases(SourceFile::decode(path, bytes.to_vec())),
                ["keps", "prod-readiness", _, _] => add_review(&mut repository, path, bytes),
                ["keps", sig, kep, name @ ..] if !name.is_empty() => {
                    if let Some(number) = number::of_directory(kep) {
                        let sigs = repository.numbers.get_or_insert_default().entry(number.to_owned()).or_default();
                        sigs.insert((*sig).to_owned());
                    }
                    keps.entry(format!("keps/{sig}/{kep}")).or_default().push((name.join("/"), bytes));
                }
                _ => {}
            }
        }
        repository.paths = Some(paths);
        Self { repository, keps: keps.into_iter().map(|(directory, files)| kep(&directory, files)).collect() }
    }

    /// The findings beyond the KEPs, then those of each of them.
    pub fn lint(&self, template: &Template, options: &Options) -> Vec<KepReport> {
        let mut reports = lint_repository(&self.repository, options);
        reports.extend(self.against(template, options).lint_together(&self.keps));
        reports
    }

    /// What each of its KEPs is linted against.
    pub fn against<'a>(&'a self, template: &'a Template, options: &'a Options) -> Against<'a> {
        Against { template, repository: &self.repository, options }
    }
}

/// Adds the PRR file of a path `…/<sig>/<number>.yaml`.
pub fn add_review(repository: &mut Repository, path: &str, bytes: &[u8]) {
    let mut parts = path.trim_end_matches(".yaml").rsplit('/');
    let (name, sig) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    repository.add_review(sig.to_owned(), name.to_owned(), SourceFile::decode(path, bytes.to_vec()));
}
