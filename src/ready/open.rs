//! The open pull requests, as a KEP is asked about them.

/// The files of a KEP that the Release Team asks to be settled.
pub const KEP_FILES: [&str; 2] = ["README.md", "kep.yaml"];

/// What is known of open pull requests.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    pub pulls: &'a [OpenPull<'a>],
    /// The one of the list that the KEP is judged in, which is no other one.
    pub own: Option<u64>,
    /// The numbers of those of which not all files are known, so that they may change it.
    pub unclear: &'a [u64],
    pub count: usize,
    pub is_cut: bool,
}

/// An open pull request that changes the KEP.
#[derive(Clone, Copy, Debug)]
pub struct OpenPull<'a> {
    pub number: u64,
    /// The login of its author, without @.
    pub author: Option<&'a str>,
    /// Whether its author calls it a draft.
    pub is_draft: bool,
    /// Which files of the KEP it changes, by their names.
    pub files: &'a [String],
}

impl OpenPull<'_> {
    pub fn kep_files(&self) -> impl Iterator<Item = &'static str> {
        KEP_FILES.into_iter().filter(|name| self.files.iter().any(|file| file == name))
    }
}
