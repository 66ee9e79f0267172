//! The reports of readiness, each of which renders a [`Board`] as text. Here is the table of formats.

pub mod comment;
pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
#[cfg(feature = "pretty")]
mod one;
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
use crate::report::format::Reader;
use crate::report::look::Look;

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadyFormat {
    pub name: &'static str,
    pub summary: &'static str,
    pub reader: Reader,
    pub render: fn(&Board, &Look) -> String,
}

pub const ALL: &[ReadyFormat] = &[
    #[cfg(feature = "pretty")]
    ReadyFormat {
        name: "pretty",
        summary: "the checklist of one KEP, or a table of several with totals by SIG (default)",
        reader: Reader::Person,
        render: pretty::render,
    },
    for_programs("markdown", "a comment for the tracking issue of each KEP, with the lines to write", |board, _| {
        markdown::render(board)
    }),
    for_programs("sigs", "a message for each SIG: what is open in its KEPs, and who has to act", |board, _| {
        markdown::sigs(board)
    }),
    for_programs("json", "all answers as one JSON object", |board, _| json::render(board)),
    for_programs("csv", "a line per KEP and a column per item, for a spreadsheet", |board, _| csv::render(board)),
    for_programs("html", "the dashboard of the release: one page for a browser, with filters", html::render),
];

const fn for_programs(name: &'static str, summary: &'static str, render: fn(&Board, &Look) -> String) -> ReadyFormat {
    ReadyFormat { name, summary, reader: Reader::Program, render }
}
