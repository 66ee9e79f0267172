//! The least that linting can cost: reading the files, and draining the two parsers.

use granit_parser::Parser as YamlParser;
use kep_lint::kep::texts::{Role, Texts};
use kep_lint::source::SourceFile;
use pulldown_cmark::{Options as Markdown, Parser as MarkdownParser};
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// Reads the KEPs below `folder`: the folders with a kep.yaml.
pub fn read(folder: &Path, keps: &mut Vec<Texts>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    if folder.join("kep.yaml").is_file() && !folder.ends_with("NNNN-kep-template") {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut texts = Texts::new(format!("keps/sig-node/{name}"));
        for (role, file) in [(Role::Readme, "README.md"), (Role::Metadata, "kep.yaml")] {
            if let Ok(bytes) = fs::read(folder.join(file)) {
                texts.add(role, SourceFile::decode(format!("{}/{file}", texts.directory), bytes));
            }
        }
        keps.push(texts);
    }
    entries.iter().filter(|entry| entry.is_dir()).for_each(|entry| read(entry, keps));
}

/// Iterates over the events of both parsers. Returns their number, so that the compiler removes nothing as unused.
pub fn parse_only(kep: &Texts) -> usize {
    let options = Markdown::ENABLE_TABLES
        | Markdown::ENABLE_TASKLISTS
        | Markdown::ENABLE_STRIKETHROUGH
        | Markdown::ENABLE_FOOTNOTES
        | Markdown::ENABLE_GFM;
    let text = |file| &kep.file(file).text;
    let markdown = kep.readme.file().map(text).map(|text| MarkdownParser::new_ext(text, options).into_offset_iter());
    let yaml = kep.metadata.file().map(text).map(|text| YamlParser::new_from_str(text));
    markdown.into_iter().flatten().map(black_box).count() + yaml.into_iter().flatten().map(black_box).count()
}
