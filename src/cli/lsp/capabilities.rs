//! What the server can do, and in which units it counts.

use super::answers;
use crate::editor::position::Encoding;
use serde_json::{Value, json};

/// What is agreed on with a client.
pub struct Agreed {
    pub answer: Value,
    /// How places are counted: the first way that the client names and the server knows.
    pub encoding: Encoding,
    /// Whether it asks for findings, and cannot be told them. One that can do both would show them twice.
    pub is_asked: bool,
}

/// Agrees with what a client says of itself. If the server `formats` nothing, it is no formatter: editors ask which one of
/// several to use.
pub fn agreed(params: &Value, formats: bool) -> Agreed {
    let can = |name: &str| params.pointer("/capabilities/textDocument").is_some_and(|all| all.get(name).is_some());
    let is_asked = can("diagnostic") && !can("publishDiagnostics");

    let wanted = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let named = |name: &Value| Encoding::ALL.into_iter().find(|encoding| name == encoding.name());
    let encoding = wanted.into_iter().flatten().find_map(named).unwrap_or_default();
    let mut capabilities = answers::capabilities();
    if !is_asked {
        capabilities.remove(answers::PULL);
    }
    if !formats {
        capabilities.remove(answers::FORMATTER);
    }
    capabilities.insert("positionEncoding".to_owned(), json!(encoding.name()));
    let sync = json!({ "openClose": true, "change": 2, "save": { "includeText": false } });
    capabilities.insert("textDocumentSync".to_owned(), sync);
    let folders = json!({ "supported": true, "changeNotifications": true });
    capabilities.insert("workspace".to_owned(), json!({ "workspaceFolders": folders }));
    let answer = json!({
        "capabilities": capabilities,
        "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    });
    Agreed { answer, encoding, is_asked }
}
