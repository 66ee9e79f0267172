//! The KEPs and other files of a page: what each is called, the values that it is filtered by, and their order.

use super::text::Ids;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::report::{NONE, Summary, kep_name};
use crate::stage::{Stage, Status};
use std::cmp::Reverse;

/// The value of a status that does not exist.
pub const UNKNOWN: &str = "unknown";

pub struct Subject<'a> {
    pub report: &'a KepReport,
    pub id: String,
    /// `KEP-1 Prefetch images`; of a file that belongs to no KEP, the path.
    pub name: String,
    pub sig: &'a str,
    pub status: &'static str,
    /// The stage that it is checked for, or [`NONE`].
    pub stage: &'static str,
    pub counts: Summary,
}

/// Everything that `run` says something about: those with the most severe findings first, then by path.
pub fn all<'a>(run: &'a Run, ids: &mut Ids) -> Vec<Subject<'a>> {
    let is_shown = |report: &&KepReport| !report.is_left_out && (report.kep.is_some() || !report.is_clean());
    let mut reports: Vec<(&KepReport, Summary)> =
        run.reports.iter().filter(is_shown).map(|report| (report, Summary::of_report(report))).collect();
    reports.sort_by_key(|(report, counts)| (Reverse(*counts), report.path()));
    reports.into_iter().map(|(report, counts)| Subject::of(report, counts, ids)).collect()
}

impl<'a> Subject<'a> {
    fn of(report: &'a KepReport, counts: Summary, ids: &mut Ids) -> Self {
        let about = report.about.as_ref();
        let status = match about.and_then(|about| about.status.as_deref()) {
            None => NONE,
            Some(text) => Status::from_name(text).map_or(UNKNOWN, Status::name),
        };
        // Its part that does not depend on where the repository is.
        let path = report.path().rsplit_once("keps/").map_or(report.path(), |(_, rest)| rest);
        Self {
            report,
            id: ids.unique(path),
            name: kep_name(report).unwrap_or_else(|| report.path().to_owned()),
            sig: about.and_then(|about| about.sig.as_deref()).unwrap_or(NONE),
            status,
            stage: report.target.and_then(|target| target.stage).map_or(NONE, Stage::name),
            counts,
        }
    }

    pub fn is_kep(&self) -> bool {
        self.report.kep.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::about::About;
    use crate::report::sample;

    #[test]
    fn the_most_severe_come_first() {
        let mut run = sample::run();
        run.reports.insert(0, sample::report("keps/sig-node/9-clean", &[]));
        run.reports.push(KepReport { is_left_out: true, ..sample::report("keps/sig-node/3-z", &[]) });
        run.reports[0].about = Some(About { status: Some("done".to_owned()), ..About::default() });
        let subjects = all(&run, &mut Ids::default());
        let shown: Vec<_> = subjects.iter().map(|it| (it.name.as_str(), it.id.as_str(), it.status, it.stage)).collect();
        assert_eq!(
            shown,
            [
                ("KEP-1 Prefetch", "sig-node/1-x", "implementable", "beta"),
                ("keps/template/README.md", "template/README.md", NONE, NONE),
                ("9-clean", "sig-node/9-clean", UNKNOWN, "beta"),
            ]
        );
    }
}
