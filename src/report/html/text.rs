//! Text on a page, and in XML. What comes from a KEP goes through [`escaped`]; attributes are always quoted.

use crate::report::backticks::{Part, parts};
use crate::report::printable;
use std::collections::BTreeMap;

/// `text` as HTML or XML that shows it: on one line, with nothing that is markup or that hides or reorders other text.
pub fn escaped(text: &str) -> String {
    entities(&printable(text))
}

/// The same for a part of a printable text, in which a harmless text may look like a command.
pub fn entities(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// `text` as HTML, with what is between backticks as code.
pub fn with_code(text: &str) -> String {
    let part = |part| match part {
        Part::Text(plain) => entities(plain),
        Part::Code { inner, .. } => format!("<code>{}</code>", entities(without_padding(inner))),
        Part::Unpaired(ticks) => ticks.to_owned(),
    };
    parts(&printable(text)).into_iter().map(part).collect()
}

/// The code without the spaces that let it begin or end with a backtick.
pub fn without_padding(code: &str) -> &str {
    let code = code.strip_prefix(' ').filter(|inner| inner.starts_with('`')).unwrap_or(code);
    code.strip_suffix(' ').filter(|inner| inner.ends_with('`')).unwrap_or(code)
}

/// Text of several lines, which keep their indent, with what `shown` makes of the rest of each.
pub fn indented(text: &str, shown: impl Fn(&str) -> String) -> String {
    let line = |line: &str| {
        let rest = line.trim_start();
        " ".repeat(line.len() - rest.len()) + &shown(rest)
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// `name` without what an attribute `id` or a link to it cannot have as it is.
pub fn id(name: &str) -> String {
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/');
    name.chars().map(|letter| if is_kept(letter) { letter } else { '-' }).collect()
}

/// The ids of a page, each of which is there once.
#[derive(Debug, Default)]
pub struct Ids(BTreeMap<String, usize>);

impl Ids {
    pub fn with(reserved: &[&str]) -> Self {
        Self(reserved.iter().map(|id| ((*id).to_owned(), 1)).collect())
    }

    /// An id made from `name`, which nothing else has.
    pub fn unique(&mut self, name: &str) -> String {
        let wanted = self::id(name);
        let wanted = if wanted.is_empty() { "-".to_owned() } else { wanted };
        let mut number = self.0.get(&wanted).copied().unwrap_or_default() + 1;
        let numbered = |at: usize| if at == 1 { wanted.clone() } else { format!("{wanted}-{at}") };
        while self.0.contains_key(&numbered(number)) {
            number += 1;
        }
        let id = numbered(number);
        self.0.insert(id.clone(), 1);
        self.0.insert(wanted, number);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("<b a=\"x\" c='y'>&amp;"), "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;");
        assert_eq!(escaped("a\nb\u{1b}[31m\u{202e}c"), "a b?[31m???c");
        assert_eq!(escaped("::error::x"), ":?error::x");
    }

    #[test]
    fn backticks_are_code() {
        assert_eq!(with_code("write `<a>` & `b`"), "write <code>&lt;a&gt;</code> &amp; <code>b</code>");
        assert_eq!(with_code("``- `x` `` is"), "<code>- `x`</code> is");
        assert_eq!(with_code("a `b"), "a `b");
        assert_eq!(with_code("``a `b` <"), "``a <code>b</code> &lt;");
        assert_eq!(with_code("` `"), "<code> </code>");
        assert_eq!(with_code("`a`` b"), "`a`` b");
        assert_eq!(with_code("``"), "``");
        assert_eq!(with_code(""), "");
        assert_eq!(with_code("std`::fs`::x"), "std<code>::fs</code>::x");
    }

    #[test]
    fn many_backticks_cost_little() {
        let text: String = (1..250).map(|count| "`".repeat(count) + "x").collect();
        assert_eq!(with_code(&text), text);
        assert_eq!(with_code(&"`` ` ".repeat(15_000)).matches("<code>").count(), 10_000);
    }

    #[test]
    fn an_id_is_one_word() {
        assert_eq!(id("sig-node/1-a b\"#é"), "sig-node/1-a-b---");
    }

    #[test]
    fn no_id_is_there_twice() {
        let mut ids = Ids::with(&["keps"]);
        let made = ["a", "a", "a-2", "a", "keps", "", "é", "ü"].map(|name| ids.unique(name));
        assert_eq!(made, ["a", "a-2", "a-2-2", "a-3", "keps-2", "-", "--2", "--3"]);
    }
}
