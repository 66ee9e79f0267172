//! Writing a file that was fixed: whoever looks, at whatever moment, sees the old text or the new one.

use super::error::Failure;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes `after` in the place of `before`, which is what was read from `path`. Links stay links, permissions stay.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Failure::io("write", path, &error).help("make the file and its directory writable, or see `--diff`")
    };
    let target = path.canonicalize().map_err(failed)?;
    let metadata = fs::metadata(&target).map_err(failed)?;
    if metadata.permissions().readonly() {
        let failure = Failure::new(format!("cannot write `{}`: it is read-only", path.display()));
        return Err(failure.help("make it writable, or see what would change with `--diff`"));
    }
    // A directory that can be written lets anyone put another file in this one's place; its own permissions decide.
    OpenOptions::new().write(true).open(&target).map_err(failed)?;
    let current = fs::read(&target).map_err(failed)?;
    if current == after.as_bytes() {
        return Ok(());
    }
    if current != before.as_bytes() {
        let failure = Failure::new(format!("cannot write `{}`: it has changed since it was read", path.display()));
        return Err(failure.help("run kep-lint again"));
    }
    put(&target, &metadata, after).map_err(failed)
}

/// Writes a file beside `target` and gives it the other's name.
fn put(target: &Path, metadata: &Metadata, text: &str) -> io::Result<()> {
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".kep-lint-").tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    keep_owner(file.as_file(), metadata);
    file.as_file().set_permissions(metadata.permissions())?;
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    // The new name is safe as well once the directory is on disk; not every system lets a directory be opened.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// Gives the new file the owner of the old one. Whoever may not do that owns what they write, as with any editor.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
