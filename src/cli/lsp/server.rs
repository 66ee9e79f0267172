//! What the server knows, from which it answers.

use super::client::Client;
use super::diagnostics::ByFile;
use super::documents::Documents;
use super::edit::Writer;
use super::features::Features;
use super::keps::Keps;
use super::opened::OpenKep;
use super::settings::Settings;
use std::path::{Path, PathBuf};

pub struct Server {
    pub client: Client,
    pub documents: Documents,
    pub keps: Keps,
    pub settings: Settings,
    pub features: Features,
    /// The folders that are open in the editor.
    pub folders: Vec<PathBuf>,
}

impl Server {
    pub fn new(client: Client, settings: Settings) -> Self {
        let keps = Keps::new(settings.arguments());
        Self {
            client,
            documents: Documents::default(),
            keps,
            settings,
            features: Features::default(),
            folders: Vec::new(),
        }
    }

    /// The findings in the KEP of a document, as its texts are now.
    pub fn findings(&mut self, document: &Path) -> ByFile {
        if self.keps.prefers(document) {
            self.keps.check_next();
        }
        self.shown(self.keps.of(document).into_iter())
    }

    pub fn known_findings(&self) -> ByFile {
        self.shown(self.keps.iter())
    }

    fn shown<'a>(&self, keps: impl Iterator<Item = &'a OpenKep>) -> ByFile {
        let (writer, mut files) = (self.writer(), ByFile::new());
        keps.for_each(|kep| writer.add(kep, &mut files));
        files
    }

    /// How the editor is told of files.
    pub fn writer(&self) -> Writer<'_> {
        Writer { documents: &self.documents, features: self.features, look: self.settings.look() }
    }
}
