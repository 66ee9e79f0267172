//! Items about approvals: the production readiness review, and SIG Node's approvers.
use super::answer::Answer;
use super::case::Case;
use crate::diagnostic::brief;
use crate::kep::directory::PROD_READINESS;
use crate::kep::metadata::Metadata;
use crate::kep::review::{APPROVER, Review, entry};
use crate::repository::verdict::Verdict;
use crate::span::Span;
use crate::stage::Stage;

const INVALID_FILE: &[&str] = &["invalid-prr", "not-utf8"];

/// The rule that finds another number in a PRR file, which the Release Team accepts.
const MISNUMBERED: &[&str] = &["prr-number-mismatch"];

/// All rules about the PRR file, and about the way to it.
pub const REVIEW: &[&str] =
    &["invalid-prr", "not-utf8", "prr-number-mismatch", "kep-number-mismatch", "missing-prr", "prr-approver"];

/// The rules that find which approvers a KEP of SIG Node lacks.
pub const NODE: &[&str] = &["node-approver", "no-approver"];

/// How the answer begins if an approver is only asked.
const ASKS: &str = "asks @";

/// Whether an answer of [`review`] says that the approver is only asked, and has approved nothing.
pub fn only_asks(answer: &Answer) -> bool {
    answer.words.starts_with(ASKS)
}

/// The PRR file has an entry for the stage, whose approver is a PRR approver. What is withdrawn was reviewed before.
pub fn review(case: &Case<'_>) -> Option<Answer> {
    if !case.ctx.repository.has_groups || case.ctx.target.is_withdrawal {
        return None;
    }
    let Some(metadata) = case.metadata() else {
        return Some(Answer::not_met("without a kep.yaml, its PRR file is not known"));
    };
    let Some(stage) = case.stage else { return Some(Answer::not_met("there is no stage to be approved")) };
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
    if let Some(finding) = case.found(&["kep-number-mismatch"]).find(|finding| !case.is_shared_number(finding)) {
        return Answer::not_met(finding.message.as_str()).at(case.place(finding.span)).with([case.detail(finding)]);
    }
    if repository.reviews.is_none() {
        return Answer::look("the PRR files are not known here");
    }
    if let Some(wrong) = case.kep().review.as_ref().and_then(|review| problem(case, review)) {
        return wrong;
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
    match repository.verdict(case.kep(), stage) {
        Verdict::Elsewhere(stray) => {
            let stray = case.place_in(&case.kep().texts.file(stray).path, 1);
            Answer::not_met(format!("the PRR file is in another directory: move it to `{shown}`")).at(stray)
        }
        Verdict::NoFile if repository.is_unreadable(&sig.text, &number.text) => {
            Answer::not_met(format!("the PRR file `{shown}` cannot be read"))
        }
        Verdict::NoFile => Answer::not_met(format!("the PRR file `{shown}` is missing"))
            .write(lines(format!("kep-number: {}\n{entry}", number.shown()))),
        Verdict::NoEntry | Verdict::Unclear => open(case.kep().review.as_ref().map(|review| review.top)),
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
        format!("{ASKS}{} (not yet approved)", brief(name))
    } else {
        format!("`{}` approves {stage}", brief(name))
    };
    // Then the built-in list of approvers was used.
    if let Some(problem) = &case.ctx.repository.aliases_problem {
        let file = brief(&problem.file.path);
        return Answer::look(format!("{approves}, but `{file}` is wrong: {}", problem.message));
    }
    match case.found(MISNUMBERED).next() {
        Some(finding) => {
            let words = format!("{approves}, but {}", finding.message);
            Answer::met(words).remark(finding.message.as_str()).with([case.detail(finding)])
        }
        None => Answer::met(approves),
    }
}

/// Whether the approver of this `name` is only asked to approve `stage`: a pull request that is open names them.
pub fn is_asked(case: &Case<'_>, stage: Stage, name: &str) -> bool {
    case.proposed.is_some_and(|proposed| !proposed.is_merged(stage, name))
}

/// What is wrong with the file itself, whatever its entries are.
fn problem(case: &Case<'_>, review: &Review) -> Option<Answer> {
    if let Some(deep) = review.too_deep {
        return Some(Answer::not_met("the PRR file is nested too deep to be read").at(case.place(deep)));
    }
    let findings: Vec<_> = case.found(INVALID_FILE).filter(|finding| finding.span.file == review.file).collect();
    let first = findings.first()?;
    let answer = Answer::not_met(first.message.as_str()).at(case.place(first.span));
    Some(answer.with(findings.iter().map(|finding| case.detail(finding))))
}

pub fn node(case: &Case<'_>) -> Option<Answer> {
    let metadata = case.metadata()?;
    let is_asked = case.ctx.node_lead().is_some();
    let findings: Vec<_> = case.found(NODE).filter(|finding| finding.upstream.is_some()).collect();
    let Some(first) = findings.first() else {
        let place = case.place(metadata.approvers.key.unwrap_or(metadata.top));
        return is_asked.then(|| Answer::met("a tech lead or an assigned approver is named").at(place));
    };
    let answer = Answer::not_met(first.message.as_str()).at(case.place(first.span));
    Some(answer.with(findings.iter().map(|finding| case.detail(finding))))
}
