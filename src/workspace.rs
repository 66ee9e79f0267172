//! Where files come from, and which KEPs they are: what the command line, an editor and a page in a browser all need
//! before anything is checked. Without the feature `cli` there is neither disk nor git: files are in memory.

pub mod among;
#[cfg(feature = "cli")]
pub mod change;
pub mod config_file;
pub mod directory;
pub mod discover;
#[cfg(feature = "cli")]
pub mod edge;
pub mod facts;
pub mod failure;
pub mod files;
pub mod filtered;
#[cfg(feature = "cli")]
pub mod git;
pub mod kep_files;
pub mod meant;
pub mod paths;
pub mod pool;
pub mod project;
#[cfg(feature = "cli")]
pub mod tip;
pub mod trees;
pub mod walk;
pub mod walked;
