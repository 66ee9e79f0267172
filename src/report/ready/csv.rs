//! The board as comma-separated values (RFC 4180), for a spreadsheet.
use super::words;
use crate::ready::answer::name_of;
use crate::ready::board::Board;
use crate::ready::calendar::{data_day, day_of};
use crate::ready::checklist::Checklist;
use crate::ready::comparison::ComparedKep;
use crate::ready::items::Item;
use crate::report::printable;

type Column = (&'static str, fn(&Board, &Checklist) -> Option<String>);

/// The columns before those of the items, which have the names of some fields of kep.yaml.
const FIRST: [Column; 15] = [
    ("number", |_, kep| kep.number.clone()),
    ("title", |_, kep| kep.title.clone()),
    ("sig", |_, kep| kep.sig.clone()),
    ("target-stage", |_, kep| kep.stage.map(|stage| stage.to_string())),
    ("release", |_, kep| Some(kep.release.to_string())),
    ("written-status", |_, kep| kep.status.clone()),
    ("written-latest-milestone", |_, kep| kep.latest_milestone.clone()),
    ("ready", |_, kep| Some(if kep.is_ready { "yes" } else { "no" }.to_owned())),
    ("state", |_, kep| Some(name_of(kep.readiness))),
    ("deadline", |_, kep| Some(name_of(kep.deadline.as_ref()?.status.state))),
    ("open-sections", |_, kep| kep.kep.as_ref().map(|_| kep.open_sections.to_string())),
    ("to-act", |_, kep| Some(words::actors(kep))),
    ("board-status", |_, kep| kep.tracked.as_ref()?.status.clone()),
    ("contact", |_, kep| kep.tracked.as_ref()?.contact.clone()),
    ("issue", |_, kep| kep.issue.clone()),
];

const LAST: [Column; 6] = [
    ("open", |_, kep| Some(kep.open(&kep.outcome).map(words::titled).collect::<Vec<_>>().join("; "))),
    ("waits-for", |_, kep| Some(words::waits_for(kep).join("; "))),
    ("kep", |_, kep| kep.kep.clone()),
    ("release-day", |_, kep| Some(day_of(kep.release).filter(|_| kep.family.is_of_kubernetes())?.to_owned())),
    ("release-source", |board, kep| Some(words::origin(words::origin_of(kep, board)))),
    ("data-day", |_, kep| kep.family.is_of_kubernetes().then(|| data_day().to_owned())),
];

/// Renders `board`: a line per KEP, after one with the names of the columns. What changed since an earlier board has the last
/// column, if that is asked; a KEP that is not on the board any more has no line.
pub fn render(board: &Board) -> String {
    let name = |(name, _): Column| name;
    let names = FIRST.map(name).into_iter().chain(board.items.iter().map(|item| item.name)).chain(LAST.map(name));
    let head = names.chain(board.has_pulls().then_some("pull-requests"));
    let mut text = line(head.chain(board.comparison.as_ref().map(|_| "change")).map(str::to_owned));
    for (place, checklist) in board.checklists.iter().enumerate() {
        let value = |(_, value): Column| value(board, checklist).unwrap_or_default();
        let state = |item: &&Item| checklist.answer(item.name).map(|answer| name_of(answer.state)).unwrap_or_default();
        let numbers = checklist.pulls.iter().flatten().map(|pull| pull.number.to_string());
        let pulls = board.has_pulls().then(|| numbers.collect::<Vec<_>>().join("; "));
        let change = |kep: &ComparedKep| format!("{}: {}", kep.change.words(), kep.details);
        let change = board.comparison.as_ref().map(|comparison| comparison.at(place).map(change).unwrap_or_default());
        let row = FIRST.map(value).into_iter().chain(board.items.iter().map(state)).chain(LAST.map(value));
        text += &line(row.chain(pulls).chain(change));
    }
    text
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
