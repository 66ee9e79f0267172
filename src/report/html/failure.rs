//! What could not be read or done, which no filter hides.

use super::text::with_code;
use crate::diagnostic::Failure;

/// The section of these failures; empty without any.
pub fn section(failures: &[Failure]) -> String {
    let item = |failure: &Failure| {
        let help = failure.help.as_deref().map(|help| format!("<br>help: {}", with_code(help))).unwrap_or_default();
        format!("<li>{}{help}</li>\n", with_code(&failure.public_message()))
    };
    let items: String = failures.iter().map(item).collect();
    if items.is_empty() {
        return String::new();
    }
    format!(
        "<section class=\"failures\" aria-label=\"Failures\">\n<h2>This report is incomplete</h2>\n<ul>\n{items}</ul>\n</section>\n"
    )
}
