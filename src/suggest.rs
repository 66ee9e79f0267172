//! "Did you mean": the name closest to a misspelled one.

use crate::bounds;
use std::fmt::Display;

/// How similar two names must be for one to be suggested for the other: 0 is entirely different, 1 is equal.
const MIN_SIMILARITY: f64 = 0.6;

/// The one of `names` that is most similar to `word`, if any is similar enough.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // One function for all callers: it is long.
    nearest_in(word, &names.into_iter().collect::<Vec<_>>())
}

fn nearest_in<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > bounds::NAME_CHARACTERS {
        return None;
    }
    let letters = letters_of(&word);
    let similarity_of = |name: &str, distance: usize| match name.chars().count().max(length) {
        0 => 1.0,
        long => 1.0 - distance as f64 / long as f64,
    };
    // As similar as a name can be at most, by its letters.
    let highest_of = |name: &str| {
        let distance = least_distance(letters, letters_of(name)).max(name.chars().count().abs_diff(length));
        similarity_of(name, distance)
    };
    let mut candidates: Vec<(f64, usize, &str)> =
        names.iter().enumerate().map(|(at, name)| (highest_of(name), at, *name)).collect();
    candidates.retain(|(highest, ..)| *highest >= MIN_SIMILARITY);
    // The most promising ones first, so that most others need not be compared.
    candidates.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let mut best: Option<(f64, usize, &str)> = None;
    for (highest, at, name) in candidates {
        if best.is_some_and(|(similarity, ..)| highest < similarity) {
            break;
        }
        let similarity = similarity_of(name, strsim::osa_distance(&word, &name.to_lowercase()));
        // Of several, the last one.
        let is_better = best.is_none_or(|(best, place, _)| similarity > best || (similarity == best && at > place));
        if similarity >= MIN_SIMILARITY && is_better {
            best = Some((similarity, at, name));
        }
    }
    best.map(|(.., name)| name)
}

/// Whether one name is the other with a typo: they differ in case alone, or in at most two letters, or one in a short
/// name, and not in digits.
pub fn is_typo(one: &str, other: &str) -> bool {
    const SHORT: usize = 8;
    const MOST: usize = 2;
    // Cheap, as most pairs differ by more. A letter has at most four bytes, and counts in either case.
    if one.len().abs_diff(other.len()) > 4 * MOST || least_distance(letters_of(one), letters_of(other)) > MOST {
        return false;
    }
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (long, short) =
        (one.chars().count().max(other.chars().count()), one.chars().count().min(other.chars().count()));
    let most = if long < SHORT { 1 } else { MOST };
    long <= bounds::NAME_CHARACTERS
        && long - short <= most
        && digits(&one) == digits(&other)
        && strsim::osa_distance(&one, &other) <= most
}

/// Whether one letter more, less, other or in another place makes the one name the other.
pub fn is_slip(one: &str, other: &str) -> bool {
    is_typo(one, other) && strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase()) == 1
}

/// Whether one or two slips make the one name the other, with at most one letter that only one of them has.
pub fn is_mixed_up(one: &str, other: &str) -> bool {
    least_distance(letters_of(one), letters_of(other)) <= 1
        && strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase()) <= 2
}

/// How often each letter is in a text, in either case; other characters may count as letters.
type Letters = [u8; 32];

fn letters_of(text: &str) -> Letters {
    let mut letters = Letters::default();
    for byte in text.bytes().filter(u8::is_ascii) {
        if let Some(count) = letters.get_mut(usize::from(byte % 32)) {
            *count = count.saturating_add(1);
        }
    }
    letters
}

/// A lower bound of the edit distance of texts with these letters, which is cheap.
fn least_distance(one: Letters, other: Letters) -> usize {
    let more = |these: Letters, those: Letters| {
        let counts = these.into_iter().zip(those);
        counts.map(|(here, there)| usize::from(here.saturating_sub(there))).sum::<usize>()
    };
    more(one, other).max(more(other, one))
}

/// What a user could write in an earlier version, each with what to do instead. Until 1.0, it is said where it is written.
const GONE: [(&str, &str); 7] = [
    ("--baseline", "use `--since auto --new-only`, `overrides` or `--add-ignores` (docs/ci.md)"),
    ("--write-baseline", "use `--since auto --new-only`, `overrides` or `--add-ignores` (docs/ci.md)"),
    ("--list", "use `kep-lint ready --from FILE`, or `kep-lint list`"),
    ("jsonl", "use `json` (`jq -c '.diagnostics[]'`)"),
    ("rdjson", "use `sarif`, which reviewdog reads"),
    ("long-paragraph-line", "wrap long lines with a Markdown formatter"),
    ("template-comment", "remove the comments of the template by hand"),
];

/// Names of rules that became a part of another one, which stands for them.
const FORMER: [(&str, &str); 1] = [("missed-release", "missed-milestone")];

pub fn current(name: &str) -> &str {
    FORMER.into_iter().find(|(former, _)| *former == name).map_or(name, |(_, current)| current)
}

/// "`x` is gone: use `y`", if an earlier version had this name.
pub fn gone(name: &str) -> Option<String> {
    let (_, instead) = GONE.into_iter().find(|(gone, _)| *gone == name)?;
    Some(format!("`{name}` is gone: {instead}"))
}

/// "did you mean `beta`?", or else "write `alpha`, `beta` or `stable`".
pub fn help(word: &str, names: &[&str]) -> String {
    match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("write {}", list(names, "or")),
    }
}

/// "`a`, `b` and `c`", with `conjunction` before the last.
pub fn list(names: impl IntoIterator<Item = impl Display>, conjunction: &str) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
