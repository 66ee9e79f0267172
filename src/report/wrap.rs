//! Text in lines that fit the screen. No other file uses textwrap.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The lines of `text`, each at most `width` columns wide, the first one after `first` and the others after `other`.
/// Lines break only at spaces, so that a path or a command is never cut; one that is too long is too long.
pub fn lines(text: &str, width: usize, first: &str, other: &str) -> Vec<String> {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(other)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_alone() {
        let text = "see keps/sig-node/1-long-name/README.md for more";
        let wanted = ["- see", "  keps/sig-node/1-long-name/README.md", "  for more"];
        assert_eq!(lines(text, 20, "- ", "  "), wanted);
        assert_eq!(lines("漢字 漢字", 6, "", ""), ["漢字", "漢字"]);
        assert_eq!(lines("", 20, "", ""), [""]);
    }
}
