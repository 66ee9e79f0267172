//! `textDocument/diagnostic`: an editor that cannot be told findings asks for them.

use super::{Ability, Answer, PULL, read};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::uri;
use gen_lsp_types::DocumentDiagnosticParams;
use serde_json::{Map, Value, json};

pub const ABILITY: Ability = Ability {
    method: "textDocument/diagnostic",
    capability: || {
        let value = json!({ "identifier": "kep-lint", "interFileDependencies": true, "workspaceDiagnostics": false });
        (PULL, value)
    },
    answer,
};

/// The findings in a document, and in the other files of its KEP.
fn answer(server: &mut Server, params: Value) -> Answer {
    let DocumentDiagnosticParams { text_document, .. } = read(params)?;
    let Some(path) = uri::path(&text_document.uri) else { return Ok(json!({ "kind": "full", "items": [] })) };
    let mut findings = server.findings(&path);
    let own = findings.remove(&path).unwrap_or_default();
    let related: Map<String, Value> = findings
        .into_iter()
        .map(|(other, items)| (server.documents.uri(&other).0, json!({ "kind": "full", "items": items })))
        .collect();
    Ok(json!({ "kind": "full", "items": own, "relatedDocuments": related }))
}
