//! "Did you mean": the name closest to a misspelled one.

/// How similar two names must be for one to be suggested for the other: 0 is entirely different, 1 is equal.
const MIN_SIMILARITY: f64 = 0.6;

/// The longest name, in characters, that gets a suggestion: the time and memory of a comparison grow with the product
/// of the lengths.
const MAX_LENGTH: usize = 250;

/// The one of `names` that is most similar to `word`, if any is similar enough.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    // The difference in length is a lower bound of the edit distance, and cheap.
    let could_be_similar = |name: &&str| {
        let (short, long) = (name.chars().count().min(length), name.chars().count().max(length));
        short as f64 >= long as f64 * MIN_SIMILARITY
    };
    let similarity = |name: &str| strsim::normalized_damerau_levenshtein(&word, &name.to_lowercase());
    names
        .into_iter()
        .filter(could_be_similar)
        .map(|name| (similarity(name), name))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// "did you mean `beta`?", or else "write `alpha`, `beta` or `stable`".
pub fn help(word: &str, names: &[&str]) -> String {
    match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("write {}", list(names, "or")),
    }
}

/// "`a`, `b` and `c`", with `conjunction` before the last.
pub fn list(names: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
