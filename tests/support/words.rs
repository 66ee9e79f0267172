//! Which words a fix lost, found out from the texts before and after and from the findings, without a look at the
//! edits: what an author wrote must not depend on a fix's own idea of it.

use kep_lint::diagnostic::{Diagnostic, Safety};
use kep_lint::fix::Fixed;
use kep_lint::lint::report::KepReport;
use kep_lint::span::is_invisible;
use std::collections::HashMap;
use std::ops::Range;

/// The markers of a table of contents.
const TOC: [&str; 2] = ["<!-- toc -->", "<!-- /toc -->"];

/// Words that mean the stage `stable`.
const GA: [&str; 3] = ["ga", "general", "availability"];

/// Words that are an answer in a heading, and never part of another wording of it.
const ANSWERS: [&str; 3] = ["no", "yes", "none"];

/// The first words that are in a file before it was fixed and not after, although fixes of this safety must keep them;
/// none if nothing is lost.
pub fn lost(fixed: &Fixed, safety: Safety) -> Option<String> {
    let Fixed { before, after, .. } = fixed;
    before.files.iter().zip(&after.files).enumerate().find_map(|(at, (old, new))| {
        if old.text == new.text {
            return None;
        }
        let is_yaml = old.path.ends_with(".yaml");
        let free = if is_yaml {
            [keys_and_stages(at, fixed, safety), ignores(&old.text, fixed)].concat()
        } else {
            [
                headings(fixed, at, safety),
                repeated(&old.text, safety),
                unkept(&old.text, fixed),
                replaced(before, at, safety),
            ]
            .concat()
        };
        let hidden = if is_yaml { Vec::new() } else { toc_lines(&new.text) };
        let mut left: HashMap<String, usize> = HashMap::new();
        // Fixes write the first for a space in an address, and a space for the second in a value.
        let spaced = |text: &str| {
            let text = text.replace("%20", "   ");
            if is_yaml { text.replace('\u{a0}', "  ") } else { text }
        };
        for (_, word) in words(&spaced(&new.text), &hidden) {
            *left.entry(word).or_default() += 1;
        }
        let mut lost = Vec::new();
        for (place, word) in words(&spaced(&old.text), &[]) {
            let count = left.entry(word.clone()).or_default();
            let is_free = free.iter().any(|range| range.contains(&place));
            if *count == 0 && !is_free {
                lost.push(word);
            } else if !is_free {
                *count -= 1;
            }
        }
        lost.truncate(12);
        (!lost.is_empty()).then(|| format!("{} lost `{}`", old.path, lost.join(" ")))
    })
}

/// Places and lower case of the words that begin outside of `hidden`. A character that is not visible parts no words: fixes
/// remove it from addresses.
fn words(text: &str, hidden: &[Range<usize>]) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            _ if is_invisible(letter) => {}
            (false, Some(from)) => {
                if !hidden.iter().any(|range| range.contains(&from)) {
                    let word = text[from..at].replace(is_invisible, "");
                    words.push((from, word.to_lowercase()));
                }
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// What fixes may change in kep.yaml: the word of a stage, and with unsafe ones the keys.
fn keys_and_stages(file: usize, fixed: &Fixed, safety: Safety) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let text = &fixed.before.files[file].text;
    if fixed.applied.contains_key("invalid-stage") {
        let stages = words(text, &[]).into_iter().filter(|(_, word)| GA.contains(&word.as_str()));
        ranges.extend(stages.map(|(at, word)| at..at + word.len()));
    }
    // What a value should be may only be found after another fix, such as one of its key.
    let is_fixed = |rule: &str| safety == Safety::Unsafe && fixed.applied.contains_key(rule);
    let is_free = |word: &str| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        (word == "implementable" && is_fixed("outdated-status")) || (is_number && is_fixed("invalid-date"))
    };
    let free = words(text, &[]).into_iter().filter(|(_, word)| is_free(word));
    ranges.extend(free.map(|(at, word)| at..at + word.len()));
    if safety == Safety::Unsafe && fixed.applied.contains_key("unknown-key") {
        ranges.extend(text.match_indices(':').map(|(at, _)| {
            // A comma without a space after it may be part of a key.
            let line = text[..at].rfind(['\n', '\r']).map_or(0, |before| before + 1);
            // A brace right after a letter is part of a key, any other begins a mapping.
            let mut braces = text[line..at].match_indices('{').map(|(brace, _)| line + brace);
            let is_opening = |brace: &usize| !text[..*brace].ends_with(char::is_alphanumeric);
            let line = braces.rfind(is_opening).map_or(line, |brace| brace + 1);
            let start = text[line..at].rfind(", ").map_or(line, |before| line + before + 1);
            // The value of a key that becomes one may be wrong.
            let end = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
            start..if fixed.applied.contains_key("invalid-stage") { end } else { at }
        }));
        // A key may have no colon.
        ranges.extend(spans_of("unknown-key", &fixed.before, file));
    }
    // Letters of other scripts become the Latin ones that they look like.
    ranges.extend(spans_of("odd-character", &fixed.before, file));
    ranges.extend(replaced(&fixed.before, file, safety));
    ranges
}

/// The rules whose unsafe fixes write another word.
const REPLACED: [&str; 11] = [
    "feature-gate-mismatch",
    "forgotten-milestone",
    "gate-components-mismatch",
    "invalid-date",
    "invalid-milestone",
    "invalid-stage",
    "invalid-status",
    "misspelled-handle",
    "outdated-status",
    "unknown-feature-gate",
    "unknown-sig",
];

/// The words that unsafe fixes may replace by others.
fn replaced(before: &KepReport, file: usize, safety: Safety) -> Vec<Range<usize>> {
    let rules = if safety == Safety::Unsafe { &REPLACED[..] } else { &[] };
    rules.iter().flat_map(|rule| spans_of(rule, before, file)).collect()
}

/// The places of a rule's findings in a file.
fn spans_of(rule: &str, before: &KepReport, file: usize) -> impl Iterator<Item = Range<usize>> {
    let found = before.diagnostics.iter().filter(move |found| found.rule == rule);
    let edits =
        found.flat_map(|found| found.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span).chain([found.span]));
    edits.filter(move |span| span.file.index() == file).map(|span| span.range())
}

/// What unsafe fixes may change because a finding says so: headings that are worded otherwise, with the links to
/// them, and the name of a directory in the title.
fn headings(fixed: &Fixed, file: usize, safety: Safety) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    if safety == Safety::Safe {
        return ranges;
    }
    let before = &fixed.before;
    let text = &before.files[file].text;
    // A heading may only be found to be worded otherwise when it is at its place.
    if fixed.applied.contains_key("renamed-section") && spans_of("renamed-section", before, file).next().is_none() {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            ranges.extend(line.starts_with("##").then_some(at..at + line.len()));
            at += line.len();
        }
    }
    let is_meant = |found: &&Diagnostic| {
        let is_slug =
            found.rule == "unnumbered-title" && found.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Unsafe);
        (found.rule == "renamed-section" || is_slug) && found.span.file.index() == file
    };
    for found in before.diagnostics.iter().filter(is_meant) {
        let (start, heading) = (found.span.start, &text[found.span.range()]);
        let free = words(heading, &[]).into_iter().filter(|(_, word)| !ANSWERS.contains(&word.as_str()));
        ranges.extend(free.map(|(at, word)| start + at..start + at + word.len()));
        let link = format!("[{heading}](");
        ranges.extend(text.match_indices(&link).map(|(at, link)| at..at + link.len()));
    }
    ranges
}

/// What unsafe fixes may remove: words directly after the same word, and an address that is the text of its link as well.
fn repeated(text: &str, safety: Safety) -> Vec<Range<usize>> {
    let all = if safety == Safety::Unsafe { words(text, &[]) } else { Vec::new() };
    let pairs = all.iter().zip(all.iter().skip(1));
    let is_repeated = |((first, word), (second, other)): &(&(usize, String), &(usize, String))| {
        word == other && text.get(first + word.len()..*second).is_some_and(|between| between.trim().is_empty())
    };
    let addresses = text.match_indices("](").filter(|_| safety == Safety::Unsafe).filter_map(|(at, _)| {
        let address = text[at + 2..].split(')').next()?;
        text[..at].ends_with(address).then_some(at + 2..at + 2 + address.len())
    });
    pairs.filter(is_repeated).map(|(_, (at, word))| *at..at + word.len()).chain(addresses).collect()
}

/// What any fix may change in Markdown: entries of the table of contents, comments other than ignores, the number in
/// the title, and the names that links into the document lead to.
fn unkept(text: &str, fixed: &Fixed) -> Vec<Range<usize>> {
    let mut comments = comments(text);
    comments.retain(|comment| is_fixed_ignore(fixed) || !text[comment.clone()].contains(IGNORE));
    // Once its address is corrected, the item is an entry.
    let corrected =
        if fixed.applied.contains_key("broken-link-syntax") { toc_lines(&without_spaces(text)) } else { Vec::new() };
    [toc_lines(text), corrected, comments, number_in_title(text), anchors(text)].concat()
}

/// The text with other letters for the spaces in the addresses of links to headings.
fn without_spaces(text: &str) -> String {
    let mut joined = text.to_owned();
    for range in anchors(text) {
        joined.replace_range(range.clone(), &text[range].replace(' ', "-"));
    }
    joined
}

/// What an ignore begins with.
const IGNORE: &str = "kep-lint-ignore";

/// Whether a rule about ignores was fixed.
fn is_fixed_ignore(fixed: &Fixed) -> bool {
    ["ignore-without-reason", "unknown-ignore", "unused-ignore"].iter().any(|rule| fixed.applied.contains_key(rule))
}

/// The ignores of YAML, if some of them were fixed.
fn ignores(text: &str, fixed: &Fixed) -> Vec<Range<usize>> {
    if !is_fixed_ignore(fixed) {
        return Vec::new();
    }
    let end = |at: usize| text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length);
    text.match_indices(IGNORE).map(|(at, _)| at..end(at)).collect()
}

/// The lines between the markers that are list items of one link. Where the list is not closed, those right below its
/// opening.
fn toc_lines(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let Some(opening) = lower.find(TOC[0]).map(|at| at + TOC[0].len()) else { return Vec::new() };
    let closing = lower.find(TOC[1]);
    let end = closing.filter(|closing| opening <= *closing).unwrap_or(text.len());
    let mut ranges = Vec::new();
    let mut at = opening;
    for line in text[opening..end].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if is_entry(line) {
            ranges.push(range);
        } else if closing.is_none() && !line.trim().is_empty() {
            break;
        }
    }
    ranges
}

/// `- [Title](#title)`
fn is_entry(line: &str) -> bool {
    let line = line.trim();
    let behind_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let marker: &[char] = if behind_number.len() < line.len() { &['.', ')'] } else { &['-', '*', '+'] };
    let Some(item) = behind_number.strip_prefix(marker).map(str::trim_start) else { return false };
    let target = item.rsplit_once("](#").map(|(_, target)| target);
    let is_target =
        |target: &str| target.ends_with(')') && !target.contains(|letter: char| letter.is_ascii_whitespace());
    // `[WIP] somebody's words [Title](#title)` begins with another bracket than that of the link.
    let title = item.rsplit_once("](#").map_or("", |(title, _)| title.strip_prefix('[').unwrap_or_default());
    let closes_early = title.find(']').is_some_and(|closing| !title[..closing].contains('['));
    let is_link = item.starts_with('[') && item.matches("](").count() == 1 && !closes_early;
    is_link && target.is_some_and(is_target)
}

/// Comments; one that is not closed ends with its line.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|found| at + found) {
        let end = text[start..].find("-->").map(|length| start + length + "-->".len());
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let end = end.unwrap_or(line_end);
        ranges.push(start..end);
        at = end;
    }
    ranges
}

/// The words of level one headings that a number is made of: `KEP`, `NNNN`, digits.
fn number_in_title(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    let mut lines = text.split_inclusive(['\n', '\r']);
    while let Some(line) = lines.next() {
        // A title may be in a list or in a quote.
        let is_around = |letter: char| letter.is_ascii_digit() || "\u{feff}\t >-*+.)".contains(letter);
        let own = line.trim_start_matches(is_around);
        let is_underlined = lines.clone().find(|next| !next.trim().is_empty()).is_some_and(|next| next.contains("="));
        if (own.starts_with('#') && !own.starts_with("##")) || is_underlined {
            let is_number = |word: &str| {
                let digits = word.strip_prefix("kep").unwrap_or(word);
                digits == "nnnn" || digits.bytes().all(|byte| byte.is_ascii_digit())
            };
            let numbers = words(line, &[]).into_iter().filter(|(_, word)| is_number(word));
            ranges.extend(numbers.map(|(from, word)| at + from..at + from + word.len()));
        }
        at += line.len();
    }
    ranges
}

/// What follows `(#`, `<#` and `]: #`, up to the end of the link.
fn anchors(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for (at, _) in text.match_indices('#') {
        let end = match text[..at].chars().next_back() {
            Some('(') => ')',
            Some('<') => '>',
            Some('"') => '"',
            Some(' ') if text[..at].ends_with("]: ") => '\n',
            _ => continue,
        };
        let length = text[at..].find([end, '\n']).unwrap_or(text.len() - at);
        ranges.push(at..at + length);
    }
    ranges
}
