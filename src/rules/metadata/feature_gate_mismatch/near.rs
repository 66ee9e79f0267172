//! Names in the text of the README that are a typo of a gate in kep.yaml. A name in other letters is one wherever it is used;
//! one with other letters only in a sentence about gates, because types and fields have similar names.

use crate::rules::prelude::*;
use std::ops::RangeInclusive;

/// How far the sentence around a name is looked for, in bytes in each direction.
const SENTENCE_BYTES: usize = 400;

/// The shortest name that is compared, in bytes.
const SHORTEST: usize = 5;

/// Reports each such name once, where it is used first.
pub fn check(ctx: &Ctx<'_>, gates: &[&Field], out: &mut Sink) {
    let Some(readme) = ctx.readme else { return };
    if ctx.target.phase != Phase::Active {
        return;
    }
    let gates: Vec<&str> = gates.iter().take(bounds::COMPARED_NAMES).map(|gate| gate.text.as_str()).collect();
    // What the fields name is compared there.
    let of_fields = ctx.gates_of_readme();
    let lengths = || gates.iter().map(|gate| gate.len());
    let (shortest, longest) = (lengths().min().unwrap_or_default(), lengths().max().unwrap_or_default());
    let wanted = shortest.saturating_sub(2).max(SHORTEST)..=longest + 2;
    // Nobody mistypes the first letter.
    let firsts: BTreeSet<u8> =
        gates.iter().flat_map(|gate| gate.bytes().next()).map(|first| first.to_ascii_uppercase()).collect();
    let mut used: Vec<(&str, Range<usize>)> = Vec::new();
    for word in firsts.iter().flat_map(|first| words(readme.text(), *first, &wanted)) {
        let name = readme.slice(word.clone());
        let is_close = |gate: &&str| name.len().abs_diff(gate.len()) <= 2 && name != *gate;
        let is_same = |gate: &&str| gate.eq_ignore_ascii_case(name);
        let is_gate = if names::is_gate(name) { gates.iter().any(is_close) } else { gates.iter().any(is_same) };
        if is_gate && !of_fields.contains(&name) && readme.visible_spans(word.clone()).next().is_some() {
            used.push((name, word));
        }
    }
    used.sort_by_key(|(_, place)| place.start);
    let mut left = 0..bounds::COMPARED_NAMES;
    for (name, places) in grouped(used.into_iter()) {
        let Some(gate) = meant(name, &gates) else { continue };
        // The whole README is searched for each.
        if left.next().is_none() || is_another(ctx, &readme, name) {
            continue;
        }
        // Who writes both in one sentence means two things.
        let around = |place: &Range<usize>| sentence(readme.text(), place);
        if places.iter().any(|place| names::occurs(around(place), gate, 1)) {
            continue;
        }
        let is_word = !names::is_gate(name);
        // With other letters, it is one only in some sentences.
        let is_certain = gate.eq_ignore_ascii_case(name);
        let is_typo = |place: &Range<usize>| {
            let names_gate = || gates.iter().any(|other| names::occurs(around(place), other, 1));
            (is_certain && !is_word) || is_about_gates(around(place)) || (is_word && names_gate())
        };
        let places: Vec<Range<usize>> = places.into_iter().skip_while(|place| !is_typo(place)).collect();
        let Some((first, others)) = places.split_first() else { continue };
        let message = format!("`{}` is most likely the feature gate `{}` of kep.yaml", brief(name), brief(gate));
        let finding = Diagnostic::at(readme.span(first.clone()), message)
            .at_most(Severity::Advice)
            .edits(format!("write `{}`", brief(gate)), replacements(&readme, places.iter().cloned(), gate))
            .subject(Subject::named([name, "text"]))
            .related_others(others, "and here");
        out.report(finding);
    }
}

/// The edits that write `gate` at these places, but for paths and longer names.
pub fn replacements(readme: &Readme<'_>, places: impl Iterator<Item = Range<usize>>, gate: &str) -> Vec<Edit> {
    let text = readme.text();
    let is_alone = |place: &Range<usize>| {
        let joins = ['_', '-', '/'];
        !slice(text, ..place.start).ends_with(joins) && !slice(text, place.end..).starts_with(joins)
    };
    places.filter(is_alone).map(|place| Edit { span: readme.span(place), text: gate.to_owned() }).collect()
}

/// The gate that a name may be a typo of.
fn meant<'a>(name: &str, gates: &[&'a str]) -> Option<&'a str> {
    if gates.contains(&name) {
        return None;
    }
    // A plural of the name goes on, and the name of a type ends before.
    let is_other = |gate: &str| name.starts_with(gate) || (gate.starts_with(name) && !gate.ends_with('s'));
    let is_near = |gate: &str| suggest::is_typo(name, gate) && !is_other(gate);
    let same = gates.iter().find(|gate| gate.eq_ignore_ascii_case(name));
    same.or_else(|| gates.iter().find(|gate| is_near(gate))).copied()
}

/// Whether a name is another gate or a type.
fn is_another(ctx: &Ctx<'_>, readme: &Readme<'_>, name: &str) -> bool {
    ctx.repository.gates.contains_key(name)
        || ctx.repository.list_of_gates().is_some_and(|list| list.find(name).is_some())
        || is_type(readme.text(), name)
}

/// The words of letters and digits that begin with this letter of ASCII and have so many bytes. They are no part of a path, a
/// name with dashes or another longer name.
fn words(text: &str, first: u8, wanted: &RangeInclusive<usize>) -> Vec<Range<usize>> {
    let is_joined = |letter: char| matches!(letter, '_' | '-' | '/') || letter.is_alphanumeric();
    let mut words = Vec::new();
    for start in search::bytes(text, first) {
        let before = slice(text, ..start).chars().next_back();
        if before.is_some_and(|letter| is_joined(letter) || letter == '.') {
            continue;
        }
        let length = slice(text, start..).bytes().take_while(u8::is_ascii_alphanumeric).count();
        let after = slice(text, start + length..).chars().next();
        if wanted.contains(&length) && !after.is_some_and(is_joined) {
            words.push(start..start + length);
        }
    }
    words
}

/// The sentence around a place: up to a full stop, an item of a list, or an empty line.
fn sentence<'a>(text: &'a str, place: &Range<usize>) -> &'a str {
    let first = text.floor_char_boundary(place.start.saturating_sub(SENTENCE_BYTES));
    let last = text.ceil_char_boundary((place.end + SENTENCE_BYTES).min(text.len()));
    let (before, after) = (slice(text, first..place.start), slice(text, place.end..last));
    let is_sentence_end = |at: &usize| is_end(slice(text, ..*at), slice(text, *at..));
    let start = before.rmatch_indices(ENDS).map(|(at, _)| first + at + 1).find(is_sentence_end);
    let end = after.match_indices(ENDS).map(|(at, _)| place.end + at + 1).find(is_sentence_end);
    slice(text, start.unwrap_or(first)..end.unwrap_or(last))
}

const ENDS: [char; 2] = ['.', '\n'];

/// Whether a sentence ends between two texts, of which the first one ends with a full stop or a line.
fn is_end(before: &str, after: &str) -> bool {
    if before.ends_with('.') {
        return after.starts_with(char::is_whitespace);
    }
    let line = after.lines().next().unwrap_or_default().trim_start();
    line.is_empty() || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

fn is_about_gates(sentence: &str) -> bool {
    let lower = sentence.to_ascii_lowercase();
    ["feature gate", "feature-gate", "featuregate", "feature\ngate"].iter().any(|words| lower.contains(words))
}

/// Whether the README uses a name as that of a type.
fn is_type(text: &str, name: &str) -> bool {
    let follows_type_mark = |at: usize| {
        let before = slice(text, ..at);
        ["kind: ", "type ", "*", "[]"].iter().any(|mark| before.ends_with(mark))
    };
    search::words(text, name).any(follows_type_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_stop() {
        let text = "The gate.  The A\ngate is on. Then\n  - B is\n  - C\n";
        let around = |word: &str| {
            let at = text.find(word).expect("it is there");
            sentence(text, &(at..at + word.len())).trim()
        };
        assert_eq!((around("A\n"), around("B")), ("The A\ngate is on.", "- B is"));
    }

    #[test]
    fn parts_of_longer_names_are_no_words() {
        let found = |text: &'static str| {
            words(text, b'E', &(SHORTEST..=20)).into_iter().map(|word| &text[word]).collect::<Vec<_>>()
        };
        assert_eq!(found("`EnvFiles` and (EnvFiles), EnvFiles."), ["EnvFiles"; 3]);
        assert!(found("pkg/EnvFiles a_EnvFiles EnvFiles-x .EnvFiles Envé").is_empty());
    }
}
