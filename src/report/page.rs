//! Markdown for a screen: paragraphs and list items are wrapped to its width, everything else stays as it is. The
//! result is still Markdown, apart from color. Also shows answers of other KEPs.

use super::look::Look;
use super::paint::Paint;
use super::wrap::wrapped;
use super::{counted, printable};
use crate::authoring::answer::Answer;
use crate::markdown::prose::{Block, blocks};

/// The longest lines that are comfortable to read, in columns.
pub const COLUMNS: usize = 100;

pub fn render(markdown: &str, look: &Look) -> String {
    let width = look.width.min(COLUMNS);
    let painted = |lines: &str, paint: Paint| -> String {
        let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { paint.apply(line) + "\n" };
        lines.lines().map(line).collect()
    };
    let (bold, dim) = (Paint::Bold.only_if(look.color), Paint::Dim.only_if(look.color));
    let shown = |block| match block {
        Block::Heading(lines) => painted(lines, bold),
        Block::Other(lines) => painted(lines, Paint::Plain),
        Block::Fenced { opening, code, closing, .. } => {
            painted(opening, dim) + &painted(code, Paint::Plain) + &painted(closing, dim)
        }
        Block::Text { front, text } => {
            let text: Vec<&str> = text.lines().map(str::trim).collect();
            wrapped(&text.join(" "), width, front, &" ".repeat(front.len())) + "\n"
        }
    };
    blocks(markdown).into_iter().map(shown).collect()
}

/// How another KEP answers a section: what it is, and the path of its README.
pub struct Example {
    pub name: String,
    pub path: String,
    pub answer: Answer,
}

const INDENT: &str = "    ";

/// The examples, after a heading that says how many of the `all` implemented KEPs have one: `count`.
pub fn answers(examples: &[Example], count: usize, all: usize, look: &Look) -> String {
    let heading = heading(look);
    if examples.is_empty() {
        return format!("{heading}\n\nNone of {} has an answer that could be an example.\n", keps(all));
    }
    let shown: Vec<String> = examples.iter().map(|example| rendered(example, look)).collect();
    let rest = match count - examples.len() {
        0 => String::new(),
        rest => {
            let more = "`kep-lint explain` with a higher `--answers` shows them";
            let line = format!("{rest} more of {} have an answer; {more}", keps(all));
            format!("\n{}\n", wrapped(&line, look.columns(), "", ""))
        }
    };
    format!("{heading}\n\n{}{rest}", shown.join("\n"))
}

pub fn no_answers_of_checklist(look: &Look) -> String {
    format!("{}\n\nThe checklist is the same in every KEP, so it has no answers to show.\n", heading(look))
}

fn heading(look: &Look) -> String {
    Paint::Bold.only_if(look.color).apply("## Answers of implemented KEPs")
}

fn keps(all: usize) -> String {
    counted(all, "implemented KEP", "implemented KEPs")
}

fn rendered(example: &Example, look: &Look) -> String {
    let Example { name, path, answer } = example;
    let place = Paint::Bold.only_if(look.color).apply(&printable(&format!("{path}:{}", answer.line)));
    let text = indented(&answer.text, INDENT, look);
    let cut = match answer.left_out {
        0 => String::new(),
        left_out => format!("{INDENT}{} {}\n", look.ellipsis(), counted(left_out, "more line", "more lines")),
    };
    format!("{place}\n{}\n\n{text}{cut}", printable(name))
}

/// Markdown of a KEP for a screen, with `indent` in front of each line that is not empty.
pub fn indented(text: &str, indent: &str, look: &Look) -> String {
    let markdown: String = text.lines().map(|line| printable(&line.replace('\t', INDENT)) + "\n").collect();
    let inner = Look { width: look.width.saturating_sub(indent.len()), ..look.clone() };
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") };
    render(&markdown, &inner).lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(width: usize, markdown: &str) -> String {
        render(markdown, &Look { width, ..Look::default() })
    }

    #[test]
    fn paragraphs_and_items_are_wrapped() {
        assert_eq!(at(12, "one two\nthree four\n\nfive\n"), "one two\nthree four\n\nfive\n");
        assert_eq!(at(20, "one two\nthree four\n"), "one two three four\n");
        assert_eq!(at(9, "- one two\n  three\n- x\n"), "- one two\n  three\n- x\n");
        assert_eq!(at(9, "1. one two three\n"), "1. one\n   two\n   three\n");
        assert_eq!(at(9, "- a\n\n  one two three\n"), "- a\n\n  one two\n  three\n");
        assert_eq!(at(500, &"word ".repeat(50)).lines().next().map(str::len), Some(99));
        assert_eq!(at(9, "-\n- \n"), "-\n- \n");
        assert_eq!(at(12, "- - one two\n    three\n"), "- - one two\n    three\n");
        assert_eq!(at(30, "- [ ] one\n  two\n"), "- [ ] one two\n");
    }

    #[test]
    fn everything_else_stays() {
        let text = "# one two three\n\n```yaml x\n one two three\n``\n```\n\n| one | two |\n| --- | --- |\n\n    one two three\n";
        assert_eq!(at(9, text), text);
        assert_eq!(at(30, "one\n    two\n#three\n"), "one two #three\n");
        let lines = "one\n\n[x]: https://a.example\n[y z]: b\n\n> one\n> two\n\n~~~\none\ntwo\n~~~\n<p>one\ntwo\n";
        assert_eq!(at(30, lines), lines);
        assert_eq!(at(30, "[x]\ntwo\n"), "[x] two\n");
    }

    #[test]
    fn color_only_paints() {
        let look = Look { color: true, ..Look::default() };
        let bold = "\u{1b}[1m# A\u{1b}[0m\n\n\u{1b}[2m```\u{1b}[0m\nb\n\u{1b}[2m```\u{1b}[0m\n";
        assert_eq!(render("# A\n\n```\nb\n```\n", &look), bold);
    }
}
