//! Files that belong together: all of them are written, or none. Whatever can fail is done before the first of them gets
//! its name, and what was done is undone if something fails nevertheless.

use super::moment::{Moment, reach};
use super::replacement::{Left, Placed, Prepared, Target, withdraw};
use super::{check, directory_of, failed, sync_directory, temporary};
use crate::bounds;
use crate::cli::signals::Writing;
use crate::diagnostic::Failure;
use crate::workspace::edge::Edge;
use crate::workspace::paths::RealPath;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// How long a program usually takes at most from opening a file to writing to it. One that opened the old file before it was
/// exchanged still writes to that: it is kept this long and compared once more, before it is removed.
const LONGEST_SAVE: Duration = Duration::from_millis(20);

#[derive(Clone, Debug)]
pub struct Change {
    pub given: PathBuf,
    /// Where it is, and its text; `None` if it is new.
    pub before: Option<(RealPath, String)>,
    pub after: String,
}

/// Writes one file that exists: `after` in the place of `before`, which is what was read of the file at `place`;
/// `given` is how reports call it. Permissions, owner and extended attributes stay.
pub fn replace(given: &Path, place: &RealPath, edge: &Edge, before: &str, after: &str) -> Result<(), Failure> {
    let before = Some((place.clone(), before.to_owned()));
    write(&[Change { given: given.to_owned(), before, after: after.to_owned() }], edge)
}

/// Writes all files; of what another program saves in the same moment, nothing is lost. New files may be in directories
/// that do not exist yet.
pub fn write(changes: &[Change], edge: &Edge) -> Result<(), Failure> {
    let _writing = Writing::begin();
    let mut done = Done::default();
    let Err(failure) = done.write(changes, edge) else { return Ok(()) };
    done.undo();
    let left: String = done.left.iter().map(|left| format!("; {}", left.words())).collect();
    Err(Failure { message: failure.message + &left, ..failure })
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

/// The text of a new file in one that has no name of its own yet. It may not be on disk yet.
fn unnamed(change: &Change) -> io::Result<NamedTempFile> {
    let mut file = temporary(directory_of(&change.given))?;
    file.write_all(change.after.as_bytes())?;
    Ok(file)
}

/// A file that has no name of its own yet.
enum Step<'a> {
    Replace(Box<Prepared<'a>>),
    Create(&'a Change, NamedTempFile),
}

#[derive(Default)]
struct Done<'a> {
    placed: Vec<Placed<'a>>,
    created: Vec<&'a Change>,
    directories: Vec<PathBuf>,
    left: Vec<Left>,
}

impl<'a> Done<'a> {
    fn write(&mut self, changes: &'a [Change], edge: &Edge) -> Result<(), Failure> {
        let steps = self.prepare(changes, edge)?;
        for step in &steps {
            match step {
                Step::Replace(file) => file.sync()?,
                Step::Create(change, file) => {
                    file.as_file().sync_all().map_err(|error| uncreatable(&change.given, &error))?;
                }
            }
        }
        // Between these, nothing waits for the disk: a run that is killed leaves all of the files or none, but for moments.
        for step in steps {
            match step {
                Step::Replace(file) => self.placed.push(file.put(&mut self.left)?),
                Step::Create(change, file) => {
                    reach(Moment::Compared, &change.given);
                    let named = file.persist_noclobber(&change.given);
                    named.map_err(|error| uncreatable(&change.given, &error.error))?;
                    self.created.push(change);
                }
            }
        }
        let end_of_saves = Instant::now() + LONGEST_SAVE;
        self.sync_directories();
        if !self.placed.is_empty() {
            sleep(end_of_saves.saturating_duration_since(Instant::now()));
        }
        self.placed.iter().for_each(|placed| reach(Moment::Placed, placed.place()));
        let end_of_waiting = Instant::now() + Duration::from_millis(bounds::CLOSING_MILLISECONDS);
        while let Some(placed) = self.placed.iter().find(|placed| placed.has_writer()) {
            if Instant::now() > end_of_waiting {
                return Err(placed.in_use());
            }
            sleep(LONGEST_SAVE);
        }
        if let Some(placed) = self.placed.iter().find(|placed| !placed.is_as_read()) {
            return Err(placed.changed());
        }
        take(&mut self.placed).into_iter().for_each(Placed::finish);
        self.created.clear();
        self.directories.clear();
        Ok(())
    }

    /// Writes the texts to files beside those that they are for.
    fn prepare(&mut self, changes: &'a [Change], edge: &Edge) -> Result<Vec<Step<'a>>, Failure> {
        let mut old = Vec::new();
        for change in changes {
            match &change.before {
                Some((place, before)) => old.push(check(&change.given, place, edge, before, &change.after)?),
                None if change.given.symlink_metadata().is_ok() => return Err(exists(&change.given)),
                None => old.push(None),
            }
        }
        let mut steps = Vec::new();
        for (change, metadata) in changes.iter().zip(old) {
            let Change { given, before, after } = change;
            match (before, metadata) {
                (Some((place, before)), Some(metadata)) => {
                    let target = Target { given, place, metadata, before, after };
                    steps.push(Step::Replace(Box::new(Prepared::new(target)?)));
                }
                // It has the new text already.
                (Some(_), None) => {}
                (None, _) => {
                    self.make_directories(directory_of(given), edge)?;
                    let file = unnamed(change).map_err(|error| uncreatable(given, &error))?;
                    steps.push(Step::Create(change, file));
                }
            }
        }
        Ok(steps)
    }

    /// Makes a directory with those around it, none of which may be a link out of the repository.
    fn make_directories(&mut self, directory: &Path, edge: &Edge) -> Result<(), Failure> {
        if !directory.exists()
            && let Some(parent) = directory.parent()
        {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            self.make_directories(parent, edge)?;
            fs::create_dir(directory).map_err(|error| uncreatable(directory, &error))?;
            self.directories.push(directory.to_owned());
        }
        let real = RealPath::canonical(directory).map_err(|error| uncreatable(directory, &error))?;
        if !edge.holds(&real) {
            return Err(Failure::of("write into", directory, "it is a link out of the repository"));
        }
        Ok(())
    }

    /// Waits until the new names are on disk.
    fn sync_directories(&self) {
        let replaced = self.placed.iter().map(Placed::place);
        let created = self.created.iter().map(|change| change.given.as_path());
        let made = self.directories.iter().map(PathBuf::as_path);
        let directories: BTreeSet<&Path> = replaced.chain(created).chain(made).map(directory_of).collect();
        directories.into_iter().for_each(sync_directory);
    }

    /// Undoes all of it but what other programs saved since.
    fn undo(&mut self) {
        for placed in take(&mut self.placed).into_iter().rev() {
            self.left.extend(placed.undo().err());
        }
        for change in take(&mut self.created).into_iter().rev() {
            self.left.extend(withdraw(&change.given, &change.after).err());
        }
        // A directory stays if a file in it does.
        take(&mut self.directories).iter().rev().for_each(|directory| drop(fs::remove_dir(directory)));
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
        fs::write(&place, "before").expect("a file");
        let changed = Change {
            given: place.clone(),
            before: Some((RealPath::assume(&place), "before".to_owned())),
            after: "after".to_owned(),
        };
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

    #[test]
    fn a_full_disk_has_its_own_help() {
        let failure = failed(Path::new("x"), &io::Error::from(io::ErrorKind::StorageFull), "");
        assert_eq!(failure.help.as_deref(), Some("free some space on the disk"));
    }
}
