//! The properties of the screen that a report is rendered for, and how much to show.

/// Made by [`Look::default`]; then set the fields that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// Columns; fewer than 40 count as 40.
    pub width: usize,
    /// Whether to use color.
    pub color: bool,
    /// Whether frames may use other characters than ASCII.
    pub unicode: bool,
    /// How many findings to show, errors first; 0 shows all.
    pub max_findings: usize,
}

impl Default for Look {
    /// All findings, without color, for a screen of 100 columns.
    fn default() -> Self {
        Self { width: 100, color: false, unicode: true, max_findings: 0 }
    }
}
