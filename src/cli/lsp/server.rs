//! What the server knows, from which it answers.

use super::client::Client;
use super::diagnostics::ByFile;
use super::documents::Documents;
use super::edit::Writer;
use super::features::Features;
use super::keps::Keps;
use super::opened::OpenKep;
use super::settings::Settings;
use std::path::PathBuf;

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

    /// What was found in these KEPs, by file.
    pub fn findings<'a>(&self, keps: impl IntoIterator<Item = &'a OpenKep>) -> ByFile {
        let (writer, mut files) = (self.writer(), ByFile::new());
        keps.into_iter().for_each(|kep| writer.add(kep, &mut files));
        files
    }

    pub fn writer(&self) -> Writer<'_> {
        Writer { documents: &self.documents, features: self.features, look: self.settings.look() }
    }
}
