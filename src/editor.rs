//! What editors ask about a KEP: where a finding is in their units, what is at a place, what can be done about a finding,
//! what can be written at a place. Pure: a language server or a page only translates the answers.

mod about;
pub mod actions;
pub mod completion;
pub mod definition;
pub mod edits;
pub mod harmless;
pub mod hover;
pub mod keps;
pub mod lens;
pub mod naming;
pub mod page;
pub mod position;
pub mod promote;
#[cfg(test)]
mod sample;
pub mod view;
