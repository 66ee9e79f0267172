//! What is asked, read before any KEP is looked for: which files are judged, the configuration, the template, the lists.
use super::arguments::ReadyArguments;
use super::judged::{self, Judged};
use super::list::List;
use super::pulls::{self, export::Export};
use crate::cli::{paths, template as templates};
use crate::config::values::Config;
use crate::diagnostic::Failure;
use crate::kep::directory::TREE;
use crate::lint::Options;
use crate::lint::conditions::Conditions;
use crate::report::relaxed::of_ready;
use crate::stage::release::Meant;
use crate::workspace::config_file;
use crate::workspace::files::{Source, disk};
use crate::workspace::terms::Terms;
use std::path::{Path, PathBuf};

pub struct Question {
    pub arguments: ReadyArguments,
    pub list: Option<List>,
    /// If the board is only compared with another one, the release of that. What is there now need not have been there.
    pub earlier: Option<Meant>,
    /// The commit whose files are judged; `None` for those on disk.
    pub judged: Option<Judged>,
    /// The directory `keps` that numbers are looked up in.
    pub tree: Option<PathBuf>,
    pub terms: Terms,
    pub export: Option<Export>,
    /// What makes the answers less strict than the defaults.
    pub conditions: Conditions,
}

impl Question {
    pub fn of(arguments: ReadyArguments, list: Option<List>) -> Result<Self, Vec<Failure>> {
        let one = |failure: Failure| vec![failure];
        let export = arguments.prs.as_deref().map(pulls::list).transpose().map_err(one)?;
        let judged = judged::of(&arguments).map_err(one)?;
        let source_of = source_of(judged.as_ref());
        let config = config_file::find(&paths::all(&arguments.keps), &arguments.config.wanted(), &source_of)?;
        let named = config.as_ref().map(|file| file.template()).transpose().map_err(one)?.flatten();
        let path = arguments.template.clone().or(named);
        let template = templates::load_for_check(path.as_deref(), &source_of).map_err(one)?;
        let wanted = arguments.release.or(arguments.milestone);
        let relaxed = config.as_ref().map(|file| of_ready(file, wanted.is_some(), arguments.template.is_some()));
        let conditions = Conditions { relaxed: relaxed.unwrap_or_default(), ..Conditions::default() };
        // Of a configuration, only what it says about the repository counts: levels of rules do not.
        let mut known = Config::default();
        if let Some(Config { release, groups, approvers, code, .. }) = config.map(|file| file.config) {
            known = Config { release, groups, approvers, code, ..known };
        }
        let options = Options { release: wanted, config: known, ..Options::default() };
        let tree = judged::tree().or_else(|| Some(judged.as_ref()?.root.join(TREE)));
        let terms = Terms { options, template, prefers_own: path.is_none() };
        Ok(Self { arguments, list, earlier: None, judged, tree, terms, export, conditions })
    }

    /// Where a path is read: in the commit that is judged, else on disk.
    pub fn source_of(&self) -> impl Fn(&Path) -> Source + use<> {
        source_of(self.judged.as_ref())
    }

    /// The files that the pull request changes whose KEPs are asked about.
    pub fn changed(&self) -> Option<&[PathBuf]> {
        self.judged.as_ref()?.changed.as_deref()
    }
}

fn source_of(judged: Option<&Judged>) -> impl Fn(&Path) -> Source + use<> {
    let commit = judged.map(Judged::source);
    move |path: &Path| commit.clone().unwrap_or_else(|| disk::around(path))
}
