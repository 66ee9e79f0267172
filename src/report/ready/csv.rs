//! The board as comma-separated values (RFC 4180), for a spreadsheet.
use super::words;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::comparison::ComparedKep;
use crate::ready::items::Kind;
use crate::ready::tracked::Tracked;
use crate::report::printable;

/// The column with the numbers of the open pull requests, if there is a list of them.
const PULLS: &str = "pull-requests";

/// Renders `board`: a line per KEP, after one with the names of the columns. What changed since an earlier board has the last
/// column, if that is asked; a KEP that is not on the board any more has no line.
pub fn render(board: &Board) -> String {
    let items: Vec<&str> = board.items.iter().map(|item| item.name).collect();
    // The items have the names of some fields of kep.yaml.
    let columns = [
        "number",
        "title",
        "sig",
        "target-stage",
        "release",
        "written-status",
        "written-latest-milestone",
        "ready",
        "state",
        "deadline",
        "open-sections",
        "to-act",
        "board-status",
        "contact",
        "issue",
    ];
    let head = columns.into_iter().chain(items.iter().copied()).chain(["open", "waits-for", "kep"]);
    let head = head.chain(board.has_pulls().then_some(PULLS)).map(str::to_owned);
    let mut text = line(head.chain(board.comparison.as_ref().map(|_| "change".to_owned())));
    for (place, checklist) in board.checklists.iter().enumerate() {
        let change = board.comparison.as_ref().map(|comparison| comparison.at(place).map(change));
        text += &line(row(board, checklist, &items).chain(change.map(Option::unwrap_or_default)));
    }
    text
}

/// `fell back: status not met (was met)`
fn change(kep: &ComparedKep) -> String {
    format!("{}: {}", kep.change.words(), kep.details)
}

fn row(board: &Board, checklist: &Checklist, items: &[&str]) -> impl Iterator<Item = String> {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let tracked = |column: fn(&Tracked) -> &Option<String>| {
        checklist.tracked.as_ref().map(column).map(optional).unwrap_or_default()
    };
    let fields = [
        optional(&checklist.number),
        optional(&checklist.title),
        optional(&checklist.sig),
        checklist.stage.map(|stage| stage.to_string()).unwrap_or_default(),
        checklist.release.to_string(),
        optional(&checklist.status),
        optional(&checklist.latest_milestone),
        if checklist.is_ready { "yes" } else { "no" }.to_owned(),
        checklist.readiness.name().to_owned(),
        checklist.deadline.as_ref().map(|in_time| in_time.status.state().name().to_owned()).unwrap_or_default(),
        if checklist.kep.is_some() { checklist.open_sections.to_string() } else { String::new() },
        words::actors(checklist),
        tracked(|tracked| &tracked.status),
        tracked(|tracked| &tracked.contact),
        optional(&checklist.issue),
    ];
    let state = |name: &&str| checklist.answer(name).map_or(String::new(), |answer| answer.state.name().to_owned());
    let states: Vec<String> = items.iter().map(state).collect();
    let verdict = checklist.of_kind(Kind::Verdict).filter(|entry| entry.answer.state != State::Met);
    let open: Vec<String> = verdict.map(|entry| format!("{}: {}", entry.item.title, entry.answer.words)).collect();
    let numbers = |pulls: &Vec<Pull>| pulls.iter().map(|pull| pull.number.to_string()).collect::<Vec<_>>().join("; ");
    let pulls = board.has_pulls().then(|| checklist.pulls.as_ref().map(numbers).unwrap_or_default());
    let rest = [open.join("; "), words::waits_for(checklist).join("; "), optional(&checklist.kep)];
    fields.into_iter().chain(states).chain(rest).chain(pulls)
}

fn line(fields: impl Iterator<Item = String>) -> String {
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
