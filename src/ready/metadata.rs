//! Items about the files of the KEP and the fields of kep.yaml, and about its feature gates in the code.
use super::answer::{Answer, Detail, Lines, State};
use super::calendar::{accepted_key, is_after_code_freeze};
use super::case::{Case, unread};
use crate::diagnostic::script::Script;
use crate::diagnostic::{Diagnostic, Severity, brief};
use crate::gates::Gates;
use crate::gates::gate::{Gate, Presence};
use crate::kep::field::Field;
use crate::kep::metadata::Metadata;
use crate::kep::texts::Texts;
use crate::repository::code::InCode;
use crate::span::{Span, slice};
use crate::stage::{Release, Stage, Status};

pub const INVALID: &[&str] = &[
    "invalid-yaml",
    "not-utf8",
    "duplicate-key",
    "missing-key",
    "unknown-key",
    "wrong-type",
    "placeholder-value",
    "invalid-status",
    "invalid-stage",
    "invalid-milestone",
    "kep-number-mismatch",
    "unknown-sig",
];

/// The KEP has its files, in a directory of the tree.
pub fn tree(case: &Case<'_>) -> Option<Answer> {
    let texts: &Texts = &case.ctx.kep.texts;
    let files = [(texts.readme, "README.md"), (texts.metadata, "kep.yaml")];
    let missing = files.into_iter().filter(|(slot, _)| slot.file().is_none());
    let missing: Vec<String> = missing.map(|(slot, name)| unread(slot, name)).collect();
    let place = case.place_in(&texts.directory, 1);
    Some(match &texts.tree_path {
        _ if !missing.is_empty() => Answer::not_met(missing.join(", ")).at(place),
        None => Answer::not_met("its directory is not below a directory `keps`").at(place),
        Some(path) => Answer::met(brief(path)).at(place),
    })
}

/// Upstream's check accepts kep.yaml, and its status, number and owning SIG are those of a KEP.
pub fn valid(case: &Case<'_>) -> Option<Answer> {
    let Some(metadata) = case.metadata() else { return Some(without_metadata(case)) };
    if let Some(deep) = metadata.tree.too_deep {
        return Some(Answer::not_met("it is nested too deep to be read").at(case.place(deep)));
    }
    let owner = metadata.owning_sig.as_ref().map(|sig| sig.span);
    let is_accepted = |key: Span| {
        let key = slice(&case.ctx.kep.texts.file(key.file).text, key.range());
        case.ctx.repository.has_groups && accepted_key(key, case.ask.release)
    };
    let counts = |finding: &Diagnostic| match finding.rule {
        "kep-number-mismatch" => !case.is_shared_number(finding),
        "invalid-status" => true,
        // A group that existed once is only a suggestion.
        "unknown-sig" => owner == Some(finding.span) && finding.severity > Severity::Advice,
        "unknown-key" if is_accepted(finding.span) => false,
        _ => finding.upstream == Some(Script::Metadata),
    };
    let findings = case.found(INVALID).filter(|finding| finding.span.file == metadata.file && counts(finding));
    let mut findings: Vec<_> = findings.collect();
    findings.sort_by_key(|finding| finding.span.start);
    let shared = case.found(INVALID).find(|finding| case.is_shared_number(finding));
    let mut answer = case.refused(&findings);
    if let Some(several) = answer.as_mut().filter(|_| findings.len() > 1) {
        several.words = format!("{} problems: {}, …", findings.len(), several.words);
    }
    let answer = answer.unwrap_or_else(|| Answer::met("upstream accepts it").at(case.place(metadata.top)));
    Some(Answer { remark: shared.map(|finding| finding.message.clone()), ..answer })
}

/// The status is one that the stage needs. What is withdrawn is not accepted, or removed: only people can tell.
pub fn status(case: &Case<'_>) -> Option<Answer> {
    let wanted = if case.ask.stage == Some(Stage::Removed) { Status::Withdrawn } else { Status::Implementable };
    let line = line(case, &format!("status: {}", wanted.name()));
    let is_removed = case.ctx.target.is_withdrawal || case.ask.stage.is_some_and(Stage::is_removal);
    let field = case.metadata().and_then(|metadata| metadata.status.as_ref());
    Some(of_field(case, "status", field, line, |field| match field.value {
        Some(Status::Implementable) => Answer::met(Status::Implementable.name()),
        Some(Status::Implemented) if is_implemented(case) => Answer::met(Status::Implemented.name()),
        Some(Status::Withdrawn) if is_removed && are_gone(case) => {
            Answer::met("withdrawn: the code has deprecated or removed it")
        }
        Some(Status::Withdrawn) if is_removed => Answer::look("it is withdrawn: is the feature removed, or given up?"),
        Some(status) => Answer::not_met(format!("it is {}, not {}", status.name(), wanted.name())),
        None => Answer::not_met(format!("unknown status `{}`", field.shown())),
    }))
}

pub fn latest_milestone(case: &Case<'_>) -> Option<Answer> {
    let line = line(case, &format!("latest-milestone: \"{}\"", case.ask.release));
    let field = case.metadata().and_then(|metadata| metadata.latest_milestone.as_ref());
    Some(of_field(case, "latest-milestone", field, line, |field| match field.value {
        Some(latest) if latest == case.ask.release => Answer::met(latest.to_string()),
        Some(latest) if latest < case.ask.release && is_implemented(case) => {
            Answer::met(format!("{latest}, implemented"))
        }
        Some(latest) => Answer::not_met(format!("it is {latest}, not {}", case.ask.release)),
        None => Answer::not_met(format!("`{}` is not a release", field.shown())),
    }))
}

fn is_implemented(case: &Case<'_>) -> bool {
    let status = case.metadata().and_then(Metadata::status);
    status == Some(Status::Implemented) && case.ask.stage == Some(Stage::Stable)
}

pub fn stage(case: &Case<'_>) -> Option<Answer> {
    let target_line = case.ask.stage.and_then(|target| line(case, &format!("stage: {target}")));
    let field = case.metadata().and_then(|metadata| metadata.stage.as_ref());
    Some(of_field(case, "stage", field, target_line, |field| match (field.value, case.ask.stage) {
        (Some(stage), Some(target))
            if stage == target
                && let Some((later, milestone)) = case.ctx.stage_not_raised() =>
        {
            let words = format!("`{later}` is {} as `latest-milestone`, but the stage is {stage}", milestone.shown());
            let line = line(case, &format!("stage: {later}"));
            Answer::not_met(format!("{words}; ask with `--stage {later}`")).write(line)
        }
        (Some(stage), Some(target)) if stage == target => Answer::met(stage.name()),
        (Some(stage), Some(target)) if stage > target => {
            Answer::not_met(format!("it is {stage}, which is after {target}"))
        }
        (Some(stage), Some(target)) => Answer::not_met(format!("it is {stage}, not {target}")),
        _ => Answer::not_met(format!("unknown stage `{}`", field.shown())),
    }))
}

/// The milestone of the stage is the release, or an earlier one if kep.yaml has reached that stage.
pub fn stage_milestone(case: &Case<'_>) -> Option<Answer> {
    if case.ctx.target.is_withdrawal || case.ask.stage.is_some_and(Stage::is_removal) {
        return None;
    }
    let Some(metadata) = case.metadata() else { return Some(without_metadata(case)) };
    let Some(target) = case.ask.stage else {
        return Some(Answer::not_met("there is no stage to have a milestone").at(case.place(metadata.top)));
    };
    let release = case.ask.release;
    let line = line(case, &format!("milestone:\n  {target}: \"{release}\""));
    let Some(field) = written(metadata.milestone_of(target)) else {
        let span: Span = metadata.stage.as_ref().map_or(metadata.top, |field| field.span);
        return Some(Answer::not_met(format!("{target} has no milestone")).at(case.place(span)).write(line));
    };
    let answer = match field.value.filter(|begun| !begun.is_unknown()) {
        None => Answer::not_met(format!("the {target} milestone `{}` is not a release", field.shown())),
        Some(begun) if begun == release => Answer::met(format!("{target}: {begun}")),
        Some(begun) if begun < release && metadata.stage() == Some(target) => {
            Answer::met(format!("stays in {target} since {begun}"))
        }
        Some(begun) if begun < release && case.has_passed() => Answer::met(format!("{target}: {begun}")),
        Some(begun) if begun < release => {
            Answer::not_met(format!("the {target} milestone is {begun}, but `stage` is not {target} yet"))
        }
        Some(begun) => Answer::not_met(format!("the {target} milestone is {begun}, after {release}")),
    };
    Some(at_field(case, field, answer, line))
}

/// The answer about the field that has this key: what `judge` says of it, or that it has no value.
fn of_field<T>(
    case: &Case<'_>,
    key: &str,
    field: Option<&Field<T>>,
    line: Option<Lines>,
    judge: impl Fn(&Field<T>) -> Answer,
) -> Answer {
    let Some(metadata) = case.metadata() else { return without_metadata(case) };
    if let Some(field) = written(field) {
        return at_field(case, field, judge(field), line);
    }
    let answer = match metadata.tree.root.as_ref().and_then(|root| root.get(key)) {
        Some(entry) => Answer::not_met(format!("`{key}` is empty")).at(case.place(entry.key.span)),
        None => Answer::not_met(format!("kep.yaml has no `{key}`")).at(case.place(metadata.top)),
    };
    answer.write(line)
}

/// An answer about a field, with the line to write if it is not met.
fn at_field<T>(case: &Case<'_>, field: &Field<T>, answer: Answer, line: Option<Lines>) -> Answer {
    let lines = answer.lines.clone().or(line).filter(|_| answer.state == State::NotMet);
    answer.at(case.place(field.span)).write(lines)
}

fn written<T>(field: Option<&Field<T>>) -> Option<&Field<T>> {
    field.filter(|field| !field.text.trim().is_empty())
}

/// The answer to what kep.yaml should say, if there is none to read.
fn without_metadata(case: &Case<'_>) -> Answer {
    Answer::not_met(unread(case.ctx.kep.texts.metadata, "kep.yaml"))
}

fn line(case: &Case<'_>, text: &str) -> Option<Lines> {
    let texts = &case.ctx.kep.texts;
    let path = match texts.metadata.file() {
        Some(file) => texts.file(file).path.clone(),
        None => format!("{}/kep.yaml", texts.directory),
    };
    (!case.has_passed()).then(|| case.lines(&path, text))
}

/// The rules that find gates that only one of kep.yaml and the code has.
pub const GATES: &[&str] = &["unknown-feature-gate", "unlisted-feature-gate"];

/// All own gates are at the stage in the code of the release.
pub fn gates(case: &Case<'_>) -> Option<Answer> {
    let metadata = case.metadata()?;
    let code = case.ctx.repository.in_code(case.ctx.kep)?;
    let newest = code.list.newest.release;
    let release = case.ask.release.min(newest);
    let unlisted = case.found(&["unlisted-feature-gate"]).map(|finding| case.detail(finding));
    let names = metadata.feature_gate_names().filter_map(|name| detail(case, &code, name, release));
    let details: Vec<Detail> = names.chain(unlisted).collect();
    let words = match details.as_slice() {
        [] => return None,
        [only] => only.words.clone(),
        _ => sum(&code, case, release),
    };
    let end = format!("; the list of feature gates ends at {newest} ({})", code.list.newest.date);
    let end = if case.ask.release > newest { end } else { String::new() };
    let place = metadata.feature_gates_key.map(|key| case.place(key));
    let answer = Answer::new(state(case, &code, release), format!("{words}{end}")).at(place);
    // A gate alone is said already.
    let says_more = details.len() > 1 || details.iter().any(|detail| detail.help.is_some());
    Some(if says_more { answer.with(details) } else { answer })
}

/// Whether the code of the release, once that is known, has none of the KEP's gates any more, or only deprecated ones.
pub fn are_gone(case: &Case<'_>) -> bool {
    let Some(code) = case.ctx.repository.in_code(case.ctx.kep) else { return false };
    let is_gone = |gate: &Gate| match gate.presence(case.ask.release) {
        Presence::Gone => true,
        Presence::At(stage) => stage.is_removal(),
        Presence::NotYet | Presence::Guard => false,
    };
    let is_known = case.ask.release <= code.list.newest.release && code.unknown.is_empty() && !code.known.is_empty();
    is_known && code.known.iter().all(|(_, gate)| is_gone(gate))
}

fn state(case: &Case<'_>, code: &InCode<'_>, release: Release) -> State {
    let Some(stage) = case.ask.stage else { return State::Look };
    if !code.unknown.is_empty() {
        return State::Look;
    }
    let is_known = case.ask.release == release;
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
    let stage = case.ask.stage.unwrap_or(Stage::Alpha);
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
    let detail = |words: String| Detail { count: 1, words, place: place.clone(), ..Detail::default() };
    if let Some((_, gate)) = code.known.iter().find(|(known, _)| known.span == name.span) {
        return Some(detail(words(gate, code.list, release, case.ask.stage)));
    }
    code.unknown.iter().find(|unknown| unknown.span == name.span)?;
    let finding = case.found(GATES).find(|finding| finding.span == name.span);
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
