//! The value of `--format`: the name of a format, and where its text goes.

use super::github;
use crate::report::format::{ALL, Format, of_name};
use crate::suggest;
use std::path::PathBuf;
use std::str::FromStr;

/// A format, and where its text goes.
#[derive(Clone, Debug)]
pub struct FormatArgument {
    pub format: &'static Format,
    /// `None` is standard output.
    pub file: Option<PathBuf>,
}

impl FromStr for FormatArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("missing FILE after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format = if name == AUTO { Some(github::automatic_format()) } else { of_name(name) };
        let format = format.ok_or_else(|| unknown_format(name))?;
        Ok(Self { format, file })
    }
}

fn unknown_format(name: &str) -> String {
    let names: Vec<&str> = std::iter::once(AUTO).chain(ALL.iter().map(|format| format.name)).collect();
    let formats = format!("the formats are {}", suggest::list(&names, "and"));
    match suggest::nearest(name, names.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`? ({formats})"),
        None => formats,
    }
}

/// The help of `--format`.
pub fn formats() -> String {
    let rows = ALL.iter().map(|format| format!("\n- {}: {}", format.name, format.summary));
    let rows: String = rows.collect();
    format!(
        "How findings are printed, or written to FILE; may be given more than once\n- {AUTO}: pretty, and github in \
         GitHub Actions (default){rows}"
    )
}

/// The name that stands for the format that fits where the program runs.
const AUTO: &str = "auto";
