//! What the server can do, and in which units it counts.

use super::answers;
use crate::editor::position::Encoding;
use serde_json::{Value, json};

/// The answer to `initialize`, and what is agreed on how places are counted: the first way that the client names and the
/// server knows.
pub fn agreed(params: &Value) -> (Value, Encoding) {
    let wanted = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let named = |name: &Value| Encoding::ALL.into_iter().find(|encoding| name == encoding.name());
    let encoding = wanted.into_iter().flatten().find_map(named).unwrap_or_default();
    let mut capabilities = answers::capabilities();
    capabilities.insert("positionEncoding".to_owned(), json!(encoding.name()));
    let sync = json!({ "openClose": true, "change": 2, "save": { "includeText": false } });
    capabilities.insert("textDocumentSync".to_owned(), sync);
    let answer = json!({
        "capabilities": capabilities,
        "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    });
    (answer, encoding)
}
