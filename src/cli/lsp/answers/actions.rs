//! `textDocument/codeAction` and `codeAction/resolve`.

use super::{Answer, Asked, Refusal, ask, read};
use crate::cli::lsp::server::Server;
use crate::diagnostic::{Diagnostic, Safety};
use crate::editor::actions::{self, Remedy};
use crate::lint::report::KepReport;
use crate::report::json::encoding::with;
use crate::report::printable;
use gen_lsp_types::{CodeActionParams, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const FIX: &str = "quickfix";

/// The kind of the action that makes all safe fixes.
const FIX_ALL: &str = "source.fixAll.kep-lint";

pub const KINDS: [&str; 2] = [FIX, FIX_ALL];

/// How many changes are tried at most for an editor that asks for no change of an action that was chosen.
const TRIED_ACTIONS: usize = 20;

/// What is remembered of an action until it is chosen.
#[derive(Serialize, Deserialize)]
struct Chosen {
    uri: Uri,
    /// The finding; none if the action is about all of them.
    finding: Option<String>,
    remedy: Option<String>,
}

pub fn answer(server: &Server, params: Value) -> Answer {
    let CodeActionParams { text_document, range, context, .. } = read(params)?;
    if !server.features.code_actions {
        return Ok(json!([]));
    }
    let kinds = context.only.map(|only| json!(only));
    let is_wanted = |kind: &str| {
        let is_in = |wanted: &str| wanted.is_empty() || kind == wanted || kind.starts_with(&format!("{wanted}."));
        let mut wanted = kinds.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        kinds.is_none() || wanted.any(is_in)
    };
    let list = ask(server, &text_document.uri, |asked| {
        let Some(report) = asked.report() else { return Vec::new() };
        let offered = if is_wanted(FIX) { remedies(asked, report, range) } else { Vec::new() };
        let (ignores, fixes): (Vec<_>, Vec<_>) = offered.into_iter().partition(|(remedy, _)| *remedy == Remedy::Ignore);
        let action = |(remedy, finding)| action(asked, report, &text_document.uri, finding, remedy);
        let all = if is_wanted(FIX_ALL) { fix_all(asked, report, &text_document.uri) } else { None };
        fixes.into_iter().filter_map(action).chain(all).chain(ignores.into_iter().filter_map(action)).collect()
    });
    Ok(json!(list.unwrap_or_default()))
}

pub fn resolve(server: &Server, mut action: Value) -> Answer {
    let data = action.get_mut("data").map(Value::take).unwrap_or_default();
    let chosen: Chosen = read(data)?;
    let edit = ask(server, &chosen.uri, |asked| edit(asked, &chosen));
    let edit = edit.unwrap_or_else(|| Err("the document is not open any more".to_owned()));
    let edit = edit.map_err(|reason| Refusal::Failed(format!("not changed: {reason}")))?;
    if let Some(action) = action.as_object_mut() {
        action.remove("data");
        action.insert("edit".to_owned(), edit);
    }
    Ok(action)
}

/// What an action changes, or why it does not, as a clause.
fn edit(asked: &Asked<'_>, Chosen { finding, remedy, .. }: &Chosen) -> Result<Value, String> {
    let change = match (finding, remedy) {
        (Some(print), Some(name)) => {
            let found = asked.report().and_then(|report| actions::finding(report, print));
            let (Some(known), Some(found)) = (Remedy::named(name), found) else {
                return Err("the finding is not there any more".to_owned());
            };
            actions::change(asked.view, found, known)?
        }
        _ => asked.all_fixes(),
    };
    asked.writer.change(&asked.view.kep().texts, &change)
}

/// What can be done about the findings in `range` of the document: the fixes first, the safe ones before the others.
fn remedies<'r>(asked: &Asked<'_>, report: &'r KepReport, range: Range) -> Vec<(Remedy, &'r Diagnostic)> {
    let (start, end) = (asked.offset(range.start), asked.offset(range.end));
    let findings = report.diagnostics.iter().filter(|finding| {
        let span = finding.span;
        finding.severity >= asked.kep.level && span.file == asked.file && span.start <= end && start <= span.end
    });
    let remedies_of =
        |finding| actions::remedies(&asked.view.texts, finding).into_iter().map(move |remedy| (remedy, finding));
    let mut all: Vec<(Remedy, &Diagnostic)> = findings.flat_map(remedies_of).collect();
    all.sort_by_key(|(remedy, _)| *remedy);
    if !asked.writer.features.resolves_actions {
        // The change of each is tried before it is offered.
        all.truncate(TRIED_ACTIONS);
    }
    all
}

fn action(asked: &Asked<'_>, report: &KepReport, uri: &Uri, finding: &Diagnostic, remedy: Remedy) -> Option<Value> {
    let action = json!({
        "title": printable(&remedy.title(finding)),
        "kind": FIX,
        "diagnostics": [asked.writer.finding(report, finding)],
        "isPreferred": remedy == Remedy::Fix(Safety::Safe),
    });
    let (finding, remedy) = (finding.fingerprint?.to_string(), remedy.name().to_owned());
    offered(asked, action, &Chosen { uri: uri.clone(), finding: Some(finding), remedy: Some(remedy) })
}

/// The action that makes all safe fixes of the KEP, if there are any.
fn fix_all(asked: &Asked<'_>, report: &KepReport, uri: &Uri) -> Option<Value> {
    let is_safe = |finding: &Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    report.diagnostics.iter().find(|finding| is_safe(finding))?;
    let title = format!("Make all safe fixes of this {}", report.layout.name());
    let action = json!({ "title": title, "kind": FIX_ALL });
    offered(asked, action, &Chosen { uri: uri.clone(), finding: None, remedy: None })
}

/// An action with what is asked for once it is chosen, or with its change; `None` if that does not work.
fn offered(asked: &Asked<'_>, action: Value, chosen: &Chosen) -> Option<Value> {
    if asked.writer.features.resolves_actions {
        return Some(with(action, "data", json!(chosen)));
    }
    Some(with(action, "edit", edit(asked, chosen).ok()?))
}
