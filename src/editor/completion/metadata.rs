//! Keys and values of kep.yaml and of PRR files.

use super::cursor::{Cursor, Role};
use super::{Choice, Kind};
use crate::authoring::entry::Form;
use crate::authoring::scalar::written;
use crate::editor::keps::{self, number_of};
use crate::editor::view::View;
use crate::kep::components;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::kep::schema::{Key, Shape};
use crate::span::slice;
use crate::stage::{Release, Stage, Status};
use crate::yaml::tree::Style;
use std::collections::BTreeSet;

/// How many releases from the one under development on are offered for a plan.
const PLANNED: u32 = 4;

/// The keys of upstream's type that nobody writes.
const UNUSED: &str = "Not used.";

/// What can be written at a place of a file of this form.
pub fn choices(view: &View<'_>, form: Form, text: &str, cursor: &Cursor) -> Vec<Choice> {
    let path: Vec<&str> = cursor.path.iter().map(String::as_str).collect();
    let path = path.as_slice();
    let shape = form.key(path).map(|key| key.shape);
    match cursor.role {
        Role::Key { has_colon } => return keys(form, path, cursor, has_colon),
        Role::Item if matches!(shape, Some(Shape::Mappings(_))) => return keys(form, path, cursor, false),
        Role::Item | Role::Value => {}
    }
    let is_list = matches!(shape, Some(Shape::Texts));
    if is_list && cursor.role == Role::Value && !slice(text, ..cursor.range.start).trim_end().ends_with(['[', ',']) {
        return Vec::new();
    }
    let choices = match (form, path) {
        (Form::Approval, [_, "approver"]) => approvers(view),
        (_, ["kep-number"]) => numbers(view),
        (Form::Approval, _) => Vec::new(),
        (Form::Proposal, path) => values(view, path, path.last().copied().unwrap_or_default()),
    };
    let left = choices.into_iter().filter(|choice| !is_list || !cursor.others.contains(&choice.label));
    let quote = slice(text, cursor.range.clone()).chars().next().filter(|letter| matches!(letter, '"' | '\''));
    let blank = if cursor.is_crowded { " " } else { "" };
    // A number and a flag are written as they are: in quotes they would be text.
    let is_text = !matches!(shape, Some(Shape::Flag)) && path != ["kep-number"];
    let write = |choice: Choice| {
        let style = match (quote, choice.kind) {
            (Some('\''), _) => Style::SingleQuoted,
            (Some(_), _) | (None, Kind::Person) => Style::DoubleQuoted,
            (None, _) if choice.text.starts_with('v') && Release::parse(&choice.text).is_some() => Style::DoubleQuoted,
            (None, _) => Style::Plain,
        };
        let value = if is_text { written(&choice.text, style) } else { choice.text.clone() };
        choice.text(format!("{blank}{value}"))
    };
    left.map(write).collect()
}

fn keys(form: Form, path: &[&str], cursor: &Cursor, has_colon: bool) -> Vec<Choice> {
    let Some(keys) = form.keys_in(path) else { return Vec::new() };
    let is_item = cursor.role == Role::Item;
    let is_there = |key: &&Key| !is_item && cursor.others.iter().any(|other| other == key.name);
    let are_absent = keys.iter().filter(|key| key.meaning != UNUSED && !is_there(key));
    let choice = |key: &Key| {
        let colon = match key.shape {
            _ if has_colon => "",
            Shape::Text | Shape::Flag => ": ",
            Shape::Texts | Shape::Mapping(_) | Shape::Mappings(_) => ":",
        };
        let blank = if cursor.is_crowded { " " } else { "" };
        let text = format!("{blank}{}{colon}", key.name);
        let detail = if key.is_required { "required" } else { "optional" };
        Choice::new(Kind::Key, key.name).text(text).detail(detail).documentation(key.meaning)
    };
    let (required, others): (Vec<&Key>, Vec<&Key>) = are_absent.partition(|key| key.is_required);
    required.into_iter().chain(others).map(choice).collect()
}

/// The values of a key of kep.yaml.
fn values(view: &View<'_>, path: &[&str], last: &str) -> Vec<Choice> {
    let metadata = view.kep().metadata.as_ref();
    let value = |label: &str| Choice::new(Kind::Value, label);
    match path {
        ["status"] => Status::ALL.map(|status| value(status.name()).detail(status.meaning())).into(),
        ["stage"] => Stage::ALL.map(|stage| value(stage.name()).detail(plan(metadata, stage))).into(),
        ["owning-sig"] => owning_groups(view).into_iter().map(|group| value(&group)).collect(),
        ["participating-sigs"] => {
            let owning = metadata.and_then(|metadata| metadata.owning_sig.as_ref()).map(|field| field.text.as_str());
            let others = view.repository.groups.iter().filter(|group| Some(group.as_str()) != owning);
            others.map(|group| value(group)).collect()
        }
        ["latest-milestone"] | ["milestone", _] => releases(view, metadata, last),
        ["see-also" | "replaces" | "superseded-by"] => keps(view),
        ["reviewers" | "approvers"] => leads(view, metadata),
        ["disable-supported"] => ["true", "false"].map(value).into(),
        ["feature-gates", "name"] => gates(view),
        ["feature-gates", "components"] => components::names().map(value).collect(),
        _ => Vec::new(),
    }
}

fn plan(metadata: Option<&Metadata>, stage: Stage) -> String {
    let milestone = metadata.and_then(|metadata| metadata.milestone_of(stage)).and_then(|field| field.value);
    milestone.map_or_else(|| "no milestone yet".to_owned(), |release| format!("milestone {release}"))
}

/// The group of the directory that the KEP is in, or else all groups.
fn owning_groups(view: &View<'_>) -> Vec<String> {
    let path = view.kep().texts.tree_path.as_deref().unwrap_or_default();
    let directory =
        path.strip_prefix("keps/").and_then(|rest| rest.split('/').next()).filter(|_| path.matches('/').count() > 1);
    match directory {
        Some(group) if view.repository.groups.contains(group) => vec![group.to_owned()],
        _ => view.repository.groups.iter().cloned().collect(),
    }
}

/// Releases that do not contradict the milestones of other stages: those from the one under development on,
/// and the latest milestone.
fn releases(view: &View<'_>, metadata: Option<&Metadata>, key: &str) -> Vec<Choice> {
    let current = view.options.release_meant(Some(view.repository)).release;
    let milestone = |stage| metadata?.milestone_of(stage)?.value.filter(|release: &Release| !release.is_unknown());
    let latest = metadata.and_then(Metadata::milestone);
    let own = metadata.and_then(Metadata::stage);
    let (first, last) = match Stage::from_name(key) {
        None => (own.and_then(milestone), None),
        Some(stage) => {
            const WAY: [Stage; 3] = [Stage::Alpha, Stage::Beta, Stage::Stable];
            let place = WAY.iter().position(|known| *known == stage);
            let at = place.unwrap_or(WAY.len());
            let before = WAY.iter().take(at).filter(|_| place.is_some()).filter_map(|other| milestone(*other)).max();
            let after = WAY.iter().skip(at + 1).filter_map(|other| milestone(*other)).min();
            let latest = latest.filter(|_| own == Some(stage));
            (before, after.into_iter().chain(latest).min())
        }
    };
    let planned = (0..PLANNED).map(|ahead| current.plus(ahead));
    let all: BTreeSet<Release> = latest.into_iter().chain(planned).collect();
    let fit =
        all.into_iter().filter(|release| first.is_none_or(|it| it <= *release) && last.is_none_or(|it| *release <= it));
    let choice = |release: Release| {
        let detail = match release {
            _ if release == current => "the release under development",
            _ if release == current.plus(1) => "the next release",
            _ if Some(release) == latest => "`latest-milestone`",
            _ => "a later release",
        };
        Choice::new(Kind::Value, release.to_string()).detail(detail)
    };
    // The release under development is what is most often meant.
    let (now, others): (Vec<Release>, Vec<Release>) = fit.partition(|release| *release == current);
    now.into_iter().chain(others).map(choice).collect()
}

fn numbers(view: &View<'_>) -> Vec<Choice> {
    let choice = |number: &str| Choice::new(Kind::Value, number).detail("as in the name of the directory");
    number::of_directory(&view.kep().texts.name).map(choice).into_iter().collect()
}

/// The other KEPs of the repository, as paths.
fn keps(view: &View<'_>) -> Vec<Choice> {
    let own = view.kep().texts.tree_path.as_deref();
    let others = directories(view).filter(|path| Some(*path) != own);
    others.map(|path| Choice::new(Kind::Path, format!("/{path}"))).collect()
}

/// The directories of the KEPs of the repository that have a number, from `keps` on.
pub fn directories<'v>(view: &'v View<'_>) -> impl Iterator<Item = &'v str> {
    keps::directories(view.repository).filter(|path| number_of(path).is_some())
}

/// The leads of the owning SIG, who approve its KEPs.
fn leads(view: &View<'_>, metadata: Option<&Metadata>) -> Vec<Choice> {
    let Some(group) = metadata.and_then(|metadata| metadata.owning_sig.as_ref()) else { return Vec::new() };
    let leads = view.repository.aliases.leads.get(&group.text).into_iter().flatten();
    leads.map(|lead| Choice::new(Kind::Person, format!("@{lead}")).detail(format!("lead of {}", group.text))).collect()
}

fn approvers(view: &View<'_>) -> Vec<Choice> {
    let all = view.repository.active_approvers();
    all.iter().map(|name| Choice::new(Kind::Person, format!("@{name}")).detail("PRR approver")).collect()
}

/// The gates that the README names and kep.yaml lacks.
fn gates(view: &View<'_>) -> Vec<Choice> {
    let ctx = view.ctx();
    let Some(readme) = ctx.readme else { return Vec::new() };
    let listed = ctx.kep.metadata.as_ref();
    let is_listed = |gate: &str| listed.is_some_and(|metadata| metadata.feature_gate_names().any(|it| it.text == gate));
    let named: BTreeSet<&str> = readme.gates().into_iter().map(|gate| readme.slice(gate)).collect();
    let new = named.into_iter().filter(|gate| !is_listed(gate));
    new.map(|gate| Choice::new(Kind::Gate, gate).detail("named in README.md")).collect()
}
