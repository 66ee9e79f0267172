//! Reading the files of a KEP.

use super::directory::KepDirectory;
use super::failure::too_many;
use super::files::opened::Opened;
use super::paths::RealPath;
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::brief::Brief;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::kep::texts::{Role, Slot, Texts};
use crate::markdown::Document;
use crate::span::FileId;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub struct KepTexts {
    pub texts: Texts,
    pub places: Vec<Origin>,
    pub failures: Vec<Failure>,
    /// How many bytes may still be read.
    left: u64,
    /// Whether a file was larger than that.
    is_full: bool,
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
    reading.texts.find_front_matter();
    if kep.files.documents.len() > bounds::KEP_FILES {
        reading.failures.push(too_many(&kep.given, bounds::KEP_FILES, "Markdown files"));
    }
    for path in kep.files.documents.iter().take(bounds::KEP_FILES) {
        if reading.is_full {
            break;
        }
        reading.read(Role::Document, path, kep);
    }
    reading
}

/// Reads only kep.yaml, which says what the KEP is.
pub fn read_metadata(kep: &KepDirectory) -> KepTexts {
    let mut reading = KepTexts::of(kep);
    if let Some(path) = &kep.files.metadata {
        reading.read(Role::Metadata, path, kep);
    }
    if let (true, Some(path)) = (kep.source.layout().is_told_by_document(), &kep.files.readme) {
        reading.read(Role::Readme, path, kep);
        reading.texts.find_front_matter();
    }
    reading
}

/// What kep.yaml says, if it can be read.
pub fn metadata(kep: &KepDirectory) -> Option<Metadata> {
    let opened = kep.metadata()?.ok()?;
    kep.source.layout().read_metadata(FileId(0), &opened.file.text)
}

/// The numbers of a KEP, without leading zeros: by its directory, and by kep.yaml for its PRR file.
pub fn numbers(kep: &KepDirectory) -> impl Iterator<Item = String> + use<> {
    let written = metadata(kep).and_then(|metadata| metadata.number);
    let written = written.map(|number| number::without_zeros(&number.text).to_owned());
    number::of_directory(&kep.name).map(str::to_owned).into_iter().chain(written)
}

/// What is read of the kep.yaml of each KEP of a tree. If it cannot be read, that is reported where the KEP is checked.
pub fn brief(kep: &KepDirectory) -> Option<Brief> {
    let layout = kep.source.layout();
    let metadata = kep.metadata().and_then(Result::ok).map(|opened| Brief::of(&opened.file.text));
    let mut brief = if layout.is_of_keps() { metadata? } else { metadata.unwrap_or_default() };
    if layout.own().is_some_and(|own| !own.targets.is_empty()) {
        let document = Document::parse(FileId(0), kep.read(kep.files.readme.as_ref()?).ok()?.file);
        brief.milestone = layout.targets(&document).iter().map(|target| target.release).max().or(brief.milestone);
    }
    Some(brief)
}

impl KepTexts {
    fn of(kep: &KepDirectory) -> Self {
        // A path with links in it has another name, and another way from `keps` on.
        let own = Texts::new(kep.shown.as_str());
        let tree_path = kep.tree_path();
        let texts = Texts {
            name: kep.name.clone(),
            config_path: kep.from_config.clone().or_else(|| tree_path.clone()).unwrap_or(own.config_path),
            tree_path,
            is_searched: kep.is_searched,
            is_loose: kep.is_loose,
            layout: kep.source.layout().clone(),
            ..own
        };
        Self { texts, left: bounds::KEP_BYTES, ..Self::default() }
    }

    fn read(&mut self, role: Role, path: &Path, kep: &KepDirectory) {
        let failure = match kep.read(path) {
            Ok(Opened { file, .. }) if file.text.len() as u64 > self.left => {
                self.is_full = true;
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
        self.texts.fill(role, Slot::Unreadable);
        self.failures.push(failure);
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub given: PathBuf,
    pub real: RealPath,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::layout::TREE;
    use crate::workspace::files::Source;
    use crate::workspace::files::memory::Memory;
    use crate::workspace::trees::whole;
    use std::sync::Arc;

    /// How many documents are read of a KEP with documents of these sizes, and what is said.
    fn read(sizes: &[usize]) -> (usize, Vec<String>) {
        let mut memory = Memory::default();
        memory.insert("keps/1-a/kep.yaml", Vec::new());
        for (at, size) in sizes.iter().enumerate() {
            memory.insert(&format!("keps/1-a/{at:04}.md"), vec![b'x'; *size]);
        }
        let source: Source = Arc::new(memory.into());
        let keps = whole(Path::new(TREE), &source).keps;
        let KepTexts { texts, failures, .. } = read_kep(keps.first().expect("there is one"));
        (texts.documents.len(), failures.into_iter().map(|failure| failure.message).collect())
    }

    #[test]
    fn the_text_of_a_kep_has_a_limit() {
        let full = [2 << 20; 8];
        assert_eq!(read(&full), (8, Vec::new()));
        assert_eq!(read(&[full.as_slice(), &[0]].concat()), (9, Vec::new()));
        let told = "cannot read `keps/1-a/0008.md`: the KEP has more than 16 MiB of text".to_owned();
        assert_eq!(read(&[full.as_slice(), &[1, 1]].concat()), (8, vec![told]));
    }

    #[test]
    fn a_kep_has_so_many_files() {
        assert_eq!(read(&[1; bounds::KEP_FILES]), (bounds::KEP_FILES, Vec::new()));
        let told = "cannot check all of `keps/1-a`: it has more than 1000 Markdown files".to_owned();
        assert_eq!(read(&[1; bounds::KEP_FILES + 1]), (bounds::KEP_FILES, vec![told]));
    }
}
