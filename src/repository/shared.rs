//! The files of a repository that are not part of one KEP, as far as something may be wrong with them.

use super::Repository;
use super::misplaced::Misplaced;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::yaml::plain::Problem;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct SharedFile<'a> {
    pub source: Arc<SourceFile>,
    pub kind: SharedKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum SharedKind<'a> {
    Aliases(&'a Problem),
    /// A PRR file with this number, without leading zeros.
    Review(&'a str),
    /// A file, without its text, in a place where no KEP is looked for.
    Misplaced(&'a Misplaced),
}

impl SharedFile<'_> {
    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(FileId(0), range)
    }
}

impl Repository {
    /// The files that are not part of one KEP, in the order of their paths.
    pub fn shared_files(&self) -> Vec<SharedFile<'_>> {
        let aliases = self.aliases_problem.iter();
        let aliases =
            aliases.map(|(file, problem)| SharedFile { source: Arc::clone(file), kind: SharedKind::Aliases(problem) });
        let misplaced = self.misplaced.iter().map(|misplaced| {
            let source = Arc::new(SourceFile::decode(self.as_given(&misplaced.file), Vec::new()));
            SharedFile { source, kind: SharedKind::Misplaced(misplaced) }
        });
        let reviews = self.reviews.iter().flatten().flat_map(|(number, reviews)| {
            let kind = SharedKind::Review(number);
            reviews.iter().map(move |review| SharedFile { source: Arc::clone(&review.file), kind })
        });
        let mut files: Vec<SharedFile<'_>> = aliases.chain(misplaced).chain(reviews).collect();
        files.sort_by(|one, other| one.source.path.cmp(&other.source.path));
        files
    }
}
