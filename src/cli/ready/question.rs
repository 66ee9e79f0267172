//! What is asked, read before any KEP is looked for: the files, the configuration, the template, the lists.
use super::arguments::ReadyArguments;
use super::input::{self, Input};
use super::judged::{self, Judged};
use super::list::{self, Address, List};
use super::pulls::export::{self, Export};
use crate::bounds;
use crate::cli::{error, output, paths, template as templates};
use crate::config::values::Config;
use crate::diagnostic::{Failure, brief, named};
use crate::kep::directory::has_groups;
use crate::kep::layout::Layout;
use crate::kep::layout::TREE;
use crate::lint::Options;
use crate::lint::conditions::Conditions;
use crate::ready::calendar::schedule::{self, Schedule, file_of};
use crate::ready::calendar::schedule_of;
use crate::report::relaxed::of_ready;
use crate::stage::release::Meant;
use crate::stage::{Release, Stage};
use crate::workspace::config_file;
use crate::workspace::files::{Source, disk};
use crate::workspace::git::Git;
use crate::workspace::project::Terms;
use std::path::{Path, PathBuf};

pub struct Question {
    pub arguments: ReadyArguments,
    pub list: Option<List>,
    /// If the board is only compared with a later one, the release of that. Not all KEPs need be there yet.
    pub earlier: Option<Meant>,
    /// The commit whose files are judged; `None` for those on disk.
    pub judged: Option<Judged>,
    /// The directory `keps` that numbers are looked up in.
    pub tree: Option<PathBuf>,
    pub terms: Terms,
    pub export: Option<Export>,
    pub conditions: Conditions,
}

impl Question {
    pub fn of(arguments: ReadyArguments, list: Option<List>) -> Result<Self, Failure> {
        let export = arguments.prs.as_ref().map(|path| export::parse(input::read(path, bounds::EXPORT_BYTES)?));
        let export = export.transpose()?;
        let judged = judged::of(&arguments)?;
        let source_of =
            |path: &Path| judged.as_ref().map_or_else(|| disk::around(path), |judged| judged.revision.clone());
        let config = arguments.config.wanted();
        let file = config_file::find(&paths::all(&arguments.keps, &config), &config, &source_of);
        let file = file.map_err(error::first)?;
        file.as_ref().map_or(Ok(()), |file| file.only_keps())?;
        let named = file.as_ref().map(|file| file.template()).transpose()?.flatten();
        let path = arguments.template.clone().or(named);
        let template = templates::load_for_check(path.as_deref(), &Layout::default(), &source_of)?;
        let wanted = arguments.release.or(arguments.milestone);
        let relaxed = file.as_ref().map(|file| of_ready(file, wanted.is_some(), arguments.template.is_some()));
        let conditions = Conditions { relaxed: relaxed.unwrap_or_default(), ..Conditions::default() };
        // Of a configuration, only what it says about the repository counts: levels of rules do not.
        let Config { release, groups, approvers, code, .. } = file.map(|file| file.config).unwrap_or_default();
        let options = Options {
            release: wanted,
            config: Config { release, groups, approvers, code, ..Config::default() },
            ..Options::default()
        };
        let tree = judged::tree().or_else(|| Some(judged.as_ref()?.git.root().join(TREE)));
        let terms = Terms { options, template, prefers_own: path.is_none(), ..Terms::default() };
        Ok(Self { arguments, list, earlier: None, judged, tree, terms, export, conditions })
    }

    /// Whether what is not there may be a mistake: an earlier commit need not have what is there now.
    pub fn is_now(&self) -> bool {
        self.earlier.is_none()
    }

    /// Where a path is read: in the commit that is judged, else on disk.
    pub fn source(&self, path: &Path) -> Source {
        self.judged.as_ref().map_or_else(|| disk::around(path), |judged| judged.revision.clone())
    }

    /// The paths and names of the KEPs that are asked about, or the directories that they are looked for in.
    pub fn paths(&self) -> Vec<PathBuf> {
        let is_of_tree = self.arguments.milestone.is_some() || self.arguments.pr.is_some();
        match &self.tree {
            Some(tree) if is_of_tree && self.arguments.keps.is_empty() => vec![tree.clone()],
            _ => paths::all(&self.arguments.keps, &self.arguments.config.wanted()),
        }
    }

    /// The days of `release`, one of Kubernetes or not, read from the clone if one is named; `None` if they are not known.
    pub fn days(&self, release: Release, is_of_kubernetes: bool) -> Result<Option<Schedule>, Failure> {
        if !is_of_kubernetes {
            return Ok(None);
        }
        let Some(clone) = &self.arguments.sig_release else { return Ok(schedule_of(release).cloned()) };
        let path = clone.join(file_of(release));
        let source = disk::around(&path);
        if source.kind(&path).is_none() {
            let failure =
                Failure::new(format!("the days of {release} are not known: {} is missing", named(&path))).at(&path);
            return Err(failure.help("name an up-to-date clone of kubernetes/sig-release"));
        }
        let opened = source.read(&path, bounds::FILE_BYTES)?;
        let schedule = schedule::read(&opened.file.text, release);
        let days = schedule.named("PRR freeze");
        let missing: Vec<&str> = days.iter().filter(|(_, day)| day.is_none()).map(|(name, _)| *name).collect();
        if missing.len() == days.len() {
            let failure = Failure::new(format!("{} has no table with the days of {release}", named(&path))).at(&path);
            return Err(failure.help("the rows are those below `## Timeline`, such as `Begin [Enhancements Freeze]`"));
        }
        if !missing.is_empty() {
            output::note(&format!("{} has no day for: {}", named(&path), missing.join(", ")));
        }
        Ok(Some(schedule))
    }

    /// The files that the pull request changes whose KEPs are asked about.
    pub fn changed(&self) -> Option<&[PathBuf]> {
        self.judged.as_ref()?.changed.as_deref()
    }
}

/// The list of KEPs. It fails if two lists are to be read from standard input.
pub fn list(arguments: &ReadyArguments) -> Result<Option<List>, Failure> {
    let Some(path) = arguments.from.as_deref() else { return Ok(None) };
    if input::is_standard(path) && arguments.prs.as_deref().is_some_and(input::is_standard) {
        let failure = Failure::new("`--from` and `--prs` cannot both be read from standard input");
        return Err(failure.help("write one of them to a file"));
    }
    let Input { name, file } = input::read(path, bounds::FILE_BYTES)?;
    list::parse(&name, &file.text, &addresses()).map(Some)
}

/// The arguments, also with a stage after a KEP, and with URLs of issues and pull requests.
pub fn understood(arguments: &ReadyArguments) -> Result<ReadyArguments, Failure> {
    let mut arguments = arguments.clone();
    let is_path = |path: &Path| disk::around(path).kind(path).is_some();
    let word = arguments.keps.last().filter(|path| arguments.keps.len() > 1 && !is_path(path));
    if let Some(stage) = word.and_then(|path| Stage::from_word(path.to_str()?)) {
        arguments.keps.pop();
        if arguments.stage.replace(stage).is_some_and(|other| other != stage) {
            return Err(Failure::new("two stages are named").help("leave `--stage` out"));
        }
    }
    for path in std::mem::take(&mut arguments.keps) {
        let Some(url) = path.to_str().filter(|text| text.starts_with("https://") || text.starts_with("http://")) else {
            arguments.keps.push(path);
            continue;
        };
        match list::of_address(url, &addresses()) {
            Some(Address::Kep(number)) => arguments.keps.push(number.into()),
            Some(Address::Pull(number)) if arguments.pr.is_none() && arguments.at.is_none() => {
                arguments.pr = Some(number);
            }
            Some(Address::Pull(_)) => return Err(Failure::new("only one version of the files can be judged")),
            None => {
                let failure = Failure::new(format!("`{}` is no KEP of this repository", brief(url)));
                return Err(failure.help("name the issue or pull request of a KEP"));
            }
        }
    }
    Ok(arguments)
}

/// The addresses of this repository, without the scheme.
fn addresses() -> Vec<String> {
    let mut own = Git::around(Path::new(".")).map(|git| git.addresses()).unwrap_or_default();
    if judged::tree().is_none_or(|tree| has_groups(disk::around(&tree).names(&tree).iter())) {
        own.extend(list::KUBERNETES.map(str::to_owned));
    }
    own
}
