//! The limits of this crate: how much is read, kept, compared and printed. Each is far above what real KEPs
//! need, and far below what would keep a run from ending, or its result from being read.
//!
//! How many words make an answer or a label, and how many lines of it are shown, is no limit, but a part of
//! what decides it.

// What is read. If one of these limits is reached, a failure names the file, and everything else is still checked.

/// The largest file, in bytes. The largest README of kubernetes/enhancements has 170,279.
pub const FILE_BYTES: u64 = 2 << 20;

/// The largest list of aliases, groups or feature gates, and the largest PRR file, in bytes: `sigs.yaml` of
/// kubernetes/community has 130,000, and the gates of Kubernetes 60,000.
pub const LIST_BYTES: u64 = 1 << 20;

/// The largest file that another program or another run wrote, in bytes: a list of 500 pull requests with 100 files each has
/// about 6,000,000, and the board of all KEPs of kubernetes/enhancements 7,000,000.
pub const EXPORT_BYTES: u64 = 32 << 20;

/// The largest configuration file, in bytes: it is written by hand.
pub const CONFIG_BYTES: u64 = 64 << 10;

/// How many forms of lines a configuration may have for the releases of a stage: each line of a document is compared with all.
pub const TARGET_FORMS: usize = 20;

/// The largest message of an editor that is taken, in bytes: a document of [`FILE_BYTES`] has at most six times as many in
/// JSON.
pub const EDITOR_MESSAGE_BYTES: u64 = 64 << 20;

/// The longest line before a message of an editor, in bytes: a name and a number.
pub const HEADER_BYTES: u64 = 4 << 10;

/// How many messages of an editor, and for it, wait at most: then the other one waits.
pub const WAITING_MESSAGES: usize = 1_000;

/// How much text is read of one KEP, in bytes.
pub const KEP_BYTES: u64 = 16 << 20;

/// How many Markdown files are read of one KEP.
pub const KEP_FILES: usize = 1_000;

/// How many files and directories are listed below one path.
pub const WALK_ENTRIES: usize = 250_000;

/// The largest file of facts of a repository, in bytes: that of kubernetes/enhancements has 370,000.
pub const FACTS_BYTES: u64 = 16 << 20;

/// How many files of a change are compared line by line, for what its first lines say: git is told each
/// of them.
pub const COMPARED_FILES: usize = 400;

/// How many files a commit may have.
pub const REVISION_FILES: usize = 1_000_000;

/// How much text is read of all PRR files of a tree, in bytes.
pub const REVIEW_BYTES: u64 = 64 << 20;

/// How many links are followed from one path. Linux follows as many.
pub const FOLLOWED_LINKS: usize = 40;

/// The longest path in a link of a commit, in a file of git's and in facts, in bytes. Linux has none that is
/// longer than half of it.
pub const PATH_BYTES: u64 = 8 << 10;

/// How many bases a change is compared with: merges of branches into each other make more, and each costs as much as a run.
pub const BASES: usize = 16;

/// How many headings a template may have: the time of a check grows with it and with the headings of the KEP. That of
/// Kubernetes has 57.
pub const TEMPLATE_HEADINGS: usize = 500;

// What is kept in memory.

/// How much stack each thread has, in bytes. All recursion is limited to a depth that needs a small part of this.
pub const STACK_BYTES: usize = 8 << 20;

/// How many findings of one rule are collected in one KEP: fixes are made from these, and fewer are listed.
pub const COLLECTED_FINDINGS_OF_RULE: usize = 50_000;

// YAML.

/// How many levels deep YAML may be nested, so that code that walks a tree can recurse; dropping a tree does.
pub const YAML_DEPTH: usize = 100;

/// How many aliases of a text are followed: code that does reads their targets again, in which may be others.
pub const YAML_ALIASES: usize = 10;

/// How many line breaks within quotes are tried to read a broken text; for each one, the whole text is read again.
pub const JOINED_LINES: usize = 8;

// Markdown.

/// How much is read of a long line, heading, link or word, in bytes: nested brackets and tables of contents
/// cost its square, and a long line may have many findings. Those of kubernetes/enhancements have less than 600.
pub const LINE_BYTES: usize = 1_000;

/// The longest reference in brackets that is recorded, in bytes. Nested brackets make references of any length.
pub const REFERENCE_BYTES: usize = 200;

/// How much of a list item or of text in bold is compared with a question, in characters or bytes. The longest question
/// has 130.
pub const QUESTION_LENGTH: usize = 400;

/// How many rules the ignores of one file name: each is compared with each finding.
pub const IGNORED_NAMES: usize = 1_000;

// Names that are compared letter by letter, which is slow. Real files have fewer typos.

/// The longest name that gets a suggestion, in characters: the time and memory of a comparison grow with the product of
/// the lengths.
pub const NAME_CHARACTERS: usize = 250;

/// How many hidden headings of a document are looked for in its links.
pub const LINKED_HEADINGS: usize = 500;

/// How many gates, metrics and PRR approvers are looked for in a text, or compared with an unknown name, and
/// how many unknown names of a kind get a suggestion in a file or KEP.
pub const COMPARED_NAMES: usize = 50;

/// How many pairs of letters are compared for the anchors that are suggested in one document; with more, none are.
pub const COMPARED_LETTERS: usize = 8_000_000;

// Fixes.

/// How many rounds of fixes may follow each other that do not reduce the number of findings.
pub const STALLED_ROUNDS: usize = 10;

/// How many rounds of fixes there are in all. Findings that are left after them can be fixed in another run.
pub const ROUNDS: usize = 40;

/// How many errors are searched for in the text before the fixes. Further errors count as old, which limits the cost.
pub const LOOKUPS: usize = 100;

/// How many lines of a changed part of a file are compared one by one, because the time grows with the number of pairs of
/// lines. A longer part is shown as removed and added as a whole.
pub const COMPARED_LINES: usize = 10_000;

/// The same for a fix below its finding, of which a report has many.
pub const DRAWN_LINES: usize = 1_000;

// Findings: what more nobody reads, and what would make a report as large as the product of two lists.

/// How many findings of one rule in one file are listed; the others are only counted.
pub const FINDINGS_OF_RULE: usize = 100;

/// How many findings of one KEP are listed; the others are only counted, rule by rule.
pub const FINDINGS_OF_KEP: usize = 2_000;

/// How many findings of a run are listed; the others are only counted. Each takes about 2 kB, and all together with their
/// texts about 200 MB. The whole of kubernetes/enhancements has about 2,000.
pub const FINDINGS_OF_RUN: usize = 50_000;

/// The longest message, in bytes. One quoted text is shorter; this limits messages that contain several.
pub const MESSAGE_BYTES: usize = 800;

/// The longest help, in bytes: a help may contain lines to add.
pub const HELP_BYTES: usize = 4_000;

/// How many characters of a file a message quotes.
pub const QUOTED_CHARACTERS: usize = 120;

/// How many characters of a path are printed. The end of a path is kept, because it tells more than the beginning.
pub const PATH_CHARACTERS: usize = 300;

/// How many other places of its file a finding lists.
pub const RELATED_PLACES: usize = 20;

/// How many failures are printed; the others are counted.
pub const FAILURES: usize = 100;

/// How many names, files, headings, metrics or failures a sentence or list has; the others are counted.
pub const LISTED_NAMES: usize = 20;

/// The longest text of a file that an editor shows in a small window, in bytes. The longest guidance of the template has
/// 3,000.
pub const HOVER_BYTES: usize = 8_000;

/// How many characters a report in Markdown has, so that there is room for what a bot adds to it: GitHub takes 65,536. It
/// counts characters (code points), neither bytes nor the units of UTF-16.
pub const COMMENT_CHARACTERS: usize = 60_000;

/// The longest diff of a file in which lines get comments, in lines: GitHub shows at most 20,000, and
/// refuses a whole review because of a line that it does not show.
pub const REVIEWED_LINES: usize = 3_000;

// What other programs take.

/// The longest handle that GitHub allows, in bytes.
pub const HANDLE_BYTES: usize = 39;

/// The largest summary of a step, in bytes; GitHub drops all of a larger one.
pub const SUMMARY_BYTES: u64 = 1 << 20;

/// How many results GitHub takes of one run; it shows the first 5,000 of them.
pub const SARIF_RESULTS: usize = 25_000;

/// `bytes` in words, with one decimal where they are no whole units. It is rounded up: what is a byte larger than a limit
/// must not look as if it were as large.
pub fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0x10_0000.. => (1 << 20, "MiB"),
        0x400.. => (1 << 10, "KiB"),
        _ => return format!("{bytes} bytes"),
    };
    let tenths = bytes.saturating_mul(10).div_ceil(unit);
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {name}"),
        (whole, rest) => format!("{whole}.{rest} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_decimal() {
        let sizes = [0, 1023, 1024, 1025, 256 << 10, 2 << 20, (2 << 20) + 1, 3_000_000].map(size);
        let words = ["0 bytes", "1023 bytes", "1 KiB", "1.1 KiB", "256 KiB", "2 MiB", "2.1 MiB", "2.9 MiB"];
        assert_eq!(sizes, words);
    }
}
