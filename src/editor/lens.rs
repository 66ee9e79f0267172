//! How far a KEP is: what is shown above a line, with what can be done next, and its board.

use super::view::View;
use crate::authoring::promotion::{Goal, STAND_IN};
use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::lint::Options;
use crate::ready::answer::State;
use crate::ready::approval::Role;
use crate::ready::board::Board;
use crate::ready::calendar::schedule::Time;
use crate::ready::calendar::{on_day, release_day};
use crate::ready::checklist::Checklist;
use crate::ready::{self, case::Ask};
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage, Status};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub span: Span,
    pub title: String,
    /// The promotion that it offers; `None` if it offers the board of the KEP.
    pub promotion: Option<Goal>,
}

pub fn all(view: &View<'_>, file: FileId) -> Vec<Lens> {
    let kep = view.kep();
    let Some(metadata) = kep.metadata.as_ref().filter(|metadata| !is_over(metadata)) else { return Vec::new() };
    let mut lenses = Vec::new();
    let heading = kep.readme.as_ref().filter(|readme| readme.file == file).and_then(|readme| {
        let title = readme.sections.title()?;
        Some(Span::new(file, readme.sections.get(title).heading.clone()))
    });
    if let Some((span, stage)) = heading.zip(metadata.stage()) {
        lenses.push(Lens { span, title: state(view, stage), promotion: None });
    }
    if metadata.file == file
        && let Some(field) = &metadata.stage
        && let Some(goal) = metadata.stage().and_then(next)
    {
        let title = format!("promote to {} …", name(goal));
        lenses.push(Lens { span: field.span, title, promotion: Some(goal) });
    }
    lenses
}

/// Whether nobody works on the KEP any more.
fn is_over(metadata: &Metadata) -> bool {
    !matches!(metadata.status(), Some(Status::Provisional | Status::Implementable))
}

fn next(stage: Stage) -> Option<Goal> {
    match stage {
        Stage::Alpha => Some(Goal::Stage(Stage::Beta)),
        Stage::Beta => Some(Goal::Stage(Stage::Stable)),
        Stage::Stable => Some(Goal::Implemented),
        Stage::Deprecated | Stage::Disabled | Stage::Removed => None,
    }
}

/// The word for a goal in commands.
pub fn name(goal: Goal) -> &'static str {
    match goal {
        Goal::Stage(stage) => stage.name(),
        Goal::Implemented => "implemented",
    }
}

/// "alpha v1.37 (release on 2026-08-26): 3 open · for beta: 11 open · PRR: @TBD"
fn state(view: &View<'_>, stage: Stage) -> String {
    let now = judged(view, stage);
    let day = if view.repository.has_groups { release_day(now.release) } else { None };
    let day = day.map(|day| format!(" ({day})")).unwrap_or_default();
    let mut words = vec![format!("{stage} {}{day}: {}", now.release, open(&now))];
    if let Some(Goal::Stage(later)) = next(stage) {
        words.push(format!("for {later}: {}", open(&judged(view, later))));
    }
    words.push(match &now.approver {
        Some(approver) if approver.role == Role::NotApprover && approver.name != STAND_IN.trim_start_matches('@') => {
            format!("PRR: @{} (no approver)", approver.name)
        }
        Some(approver) => format!("PRR: @{}", approver.name),
        None => "PRR: nobody".to_owned(),
    });
    words.join(" · ")
}

/// How much is not met: each section counts.
fn open(checklist: &Checklist) -> String {
    let is_open = |name: &str, state: State| state == State::NotMet && name != "sections";
    let items = checklist.entries.iter().filter(|entry| is_open(entry.item.name, entry.answer.state)).count();
    match items + checklist.open_sections {
        0 => "ready".to_owned(),
        count => format!("{count} open"),
    }
}

/// The checklist of the KEP for a stage, in the release that a question about it means.
fn judged(view: &View<'_>, stage: Stage) -> Checklist {
    let meant = view.options.release_planned(view.repository, view.kep().metadata.as_ref(), Some(stage), None);
    let ask = Ask::merged(Some(stage), meant.release);
    ready::judge(Kep::parse(view.texts.clone()), view.template, view.repository, ask)
}

/// The board of the KEP alone, made at the time `now`. Without a stage or a release, it is that of the KEP.
pub fn board(view: &View<'_>, stage: Option<Stage>, release: Option<Release>, now: Time) -> Board {
    let options = Options { release: release.or(view.options.release), ..view.options.clone() };
    let kep = Kep::parse(view.texts.clone());
    let meant = options.release_asked(view.repository, kep.metadata.as_ref(), stage, Some(on_day(now)));
    let checklist = ready::judge(kep, view.template, view.repository, Ask::merged(stage, meant.release));
    Board::of_one(checklist, view.repository, meant, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{DIRECTORY, ask};

    fn lenses(status: &str, stage: &str, asked: &str) -> Vec<String> {
        let path = |name: &str| format!("{DIRECTORY}/{name}");
        let metadata = format!(
            "title: Images\nkep-number: 1\nowning-sig: sig-node\nstatus: {status}\nstage: {stage}\nlatest-milestone: \"v1.37\"\n"
        );
        let files = [(path("README.md"), "# KEP-1: Images\n\n## Summary\n"), (path("kep.yaml"), &metadata)];
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), *text)).collect();
        ask(&files, |view| {
            let file = view.file(&path(asked)).expect("it is there");
            let lenses = all(view, file);
            let text = &view.kep().texts.file(file).text;
            lenses.iter().map(|lens| format!("{} | {}", &text[lens.span.range()], lens.title)).collect()
        })
    }

    #[test]
    fn the_title_says_how_far_the_kep_is() {
        let list = lenses("implementable", "alpha", "README.md");
        let [line] = list.as_slice() else { panic!("{list:?}") };
        assert!(line.starts_with("# KEP-1: Images | alpha v1.37 (release on 2026-08-26): "), "{line}");
        assert!(line.contains(" · for beta: ") && line.ends_with(" · PRR: nobody"), "{line}");
        let count =
            |part: &str| line.split_once(part).and_then(|(_, rest)| rest.split(' ').next()?.parse::<u32>().ok());
        assert!(count("08-26): ") < count("for beta: "), "more is asked for beta: {line}");
        assert!(!lenses("implementable", "stable", "README.md")[0].contains("for "));
    }

    #[test]
    fn the_stage_offers_the_next_one() {
        assert_eq!(lenses("implementable", "alpha", "kep.yaml"), ["alpha | promote to beta …"]);
        assert_eq!(lenses("implementable", "stable", "kep.yaml"), ["stable | promote to implemented …"]);
        assert_eq!(lenses("implementable", "removed", "kep.yaml"), [""; 0]);
        assert_eq!(lenses("withdrawn", "alpha", "kep.yaml"), [""; 0]);
        assert_eq!(lenses("implementable", "gamma", "kep.yaml"), [""; 0]);
    }
}
