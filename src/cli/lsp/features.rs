//! What the editor can do, and in which units it counts.

use crate::editor::position::Encoding;
use serde_json::Value;

/// What the editor says that it can do; nothing else is asked of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// How places are counted: the first way that the editor names and the server knows.
    pub encoding: Encoding,
    /// It asks for findings, and cannot be told them. One that can do both would show them twice.
    pub asks_findings: bool,
    /// It knows to which version of a document a change belongs.
    pub versions: bool,
    pub creates_files: bool,
    /// A change may leave something to type.
    pub snippet_edits: bool,
    /// It makes changes that the server asks for.
    pub applies_edits: bool,
    pub code_actions: bool,
    /// It asks for the change of a code action when that is chosen.
    pub resolves_actions: bool,
    /// It takes back or adds while it runs that the server formats.
    pub registers_formatting: bool,
    /// It asks for findings again when the server says so.
    pub refreshes_findings: bool,
}

impl Features {
    /// Those that the parameters of `initialize` name.
    pub fn of(params: &Value) -> Self {
        let at = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let is = |path: &str| at(path).and_then(Value::as_bool).unwrap_or_default();
        let has = |path: &str, word: &str| {
            at(path).and_then(Value::as_array).is_some_and(|words| words.iter().any(|known| known == word))
        };
        let versions = is("workspace/workspaceEdit/documentChanges");
        let wanted = at("general/positionEncodings").and_then(Value::as_array);
        let named = |name: &Value| Encoding::ALL.into_iter().find(|encoding| name == encoding.name());
        Self {
            encoding: wanted.into_iter().flatten().find_map(named).unwrap_or_default(),
            asks_findings: at("textDocument/diagnostic").is_some() && at("textDocument/publishDiagnostics").is_none(),
            versions,
            creates_files: versions && has("workspace/workspaceEdit/resourceOperations", "create"),
            snippet_edits: versions && is("workspace/workspaceEdit/snippetEditSupport"),
            applies_edits: is("workspace/applyEdit"),
            code_actions: at("textDocument/codeAction/codeActionLiteralSupport").is_some_and(Value::is_object),
            resolves_actions: is("textDocument/codeAction/dataSupport")
                && has("textDocument/codeAction/resolveSupport/properties", "edit"),
            registers_formatting: is("textDocument/formatting/dynamicRegistration"),
            refreshes_findings: is("workspace/diagnostics/refreshSupport"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_editor_that_says_nothing_can_do_nothing() {
        assert_eq!(format!("{:?}", Features::of(&json!(null))), format!("{:?}", Features::default()));
        let edit =
            json!({ "documentChanges": true, "resourceOperations": ["rename", "create"], "snippetEditSupport": true });
        let features = Features::of(&json!({ "capabilities": { "workspace": { "workspaceEdit": edit } } }));
        assert!(features.versions && features.creates_files && features.snippet_edits && !features.applies_edits);
        let without = json!({ "resourceOperations": ["create"], "snippetEditSupport": true });
        let other = Features::of(&json!({ "capabilities": { "workspace": { "workspaceEdit": without } } }));
        assert!(!other.creates_files && !other.snippet_edits, "files are only created in changes of documents");
    }
}
