//! The facts of a repository as the text of a file.

use super::json::encoding::line;
use crate::repository::facts::Written;

/// One line of JSON, always the same for the same facts.
pub fn render(written: &Written) -> String {
    line(written)
}
