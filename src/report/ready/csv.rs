//! The board as comma-separated values (RFC 4180), for a spreadsheet.
use super::words;
use crate::ready::answer::name_of;
use crate::ready::board::Board;
use crate::ready::calendar::{data_day, day_of};
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::comparison::ComparedKep;
use crate::ready::items::Item;
use crate::report::printable;

const PULLS: &str = "pull-requests";

type Value = fn(&Checklist) -> Option<String>;

/// The columns before those of the items, which have the names of some fields of kep.yaml.
const COLUMNS: [(&str, Value); 15] = [
    ("number", |kep| kep.number.clone()),
    ("title", |kep| kep.title.clone()),
    ("sig", |kep| kep.sig.clone()),
    ("target-stage", |kep| kep.stage.map(|stage| stage.to_string())),
    ("release", |kep| Some(kep.release.to_string())),
    ("written-status", |kep| kep.status.clone()),
    ("written-latest-milestone", |kep| kep.latest_milestone.clone()),
    ("ready", |kep| Some(if kep.is_ready { "yes" } else { "no" }.to_owned())),
    ("state", |kep| Some(name_of(kep.readiness))),
    ("deadline", |kep| Some(name_of(kep.deadline.as_ref()?.status.state))),
    ("open-sections", |kep| kep.kep.as_ref().map(|_| kep.open_sections.to_string())),
    ("to-act", |kep| Some(words::actors(kep))),
    ("board-status", |kep| kep.tracked.as_ref()?.status.clone()),
    ("contact", |kep| kep.tracked.as_ref()?.contact.clone()),
    ("issue", |kep| kep.issue.clone()),
];

/// Renders `board`: a line per KEP, after one with the names of the columns. What changed since an earlier board has the last
/// column, if that is asked; a KEP that is not on the board any more has no line.
pub fn render(board: &Board) -> String {
    let names = COLUMNS.iter().map(|(name, _)| *name).chain(board.items.iter().map(|item| item.name));
    let head = names
        .chain(["open", "waits-for", "kep", "release-day", "release-source", "data-day"])
        .chain(board.has_pulls().then_some(PULLS));
    let mut text = line(head.chain(board.comparison.as_ref().map(|_| "change")).map(str::to_owned));
    for (place, checklist) in board.checklists.iter().enumerate() {
        let change = board.comparison.as_ref().map(|comparison| comparison.at(place).map(change));
        text += &line(row(board, checklist).chain(change.map(Option::unwrap_or_default)));
    }
    text
}

/// `fell back: status not met (was met)`
fn change(kep: &ComparedKep) -> String {
    format!("{}: {}", kep.change.words(), kep.details)
}

fn row(board: &Board, checklist: &Checklist) -> impl Iterator<Item = String> {
    let fields = COLUMNS.iter().map(|(_, value)| value(checklist).unwrap_or_default());
    let state = |item: &&Item| checklist.answer(item.name).map(|answer| name_of(answer.state)).unwrap_or_default();
    let open: Vec<String> = checklist.open().map(|entry| words::titled(entry.item.title, &entry.answer)).collect();
    let numbers = |pulls: &Vec<Pull>| pulls.iter().map(|pull| pull.number.to_string()).collect::<Vec<_>>().join("; ");
    let pulls = board.has_pulls().then(|| checklist.pulls.as_ref().map(numbers).unwrap_or_default());
    let kep = checklist.kep.clone().unwrap_or_default();
    let is_of_kubernetes = checklist.family.is_of_kubernetes();
    let day = day_of(checklist.release).filter(|_| is_of_kubernetes).unwrap_or_default().to_owned();
    let data = if is_of_kubernetes { data_day() } else { "" }.to_owned();
    let source = words::origin(words::origin_of(checklist, board));
    let rest = [open.join("; "), words::waits_for(checklist).join("; "), kep, day, source, data];
    fields.chain(board.items.iter().copied().map(move |item| state(&item))).chain(rest).chain(pulls)
}

pub fn line(fields: impl Iterator<Item = String>) -> String {
    fields.map(|text| field(&text)).collect::<Vec<_>>().join(",") + "\r\n"
}

/// A field. A spreadsheet would run one that begins like a formula, so that it gets an apostrophe. So does what follows a
/// `;`, because a spreadsheet of another country begins a field there, whatever is quoted.
fn field(text: &str) -> String {
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let is_before = |letter: char| letter.is_whitespace() || letter == '"';
    let harmless = |part: &str| {
        let mark = if part.trim_start_matches(is_before).starts_with(SIGNS) { "'" } else { "" };
        format!("{mark}{part}")
    };
    // Tabs and line ends are spaces here.
    let text = printable(text).split(';').map(harmless).collect::<Vec<_>>().join(";");
    let is_quoted = text.contains([',', ';', '"', '\'', ' ']);
    if is_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_no_formulas() {
        assert_eq!(field("beta"), "beta");
        assert_eq!(field("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(field("=1+1"), "\"'=1+1\"");
        for formula in ["+a", "-a", "@a", " =a", "\t=a", "\r@a", "＝a", "＋a", "－a", "＠a", "\u{3000}=a", "\"=a\""]
        {
            assert!(field(formula).starts_with("\"'"), "{}", field(formula));
        }
        assert_eq!(field("a\nb\tc"), "\"a b c\"");
        assert_eq!(field("x;=1+1"), "\"x;'=1+1\"");
        assert_eq!(field("x; \"=1\";b;－c"), "\"x;' \"\"=1\"\";b;'－c\"");
        assert_eq!(field("a;b"), "\"a;b\"");
    }
}
