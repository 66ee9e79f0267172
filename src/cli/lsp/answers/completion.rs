//! `textDocument/completion`.

use super::{Ability, Answer, ask, read, report, value};
use crate::cli::lsp::server::Server;
use crate::editor::completion::{self, Choice, Completions, Kind};
use crate::report::printable;
use crate::span::Span;
use gen_lsp_types::{CompletionParams, Range};
use serde_json::{Value, json};

pub const ABILITY: Ability = Ability {
    method: "textDocument/completion",
    capability: || {
        ("completionProvider", json!({ "triggerCharacters": ["#", ":", " ", "-", "/", "(", "`", "\"", "@"] }))
    },
    answer,
};

fn answer(server: &mut Server, params: Value) -> Answer {
    let CompletionParams { text_document_position_params: at, .. } = read(params)?;
    let list = ask(server, &at.text_document.uri, |asked| {
        let offset = asked.offset(at.position);
        let Completions { range, choices } = completion::at(asked.view, asked.file, offset, report(asked))?;
        let file = asked.view.kep().texts.file(asked.file);
        asked.writer.documents.check_lines(file).ok()?;
        let range = asked.range(Span::new(asked.file, range));
        let items = choices.iter().enumerate().map(|(number, choice)| item(number, choice, range));
        Some(json!({ "isIncomplete": false, "items": items.collect::<Vec<_>>() }))
    });
    value(list.flatten())
}

fn item(number: usize, choice: &Choice, range: Range) -> Value {
    let kind = match choice.kind {
        Kind::Key => 10,
        Kind::Value => 12,
        Kind::Person => 6,
        Kind::Path => 17,
        Kind::Heading => 22,
        Kind::Gate => 20,
        Kind::Rule => 14,
    };
    // What is typed is compared with the first line of what is written: it may begin with a quote.
    let filter = choice.text.lines().next().unwrap_or_default().trim_start();
    let mut item = json!({
        "label": printable(&choice.label),
        "kind": kind,
        "sortText": format!("{number:05}"),
        "filterText": filter,
        // The lines of a heading with its guidance are as they are to be.
        "insertTextMode": 1,
        "textEdit": { "range": range, "newText": choice.text },
    });
    if let Some(fields) = item.as_object_mut() {
        fields.extend(choice.detail.iter().map(|detail| ("detail".to_owned(), json!(printable(detail)))));
        let documentation = choice.documentation.iter();
        let markdown = documentation.map(|text| json!({ "kind": "markdown", "value": text }));
        fields.extend(markdown.map(|content| ("documentation".to_owned(), content)));
    }
    item
}
