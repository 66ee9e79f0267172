//! The contents of the files of a tree in git.

use super::objects::Content;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
use crate::workspace::failure::too_large;
use crate::workspace::git::Git;
use crate::workspace::paths::shown;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What the files of a tree are read from.
#[derive(Debug)]
pub struct Contents {
    git: Git,
    /// Why something could not be read although it should be there.
    failure: Mutex<Option<Failure>>,
}

impl Contents {
    pub fn new(git: &Git) -> Self {
        Self { git: git.clone(), failure: Mutex::default() }
    }

    /// Reads an object of at most `most` bytes, which is the file at `path`.
    pub fn read(&self, object: &str, path: &Path, most: u64) -> Result<SourceFile, Failure> {
        let failure = match self.git.objects().map(|objects| objects.read(object, most)) {
            Ok(Ok(Content::File(bytes))) => return Ok(SourceFile::decode(shown(path), bytes)),
            Ok(Ok(Content::TooLarge(size))) => return Err(too_large(path, size, most)),
            Ok(Ok(Content::Missing)) => {
                let failure = Failure::of("read", path, &format!("this clone does not have object {object}"));
                failure.help(format!("get it with `{}`", self.git.refetch()))
            }
            Ok(Err(_)) => Failure::of("read", path, "`git cat-file --batch` has ended"),
            Err(failure) => failure,
        };
        Err(self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure).clone())
    }

    /// Why something could not be read although git should have it, if that happened.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
