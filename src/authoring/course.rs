//! Whether the stages that a KEP has reached fit a promotion to another one: what contradicts it, and what an author may
//! not have meant.

use crate::diagnostic::brief;
use crate::kep::metadata::Metadata;
use crate::stage::{Release, Stage};

/// Why a KEP cannot reach a stage in a release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    pub reason: String,
    pub help: String,
}

/// What an author should know of a promotion to `stage` in `release`, as sentences without a full stop. Only who says so
/// `skips_beta`.
pub fn of(metadata: &Metadata, stage: Stage, release: Release, skips_beta: bool) -> Result<Vec<String>, Conflict> {
    let current = metadata.stage();
    let mut notes = Vec::new();
    for earlier in Stage::ALL.into_iter().filter(|earlier| *earlier < stage) {
        let Some(field) = metadata.milestone_of(earlier) else { continue };
        match field.value.filter(|begun| !begun.is_unknown()) {
            Some(begun) if begun > release => {
                let reason = format!("its milestone for {earlier} is {begun}, which is after {release}");
                let help = format!("use release {begun} or a later one, or correct `milestone.{earlier}`");
                return Err(Conflict { reason, help });
            }
            Some(_) => {}
            // A feature can be removed without ever having been stable.
            None if field.text.trim().is_empty() || earlier.is_removal() != stage.is_removal() => {}
            None => notes.push(format!(
                "`milestone.{earlier}` is `{}`, not a release: write the one that it was in, or remove the line",
                brief(&field.text)
            )),
        }
    }
    let before = current.filter(|current| *current < stage);
    if let Some(before) = before.filter(|before| reached(metadata, *before) == Some(release)) {
        let next = release.plus(1);
        notes.push(format!("{before} and {stage} are both {release}: is release {next} meant?"));
    }
    let has_beta = reached(metadata, Stage::Beta).is_some_and(|begun| begun <= release);
    if before == Some(Stage::Alpha) && stage == Stage::Stable && !has_beta && !skips_beta {
        let help = "promote it to beta first, or add `--skip-beta`".to_owned();
        return Err(Conflict { reason: format!("it was not in beta, which is before {stage}"), help });
    }
    Ok(notes)
}

/// The release in which a KEP reached a stage, as far as kep.yaml says it.
fn reached(metadata: &Metadata, stage: Stage) -> Option<Release> {
    let milestone = metadata.milestone_of(stage).and_then(|field| field.value);
    let latest = || if metadata.stage() == Some(stage) { metadata.milestone() } else { None };
    milestone.or_else(latest).filter(|release| !release.is_unknown())
}
