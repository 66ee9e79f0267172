//! The reports of readiness: each file below renders a [`Board`] as text. Here are the table of formats, and the words
//! that they share.

pub mod comment;
mod csv;
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
#[cfg(feature = "pretty")]
mod table;
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
    ReadyFormat {
        name: "markdown",
        summary: "a comment for the tracking issue of each KEP, with the lines to write",
        reader: Reader::Program,
        render: |board, _| markdown::render(board),
    },
    ReadyFormat {
        name: "sigs",
        summary: "a message for each SIG: what is open in its KEPs, and who has to act",
        reader: Reader::Program,
        render: |board, _| markdown::sigs(board),
    },
    ReadyFormat {
        name: "json",
        summary: "all answers as one JSON object",
        reader: Reader::Program,
        render: |board, _| json::render(board),
    },
    ReadyFormat {
        name: "csv",
        summary: "a line per KEP and a column per item, for a spreadsheet",
        reader: Reader::Program,
        render: |board, _| csv::render(board),
    },
    ReadyFormat {
        name: "html",
        summary: "the dashboard of the release: one page for a browser, with filters",
        reader: Reader::Program,
        render: html::render,
    },
];

pub fn of_name(name: &str) -> Option<&'static ReadyFormat> {
    ALL.iter().find(|format| format.name == name)
}
