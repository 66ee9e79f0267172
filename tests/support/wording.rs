//! How messages, helps and titles of fixes are worded, whatever they say.

use std::collections::BTreeSet;

/// What a reader sees of a finding.
pub struct Words<'a> {
    pub rule: &'a str,
    /// The message, and those of related places.
    pub messages: Vec<&'a str>,
    /// The help, and the title of the fix.
    pub remedies: Vec<&'a str>,
}

/// Messages that are worded otherwise than the others.
pub fn odd(found: &[Words<'_>]) -> BTreeSet<String> {
    let mut odd = BTreeSet::new();
    for Words { rule, messages, remedies } in found {
        let messages = messages.iter().filter(|message| !is_clause(message));
        let remedies = remedies.iter().filter(|remedy| {
            // Below the first line may be what to write.
            let first = remedy.lines().next().unwrap_or_default();
            !is_clause(first) || !begins_with_verb(first)
        });
        odd.extend(messages.chain(remedies).map(|message| format!("{rule}: {message}")));
    }
    odd
}

/// One line, lower case at its beginning unless it is a name, without a full stop at its end.
fn is_clause(message: &str) -> bool {
    let begins_low = message.starts_with(|first: char| first.is_lowercase() || first.is_ascii_digit() || first == '`');
    let is_name = ["KEP", "PRR", "GitHub", "Kubernetes"].iter().any(|name| message.starts_with(name));
    (begins_low || is_name) && !message.ends_with(['.', ' ', '\n']) && !message.contains('\n')
}

/// Whether the first word can be a verb; a question for what was meant is a remedy too.
fn begins_with_verb(remedy: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "a", "an", "the", "it", "its", "this", "that", "these", "there", "you", "your", "please", "is", "are", "no",
        "see",
    ];
    let mut words = remedy.split(' ');
    let first = words.next().unwrap_or_default();
    let is_plain = first.chars().all(|letter| letter.is_ascii_lowercase());
    // A noun before "is" or "are" is a statement.
    let is_statement = matches!(words.next(), Some("is" | "are" | "has" | "have" | "must" | "should"));
    remedy.starts_with("did you mean ") || (is_plain && !is_statement && !OTHERS.contains(&first))
}
