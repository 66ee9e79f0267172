//! A list of KEPs: a line for each, with what people ask of many of them. Open sections and who has to
//! act are those of its checklist, findings those of a check.

use super::json::{self, encoding};
use super::look::Look;
use super::paint::Paint;
use super::ready::{csv, words};
use super::table::{GAP, Table};
use super::width::{columns, cut_inside};
use super::{Summary, printable};
use crate::kep::layout::Layout;
use crate::lint::about::About;
use crate::ready::checklist::Checklist;
use crate::stage::release::Meant;
use crate::stage::{Release, Stage};
use crate::yaml::date::Date;
use serde_json::{Value, json};

/// Raised by a change that breaks a program that reads the JSON.
const VERSION: u32 = 1;

/// What a program that checks lists needs; a test compares it with what is written.
pub const SCHEMA: &str = include_str!("list/schema.json");

pub struct List {
    pub meant: Meant,
    pub layout: Layout,
    pub keps: Vec<ListedKep>,
}

pub struct ListedKep {
    pub directory: String,
    pub about: About,
    /// The name of its document, where there are several kinds of them: they may have the same number.
    pub file: Option<String>,
    pub stage: Option<Stage>,
    /// The day of the last commit that changes it; `None` where git does not tell.
    pub changed: Option<Date>,
    pub findings: Summary,
    /// `None` for implemented, closed and stale KEPs, of which nothing is asked.
    pub checklist: Option<Checklist>,
}

impl ListedKep {
    pub fn name(&self) -> String {
        let name = self.about.number.as_ref().unwrap_or(&self.directory);
        self.file.as_ref().map_or_else(|| name.clone(), |file| format!("{name} {file}"))
    }

    pub fn milestone(&self) -> Option<Release> {
        Release::parse(&self.about.latest_milestone.as_deref()?.to_lowercase())
    }

    pub fn open(&self) -> Option<usize> {
        self.checklist.as_ref().map(|checklist| checklist.open_sections)
    }

    fn others(&self) -> usize {
        self.findings.total() - self.findings.error
    }

    fn actors(&self) -> String {
        self.checklist.as_ref().map(words::actors).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ListFormat {
    pub name: &'static str,
    pub summary: &'static str,
    pub render: fn(&List, &Look) -> String,
}

pub const FORMATS: &[ListFormat; 4] = &[
    ListFormat { name: "text", summary: "columns that fit the screen (default)", render },
    ListFormat { name: "markdown", summary: "a table", render: |list, _| markdown(list) },
    ListFormat { name: "json", summary: "all values as one JSON object", render: |list, _| json(list) },
    ListFormat { name: "csv", summary: "all values, for a spreadsheet", render: |list, _| csv(list) },
];

type Cell = fn(&ListedKep) -> Value;

fn text(value: Option<impl ToString>) -> Value {
    value.map_or(Value::Null, |value| Value::String(value.to_string()))
}

/// A column of a screen. What has a higher number is left out first where there is no room.
struct Column {
    heading: &'static str,
    importance: u8,
    is_number: bool,
    cell: Cell,
}

const fn column(heading: &'static str, importance: u8, cell: Cell) -> Column {
    Column { heading, importance, is_number: false, cell }
}

const fn number(heading: &'static str, importance: u8, cell: Cell) -> Column {
    Column { is_number: true, ..column(heading, importance, cell) }
}

const NUMBER: &str = "KEP";
const TITLE: &str = "title";

/// The importance of what is left out first.
const LEAST: u8 = 9;

const COLUMNS: [Column; 11] = [
    number(NUMBER, 0, |kep| Value::String(kep.name())),
    column(TITLE, 0, |kep| text(kep.about.title.as_ref())),
    column("SIG", 6, |kep| text(kep.about.owner())),
    column("stage", 1, |kep| text(kep.stage)),
    column("status", 7, |kep| text(kep.about.status.as_ref())),
    column("milestone", 5, |kep| text(kep.about.latest_milestone.as_ref())),
    column("changed", 8, |kep| text(kep.changed.map(|day| day.to_string()).or(Some("-".to_owned())))),
    number("open", 2, |kep| text(kep.open().filter(|open| *open > 0))),
    number("errors", 3, |kep| text(Some(kep.findings.error).filter(|count| *count > 0))),
    number("other", LEAST, |kep| text(Some(kep.others()).filter(|count| *count > 0))),
    column("to act", 4, |kep| text(Some(kep.actors()))),
];

/// A line for each KEP that fits the screen: columns are left out, and long cells cut in the middle.
fn render(list: &List, look: &Look) -> String {
    /// A shorter title tells nothing.
    const TITLE_COLUMNS: usize = 24;
    /// No group of Kubernetes needs more, but for one. What is not on a screen is never cut.
    const OTHER_COLUMNS: usize = 20;
    /// One long title does not make all other lines as long.
    const LOG_COLUMNS: usize = 120;
    let is_cut = look.width < usize::MAX;
    let most = if is_cut { OTHER_COLUMNS } else { LOG_COLUMNS };
    let all: Vec<Measured<'_>> = COLUMNS.iter().map(|column| Measured::of(column, list, most)).collect();
    let total = |importance: u8| -> usize {
        let shown = all.iter().filter(|measured| measured.column.importance <= importance);
        let least =
            |width: usize, column: &Column| if column.heading == TITLE { width.min(TITLE_COLUMNS) } else { width };
        shown.map(|measured| least(measured.width, measured.column) + GAP.len()).sum::<usize>() - GAP.len()
    };
    let fits = |importance: &u8| total(*importance) <= look.columns();
    let importance = (0..=LEAST).rev().find(fits).unwrap_or_default();
    let room = look.columns().saturating_sub(total(importance)).saturating_add(TITLE_COLUMNS);
    let mut lines = vec![String::new(); list.keps.len() + 1];
    let shown = all.iter().filter(|measured| measured.column.importance <= importance);
    for Measured { column, cells, width } in shown {
        let width = if column.heading == TITLE { (*width).min(room.min(LOG_COLUMNS)) } else { *width };
        for (line, cell) in lines.iter_mut().zip(cells) {
            let cell = if is_cut { cut_inside(cell, width, look.ellipsis()) } else { cell.clone() };
            let blanks = " ".repeat(width.saturating_sub(columns(&cell)));
            let gap = if column.heading == NUMBER { "" } else { GAP };
            let padded = if column.is_number { blanks + &cell } else { cell + &blanks };
            *line += &format!("{gap}{padded}");
        }
    }
    let dim = Paint::Dim.only_if(look.color);
    let mut lines = lines.into_iter().map(|line| line.trim_end().to_owned());
    let head = lines.next().map(|head| dim.apply(&head) + "\n").unwrap_or_default();
    lines.fold(head, |text, line| text + &line + "\n")
}

struct Measured<'a> {
    column: &'a Column,
    /// The heading, and the cell of each KEP.
    cells: Vec<String>,
    width: usize,
}

impl<'a> Measured<'a> {
    /// A column, of which no cell but a title takes more than so many columns.
    fn of(column: &'a Column, list: &List, most: usize) -> Self {
        let shown = |kep: &ListedKep| printable((column.cell)(kep).as_str().unwrap_or_default());
        let mut heading = column.heading.to_owned();
        list.layout.say(&mut heading);
        let mut cells = vec![heading];
        cells.extend(list.keps.iter().map(shown));
        let widest = cells.iter().map(|cell| columns(cell)).max().unwrap_or_default();
        let width = if column.heading == TITLE { widest } else { widest.min(most) };
        Self { column, cells, width }
    }
}

fn markdown(list: &List) -> String {
    let row = |kep: &ListedKep| COLUMNS.iter().map(|column| (column.cell)(kep)).collect();
    let columns = COLUMNS.iter().map(|column| column.heading).collect();
    let text = Table { columns, rows: list.keps.iter().map(row).collect() }.markdown();
    let (head, rows) = text.split_once('\n').unwrap_or_default();
    let mut head = head.to_owned();
    list.layout.say(&mut head);
    format!("{head}\n{rows}")
}

/// The values that programs read, with their names in JSON, and in CSV with `-`.
const VALUES: [(&str, Cell); 14] = [
    ("number", |kep| text(kep.about.number.as_ref())),
    ("title", |kep| text(kep.about.title.as_ref())),
    ("sig", |kep| text(kep.about.owner())),
    ("stage", |kep| text(kep.stage)),
    ("status", |kep| text(kep.about.status.as_ref())),
    ("latest_milestone", |kep| text(kep.about.latest_milestone.as_ref())),
    ("last_change", |kep| text(kep.changed)),
    ("open_sections", |kep| json!(kep.open())),
    ("required_sections", |kep| json!(kep.checklist.as_ref().map(|checklist| checklist.required))),
    ("errors", |kep| json!(kep.findings.error)),
    ("warnings", |kep| json!(kep.findings.warning)),
    ("suggestions", |kep| json!(kep.findings.suggestion)),
    ("actors", |kep| json!(kep.checklist.as_ref().map(|it| it.actors.as_slice()).unwrap_or_default())),
    ("kep", |kep| json!(kep.directory)),
];

fn json(list: &List) -> String {
    let mut keps: Vec<Value> = Vec::new();
    for kep in &list.keps {
        keps.push(VALUES.iter().map(|(name, value)| ((*name).to_owned(), value(kep))).collect());
    }
    let is_known = list.meant.is_known(list.layout.is_of_keps());
    encoding::indented(&json!({
        "version": VERSION,
        "tool": json::tool(env!("CARGO_PKG_VERSION")),
        "release": if is_known { json::release(list.meant.release, list.meant.reason) } else { Value::Null },
        "keps": keps,
    }))
}

/// Comma-separated values, for a spreadsheet, in which no cell is a formula.
fn csv(list: &List) -> String {
    let mut text = csv::line(VALUES.iter().map(|(name, _)| name.replace('_', "-")));
    for kep in &list.keps {
        let cell = |value: Value| match value {
            Value::Array(_) => kep.actors(),
            Value::String(words) => words,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        text += &csv::line(VALUES.iter().map(|(_, value)| cell(value(kep))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn list(titles: &[&str]) -> List {
        let kep = |(title, number): (&&str, usize)| ListedKep {
            directory: format!("keps/sig-node/{number}-x"),
            about: About { title: Some((*title).to_owned()), number: Some(number.to_string()), ..About::default() },
            file: None,
            stage: Some(Stage::Beta),
            changed: None,
            findings: Summary { error: number % 2, warning: 1, suggestion: 0 },
            checklist: None,
        };
        List { meant: sample::run().meant, layout: Layout::default(), keps: titles.iter().zip(1..).map(kep).collect() }
    }

    #[test]
    fn lines_fit_the_screen_and_titles_are_cut_in_the_middle() {
        let list =
            list(&["A title that has many more words than a narrow screen has columns for", "漢字 \u{202e}\u{1b}[31m"]);
        for width in [40, 60, 80, 120] {
            let shown = render(&list, &Look { width, ..Look::default() });
            assert!(shown.lines().all(|line| columns(line) <= width), "{width}: {shown}");
            assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown}");
        }
        let narrow = render(&list, &Look { width: 40, ..Look::default() });
        assert!(
            narrow.lines().nth(1).is_some_and(|line| line.contains("A title t") && line.contains("s for")),
            "{narrow}"
        );
        let whole = render(&list, &Look { width: usize::MAX, ..Look::default() });
        assert!(whole.contains("columns for"), "{whole}");
    }

    #[test]
    fn no_cell_is_a_formula_or_acts() {
        let list = list(&["=1+1, \"x\"", "@ann <script> a|b `c`"]);
        let csv = csv(&list);
        assert!(csv.contains("\"'=1+1, \"\"x\"\"\"") && csv.contains("\"'@ann "), "{csv}");
        let markdown = markdown(&list);
        assert!(markdown.contains("| `` @ann <script> a\\|b `c` `` |"), "{markdown}");
    }

    #[test]
    fn the_schema_lists_the_values() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
        let names = json!(VALUES.map(|(name, _)| name));
        assert_eq!(schema.pointer("/$defs/Kep/required"), Some(&names));
        assert_eq!(schema.pointer("/properties/version/const"), Some(&json!(VERSION)));
        let actors = json!(crate::ready::answer::Actor::ALL);
        assert_eq!(schema.pointer("/$defs/Kep/properties/actors/items/enum"), Some(&actors));
    }
}
