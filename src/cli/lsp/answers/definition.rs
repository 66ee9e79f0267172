//! `textDocument/definition`.

use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::definition;
use gen_lsp_types::{DefinitionParams, Location};
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/definition", capability: || ("definitionProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let DefinitionParams { text_document_position_params: at, .. } = read(params)?;
    let places = ask(server, &at.text_document.uri, |asked| {
        let places = definition::of(asked.view, asked.file, asked.offset(at.position));
        places.iter().map(|place| asked.place(place)).collect::<Vec<Location>>()
    });
    value(places)
}
