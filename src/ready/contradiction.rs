//! What the Release Team's tracking board says of a KEP and its files do not.
use super::answer::Answer;
use super::checklist::Checklist;
use super::tracked::{Standing, Tracked};
use crate::diagnostic::brief;
use crate::kep::filter::Sig;

/// Whether the files say what the board says; `None` if it says nothing that files say too.
pub fn compare(tracked: &Tracked, checklist: &Checklist) -> Option<Answer> {
    if tracked.is_empty() || checklist.kep.is_none() {
        return None;
    }
    let contradictions: Vec<String> =
        [status(tracked, checklist), sig(tracked, checklist), milestone(tracked, checklist), stage(tracked, checklist)]
            .into_iter()
            .flatten()
            .collect();
    let is_compared = tracked.standing().is_some() || tracked.sig.is_some() || tracked.milestone.is_some();
    match contradictions.as_slice() {
        [] => is_compared.then(|| Answer::met("it says what the files say")),
        [..] => Some(Answer::not_met(contradictions.join("; "))),
    }
}

/// Whether the board is about another stage or milestone than the one that is asked about, or that kep.yaml has.
pub fn is_about_another(tracked: &Tracked, checklist: &Checklist) -> bool {
    milestone(tracked, checklist).is_some() || stage(tracked, checklist).is_some()
}

fn status(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let status = tracked.status.as_deref()?;
    let is_about_deadline = checklist.family.deadline.as_ref().is_some_and(|deadline| deadline.is_meant(status));
    let (is_ready, words) = match &checklist.deadline {
        Some(in_time) if is_about_deadline => {
            (in_time.met, ["the files are not in time for it", "the files are in time for it"])
        }
        _ => (checklist.is_ready, ["the files are not ready", "the files are ready"]),
    };
    let [not_ready, ready] = words;
    let files = match tracked.standing()? {
        Standing::Tracked if !is_ready => not_ready,
        Standing::AtRisk if is_ready => ready,
        _ => return None,
    };
    Some(format!("the status is `{}`, but {files}", brief(status)))
}

fn sig(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let (board, own) = (Sig::of(tracked.sig.as_deref()?)?, checklist.sig.as_deref()?);
    let differs = !is_same_sig(board.name(), own);
    differs.then(|| format!("the SIG is `{}`, but the KEP's is `{}`", brief(board.name()), brief(own)))
}

fn milestone(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let milestone = tracked.milestone.as_deref()?.trim();
    let differs = tracked.release()? != checklist.release;
    differs.then(|| format!("the milestone is `{}`, not {}", brief(milestone), checklist.release))
}

fn stage(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let (board, own) = (tracked.stage?, checklist.facts.stage?);
    (board != own).then(|| format!("the stage is {board}, but kep.yaml has {own}"))
}

/// Whether both are names of one SIG: a board may leave out `sig-`, or write it with a blank.
fn is_same_sig(board: &str, own: &str) -> bool {
    let plain = |name: &str| {
        let name = name.to_lowercase().replace([' ', '_', '/'], "-");
        name.strip_prefix("sig-").unwrap_or(&name).to_owned()
    };
    plain(board) == plain(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sig_has_several_spellings() {
        assert!(is_same_sig("SIG Node", "sig-node") && is_same_sig("api machinery", "sig-api-machinery"));
        assert!(!is_same_sig("node", "sig-network"));
    }
}
