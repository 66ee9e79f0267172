//! Replaces a file without losing what somebody saves in the same moment. Where the system can exchange two files, the
//! old one comes out and is compared only then; elsewhere it is compared right before its name is given to another.

use super::moment::{Moment, reach};
use super::writers::has_writer;
use super::{PREFIX, beside, directory_of, unwritable};
use crate::bounds;
use crate::diagnostic::{Failure, named};
use crate::workspace::paths::RealPath;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

#[derive(Clone, Debug)]
pub struct Target<'a> {
    pub given: &'a Path,
    pub place: &'a RealPath,
    pub metadata: Metadata,
    pub before: &'a str,
    pub after: &'a str,
}

/// A new text in a file beside the one that it is for.
pub struct Prepared<'a> {
    target: Target<'a>,
    file: NamedTempFile,
}

#[must_use]
pub struct Placed<'a> {
    target: Target<'a>,
    /// The old file; `None` where files cannot be exchanged.
    old: Option<TempPath>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Left {
    /// The file at this path stays as it is now: with the new text, or with what another program saved since.
    Changed(PathBuf),
    /// What another program saved is in this file now.
    Saved(PathBuf),
}

impl Left {
    /// The same as a part of a message.
    pub fn words(&self) -> String {
        match self {
            Self::Changed(path) => format!("{} stays as it is now", named(path)),
            Self::Saved(path) => format!("what another program saved is in {}", named(path)),
        }
    }
}

impl<'a> Prepared<'a> {
    /// Writes the new text, which may not be on disk yet.
    pub fn new(target: Target<'a>) -> Result<Self, Failure> {
        let file = beside(target.place, &target.metadata, target.after);
        let file = file.map_err(|error| unwritable(target.given, &error))?;
        Ok(Self { target, file })
    }

    /// Waits until the text is on disk.
    pub fn sync(&self) -> Result<(), Failure> {
        // A full disk may be known only now.
        self.file.as_file().sync_all().map_err(|error| unwritable(self.target.given, &error))
    }

    /// Puts the text in its place, unless the file has changed since it was read; what could not be undone then is added
    /// to `left`.
    pub fn put(self, left: &mut Vec<Left>) -> Result<Placed<'a>, Failure> {
        let Self { target, file } = self;
        let mut beside = file.into_temp_path();
        reach(Moment::Compared, target.place);
        match exchange(&beside, target.place) {
            Ok(()) => {
                // From now on, this may be what another program saved.
                beside.disable_cleanup(true);
                reach(Moment::Exchanged, target.place);
                let placed = Placed { target, old: Some(beside) };
                if placed.is_as_read() {
                    return Ok(placed);
                }
                let failure = placed.changed();
                left.extend(placed.undo().err());
                Err(failure)
            }
            Err(error) if is_unsupported(&error) => {
                if !has_text(target.place, target.before) {
                    return Err(changed(target.given));
                }
                let persisted = beside.persist(target.place);
                persisted.map_err(|refused| unwritable(target.given, &refused.error))?;
                Ok(Placed { target, old: None })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(changed(target.given)),
            Err(error) => Err(unwritable(target.given, &error)),
        }
    }
}

impl Placed<'_> {
    pub fn place(&self) -> &Path {
        self.target.place
    }

    /// Whether the old file has the text that was read. A program that had it open may still write to it.
    pub fn is_as_read(&self) -> bool {
        self.old.as_ref().is_none_or(|old| has_text(old, self.target.before))
    }

    /// Whether another program may still write to the old file.
    pub fn has_writer(&self) -> bool {
        self.old.as_ref().is_some_and(|old| has_writer(old))
    }

    /// The failure if one does not close it.
    pub fn in_use(&self) -> Failure {
        let failure = Failure::of("write", self.target.given, "another program has it open");
        failure.help("close it there, and run kep-lint again")
    }

    /// The failure if it has another text.
    pub fn changed(&self) -> Failure {
        changed(self.target.given)
    }

    pub fn finish(self) {
        if let Some(old) = self.old {
            remove(&old);
        }
    }

    /// Gives the old file its place again, unless another program has saved over the new text.
    pub fn undo(self) -> Result<(), Left> {
        let Self { target, old } = self;
        let stays = || Left::Changed(target.given.to_owned());
        let has_new_text = has_text(target.place, target.after);
        reach(Moment::Undoing, target.place);
        let Some(old) = old else {
            if !has_new_text {
                return Err(stays());
            }
            let file = beside(target.place, &target.metadata, target.before).map_err(|_| stays())?;
            if !has_text(target.place, target.after) {
                return Err(stays());
            }
            return file.persist(target.place).map(drop).map_err(|_| stays());
        };
        let is_back = has_new_text && exchange(&old, target.place).is_ok();
        let expected = if is_back { target.after } else { target.before };
        if !has_text(&old, expected) {
            return Err(Left::Saved(keep(old, target.given, target.place)));
        }
        remove(&old);
        if is_back { Ok(()) } else { Err(stays()) }
    }
}

/// Removes a new file, unless another program has saved over its text.
pub fn withdraw(given: &Path, text: &str) -> Result<(), Left> {
    let stays = || Left::Changed(given.to_owned());
    if !has_text(given, text) {
        return Err(stays());
    }
    reach(Moment::Undoing, given);
    let aside = Builder::new().prefix(PREFIX).tempfile_in(directory_of(given)).map_err(|_| stays())?;
    let mut aside = aside.into_temp_path();
    fs::rename(given, &aside).map_err(|_| stays())?;
    if has_text(&aside, text) {
        return Ok(());
    }
    aside.disable_cleanup(true);
    match aside.persist_noclobber(given) {
        Ok(()) => Err(stays()),
        Err(error) => Err(Left::Saved(keep(error.path, given, given))),
    }
}

/// Whether a regular file with this text is at `path`, which may be a link.
fn has_text(path: &Path, text: &str) -> bool {
    let is_possible = |metadata: Metadata| metadata.is_file() && metadata.len() == text.len() as u64;
    path.symlink_metadata().is_ok_and(is_possible) && fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn changed(given: &Path) -> Failure {
    Failure::of("write", given, "it has changed since it was read").help("run kep-lint again")
}

/// A file that cannot be removed is one that a killed run may leave as well.
fn remove(old: &Path) {
    let _ = fs::remove_file(old);
}

/// Gives a file beside the one at `place` a name that tells what it is, and returns its path as reports show it.
fn keep(mut file: TempPath, given: &Path, place: &Path) -> PathBuf {
    let name = given.file_name().unwrap_or_default().to_string_lossy();
    for number in 1..=bounds::SAVED_NAMES {
        let name = if number == 1 { format!("{name}.saved") } else { format!("{name}.saved-{number}") };
        match file.persist_noclobber(place.with_file_name(&name)) {
            Ok(()) => return given.with_file_name(name),
            Err(error) => file = error.path,
        }
    }
    given.with_file_name(file.file_name().unwrap_or_default())
}

/// Gives each of two files the other's name, in one step.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    #[cfg(test)]
    if !super::moment::tests::can_exchange() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(Into::into)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the system or the file system cannot exchange files. Some sandboxes forbid calls that they do not know; if a
/// permission is what is missing, renaming will say so.
fn is_unsupported(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), Unsupported | InvalidInput | PermissionDenied)
}
