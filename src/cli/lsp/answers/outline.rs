//! `textDocument/documentSymbol`.

use super::{Ability, Answer, Asked, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::outline::{self, Kind, Symbol};
use crate::report::printable;
use crate::span::Span;
use gen_lsp_types::DocumentSymbolParams;
use serde_json::{Value, json};

/// How the protocol calls a text and a key, and an object with several keys.
const STRING: u32 = 15;
const KEY: u32 = 20;
const OBJECT: u32 = 19;

pub const ABILITY: Ability =
    Ability { method: "textDocument/documentSymbol", capability: || ("documentSymbolProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let DocumentSymbolParams { text_document, .. } = read(params)?;
    let symbols = ask(server, &text_document.uri, |asked| {
        let symbols = outline::of(asked.view, asked.file);
        symbols.iter().map(|symbol| shown(asked, symbol)).collect::<Vec<_>>()
    });
    value(symbols)
}

/// An entry with those in it.
fn shown(asked: &Asked<'_>, symbol: &Symbol) -> Value {
    let kind = match symbol.kind {
        Kind::Section => STRING,
        Kind::Key => KEY,
        Kind::Group => OBJECT,
    };
    let range = |bytes: &std::ops::Range<usize>| asked.range(Span::new(asked.file, bytes.clone()));
    json!({
        "name": printable(&symbol.name),
        "detail": printable(&symbol.detail),
        "kind": kind,
        "range": range(&symbol.range),
        "selectionRange": range(&symbol.selection),
        "children": symbol.children.iter().map(|child| shown(asked, child)).collect::<Vec<_>>(),
    })
}
