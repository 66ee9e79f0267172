//! Collects the facts of a tree of KEPs.

use super::config_file::ConfigFile;
use super::directory::KepDirectory;
use super::discover::Discovery;
use super::files::Source;
use super::paths::{RealPath, shown};
use super::pool::each;
use super::trees::{Whole, whole};
use crate::bounds;
use crate::config::values::{Config, Setting};
use crate::diagnostic::{Failure, named};
use crate::kep::brief::Brief;
use crate::kep::field::Field;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::repository::Repository;
use crate::repository::facts::{Configuration, KnownKep, Text, Written, is_way};
use crate::span::FileId;
use crate::stage::Release;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The only tree of KEPs that was found, as the user would write it, and without links.
pub fn tree_of(found: &Discovery) -> Result<(PathBuf, RealPath), Vec<Failure>> {
    let trees = found.keps.iter().filter_map(|kep| Some((kep.tree()?.0, kep.given_tree()?)));
    let mut trees = trees.collect::<BTreeMap<&RealPath, PathBuf>>().into_iter();
    match (trees.next(), trees.next()) {
        (Some((root, given)), None) => Ok((given, root.clone())),
        (Some((_, one)), Some((_, other))) => {
            let failure = Failure::new(format!("there are several trees of KEPs: {}, {}", named(&one), named(&other)));
            Err(vec![failure.help("name one of them")])
        }
        _ if !found.failures.is_empty() => Err(found.failures.clone()),
        _ if !found.strangers.is_empty() => Err(found.strangers.clone()),
        _ => Err(vec![Failure::new("the KEPs are in no directory `keps`").help("name a directory `keps`")]),
    }
}

/// What a configuration says of the tree at `root`, with the texts of the files that it names.
pub fn configuration(
    file: &ConfigFile,
    root: &RealPath,
    source_of: &dyn Fn(&Path) -> Source,
) -> Result<Configuration, Failure> {
    let text = |path: Option<PathBuf>, setting: Option<&Setting<String>>, most: u64| {
        let Some((path, setting)) = path.zip(setting) else { return Ok(None) };
        let opened = source_of(&path).read(&path, most)?;
        Ok(Some(Text { path: setting.value.clone(), ..Text::of(&opened.file) }))
    };
    let tree = file.path_of_tree(root, &source_of(root));
    let name = file.file.path.rsplit('/').next().unwrap_or_default();
    let Config { templates, gates, .. } = &file.config;
    Ok(Configuration {
        file: Text {
            path: if tree.is_empty() { format!("{TREE}/{name}") } else { name.to_owned() },
            ..Text::of(&file.file)
        },
        tree,
        template: text(file.template()?, templates.first(), bounds::FILE_BYTES)?,
        gates: text(file.gates()?, gates.as_ref(), bounds::LIST_BYTES)?,
    })
}

/// The facts of the tree at `given`, without a configuration, and what could not be read.
pub fn of_tree(given: &Path, source: &Source) -> (Written, Vec<Failure>) {
    let Whole { keps, repository, mut failures } = whole(given, source);
    let mut written = of_repository(repository, given);
    for known in each(&keps, known) {
        match known {
            Ok(known) => written.keps.extend(known),
            Err(failure) => failures.push(failure),
        }
    }
    (written, failures)
}

/// What is known of a KEP, by its directory; nothing of one that is in no tree.
fn known(kep: &KepDirectory) -> Result<Option<(String, KnownKep)>, Failure> {
    fn text<T>(field: Option<&Field<T>>) -> String {
        field.map(|field| field.shown().into_owned()).unwrap_or_default()
    }
    let opened = kep.metadata().transpose()?;
    let Some(directory) = kep.tree_path() else { return Ok(None) };
    let yaml = opened.as_ref().map_or("", |opened| opened.file.text.as_str());
    let (metadata, brief) = (Metadata::parse(FileId(0), yaml), Brief::of(yaml));
    let sig = text(metadata.owning_sig.as_ref());
    let known = KnownKep {
        title: text(metadata.title.as_ref()),
        status: text(metadata.status.as_ref()),
        stage: text(metadata.stage.as_ref()),
        milestone: brief.milestone.as_ref().map(Release::to_string).unwrap_or_default(),
        owning_sig: if directory.split('/').nth(1) == Some(&sig) { String::new() } else { sig },
        superseded_by: metadata.superseded_by.items.iter().map(|item| item.shown().into_owned()).collect(),
        gates: brief.gates,
        is_open: brief.is_open,
    };
    Ok(Some((directory, known)))
}

/// What is known besides KEPs.
fn of_repository(repository: Repository, given: &Path) -> Written {
    let paths = repository.paths.as_deref().unwrap_or_default();
    let paths = paths.iter().filter(|path| is_way(path)).cloned().collect();
    let mut reviews: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut unreadable_reviews = repository.unreadable_reviews;
    for review in repository.reviews.into_iter().flat_map(BTreeMap::into_values).flatten() {
        if review.file.invalid_utf8.is_some() {
            unreadable_reviews.insert(format!("{}/{}", review.sig, review.name));
        } else {
            reviews.entry(review.sig).or_default().insert(review.name, review.file.text.clone());
        }
    }
    Written {
        has_groups: repository.has_groups,
        groups: repository.groups,
        approvers: repository.aliases.prr_approvers,
        emeritus: repository.aliases.emeritus_approvers,
        tech_leads: repository.aliases.tech_leads,
        leads: repository.aliases.leads,
        paths,
        reviews,
        unreadable_reviews,
        without_toc: repository.without_toc,
        vocabulary: repository.vocabulary,
        template: repository
            .template
            .as_deref()
            .map(|file| Text { path: from_root(given, &file.path), ..Text::of(file) }),
        ..Written::new()
    }
}

/// The path of a file in the tree at `given`, from the directory around that on.
fn from_root(given: &Path, path: &str) -> String {
    let way = Path::new(path).strip_prefix(given).unwrap_or(Path::new(path));
    shown(&Path::new(TREE).join(way))
}
