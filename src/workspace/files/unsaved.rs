//! Texts of an editor that have not been saved, or not yet for the first time. Everything that reads files of the tree sees
//! them in the place of the files' own.

use super::Tree;
use super::opened::{Kind, Text, Texts};
use crate::diagnostic::{Failure, named};
use crate::fix;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::span::FileId;
use crate::workspace::failure::leads_out;
use std::path::Path;

impl Tree {
    /// The file at `path` has the text `bytes` from now on; there may be no such file or directory yet. Fails for what is
    /// no file, or outside of the repository.
    pub fn set(&self, path: &Path, bytes: Vec<u8>) -> Result<(), Failure> {
        if self.own_kind(path) == Some(Kind::Directory) {
            let failure = Failure::new(format!("{} is a directory", named(path))).at(path);
            return Err(failure.help("name the file that the text belongs to"));
        }
        // Reports find their file by the path that they show.
        if path.file_name().and_then(|name| name.to_str()).is_none() {
            let failure = Failure::new(format!("{} names no file", named(path))).at(path);
            return Err(failure.help("name the file that the text belongs to"));
        }
        let place = self.real(path);
        if !self.holds(&place) {
            return Err(leads_out(path, self.root()));
        }
        self.forget(path);
        self.texts_mut().0.push(Text { path: path.to_owned(), place, bytes });
        Ok(())
    }

    /// The file that was at `path` when its text was set has its own text again, or that of another path which leads to it.
    /// Returns the one that it had instead.
    pub fn forget(&self, path: &Path) -> Option<Vec<u8>> {
        let Texts(texts) = &mut *self.texts_mut();
        let at = texts.iter().position(|text| text.path == path)?;
        Some(texts.remove(at).bytes)
    }

    /// Whether `path` leads to another file than when its text was set.
    pub fn has_moved(&self, path: &Path) -> bool {
        let place = self.real(path);
        self.texts().0.iter().any(|text| text.path == path && text.place != place)
    }

    /// Drops the findings of `run` about files without such a text.
    pub fn keep_own(&self, run: &mut Run) {
        for report in &mut run.reports {
            let own = self.own(report);
            report.diagnostics.retain(|found| own.contains(&found.span.file));
        }
        run.reports.retain(|report| report.kep.is_some() || !report.diagnostics.is_empty());
    }

    /// Drops the fixes of `report` that change such files.
    pub fn keep_own_fixes(&self, report: &mut KepReport) {
        let own = self.own(report);
        fix::keep_own(report, |file| own.contains(&file));
    }

    /// The ids that the files with such a text have in a report; several if it names one by several paths.
    fn own(&self, report: &KepReport) -> Vec<FileId> {
        let texts = self.texts();
        let files = (0..).map(FileId::at).zip(&report.files);
        let own = files.filter(|(_, file)| texts.at(&self.real(Path::new(&file.path))).is_some());
        own.map(|(id, _)| id).collect()
    }
}

#[cfg(feature = "cli")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::preset::Preset;
    use crate::workspace::discover::discover;
    use crate::workspace::files::Source;
    use crate::workspace::kep_files::read_kep;
    use crate::workspace::paths::RealPath;
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Arc;

    fn with(path: &Path, bytes: Vec<u8>) -> Source {
        let files = Tree::around(path);
        files.set(path, bytes).expect("it is a file");
        Arc::new(files)
    }

    /// The files of the KEP that a new text at `path` belongs to, with their texts.
    fn files(root: &Path, path: &str) -> Vec<String> {
        let named = root.join(path);
        let source: Source = with(&named, b"new".to_vec());
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
        assert!(Tree::around(&kep).set(&kep, Vec::new()).is_err());
    }

    #[test]
    fn texts_come_and_go() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        fs::create_dir_all(root.join("keps/sig-a/1-x")).expect("a directory");
        let (readme, metadata) = (root.join("keps/sig-a/1-x/README.md"), root.join("keps/sig-a/1-x/kep.yaml"));
        fs::write(&readme, "old").expect("a file");
        let unsaved = Tree::around(&root);
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
        let unsaved = with(&root.join("keps/sig-a/1-x/kep.yaml"), Vec::new());
        let walk = unsaved.list(&root.join("keps"));
        assert_eq!(walk.paths, ["sig-a", "sig-a/1-x", "sig-a/1-x/kep.yaml"].map(PathBuf::from));
        assert_eq!(walk.root, RealPath::assume(root.join("keps")));
        assert_eq!(unsaved.names(&root), ["keps"]);
        assert_eq!(unsaved.kind(&root.join("keps/sig-a")), Some(Kind::Directory));
        assert_eq!(unsaved.kind(&root.join("keps/sig-b")), None);
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
        let refuse = || Tree::around(&link).set(&link, Vec::new()).expect_err("it is outside").message;
        assert!(refuse().contains("outside of"), "{}", refuse());
        fs::remove_file(root.join("outside.md")).expect("it is there");
        assert!(refuse().contains("outside of"), "{}", refuse());
    }
}
