//! The history of the PRR files of a question. It is read once, and only if a KEP needs it; other KEPs are judged meanwhile.
use super::judged::Judged;
use crate::diagnostic::Failure;
use crate::kep::filter::Handle;
use crate::kep::review::Review;
use crate::kep::{Kep, number};
use crate::ready::past::{Approval, Approved};
use crate::span::FileId;
use crate::stage::Stage;
use crate::workspace::directory::KepDirectory;
use crate::workspace::git::approvals::Approvals;
use crate::workspace::git::{Git, root_around};
use crate::workspace::paths::RealPath;
use std::path::Path;
use std::sync::OnceLock;

pub struct Past<'a> {
    judged: Option<&'a Judged>,
    read: OnceLock<Result<(RealPath, Approvals), Failure>>,
}

impl<'a> Past<'a> {
    /// That of a commit, or of the commit that the files on disk are based on.
    pub fn new(judged: Option<&'a Judged>) -> Self {
        Self { judged, read: OnceLock::new() }
    }

    /// Reads the history for the tree of KEPs at `tree`; all KEPs of a question are in one repository.
    fn read(&self, tree: &RealPath) -> Result<(RealPath, Approvals), Failure> {
        let (git, start) = match self.judged {
            Some(judged) => (judged.git.clone(), judged.merged()),
            None if root_around(tree).is_none() => return Err(Failure::new("this is no clone of git")),
            None => (Git::of_file(tree)?, "HEAD"),
        };
        let root = git.root().clone();
        let way = root.way_to(tree).ok_or_else(|| Failure::new("it is in another repository"))?;
        let approvals = Approvals::read(&git, start, way)?;
        Ok((root, approvals))
    }

    /// The last approval of the KEP in `directory`, for this stage or one before it.
    pub fn last(&self, directory: &KepDirectory, kep: &Kep, stage: Stage) -> Result<Option<Approved>, Failure> {
        let (tree, way) = directory.tree().ok_or_else(|| Failure::new("it is in no directory `keps`"))?;
        let known = self.read.get_or_init(|| self.read(tree));
        let (root, approvals) = known.as_ref().map_err(Clone::clone)?;
        let Some(review) = &kep.review else { return Ok(None) };
        let path = Path::new(&kep.texts.file(review.file).path);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let tree = root.way_to(tree).ok_or_else(|| Failure::new("it is in another repository"))?;
        let readme = directory.files.readme.as_deref().and_then(Path::file_name).unwrap_or("README.md".as_ref());
        let readme = tree.join(way).join(readme);
        let named = Stage::ALL.into_iter().filter(|earlier| *earlier <= stage && review.is_approved(*earlier));
        let number = number::without_zeros(&name);
        // Somebody else may have approved it before the one who is asked now.
        let merged = approvals.newest(number)?.map(|text| Review::parse(FileId(0), &text));
        for approved in named.rev() {
            let approvers = [approver(review, approved), merged.as_ref().and_then(|merged| approver(merged, approved))];
            for approver in approvers.into_iter().flatten() {
                let is_named = |text: &str| {
                    let earlier = self::approver(&Review::parse(FileId(0), text), approved);
                    earlier.as_ref() == Some(&approver)
                };
                let Some(commit) = approvals.named(number, is_named)? else { continue };
                let readme = approvals.readme(&commit, &readme)?;
                let approver = approver.name().to_owned();
                let approval =
                    Approval { stage: approved, approver, day: commit.commit.day, commit: commit.commit.name.clone() };
                return Ok(Some(Approved { approval, readme }));
            }
        }
        Ok(None)
    }
}

fn approver(review: &Review, stage: Stage) -> Option<Handle> {
    Handle::of(&review.approval(stage)?.approver.as_ref()?.text)
}
