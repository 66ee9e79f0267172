//! `textDocument/prepareRename` and `textDocument/rename`: headings.

use super::{Ability, Answer, Refusal, ask, read, value};
use crate::bounds;
use crate::cli::lsp::edit::Writer;
use crate::cli::lsp::server::Server;
use crate::diagnostic::counted;
use crate::editor::rename::{self, Renamed};
use gen_lsp_types::{RenameParams, TextDocumentPositionParams};
use serde_json::{Value, json};

pub const ABILITY: Ability = Ability { method: "textDocument/rename", capability, answer };

/// Whether there is a heading to rename.
pub const PREPARE: Ability = Ability { method: "textDocument/prepareRename", capability, answer: prepare };

fn capability() -> (&'static str, Value) {
    ("renameProvider", json!({ "prepareProvider": true }))
}

fn prepare(server: &mut Server, params: Value) -> Answer {
    let at: TextDocumentPositionParams = read(params)?;
    let heading = ask(server, &at.text_document.uri, |asked| {
        let heading = rename::heading(asked.view, asked.file, asked.offset(at.position))?;
        Some(json!({ "range": asked.range(heading.span), "placeholder": heading.text }))
    });
    value(heading.flatten())
}

fn answer(server: &mut Server, params: Value) -> Answer {
    let params: RenameParams = read(params)?;
    let (at, features) = (params.text_document_position_params, server.features);
    let renamed = ask(server, &at.text_document.uri, |asked| {
        let repositories = &asked.project.repositories;
        let read = |path: &str| repositories.document(path);
        let offset = asked.offset(at.position);
        let Renamed { change, elsewhere } = rename::rename(asked.view, asked.file, offset, &params.new_name, &read)?;
        let writer = Writer { documents: asked.documents, encoding: asked.encoding, features };
        Ok((writer.change(&asked.view.kep().texts, &change)?, elsewhere))
    });
    let renamed: Result<(Value, Vec<String>), String> =
        renamed.unwrap_or_else(|| Err("this is no document of a KEP".to_owned()));
    let (change, elsewhere) = renamed.map_err(|reason| Refusal::Failed(format!("not renamed: {reason}")))?;
    if !elsewhere.is_empty() {
        let links = counted(elsewhere.len(), "link of another KEP leads", "links of other KEPs lead");
        let more = if elsewhere.len() > bounds::SHOWN_LINKS { ", …" } else { "" };
        let first: Vec<String> = elsewhere.into_iter().take(bounds::SHOWN_LINKS).collect();
        let words = format!("{links} to the old heading: {}{more}; they are not changed", first.join(", "));
        server.client.tell(&words);
    }
    Ok(change)
}
