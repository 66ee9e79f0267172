//! Every call into the library that reads, lints or fixes a KEP. Apart from the other support because a change of the
//! library's functions then changes one file here. The fuzzer uses it too, so it names nothing but the library.

use kep_lint::config;
use kep_lint::diagnostic::Safety;
use kep_lint::fix::{Fixed, fix};
use kep_lint::kep::layout::Layout;
use kep_lint::kep::texts::{Change, Role, Texts};
use kep_lint::lint::links::Documents;
use kep_lint::lint::panics::caught;
use kep_lint::lint::report::KepReport;
use kep_lint::lint::templates::{Parsed, Templates};
use kep_lint::lint::{Env, Options, Run, join, lint, run_template};
use kep_lint::repository::Repository;

use kep_lint::rules::ALL;
use kep_lint::rules::rule::Category;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::template::Template;
use kep_lint::workspace::directory::KepDirectory;
use kep_lint::workspace::files::Source;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::kep_files::read_kep;
use kep_lint::workspace::trees::{Whole, whole};
use std::path::Path;
use std::sync::Arc;

/// The name that an example gives to the kep.yaml from before the change that it is about. An empty one is none: the KEP is
/// new.
const BASE: &str = "base.yaml";

/// The name that an example gives to the configuration of the repository, of which only the layout counts.
const CONFIG: &str = "kep-lint.yaml";

fn layout(file: &SourceFile) -> Layout {
    config::parse(file).expect("the configuration is valid").layout
}

/// The change of a KEP whose kep.yaml was this file.
fn change(base: Arc<SourceFile>) -> Change {
    Change { base: if base.text.is_empty() { None } else { Some(base) } }
}

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
        lint(texts, self.template, self.repository, self.options)
    }

    /// The KEP after its fixes of this safety.
    pub fn fix(self, texts: &Texts, allowed: Safety) -> Fixed {
        fix(texts, allowed, &|texts| self.lint(texts))
    }

    /// The findings of one rule. Those about ignores depend on the findings of all rules.
    pub fn lint_for(self, rule: &str, texts: &Texts) -> KepReport {
        let mut report = self.lint(texts);
        report.diagnostics.retain(|found| found.rule == rule);
        report
    }

    /// The KEP after the fixes of one rule.
    pub fn fix_for(self, rule: &str, texts: &Texts, allowed: Safety) -> Fixed {
        fix(texts, allowed, &|texts| self.lint_for(rule, texts))
    }

    /// What was fixed before, fixed again.
    pub fn fix_again(self, texts: &Texts, fixed: &Fixed, allowed: Safety) -> Fixed {
        self.fix(&Texts { files: fixed.after.files.clone(), ..texts.clone() }, allowed)
    }

    /// A run over all KEPs of the repository. A panic is a failure.
    pub fn run(self, keps: &[Texts]) -> Run {
        let templates = Templates::of(self.template, &[self.repository], &Parsed::default());
        let env = Env::new(templates, vec![self.repository], self.options);
        let check = |texts: &Texts| caught("check", &texts.directory, || env.lint_kep(texts, self.repository));
        join(keps.iter().map(check).collect(), &Documents::default(), &env)
    }

    /// The findings beyond the KEPs, then those of several KEPs that link to each other.
    pub fn lint_together(self, keps: &[Texts]) -> Vec<KepReport> {
        let run = self.run(keps);
        assert_eq!(run.failures, [], "all KEPs are checked whole");
        let is_template =
            |report: &KepReport| report.files.iter().any(|file| file.path == self.template.document.source.path);
        run.reports.into_iter().filter(|report| !is_template(report)).collect()
    }
}

/// The default options, changed.
pub fn options(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// The options that run one rule, and those that it depends on.
pub fn options_for(rule: &str) -> Options {
    let named = [rule.to_owned()];
    let needs_all = ALL.iter().any(|other| other.name == rule && other.category == Category::Ignores);
    let names = if needs_all { &[] } else { named.as_slice() };
    options(|options| options.selection = Selection::new(names, &[]).expect("a rule's own name is known"))
}

/// A run that gave these reports.
pub fn run_of(reports: Vec<KepReport>) -> Run {
    let mut run = Run::default();
    run.reports = reports;
    run
}

/// A template of one's own.
pub fn template(bytes: &[u8]) -> Template {
    Template::parse(SourceFile::decode("template.md", bytes.to_vec()))
}

/// The findings of a template.
pub fn lint_as_template(template: &Template, options: &Options) -> KepReport {
    run_template(template, options).reports.pop().expect("a template has a report")
}

/// The KEP in `directory` with these files, by their name in it. A directory that begins with `keps/` is one of a tree.
pub fn kep<N: AsRef<str>, B: AsRef<[u8]>>(directory: &str, files: impl IntoIterator<Item = (N, B)>) -> Texts {
    let mut texts = Texts::new(directory);
    for (name, bytes) in files {
        let file = SourceFile::decode(format!("{directory}/{}", name.as_ref()), bytes.as_ref().to_vec());
        if name.as_ref() == BASE {
            texts.change = Some(change(Arc::new(file)));
            continue;
        }
        if name.as_ref() == CONFIG {
            texts.layout = layout(&file);
            continue;
        }
        let role = match name.as_ref() {
            "README.md" => Role::Readme,
            "kep.yaml" => Role::Metadata,
            "OWNERS" => Role::Owners,
            name if name.ends_with(".md") => Role::Document,
            _ => continue,
        };
        texts.add(role, file);
    }
    texts.find_front_matter();
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
        let mut memory = Memory::default();
        for (path, bytes) in files {
            memory.insert(path, bytes.to_vec());
        }
        let source: Source = Arc::new(memory.clone().into());
        let Whole { keps, repository, .. } = whole(Path::new("keps"), &source);
        let read = |directory: &KepDirectory| {
            let mut kep = read_kep(directory).texts;
            // As if each were named: a run over all leaves out those that are past a given stage.
            kep.is_searched = false;
            let base = memory.file(&directory.real.join(BASE));
            kep.change = base.map(|file| change(Arc::clone(file)));
            kep.layout = memory.file(&directory.real.join(CONFIG)).map(|file| layout(file)).unwrap_or_default();
            kep
        };
        Self { keps: keps.iter().map(read).collect(), repository }
    }

    /// The findings beyond the KEPs, then those of each of them.
    pub fn lint(&self, template: &Template, options: &Options) -> Vec<KepReport> {
        self.against(template, options).lint_together(&self.keps)
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
