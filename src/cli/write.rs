//! The one place that writes files: a reader sees the old text or the new one at every moment, and no link is followed
//! to another directory.

pub mod lock;
pub mod moment;
mod replacement;
pub mod report_file;
#[cfg(test)]
mod saves;
pub mod together;
mod writers;

use crate::diagnostic::Failure;
use crate::workspace::edge::Edge;
use crate::workspace::failure;
use crate::workspace::paths::RealPath;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// What the names of unfinished files begin with.
const PREFIX: &str = ".kep-lint-";

/// Whether this is the name of an unfinished file, which a run that was killed leaves.
pub fn is_unfinished(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

/// Fails if the file at `place` cannot get the text `after` in place of `before`, which is what was read, as far as that is
/// known before; `None` if it has the new text already. `given` is how reports call it.
pub fn check(
    given: &Path,
    place: &RealPath,
    edge: &Edge,
    before: &str,
    after: &str,
) -> Result<Option<Metadata>, Failure> {
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
    let current = fs::read(place).map_err(failed)?;
    if current == after.as_bytes() {
        return Ok(None);
    }
    if current != before.as_bytes() {
        return Err(refused("it has changed since it was read").help("run kep-lint again"));
    }
    Ok(Some(metadata))
}

fn unwritable(given: &Path, error: &io::Error) -> Failure {
    failed(given, error, "make the file and its directory writable, or see `--diff`")
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

/// A file beside `place` with all that the other has but its name and its text. It may not be on disk yet.
fn beside(place: &Path, metadata: &Metadata, text: &str) -> io::Result<NamedTempFile> {
    let mut file = Builder::new().prefix(PREFIX).tempfile_in(directory_of(place))?;
    file.write_all(text.as_bytes())?;
    keep_owner(file.as_file(), metadata);
    keep_attributes(place, file.path())?;
    file.as_file().set_permissions(metadata.permissions())?;
    Ok(file)
}

fn persist(file: NamedTempFile, place: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(place).map_err(|error| error.error)?;
    sync_directory(directory_of(place));
    Ok(())
}

/// Waits until the names in a directory are on disk; not every system lets a directory be opened.
fn sync_directory(directory: &Path) {
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
}

fn directory_of(place: &Path) -> &Path {
    place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file with the permissions that the user's files get.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
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

/// Gives the new file the owner of the old one. A user who may not do that becomes its owner, as with any editor.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Gives the new file the extended attributes of the old one, access control lists among them. Those of the system's own
/// name spaces may be refused, as they are given to every file anyway.
#[cfg(unix)]
fn keep_attributes(old: &Path, new: &Path) -> io::Result<()> {
    // A file system without attributes has none to keep.
    for name in xattr::list(old).into_iter().flatten() {
        let Some(value) = xattr::get(old, &name)? else { continue };
        let is_of_user = name.to_string_lossy().starts_with("user.") || name == "system.posix_acl_access";
        match xattr::set(new, &name, &value) {
            Err(error) if is_of_user => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_attributes(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}
