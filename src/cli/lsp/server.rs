//! What the server knows, from which it answers.

use super::client::Client;
use super::documents::Documents;
use super::features::Features;
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
    /// What the editor can do.
    pub features: Features,
    /// The folders that are open in the editor.
    pub folders: Vec<PathBuf>,
}

impl Server {
    /// One that knows nothing yet.
    pub fn new(client: Client, settings: Settings) -> Self {
        let keps = Keps::new(settings.arguments());
        Self {
            client,
            documents: Documents::default(),
            keps,
            settings,
            encoding: Encoding::default(),
            features: Features::default(),
            folders: Vec::new(),
        }
    }
}
