//! Files that belong together: all of them are written, or none. Whatever can fail is done before the first of them gets
//! its name, and what was done is undone if something fails nevertheless.

use super::{beside, directory_of, has_text, sync_directory, unfinished};
use crate::cli::signals::Writing;
use crate::diagnostic::{Failure, named};
use crate::workspace::edge::Edge;
use crate::workspace::failure;
use crate::workspace::paths::RealPath;
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

#[derive(Clone, Debug)]
pub struct Change {
    pub given: PathBuf,
    /// Where it is, and its text; `None` if it is new.
    pub before: Option<(RealPath, String)>,
    pub after: String,
}

/// Writes all files, in this order, unless one of them has changed since it was read. New files may be in directories that
/// do not exist yet. Of others, permissions, owner and extended attributes stay.
pub fn write(changes: &[Change], edge: &Edge) -> Result<(), Failure> {
    let _writing = Writing::begin();
    let mut written = Written::default();
    let Err(failure) = written.add(changes, edge) else { return Ok(()) };
    Err(Failure { message: failure.message + &written.undo(), ..failure })
}

impl Change {
    fn place(&self) -> &Path {
        self.before.as_ref().map_or(&self.given, |(place, _)| place)
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match self.before {
            Some(_) => unwritable(&self.given, error),
            None => uncreatable(&self.given, error),
        }
    }

    /// Gives the file its old text again, or removes it if it is new. What another program saved since stays.
    fn undo(&self) -> io::Result<()> {
        if !has_text(self.place(), &self.after) {
            return Err(io::Error::other("it has changed"));
        }
        match &self.before {
            Some((place, before)) => {
                beside(place, &fs::symlink_metadata(place)?, before)?.persist(place)?;
                Ok(())
            }
            None => fs::remove_file(&self.given),
        }
    }
}

#[derive(Default)]
struct Written<'a> {
    directories: Vec<PathBuf>,
    files: Vec<&'a Change>,
}

impl<'a> Written<'a> {
    fn add(&mut self, changes: &'a [Change], edge: &Edge) -> Result<(), Failure> {
        let mut texts = Vec::new();
        for change in changes {
            texts.push(self.text(change, edge)?);
        }
        let mut steps: Vec<(&Change, NamedTempFile)> = Vec::new();
        for (change, text) in changes.iter().zip(texts) {
            if let Some((place, before)) = &change.before {
                if has_text(place, &change.after) {
                    continue;
                }
                let is_second = steps.iter().any(|(other, _)| other.place() == change.place());
                if is_second || !has_text(place, before) {
                    let failure = Failure::of("write", &change.given, "it has changed since it was read");
                    return Err(failure.help("run kep-lint again"));
                }
            }
            steps.push((change, text));
        }
        // Between these, nothing waits for the disk: a run that is killed leaves all of the files or none, but for moments.
        for (change, text) in steps {
            let renamed = match &change.before {
                Some((place, _)) => text.persist(place),
                None => text.persist_noclobber(&change.given),
            };
            renamed.map_err(|error| change.failed(&error.error))?;
            self.files.push(change);
        }
        self.files.iter().for_each(|change| sync_directory(directory_of(change.place())));
        self.directories.iter().for_each(|directory| sync_directory(directory_of(directory)));
        Ok(())
    }

    /// The new text of a file, in one beside it.
    fn text(&mut self, change: &Change, edge: &Edge) -> Result<NamedTempFile, Failure> {
        let Change { given, before, after } = change;
        let file = match before {
            Some((place, _)) => {
                let metadata = refuse_irreplaceable(given, place, edge)?;
                beside(place, &metadata, after)
            }
            None if given.symlink_metadata().is_ok() => return Err(exists(given)),
            None => {
                self.make_directories(directory_of(given), edge)?;
                unfinished(given, after)
            }
        };
        file.map_err(|error| change.failed(&error))
    }

    /// Makes a directory with those around it, none of which may be a link out of the repository.
    fn make_directories(&mut self, directory: &Path, edge: &Edge) -> Result<(), Failure> {
        let is_missing = |around: &&Path| !around.as_os_str().is_empty() && !around.exists();
        let missing: Vec<&Path> = directory.ancestors().take_while(is_missing).collect();
        let there = missing.last().map_or(directory, |outermost| directory_of(outermost));
        let real = RealPath::canonical(there).map_err(|error| uncreatable(there, &error))?;
        if !edge.holds(&real) {
            return Err(Failure::of("write into", there, "it is a link out of the repository"));
        }
        for path in missing.into_iter().rev() {
            fs::create_dir(path).map_err(|error| uncreatable(path, &error))?;
            self.directories.push(path.to_owned());
        }
        Ok(())
    }

    /// Undoes all of it. Returns what could not be undone, as the end of a message.
    fn undo(&self) -> String {
        let undone = self.files.iter().rev().filter(|change| change.undo().is_err());
        let left = undone.map(|change| format!("; {} stays as it is now", named(&change.given))).collect();
        // A directory stays if a file in it does.
        self.directories.iter().rev().for_each(|directory| drop(fs::remove_dir(directory)));
        left
    }
}

/// Fails if the file at `place` cannot get another text, as far as that is known before; `given` is how reports call it.
fn refuse_irreplaceable(given: &Path, place: &RealPath, edge: &Edge) -> Result<Metadata, Failure> {
    let failed = |error: io::Error| unwritable(given, &error);
    let refused = |reason: &str| Failure::of("write", given, reason);
    if edge.resolve(given).ok().as_ref() != Some(place) {
        return Err(refused("it links to another file than when it was read").help("run kep-lint again"));
    }
    let metadata = fs::symlink_metadata(place).map_err(failed)?;
    if !metadata.is_file() {
        return Err(refused("not a regular file").help("put a file in its place"));
    }
    if metadata.permissions().readonly() {
        let failure = refused("it is read-only");
        return Err(failure.help("make it writable, or see what would change with `--diff`"));
    }
    if links(&metadata) > 1 {
        let failure = refused("it has hard links, which would keep the old text");
        return Err(failure.help("remove the hard links, or see what would change with `--diff`"));
    }
    // Renaming needs only the directory's permission, so the file's own is checked first.
    OpenOptions::new().write(true).open(place).map_err(failed)?;
    Ok(metadata)
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink()
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

fn unwritable(given: &Path, error: &io::Error) -> Failure {
    failed(given, error, "make the file and its directory writable, or see `--diff`")
}

fn uncreatable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => failed(path, error, "make its directory writable"),
    }
}

/// The failure for a new file in the place of which something is.
pub fn exists(path: &Path) -> Failure {
    if path.exists() {
        Failure::of("write", path, "it exists").help("remove it, or choose another name")
    } else {
        Failure::of("write", path, "it is a link to nothing").help("remove it, or restore its target")
    }
}

/// The failure to write a file, with the help for its reason, or else `help`.
fn failed(given: &Path, error: &io::Error, help: &str) -> Failure {
    failure::io("write", given, error).help(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space on the disk",
        io::ErrorKind::FileTooLarge => failure::SIZE_LIMIT,
        io::ErrorKind::NotADirectory => "move the file that is in the place of the directory",
        _ => help,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(given: PathBuf) -> Change {
        let after = given.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Change { given, before: None, after }
    }

    #[test]
    fn all_are_written_or_none() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        let edge = Edge::around(root.path());
        let write = |names: [&str; 2]| write(&names.map(|name| new(path(name))), &edge);
        write(["a/b/one", "a/two"]).expect("nothing is in the way");
        assert_eq!(fs::read_to_string(path("a/b/one")).ok().as_deref(), Some("one"));
        let refused = write(["c/d/one", "a/two"]).expect_err("it exists");
        assert!(refused.message.ends_with("a/two`: it exists"), "{}", refused.message);
        assert!(!path("c").exists());
        for below in ["a/b/one/below", "a/b/one/below/it"] {
            let failure = write(["c", below]).expect_err("a file is in the way");
            assert_eq!(failure.help.as_deref(), Some("move the file that is in the place of the directory"));
        }
        assert!(!path("c").exists());
        assert_eq!(fs::read_to_string(path("a/two")).ok().as_deref(), Some("two"));
        assert_eq!(path("a").read_dir().expect("it is there").count(), 2);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_others_as_they_are() {
        let root = tempfile::tempdir().expect("a directory");
        let real = root.path().canonicalize().expect("it is there");
        let edge = Edge::around(&real);
        let place = real.join("old");
        let changed = old(place.clone());
        // The second is known to fail before, the third only when it gets its name.
        for given in ["old/below", "twice"] {
            let changes = [changed.clone(), new(real.join(given)), new(real.join(given))];
            let failure = write(&changes, &edge).expect_err("it is in the way");
            assert!(!failure.message.contains("stays as it is now"), "{}", failure.message);
            assert_eq!(fs::read_to_string(&place).ok().as_deref(), Some("before"));
            assert_eq!(real.read_dir().expect("it is there").count(), 1, "{given}");
        }
        write(&[changed, new(real.join("new"))], &edge).expect("nothing is in the way");
        assert_eq!(fs::read_to_string(&place).ok().as_deref(), Some("after"));
    }

    /// A file on disk, and the change that gives it another text.
    fn old(place: PathBuf) -> Change {
        fs::write(&place, "before").expect("a file");
        Change {
            given: place.clone(),
            before: Some((RealPath::assume(&place), "before".to_owned())),
            after: "after".to_owned(),
        }
    }

    fn mine(path: &Path) {
        fs::write(path, "mine").expect("it can be written");
    }

    fn nothing(path: &Path) {
        fs::remove_file(path).expect("it is there");
    }

    fn a_directory(path: &Path) {
        nothing(path);
        fs::create_dir(path).expect("a directory");
    }

    #[cfg(unix)]
    fn a_link(path: &Path) {
        let target = path.with_file_name("target");
        fs::rename(path, &target).expect("it is there");
        std::os::unix::fs::symlink(target, path).expect("a link");
    }

    #[test]
    fn what_was_saved_since_a_file_was_read_stays() {
        let saves: &[fn(&Path)] = &[
            mine,
            nothing,
            a_directory,
            #[cfg(unix)]
            a_link,
        ];
        for save in saves {
            let root = tempfile::tempdir().expect("a directory");
            let real = root.path().canonicalize().expect("it is there");
            let changes = [new(real.join("a/new")), old(real.join("other")), old(real.join("saved"))];
            save(&real.join("saved"));
            let seen = |path: &Path| (path.read_link().ok(), path.is_dir(), fs::read(path).ok());
            let saved = seen(&real.join("saved"));
            let failure = write(&changes, &Edge::around(&real)).expect_err("it has changed");
            assert!(failure.message.contains("saved`: "), "{}", failure.message);
            assert_eq!(seen(&real.join("saved")), saved, "{}", failure.message);
            assert_eq!(fs::read_to_string(real.join("other")).ok().as_deref(), Some("before"));
            let entries = real.read_dir().expect("it is there").flatten().map(|entry| entry.file_name());
            let names: Vec<_> = entries.filter(|name| name != "saved" && name != "target").collect();
            assert_eq!(names, ["other"]);
        }
    }

    #[test]
    fn what_cannot_be_undone_is_named() {
        let root = tempfile::tempdir().expect("a directory");
        let real = root.path().canonicalize().expect("it is there");
        let changes = [old(real.join("old")), old(real.join("saved")), new(real.join("new"))];
        let mut written = Written::default();
        written.add(&changes, &Edge::around(&real)).expect("nothing is in the way");
        mine(&real.join("saved"));
        let left = written.undo();
        assert!(left.starts_with("; `") && left.ends_with("saved` stays as it is now"), "{left}");
        assert_eq!(left.matches("stays").count(), 1, "{left}");
        assert_eq!(fs::read_to_string(real.join("old")).ok().as_deref(), Some("before"));
        assert_eq!(fs::read_to_string(real.join("saved")).ok().as_deref(), Some("mine"));
        assert!(!real.join("new").exists());
    }

    #[test]
    fn a_file_gets_one_text() {
        let root = tempfile::tempdir().expect("a directory");
        let real = root.path().canonicalize().expect("it is there");
        let change = old(real.join("old"));
        let twice = [change.clone(), change.clone()];
        let edge = Edge::around(&real);
        write(&twice, &edge).expect_err("the second text was made of the old one");
        assert_eq!(fs::read_to_string(real.join("old")).ok().as_deref(), Some("before"));
        write(&[change], &edge).expect("nothing is in the way");
        write(&twice, &edge).expect("it has that text already");
    }

    #[test]
    fn a_full_disk_has_its_own_help() {
        let failure = uncreatable(Path::new("x"), &io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(failure.help.as_deref(), Some("free some space on the disk"));
    }
}
