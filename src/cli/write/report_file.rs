//! Files that reports go to. A regular file gets its name when the report is complete; `/dev/null` and pipes, which have
//! no name to get, take the report as it is made.

use super::{directory_of, sync_directory, unfinished};
use crate::cli::signals::Writing;
use crate::diagnostic::Failure;
use crate::workspace::edge::Edge;
use crate::workspace::failure;
use crate::workspace::paths::RealPath;
use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that a report goes to. That it can be made is tried before any work is done, so that a path that cannot be
/// written is reported at once; it is put in its place when the report is complete.
pub struct ReportFile {
    given: PathBuf,
    place: PathBuf,
    kind: Kind,
}

enum Kind {
    Regular,
    /// The device that takes everything and keeps nothing.
    Null,
    /// A pipe. It is opened when the report is written, and waits for a reader then, as pipes do for every program.
    Pipe,
}

impl ReportFile {
    /// The file at `given`, where there is a regular file or nothing yet, or which is `/dev/null` or a pipe.
    pub fn open(given: &Path) -> Result<Self, Failure> {
        let of_kind = |kind: Kind| Ok(Self { given: given.to_owned(), place: given.to_owned(), kind });
        match fs::symlink_metadata(given).ok() {
            Some(metadata) if is_null(&metadata) => of_kind(Kind::Null),
            Some(metadata) if is_pipe(&metadata) && is_inside(given) => {
                let place = given.canonicalize().unwrap_or_else(|_| given.to_owned());
                Ok(Self { given: given.to_owned(), place, kind: Kind::Pipe })
            }
            // Such a path is a link, but to no other directory.
            Some(_) if is_descriptor(given) && fs::metadata(given).is_ok_and(|target| is_pipe(&target)) => {
                of_kind(Kind::Pipe)
            }
            _ => Self::create(given),
        }
    }

    /// The file that will be at `given`, where there is a regular file or nothing yet.
    pub fn create(given: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| failure::io("write", given, &error).help("name a file in a writable directory");
        let refused = |reason: &str| Failure::of("write", given, reason).help("name another file");
        let Some(name) = given.file_name() else { return Err(refused("it names no file")) };
        let real = directory_of(given).canonicalize().map_err(failed)?;
        if !is_inside(given) {
            return Err(refused("its directory is a link out of the repository"));
        }
        let place = real.join(name);
        match fs::symlink_metadata(&place).ok() {
            Some(metadata) if metadata.is_symlink() => return Err(refused("it is a link")),
            Some(metadata) if !metadata.is_file() => return Err(refused("not a regular file")),
            Some(metadata) if metadata.permissions().readonly() => return Err(refused("it is read-only")),
            _ => {}
        }
        let _writing = Writing::begin();
        unfinished(&place, "").map_err(failed)?;
        Ok(Self { given: given.to_owned(), place, kind: Kind::Regular })
    }

    /// Whether both are for the same place, where one report would take the other's.
    pub fn takes_place_of(&self, other: &Self) -> bool {
        self.place == other.place && !matches!(self.kind, Kind::Null)
    }

    /// Writes the report, and gives the file its name. That a reader of a pipe wants no more is no failure.
    pub fn finish(self, text: &str) -> Result<(), Failure> {
        let failed = |error: io::Error| failure::io("write", &self.given, &error);
        match self.kind {
            Kind::Regular => {
                let _writing = Writing::begin();
                let file = unfinished(&self.place, text).map_err(failed)?;
                file.persist(&self.place).map_err(|refused| failed(refused.error))?;
                sync_directory(directory_of(&self.place));
                Ok(())
            }
            Kind::Null | Kind::Pipe => {
                let opened = OpenOptions::new().write(true).open(&self.place);
                match opened.and_then(|mut file| file.write_all(text.as_bytes())) {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
                    _ => Ok(()),
                }
            }
        }
    }
}

/// Whether the directory of `given` is there, and no link out of the repository.
fn is_inside(given: &Path) -> bool {
    let directory = directory_of(given);
    RealPath::canonical(directory).is_ok_and(|real| Edge::around(directory).holds(&real))
}

/// Whether `path` is one by which the system names what this process has open. Elsewhere, a link is not followed.
fn is_descriptor(path: &Path) -> bool {
    let name = path.strip_prefix("/dev/fd").or_else(|_| path.strip_prefix("/proc/self/fd")).ok().and_then(Path::to_str);
    name.is_some_and(|name| name.parse::<u32>().is_ok())
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Whether it is the device that `/dev/null` is, whatever it is called here.
#[cfg(unix)]
fn is_null(metadata: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let null = fs::metadata("/dev/null").ok().filter(|null| null.file_type().is_char_device());
    metadata.file_type().is_char_device() && null.is_some_and(|null| null.rdev() == metadata.rdev())
}

#[cfg(not(unix))]
fn is_null(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_takes_the_place_of_the_one_before() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("report.json");
        for text in ["old", "new"] {
            ReportFile::open(&path).and_then(|file| file.finish(text)).expect("it is written");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(text));
            assert_eq!(fs::read_dir(directory.path()).expect("it is there").count(), 1);
        }
    }

    #[test]
    fn only_what_the_system_calls_open_files_is_followed() {
        for (path, is_one) in [
            ("/dev/fd/63", true),
            ("/proc/self/fd/1", true),
            ("/dev/fd/", false),
            ("/dev/fd/../../etc", false),
            ("dev/fd/1", false),
            ("/proc/1/fd/1", false),
        ] {
            assert_eq!(is_descriptor(Path::new(path)), is_one, "{path}");
        }
    }
}
