//! `markdown`: of which elements a text in Markdown is made, so that the page needs no parser of its own. Raw HTML is text,
//! and so is what stands for a picture.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

/// A list of text, of `[NAME]` or `[NAME, ADDRESS]` where an element begins, and of null where it ends.
pub fn parts(text: &str) -> Value {
    let mut parts = Vec::new();
    let mut is_head = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS) {
        match event {
            Event::Start(tag) => {
                is_head |= tag == Tag::TableHead;
                parts.push(begun(&tag, is_head));
            }
            Event::End(tag) => {
                is_head &= tag != TagEnd::TableHead;
                parts.push(Value::Null);
            }
            Event::Code(code) => parts.extend([json!(["code"]), json!(&*code), Value::Null]),
            Event::HardBreak => parts.extend([json!(["br"]), Value::Null]),
            Event::Rule => parts.extend([json!(["hr"]), Value::Null]),
            Event::SoftBreak => parts.push(json!("\n")),
            Event::TaskListMarker(is_done) => parts.push(json!(if is_done { "☑ " } else { "☐ " })),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => parts.push(json!(&*words)),
            // Nothing that is not asked for above.
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }
    Value::Array(parts)
}

fn begun(tag: &Tag<'_>, is_head: bool) -> Value {
    let name = match tag {
        Tag::Link { dest_url, .. } => return json!(["a", &**dest_url]),
        Tag::Heading { level, .. } => return json!([level.to_string()]),
        Tag::Paragraph | Tag::HtmlBlock => "p",
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(_) => "pre",
        Tag::List(None) => "ul",
        Tag::List(Some(_)) => "ol",
        Tag::Item => "li",
        Tag::Table(_) => "table",
        Tag::TableHead | Tag::TableRow => "tr",
        Tag::TableCell if is_head => "th",
        Tag::TableCell => "td",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        _ => "span",
    };
    json!([name])
}
