//! What the screen is like that a report is drawn for, and how much to put on it.

/// Made by [`Look::default`], and then changed where the screen is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// Columns; fewer than 40 count as 40.
    pub width: usize,
    /// Whether to paint.
    pub color: bool,
    /// Whether frames may be drawn with more than ASCII.
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
