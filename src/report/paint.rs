//! Colors of text. No other file knows the escape codes of a terminal.

use crate::diagnostic::Severity;
use anstyle::{AnsiColor, Style};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// A kind of text, by its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Paint {
    /// The terminal's own color.
    Plain,
    /// Bold.
    Bold,
    /// Fainter than other text.
    Dim,
    /// The color of this severity.
    Of(Severity),
    /// Lines that a diff removes.
    Removed,
    /// Lines that a diff adds.
    Added,
    /// The lines that a diff is about.
    Hunk,
}

impl Paint {
    /// This paint if `color` is on, else [`Paint::Plain`].
    pub fn only_if(self, color: bool) -> Self {
        if color { self } else { Self::Plain }
    }

    /// `text` in this color.
    pub fn apply(self, text: &str) -> String {
        let style = self.style();
        format!("{style}{text}{style:#}")
    }

    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Bold => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Of(Severity::Error) | Self::Removed => AnsiColor::Red.on_default(),
            Self::Of(Severity::Warning) => AnsiColor::Yellow.on_default(),
            Self::Of(Severity::Advice) | Self::Hunk => AnsiColor::Cyan.on_default(),
            Self::Added => AnsiColor::Green.on_default(),
        }
    }
}

/// The URL of the file at an absolute `path`.
pub fn file_url(path: &str) -> String {
    format!("file://{}", url_path(path))
}

/// A path as a part of a URL.
pub fn url_path(path: &str) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(path, KEPT).to_string()
}

/// `text` as a link to `url`, for a screen that can follow links.
pub fn link(text: &str, url: &str) -> String {
    format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paint_is_removed_after_the_text() {
        assert_eq!(Paint::Of(Severity::Warning).apply("text"), "\u{1b}[33mtext\u{1b}[0m");
        assert_eq!(Paint::Bold.only_if(true).apply("text"), "\u{1b}[1mtext\u{1b}[0m");
        assert_eq!(Paint::Bold.only_if(false).apply("text"), "text");
    }
}
