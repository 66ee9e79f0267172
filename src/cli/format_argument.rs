//! The formats of findings, as `--format` of `check` and `template check` names them.

use super::destination::FormatArgument;
use super::github;
use crate::report::format::{ALL, Format, of_name};
use crate::suggest;

pub fn format_argument(text: &str) -> Result<FormatArgument<Format>, String> {
    FormatArgument::parse(text, |name| {
        let format = if name == AUTO { Some(github::automatic_format()) } else { of_name(name) };
        format.ok_or_else(|| unknown_format(name))
    })
}

fn unknown_format(name: &str) -> String {
    if let Some(gone) = suggest::gone(name) {
        return gone;
    }
    let names: Vec<&str> = std::iter::once(AUTO).chain(ALL.iter().map(|format| format.name)).collect();
    let formats = format!("the formats are {}", suggest::list(&names, "and"));
    match suggest::nearest(name, names.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`? ({formats})"),
        None => formats,
    }
}

pub const FORMATS: &str = "How findings are printed, or written to FILE";

pub fn formats() -> String {
    let rows = ALL.iter().map(|format| format!("\n- {}: {}", format.name, format.summary));
    let rows: String = rows.collect();
    format!("{FORMATS}; may be given more than once\n- {AUTO}: pretty, and github in GitHub Actions (default){rows}")
}

/// The name that stands for the format that fits where the program runs.
const AUTO: &str = "auto";
