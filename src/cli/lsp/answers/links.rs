//! `textDocument/documentLink`.

use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::links;
use gen_lsp_types::{DocumentLink, DocumentLinkParams};
use serde_json::{Value, json};
use std::path::Path;

pub const ABILITY: Ability = Ability {
    method: "textDocument/documentLink",
    capability: || ("documentLinkProvider", json!({ "resolveProvider": false })),
    answer,
};

fn answer(server: &mut Server, params: Value) -> Answer {
    let DocumentLinkParams { text_document, .. } = read(params)?;
    let links = ask(server, &text_document.uri, |asked| {
        let all = links::files(asked.view, asked.file).into_iter();
        let link = |(span, path): (_, String)| DocumentLink {
            range: asked.range(span),
            target: Some(asked.documents.uri(Path::new(&path))),
            ..DocumentLink::default()
        };
        all.map(link).collect::<Vec<_>>()
    });
    value(links)
}
