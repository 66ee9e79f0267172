//! `textDocument/hover`.

use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::hover::{self, Hover};
use gen_lsp_types::{Contents, Hover as Shown, HoverParams, MarkupContent, MarkupKind};
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/hover", capability: || ("hoverProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let HoverParams { text_document_position_params: at, .. } = read(params)?;
    let hover = ask(server, &at.text_document.uri, |asked| {
        let Hover { span, markdown } = hover::at(asked.view, asked.file, asked.offset(at.position))?;
        let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: markdown });
        Some(Shown { contents, range: Some(asked.range(span)) })
    });
    value(hover.flatten())
}
