//! Characters in kep.yaml that cannot be seen, or look like others, as in text that is copied from a page.

use crate::span::{DASHES, FileId, Span, is_odd_space, last_line_start, slice};
use crate::yaml::parse;
use crate::yaml::tree::{Node, Scalar, Style, Value, Yaml};

/// A value or key with such characters. It is read as if it had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddScalar {
    pub span: Span,
    /// The key at the top level that it belongs to; empty for a key.
    pub key: String,
    /// The first of them.
    pub letter: char,
    pub meant: String,
    /// The same as it can be written in its place.
    pub written: Option<String>,
    /// Whether it is meant as a list or a mapping.
    pub is_block: bool,
}

/// Characters that join others in some scripts, and in emoji.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];
const OPENING: [char; 2] = ['“', '‘'];
const CLOSING: [char; 2] = ['”', '’'];
/// Letters of other scripts, each with the one that it looks like.
const LOOK_ALIKES: &str = "＠@АAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSаaеeоoрpсcуyхxіiјjѕsΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοo";

/// Takes the odd characters from all values and keys of `tree`.
pub fn clean(text: &str, tree: &mut Yaml) -> Vec<OddScalar> {
    let mut found = Vec::new();
    let is_odd = |letter| {
        is_unseen(letter) || DASHES.contains(&letter) || looks_like(letter).is_some() || OPENING.contains(&letter)
    };
    if !text.is_ascii() && text.contains(is_odd) {
        tree.root.iter_mut().for_each(|root| walk(text, root, None, &mut found));
    }
    found
}

fn walk(text: &str, node: &mut Node, key: Option<&str>, found: &mut Vec<OddScalar>) {
    if let Some(items) = clean_items(text, node, key.unwrap_or_default()) {
        return found.push(items);
    }
    match &mut node.value {
        Value::Mapping(entries) => {
            for entry in entries {
                walk(text, &mut entry.key, Some(""), found);
                let own = entry.key.as_str().unwrap_or_default().to_owned();
                walk(text, &mut entry.value, Some(key.unwrap_or(&own)), found);
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| walk(text, item, key, found)),
        Value::Scalar(scalar) => found.extend(clean_scalar(text, node.span, scalar, key.unwrap_or_default())),
        Value::Alias(_) => {}
    }
}

fn clean_scalar(text: &str, span: Span, scalar: &mut Scalar, key: &str) -> Option<OddScalar> {
    let source = slice(text, span.range());
    if source.is_ascii() || matches!(scalar.style, Style::Literal | Style::Folded) {
        return None;
    }
    let is_plain = scalar.style == Style::Plain;
    let content = if is_plain { source } else { source.get(1..source.len().checked_sub(1)?)? };
    // A title may quote, and mention.
    let without = |part: &str| if key == "title" { seen(part) } else { without_look_alikes(&seen(part)) };
    let meant = without(content);
    let letter =
        content.chars().find(|letter| is_unseen(*letter) || !(letter.is_ascii() || meant.contains(*letter)))?;
    if meant == content {
        return None;
    }
    scalar.text = without(&scalar.text);
    let shown = scalar.text.clone();
    // A mapping of which each line has a character after the colon that is no space.
    let are_entries = meant.lines().all(|line| line.contains(": "));
    let is_entry = begins_line(text, span) && are_entries && is_plain;
    if is_entry {
        scalar.text.clear();
    }
    let is_read = |written: &String| scalars(written) == Some(vec![shown.clone()]);
    let written = match scalar.style {
        _ if is_entry => {
            let lines: Vec<&str> = meant.lines().map(str::trim).collect();
            scalars(&lines.join("\n")).filter(|scalars| scalars.len() == 2 * lines.len()).map(|_| meant.clone())
        }
        _ if source.contains(['\n', '\r']) => None,
        // The white space at the start of a line was meant as its indentation.
        _ if key.is_empty() && last_line_start(slice(text, ..span.start)) == span.start => {
            let words = source.trim_start_matches(is_unseen);
            let spaces = slice(source, ..source.len() - words.len()).matches(char::is_whitespace).count();
            let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
            let above = slice(text, ..span.start).lines().rev().find(|line| !is_comment(line)).unwrap_or_default();
            let inner = above.trim_start();
            let (is_item, has_key) = (inner.starts_with("- "), inner.contains(':'));
            let column = above.chars().count() - inner.chars().count() + if is_item { "- ".len() } else { 0 };
            let is_beside = spaces == column && has_key;
            let is_indented = spaces == 0 || is_beside || above.ends_with(':');
            is_indented.then(|| " ".repeat(spaces) + &meant).filter(is_read)
        }
        Style::SingleQuoted => Some(format!("'{meant}'")).filter(is_read),
        Style::DoubleQuoted => Some(format!("\"{meant}\"")).filter(is_read),
        _ if meant.contains(['"', '\\', '#']) => None,
        _ if key.is_empty() => Some(meant.clone()).filter(is_read),
        _ if ["", "~", "null"].contains(&shown.as_str()) => Some(meant.clone()),
        _ => [meant.clone(), format!("\"{meant}\"")].into_iter().find(is_read),
    };
    Some(OddScalar { span, key: key.to_owned(), letter, meant: shown, written, is_block: is_entry })
}

/// Makes a list of a text of which each line is meant as an item: with a dash or a space that is none.
fn clean_items(text: &str, node: &mut Node, key: &str) -> Option<OddScalar> {
    let is_plain = matches!(&node.value, Value::Scalar(Scalar { style: Style::Plain, .. }));
    if ["", "title"].contains(&key) || !is_plain || !begins_line(text, node.span) {
        return None;
    }
    let source = slice(text, node.span.range());
    let letter = source.chars().find(|letter| is_unseen(*letter) || DASHES.contains(letter))?;
    let items: Vec<String> = source.lines().map(|line| item(line).map(seen)).collect::<Option<_>>()?;
    let column = node.span.start - last_line_start(slice(text, ..node.span.start));
    let quoted = |item: &String| if item.starts_with('@') { format!("- \"{item}\"") } else { format!("- {item}") };
    let span = node.span;
    let texts: Vec<String> = items.iter().map(|item| item.trim_matches(['"', '\'']).to_owned()).collect();
    let values = texts.iter().map(|item| {
        let value = Value::Scalar(Scalar { text: item.clone(), style: Style::Plain });
        Node { span, value, tag: None, anchor: None, comment: None }
    });
    node.value = Value::Sequence(values.collect());
    let quoted: Vec<String> = items.iter().map(quoted).collect();
    let is_read = scalars(&quoted.join("\n")) == Some(texts);
    let meant = quoted.join(&format!("\n{}", " ".repeat(column)));
    let written = is_read.then(|| meant.clone());
    Some(OddScalar { span, key: key.to_owned(), letter, meant, written, is_block: true })
}

/// The keys and values of `text`, in order; `None` if some of it is no text: an empty value, a tag, an alias.
pub fn scalars(text: &str) -> Option<Vec<String>> {
    fn add(node: &Node, found: &mut Vec<String>) -> Option<()> {
        match &node.value {
            _ if node.is_null() || node.tag.is_some() || node.anchor.is_some() => return None,
            Value::Scalar(scalar) => found.push(scalar.text.clone()),
            Value::Sequence(items) => items.iter().try_for_each(|item| add(item, found))?,
            Value::Mapping(entries) => {
                entries.iter().try_for_each(|entry| add(&entry.key, found).and_then(|()| add(&entry.value, found)))?;
            }
            Value::Alias(_) => return None,
        }
        Some(())
    }
    let tree = parse(FileId(0), text);
    let mut found = Vec::new();
    add(tree.root.as_ref().filter(|_| tree.problems.is_empty())?, &mut found)?;
    Some(found)
}

/// What follows the dash and the space in a line that is meant as an item of a list.
fn item(line: &str) -> Option<&str> {
    let is_space = |letter| letter == ' ' || is_unseen(letter);
    let words = line.trim_start_matches(is_space);
    let item = words.strip_prefix('-').or_else(|| words.strip_prefix(DASHES))?;
    item.starts_with(is_space).then(|| item.trim_matches(is_space))
}

fn begins_line(text: &str, span: Span) -> bool {
    slice(text, ..span.start).trim_end_matches([' ', '\t']).ends_with(['\n', '\r'])
}

fn is_unseen(letter: char) -> bool {
    is_odd_space(letter) && !JOINERS.contains(&letter)
}

fn seen(text: &str) -> String {
    let letters = text.trim_matches(is_unseen).chars();
    let letters = letters.filter(|letter| letter.is_whitespace() || !is_unseen(*letter));
    letters.map(|letter| if is_unseen(letter) { ' ' } else { letter }).collect()
}

fn without_look_alikes(text: &str) -> String {
    let inner = text.strip_prefix(OPENING).and_then(|rest| rest.strip_suffix(CLOSING));
    let inner = inner.filter(|inner| !inner.contains(OPENING)).unwrap_or(text);
    let inner = inner.strip_prefix('＠').map_or_else(|| inner.to_owned(), |name| format!("@{name}"));
    // A word of Latin letters and some that look like them; a name may be in another script.
    let latin: String = inner.chars().map(|letter| looks_like(letter).unwrap_or(letter)).collect();
    let is_mixed = latin.bytes().all(|byte| byte.is_ascii_graphic())
        && inner.contains(|letter: char| letter.is_ascii_alphabetic())
        && !inner.contains('＠');
    if is_mixed { latin } else { inner }
}

/// The character of ASCII that another one looks like.
pub fn looks_like(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    LOOK_ALIKES.split_once(letter)?.1.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_meant_otherwise_is_changed() {
        let written = |text: &str| {
            let mut tree = parse(FileId(0), text);
            clean(text, &mut tree).into_iter().map(|odd| odd.written.unwrap_or_default()).collect::<Vec<_>>()
        };
        for (text, expected) in [
            ("a: “@ann”\n", "\"@ann\""),
            ("a: \"@ann\u{200b}\"\n", "\"@ann\""),
            ("a: '＠ann'\n", "'@ann'"),
            ("a: ＠ann\n", "\"@ann\""),
            ("a: x\u{a0}y\u{a0}\n", "x y"),
            ("a: x:\u{a0}y\n", "\"x: y\""),
            ("a\u{200b}: x\n", "a"),
            ("- {a: [\u{200b}\u{2060}true]}\n", "true"),
            ("a:\n  b:\u{a0}1\n  c:\u{2003}2\n", "b: 1\n  c: 2"),
            ("title: “a”\u{a0}b\n", "“a” b"),
            ("a: Кubelet\n", "Kubelet"),
            ("a:\n- \"@аnn\"\n", "\"@ann\""),
            ("stаtus: x\n", "status"),
            ("a:\n  – \"@b\"\n", "- \"@b\""),
            ("a:\n  -\u{a0}@b\n  –  c\n", "- \"@b\"\n  - c"),
            ("a:\n\u{a0}\u{2003}b: 1\n", "  b"),
            ("a: “!x y”\n", "\"!x y\""),
            ("a:\n- \u{200b}*x\n", "\"*x\""),
            ("a: \u{200b}{{ x }}\n", "\"{{ x }}\""),
            ("a: Watch:\u{200b}\n", "\"Watch:\""),
            ("a:\n  -\u{a0}#123\n", ""),
            ("a:\n  -\u{a0}KEP 5: b\n", ""),
            ("a: {b: 1, c:\u{a0}2}\n", ""),
            ("b: 1\n\u{a0}a: 1\n", ""),
            ("a:\n  - b: 1\n\u{a0}\u{a0}\u{a0}\u{a0}c: 1\n", "    c"),
            ("a:\n  - b\n\u{a0}\u{a0}c: 1\n", ""),
            ("a:\n  - b\n\u{a0}\u{a0}\u{a0}\u{a0}c: 1\n", ""),
            ("a: \u{a0}\n", ""),
        ] {
            assert_eq!(written(text), [expected], "{text}");
        }
        for text in [
            "title: “a”\n",
            "a: “b” and “c”\n",
            "a: Zoë b＠c\n",
            "title: Кubelet\n",
            "a: Анна Tse\n",
            "a: оса\n",
            "a: Соmпонент\n",
            "a: \u{1f469}\u{200d}\u{1f4bb}\n",
            "a: |\n  b\u{200b}\n",
            "# \u{200b}\n",
        ] {
            assert_eq!(written(text), [""; 0], "{text}");
        }
        assert_eq!(written("a: b\u{a0}c\n  d\n"), [""]);
    }
}
