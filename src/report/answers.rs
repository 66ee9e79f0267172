//! Answers of other KEPs, for a screen.

use super::look::Look;
use super::paint::Paint;
use super::wrap::wrapped;
use super::{counted, page, printable};
use crate::authoring::answer::Answer;

pub struct Example {
    pub about: String,
    pub path: String,
    pub answer: Answer,
}

const INDENT: &str = "    ";

/// The examples, after a heading that says how many of the `all` implemented KEPs have one: `count`.
pub fn render(examples: &[Example], count: usize, all: usize, look: &Look) -> String {
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

/// What is shown for a checklist, which has no answers.
pub fn of_checklist(look: &Look) -> String {
    format!("{}\n\nThe checklist is the same in every KEP, so it has no answers to show.\n", heading(look))
}

fn heading(look: &Look) -> String {
    Paint::Bold.only_if(look.color).apply("## Answers of implemented KEPs")
}

fn keps(all: usize) -> String {
    counted(all, "implemented KEP", "implemented KEPs")
}

fn rendered(example: &Example, look: &Look) -> String {
    let Example { about, path, answer } = example;
    let place = Paint::Bold.only_if(look.color).apply(&printable(&format!("{path}:{}", answer.line)));
    let text = indented(&answer.text, INDENT, look);
    let cut = match answer.left_out {
        0 => String::new(),
        left_out => format!("{INDENT}{} {}\n", look.ellipsis(), counted(left_out, "more line", "more lines")),
    };
    format!("{place}\n{}\n\n{text}{cut}", printable(about))
}

/// Markdown of a KEP for a screen, with `indent` in front of each line that is not empty.
pub fn indented(text: &str, indent: &str, look: &Look) -> String {
    let markdown: String = text.lines().map(|line| printable(&line.replace('\t', INDENT)) + "\n").collect();
    let inner = Look { width: look.width.saturating_sub(indent.len()), ..look.clone() };
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") };
    page::render(&markdown, &inner).lines().map(line).collect()
}
