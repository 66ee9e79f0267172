//! Items about approvals: the production readiness review, and SIG Node's approvers.

use super::answer::{Answer, Lines, Place};
use super::case::Case;
use crate::diagnostic::brief;
use crate::kep::directory::PROD_READINESS;
use crate::kep::metadata::Metadata;
use crate::kep::review::Review;
use crate::stage::Stage;

/// The rules that find what makes a PRR file, or the way to it, wrong.
pub const INVALID_REVIEW: &[&str] = &["invalid-prr", "not-utf8", "prr-number-mismatch", "kep-number-mismatch"];

/// The rules that find which approvers a KEP of SIG Node lacks.
pub const NODE: &[&str] = &["node-approver", "no-approver"];

/// The PRR file has an entry for the stage, whose approver is a PRR approver.
pub fn review(case: &Case<'_>) -> Option<Answer> {
    if !case.ctx.repository.has_groups {
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
    if let Some(finding) = case.found(&["kep-number-mismatch"]).next() {
        return Answer::not_met(finding.message.as_str()).at(case.place(finding.span)).with([case.detail(finding)]);
    }
    let path = format!("{}/{}/{}.yaml", repository.reviews_directory, sig.text, number.text);
    let shown = format!("{PROD_READINESS}/{}/{}.yaml", sig.text, number.text);
    let shown = brief(&shown);
    let entry = format!("{stage}:\n  approver: \"@<production readiness approver>\"");
    let lines = |text: String| (!case.has_passed()).then(|| Lines { path: path.clone(), text });
    if repository.reviews.is_none() {
        return Answer::look("the PRR files are not known here");
    }
    let Some(review) = &case.kep().review else {
        let texts = &case.kep().texts;
        if let Some(stray) = case.kep().stray_reviews.first() {
            let stray = Place { path: texts.file(*stray).path.clone(), line: 1 };
            return Answer::not_met(format!("the PRR file is in another directory: move it to `{shown}`")).at(stray);
        }
        if repository.is_unreadable(&sig.text, &number.text) {
            return Answer::not_met(format!("the PRR file `{shown}` cannot be read"));
        }
        let answer = Answer::not_met(format!("the PRR file `{shown}` is missing"));
        return answer.write(lines(format!("kep-number: {}\n{entry}", number.shown())));
    };
    if let Some(wrong) = problem(case, review) {
        return wrong;
    }
    let approval = review.approval(stage);
    let approver = approval.and_then(|approval| approval.approver.as_ref()).filter(|field| !field.text.is_empty());
    let Some(approver) = approver else {
        let place = case.place(approval.map_or(review.top, |approval| approval.key));
        return Answer::not_met(format!("no approver for {stage}")).at(place).write(lines(entry));
    };
    let place = case.place(approver.span);
    // Upstream compares the name exactly, but for one `@`.
    let name = approver.text.strip_prefix('@').unwrap_or(&approver.text);
    if !repository.prr_approvers.contains(name) {
        let words = format!("`{}` is not a PRR approver", approver.shown());
        return Answer::not_met(words).at(place).write(lines(entry));
    }
    match &repository.aliases_problem {
        // Then the built-in list of approvers was used.
        Some(problem) => {
            let file = brief(&problem.file.path);
            let words = format!("`{}` approves {stage}, but `{file}` is wrong: {}", brief(name), problem.message);
            Answer::look(words).at(place)
        }
        None => Answer::met(format!("`{}` approves {stage}", brief(name))).at(place),
    }
}

/// What is wrong with the file itself, whatever its entries are.
fn problem(case: &Case<'_>, review: &Review) -> Option<Answer> {
    if let Some(deep) = review.too_deep {
        return Some(Answer::not_met("the PRR file is nested too deep to be read").at(case.place(deep)));
    }
    let found: Vec<_> = case.found(INVALID_REVIEW).filter(|finding| finding.span.file == review.file).collect();
    let first = found.first()?;
    let answer = Answer::not_met(first.message.as_str()).at(case.place(first.span));
    Some(answer.with(found.iter().map(|finding| case.detail(finding))))
}

/// The KEP has the approvers that SIG Node requires.
pub fn node(case: &Case<'_>) -> Option<Answer> {
    let metadata = case.metadata()?;
    let found: Vec<_> = case.found(NODE).filter(|finding| finding.upstream.is_some()).collect();
    let is_asked = metadata.node_approvers.needs_lead(case.kep().texts.sig());
    let Some(first) = found.first() else {
        let place = case.place(metadata.approvers.key.unwrap_or(metadata.top));
        return is_asked.then(|| Answer::met("a tech lead or an assigned approver is named").at(place));
    };
    let answer = Answer::not_met(first.message.as_str()).at(case.place(first.span));
    Some(answer.with(found.iter().map(|finding| case.detail(finding))))
}
