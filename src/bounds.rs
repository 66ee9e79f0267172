//! The limits of this crate: how much is read, kept, compared and printed, and how long it waits. Each is far above what
//! real KEPs need, and far below what would keep a run from ending, or its result from being read.
//!
//! How many words make an answer or a label is no limit, but a part of the rule that decides it.

// What is read. If one of these limits is reached, a failure names the file, and everything else is still checked.

/// The largest file, in bytes. The largest README of kubernetes/enhancements has 170,279.
pub const FILE_BYTES: u64 = 2 << 20;

/// The largest list of aliases or groups, in bytes. Those of kubernetes/enhancements have less than 20,000, and
/// `sigs.yaml` of kubernetes/community half as many as this.
pub const LIST_BYTES: u64 = 256 << 10;

/// The largest list of feature gates that a repository has of its own, in bytes: that of Kubernetes has 60,000.
pub const GATE_LIST_BYTES: u64 = 1 << 20;

/// The largest file that another program or another run wrote, in bytes: a list of 500 pull requests with 100 files each has
/// about 6,000,000, and the board of all KEPs of kubernetes/enhancements 7,000,000.
pub const EXPORT_BYTES: u64 = 32 << 20;

/// The largest file of code that feature gates are read from, in bytes: that of Kubernetes has 130,000.
pub const CODE_BYTES: u64 = 4 << 20;

/// How much of what is wrong in a list of feature gates is reported.
pub const GATE_LIST_PROBLEMS: usize = 10;

/// The largest configuration file, in bytes: it is written by hand.
pub const CONFIG_BYTES: u64 = 64 << 10;

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

/// How many directories with Markdown files in a KEP are looked into.
pub const KEP_DIRECTORIES: usize = 1_000;

/// How many files and directories are listed below one path.
pub const WALK_ENTRIES: usize = 250_000;

/// The largest file of facts of a repository, in bytes: that of kubernetes/enhancements has 290,000.
pub const FACTS_BYTES: u64 = 16 << 20;

/// How much room the paths of a file of facts take when they are written out, in bytes: those of kubernetes/enhancements
/// have 130,000.
pub const FACT_PATH_BYTES: usize = 32 << 20;

/// The longest path in a file of facts, in bytes. Linux has no longer ones.
pub const FACT_PATH: usize = 4 << 10;

/// How many files a commit may have.
pub const REVISION_FILES: usize = 1_000_000;

/// How much text is read of all PRR files of a tree, in bytes.
pub const REVIEW_BYTES: u64 = 64 << 20;

/// How many links are followed from one path. Linux follows as many.
pub const FOLLOWED_LINKS: usize = 40;

/// The longest target of a link in a commit, in bytes. Linux has no longer paths.
pub const LINK_TARGET_BYTES: u64 = 4 << 10;

/// How many bytes are read of a file of git's that has one path in it, such as a `.git` that is no directory, or a few names of
/// commits.
pub const GIT_PATH_BYTES: u64 = 8 << 10;

/// How many bases a change is compared with: merges of branches into each other make more, and each costs as much as a run.
pub const BASES: usize = 16;

/// How many headings a template may have: the time of a check grows with it and with the headings of the KEP. That of
/// Kubernetes has 57.
pub const TEMPLATE_HEADINGS: usize = 500;

// What is kept in memory.

/// How much stack each thread has, in bytes. All recursion is limited to a depth that needs a small part of this.
pub const STACK_BYTES: usize = 8 << 20;

/// How many KEPs are checked before it is decided which of their findings are kept.
pub const CHECKED_KEPS: usize = 100;

/// How many KEPs are fixed before their files are written: until then, all of their texts and findings are in memory.
pub const FIXED_KEPS: usize = 16;

/// How many findings of one rule are collected in one KEP: fixes are made from these, and fewer are listed.
pub const COLLECTED_FINDINGS_OF_RULE: usize = 50_000;

/// How many bytes of a word are hashed to tell one finding from another: a rule may report one long text many times.
pub const SUBJECT_BYTES: usize = 1_000;

// YAML.

/// How many levels deep YAML may be nested, so that code that walks a tree can recurse; dropping a tree does.
pub const YAML_DEPTH: usize = 100;

/// How many aliases of a text are followed: code that does reads their targets again, in which may be others.
pub const YAML_ALIASES: usize = 10;

/// How many line breaks within quotes are tried to read a broken text; for each one, the whole text is read again.
pub const JOINED_LINES: usize = 8;

/// The longest line of YAML that a help shows, in characters; for a longer line it only says what to do.
pub const PROPOSAL_CHARACTERS: usize = 160;

// Markdown.

/// How many bytes on either side of an offset are searched for a line near it: a long line may have many findings.
pub const NEAR_BYTES: usize = 1_000;

/// The longest reference in brackets that is recorded, in bytes. Nested brackets make references of any length.
pub const REFERENCE_BYTES: usize = 200;

/// How far the word around an HTML tag is read, in bytes before and after the tag. Many tags may be in one word.
pub const TAGGED_BYTES: usize = 100;

/// The longest line of a table of contents, in bytes, and the longest heading that is read for one: the cost of reading
/// it grows with its square. Those of kubernetes/enhancements have less than 600.
pub const TOC_LINE_BYTES: usize = 1_000;

/// How much of a list item or of text in bold is compared with a question, in characters or bytes. The longest question
/// has 130.
pub const QUESTION_LENGTH: usize = 400;

/// How many words of an unresolved marker are read: one that is not closed may be as long as its line.
pub const MARKER_WORDS: usize = 20;

/// How many lines and links of a text are read to see how it begins: it may be a chapter.
pub const BEGINNING: usize = 8;

/// The longest link or test tag that is looked at, in bytes. Nested brackets and images make links of any length.
pub const LINK_BYTES: usize = 1_000;

/// How many links around a broken one are compared with it; those that may be nested are next to it.
pub const NESTED_LINKS: usize = 8;

/// How many rules the ignores of one file name: each is compared with each finding.
pub const IGNORED_NAMES: usize = 1_000;

// Names that are compared letter by letter, which is slow. Real files have fewer typos.

/// The longest name that gets a suggestion, in characters: the time and memory of a comparison grow with the product of
/// the lengths.
pub const NAME_CHARACTERS: usize = 250;

/// How many unknown names of a kind get a suggestion in a file or KEP.
pub const SUGGESTED_NAMES: usize = 100;

/// How many gates, metrics and PRR approvers are looked for in a text, or compared with an unknown name.
pub const COMPARED_NAMES: usize = 50;

/// How far the sentence around a name is looked for, in bytes in each direction.
pub const SENTENCE_BYTES: usize = 400;

/// How far after the words about a stage a comment names its gate, in bytes.
pub const GATE_AFTER_BYTES: usize = 160;

/// How many pairs of letters are compared for the anchors that are suggested in one document.
pub const COMPARED_LETTERS: usize = 2_000_000;

/// How many READMEs that are gone are compared line by line with one that git does not know, to find out what it was.
pub const COMPARED_READMES: usize = 50;

/// How many headings of an older template are compared with a new one, to find out what it was: those nearest to its
/// place.
pub const COMPARED_HEADINGS: usize = 16;

// Fixes.

/// How many rounds of fixes may follow each other that do not reduce the number of findings.
pub const STALLED_ROUNDS: usize = 10;

/// How many rounds of fixes there are in all. Findings that are left after them can be fixed in another run.
pub const ROUNDS: usize = 40;

/// How many errors are searched for in the text before the fixes. Further errors count as old, which limits the cost.
pub const LOOKUPS: usize = 100;

/// How many fixes of one rule are tested one by one to find the culprit. If there are more, all are reverted.
pub const SUSPECTS: usize = 16;

/// How many lines of a KEP are tested one by one if not all of them have the effect that they should have.
pub const TESTED_LINES: usize = 50;

/// How many words are named that a reverted fix would have deleted.
pub const LOST_WORDS: usize = 8;

/// How many lines of a changed part of a file are compared one by one, because the time grows with the number of pairs of
/// lines. A longer part is shown as removed and added as a whole.
pub const COMPARED_LINES: usize = 10_000;

// How long other programs may take.

/// How long files may go on changing before KEPs are checked nevertheless, in milliseconds.
pub const CHANGING_MILLISECONDS: u64 = 2_000;

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

/// The longest link that a help quotes in full, in bytes: it is what to write.
pub const QUOTED_LINK_BYTES: usize = 250;

/// How many characters of a path are printed. The end of a path is kept, because it tells more than the beginning.
pub const PATH_CHARACTERS: usize = 300;

/// How many other places of its file a finding lists.
pub const RELATED_PLACES: usize = 20;

/// How many failures are printed; the others are counted.
pub const FAILURES: usize = 100;

/// How many names, files, headings, metrics or failures a sentence or list has; the others are counted.
pub const LISTED_NAMES: usize = 20;

/// How many gates a help adds to kep.yaml.
pub const ADDED_GATES: usize = 10;

/// The longest list of the gates in kep.yaml that a message shows, in characters.
pub const GATE_LIST_CHARACTERS: usize = 200;

pub const TECH_LEADS: usize = 10;

/// How many names are listed of each setting that makes a run less strict; the others are counted.
pub const RELAXED_NAMES: usize = 5;

/// How many names a help offers for an unknown one of `explain`; the others are counted.
pub const OFFERED_NAMES: usize = 3;

// New KEPs, examples and checklists.

/// How many titles of sections are named that a promotion could not insert, for each reason; the others are counted.
pub const LEFT_OUT_TITLES: usize = 6;

/// How many answers of other KEPs are shown at most.
pub const ANSWERS: u16 = 100;

/// The longest name of a directory made of a title, in bytes, so that paths can be read.
pub const SLUG_BYTES: usize = 60;

/// How many KEPs of a SIG, the newest first, are looked at to find implemented ones while an editor waits, and how many
/// READMEs of these are read for an answer: each takes a millisecond.
pub const SIBLING_KEPS: usize = 60;

pub const EXAMPLE_KEPS: usize = 6;

/// How many lines of an answer an editor shows as an example.
pub const HOVER_EXAMPLE_LINES: usize = 10;

/// The longest text of a file that an editor shows in a small window, in bytes. The longest guidance of the template has
/// 3,000.
pub const HOVER_BYTES: usize = 8_000;

pub const LISTED_KEPS: usize = 200;

/// How many lines of an answer are shown as an example.
pub const EXAMPLE_LINES: usize = 20;

/// How many lines of an answer a PRR approver sees on a screen; the place says where to read on.
pub const ANSWER_LINES: usize = 8;

/// How many details an item of a checklist has.
pub const DETAILS: usize = 100;

// Reports.

/// The longest lines that are comfortable to read, in columns.
pub const PAGE_COLUMNS: usize = 100;

/// How many KEPs are shown with the lines of all their findings, and in a log, how many findings after the errors.
pub const KEPS_IN_FULL: usize = 3;

/// How many gaps of a KEP are shown like all other findings. More are listed by chapter.
pub const GAPS_IN_FULL: usize = 3;

/// How many lines of a text to write a checklist shows on a screen.
pub const TEXT_LINES: usize = 6;

/// How many details of an item a checklist in Markdown lists.
pub const LISTED_DETAILS: usize = 10;

/// How many lines of a change a page shows: nobody compares more of them here.
pub const CHANGE_LINES: usize = 24;

/// The longest lines on a page, in columns: longer ones would have to be scrolled, and are cut.
pub const LINE_COLUMNS: usize = 160;

/// How many characters a report in Markdown has, so that there is room for what a bot adds to it: GitHub takes 65,536. It
/// counts characters (code points), neither bytes nor the units of UTF-16.
pub const COMMENT_CHARACTERS: usize = 60_000;

/// How many of these characters are kept free for the lines at the end, which say what is left out.
pub const CLOSING_CHARACTERS: usize = 500;

/// How many other places a report in Markdown lists with a finding.
pub const LISTED_PLACES: usize = 3;

// What other programs take.

/// The longest line of kep.yaml and PRR files that upstream's tools accept, in bytes.
pub const HEADER_LINE_BYTES: usize = 65_535;

/// How deep upstream's `mdtoc` reads lists and quotes, and the text of a heading; it drops what is nested deeper.
pub const MDTOC_DEPTH: usize = 16;

/// The longest title of a pull request that GitHub allows, in characters.
pub const PULL_TITLE_CHARACTERS: usize = 256;

/// The longest time in a list of pull requests, in characters: `2026-06-01T10:00:00Z`.
pub const TIME_CHARACTERS: usize = 30;

/// The longest handle that GitHub allows, in bytes.
pub const HANDLE_BYTES: usize = 39;

/// The largest summary of a step, in bytes; GitHub drops all of a larger one.
pub const SUMMARY_BYTES: u64 = 1 << 20;

/// How many annotations of each kind GitHub shows of one step; it drops the others without a word.
pub const ANNOTATIONS: usize = 10;

/// How many results GitHub takes of one run; it shows the first 5,000 of them.
pub const SARIF_RESULTS: usize = 25_000;

/// Up to so many KEPs of a tree are few: what is only needed for others is not read.
pub const FEW_KEPS: usize = 20;

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
