//! Answers for each byte of a heading which mark after it closes what. The answers for all bytes are computed in one
//! pass, so that the cost is linear even for a heading of only opening brackets.

use crate::span::{Next, slice, tail};

const NOWHERE: u32 = u32::MAX;

/// An offset for each byte of a text, and for its end.
#[derive(Debug)]
struct Offsets(Vec<u32>);

impl Offsets {
    /// Computes the offsets from the last byte to the first, each from those after it.
    fn backwards(text: &str, mut offset: impl FnMut(&Self, usize, u8) -> Option<usize>) -> Self {
        let mut offsets = Self(vec![NOWHERE; text.len() + 1]);
        for (at, byte) in text.bytes().enumerate().rev() {
            let found = offset(&offsets, at, byte).and_then(|found| u32::try_from(found).ok());
            if let Some(slot) = offsets.0.get_mut(at) {
                *slot = found.unwrap_or(NOWHERE);
            }
        }
        offsets
    }

    fn get(&self, at: usize) -> Option<usize> {
        self.0.get(at).filter(|offset| **offset != NOWHERE).map(|offset| *offset as usize)
    }
}

/// Emphasis with one kind of mark: the next mark, and the next pair of marks that closes.
#[derive(Debug)]
struct Marks {
    /// The next mark that is not escaped, not in code, and not in a link text.
    next: Offsets,
    /// The next pair of such marks that closes an opening pair.
    closing_pair: Offsets,
}

#[derive(Debug)]
pub(super) struct Lookahead<'a> {
    text: &'a str,
    brackets: Option<Offsets>,
    parentheses: Option<Offsets>,
    runs: Option<Vec<Run>>,
    marks: [Option<Marks>; 3],
    closing_bracket: Next<'a, Find>,
    angle: Next<'a, Find>,
    comment_end: Next<'a, Find>,
    /// For each kind of bracket, an offset, and how many more are opened than closed before it.
    balances: [(usize, isize); 3],
}

type Find = fn(&str) -> Option<usize>;

#[derive(Debug)]
struct Run {
    start: usize,
    length: usize,
    /// The length of the longest run from here on.
    longest: usize,
}

impl<'a> Lookahead<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            brackets: None,
            parentheses: None,
            runs: None,
            marks: [None, None, None],
            closing_bracket: Next::new(text, |rest| rest.find(']')),
            angle: Next::new(text, |rest| rest.find('>')),
            comment_end: Next::new(text, |rest| rest.find("-->")),
            balances: [(0, 0); 3],
        }
    }

    /// The offset at which the bracket directly before byte `start` is closed.
    pub fn matching_bracket(&mut self, start: usize) -> Option<usize> {
        let text = self.text;
        let brackets = || unmatched(text, b'[', b']', |at| is_escaped(text, at));
        self.brackets.get_or_insert_with(brackets).get(start)
    }

    /// The offset at which the parenthesis directly before byte `start` is closed.
    pub fn matching_parenthesis(&mut self, start: usize) -> Option<usize> {
        self.parentheses.get_or_insert_with(|| unmatched(self.text, b'(', b')', |_| false)).get(start)
    }

    /// The first `]` from byte `start` on.
    pub fn closing_bracket(&mut self, start: usize) -> Option<usize> {
        self.closing_bracket.from(start)
    }

    /// The first `>` from byte `start` on.
    pub fn angle(&mut self, start: usize) -> Option<usize> {
        self.angle.from(start)
    }

    /// The first `-->` from byte `start` on.
    pub fn comment_end(&mut self, start: usize) -> Option<usize> {
        self.comment_end.from(start)
    }

    /// The number of consecutive backticks from byte `at` on, and the offset of the next run that is at least as long.
    pub fn backticks(&mut self, at: usize) -> Option<(usize, usize)> {
        let runs = self.runs.get_or_insert_with(|| runs(self.text));
        let next = runs.partition_point(|run| run.start <= at);
        let before = next.checked_sub(1).and_then(|last| runs.get(last))?;
        let count = (before.start + before.length).checked_sub(at)?;
        let following = tail(runs, next);
        following.first().filter(|run| run.longest >= count)?;
        following.iter().find(|run| run.length >= count).map(|run| (count, run.start))
    }

    /// The next `mark` after the opening one directly before byte `start`; `None` if byte `start` is already one.
    pub fn mark(&mut self, mark: u8, start: usize) -> Option<usize> {
        self.marks(mark)?.next.get(start).filter(|next| *next > start)
    }

    /// The next pair of `mark` that closes the pair directly before byte `start`.
    pub fn closing_pair(&mut self, mark: u8, start: usize) -> Option<usize> {
        let first = self.mark(mark, start)?;
        self.marks(mark)?.closing_pair.get(first)
    }

    /// Whether more of these brackets are opened than closed before byte `end`; `kind` is their index.
    pub fn is_open(&mut self, kind: usize, (opening, closing): (char, char), end: usize) -> bool {
        let Some(known) = self.balances.get_mut(kind) else { return false };
        let (start, balance) = if known.0 <= end { *known } else { (0, 0) };
        let count = |letter: char| slice(self.text, start..end).matches(letter).count() as isize;
        *known = (end, balance + count(opening) - count(closing));
        known.1 > 0
    }

    fn marks(&mut self, mark: u8) -> Option<&Marks> {
        let slot = self.marks.get_mut(b"*_~".iter().position(|other| *other == mark)?)?;
        Some(slot.get_or_insert_with(|| {
            let next = next_marks(self.text, mark);
            let closing_pair = closing_pairs(self.text, mark, &next);
            Marks { next, closing_pair }
        }))
    }
}

/// For each byte, the next `mark` that can close emphasis.
fn next_marks(text: &str, mark: u8) -> Offsets {
    let (mut backtick, mut bracket, mut after_spaces) = (None, None, None);
    // Whether the next closing bracket is followed by a destination or a name.
    let mut is_link = false;
    Offsets::backwards(text, |next, at, byte| {
        let skipped = match byte {
            b'`' => backtick.map(|backtick: usize| backtick + 1),
            b'[' if is_link => bracket.map(|bracket: usize| bracket + 1),
            _ => None,
        };
        let found = match byte {
            _ if is_escaped(text, at) => next.get(at + 1),
            byte if byte == mark => Some(at),
            _ => next.get(skipped.unwrap_or(at + 1)),
        };
        match byte {
            b'`' => backtick = Some(at),
            b']' => (bracket, is_link) = (Some(at), matches!(after_spaces, Some(b'(' | b'['))),
            _ => {}
        }
        if byte != b' ' {
            after_spaces = Some(byte);
        }
        found
    })
}

/// For each mark, the first pair from there on that closes.
fn closing_pairs(text: &str, mark: u8, next: &Offsets) -> Offsets {
    let is = |at: usize| text.as_bytes().get(at) == Some(&mark);
    Offsets::backwards(text, |closing, at, byte| match byte {
        byte if byte != mark => None,
        _ if is(at + 1) && !slice(text, ..at).ends_with(char::is_whitespace) => Some(at),
        // Two marks that do not close end the search.
        _ if is(at + 1) => None,
        _ => next.get(at + 1).and_then(|next| closing.get(next)),
    })
}

fn is_escaped(text: &str, at: usize) -> bool {
    at.checked_sub(1).and_then(|before| text.as_bytes().get(before)) == Some(&b'\\')
}

/// For each byte, the offset at which the innermost bracket that is open there is closed.
fn unmatched(text: &str, opening: u8, closing: u8, is_escaped: impl Fn(usize) -> bool) -> Offsets {
    Offsets::backwards(text, |closed, at, byte| match byte {
        byte if (byte == opening || byte == closing) && is_escaped(at) => closed.get(at + 1),
        byte if byte == closing => Some(at),
        byte if byte == opening => closed.get(closed.get(at + 1)? + 1),
        _ => closed.get(at + 1),
    })
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some(run) if run.start + run.length == at => run.length += 1,
            _ => runs.push(Run { start: at, length: 1, longest: 0 }),
        }
    }
    let mut longest = 0;
    for run in runs.iter_mut().rev() {
        longest = run.length.max(longest);
        run.longest = longest;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaped_brackets_are_matched() {
        let mut ahead = Lookahead::new(r"[a[b]\]]] ((x)");
        assert_eq!([1, 3].map(|start| ahead.matching_bracket(start)), [Some(7), Some(4)]);
        assert_eq!([11, 12].map(|start| ahead.matching_parenthesis(start)), [None, Some(13)]);
        assert_eq!(Lookahead::new(&"[".repeat(9)).matching_bracket(1), None);
    }

    #[test]
    fn backticks_are_closed_by_at_least_as_many() {
        let mut ahead = Lookahead::new("``a`b```c``");
        assert_eq!([0, 3, 5, 9].map(|at| ahead.backticks(at)), [Some((2, 5)), Some((1, 5)), None, None]);
    }

    #[test]
    fn marks_in_code_and_in_links_are_skipped() {
        let mut ahead = Lookahead::new(r"*a`*`[*](b)\**c*");
        assert_eq!([1, 14].map(|start| ahead.mark(b'*', start)), [Some(13), Some(15)]);
        let mut of_pair = Lookahead::new("**a *b c**");
        assert_eq!((of_pair.mark(b'*', 2), of_pair.closing_pair(b'*', 2)), (Some(4), Some(8)));
        assert_eq!(Lookahead::new("**a **b**").closing_pair(b'*', 2), None);
    }

    #[test]
    fn open_brackets_are_counted() {
        let mut ahead = Lookahead::new("(a) ((b)");
        let open = [1, 3, 6, 8, 2].map(|end| ahead.is_open(0, ('(', ')'), end));
        assert_eq!(open, [true, false, true, true, true]);
    }
}
