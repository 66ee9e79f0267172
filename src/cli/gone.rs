//! What earlier versions had. Until version 1.0, whoever still types it is told what to use instead.

use crate::diagnostic::Failure;
use clap::error::{ContextKind, ContextValue};

/// Options, each with what to use instead.
const OPTIONS: [(&str, &str); 2] = [
    ("--baseline", "`--since auto --new-only`; for a whole tree, `overrides` or `--add-ignores` (docs/ci.md)"),
    ("--write-baseline", "`--since auto --new-only`; for a whole tree, `overrides` or `--add-ignores` (docs/ci.md)"),
];

/// Formats, each with what to use instead.
const FORMATS: [(&str, &str); 2] =
    [("jsonl", "`json` (`jq -c '.diagnostics[]'`)"), ("rdjson", "`sarif`, which reviewdog reads")];

/// What to use instead of a format that is gone.
pub fn format(name: &str) -> Option<&'static str> {
    FORMATS.iter().find(|(format, _)| *format == name).map(|(_, instead)| *instead)
}

/// The failure in place of `message`, if that is about an option that is gone.
pub fn option(message: &clap::Error) -> Option<Failure> {
    let Some(ContextValue::String(typed)) = message.get(ContextKind::InvalidArg) else { return None };
    let (option, instead) = OPTIONS.iter().find(|(option, _)| option == typed)?;
    Some(Failure::new(format!("`{option}` is gone")).help(format!("use {instead}")))
}
