//! Reading the files of a KEP.

use super::bounds;
use super::directory::KepDirectory;
use super::edge::{Edge, Unresolved};
use super::error;
use super::path::{leads_out, shown, too_many};
use crate::diagnostic::Failure;
use crate::kep::texts::{Role, Texts};
use crate::source::SourceFile;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A KEP as it was read.
#[derive(Debug, Default)]
pub struct KepTexts {
    /// Its texts.
    pub texts: Texts,
    /// Where each of its files is.
    pub places: Vec<Origin>,
    /// What could not be read.
    pub failures: Vec<Failure>,
    /// How many bytes may still be read.
    left: u64,
}

/// Reads a KEP. What cannot be read is among the failures.
pub fn read_kep(kep: &KepDirectory) -> KepTexts {
    // A path with links in it has another name, and another way from `keps` on.
    let texts = Texts { name: kep.name.clone(), tree_path: kep.tree_path(), ..Texts::new(kep.shown.as_str()) };
    let mut reading = KepTexts { texts, left: bounds::KEP_BYTES, ..KepTexts::default() };
    for (role, path) in
        [(Role::Readme, &kep.files.readme), (Role::Metadata, &kep.files.metadata), (Role::Owners, &kep.files.owners)]
    {
        if let Some(path) = path {
            reading.read(role, path, &kep.edge);
        }
    }
    if kep.files.documents.len() > bounds::KEP_FILES {
        reading.failures.push(too_many(&kep.given, bounds::KEP_FILES, "Markdown files"));
    }
    for path in kep.files.documents.iter().take(bounds::KEP_FILES) {
        reading.read(Role::Document, path, &kep.edge);
        if reading.left == 0 {
            break;
        }
    }
    reading
}

impl KepTexts {
    fn read(&mut self, role: Role, path: &Path, edge: &Edge) {
        let failure = match read(path, edge, bounds::FILE_BYTES) {
            Ok(Opened { file, .. }) if file.text.len() as u64 > self.left => {
                self.left = 0;
                let size = bounds::size(bounds::KEP_BYTES);
                let failure = Failure::of("read", path, &format!("the KEP has more than {size} of text"));
                failure.help("move files that are not part of the KEP out of its directory")
            }
            Ok(Opened { file, place }) => {
                self.left -= file.text.len() as u64;
                self.places.push(Origin { given: path.to_owned(), real: place });
                self.texts.add(role, file);
                return;
            }
            Err(failure) => failure,
        };
        self.texts.mark_unreadable(role);
        self.failures.push(failure);
    }
}

/// Where a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// As given on the command line plus the rest.
    pub given: PathBuf,
    /// Without links.
    pub real: PathBuf,
}

/// A file that was read.
#[derive(Debug)]
pub struct Opened {
    /// Its text.
    pub file: SourceFile,
    /// Where it is, without links.
    pub place: PathBuf,
}

/// Reads one file, if it is a regular one of at most `most` bytes and lies within the edge.
pub fn read(path: &Path, edge: &Edge, most: u64) -> Result<Opened, Failure> {
    let failed = |error: &std::io::Error| error::io("read", path, error);
    let refused = |reason: &str| Failure::of("read", path, reason);
    let place = edge.resolve(path).map_err(|unresolved| match unresolved {
        Unresolved::Outside(root) => leads_out(path, &root),
        Unresolved::Broken(_) if path.is_symlink() => {
            refused("dangling symlink").help("fix the link, or put the file in its place")
        }
        Unresolved::Broken(error) => failed(&error),
    })?;
    let metadata = fs::metadata(&place).map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "not a regular file" };
        return Err(refused(what).help("put a file in its place"));
    }
    let too_large = |size: u64| {
        let help = format!("reduce it to at most {}", bounds::size(most));
        refused(&format!("it has {}", bounds::size(size))).help(help)
    };
    if metadata.len() > most {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    let file = File::open(&place).map_err(|error| failed(&error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    // It may have grown, or be of a kind that has no length before it is read.
    if bytes.len() as u64 > most {
        return Err(too_large(most + 1));
    }
    Ok(Opened { file: SourceFile::decode(shown(path), bytes), place })
}
