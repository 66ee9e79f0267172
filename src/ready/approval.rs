//! Approvals: the items about the production readiness review and SIG Node's approvers, and whom a KEP waits for.
use super::answer::{Answer, State};
use super::case::Case;
use crate::diagnostic::brief;
use crate::kep::directory::PROD_READINESS;
use crate::kep::filter::Handle;
use crate::kep::metadata::Metadata;
use crate::kep::review::{APPROVER, entry};
use crate::repository::verdict::Verdict;
use crate::span::Span;
use crate::stage::{Stage, Status};
use serde::{Deserialize, Serialize};

/// All rules about the PRR file, and about the way to it.
pub const REVIEW: &[&str] =
    &["invalid-prr", "not-utf8", "prr-number-mismatch", "kep-number-mismatch", "missing-prr", "prr-approver"];

/// The rules that find which approvers a KEP of SIG Node lacks.
pub const NODE: &[&str] = &["node-approver", "no-approver"];

/// The PRR file has an entry for the stage, whose approver is a PRR approver. What is withdrawn was reviewed before.
pub fn review(case: &Case<'_>) -> Option<Answer> {
    if !case.ctx.repository.has_groups || case.ctx.target.is_withdrawal {
        return None;
    }
    let Some(metadata) = case.metadata() else {
        return Some(Answer::not_met("without a kep.yaml, its PRR file is not known"));
    };
    let Some(stage) = case.ask.stage else { return Some(Answer::not_met("there is no stage to be approved")) };
    Some(judge(case, metadata, stage))
}

fn judge(case: &Case<'_>, metadata: &Metadata, stage: Stage) -> Answer {
    let repository = case.ctx.repository;
    let (Some(sig), Some(number)) = (&metadata.owning_sig, &metadata.number) else {
        return Answer::not_met("without `owning-sig` and `kep-number`, its PRR file is not known")
            .at(case.place(metadata.top));
    };
    if !repository.groups.contains(&sig.text) && !repository.is_retired_group(&sig.text) {
        let words = format!("its PRR file is not known: `{}` is no SIG", sig.shown());
        return Answer::not_met(words).at(case.place(sig.span));
    }
    // Another number leads to the file of another KEP, or to none.
    let mismatch = case.found(&["kep-number-mismatch"]).find(|finding| !case.is_shared_number(finding));
    if let Some(refused) = case.refused(mismatch.as_slice()) {
        return refused;
    }
    if repository.reviews.is_none() {
        return Answer::look("the PRR files are not known here");
    }
    // What is wrong with the file itself counts, whatever its entries are.
    if let Some(deep) = case.ctx.kep.review.as_ref().and_then(|review| review.tree.too_deep) {
        return Answer::not_met("the PRR file is nested too deep to be read").at(case.place(deep));
    }
    let own = case.ctx.kep.review.as_ref().map(|review| review.file);
    let invalid = case.found(&["invalid-prr", "not-utf8"]).filter(|finding| Some(finding.span.file) == own);
    if let Some(refused) = case.refused(&invalid.collect::<Vec<_>>()) {
        return refused;
    }
    let path = format!("{}/{}/{}.yaml", repository.shown_reviews(), sig.text, number.text);
    let shown = format!("{PROD_READINESS}/{}/{}.yaml", sig.text, number.text);
    let shown = brief(&shown);
    let entry = entry(stage, APPROVER);
    let lines = |text: String| (!case.has_passed()).then(|| case.lines(&path, text));
    let open = |span: Option<Span>| {
        let place = span.map(|span| case.place(span));
        Answer::not_met(format!("no approver for {stage}")).at(place).write(lines(entry.clone()))
    };
    match repository.verdict(case.ctx.kep, stage) {
        Verdict::Elsewhere(stray) => {
            let stray = case.place_in(&case.ctx.kep.texts.file(stray).path, 1);
            Answer::not_met(format!("the PRR file is in another directory: move it to `{shown}`")).at(stray)
        }
        Verdict::NoFile if repository.is_unreadable(&sig.text, &number.text) => {
            Answer::not_met(format!("the PRR file `{shown}` cannot be read"))
        }
        Verdict::NoFile => Answer::not_met(format!("the PRR file `{shown}` is missing"))
            .write(lines(format!("kep-number: {}\n{entry}", number.shown()))),
        Verdict::NoEntry | Verdict::Unclear => open(case.ctx.kep.review.as_ref().map(|review| review.top)),
        Verdict::NoApprover(approval) => open(Some(approval.key)),
        Verdict::NotApprover { approver, .. } => {
            let words = format!("`{}` is not a PRR approver", approver.shown());
            Answer::not_met(words).at(case.place(approver.span)).write(lines(entry))
        }
        Verdict::Approved { approver, name } => approved(case, stage, name).at(case.place(approver.span)),
    }
}

/// The answer about a stage whose entry names a PRR approver. They approve it by merging the entry.
fn approved(case: &Case<'_>, stage: Stage, name: &str) -> Answer {
    let approves = if is_asked(case, stage, name) {
        format!("asks `{}` (not yet approved)", brief(name))
    } else {
        format!("`{}` approves {stage}", brief(name))
    };
    // Then the built-in list of approvers was used.
    if let Some((file, problem)) = &case.ctx.repository.aliases_problem {
        let file = brief(&file.path);
        return Answer::look(format!("{approves}, but `{file}` is wrong: {}", problem.message));
    }
    // The Release Team accepts another number in it.
    match case.found(&["prr-number-mismatch"]).next() {
        Some(finding) => {
            let words = format!("{approves}, but {}", finding.message);
            Answer::met(words).remark(finding.message.as_str()).with([case.detail(finding)])
        }
        None => Answer::met(approves),
    }
}

/// Whether the approver of this `name` is only asked to approve `stage`: a pull request that is open names them.
pub fn is_asked(case: &Case<'_>, stage: Stage, name: &str) -> bool {
    case.ask.proposed.is_some_and(|proposed| !proposed.is_merged(stage, name))
}

pub fn node(case: &Case<'_>) -> Option<Answer> {
    let metadata = case.metadata()?;
    let is_asked = case.ctx.node_lead().is_some();
    let findings: Vec<_> = case.found(NODE).filter(|finding| finding.upstream.is_some()).collect();
    let place = case.place(metadata.approvers.key.unwrap_or(metadata.top));
    let met = || Answer::met("a tech lead or an assigned approver is named").at(place);
    case.refused(&findings).or_else(|| is_asked.then(met))
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Whether somebody is to approve production readiness.
    pub prr: bool,
    /// The approver that the entry for the stage names; `None` if it is for any of the PRR approvers.
    pub prr_approver: Option<Handle>,
    /// The approvers in kep.yaml, as long as the KEP is provisional.
    pub sig: Vec<Handle>,
}

impl Waiting {
    /// Whom the KEP of `case` waits for, by the answer about its PRR, if that is asked, and by who is named there. What is
    /// wrong with the files is for the authors to correct, so that nobody else is waited for.
    pub(super) fn of(case: &Case<'_>, review: Option<&Answer>, approver: Option<&Approver>) -> Self {
        let Some(metadata) = case.metadata() else { return Self::default() };
        let named = approver.filter(|it| it.role != Role::NotApprover);
        let is_open = review.is_some_and(|answer| answer.state == State::NotMet && answer.lines.is_some());
        let is_asked = review.is_some_and(|answer| answer.state != State::NotMet)
            && named.is_some_and(|it| it.role == Role::Asked);
        // A status that is missing or unknown is no approval either.
        let is_provisional = metadata.status().is_none_or(|status| status == Status::Provisional);
        let is_over = !is_provisional && !metadata.status().is_some_and(Status::is_reviewed);
        let approvers = metadata.approvers.items.iter().filter_map(|item| Handle::of(&item.text));
        let prr = (is_open || is_asked) && !is_over;
        Self {
            prr,
            prr_approver: named.and_then(|it| Handle::of(&it.name)).filter(|_| prr),
            sig: if is_provisional { approvers.collect() } else { Vec::new() },
        }
    }

    /// What the KEP waits for the person with this handle for; `is_reviewer` says whether that is a PRR approver.
    pub fn causes(&self, person: &Handle, is_reviewer: bool) -> Vec<&'static str> {
        let is_for_prr = self.prr && self.prr_approver.as_ref().map_or(is_reviewer, |named| named == person);
        let causes = [(is_for_prr, "PRR"), (self.sig.contains(person), "SIG approval")];
        causes.into_iter().filter(|(is_one, _)| *is_one).map(|(_, cause)| cause).collect()
    }
}

/// The approver that the PRR file names for the stage that is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Approver {
    /// The handle, without @, as it is in `OWNERS_ALIASES` or else as written.
    pub name: String,
    pub role: Role,
}

/// What it means that a PRR file names somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// They approve it: the entry is merged.
    Approves,
    /// They are asked: the entry is only in an open pull request.
    Asked,
    NotApprover,
}

impl Approver {
    pub(super) fn of(case: &Case<'_>) -> Option<Self> {
        let stage = case.ask.stage?;
        let verdict = case.ctx.repository.verdict(case.ctx.kep, stage);
        if let Some((_, name)) = verdict.approver() {
            let role = if is_asked(case, stage, name) { Role::Asked } else { Role::Approves };
            return Some(Self { name: name.to_owned(), role });
        }
        let Verdict::NotApprover { approver, .. } = verdict else { return None };
        let is_named = case.ctx.kep.review.as_ref().is_some_and(|review| review.is_approved(stage));
        let name = approver.text.trim().trim_start_matches('@').to_owned();
        is_named.then_some(Self { name, role: Role::NotApprover })
    }
}
