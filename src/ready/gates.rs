//! Evidence from the code: at which stage the feature gates are there.
use super::answer::{Answer, Detail, State};
use super::calendar::is_after_code_freeze;
use super::case::Case;
use crate::diagnostic::brief;
use crate::gates::Gates;
use crate::gates::gate::{Gate, Presence};
use crate::kep::field::Field;
use crate::repository::code::InCode;
use crate::stage::{Release, Stage};

/// The rules that find gates that only one of kep.yaml and the code has.
pub const RULES: &[&str] = &["unknown-feature-gate", UNLISTED];

const UNLISTED: &str = "unlisted-feature-gate";

/// All own gates are at the stage in the code of the release.
pub fn gates(case: &Case<'_>) -> Option<Answer> {
    let metadata = case.metadata()?;
    let code = case.ctx.repository.in_code(case.kep())?;
    let newest = code.list.newest.release;
    let release = case.release.min(newest);
    let unlisted = case.found(RULES).filter(|finding| finding.rule == UNLISTED).map(|finding| case.detail(finding));
    let names = metadata.feature_gate_names().filter_map(|name| detail(case, &code, name, release));
    let details: Vec<Detail> = names.chain(unlisted).collect();
    let words = match details.as_slice() {
        [] => return None,
        [only] => only.words.clone(),
        _ => sum(&code, case, release),
    };
    let has_ended = case.release > newest;
    let end = if has_ended {
        format!("; the list of feature gates ends at {newest} ({})", code.list.newest.date)
    } else {
        String::new()
    };
    let place = metadata.feature_gates_key.map(|key| case.place(key));
    let answer = Answer::new(state(case, &code, release), format!("{words}{end}")).at(place);
    // A gate alone is said already.
    let says_more = details.len() > 1 || details.iter().any(|detail| detail.help.is_some());
    Some(if says_more { answer.with(details) } else { answer })
}

/// Whether the code of the release, once that is known, has none of the KEP's gates any more, or only deprecated ones.
pub fn are_gone(case: &Case<'_>) -> bool {
    let Some(code) = case.ctx.repository.in_code(case.kep()) else { return false };
    let is_gone = |gate: &Gate| match gate.presence(case.release) {
        Presence::Gone => true,
        Presence::At(stage) => stage.is_removal(),
        Presence::NotYet | Presence::Guard => false,
    };
    let is_known = case.release <= code.list.newest.release && code.unknown.is_empty() && !code.known.is_empty();
    is_known && code.known.iter().all(|(_, gate)| is_gone(gate))
}

fn state(case: &Case<'_>, code: &InCode<'_>, release: Release) -> State {
    let Some(stage) = case.stage else { return State::Look };
    if !code.unknown.is_empty() {
        return State::Look;
    }
    let is_known = case.release == release;
    let is_frozen = release <= code.list.last_final
        || (release == code.list.newest.release && is_after_code_freeze(code.list.newest.date, release));
    let mut presences = code.own().map(|(_, gate)| gate.presence(release)).peekable();
    let is_reached = |presence: Presence| matches!(presence, Presence::At(reached) if reached >= stage);
    if presences.peek().is_some() && presences.all(is_reached) {
        State::Met
    } else if is_known && is_frozen && code.below(stage, release).is_some() {
        State::NotMet
    } else {
        State::Info
    }
}

fn sum(code: &InCode<'_>, case: &Case<'_>, release: Release) -> String {
    let all = code.known.len() + code.unknown.len();
    let is_at = |gate: &Gate, stage: Stage| matches!(gate.presence(release), Presence::At(at) if at >= stage);
    let stage = case.stage.unwrap_or(Stage::Alpha);
    let reached = code.known.iter().filter(|(_, gate)| is_at(gate, stage)).count();
    let unknown = match code.unknown.len() {
        0 => String::new(),
        count => format!(", {count} not in the code"),
    };
    format!("{reached} of {all} at {stage} in {}{unknown}", as_of(code.list, release))
}

/// What the code says of one gate of kep.yaml; `None` if it is no gate of that code.
fn detail(case: &Case<'_>, code: &InCode<'_>, name: &Field, release: Release) -> Option<Detail> {
    let place = Some(case.place(name.span));
    let detail = |words: String| Detail { chapter: None, count: 1, words, place: place.clone(), help: None };
    if let Some((_, gate)) = code.known.iter().find(|(known, _)| known.span == name.span) {
        return Some(detail(words(gate, code.list, release, case.stage)));
    }
    code.unknown.iter().find(|unknown| unknown.span == name.span)?;
    let finding = case.found(RULES).find(|finding| finding.span == name.span);
    Some(finding.map_or_else(
        || detail(format!("{}: not in {}", brief(&name.text), as_of(code.list, release))),
        |finding| case.detail(finding),
    ))
}

/// `EnvFiles: alpha v1.34, beta v1.35 (on by default); v1.37 as of 2026-07-24: still beta`
fn words(gate: &Gate, list: &Gates, release: Release, stage: Option<Stage>) -> String {
    let presence = gate.presence(release);
    let (is_below, now) = match presence {
        Presence::At(at) => (stage.is_some_and(|stage| at < stage), format!("still {at}")),
        Presence::NotYet => (true, "not there yet".to_owned()),
        Presence::Gone | Presence::Guard => return format!("{}: {}", gate.name, gate.history()),
    };
    let is_on = gate.is_enabled(release) && presence != Presence::At(Stage::Stable);
    let on = if is_on { " (on by default)" } else { "" };
    let now = if is_below { format!("; {}: {now}", as_of(list, release)) } else { String::new() };
    format!("{}: {}{on}{now}", gate.name, gate.stages_in_words())
}

/// The code of a release, with the day of the list if it is not the final one: "v1.37 as of 2026-07-24".
fn as_of(list: &Gates, release: Release) -> String {
    if release <= list.last_final { release.to_string() } else { format!("{release} as of {}", list.newest.date) }
}
