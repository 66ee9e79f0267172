//! KEP numbers in directory names, titles and kep.yaml. Leading zeros are always ignored.

use crate::search;
use crate::span::{only_one, slice};
use std::ops::Range;
use std::path::Path;

pub fn of_directory(name: &str) -> Option<&str> {
    let digits = slice(name, ..leading_digits(name));
    let has_number = !digits.is_empty() && slice(name, digits.len()..).starts_with('-');
    has_number.then(|| without_zeros(digits))
}

/// The number of a KEP's directory and the directory of its SIG, by its path from below `keps` on.
pub fn and_sig(way: &Path) -> Option<(String, String)> {
    let name = way.file_name()?.to_string_lossy();
    let sig = way.iter().next()?.to_string_lossy().into_owned();
    Some((of_directory(&name)?.to_owned(), sig))
}

pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub fn is_same(one: &str, other: &str) -> bool {
    without_zeros(one) == without_zeros(other)
}

/// Bytes of the number in a title such as `KEP-1234: Title`, `KEP 1234`, `[KEP-1234](…)` or `1234: Title`.
pub fn in_title(title: &str) -> Option<Range<usize>> {
    let after_kep = title.to_ascii_uppercase().find("KEP").map(|found| found + "KEP".len());
    let start = match after_kep {
        Some(at) if at <= "[KEP".len() => {
            let rest = slice(title, at..);
            at + rest.len() - rest.trim_start_matches(['-', ' ', '#', '_', '–']).len()
        }
        _ => 0,
    };
    let digits = leading_digits(slice(title, start..));
    let ends =
        slice(title, start + digits..).starts_with([':', '-', ' ', ']', '.', ',']) || start + digits == title.len();
    let is_number = digits > 0
        && ends
        && (start > 0 || [":", " :", " - ", " – "].iter().any(|mark| slice(title, digits..).starts_with(mark)));
    is_number.then(|| start..start + digits)
}

/// The number in `text` that follows "KEP"; `None` if there are several. Numbers before 2020 had leading zeros, and
/// numbers of eight digits were dates; they are not valid any more.
pub fn only_named(text: &str) -> Option<&str> {
    only_one(search::either(text, b'k', b'K').filter_map(|at| {
        let word = text.get(at..at + "KEP".len()).filter(|word| word.eq_ignore_ascii_case("KEP"))?;
        let rest = slice(text, at + word.len()..).trim_start_matches(['-', ' ', '#', '_', '–']);
        let digits = slice(rest, ..leading_digits(rest));
        let is_number = (1..=5).contains(&digits.len()) && !digits.starts_with('0');
        let is_whole = !slice(rest, digits.len()..).starts_with(|next: char| next.is_alphanumeric() || next == '.');
        (is_number && is_whole && !slice(text, ..at).ends_with(char::is_alphanumeric)).then_some(digits)
    }))
}

/// Whether a title with these letters says only that this is a KEP.
pub fn is_only_kep(key: &str) -> bool {
    matches!(key, "kep" | "kubernetesenhancementproposal" | "kubernetesenhancementproposalkep")
}

/// The length of what stands for `KEP-<number>:` at the start of a title: the name of a directory with a colon,
/// `1234-short-title:`, or the number alone with the mark after it, `1234 `, `1234-` or `#1234 `.
pub fn bare(title: &str, number: &str) -> Option<usize> {
    let hash = usize::from(title.starts_with('#'));
    let digits = leading_digits(slice(title, hash..));
    let rest = slice(title, hash + digits..);
    let is_number = digits > 0 && is_same(slice(title, hash..hash + digits), number);
    if !is_number || !rest.starts_with(['-', ' ', '.', '_']) {
        return None;
    }
    let word = title.split(' ').next().unwrap_or_default();
    let is_directory = word.ends_with(':') && word.len() < title.len();
    let after_marks = || title.len() - rest.trim_start_matches(['-', ' ', '.', '_', ':']).len();
    Some(if is_directory { word.len() } else { after_marks() })
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

pub fn without_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { slice(digits, digits.len().saturating_sub(1)..) } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_titles() {
        let number = |title: &'static str| in_title(title).map(|range| &title[range]);
        assert_eq!(number("KEP-1234: Title"), Some("1234"));
        assert_eq!(number("KEP 0042 Title"), Some("0042"));
        assert_eq!(number("[KEP-7](https://x): Title"), Some("7"));
        assert_eq!(number("1234: Title"), Some("1234"));
        assert_eq!(number("1234 - Title"), Some("1234"));
        assert_eq!(number("2 phase start"), None);
        assert_eq!(number("2-phase commit"), None);
        assert_eq!(number("KEP-NNNN: Title"), None);
        assert_eq!(number("KEP-9"), Some("9"));
        assert_eq!(bare("5943-topology-of-x: Topology", "5943"), Some("5943-topology-of-x:".len()));
        assert_eq!(bare("5943-topology-of-x", "5943"), Some("5943-".len()));
        assert_eq!(bare("0007 - Title", "7"), Some("0007 - ".len()));
        assert_eq!(bare("5943", "5943"), None);
        assert_eq!(bare("2-phase commit", "5943"), None);
        assert_eq!(only_named("see KEP-12"), Some("12"));
        assert_eq!(only_named("[KEP #12: x"), Some("12"));
        for text in ["KEP-1 and KEP-2", "KEP-0030", "KEP-20190101", "KEPs 12", "12", "SKEP-12", "KEP-NNNN"] {
            assert_eq!(only_named(text), None, "{text}");
        }
        assert!(is_same("0752", "752"));
        assert_eq!(of_directory("0000-x"), Some("0"));
        assert_eq!(of_directory("2020census"), None);
    }
}
