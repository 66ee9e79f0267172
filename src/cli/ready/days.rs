//! The days of a release: those that are built in, or those of a clone of kubernetes/sig-release.
use crate::bounds;
use crate::cli::output;
use crate::diagnostic::{Failure, named};
use crate::ready::calendar::import::{file_of, read};
use crate::ready::calendar::schedule::Schedule;
use crate::ready::calendar::schedule_of;
use crate::stage::Release;
use crate::workspace::files::disk;
use std::path::Path;

/// The days of `release`, read from the clone if one is named; `None` if they are not known.
pub fn of(release: Release, clone: Option<&Path>) -> Result<Option<Schedule>, Failure> {
    let Some(clone) = clone else { return Ok(schedule_of(release).cloned()) };
    let path = clone.join(file_of(release));
    let source = disk::around(&path);
    if source.kind(&path).is_none() {
        let failure =
            Failure::new(format!("the days of {release} are not known: {} is missing", named(&path))).at(&path);
        return Err(failure.help("name an up-to-date clone of kubernetes/sig-release"));
    }
    let opened = source.read(&path, bounds::FILE_BYTES)?;
    let schedule = read(&opened.file.text, release);
    let days = schedule.named("PRR freeze");
    let missing: Vec<&str> = days.iter().filter(|(_, day)| day.is_none()).map(|(name, _)| *name).collect();
    if missing.len() == days.len() {
        let failure = Failure::new(format!("{} has no table with the days of {release}", named(&path))).at(&path);
        return Err(failure.help("the rows are those below `## Timeline`, such as `Begin [Enhancements Freeze]`"));
    }
    if !missing.is_empty() {
        output::note(&format!("{} has no day for: {}", named(&path), missing.join(", ")));
    }
    Ok(Some(schedule))
}
