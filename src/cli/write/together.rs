//! Files that belong together: all of them are written, or none. Whatever can fail is done before the first of them gets
//! its name, and what was done is undone if something fails nevertheless.

use super::{beside, check, directory_of, failed, persist, put, temporary, unwritable};
use crate::cli::edge::Edge;
use crate::diagnostic::{Failure, named};
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that changes.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its path, as reports show it.
    pub given: PathBuf,
    /// Where it is, without links, and its text; `None` if it is new.
    pub before: Option<(PathBuf, String)>,
    /// Its new text.
    pub after: String,
}

/// Writes all files. New ones may be in directories that do not exist yet.
pub fn write(changes: &[Change], edge: &Edge) -> Result<(), Failure> {
    let mut old = Vec::new();
    for change in changes {
        match &change.before {
            Some((place, before)) => old.push(check(&change.given, place, edge, before, &change.after)?),
            None if change.given.symlink_metadata().is_ok() => return Err(exists(&change.given)),
            None => old.push(None),
        }
    }
    let mut done = Done::default();
    let mut files = Vec::new();
    for (change, metadata) in changes.iter().zip(old) {
        match (&change.before, metadata) {
            (Some((place, before)), Some(metadata)) => {
                let file =
                    beside(place, &metadata, &change.after).map_err(|error| unwritable(&change.given, &error))?;
                files.push((change, file, Some(Old { given: &change.given, place, metadata, before })));
            }
            // It has the new text already.
            (Some(_), None) => {}
            (None, _) => {
                done.make_directories(directory_of(&change.given), edge)?;
                let file = unnamed(change).map_err(|error| uncreatable(&change.given, &error))?;
                files.push((change, file, None));
            }
        }
    }
    let failure = match done.name_all(files) {
        Ok(()) => {
            done.keep();
            return Ok(());
        }
        Err(failure) => failure,
    };
    match done.undo().as_slice() {
        [] => Err(failure),
        left => {
            let message = format!("{}; written already: {}", failure.message, left.join(", "));
            Err(Failure { message, ..failure })
        }
    }
}

fn uncreatable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => failed(path, error, "make its directory writable"),
    }
}

/// The failure for a new file in the place of which something is.
pub fn exists(path: &Path) -> Failure {
    match path.exists() {
        true => Failure::of("write", path, "it exists").help("remove it, or choose another name"),
        false => Failure::of("write", path, "it is a link to nothing").help("remove it, or restore its target"),
    }
}

/// The text of a new file in one that has no name of its own yet.
fn unnamed(change: &Change) -> io::Result<NamedTempFile> {
    let mut file = temporary(directory_of(&change.given))?;
    file.write_all(change.after.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A file that another one replaces.
struct Old<'a> {
    given: &'a Path,
    place: &'a Path,
    metadata: Metadata,
    before: &'a str,
}

/// What was done so far.
#[derive(Default)]
struct Done<'a> {
    replaced: Vec<Old<'a>>,
    created: Vec<&'a Path>,
    directories: Vec<PathBuf>,
}

impl<'a> Done<'a> {
    /// Makes a directory with those around it, none of which may be a link out of the repository.
    fn make_directories(&mut self, directory: &Path, edge: &Edge) -> Result<(), Failure> {
        if let Some(around) = directory.parent().filter(|_| !directory.exists()) {
            let around = if around.as_os_str().is_empty() { Path::new(".") } else { around };
            self.make_directories(around, edge)?;
            fs::create_dir(directory).map_err(|error| uncreatable(directory, &error))?;
            self.directories.push(directory.to_owned());
        }
        let real = directory.canonicalize().map_err(|error| uncreatable(directory, &error))?;
        match edge.holds(&real) {
            true => Ok(()),
            false => Err(Failure::of("write into", directory, "it is a link out of the repository")),
        }
    }

    /// Gives all files their names.
    fn name_all(&mut self, files: Vec<(&'a Change, NamedTempFile, Option<Old<'a>>)>) -> Result<(), Failure> {
        for (change, file, old) in files {
            let given = change.given.as_path();
            match old {
                Some(old) => {
                    persist(file, old.place).map_err(|error| unwritable(given, &error))?;
                    self.replaced.push(old);
                }
                None => {
                    file.persist_noclobber(given).map_err(|error| uncreatable(given, &error.error))?;
                    self.created.push(given);
                }
            }
        }
        Ok(())
    }

    /// Makes it final.
    fn keep(&mut self) {
        self.replaced.clear();
        self.created.clear();
        self.directories.clear();
    }

    /// Undoes all of it, and returns the names of the files that stay as they are now.
    fn undo(&mut self) -> Vec<String> {
        let mut left = Vec::new();
        for Old { given, place, metadata, before } in take(&mut self.replaced).into_iter().rev() {
            if put(place, &metadata, before).is_err() {
                left.push(named(given));
            }
        }
        for path in take(&mut self.created).into_iter().rev() {
            if fs::remove_file(path).is_err() {
                left.push(named(path));
            }
        }
        // A directory stays if a file in it does.
        take(&mut self.directories).iter().rev().for_each(|directory| drop(fs::remove_dir(directory)));
        left
    }
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.undo();
    }
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
        let failure = write(["c/d/one", "a/two"]).expect_err("it exists");
        assert!(failure.message.ends_with("a/two`: it exists"), "{}", failure.message);
        assert!(!path("c").exists());
        let failure = write(["c", "a/b/one/below"]).expect_err("a file is in the way");
        assert_eq!(failure.help.as_deref(), Some("move the file that is in the place of the directory"));
        let failure = write(["c", "a/b/one/below/it"]).expect_err("a file is in the way");
        assert_eq!(failure.help.as_deref(), Some("move the file that is in the place of the directory"));
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
        fs::write(&place, "before").expect("a file");
        let changed = Change {
            given: place.clone(),
            before: Some((place.clone(), "before".to_owned())),
            after: "after".to_owned(),
        };
        // The second is known to fail before, the third only when it gets its name.
        for given in ["old/below", "twice"] {
            let changes = [changed.clone(), new(real.join(given)), new(real.join(given))];
            let failure = write(&changes, &edge).expect_err("it is in the way");
            assert!(!failure.message.contains("written already"), "{}", failure.message);
            assert_eq!(fs::read_to_string(&place).ok().as_deref(), Some("before"));
            assert_eq!(real.read_dir().expect("it is there").count(), 1, "{given}");
        }
        write(&[changed, new(real.join("new"))], &edge).expect("nothing is in the way");
        assert_eq!(fs::read_to_string(&place).ok().as_deref(), Some("after"));
    }

    #[test]
    fn a_full_disk_has_its_own_help() {
        let failure = failed(Path::new("x"), &io::Error::from(io::ErrorKind::StorageFull), "");
        assert_eq!(failure.help.as_deref(), Some("free some space on the disk"));
    }
}
