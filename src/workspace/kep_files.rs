//! Reading the files of a KEP.

use super::directory::KepDirectory;
use super::failure::too_many;
use super::files::Opened;
use super::paths::{GivenPath, RealPath};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::kep::texts::{Role, Texts};
use crate::span::FileId;
use std::path::Path;

#[derive(Debug, Default)]
pub struct KepTexts {
    pub texts: Texts,
    pub places: Vec<Origin>,
    pub failures: Vec<Failure>,
    /// How many bytes may still be read.
    left: u64,
}

/// Reads a KEP. What cannot be read is among the failures.
pub fn read_kep(kep: &KepDirectory) -> KepTexts {
    let mut reading = KepTexts::of(kep);
    for (role, path) in
        [(Role::Readme, &kep.files.readme), (Role::Metadata, &kep.files.metadata), (Role::Owners, &kep.files.owners)]
    {
        if let Some(path) = path {
            reading.read(role, path, kep);
        }
    }
    if kep.files.documents.len() > bounds::KEP_FILES {
        reading.failures.push(too_many(&kep.given, bounds::KEP_FILES, "Markdown files"));
    }
    for path in kep.files.documents.iter().take(bounds::KEP_FILES) {
        reading.read(Role::Document, path, kep);
        if reading.left == 0 {
            break;
        }
    }
    reading
}

/// Reads only kep.yaml, which says what the KEP is.
pub fn read_metadata(kep: &KepDirectory) -> KepTexts {
    let mut reading = KepTexts::of(kep);
    if let Some(path) = &kep.files.metadata {
        reading.read(Role::Metadata, path, kep);
    }
    reading
}

/// What kep.yaml says, if it can be read.
pub fn metadata(kep: &KepDirectory) -> Option<Metadata> {
    let opened = kep.metadata()?.ok()?;
    Some(Metadata::parse(FileId(0), &opened.file.text))
}

/// The numbers of a KEP, without leading zeros: by its directory and by kep.yaml, which tells which PRR file is its own.
pub fn numbers(kep: &KepDirectory) -> impl Iterator<Item = String> + use<> {
    let written = metadata(kep).and_then(|metadata| metadata.number);
    let written = written.map(|number| number::without_zeros(&number.text).to_owned());
    number::of_directory(&kep.name).map(str::to_owned).into_iter().chain(written)
}

impl KepTexts {
    fn of(kep: &KepDirectory) -> Self {
        // A path with links in it has another name, and another way from `keps` on.
        let own = Texts::new(kep.shown.as_str());
        let tree_path = kep.tree_path().map(String::from);
        let texts = Texts {
            name: kep.name.clone(),
            config_path: kep.from_config.clone().or_else(|| tree_path.clone()).unwrap_or(own.config_path),
            tree_path,
            is_searched: kep.is_searched,
            is_loose: kep.is_loose,
            ..own
        };
        Self { texts, left: bounds::KEP_BYTES, ..Self::default() }
    }

    fn read(&mut self, role: Role, path: &Path, kep: &KepDirectory) {
        let metadata = if role == Role::Metadata { kep.metadata() } else { None };
        let opened = metadata.unwrap_or_else(|| kep.read(path));
        let failure = match opened {
            Ok(Opened { file, .. }) if file.text.len() as u64 > self.left => {
                self.left = 0;
                let size = bounds::size(bounds::KEP_BYTES);
                let failure = Failure::of("read", path, &format!("the KEP has more than {size} of text"));
                failure.help("move files that are not part of the KEP out of its directory")
            }
            Ok(Opened { file, place }) => {
                self.left -= file.text.len() as u64;
                self.places.push(Origin { given: GivenPath::new(path), real: place });
                self.texts.add(role, file);
                return;
            }
            Err(failure) => failure,
        };
        self.texts.mark_unreadable(role);
        self.failures.push(failure);
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub given: GivenPath,
    pub real: RealPath,
}
