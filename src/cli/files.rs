//! Reading the files of a KEP.

use super::discover::KepDirectory;
use super::error::Failure;
use crate::kep::{SourceFile, Texts};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// How large a file may be, in bytes. The largest README of kubernetes/enhancements has 170,279.
const LARGEST: u64 = 16 << 20;

/// Reads a KEP. What cannot be read is among the failures.
pub fn read_kep(kep: &KepDirectory) -> (Texts, Vec<Failure>) {
    let mut failures = Vec::new();
    let mut texts = Texts {
        directory: kep.shown.clone(),
        name: kep.name.clone(),
        in_tree: kep.in_tree,
        tree_path: kep.tree_path(Path::new(&kep.shown)),
        has_readme: kep.readme.is_some(),
        has_metadata: kep.metadata.is_some(),
        ..Texts::default()
    };
    let mut read = |path: &Path| match read(path) {
        Ok(file) => Some(texts.push(file)),
        Err(failure) => {
            failures.push(failure);
            None
        }
    };
    let readme = kep.readme.as_deref().and_then(&mut read);
    let metadata = kep.metadata.as_deref().and_then(&mut read);
    let owners = kep.owners.as_deref().and_then(&mut read);
    let documents = kep.documents.iter().filter_map(|path| {
        let directory = path.parent().and_then(|directory| kep.tree_path(directory));
        Some((read(path)?, directory))
    });
    texts.documents = documents.collect();
    texts.owners = owners;
    texts.readme = readme;
    texts.metadata = metadata;
    (texts, failures)
}

/// Reads one file, if it is a plain one of at most 16 MiB.
pub fn read(path: &Path) -> Result<SourceFile, Failure> {
    let failed = |error: &std::io::Error| Failure::io("read", path, error);
    let metadata = fs::metadata(path).map_err(|error| match fs::symlink_metadata(path) {
        Ok(link) if link.is_symlink() => {
            Failure::new(format!("cannot read `{}`: its link leads nowhere", path.display()))
                .help("mend the link, or put the file in its place")
        }
        _ => failed(&error),
    })?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "it is no plain file" };
        return Err(Failure::new(format!("cannot read `{}`: {what}", path.display())).help("put a file in its place"));
    }
    if metadata.len() > LARGEST {
        let size = metadata.len() >> 20;
        return Err(Failure::new(format!("cannot read `{}`: it has {size} MiB", path.display()))
            .help("move what is not text out of it: kep-lint reads files of up to 16 MiB"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(|error| failed(&error))?;
    Ok(SourceFile::decode(shown(path), bytes))
}

/// A path as reports show it: with `/` on every system.
pub fn shown(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}
