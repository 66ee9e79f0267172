//! How much of what is found is listed, which a run and those who start one have to agree on.

/// How many findings of one rule in one file are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// A limited number; the others are only counted.
    #[default]
    Short,
    /// All, so that all can be fixed, and without fingerprints; [`run`](super::run) shortens the list at the end.
    Whole,
}
