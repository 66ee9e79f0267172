//! The reports of readiness, each of which renders a [`Board`] as text. Here is the table of formats.

pub mod comment;
pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
#[cfg(feature = "pretty")]
pub mod pretty;
mod prr;
#[cfg(feature = "pretty")]
mod questions;
#[cfg(feature = "pretty")]
mod screen;
mod view;
pub mod words;
use crate::ready::board::Board;
use crate::report::look::Look;

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadyFormat {
    pub name: &'static str,
    pub summary: &'static str,
    pub render: fn(&Board, &Look) -> String,
}

pub const ALL: &[ReadyFormat] = &[
    #[cfg(feature = "pretty")]
    row("pretty", "the checklist of one KEP, or a table of several with totals by SIG (default)", pretty::render),
    row("markdown", "a comment for the tracking issue of each KEP, with the lines to write", |board, _| {
        markdown::render(board)
    }),
    row("sigs", "a message for each SIG: what is open in its KEPs, and who has to act", |board, _| {
        markdown::sigs(board)
    }),
    row("json", "all answers as one JSON object", |board, _| json::render(board)),
    row("csv", "a line per KEP and a column per item, for a spreadsheet", |board, _| csv::render(board)),
    row("html", "the dashboard of the release: one page for a browser, with filters", html::render),
];

const fn row(name: &'static str, summary: &'static str, render: fn(&Board, &Look) -> String) -> ReadyFormat {
    ReadyFormat { name, summary, render }
}
