//! `workspace/executeCommand`: contrib/editors/README.md says what the commands take.

use super::{Answer, Asked, Refusal, ask, read};
use crate::authoring::promotion::Goal;
use crate::cli::args::CheckArguments;
use crate::cli::authoring::arguments::{KepArguments, NewArguments, PromoteArguments, UpgradeArguments};
use crate::cli::authoring::{new, promote, upgrade};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::uri;
use crate::cli::options::When;
use crate::cli::today;
use crate::cli::write::together::Change;
use crate::diagnostic::Failure;
use crate::editor::page::ask::{release, stage};
use crate::editor::{harmless, lens, naming};
use crate::kep::layout::TREE;
use crate::report::look::Look;
use crate::report::ready::html;
use crate::workspace::edge::Edge;
use crate::workspace::files::{Source, disk};
use gen_lsp_types::{ExecuteCommandParams, Uri};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

const FIX_ALL: &str = "kep-lint.fixAll";
pub const PROMOTE: &str = "kep-lint.promote";
const UPGRADE: &str = "kep-lint.upgrade";
pub const READY: &str = "kep-lint.ready";
const NEW: &str = "kep-lint.new";

pub const ALL: [&str; 5] = [FIX_ALL, PROMOTE, UPGRADE, READY, NEW];

pub fn answer(server: &Server, params: Value) -> Answer {
    let ExecuteCommandParams { command, arguments, .. } = read(params)?;
    let argument = arguments.and_then(|list| list.into_iter().next()).unwrap_or_default();
    let argument = serde_json::to_value(argument).unwrap_or_default();
    match command.as_str() {
        FIX_ALL => fix_all(server, parse(argument)?),
        PROMOTE => promote(server, parse(argument)?),
        UPGRADE => upgrade(server, parse(argument)?),
        READY => ready(server, parse(argument)?),
        NEW => new(server, parse(argument)?),
        _ => Err(Refusal::Invalid(format!("unknown command `{command}`"))),
    }
}

fn parse<T: DeserializeOwned>(argument: Value) -> Result<T, Refusal> {
    if !argument.is_object() {
        return Err(Refusal::Invalid("the command takes one object in `arguments`".to_owned()));
    }
    read(argument)
}

impl From<Failure> for Refusal {
    fn from(Failure { message, help, .. }: Failure) -> Self {
        Self::Failed(message + &help.map(|help| format!(" ({help})")).unwrap_or_default())
    }
}

fn closed() -> Refusal {
    Refusal::Failed("the document is not open, or belongs to no KEP".to_owned())
}

/// Notes as an editor may show them.
fn shown(notes: &[String]) -> Vec<String> {
    notes.iter().map(|note| harmless::message(note)).collect()
}

fn apply(server: &Server, label: &str, edit: Value) {
    server.client.ask("workspace/applyEdit", json!({ "label": harmless::message(label), "edit": edit }));
}

/// Asks the editor to change or create these files, if there are any.
fn write(server: &Server, label: &str, changes: &[Change]) -> Result<(), Refusal> {
    let edit = server.writer().files(changes).map_err(Refusal::Failed)?;
    if !changes.is_empty() {
        apply(server, label, edit);
    }
    Ok(())
}

fn check_applies(server: &Server) -> Result<(), Refusal> {
    let refusal = || Refusal::Failed("this editor makes no changes that a server asks for".to_owned());
    if server.features.applies_edits { Ok(()) } else { Err(refusal()) }
}

/// A stage or release; none for an empty word.
fn named<T>(word: Option<String>, read: fn(Option<&str>) -> Result<Option<T>, Failure>) -> Result<Option<T>, Refusal> {
    read(word.as_deref()).map_err(|failure| Refusal::Invalid(failure.message))
}

/// The KEP of a document that an editor changes, and where its files are from.
fn kep_of(server: &Server, uri: &Uri) -> Result<(KepArguments, Source), Refusal> {
    check_applies(server)?;
    let CheckArguments { template, config, .. } = server.settings.arguments();
    let kep = ask(server, uri, |asked| asked.view.directory.clone()).ok_or_else(closed)?;
    Ok((KepArguments { kep: kep.given, template, color: When::Never, config }, kep.source))
}

#[derive(Deserialize)]
struct OfDocument {
    uri: Uri,
}

fn fix_all(server: &Server, OfDocument { uri }: OfDocument) -> Answer {
    check_applies(server)?;
    let change = ask(server, &uri, |asked: &Asked<'_>| {
        let change = asked.all_fixes();
        (asked.writer.change(&asked.view.kep().texts, &change), change)
    });
    let (edit, change) = change.ok_or_else(closed)?;
    let edit = edit.map_err(Refusal::Failed)?;
    if !change.edits.is_empty() {
        apply(server, "Make all safe fixes", edit);
    }
    Ok(json!({ "fixed": change.fixed }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfPromotion {
    uri: Uri,
    to: String,
    release: Option<String>,
    #[serde(default)]
    skip_beta: bool,
}

fn promote(server: &Server, params: OfPromotion) -> Answer {
    let (kep, source) = kep_of(server, &params.uri)?;
    let goal = Goal::from_word(&params.to);
    let goal = goal.ok_or_else(|| Refusal::Invalid(format!("unknown stage `{}`", params.to)))?;
    let release = named(params.release, release)?.or(server.settings.arguments().release);
    let arguments = PromoteArguments { goal, release, skip_beta: params.skip_beta, diff: true, kep };
    let planned = promote::Planned::of(&arguments, &|_| Arc::clone(&source))?;
    write(server, &format!("Promote to {}", lens::name(goal)), &planned.changes)?;
    Ok(json!({ "files": planned.changes.len(), "notes": shown(&planned.promoted.promotion.notes) }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfUpgrade {
    uri: Uri,
    stage: Option<String>,
    #[serde(default)]
    only_required: bool,
}

fn upgrade(server: &Server, params: OfUpgrade) -> Answer {
    let (kep, source) = kep_of(server, &params.uri)?;
    let (stage, only_required) = (named(params.stage, stage)?, params.only_required);
    let arguments = UpgradeArguments { stage, only_required, diff: true, kep };
    let planned = upgrade::Planned::of(&arguments, &|_| Arc::clone(&source))?;
    write(server, "Bring README.md to the template", &planned.changes)?;
    Ok(json!({ "files": planned.changes.len(), "notes": shown(&planned.upgraded.lines) }))
}

#[derive(Deserialize)]
struct OfReadiness {
    uri: Uri,
    stage: Option<String>,
    release: Option<String>,
}

fn ready(server: &Server, params: OfReadiness) -> Answer {
    let (stage, release) = (named(params.stage, stage)?, named(params.release, release)?);
    let page = ask(server, &params.uri, |asked: &Asked<'_>| {
        let board = lens::board(asked.view, stage, release, today::time()?);
        Ok(html::render(&board, &Look::default()))
    });
    let page: Result<String, Failure> = page.ok_or_else(closed)?;
    Ok(json!(page?))
}

#[derive(Deserialize)]
struct OfNew {
    folder: Uri,
    sig: Option<String>,
    number: Value,
    title: String,
    release: Option<String>,
    author: Option<String>,
}

fn new(server: &Server, params: OfNew) -> Answer {
    check_applies(server)?;
    let folder = uri::path(&params.folder).filter(|folder| folder.is_dir());
    let folder = folder.ok_or_else(|| Refusal::Invalid("`folder` is no folder on this computer".to_owned()))?;
    let number = match &params.number {
        Value::String(number) => number.clone(),
        Value::Number(number) => number.to_string(),
        _ => return Err(Refusal::Invalid("`number` is neither a number nor a text".to_owned())),
    };
    let sig = params.sig.filter(|sig| !sig.is_empty());
    let check = server.settings.arguments();
    let arguments = NewArguments {
        words: sig.into_iter().chain([number, params.title]).collect(),
        release: named(params.release, release)?.or(check.release),
        diff: true,
        color: When::Never,
        config: check.config,
    };
    // The directory with the tree of KEPs: an editor would take `x/../keps` for another one than `keps`.
    let folder = disk::around(&folder).real(&folder);
    let edge = Edge::around(&folder);
    let here = if edge.root().join(TREE).is_dir() { edge.root() } else { &folder };
    let author = params.author.as_deref().map_or_else(|| new::author(here), naming::handle);
    let planned = new::Planned::of(here, &arguments, author.as_deref())?;
    let readme = planned.directory.join("README.md");
    write(server, "Create a KEP", &planned.files)?;
    Ok(json!({ "readme": uri::of(&readme), "notes": shown(&planned.notes) }))
}
