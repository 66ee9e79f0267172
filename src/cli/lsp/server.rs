//! What the server knows, from which it answers.

use super::client::Client;
use super::diagnostics::{ByFile, Style};
use super::documents::Documents;
use super::keps::Keps;
use super::settings::Settings;
use crate::editor::position::Encoding;
use std::path::PathBuf;

/// What the server knows.
pub struct Server {
    /// The editor.
    pub client: Client,
    /// What is open in it.
    pub documents: Documents,
    /// The KEPs of that.
    pub keps: Keps,
    /// How KEPs are checked.
    pub settings: Settings,
    /// How places are counted.
    pub encoding: Encoding,
    /// Whether the editor asks for findings, and cannot be told them.
    pub is_asked: bool,
    /// The folders that are open in the editor.
    pub folders: Vec<PathBuf>,
}

impl Server {
    /// One that knows nothing yet.
    pub fn new(client: Client, settings: Settings) -> Self {
        let keps = Keps::new(settings.arguments());
        let (documents, encoding) = (Documents::default(), Encoding::default());
        Self { client, documents, keps, settings, encoding, is_asked: false, folders: Vec::new() }
    }

    /// All findings, of the texts as they are now.
    pub fn findings(&mut self) -> ByFile {
        while self.keps.check_next() {}
        self.known_findings()
    }

    /// All findings of the last checks.
    pub fn known_findings(&self) -> ByFile {
        let look = self.settings.look();
        let style = Style { documents: &self.documents, encoding: self.encoding, look: &look };
        let mut files = ByFile::new();
        self.keps.iter().for_each(|kep| style.add(kep, &mut files));
        files
    }
}
