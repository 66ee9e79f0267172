//! Colors of text. No other file knows the escape codes of a terminal.

use crate::diagnostic::Severity;
use anstyle::{AnsiColor, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Bold,
    Dim,
    Of(Severity),
    Removed,
    Added,
    /// The lines that a diff is about.
    Hunk,
}

impl Paint {
    pub fn only_if(self, color: bool) -> Self {
        if color { self } else { Self::Plain }
    }

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
