//! The findings by SIG, after a report on many KEPs, for those who pass them on.

use crate::diagnostic::Severity;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::table::{GAP, aligned};
use crate::report::{NONE, Summary, printable, width, wrap};
use std::cmp::Reverse;

/// What stands for all SIGs that have none of the most severe findings.
const OTHERS: &str = "others";

/// A longer name of a SIG is cut.
const SIG_COLUMNS: usize = 30;

/// A SIG, how much is found in its KEPs, and their names, the worst first.
struct Group<'a> {
    sig: &'a str,
    counts: Summary,
    keps: Vec<&'a str>,
}

/// The SIGs with the most severe findings, the worst first, and the others together; also what is not shown.
pub fn table(run: &Run, look: &Look) -> String {
    let counted = |report| (report, Summary::of_report(report).from_level(look.level));
    let mut reports: Vec<(&KepReport, Summary)> = run.reports.iter().map(counted).collect();
    reports.retain(|(_, counts)| counts.total() > 0);
    reports.sort_by_key(|(_, counts)| Reverse(*counts));
    let all = reports.iter().map(|(_, counts)| *counts).fold(Summary::default(), Summary::plus);
    type Count = fn(Summary) -> usize;
    let columns: [(&str, Count); 3] = [
        ("  errors", |counts| counts.error),
        ("warnings", |counts| counts.warning),
        ("suggestions", |counts| counts.suggestion),
    ];
    let columns: Vec<_> = columns.into_iter().filter(|(_, count)| count(all) > 0).collect();
    let mut cells =
        vec![columns.iter().map(|(name, _)| *name).chain([run.layout.group()]).map(str::to_owned).collect()];
    let groups = groups(&reports, all.highest());
    for group in &groups {
        let counts = columns.iter().map(|(_, count)| count(group.counts).to_string());
        let sig = width::cut_inside(&printable(group.sig), SIG_COLUMNS, look.ellipsis());
        cells.push(counts.chain([sig]).collect());
    }
    let mut fronts = aligned(&cells, 0..columns.len()).into_iter().map(|line| line + GAP);
    let heading = fronts.next().unwrap_or_default() + &format!("{}, most findings first", run.layout.names());
    let heading = width::cut(&heading, look.columns(), look.ellipsis());
    let mut table = Paint::Bold.only_if(look.color).apply(&heading) + "\n";
    for (front, group) in fronts.zip(&groups) {
        let (indent, whole) = (width::columns(&front), printable(&group.keps.join(", ")));
        if !look.may_cut() {
            table += &(wrap::wrapped(&whole, look.columns(), &front, &" ".repeat(indent)) + "\n");
            continue;
        }
        let room = look.columns().saturating_sub(indent);
        let mut keps = width::cut(&whole, room, look.ellipsis());
        if keps != whole {
            // Between two of them, so that no part of a number is left.
            let cut = width::cut(&whole, room.saturating_sub(1), look.ellipsis());
            keps = cut.rsplit_once(',').map_or(keps, |(kept, _)| format!("{kept}, {}", look.ellipsis()));
        }
        table += &(format!("{front}{keps}").trim_end().to_owned() + "\n");
    }
    table
}

fn groups<'a>(reports: &[(&'a KepReport, Summary)], highest: Option<Severity>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (report, counts) in reports {
        let about = report.about.as_ref();
        let sig = about.map_or(NONE, |about| about.sig.as_deref().unwrap_or(NONE));
        let directory = report.kep.as_deref().and_then(|kep| kep.rsplit('/').next());
        let kep = about.and_then(|about| about.number.as_deref()).or(directory);
        match groups.iter_mut().find(|group| group.sig == sig) {
            Some(group) => {
                group.counts = group.counts.plus(*counts);
                group.keps.extend(kep);
            }
            None => groups.push(Group { sig, counts: *counts, keps: kep.into_iter().collect() }),
        }
    }
    groups.sort_by_key(|group| (Reverse(group.counts), group.sig));
    let has_worst = |group: &Group<'_>| group.counts.highest() == highest;
    let (mut worst, others): (Vec<Group<'_>>, Vec<Group<'_>>) = groups.into_iter().partition(has_worst);
    if others.len() > 1 {
        let counts = others.iter().map(|group| group.counts).fold(Summary::default(), Summary::plus);
        worst.push(Group { sig: OTHERS, counts, keps: Vec::new() });
    } else {
        worst.extend(others);
    }
    worst
}
