//! The items of the Release Signoff Checklist.

use super::phrases;
use super::prose::without_addresses;
use std::collections::BTreeSet;

/// Whether the text after a box marks its item as required: `(R)`, in bold or as code as well.
pub fn is_required(text: &str) -> bool {
    let mark: String = text.chars().filter(|letter| !matches!(letter, '*' | '_' | '\\')).take(LONGEST_MARK).collect();
    let mark = mark.trim_start();
    ["(R)", "`R`", "`(R)`"].iter().any(|required| mark.starts_with(required))
}

const LONGEST_MARK: usize = 10;

const LEAST_WORDS: usize = 2;

const BOX: &str = "- [ ] ";

/// The items of the template's checklist, each with its words.
#[derive(Clone, Debug)]
pub struct SignoffItems {
    lines: Vec<(String, BTreeSet<String>)>,
    known: BTreeSet<String>,
}

impl SignoffItems {
    pub fn of(guidance: &str) -> Self {
        let lines = guidance.lines().filter(|line| line.trim_start().starts_with(BOX));
        let lines = lines.map(|line| (line.trim_end().to_owned(), words(&without_addresses(line)).collect()));
        Self { lines: lines.collect(), known: words(guidance).collect() }
    }

    /// Whether a line is an item of a list with the words of an item of the checklist.
    pub fn include(&self, line: &str) -> bool {
        let item = line.trim_start().strip_prefix(['-', '*', '+']).filter(|item| item.starts_with(' '));
        let Some(item) = item else { return false };
        let of_item: BTreeSet<String> = words(item).collect();
        let shared = of_item.intersection(&self.known).count();
        shared >= LEAST_WORDS && shared * 2 > of_item.len()
    }

    /// The lines that none of `items` is about, each with the last item before it.
    pub fn lacking<'a>(&self, items: impl Iterator<Item = &'a str>) -> Vec<(Option<usize>, &str)> {
        let listed: Vec<BTreeSet<String>> = items.map(|item| words(&without_addresses(item)).collect()).collect();
        let (mut lacking, mut last) = (Vec::new(), None);
        for (line, wanted) in &self.lines {
            match listed.iter().position(|words| is_same(wanted, words)) {
                Some(at) => last = last.max(Some(at)),
                None => lacking.push((last, line.as_str())),
            }
        }
        lacking
    }

    /// Whether the text after a box is that of a required item, without its mark.
    pub fn lost_mark(&self, text: &str) -> bool {
        let listed: BTreeSet<String> = words(&without_addresses(text)).collect();
        let share = |wanted: &BTreeSet<String>| {
            let shared = wanted.intersection(&listed).count();
            if shared > LEAST_WORDS && shared * 2 > listed.len() { shared } else { 0 }
        };
        let nearest = self.lines.iter().max_by_key(|(_, wanted)| share(wanted));
        nearest
            .is_some_and(|(line, wanted)| share(wanted) > 0 && is_required(line.trim_start().trim_start_matches(BOX)))
    }
}

fn is_same(wanted: &BTreeSet<String>, words: &BTreeSet<String>) -> bool {
    let shared = wanted.intersection(words).count();
    shared >= LEAST_WORDS.min(wanted.len()) && (shared * 2 >= wanted.len() || shared * 2 > words.len())
}

/// Whether the text after a box is about GA, and does not say that it does not apply.
pub fn is_about_ga(item: &str) -> bool {
    let mut words = item.split(|letter: char| !letter.is_alphanumeric() && letter != '/');
    let applies = !["n/a", "not applicable"].iter().any(|reason| item.to_ascii_lowercase().contains(reason));
    applies && words.any(|word| word == "GA")
}

/// The words that tell one item from another, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    const SHORTEST: usize = 4;
    phrases::words(text).filter(|word| word.chars().count() >= SHORTEST).map(str::to_lowercase)
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
        let known = SignoffItems::of(guidance);
        for line in ["- \\[x] KEP approvers have approved the status", "* Test plan in place"] {
            assert!(known.include(line), "{line}");
        }
        for line in ["- we will do this later", "KEP approvers have approved the status", "- ", "- [ ] (R) x y z"] {
            assert!(!known.include(line), "{line}");
        }
    }

    #[test]
    fn an_item_is_missing_if_no_line_is_about_it() {
        let guidance = "Items:\n\n- [ ] (R) Test plan is in place\n  - [ ] (R) Minimum Two Week Window for GA e2e tests\n- [ ] [kept](https://test.io/plan)";
        let items = ["- [x] Test plan is in place", "- (R) A two week window for all the tests, minimum"];
        let template = SignoffItems::of(guidance);
        assert_eq!(template.lacking(items.iter().copied()), [(Some(1), "- [ ] [kept](https://test.io/plan)")]);
        let window = "  - [ ] (R) Minimum Two Week Window for GA e2e tests";
        assert_eq!(template.lacking(["- [x] kept, with a test plan in place"].into_iter()), [(Some(0), window)]);
    }

    #[test]
    fn an_item_may_have_lost_its_mark() {
        let guidance =
            "- [ ] (R) Production readiness review completed\n- [ ] User-facing documentation has been created";
        let items = SignoffItems::of(guidance);
        assert!(items.lost_mark(" Production readiness review completed"));
        for text in [" User-facing documentation has been created in (R) place", " Review the design", ""] {
            assert!(!items.lost_mark(text), "{text}");
        }
    }

    #[test]
    fn ga_is_a_word() {
        assert!(is_about_ga(" (R) Window for GA e2e tests"));
        assert!(!is_about_ga(" (R) GAP") && !is_about_ga(" All GA endpoints: N/A"));
    }
}
