//! What editors ask about a KEP: where a finding is in their units, what is at a place, what can be done about a finding,
//! what can be written at a place. Pure: a language server or a page only translates the answers.

pub mod about;
pub mod anchors;
pub mod definition;
pub mod examples;
pub mod folding;
pub mod harmless;
pub mod hover;
pub mod keps;
pub mod links;
pub mod outline;
pub mod position;
pub mod references;
#[cfg(test)]
mod sample;
pub mod state;
pub mod thing;
pub mod tree;
pub mod view;
