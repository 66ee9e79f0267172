//! `textDocument/codeAction` and `codeAction/resolve`.

use super::{Ability, Answer, Asked, Refusal, ask, read, report, value};
use crate::cli::lsp::server::Server;
use crate::diagnostic::{Diagnostic, Safety};
use crate::editor::actions::{self, Remedy};
use crate::lint::report::KepReport;
use crate::report::printable;
use gen_lsp_types::{CodeActionParams, Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub const ABILITY: Ability = Ability { method: "textDocument/codeAction", capability, answer };

/// The change of an action that was chosen.
pub const RESOLVE: Ability = Ability { method: "codeAction/resolve", capability, answer: resolve };

const FIX: &str = "quickfix";

/// The kind of the action that makes all safe fixes.
const FIX_ALL: &str = "source.fixAll.kep-lint";

fn capability() -> (&'static str, Value) {
    ("codeActionProvider", json!({ "codeActionKinds": [FIX, FIX_ALL], "resolveProvider": true }))
}

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

fn answer(server: &mut Server, params: Value) -> Answer {
    let CodeActionParams { text_document, range, context, .. } = read(params)?;
    if !server.features.code_actions {
        return Ok(json!([]));
    }
    let kinds: Option<Vec<String>> =
        context.only.map(|only| only.iter().filter_map(|kind| Some(json!(kind).as_str()?.to_owned())).collect());
    let is_wanted = |kind: &str| {
        let is_in = |wanted: &String| kind == wanted || kind.starts_with(&format!("{wanted}."));
        kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|wanted| wanted.is_empty() || is_in(wanted)))
    };
    let list = ask(server, &text_document.uri, |asked| {
        let mut list = Vec::new();
        if is_wanted(FIX) {
            list.extend(remedies(asked, &text_document.uri, range));
        }
        if is_wanted(FIX_ALL) {
            let place = list.iter().position(is_ignore).unwrap_or(list.len());
            list.splice(place..place, fix_all(asked, &text_document.uri));
        }
        list
    });
    value(list.unwrap_or_default())
}

fn is_ignore(action: &Value) -> bool {
    action.pointer("/title").and_then(Value::as_str).is_some_and(|title| title.starts_with("Ignore "))
}

fn resolve(server: &mut Server, mut action: Value) -> Answer {
    let data = action.get_mut("data").map(Value::take).unwrap_or_default();
    let Chosen { uri, finding: print, remedy: name } = read(data)?;
    let edit = ask(server, &uri, |asked| {
        let Some((print, name)) = print.zip(name) else { return all_fixes(asked) };
        let finding = report(asked).and_then(|report| actions::finding(report, &print));
        let (Some(remedy), Some(finding)) = (Remedy::named(&name), finding) else {
            return Err("the finding is not there any more".to_owned());
        };
        change(asked, finding, remedy)
    });
    let edit = edit.unwrap_or_else(|| Err("the document is not open any more".to_owned()));
    let edit = edit.map_err(|reason| Refusal::Failed(format!("not changed: {reason}")))?;
    if let Some(action) = action.as_object_mut() {
        action.remove("data");
        action.insert("edit".to_owned(), edit);
    }
    Ok(action)
}

fn change(asked: &Asked<'_>, finding: &Diagnostic, remedy: Remedy) -> Result<Value, String> {
    asked.writer.change(&asked.view.kep().texts, &actions::change(asked.view, finding, remedy)?)
}

fn all_fixes(asked: &Asked<'_>) -> Result<Value, String> {
    asked.writer.change(&asked.view.kep().texts, &asked.all_fixes())
}

/// What can be done about the findings in `range` of the document: the fixes first, the safe ones before the others.
fn remedies(asked: &Asked<'_>, uri: &Uri, range: Range) -> Vec<Value> {
    let Some(report) = report(asked) else { return Vec::new() };
    let (start, end) = (asked.offset(range.start), asked.offset(range.end));
    let findings = report.diagnostics.iter().filter(|finding| {
        let span = finding.span;
        finding.severity >= asked.kep.level && span.file == asked.file && span.start <= end && start <= span.end
    });
    let remedy_of =
        |finding| actions::remedies(&asked.view.texts, finding).into_iter().map(move |remedy| (remedy, finding));
    let mut all: Vec<(Remedy, &Diagnostic)> = findings.flat_map(remedy_of).collect();
    all.sort_by_key(|(remedy, _)| *remedy);
    if !asked.writer.features.resolves_actions {
        // The change of each is tried before it is offered.
        all.truncate(TRIED_ACTIONS);
    }
    all.into_iter().filter_map(|(remedy, finding)| action(asked, report, uri, finding, remedy)).collect()
}

fn action(asked: &Asked<'_>, report: &KepReport, uri: &Uri, finding: &Diagnostic, remedy: Remedy) -> Option<Value> {
    let mut action = json!({
        "title": printable(&remedy.title(finding)),
        "kind": FIX,
        "diagnostics": [asked.writer.finding(report, finding)],
        "isPreferred": remedy == Remedy::Fix(Safety::Safe),
    });
    let print = finding.fingerprint.map(|print| print.to_string());
    if asked.writer.features.resolves_actions {
        let chosen = Chosen { uri: uri.clone(), finding: Some(print?), remedy: Some(remedy.name().to_owned()) };
        action.as_object_mut()?.insert("data".to_owned(), serde_json::to_value(chosen).ok()?);
    } else {
        // What does not work is not offered.
        let edit = change(asked, finding, remedy).ok()?;
        action.as_object_mut()?.insert("edit".to_owned(), edit);
    }
    Some(action)
}

/// The action that makes all safe fixes of the KEP, if there are any.
fn fix_all(asked: &Asked<'_>, uri: &Uri) -> Option<Value> {
    let is_safe = |finding: &Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    report(asked)?.diagnostics.iter().find(|finding| is_safe(finding))?;
    let mut action = json!({ "title": "Make all safe fixes of this KEP", "kind": FIX_ALL });
    let (name, content) = if asked.writer.features.resolves_actions {
        ("data", serde_json::to_value(Chosen { uri: uri.clone(), finding: None, remedy: None }).ok()?)
    } else {
        ("edit", all_fixes(asked).ok()?)
    };
    action.as_object_mut()?.insert(name.to_owned(), content);
    Some(action)
}
