//! The words of a board that several formats share.
use crate::diagnostic::{brief, counted};
use crate::kep::directory::PROD_READINESS;
use crate::ready::answer::{Actor, Lines, Place, State};
use crate::ready::approval::Waiting;
use crate::ready::board::Board;
use crate::ready::calendar::schedule::{Moment, Time};
use crate::ready::calendar::{Family, about_data, on_day, release_day};
use crate::ready::checklist::{Checklist, Entry, InTime, Pull};
use crate::ready::comparison::ComparedKep;
use crate::ready::items::Kind;
use crate::stage::Release;
use crate::stage::release::Reason;

/// How many lines of a text to write a checklist shows on a screen.
pub const TEXT_LINES: usize = 6;

/// `KEP-1234`, or how the KEP was asked for.
pub fn number(checklist: &Checklist) -> String {
    number_or(checklist.number.as_deref(), checklist.given.as_deref())
}

fn number_or(number: Option<&str>, directory: Option<&str>) -> String {
    match number {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("KEP-{number}"),
        Some(name) => name.to_owned(),
        None => directory.unwrap_or_default().to_owned(),
    }
}

/// A KEP that is compared with an earlier board: `KEP-1 Prefetch images (sig-node)`.
pub fn of_kep(kep: &ComparedKep) -> String {
    let number = number_or(kep.number.as_deref(), kep.kep.as_deref());
    let title = kep.title.as_ref().map(|title| format!(" {}", brief(title))).unwrap_or_default();
    let sig = kep.sig.as_ref().map(|sig| format!(" ({})", brief(sig))).unwrap_or_default();
    format!("{}{title}{sig}", brief(&number))
}

/// What it is asked for: `beta in v1.38`; `release` may be more than its name.
pub fn target(checklist: &Checklist, release: &str) -> String {
    match checklist.stage {
        Some(stage) => format!("{stage} in {release}"),
        None if checklist.kep.is_some() => format!("{release}, without a stage"),
        None => release.to_owned(),
    }
}

/// How many items are met, where it decides, how much evidence is against it, and what people should know.
pub fn counts(board: &Board, checklist: &Checklist) -> String {
    let all = checklist.of_kind(Kind::Verdict).count();
    let met = checklist.count(Kind::Verdict, State::Met);
    let mut counts = format!("{met} of {} met", counted(all, "item is", "items are"));
    let looked_at = checklist.count(Kind::Verdict, State::Look);
    if looked_at > 0 {
        counts += &format!(", {looked_at} to look at");
    }
    let against = checklist.count(Kind::Evidence, State::NotMet);
    if against > 0 && board.is_strict {
        counts += &format!(", {} against it", counted(against, "item of evidence is", "items of evidence are"));
    }
    remarks(checklist).iter().for_each(|remark| counts += &format!("; {remark}"));
    counts
}

/// What people should know of a KEP; of open questions, the deadline tells.
pub fn remarks(checklist: &Checklist) -> Vec<&str> {
    let of_deadline = checklist.deadline.as_ref().and_then(|_| checklist.answer("questions")?.remark.as_ref());
    checklist.remarks.iter().filter(|remark| Some(*remark) != of_deadline).map(String::as_str).collect()
}

pub fn readiness(checklist: &Checklist) -> &'static str {
    if checklist.is_ready && checklist.is_proposed { "would be ready" } else { checklist.outcome.words() }
}

/// The Release Team's words for a KEP; in a pull request, `would be tracked for enhancements freeze once merged`.
pub fn verdict(checklist: &Checklist) -> String {
    let Family { met, not_met, .. } = checklist.family;
    match checklist.outcome.state {
        State::Met | State::Info if checklist.is_proposed => format!("would be {met} once merged"),
        State::Met | State::Info => met.clone(),
        State::NotMet => not_met.clone(),
        State::Look => format!("{not_met} until a person has looked"),
    }
}

/// What is missing for the deadline, and what people must judge: `: stage, PRR; PRR: 1 of 32 questions is open`.
pub fn missing(checklist: &Checklist) -> String {
    let Some(InTime { missing, open_questions, .. }) = &checklist.deadline else { return String::new() };
    let questions = checklist.answer("questions").and_then(|answer| answer.remark.as_ref());
    let open = questions.filter(|_| *open_questions).map(|questions| format!("; {questions}")).unwrap_or_default();
    if missing.is_empty() { open } else { format!(": {}{open}", missing.join(", ")) }
}

/// What is open for the deadline before the freeze: `not ready for the PRR freeze: stage, PRR`.
pub fn late(checklist: &Checklist) -> Option<String> {
    let in_time = checklist.deadline.as_ref().filter(|in_time| !in_time.met)?;
    Some(format!("{} for the {}{}", in_time.status.words(), in_time.name, missing(checklist)))
}

/// How many KEPs are in time for the deadline: `88 of 94 KEPs are ready for the PRR freeze`.
pub fn in_time(keps: &[&Checklist]) -> Option<String> {
    let known: Vec<&InTime> = keps.iter().filter_map(|kep| kep.deadline.as_ref()).collect();
    let met = known.iter().filter(|in_time| in_time.met).count();
    let first = known.first()?;
    Some(format!("{met} of {} ready for the {}", counted(known.len(), "KEP is", "KEPs are"), first.name))
}

/// How many KEPs there are of those that are asked for, and how many were left out.
pub fn summary(board: &Board) -> String {
    let keps = board.checklists.len();
    let summary = match &board.person {
        Some(person) => {
            let unknown = if person.is_known { "" } else { ", who is no approver of any of these KEPs" };
            let waiting = counted(keps, "KEP waits", "KEPs wait");
            format!("{waiting} for `{}`{unknown}", person.handle.name())
        }
        None if board.is_to_close => {
            let are = counted(keps, "KEP is", "KEPs are");
            format!("{are} stable in {}, but not `implemented`", board.release)
        }
        None if keps > 0 && board.checklists.iter().all(|checklist| checklist.is_proposed) => {
            format!("{} of {} would be ready once merged", board.ready_count(), counted(keps, "KEP", "KEPs"))
        }
        None => format!("{} of {} ready", board.ready_count(), counted(keps, "KEP is", "KEPs are")),
    };
    format!("{summary}{}", left_out(board))
}

/// Whom it waits for, also in its open pull requests: PRR by `ann` in #5.
pub fn waits_for(checklist: &Checklist) -> Vec<String> {
    let own = if checklist.is_only_in_pull() { Vec::new() } else { people(&checklist.waiting) };
    let of_pull = |pull: &Pull| {
        let people = pull.waiting.as_ref().map(people).unwrap_or_default();
        people.into_iter().map(|words| format!("{words} in #{}", pull.number)).collect::<Vec<_>>()
    };
    own.into_iter().chain(checklist.pulls.iter().flatten().flat_map(of_pull)).collect()
}

fn people(waiting: &Waiting) -> Vec<String> {
    let prr = match &waiting.prr_approver {
        Some(named) => Some(format!("PRR by `{}`", named.name())),
        None if waiting.prr => Some("PRR by any PRR approver".to_owned()),
        None => None,
    };
    let sig = waiting.sig.iter().map(|handle| format!("SIG approval by `{}`", handle.name()));
    prr.into_iter().chain(sig).collect()
}

/// Which open pull requests have what a deadline asks for: ` by #6073`; empty if it is merged.
pub fn by(in_time: &InTime) -> String {
    let numbers: Vec<String> = in_time.by.iter().map(|number| format!("#{number}")).collect();
    match numbers.as_slice() {
        [] => String::new(),
        _ if !in_time.missing.is_empty() => format!(", also with {}", numbers.join(", ")),
        numbers => format!(" by {}", numbers.join(" and ")),
    }
}

/// Who wrote a pull request, and what it is called: (draft) by `ann`: Promote to beta; its number comes before.
pub fn about_pull(pull: &Pull) -> String {
    let draft = if pull.is_draft { " (draft)" } else { "" };
    let author = pull.author.as_ref().map(|author| format!(" by `{author}`")).unwrap_or_default();
    let title = if pull.title.is_empty() { String::new() } else { format!(": {}", pull.title) };
    format!("{draft}{author}{title}")
}

/// Whether the KEP is ready in a pull request: `not ready for beta in v1.37: PRR; PRR questions are open`.
pub fn state_of_pull(pull: &Pull) -> String {
    let Some(checklist) = &pull.checklist else { return "not judged".to_owned() };
    let target = target(checklist, &checklist.release.to_string());
    let merged = if checklist.is_ready { " once merged" } else { "" };
    let missing = missing_in_pull(checklist);
    let colon = if missing.is_empty() { "" } else { ": " };
    format!("{} for {target}{merged}{colon}{missing}{}", readiness(checklist), questions(checklist))
}

/// The answers that are why a KEP is not ready, and what its board says against it, in words.
pub fn open(checklist: &Checklist) -> impl Iterator<Item = String> {
    let open = checklist.entries.iter().filter(|entry| {
        let is_board = entry.item.name == "board" && entry.answer.state == State::NotMet;
        is_board || checklist.outcome.open.contains(&entry.item.name)
    });
    open.map(|entry| if checklist.kep.is_some() { titled(entry) } else { entry.answer.words.clone() })
}

pub fn missing_in_pull(checklist: &Checklist) -> String {
    checklist.open(&checklist.outcome).map(|entry| entry.item.title).collect::<Vec<_>>().join(", ")
}

pub fn questions(checklist: &Checklist) -> &'static str {
    if checklist.has_open_questions() { "; PRR questions are open" } else { "" }
}

/// The release that all KEPs are asked about, with its day: `v1.37 (release on 2026-08-26)`.
pub fn release(board: &Board) -> String {
    with_day(board.release, special(board.release_origin), board.family)
}

/// The release that a KEP is asked about, with its day and its special origin: `v1.38 (milestones of the KEP)`.
pub fn release_of(checklist: &Checklist, board: &Board) -> String {
    with_day(checklist.release, special(origin_of(checklist, board)), checklist.family)
}

/// Another release than that of the others has its own reason.
pub fn origin_of(checklist: &Checklist, board: &Board) -> Reason {
    if checklist.release == board.release { board.release_origin } else { checklist.origin }
}

pub fn origin(reason: Reason) -> String {
    match reason {
        Reason::Plan(today) => today.why(),
        _ => reason.words().to_owned(),
    }
}

fn special(reason: Reason) -> Option<String> {
    matches!(reason, Reason::Kep | Reason::List | Reason::Plan(_)).then(|| origin(reason))
}

/// A release with its day and its origin: `v1.37 (release on 2026-08-26, newest milestone in this tree)`.
pub fn with_day(release: Release, origin: Option<String>, family: &Family) -> String {
    let day = if family.is_of_kubernetes() { release_day(release) } else { None };
    let about: Vec<String> = day.into_iter().chain(origin).collect();
    if about.is_empty() { release.to_string() } else { format!("{release} ({})", about.join(", ")) }
}

/// The deadline before the freeze, and when it is or was: `PRR freeze in 8 days (2026-06-09 AoE)`.
pub fn deadline(board: &Board, in_time: &InTime, checklist: &Checklist) -> String {
    let schedule = board.schedule.as_ref().filter(|_| checklist.release == board.release);
    let moment = schedule.and_then(|schedule| schedule.deadline.as_ref());
    match moment.map(|moment| (moment, left(moment, board.now))) {
        None => in_time.name.clone(),
        Some((moment, Some(left))) => format!("{} {left} ({})", in_time.name, moment.written),
        Some((moment, None)) => format!("{}, which was on {}", in_time.name, moment.written),
    }
}

fn left(moment: &Moment, now: Time) -> Option<String> {
    Some(match moment.days_left(now)? {
        0 => "today".to_owned(),
        1 => "in 1 day".to_owned(),
        days => format!("in {days} days"),
    })
}

/// What is next for the release, at most so many, and when: `PRR freeze in 8 days (2026-06-09 AoE)`.
pub fn days(board: &Board, most: usize) -> Vec<String> {
    let coming = moments(board)
        .into_iter()
        .filter_map(|(name, moment)| Some(format!("{name} {} ({})", left(moment, board.now)?, moment.written)));
    coming.take(most).collect()
}

/// What was last for the release: `PRR freeze was on 2026-06-09 AoE`.
pub fn last_day(board: &Board) -> Option<String> {
    let mut over = moments(board).into_iter().filter(|(_, moment)| left(moment, board.now).is_none());
    over.next_back().map(|(name, moment)| format!("{name} was on {}", moment.written))
}

fn moments(board: &Board) -> Vec<(&str, &Moment)> {
    let Some(schedule) = &board.schedule else { return Vec::new() };
    let deadline = board.family.deadline.as_ref().map_or("PRR freeze", |deadline| deadline.name.as_str());
    schedule.named(deadline).into_iter().filter_map(|(name, moment)| Some((name, moment?))).collect()
}

/// How many KEPs are left out, and why: `; left out 3 KEPs with another latest-milestone`.
pub fn left_out(board: &Board) -> String {
    let parts = [(board.left_out, "with another latest-milestone"), (board.filtered, "by the filters")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, why)| format!("{} {why}", counted(count, "KEP", "KEPs"))).collect();
    if parts.is_empty() { String::new() } else { format!("; left out {}", parts.join(", ")) }
}

pub fn actors(checklist: &Checklist) -> String {
    checklist.actors.iter().map(|actor| Actor::words(*actor)).collect::<Vec<_>>().join(", ")
}

/// What the tracking board says: `Tracked for PRR freeze (ann)`.
pub fn tracked(checklist: &Checklist) -> Option<String> {
    let tracked = checklist.tracked.as_ref()?;
    match (&tracked.status, &tracked.contact) {
        (Some(status), Some(contact)) => Some(format!("{status} ({contact})")),
        (Some(words), None) | (None, Some(words)) => Some(words.clone()),
        (None, None) => None,
    }
}

/// An item that is open, with its title: `PRR: no approver for alpha`.
pub fn titled(Entry { item, answer }: &Entry) -> String {
    format!("{}: {}", item.title, answer.words)
}

/// What was judged: `judged on main at 64765b4b0, with uncommitted changes`; `None` without git.
pub fn judged(board: &Board) -> Option<String> {
    Some(format!("judged on {}", board.snapshot.as_ref()?.words()))
}

/// How new the data is, and what to do if a release is not in it; `None` for releases of another project.
pub fn data(board: &Board) -> Option<String> {
    let later = on_day(board.now).last_known.map(|last| {
        format!("; {last} is out, and nothing is known of the next release: update kep-lint, or name its days by `--sig-release`")
    });
    board.family.is_of_kubernetes().then(|| about_data() + &later.unwrap_or_default())
}

/// A place in the KEP's directory, `kep.yaml:12`, in that of PRR files, or elsewhere; `None` for the directory.
pub fn place(checklist: &Checklist, place: &Place) -> Option<String> {
    let directory = checklist.kep.as_deref().unwrap_or_default();
    if place.path == directory {
        return None;
    }
    let inside = place.path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    let of_reviews = || place.path.get(place.path.rfind(PROD_READINESS)?..);
    Some(format!("{}:{}", inside.or_else(of_reviews).unwrap_or(&place.path), place.line))
}

/// The lines to write, file by file: those for the same file together, each once.
pub fn lines(checklist: &Checklist) -> Vec<(&Lines, Vec<&str>)> {
    let mut files: Vec<(&Lines, Vec<&str>)> = Vec::new();
    for lines in checklist.entries.iter().filter_map(|entry| entry.answer.lines.as_ref()) {
        match files.iter_mut().find(|(first, _)| first.path == lines.path) {
            Some((_, texts)) if texts.contains(&lines.text.as_str()) => {}
            Some((_, texts)) => texts.push(&lines.text),
            None => files.push((lines, vec![&lines.text])),
        }
    }
    files
}
