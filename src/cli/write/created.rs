//! New files, of which all are written or none: what was created for them is removed if one of them cannot be.

use super::{directory_of, temporary};
use crate::cli::edge::Edge;
use crate::cli::error;
use crate::diagnostic::Failure;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes files that do not exist yet, in directories that may not exist yet either.
pub fn create(files: &[(PathBuf, String)], edge: &Edge) -> Result<(), Failure> {
    let mut created = Created::default();
    let mut written = Vec::new();
    for (path, text) in files {
        created.make_directories(directory_of(path), edge)?;
        written.push((path, unnamed(path, text).map_err(|error| failed(path, &error))?));
    }
    for (path, file) in written {
        file.persist_noclobber(path).map_err(|error| failed(path, &error.error))?;
        created.files.push(path.clone());
    }
    created.is_complete = true;
    Ok(())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => error::io("write", path, error).help("make its directory writable"),
    }
}

/// The failure for a new file in the place of which something is.
pub fn exists(path: &Path) -> Failure {
    match path.exists() {
        true => Failure::of("write", path, "it exists").help("remove it, or choose another name"),
        false => Failure::of("write", path, "it is a link to nothing").help("remove it, or restore its target"),
    }
}

/// The text in a file that has no name of its own yet.
fn unnamed(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = temporary(directory_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// What was created so far; removed again unless all is complete.
#[derive(Default)]
struct Created {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    is_complete: bool,
}

impl Created {
    /// Makes a directory with those around it, none of which may be a link out of the repository.
    fn make_directories(&mut self, directory: &Path, edge: &Edge) -> Result<(), Failure> {
        if let Some(around) = directory.parent().filter(|_| !directory.exists()) {
            let around = if around.as_os_str().is_empty() { Path::new(".") } else { around };
            self.make_directories(around, edge)?;
            fs::create_dir(directory).map_err(|error| failed(directory, &error))?;
            self.directories.push(directory.to_owned());
        }
        let real = directory.canonicalize().map_err(|error| failed(directory, &error))?;
        match edge.holds(&real) {
            true => Ok(()),
            false => Err(Failure::of("write into", directory, "it is a link out of the repository")),
        }
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        if !self.is_complete {
            // What cannot be removed is left; the reason for it is reported already.
            self.files.iter().for_each(|file| drop(fs::remove_file(file)));
            self.directories.iter().rev().for_each(|directory| drop(fs::remove_dir(directory)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_written_or_none() {
        let root = tempfile::tempdir().expect("a directory");
        let path = |name: &str| root.path().join(name);
        let edge = Edge::around(root.path());
        let files = |names: [&str; 2]| names.map(|name| (path(name), name.to_owned()));
        create(&files(["a/b/one", "a/two"]), &edge).expect("nothing is in the way");
        assert_eq!(fs::read_to_string(path("a/b/one")).ok().as_deref(), Some("a/b/one"));
        let failure = create(&files(["c/d/one", "a/two"]), &edge).expect_err("it exists");
        assert!(failure.message.ends_with("a/two`: it exists"), "{}", failure.message);
        assert!(!path("c").exists());
        create(&files(["c", "a/b/one/below"]), &edge).expect_err("a file is in the way");
        assert!(!path("c").exists());
        assert_eq!(fs::read_to_string(path("a/two")).ok().as_deref(), Some("a/two"));
        assert_eq!(path("a").read_dir().expect("it is there").count(), 2);
    }
}
