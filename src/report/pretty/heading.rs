//! The heading of a KEP: which one it is, and what it was checked for.

use crate::lint::about::About;
use crate::lint::report::KepReport;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{kep_name, printable, target_release, wrap};
use crate::requirement::Target;
use crate::stage::Phase;

/// `KEP-5647 Stale controllers — implementable, checked for beta, v1.37 (--stage; kep.yaml: alpha)`; nothing for a
/// template and for files that belong to no KEP.
pub fn of(report: &KepReport, look: &Look) -> Option<String> {
    let about = report.about.as_ref()?;
    let name = printable(&kep_name(report)?);
    let state = report.target.as_ref().map(|target| state(about, target)).unwrap_or_default();
    let text = printable(&format!("{name} {} {state}", look.dash()));
    let lines = wrap::lines(&text, look.columns(), "", "  ");
    // The name is bold; with a long title, up to the last line that it is on.
    let mut left = name.chars().filter(|letter| *letter != ' ').count();
    let painted = lines.iter().map(|line| {
        let end = line.char_indices().find(|(_, letter)| {
            let is_after = left == 0;
            left = left.saturating_sub(usize::from(*letter != ' '));
            is_after
        });
        let (bold, rest) = line.split_at(end.map_or(line.len(), |(at, _)| at));
        Paint::Bold.only_if(look.color && !bold.trim().is_empty()).apply(bold) + rest + "\n"
    });
    Some(painted.collect())
}

fn state(about: &About, target: &Target) -> String {
    let status = match about.status.as_deref() {
        Some(status) if target.has_unknown_status => format!("unknown status `{status}`"),
        Some(status) => status.to_owned(),
        None => "no status".to_owned(),
    };
    let stale = if target.phase == Phase::Stale { " (stale)" } else { "" };
    let stage = target.stage.map(|stage| format!("checked for {stage}"));
    let release = target_release(target, about);
    let origin = match (target.is_given, target.own_stage) {
        (false, _) => String::new(),
        (true, None) => " (--stage; kep.yaml: no stage)".to_owned(),
        (true, stage_of_kep) if stage_of_kep == target.stage => " (--stage)".to_owned(),
        (true, Some(stage_of_kep)) => format!(" (--stage; kep.yaml: {stage_of_kep})"),
    };
    let words: Vec<String> = [format!("{status}{stale}")].into_iter().chain(stage).chain(release).collect();
    words.join(", ") + &origin
}
