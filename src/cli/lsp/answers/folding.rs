//! `textDocument/foldingRange`.

use super::{Ability, Answer, ask, read, value};
use crate::cli::lsp::server::Server;
use crate::editor::folding::{self, Fold};
use gen_lsp_types::FoldingRangeParams;
use serde_json::{Value, json};

pub const ABILITY: Ability =
    Ability { method: "textDocument/foldingRange", capability: || ("foldingRangeProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let FoldingRangeParams { text_document, .. } = read(params)?;
    let folds = ask(server, &text_document.uri, |asked| {
        let folds = folding::of(asked.view, asked.file);
        folds.into_iter().map(shown).collect::<Vec<_>>()
    });
    value(folds)
}

fn shown(Fold { first, last, is_comment }: Fold) -> Value {
    let mut shown = json!({ "startLine": first, "endLine": last });
    if is_comment && let Some(shown) = shown.as_object_mut() {
        shown.insert("kind".to_owned(), json!("comment"));
    }
    shown
}
