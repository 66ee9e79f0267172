//! How much is read. Each bound is far above what real KEPs need, and far below what would keep a run from ending. If
//! a limit is reached, a failure names the file, and everything else is still checked.

/// The largest file, in bytes. The largest README of kubernetes/enhancements has 170,279.
pub const FILE_BYTES: u64 = 2 << 20;

/// The largest list of aliases or groups, in bytes. Those of kubernetes/enhancements have less than 20,000.
pub const LIST_BYTES: u64 = 256 << 10;

/// How much text is read of one KEP, in bytes.
pub const KEP_BYTES: u64 = 16 << 20;

/// How many Markdown files are read of one KEP.
pub const KEP_FILES: usize = 1_000;

/// How many files and directories are listed below one path.
pub const WALK_ENTRIES: usize = 250_000;

/// How many files a commit may have.
pub const REVISION_FILES: usize = 1_000_000;

/// How much text is read of all PRR files of a tree, in bytes.
pub const REVIEW_BYTES: u64 = 64 << 20;

/// How much stack each thread has, in bytes. All recursion is limited to a depth that needs a small part of this.
pub const STACK_BYTES: usize = 8 << 20;

/// How many KEPs are fixed before their files are written: until then, all of their texts and findings are in memory.
pub const FIXED_KEPS: usize = 16;

/// How many failures are printed; the others are counted.
pub const FAILURES: usize = 100;

/// `bytes` in words, in the largest unit that divides them.
pub fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        _ if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}
