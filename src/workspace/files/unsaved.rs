//! A repository on disk in which some files have another text: that of an editor, which has not been saved, or not yet for
//! the first time. Everything that reads files sees these texts in the place of the files' own.

use super::{Files, Kind, Opened, disk, or_here};
use crate::diagnostic::{Failure, named};
use crate::fix;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::workspace::edge::{self, Edge, followed};
use crate::workspace::failure::{leads_out, too_large};
use crate::workspace::paths::{RealPath, shown};
use crate::workspace::walk::Walk;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Files with texts that are not on disk.
#[derive(Debug)]
pub struct Unsaved {
    edge: Edge,
    /// Their texts, by where they are. An editor changes them while KEPs are open.
    texts: RwLock<Texts>,
}

/// The texts of each file, of which the last one counts: by the paths that lead to it.
type Texts = BTreeMap<PathBuf, Vec<(PathBuf, Vec<u8>)>>;

impl Unsaved {
    /// No file yet, in the repository around `path`.
    pub fn around(path: &Path) -> Self {
        Self { edge: Edge::around(path), texts: RwLock::default() }
    }

    /// The file at `path` with the text `bytes`; there may be no such file or directory yet.
    pub fn new(path: &Path, bytes: Vec<u8>) -> Result<Self, Failure> {
        let unsaved = Self::around(path);
        unsaved.set(path, bytes)?;
        Ok(unsaved)
    }

    /// The file at `path` has the text `bytes` from now on. Fails for what is no file, or outside of the repository.
    pub fn set(&self, path: &Path, bytes: Vec<u8>) -> Result<(), Failure> {
        if path.is_dir() {
            let failure = Failure::new(format!("{} is a directory", named(path))).at(path);
            return Err(failure.help("name the file that the text belongs to"));
        }
        // Reports find their file by the path that they show.
        if path.file_name().and_then(|name| name.to_str()).is_none() {
            let failure = Failure::new(format!("{} names no file", named(path))).at(path);
            return Err(failure.help("name the file that the text belongs to"));
        }
        let place = followed(path);
        if !self.edge.holds(&place) {
            return Err(leads_out(path, self.edge.root()));
        }
        self.forget(path);
        let mut texts = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        texts.entry(place.into()).or_default().push((path.to_owned(), bytes));
        Ok(())
    }

    /// The file that was at `path` when its text was set has its own text again, or that of another path which leads to it.
    /// Returns the one that it had instead.
    pub fn forget(&self, path: &Path) -> Option<Vec<u8>> {
        let mut texts = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        let mut own = texts.values_mut().flat_map(|all| all.extract_if(.., |(name, _)| name == path));
        let text = own.next().map(|(_, text)| text);
        drop(own);
        texts.retain(|_, all| !all.is_empty());
        text
    }

    /// Whether `path` leads to another file than when its text was set.
    pub fn has_moved(&self, path: &Path) -> bool {
        let place = followed(path);
        let has_it = |all: &[(PathBuf, Vec<u8>)]| all.iter().any(|(name, _)| name == path);
        self.texts().iter().any(|(known, all)| *known != *place && has_it(all))
    }

    fn texts(&self) -> RwLockReadGuard<'_, Texts> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether `path` leads to one of the files.
    fn is_at(&self, path: &Path) -> bool {
        self.texts().contains_key(&*followed(path))
    }

    /// Whether one of the files is below `directory`, which may be missing on disk.
    fn is_below(&self, directory: &Path) -> bool {
        let directory = followed(directory);
        self.texts().keys().any(|place| place.starts_with(&directory) && *place != *directory)
    }

    /// The names in `directory` that lead to one of the files.
    fn names_in(&self, directory: &Path) -> Vec<OsString> {
        let directory = followed(directory);
        let name = |place: &PathBuf| place.strip_prefix(&directory).ok()?.iter().next().map(ToOwned::to_owned);
        self.texts().keys().filter_map(name).collect()
    }

    /// Drops the findings of `run` about other files.
    pub fn keep_own(&self, run: &mut Run) {
        for report in &mut run.reports {
            let own = self.own(report);
            report.diagnostics.retain(|found| own.contains(&found.span.file));
        }
        run.reports.retain(|report| report.kep.is_some() || !report.diagnostics.is_empty());
    }

    /// Drops the fixes of `report` that change other files.
    pub fn keep_own_fixes(&self, report: &mut KepReport) {
        let own = self.own(report);
        fix::keep_own(report, |file| own.contains(&file));
    }

    /// The ids that the file has in a report; several if the report names it by several paths.
    fn own(&self, report: &KepReport) -> Vec<FileId> {
        let files = (0..).map(FileId::at).zip(&report.files);
        files.filter(|(_, file)| self.is_at(Path::new(&file.path))).map(|(id, _)| id).collect()
    }
}

impl Files for Unsaved {
    fn kind(&self, path: &Path) -> Option<Kind> {
        match or_here(path) {
            path if self.is_at(path) => Some(Kind::Other),
            path if self.is_below(path) => Some(Kind::Directory),
            path => disk::kind(path),
        }
    }

    fn list(&self, root: &Path) -> Walk {
        let is_there = root.is_dir();
        let mut walk = if is_there { self.edge.list(root) } else { Walk::of(root, followed(root), std::iter::empty()) };
        for place in self.texts().keys().filter(|place| place.symlink_metadata().is_err()) {
            if let Ok(way) = place.strip_prefix(walk.root.clone()) {
                walk.insert(way);
            }
        }
        walk
    }

    fn names(&self, directory: &Path) -> Vec<OsString> {
        let directory = or_here(directory);
        let mut names: Vec<OsString> = disk::names(directory).chain(self.names_in(directory)).collect();
        names.sort();
        names.dedup();
        names
    }

    fn real(&self, path: &Path) -> RealPath {
        followed(or_here(path))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.edge.link(path)
    }

    fn holds(&self, real: &RealPath) -> bool {
        self.edge.holds(real)
    }

    fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        let place = followed(path);
        match self.texts().get(&*place).and_then(|all| all.last()).map(|(_, bytes)| bytes) {
            None => disk::read(path, &self.edge, most),
            Some(bytes) if bytes.len() as u64 > most => Err(too_large(path, bytes.len() as u64, most)),
            Some(bytes) => Ok(Opened { file: Arc::new(SourceFile::decode(shown(path), bytes.clone())), place }),
        }
    }

    fn read_in(&self, real: &RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        let place = path.file_name().map(|name| real.join(name));
        let is_plain = |file: &PathBuf| !self.texts().contains_key(file) && !file.is_symlink();
        if place.as_ref().is_some_and(is_plain) { self.edge.read_in(real, path, most) } else { self.read(path, most) }
    }

    fn tree_around(&self) -> Option<PathBuf> {
        edge::tree_around(&followed(Path::new(".")))
    }

    fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool {
        edge::is_clone_in(tree, directory)
    }

    fn root_around(&self, real: &RealPath) -> RealPath {
        Edge::around(real).root().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::preset::Preset;
    use crate::workspace::discover::discover;
    use crate::workspace::files::Source;
    use crate::workspace::kep_files::read_kep;
    use std::fs;

    /// The files of the KEP that a new text at `path` belongs to, with their texts.
    fn files(root: &Path, path: &str) -> Vec<String> {
        let named = root.join(path);
        let source: Source = Arc::new(Unsaved::new(&named, b"new".to_vec()).expect("it is a file"));
        let found = discover(&[named], Preset::default(), &|_| source.clone());
        assert_eq!(found.failures, []);
        let texts = found.keps.iter().map(|kep| read_kep(kep).texts);
        let files = texts.flat_map(|texts| texts.files);
        let shown = |whole: &str| whole.trim_start_matches(&*root.to_string_lossy()).to_owned();
        files.map(|file| format!("{}={}", shown(&file.path), file.text)).collect()
    }

    #[test]
    fn a_text_takes_the_place_of_the_file_or_is_a_new_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        let kep = root.join("keps/sig-a/1-x");
        fs::create_dir_all(&kep).expect("a directory");
        fs::write(kep.join("README.md"), "old").expect("a file");
        fs::write(kep.join("kep.yaml"), "old").expect("a file");
        let readme = "/keps/sig-a/1-x/README.md";
        assert_eq!(
            files(&root, "keps/sig-a/1-x/README.md"),
            [&format!("{readme}=new"), "/keps/sig-a/1-x/kep.yaml=old"]
        );
        let expected = [&format!("{readme}=old"), "/keps/sig-a/1-x/kep.yaml=old", "/keps/sig-a/1-x/more.md=new"];
        assert_eq!(files(&root, "keps/sig-a/1-x/more.md"), expected);
        assert_eq!(files(&root, "keps/sig-a/2-y/README.md"), ["/keps/sig-a/2-y/README.md=new"]);
        assert_eq!(files(&root, "keps/sig-b/3-z/kep.yaml"), ["/keps/sig-b/3-z/kep.yaml=new"]);
        assert_eq!(files(&root, "docs/x.md"), [""; 0]);
        assert!(Unsaved::new(&kep, Vec::new()).is_err());
    }

    #[test]
    fn texts_come_and_go() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        fs::create_dir_all(root.join("keps/sig-a/1-x")).expect("a directory");
        let (readme, metadata) = (root.join("keps/sig-a/1-x/README.md"), root.join("keps/sig-a/1-x/kep.yaml"));
        fs::write(&readme, "old").expect("a file");
        let unsaved = Unsaved::around(&root);
        let text = |path: &Path| unsaved.read(path, 9).map(|opened| opened.file.text.clone()).ok();
        assert_eq!(text(&readme).as_deref(), Some("old"));
        unsaved.set(&readme, b"new".to_vec()).expect("it is a file");
        unsaved.set(&metadata, b"more".to_vec()).expect("it may be one");
        assert_eq!((text(&readme).as_deref(), text(&metadata).as_deref()), (Some("new"), Some("more")));
        assert_eq!(unsaved.names(&root.join("keps/sig-a/1-x")), ["README.md", "kep.yaml"]);
        unsaved.forget(&readme);
        unsaved.forget(&metadata);
        assert_eq!((text(&readme).as_deref(), text(&metadata)), (Some("old"), None));
        assert!(unsaved.set(Path::new("/"), Vec::new()).is_err());
    }

    #[test]
    fn a_file_in_a_new_directory_is_listed() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        fs::create_dir_all(root.join("keps")).expect("a directory");
        let unsaved = Unsaved::new(&root.join("keps/sig-a/1-x/kep.yaml"), Vec::new()).expect("it is a file");
        let walk = unsaved.list(&root.join("keps"));
        assert_eq!(walk.paths, ["sig-a", "sig-a/1-x", "sig-a/1-x/kep.yaml"].map(PathBuf::from));
        let kep = root.join("keps/sig-a/1-x");
        assert_eq!(walk.place(&kep), Some(RealPath::assume(&kep)));
        assert_eq!(unsaved.names_in(&root), ["keps"]);
        assert!(unsaved.is_below(&root.join("keps/sig-a")) && !unsaved.is_below(&root.join("keps/sig-b")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_repository_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        fs::create_dir_all(root.join("r/keps/1-x")).expect("a directory");
        fs::write(root.join("outside.md"), "old").expect("a file");
        let link = root.join("r/keps/1-x/README.md");
        std::os::unix::fs::symlink(root.join("outside.md"), &link).expect("a link");
        let refuse = || Unsaved::new(&link, Vec::new()).expect_err("it is outside").message;
        assert!(refuse().contains("outside of"), "{}", refuse());
        fs::remove_file(root.join("outside.md")).expect("it is there");
        assert!(refuse().contains("outside of"), "{}", refuse());
    }
}
