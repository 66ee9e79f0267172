//! The least that linting can cost: reading the files, checking that they are UTF-8, and draining the two parsers.

use granit_parser::Parser as YamlParser;
use pulldown_cmark::{Options as Markdown, Parser as MarkdownParser};
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// Reads every .md and .yaml file at or below `path`, and drains its parser so many times. Returns the number of events, so
/// that the compiler removes nothing as unused.
pub fn drain(path: &Path, times: usize) -> usize {
    if let Ok(entries) = fs::read_dir(path) {
        return entries.flatten().map(|entry| drain(&entry.path(), times)).sum();
    }
    let events = match path.extension().and_then(|extension| extension.to_str()) {
        Some("md") => markdown,
        Some("yaml") => yaml,
        _ => return 0,
    };
    let text = String::from_utf8(fs::read(path).unwrap_or_default());
    let text = text.unwrap_or_else(|problem| String::from_utf8_lossy(problem.as_bytes()).into_owned());
    (0..times).map(|_| events(&text)).sum()
}

fn markdown(text: &str) -> usize {
    let options = Markdown::ENABLE_TABLES
        | Markdown::ENABLE_TASKLISTS
        | Markdown::ENABLE_STRIKETHROUGH
        | Markdown::ENABLE_FOOTNOTES
        | Markdown::ENABLE_GFM;
    MarkdownParser::new_ext(text, options).into_offset_iter().map(black_box).count()
}

fn yaml(text: &str) -> usize {
    YamlParser::new_from_str(text).map(black_box).count()
}
