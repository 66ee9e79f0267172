//! Which directories of a repository are KEPs, and which of their files matter. Apart from walking a disk,
//! so that a revision of git, an editor and a browser ask the same code.

use super::layout::documents::Documents;
use super::layout::{Layout, TREE};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf, is_separator};

pub fn is_template(name: &OsStr) -> bool {
    is_template_name(name.as_encoded_bytes())
}

fn is_template_name(name: &[u8]) -> bool {
    let has = |part: Option<&[u8]>, text: &[u8]| part.is_some_and(|part| part.eq_ignore_ascii_case(text));
    let start = name.get(.."nnnn-".len());
    let end = name.len().checked_sub("template".len()).and_then(|end| name.get(end..));
    let is_numbered = has(start, b"nnnn-") || has(start, b"0000-");
    (is_numbered && has(end, b"template")) || has(Some(name), b"kep-template")
}

/// The usual names of the directory of the template, which come before others.
pub const TEMPLATES: [&str; 2] = ["NNNN-kep-template", "NNNN-template"];

/// The directories of templates among `names` in a tree, and the usual ones; the first that is there counts.
pub fn templates(names: Vec<OsString>) -> Vec<OsString> {
    let usual = TEMPLATES.map(OsString::from);
    let mut others: Vec<OsString> =
        names.into_iter().filter(|name| is_template(name) && !usual.contains(name)).collect();
    others.sort();
    usual.into_iter().chain(others).collect()
}

/// Whether KEPs with these names in `keps` belong to groups, which approve production readiness.
pub fn has_groups(mut names: impl Iterator<Item = impl AsRef<OsStr>>) -> bool {
    names.any(|name| name.as_ref() == PROD_READINESS || is_group(&name.as_ref().to_string_lossy()))
}

const GROUPS: [&str; 3] = ["sig-", "wg-", "committee-"];

/// The names of groups that a word may mean: people leave out what all names begin with.
pub fn group_names(word: &str) -> impl Iterator<Item = String> {
    GROUPS.into_iter().map(move |kind| format!("{kind}{word}"))
}

pub fn short_group_name(name: &str) -> &str {
    GROUPS.iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name)
}

pub fn is_group(name: &str) -> bool {
    GROUPS.iter().any(|kind| name.starts_with(kind))
}

pub const PROD_READINESS: &str = "prod-readiness";

/// The files of a directory that make it a KEP, or belong to one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KepFiles {
    /// README.md, else a file of that name in another case.
    pub readme: Option<PathBuf>,
    pub metadata: Option<PathBuf>,
    pub owners: Option<PathBuf>,
    pub documents: Vec<PathBuf>,
}

impl KepFiles {
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.readme, &self.metadata, &self.owners].into_iter().flatten().chain(&self.documents)
    }

    /// Takes a file, if it matters; files come in the order of their names.
    pub fn add(&mut self, path: PathBuf, layout: &Layout) {
        let Some(name) = path.file_name() else { return };
        let is_document = |documents: &Documents| documents.file.as_deref().is_none_or(|file| name == file);
        match name.to_str() {
            known if known.is_some() && known == layout.metadata_file() => self.metadata = Some(path),
            _ if layout.documents().is_some_and(is_document) => self.readme = Some(path),
            _ if !layout.is_of_keps() && !is_markdown(name) => {}
            _ if !layout.is_of_keps() => self.documents.push(path),
            Some("OWNERS") => self.owners = Some(path),
            // The exact name counts; another file of that name but for its case is a document like any other.
            Some("README.md") => self.documents.extend(self.readme.replace(path)),
            _ if is_readme(name) && self.readme.is_none() => self.readme = Some(path),
            _ if is_markdown(name) => self.documents.push(path),
            _ => {}
        }
    }

    /// Whether it is the directory of a KEP, which is at `real` without links.
    pub fn is_kep(&self, real: &Path, layout: &Layout) -> bool {
        !is_set_apart(real) && self.can_be_kep(real, layout)
    }

    /// The same for a directory that is not set apart.
    fn can_be_kep(&self, real: &Path, layout: &Layout) -> bool {
        if let Some(documents) = layout.documents() {
            return self.readme.is_some() && documents.has(real);
        }
        let is_in_tree = || is_below(real, TREE) && !is_named(real, TREE);
        self.metadata.is_some() || (self.readme.is_some() && is_in_tree())
    }

    /// Whether it is the directory of a KEP when a user names it, or its README.
    pub fn is_named_kep(&self, real: &Path, layout: &Layout) -> bool {
        if !layout.is_of_keps() {
            return self.is_kep(real, layout);
        }
        self.readme.is_some() && !is_named(real, TREE) && !is_group_directory(real) && !is_set_apart(real)
    }
}

pub fn matters(name: &OsStr, layout: &Layout) -> bool {
    layout.metadata_file().is_some_and(|file| name == file) || name == "OWNERS" || is_markdown(name)
}

/// Whether a path from a directory that is looked through leads into what Go's tools leave out as well.
pub fn is_test_data(way: &Path) -> bool {
    is_below(way, "testdata")
}

/// The KEPs among `directories`, which are in order and whose paths have no links. A directory in a KEP is a
/// part of it, unless it has a kep.yaml, or the KEP is the README of a group.
pub fn keps(directories: impl IntoIterator<Item = (PathBuf, KepFiles)>, layout: &Layout) -> Vec<(PathBuf, KepFiles)> {
    let mut keps: Vec<(PathBuf, KepFiles)> = Vec::new();
    for (directory, files) in directories {
        if is_set_apart(&directory) {
            continue;
        }
        let is_around = |kep: &Path| is_inside(&directory, kep) && !(layout.is_of_keps() && is_group_directory(kep));
        let is_own = files.metadata.is_some() || (!layout.is_of_keps() && files.can_be_kep(&directory, layout));
        match keps.last_mut().filter(|(kep, _)| is_around(kep)) {
            Some((_, outer)) if !is_own => {
                outer.documents.extend(files.readme.into_iter().chain(files.documents));
            }
            _ if files.can_be_kep(&directory, layout) => keps.push((directory, files)),
            _ => {}
        }
    }
    keps
}

/// The directory and the name without `.yaml` of a PRR file, by its path from `prod-readiness` on.
pub fn review(path: &Path) -> Option<(String, String)> {
    if path.extension().is_none_or(|extension| extension != "yaml") {
        return None;
    }
    let directories = path.parent()?.iter().map(|name| name.to_string_lossy());
    let name = path.file_stem()?.to_string_lossy().into_owned();
    Some((directories.collect::<Vec<_>>().join("/"), name))
}

pub fn is_readme(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case("README.md")
}

/// Whether a file of this name is Markdown, and not the link that Emacs keeps beside an edited file.
pub fn is_markdown(name: &OsStr) -> bool {
    let is_lock = name.as_encoded_bytes().starts_with(b".#");
    !is_lock && Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

pub fn is_named(directory: &Path, name: &str) -> bool {
    directory.file_name().is_some_and(|own| own == name)
}

pub fn is_below(directory: &Path, name: &str) -> bool {
    parts(directory).any(|part| part == name.as_bytes())
}

/// The parts of a path. Apart from `.` and empty ones they are its components, which take longer to find.
fn parts(path: &Path) -> impl Iterator<Item = &[u8]> {
    path.as_os_str().as_encoded_bytes().split(|byte| is_separator(char::from(*byte)))
}

/// Whether a path is `around` or below it. As both have no superfluous parts, it is enough to compare the texts.
pub fn is_inside(path: &Path, around: &Path) -> bool {
    let (path, around) = (path.as_os_str().as_encoded_bytes(), around.as_os_str().as_encoded_bytes());
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| is_separator(char::from(*byte)));
    path.strip_prefix(around).is_some_and(|rest| is_end(around.last()) || is_end(rest.first()))
}

pub fn is_set_apart(directory: &Path) -> bool {
    parts(directory).any(|part| is_template_name(part) || part == PROD_READINESS.as_bytes())
}

fn is_group_directory(directory: &Path) -> bool {
    let is_in_tree = directory.parent().is_some_and(|parent| is_named(parent, TREE));
    is_in_tree && directory.file_name().is_some_and(|name| is_group(&name.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::number;
    use std::collections::BTreeMap;

    fn found(paths: &[&str]) -> Vec<String> {
        let mut directories: BTreeMap<PathBuf, KepFiles> = BTreeMap::new();
        for path in paths.iter().map(Path::new) {
            let parent = path.parent().expect("a file is in a directory");
            directories.entry(parent.to_owned()).or_default().add(path.to_owned(), &Layout::default());
        }
        keps(directories, &Layout::default())
            .into_iter()
            .map(|(kep, files)| format!("{}+{}", kep.display(), files.documents.len()))
            .collect()
    }

    #[test]
    fn a_kep_has_a_kep_yaml_or_a_readme_below_keps() {
        assert_eq!(found(&["keps/a/1-x/README.md", "keps/a/2-y/kep.yaml"]), ["keps/a/1-x+0", "keps/a/2-y+0"]);
        assert_eq!(found(&["docs/README.md", "keps/README.md", "docs/3-z/kep.yaml"]), ["docs/3-z+0"]);
        let apart = ["NNNN-kep-template/kep.yaml", "a/0000-b-template/README.md", "prod-readiness/a/README.md"];
        assert_eq!(found(&apart.map(|path| format!("keps/{path}")).each_ref().map(String::as_str)), [""; 0]);
    }

    #[test]
    fn directories_in_a_kep_are_parts_of_it() {
        let inner = ["keps/a/1-x/kep.yaml", "keps/a/1-x/b/c.md", "keps/a/1-x/d/README.md", "keps/a/1-x/e/f.md"];
        assert_eq!(found(&inner), ["keps/a/1-x+3"]);
        assert_eq!(found(&["keps/a/1-x/kep.yaml", "keps/a/1-x/2-y/kep.yaml"]), ["keps/a/1-x+0", "keps/a/1-x/2-y+0"]);
        let group = ["keps/sig-a/README.md", "keps/sig-a/1-x/README.md", "keps/sig-a/1-x/b/c.md"];
        assert_eq!(found(&group), ["keps/sig-a+0", "keps/sig-a/1-x+1"]);
    }

    #[test]
    fn the_exact_name_of_a_readme_counts() {
        let mut files = KepFiles::default();
        [".#README.md", "README.MD", "README.md", "notes.md", "x.png"]
            .iter()
            .for_each(|name| files.add(PathBuf::from(name), &Layout::default()));
        assert_eq!(files.readme.as_deref(), Some(Path::new("README.md")));
        assert_eq!(files.documents, [PathBuf::from("README.MD"), PathBuf::from("notes.md")]);
    }

    #[test]
    fn prr_files_and_numbers_are_told_by_their_paths() {
        let owned = |text: &str| text.to_owned();
        assert_eq!(review(Path::new("sig-node/1234.yaml")), Some((owned("sig-node"), owned("1234"))));
        assert_eq!(review(Path::new("1234.yaml")), Some((owned(""), owned("1234"))));
        assert_eq!(review(Path::new("sig-node/old/1.yaml")), Some((owned("sig-node/old"), owned("1"))));
        assert_eq!(review(Path::new("sig-node/OWNERS")), None);
        assert_eq!(number::and_sig(Path::new("sig-node/0012-x")), Some((owned("12"), owned("sig-node"))));
    }
}
