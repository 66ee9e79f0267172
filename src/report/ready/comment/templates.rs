//! The file of the Release Team's templates, read as Markdown: below the heading of a gate, a fenced block after a paragraph
//! that begins with ❌, for a KEP that does not meet it, and one after ✅.
use crate::markdown::Document;
use crate::markdown::prose::{Block, blocks};
use crate::markdown::section::Section;
use crate::markdown::title::Title;
use crate::source::SourceFile;
use crate::span::{FileId, slice};
use std::sync::{Arc, LazyLock};

/// Those of kep-lint itself, which have no commands. A test reads all of their blocks.
pub static BUILT_IN: LazyLock<Templates> =
    LazyLock::new(|| Templates(Document::of_text(include_str!("../../../../templates/comments.md"))));

/// What a paragraph begins with, before the block for a KEP that is not ready, and for one that is.
const MARKS: [char; 2] = ['❌', '✅'];

pub struct Templates(Document);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    pub not_met: String,
    pub met: String,
}

impl Templates {
    pub fn parse(file: Arc<SourceFile>) -> Self {
        Self(Document::parse(FileId(0), file))
    }

    /// The templates below the first of these headings that there is; or what is wrong.
    pub fn blocks(&self, headings: &[String]) -> Result<Blocks, String> {
        let section = |heading: &String| {
            let key = Title::new(heading).key;
            self.0.sections.iter().map(|(_, section)| section).find(|section| section.title.key == key)
        };
        let Some(section) = headings.iter().find_map(section) else {
            let names: Vec<String> = headings.iter().map(|heading| format!("`## {heading}`")).collect();
            return Err(format!("it has no heading {}", names.join(" or ")));
        };
        let [not_met, met] = MARKS
            .map(|mark| self.block(section, mark).map_err(|problem| format!("`## {}` {problem}", section.title.text)));
        Ok(Blocks { not_met: not_met?, met: met? })
    }

    /// The only block of a section after this mark that stands in no list or quote.
    fn block(&self, section: &Section, mark: char) -> Result<String, String> {
        const DEEPEST: usize = 3;
        let mark_of = |line: &str| line.trim_start().chars().next().filter(|first| MARKS.contains(first));
        let (mut last, mut found) = (None, None);
        for block in blocks(slice(self.0.text(), section.subtree.clone())) {
            let (opening, code, closing) = match block {
                Block::Heading(lines) | Block::Other(lines) => {
                    last = lines.lines().filter_map(mark_of).next_back().or(last);
                    continue;
                }
                Block::Text { front, text } => {
                    last = format!("{front}{text}").lines().filter_map(mark_of).next_back().or(last);
                    continue;
                }
                Block::Fenced { opening, code, closing, .. } => (opening, code, closing),
            };
            let fence = opening.trim_start_matches(' ');
            let indent = opening.len() - fence.len();
            if indent > DEEPEST || !fence.starts_with(['`', '~']) || last.take() != Some(mark) {
                continue;
            }
            if closing.is_empty() {
                return Err(format!("has a block after {mark} that is not closed"));
            }
            let unindented = |line: &str| {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                slice(line, blanks.min(indent)..).to_owned()
            };
            if found.replace(code.lines().map(unindented).collect::<Vec<_>>().join("\n")).is_some() {
                return Err(format!("has more than one block after {mark}"));
            }
        }
        found.ok_or_else(|| format!("has no fenced block after a line that begins with {mark}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::calendar::Family;
    use crate::ready::gate::Gate;
    use crate::stage::Release;

    fn blocks(text: &str) -> Result<Blocks, String> {
        Templates(Document::of_text(text)).blocks(&["B Templates".to_owned(), "A Templates".to_owned()])
    }

    #[test]
    fn the_built_in_file_has_every_template_and_no_command() {
        for gate in Gate::ALL {
            let family = Family::of(Release { major: 1, minor: 38 });
            let Blocks { met, not_met } = BUILT_IN.blocks(&gate.headings(family)).expect("they are there");
            for line in met.lines().chain(not_met.lines()) {
                assert!(!line.trim_start().starts_with('/') && !line.contains('@'), "{line}");
            }
            assert!(not_met.contains("- {insert list of action items}") && !met.contains("action items"));
        }
    }

    #[test]
    fn blocks_are_found_by_heading_and_mark() {
        let text = "# T\n\n```\n❌ no\n```\n\n### a templates\n\n `❌` ok\n\n```sh\nno\n```\n\n❌ If\nnot, `x`:\n\n\
                    ~~~ md\na\n  /b\n\n~~~\n\nThen `c`.\n\n✅ If:\n\n  ```\n  d\n   e\n  ```\n## Other\n\n✅\n\n```\nf\n```\n";
        let expected = Blocks { not_met: "a\n  /b\n".to_owned(), met: "d\n e".to_owned() };
        assert_eq!(blocks(text), Ok(expected));
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(blocks("# T\n"), Err("it has no heading `## B Templates` or `## A Templates`".to_owned()));
        let after = |rest: &str| blocks(&format!("## A Templates\n\n❌\n\n```\na\n```\n\n{rest}"));
        let failed = |problem: &str| Err(format!("`## A Templates` {problem}"));
        assert_eq!(after("✅\n"), failed("has no fenced block after a line that begins with ✅"));
        assert_eq!(after("✅\n\n- ```\n  a\n  ```\n"), failed("has no fenced block after a line that begins with ✅"));
        assert_eq!(after("✅\n\n```\nb\n"), failed("has a block after ✅ that is not closed"));
        assert_eq!(after("❌\n\n```\nb\n```\n"), failed("has more than one block after ❌"));
    }
}
