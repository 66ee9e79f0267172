//! `textDocument/formatting`: the table of contents, if the setting `format-toc` is on.

use super::{Ability, Answer, FORMATTER, Refusal, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::format;
use gen_lsp_types::DocumentFormattingParams;
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/formatting", capability: || (FORMATTER, json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let DocumentFormattingParams { text_document, .. } = read(params)?;
    if !server.settings.formats_contents {
        return Ok(json!([]));
    }
    let edits = ask(server, &text_document.uri, |asked| {
        let Some(change) = format::contents(asked.view, asked.file) else { return Ok(Vec::new()) };
        asked.writer.documents.check_lines(asked.view.kep().texts.file(asked.file))?;
        let edits = change.edits.iter().map(|edit| json!({ "range": asked.range(edit.span), "newText": edit.text }));
        Ok(edits.collect::<Vec<Value>>())
    });
    let edits: Result<Vec<Value>, String> = edits.unwrap_or(Ok(Vec::new()));
    value(edits.map_err(|reason| Refusal::Failed(format!("not formatted: {reason}")))?)
}
