//! A line in bold that has the words of a missing heading.

use crate::markdown::is_heading_after;
use crate::markdown::title::Title;
use crate::rules::prelude::*;

pub struct Bold {
    pub line: Range<usize>,
    title: String,
    rest: Range<usize>,
}

/// The first line that begins with the title of `id` in bold. Only a question may be followed by text on its line.
pub fn find(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> Option<Bold> {
    let text = readme.text();
    let wanted = ctx.template.get(id);
    let mut lines = readme.visible_spans(0..text.len()).filter(|line| {
        let begins_line = line.start == 0 || slice(text, ..line.start).ends_with(['\n', '\r']);
        begins_line && !readme.is_hidden(line.start)
    });
    lines.find_map(|line| {
        let bold = read(text, line)?;
        let has_title = wanted.has_wording(&Title::new(&bold.title));
        let is_alone = slice(text, bold.rest.clone()).trim().is_empty();
        let is_meant = has_title && (is_alone || wanted.is_question());
        (is_meant && readme.sections.since_heading(text, bold.line.start).is_some_and(is_heading_after)).then_some(bold)
    })
}

/// Reads the bold text that a line begins with, which may go on in the next lines.
fn read(text: &str, line: Range<usize>) -> Option<Bold> {
    let whole = slice(text, line.start..);
    let mark = ["**", "__"].into_iter().find(|mark| whole.starts_with(mark))?;
    let inner = slice(whole, mark.len()..);
    let inner = slice(inner, ..inner.floor_char_boundary(bounds::QUESTION_LENGTH));
    let length = inner.find(mark)?;
    let title = slice(inner, ..length);
    if title.contains("\n\n") || title.contains("\r\n\r\n") {
        return None;
    }
    let after = line.start + mark.len() + length + mark.len();
    let end = after + usize::from(slice(text, after..).starts_with(':'));
    let rest = end..end + slice(text, end..).find(['\r', '\n']).unwrap_or(text.len() - end);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(':').to_owned();
    Some(Bold { line: line.start..end, title, rest })
}

impl Bold {
    pub fn has_text(&self, readme: Readme<'_>) -> bool {
        let text = readme.text();
        let headings = readme.sections.iter().map(|(_, section)| section.heading.start);
        let end = headings.filter(|start| *start > self.line.end).min().unwrap_or(text.len());
        let is_bold = |line: Range<usize>| {
            let bold = read(text, line);
            bold.is_some_and(|bold| slice(text, bold.rest).trim().is_empty())
        };
        let mut below = readme.visible_spans(self.rest.end..end);
        !slice(text, self.rest.clone()).trim().is_empty() || below.next().is_some_and(|line| !is_bold(line))
    }

    /// Whether the section that it is in has an answer without it, or is one around the new section.
    pub fn leaves_answer(&self, ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> bool {
        let places = ctx.template.iter().filter_map(|(other, _)| Some((other, readme.matching().place(other)?)));
        let around = places.filter(|(_, place)| place.own.contains(&self.line.start));
        let Some((owner, place)) = around.max_by_key(|(_, place)| place.heading.start) else { return true };
        let before = readme.visible_lines(place.heading.end..self.line.start);
        ctx.template.ancestors(id).any(|ancestor| ancestor == owner)
            || Content::of(before, ctx.template, None, ctx.target.stage) == Content::Answer
    }

    /// Makes the text a heading, and what follows it on its line the text below.
    pub fn fix(&self, readme: Readme<'_>, level: u8) -> Fix {
        let heading = format!("{} {}", "#".repeat(level.into()), self.title);
        let newline = line_end(readme.text(), self.line.end);
        let rest = readme.slice(self.rest.clone()).trim();
        let below = if rest.is_empty() { String::new() } else { format!("{newline}{newline}{rest}") };
        let span = readme.span(self.line.start..self.rest.end);
        let title = format!("make it the heading `{heading}`");
        Fix::write(Safety::Unsafe, title, span, format!("{heading}{below}"))
    }
}
