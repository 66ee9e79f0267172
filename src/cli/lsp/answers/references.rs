//! `textDocument/references`.

use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::references;
use gen_lsp_types::{Location, ReferenceParams};
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/references", capability: || ("referencesProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let ReferenceParams { text_document_position_params: at, context, .. } = read(params)?;
    let places = ask(server, &at.text_document.uri, |asked| {
        let offset = asked.offset(at.position);
        let places = references::of(asked.view, asked.file, offset, context.include_declaration);
        places.iter().map(|place| asked.place(place)).collect::<Vec<Location>>()
    });
    value(places)
}
