//! What differs from a base, as git says: which paths, and which lines, in hunks with three lines around what is changed.

use super::since::{Comparison, Head};
use crate::diagnostic::Failure;
use crate::kep::directory::is_below;
use crate::kep::layout::TREE;
use crate::repository::WITHOUT_TOC;
use crate::workspace::discover::BESIDE_KEPS;
use crate::workspace::git::nested::with_trees;
use crate::workspace::git::{Git, at_tab};
use crate::workspace::paths::{RealPath, path_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

const LINK: &[u8] = b"120000";

/// The question what differs from a commit, whatever the user has set. Without the refresh, a file that was saved without
/// a change differs. `-l` says how many files are compared to find those that were moved and changed.
fn question(settings: &str, options: &str, head: Head, base: &str) -> Vec<OsString> {
    const DIFF: &str = "-c diff.autoRefreshIndex=true -c diff.relative=false diff --no-ext-diff --no-textconv \
        --no-color --ignore-submodules=all --find-renames -l3000";
    let words = [settings, DIFF, options].into_iter().flat_map(str::split_ascii_whitespace);
    words.chain((head == Head::Index).then_some("--cached")).chain([base, "--"]).map(OsString::from).collect()
}

/// The paths that differ from a base, all from the repository's root on.
#[derive(Debug, Default)]
pub struct Changed {
    pub base: String,
    /// Those of files that were changed, added, deleted or moved, there and from there.
    pub touched: BTreeSet<PathBuf>,
    pub gone: BTreeSet<PathBuf>,
    /// Files that were moved: from where, and to where.
    pub moved: Vec<(PathBuf, PathBuf)>,
    pub links: BTreeSet<PathBuf>,
}

impl Changed {
    /// Asks git what differs from a base of the comparison; it does not know the `untracked` files yet.
    pub fn read(comparison: &Comparison, base: &str, untracked: &[PathBuf]) -> Result<Self, Failure> {
        let Comparison { git, head, .. } = comparison;
        let mut changed = Self { base: base.to_owned(), ..Self::default() };
        let mut items = git.items("compare with the base", question("", "--raw -z", *head, base))?.into_iter();
        // `:<mode before> <mode after> <object> <object> <status>`
        while let Some((modes, path)) = items.next().zip(items.next()) {
            let path = path_of(&path);
            let words: Vec<&[u8]> = modes.split(|byte| *byte == b' ').collect();
            let [before, after, _, _, status] = words.as_slice() else { break };
            changed.touched.insert(path.clone());
            if before.ends_with(LINK) || *after == LINK {
                changed.links.insert(path.clone());
            }
            match status.first() {
                Some(b'D') => drop(changed.gone.insert(path)),
                Some(b'R' | b'C') => {
                    let Some(new) = items.next().map(|new| path_of(&new)) else { break };
                    changed.touched.insert(new.clone());
                    if *after == LINK {
                        changed.links.insert(new.clone());
                    }
                    if status.first() == Some(&b'R') {
                        changed.gone.insert(path.clone());
                        changed.moved.push((path, new));
                    }
                }
                _ => {}
            }
        }
        for path in untracked {
            changed.gone.remove(path);
            if git.root().join(path).is_symlink() {
                changed.links.insert(path.clone());
            }
            changed.touched.insert(path.clone());
        }
        Ok(changed)
    }

    /// Whether the file or link at an absolute path was touched. What a link leads to has another path.
    pub fn has_touched(&self, root: &RealPath, path: &Path) -> bool {
        !self.touched.is_empty() && path.strip_prefix(root).is_ok_and(|way| self.touched.contains(way))
    }
}

/// Files that a comparison with the files on disk would not see: those in other repositories, and those that a sparse
/// checkout leaves out on purpose, which would look like deleted ones. All paths are from the repository's root on.
#[derive(Debug, Default)]
pub struct Listed {
    pub others: Vec<PathBuf>,
    pub untracked: Vec<PathBuf>,
    /// Files that are not on disk on purpose.
    left_out: Vec<PathBuf>,
}

impl Listed {
    pub fn read(git: &Git) -> Result<Self, Failure> {
        let mut listed = Self::default();
        let question = ["ls-files", "--stage", "--others", "--exclude-standard", "-v", "-z"];
        // `<tag> <mode> <object> <stage>\t<path>`, or `? <path>`
        for item in git.items("list the files of the repository", question)? {
            if let Some(path) = item.strip_prefix(b"? ") {
                listed.untracked.push(path_of(path));
                continue;
            }
            let Some((head, path)) = at_tab(&item) else { continue };
            if head.get(2..).is_some_and(|mode| mode.starts_with(b"160000 ")) {
                listed.others.push(path_of(path));
            } else if head.first().is_some_and(|tag| tag.eq_ignore_ascii_case(&b'S')) {
                listed.left_out.push(path_of(path));
            }
        }
        // Without a sparse checkout, it is the user who said that git does not have to look at such a file.
        let is_sparse = || git.line(["config", "--type=bool", "core.sparseCheckout"]).as_deref() == Some("true");
        if !listed.left_out.is_empty() && !is_sparse() {
            listed.left_out.clear();
        }
        Ok(listed)
    }

    /// Fails if a file that the run reads is left out: one in a tree of `checked`, which are absolute paths,
    /// one of those beside it, or one of `named`, which options and the configuration name.
    pub fn refuse_left_out(&self, root: &Path, checked: &[PathBuf], named: &[PathBuf]) -> Result<(), Failure> {
        let own = checked.iter().filter_map(|path| path.strip_prefix(root).ok()).map(Path::to_owned);
        let places: Vec<PathBuf> = with_trees(own).collect();
        let is_read = |path: &&PathBuf| {
            let is_without_toc = path.ends_with(WITHOUT_TOC);
            let is_named = |name: &str| path.file_name().is_some_and(|last| last == name);
            let is_list = is_without_toc || BESIDE_KEPS.into_iter().any(is_named);
            let around = path.ancestors().nth(if is_without_toc { 2 } else { 1 });
            let is_beside = |place: &PathBuf| around.is_some_and(|around| place.starts_with(around));
            let is_in = |place: &PathBuf| path.starts_with(place) && is_below(path, TREE);
            places.iter().any(|place| is_in(place) || (is_list && is_beside(place))) || named.contains(&root.join(path))
        };
        let Some(path) = self.left_out.iter().find(is_read) else { return Ok(()) };
        let reason = "this sparse checkout leaves it out";
        let failure = Failure::of("compare with git", path, reason);
        Err(failure.help("get it with `git sparse-checkout disable` or `git sparse-checkout add`, or use `--staged`"))
    }
}

/// What a forge does too, whatever the configuration of the user says.
const OPTIONS: &str = "-U3 --inter-hunk-context=0 --diff-algorithm=default --src-prefix=a/ --dst-prefix=b/";

/// A file that is larger than what is read of a KEP is as little shown as a picture.
const SETTINGS: &str = "-c core.bigFileThreshold=2m -c core.quotePath=false";

/// The diff of a file. Lines are counted from 1. It has none of a file that git calls binary.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FileDiff {
    /// The lines that each hunk shows of the file as it is now.
    pub hunks: Vec<Range<usize>>,
    pub added: Vec<usize>,
    /// Lines of the file as it was.
    pub removed: Vec<usize>,
}

/// Which lines differ in these files, by their paths as they are now, from the repository's root on.
pub fn lines(comparison: &Comparison, paths: Vec<PathBuf>) -> Result<BTreeMap<PathBuf, FileDiff>, Failure> {
    let Comparison { git, base, head, .. } = comparison;
    let mut arguments = question(SETTINGS, OPTIONS, *head, base);
    arguments.extend(paths.into_iter().map(PathBuf::into_os_string));
    Ok(parse(&git.output("compare with the base line by line", arguments)?))
}

/// Where a diff is in a hunk: the next lines, and how many are left.
#[derive(Default)]
struct Hunk {
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
}

fn parse(text: &[u8]) -> BTreeMap<PathBuf, FileDiff> {
    let mut files: BTreeMap<PathBuf, FileDiff> = BTreeMap::new();
    let mut path = None;
    let mut file = FileDiff::default();
    let mut hunk = Hunk::default();
    for line in text.split(|byte| *byte == b'\n') {
        if hunk.old_left + hunk.new_left > 0 {
            hunk.take(line.first().copied(), &mut file);
        } else if line.starts_with(b"diff --git ") {
            if let Some(path) = path.take() {
                files.insert(path, std::mem::take(&mut file));
            }
            file = FileDiff::default();
        } else if let Some(name) = line.strip_prefix(b"+++ b/") {
            // Git ends a name with spaces by a tab, and quotes one with characters that no KEP needs.
            path = Some(path_of(name.strip_suffix(b"\t").unwrap_or(name)));
        } else if let Some(names) = line.strip_prefix(b"Binary files ").and_then(|it| it.strip_suffix(b" differ")) {
            const SECOND: &[u8] = b" and b/";
            let at = names.windows(SECOND.len()).rposition(|words| words == SECOND);
            path = at.and_then(|at| names.get(at + SECOND.len()..)).map(path_of);
        } else if let Some(opened) = Hunk::open(line) {
            hunk = opened;
            if hunk.new_left > 0 {
                file.hunks.push(hunk.new..hunk.new + hunk.new_left);
            }
        }
    }
    files.extend(path.map(|path| (path, file)));
    files
}

impl Hunk {
    /// Reads `@@ -<line>,<count> +<line>,<count> @@`. A count of 1 may be left out.
    fn open(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line.strip_prefix(b"@@ ")?).into_owned();
        let mut words = line.split(' ');
        let mut side = |mark: char| {
            let word = words.next()?.strip_prefix(mark)?;
            let (first, count) = word.split_once(',').unwrap_or((word, "1"));
            Some((first.parse().ok()?, count.parse().ok()?))
        };
        let ((old, old_left), (new, new_left)) = (side('-')?, side('+')?);
        Some(Self { old, new, old_left, new_left })
    }

    /// Takes a line of the hunk, by the sign that it begins with.
    fn take(&mut self, sign: Option<u8>, file: &mut FileDiff) {
        match sign {
            // `\ No newline at end of file`
            Some(b'\\') => return,
            Some(b'+') => file.added.push(self.new),
            Some(b'-') => file.removed.push(self.old),
            _ => {}
        }
        if sign != Some(b'+') {
            self.old += 1;
            self.old_left = self.old_left.saturating_sub(1);
        }
        if sign != Some(b'-') {
            self.new += 1;
            self.new_left = self.new_left.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn lines_are_counted_on_both_sides() {
        let text =
            b"diff --git a/x y.md b/x y.md\n--- a/x y.md\t\n+++ b/x y.md\t\n@@ -3,4 +3,4 @@ head\n a\n-b\n-+++ b/z\n\
            +@@ -1 +1 @@\n+diff --git a/q b/q\n c\n@@ -20 +20,2 @@\n-d\n+d\n+e\n\\ No newline at end of file\n\
            diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\ndiff --git a/p.png b/p.png\n\
            Binary files a/p.png and b/p.png differ\n";
        let files = parse(text);
        let wanted = FileDiff { hunks: vec![3..7, 20..22], added: vec![4, 5, 20, 21], removed: vec![4, 5, 20] };
        assert_eq!(files.get(Path::new("x y.md")), Some(&wanted));
        assert_eq!(files.get(Path::new("p.png")), Some(&FileDiff::default()));
        assert_eq!(files.len(), 2);
    }
}
