//! `textDocument/codeLens`.

use super::commands::{PROMOTE, READY};
use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::harmless;
use crate::editor::lens::{self, Lens, Offer};
use gen_lsp_types::CodeLensParams;
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/codeLens", capability: || ("codeLensProvider", json!({})), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let CodeLensParams { text_document, .. } = read(params)?;
    let lenses = ask(server, &text_document.uri, |asked| {
        let shown = |Lens { span, title, offer }: Lens| {
            let (command, argument) = match offer {
                Offer::Readiness => (READY, json!({ "uri": text_document.uri })),
                Offer::Promotion(goal) => (PROMOTE, json!({ "uri": text_document.uri, "to": lens::name(goal) })),
            };
            let command = json!({ "title": harmless::message(&title), "command": command, "arguments": [argument] });
            json!({ "range": asked.range(span), "command": command })
        };
        lens::all(asked.view, asked.file).into_iter().map(shown).collect::<Vec<_>>()
    });
    value(lenses.unwrap_or_default())
}
