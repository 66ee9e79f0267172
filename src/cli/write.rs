//! The one place that writes files: a reader sees the old text or the new one at every moment, and no link is followed
//! to another directory.

pub(crate) mod report_file;
pub(crate) mod together;

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".kep-lint-";

/// Whether this is the name of an unfinished file, which a run that was killed leaves.
pub fn is_unfinished(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

/// Whether a regular file with this text is at `place`.
fn has_text(place: &Path, text: &str) -> bool {
    let is_possible = |metadata: Metadata| metadata.is_file() && metadata.len() == text.len() as u64;
    place.symlink_metadata().is_ok_and(is_possible) && fs::read(place).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// A file beside `place` with all that the other has but its name and its text.
fn beside(place: &Path, metadata: &Metadata, text: &str) -> io::Result<NamedTempFile> {
    let mut file = Builder::new().prefix(PREFIX).tempfile_in(directory_of(place))?;
    file.write_all(text.as_bytes())?;
    keep_owner(file.as_file(), metadata);
    keep_attributes(place, file.path())?;
    file.as_file().set_permissions(metadata.permissions())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// A new file that is to be at `place`, with the permissions of the file there, or those of the user's new files.
fn unfinished(place: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory_of(place))?;
    if let Ok(metadata) = fs::symlink_metadata(place) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Waits until the names in a directory are on disk; not every system lets a directory be opened.
fn sync_directory(directory: &Path) {
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
}

fn directory_of(place: &Path) -> &Path {
    place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
