//! Where files come from, and which KEPs they are: what the command line, an editor and a page in a browser all need
//! before anything is checked.

pub mod bounds;
mod briefs;
pub mod change;
pub mod config_file;
pub mod development;
pub mod directory;
pub mod discover;
pub mod edge;
pub mod failure;
pub mod files;
pub mod filtered;
pub mod git;
pub mod kep_files;
mod listing;
pub mod lookup;
pub mod meant;
mod mentions;
pub mod paths;
pub mod trees;
pub mod unsaved;
pub mod walk;
pub mod walked;
