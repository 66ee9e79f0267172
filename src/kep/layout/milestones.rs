//! What a document says of releases.

use super::Layout;
use super::targets::Target;
use crate::markdown::Document;

impl Layout {
    /// What the lines of a document say of releases, in their order. What is struck out, or in code, says
    /// nothing.
    pub fn targets(&self, document: &Document) -> Vec<Target> {
        let Some(own) = self.own().filter(|own| !own.targets.is_empty()) else { return Vec::new() };
        let mut targets = Vec::new();
        for (range, line) in document.visible(0..document.text().len()) {
            let is_struck_out = line.contains("~~") || line.trim_start_matches(['-', '*', ' ']).starts_with('~');
            if is_struck_out || document.is_in_block(&range) {
                continue;
            }
            let Some((word, Some(release))) = own.targets.iter().find_map(|target| target.read(&line)) else {
                continue;
            };
            let stage = word.and_then(|word| own.stage(word));
            if word.is_none() || stage.is_some() {
                targets.push(Target { stage, release });
            }
        }
        targets
    }
}
