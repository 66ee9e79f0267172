//! "Did you mean": the name nearest to a misspelt one.

/// How alike two names must be for one to be suggested for the other: 0 is nothing alike, 1 is equal.
const LEAST_LIKENESS: f64 = 0.6;

/// The longest name, in characters, that is taken for a misspelt one: the time and the memory of a comparison grow with
/// the product of the lengths.
const LONGEST: usize = 250;

/// The one of `names` that `word` most likely stands for.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    // Every letter that one has more than the other is a difference.
    let may_be_alike = |name: &&str| {
        let (short, long) = (name.chars().count().min(length), name.chars().count().max(length));
        short as f64 >= long as f64 * LEAST_LIKENESS
    };
    let fingerprint = |name: &str| strsim::normalized_damerau_levenshtein(&word, &name.to_lowercase());
    names
        .into_iter()
        .filter(may_be_alike)
        .map(|name| (fingerprint(name), name))
        .filter(|(fingerprint, _)| *fingerprint >= LEAST_LIKENESS)
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
