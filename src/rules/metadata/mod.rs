//! Category "metadata": kep.yaml, and the files a KEP is made of.

pub mod invalid_stage;
pub mod invalid_status;
pub mod invalid_yaml;
pub mod missing_kep_yaml;
pub mod missing_readme;
pub mod not_utf8;
pub mod stale_kep;
