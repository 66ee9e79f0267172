//! What the server can do.

use super::answers;
use super::features::Features;
use serde_json::{Value, json};

/// What an editor is told of it. If the server `formats` nothing, it is no formatter: editors ask which one of several to use.
pub fn told(features: Features, formats: bool) -> Value {
    let mut capabilities = answers::capabilities();
    if !features.asks_findings {
        capabilities.remove(answers::PULL);
    }
    if !formats {
        capabilities.remove(answers::FORMATTER);
    }
    capabilities.insert("positionEncoding".to_owned(), json!(features.encoding.name()));
    let sync = json!({ "openClose": true, "change": 2, "save": { "includeText": false } });
    capabilities.insert("textDocumentSync".to_owned(), sync);
    let folders = json!({ "supported": true, "changeNotifications": true });
    capabilities.insert("workspace".to_owned(), json!({ "workspaceFolders": folders }));
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    })
}
