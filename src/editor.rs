//! What editors ask about a KEP: where a finding is in their units, what is at a place, what can be done about a finding,
//! what can be written at a place. Pure: a language server or a page only translates the answers.

pub mod actions;
pub mod completion;
pub mod edits;
pub mod format;
pub mod hover;
pub mod lens;
pub mod position;
pub mod rename;
#[cfg(test)]
mod sample;
pub mod view;
