//! The items of the Release Signoff Checklist.

use std::collections::BTreeSet;

/// Whether the text after a box marks its item as required: `(R)`, in bold or as code as well.
pub fn is_required(text: &str) -> bool {
    let mark: String = text.chars().filter(|letter| !matches!(letter, '*' | '_' | '\\')).take(LONGEST_MARK).collect();
    let mark = mark.trim_start();
    ["(R)", "`R`", "`(R)`"].iter().any(|required| mark.starts_with(required))
}

/// How many characters before and in a mark are looked at.
const LONGEST_MARK: usize = 10;

/// Whether a line is an item of a list with the words of one of the template's checklist, whose text is `guidance`.
pub fn is_item(line: &str, guidance: &str) -> bool {
    const LEAST_WORDS: usize = 2;
    let item = line.trim_start().strip_prefix(['-', '*', '+']).filter(|item| item.starts_with(' '));
    let Some(item) = item else { return false };
    let known: BTreeSet<String> = words(guidance).collect();
    let of_item: BTreeSet<String> = words(item).collect();
    let shared = of_item.intersection(&known).count();
    shared >= LEAST_WORDS && shared * 2 > of_item.len()
}

/// The words that tell one item from another, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    const SHORTEST: usize = 4;
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| word.chars().count() >= SHORTEST).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_known_however_they_are_written() {
        for text in [" (R) Design", " `R` Design", " **(R)** Design", " \\(R) Design", "(R)"] {
            assert!(is_required(text), "{text}");
        }
        for text in [" Design (R)", " R Design", "", " (r) Design"] {
            assert!(!is_required(text), "{text}");
        }
    }

    #[test]
    fn an_item_has_words_of_the_template() {
        let guidance = "- [ ] (R) KEP approvers have approved the KEP status as `implementable`\n- [ ] (R) Test plan is in place\n";
        for line in ["- \\[x] KEP approvers have approved the status", "* Test plan in place"] {
            assert!(is_item(line, guidance), "{line}");
        }
        for line in ["- we will do this later", "KEP approvers have approved the status", "- ", "- [ ] (R) x y z"] {
            assert!(!is_item(line, guidance), "{line}");
        }
    }
}
