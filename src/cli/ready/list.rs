//! Lists of KEPs, written by people or exported: CSV, also with `;`, TSV, or lines `NUMBER [STAGE]`.
use crate::diagnostic::{Failure, brief};
use crate::kep::number;
use crate::ready::tracked::Tracked;
use crate::stage::{Release, Stage};
use crate::workspace::meant::Reference;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Debug)]
pub struct List {
    pub keps: Vec<Listed>,
    pub failures: Vec<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its number, without leading zeros; `None` if the line has none, as for a draft on a board.
    pub number: Option<String>,
    pub line: usize,
    pub tracked: Tracked,
}

/// The columns, each with the names that it may have, in lower case, the surest first. `url` and `repository` tell the
/// repository of a number in GitHub's projects.
const COLUMNS: [(&str, &[&str]); 10] = [
    (
        "number",
        &["number", "kep", "kep number", "kep-number", "issue", "issue number", "enhancement", "url", "link", "#"],
    ),
    ("url", &["url"]),
    ("repository", &["repository"]),
    ("stage", &["target-stage", "target stage", "stage", "stages", "enhancement stage"]),
    ("status", &["status", "enhancement status"]),
    ("contact", &["enhancements contact", "enhancement contact", "contact"]),
    ("sig", &["sig", "sigs", "owning sig"]),
    ("type", &["type", "enhancement type"]),
    ("labels", &["labels", "label"]),
    ("milestone", &["milestone", "release"]),
];

const NO_STAGE: [&str; 6] = ["", "-", "n/a", "na", "none", "tbd"];

/// The words that may stand beside a stage, as in `Graduating to Beta`. With others, as in `not alpha`, none is meant.
const BESIDE: &str = "change graduate graduates graduating graduation in major minor moving net new promotion remaining \
                      stage stays to";

/// Where Kubernetes' KEPs are, without the scheme. `kep.k8s.io/5073` is the issue with this number.
pub const KUBERNETES: [&str; 5] = [
    "github.com/kubernetes/enhancements",
    "api.github.com/repos/kubernetes/enhancements",
    "raw.githubusercontent.com/kubernetes/enhancements",
    "git.k8s.io/enhancements",
    "kep.k8s.io",
];

/// Reads the text of the list called `name`. Only `own` addresses count. It fails if no line can be used.
pub fn parse(name: &str, text: &str, own: &[String]) -> Result<List, Failure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let records = records(name, text)?;
    let mut columns = Columns(BTreeMap::from([("number", 0), ("stage", 1)]));
    let mut list = List { keps: Vec::new(), failures: Vec::new() };
    for (index, record) in records.iter().enumerate() {
        let failed = |reason: String| {
            let failure = Failure::new(format!("{name}:{}: {reason}", record.line)).at(name);
            failure.help("write a line as `5073 beta`, or name the columns `number` and `stage` in the first line")
        };
        if index == 0
            && let Some(named) = Columns::of_header(&record.cells).map_err(failed)?
        {
            columns = named;
            continue;
        }
        match columns.kep(record, own) {
            Ok(kep) => list.keps.push(kep),
            Err(reason) => list.failures.push(failed(reason)),
        }
    }
    if list.keps.is_empty() {
        let nothing = Failure::new(format!("{name} lists no KEP")).at(name).help("write a line as `5073 beta`");
        return Err(list.failures.into_iter().next().unwrap_or(nothing));
    }
    Ok(list)
}

struct Columns(BTreeMap<&'static str, usize>);

impl Columns {
    /// Those that a first line names; or why it is not certain which of them is meant.
    fn of_header(cells: &[String]) -> Result<Option<Self>, String> {
        // `Target Stage (v1.38)` is the target stage.
        let name_in = |cell: &String| cell.split('(').next().unwrap_or_default().trim().to_lowercase();
        let names: Vec<String> = cells.iter().map(name_in).collect();
        let mut columns = BTreeMap::new();
        for (column, known) in COLUMNS {
            let Some(name) = known.iter().find(|known| names.iter().any(|name| name == *known)) else { continue };
            let mut places = names.iter().enumerate().filter(|(_, other)| other == name).map(|(place, _)| place);
            columns.insert(column, places.next().unwrap_or_default());
            if places.next().is_some() {
                return Err(format!("several columns are called `{name}`"));
            }
        }
        if !columns.contains_key("number") {
            return Ok(None);
        }
        if !columns.contains_key("stage") {
            let has_word =
                |name: &String| name.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "stage");
            let others = names.iter().enumerate().filter(|(_, name)| has_word(name)).map(|(place, _)| place);
            match others.collect::<Vec<usize>>().as_slice() {
                [] => {}
                [only] => drop(columns.insert("stage", *only)),
                _ => return Err("several columns may have the stage".to_owned()),
            }
        }
        Ok(Some(Self(columns)))
    }

    fn kep(&self, Record { line, cells }: &Record, own: &[String]) -> Result<Listed, String> {
        let cell = |name: &str| {
            let cell = self.0.get(name).and_then(|column| cells.get(*column));
            cell.map(|cell| cell.trim()).unwrap_or_default()
        };
        let here = |written: &str| {
            let place = place_of(written, own).map(Cow::into_owned);
            place.ok_or_else(|| format!("`{}` is in another repository", brief(written)))
        };
        here(cell("url"))?;
        match cell("repository") {
            name if name.is_empty() || name.contains("://") => here(name)?,
            name => here(&format!("https://github.com/{name}"))?,
        };
        let number = match cell("number") {
            "" => None,
            written => {
                let place = here(written)?;
                Some(number_of(&place).ok_or_else(|| format!("`{}` is not a KEP", brief(written)))?)
            }
        };
        let stage = match cell("stage") {
            none if NO_STAGE.iter().any(|known| none.eq_ignore_ascii_case(known)) => None,
            word => Some(stage_of(word).ok_or_else(|| format!("unknown stage `{}`", brief(word)))?),
        };
        let kept = |name: &str| Some(cell(name).to_owned()).filter(|text| !text.is_empty());
        let tracked = Tracked {
            stage,
            status: kept("status"),
            contact: kept("contact"),
            sig: kept("sig"),
            kind: kept("type"),
            labels: kept("labels"),
            milestone: kept("milestone"),
        };
        Ok(Listed { number, line: *line, tracked })
    }
}

/// A line of the list, which may go on over several lines of the text.
struct Record {
    line: usize,
    cells: Vec<String>,
}

fn records(name: &str, text: &str) -> Result<Vec<Record>, Failure> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let records = if first.contains('\t') {
        separated(name, text, '\t')?
    } else if first.contains(';') && !first.contains(',') {
        separated(name, text, ';')?
    } else if first.contains([',', '"']) {
        separated(name, text, ',')?
    } else {
        let lines = text.lines().zip(1..);
        // `#5073` is a KEP, and `# for v1.38` is not.
        let lines = lines.filter(|(line, _)| !line.trim_start().starts_with("# "));
        let record = |(content, line): (&str, usize)| {
            let content = content.trim();
            let (number, stage) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
            Record { line, cells: vec![number.to_owned(), stage.trim().to_owned()] }
        };
        lines.map(record).collect()
    };
    let is_blank = |record: &Record| record.cells.iter().all(|cell| cell.trim().is_empty());
    Ok(records.into_iter().filter(|record| !is_blank(record)).collect())
}

/// Records of fields with a separator, as RFC 4180 has them: a field in double quotes may have separators, line ends and
/// doubled quotes in it. The crate csv is not for lists that people write: it takes a quote that is not closed for a field
/// with all lines after it, whose KEPs would be left out without a word, and no quote after a blank.
fn separated(name: &str, text: &str, separator: char) -> Result<Vec<Record>, Failure> {
    let mut records = Vec::new();
    let mut record = Record { line: 1, cells: Vec::new() };
    let (mut cell, mut line, mut opened) = (String::new(), 1, None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        line += usize::from(letter == '\n');
        match (letter, opened) {
            ('"', Some(_)) if letters.next_if_eq(&'"').is_some() => cell.push('"'),
            ('"', Some(_)) => opened = None,
            (_, Some(_)) => cell.push(letter),
            ('"', None) if cell.trim().is_empty() => {
                opened = Some(line);
                cell.clear();
            }
            ('\r', None) if letters.peek() == Some(&'\n') => {}
            ('\n', None) => {
                record.cells.push(std::mem::take(&mut cell));
                records.push(std::mem::replace(&mut record, Record { line, cells: Vec::new() }));
            }
            (_, None) if letter == separator => record.cells.push(std::mem::take(&mut cell)),
            (_, None) => cell.push(letter),
        }
    }
    if let Some(opened) = opened {
        let failure = Failure::new(format!("{name}:{opened}: a quote is not closed")).at(name);
        return Err(failure.help("close a quoted field with `\"`; write a quote in it as `\"\"`"));
    }
    record.cells.push(cell);
    records.push(record);
    Ok(records)
}

/// What an address is in the repository, as in `issues/5073`, or any other text; `None` for an address elsewhere.
fn place_of<'a>(text: &'a str, own: &[String]) -> Option<Cow<'a, str>> {
    let (first, _) = text.split_once('/').unwrap_or_default();
    let address = match (text.split_once("://"), text.split_once('#')) {
        (Some((_, address)), _) => address.to_owned(),
        _ if first.trim_matches('.').contains('.') => text.to_owned(),
        (_, Some((repository, number)))
            if repository.split('/').count() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            format!("github.com/{repository}/issues/{number}")
        }
        _ if text.contains("/issues/") => format!("github.com/{text}"),
        _ => return Some(text.into()),
    };
    let address = address.strip_prefix("www.").unwrap_or(&address);
    let address = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    own.iter().find_map(|own| {
        let (start, place) = address.split_at_checked(own.len())?;
        let place = if place.is_empty() { place } else { place.strip_prefix('/')? };
        start.eq_ignore_ascii_case(own).then(|| place.to_owned().into())
    })
}

pub enum Address {
    Kep(String),
    Pull(String),
}

/// What a URL is about; `None` if it is of another repository, or of no KEP.
pub fn of_address(url: &str, own: &[String]) -> Option<Address> {
    let place = place_of(url, own)?;
    let pull = place.strip_prefix("pull/").and_then(|rest| rest.split('/').next());
    match pull.filter(|number| number::is_digits(number)) {
        Some(number) => Some(Address::Pull(number.to_owned())),
        None => number_of(&place).map(Address::Kep),
    }
}

/// The number of a KEP: `5073`, `#5073`, `KEP-5073`, the path of its issue as in `issues/5073`, or a path of its directory.
fn number_of(text: &str) -> Option<String> {
    let path = text.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    if path.contains('/') {
        let after = |name: &'static str| path.split('/').skip_while(move |part| *part != name).skip(1);
        // The number of a pull request is not that of a KEP.
        let issue = after("issues").next().filter(|part| number::is_digits(part)).map(number::without_zeros);
        return issue.or_else(|| after("keps").find_map(number::of_directory)).map(str::to_owned);
    }
    let text = text.strip_prefix('#').unwrap_or(text);
    let text = text.split_once(": ").map_or(text, |(number, _)| number);
    Some(Reference::parse(Path::new(text), "KEP")?.number.to_owned())
}

/// The stage that a text names: one word of it, beside which nothing stands that could mean the opposite.
fn stage_of(text: &str) -> Option<Stage> {
    let is_apart = |letter: char| !letter.is_alphanumeric() && letter != '.';
    let mut named = None;
    for word in text.split(is_apart).filter(|word| !word.is_empty()) {
        let is_beside = || BESIDE.split(' ').any(|beside| word.eq_ignore_ascii_case(beside));
        let meant = match word.to_lowercase().as_str() {
            "deprecation" => Some(Stage::Deprecated),
            "removal" => Some(Stage::Removed),
            _ => Stage::from_word(word),
        };
        match meant {
            Some(stage) if named.is_none_or(|other| other == stage) => named = Some(stage),
            None if is_beside() || Release::parse(&word.to_lowercase()).is_some() => {}
            Some(_) | None => return None,
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list, in a clone of Kubernetes' KEPs.
    fn parse(name: &str, text: &str) -> Result<List, Failure> {
        super::parse(name, text, &KUBERNETES.map(str::to_owned))
    }

    fn read(text: &str) -> Vec<(String, Option<Stage>)> {
        let list = parse("list", text).unwrap_or_else(|failure| panic!("{}", failure.message));
        assert!(list.failures.is_empty(), "{:?}", list.failures);
        list.keps.into_iter().map(|listed| (listed.number.unwrap_or_default(), listed.tracked.stage)).collect()
    }

    fn refused(text: &str) -> String {
        parse("list", text).map_or_else(|failure| failure.message, |list| format!("{list:?}"))
    }

    fn one(number: &str, stage: Option<Stage>) -> (String, Option<Stage>) {
        (number.to_owned(), stage)
    }

    #[test]
    fn lines_of_words_are_read() {
        let text = "# for v1.38\n5073 beta\r\n\n#0012 GA\n  KEP-7\nkubernetes/enhancements#9 alpha\n";
        let beta = Some(Stage::Beta);
        let stable = Some(Stage::Stable);
        let read = read(text);
        assert_eq!(read, [one("5073", beta), one("12", stable), one("7", None), one("9", Some(Stage::Alpha))]);
    }

    #[test]
    fn exports_are_read_by_the_names_of_their_columns() {
        let csv = "\u{feff}Title,URL,\"Stage\",Status\r\n\"A, \"\"b\"\"\nc\",https://github.com/kubernetes/enhancements/issues/5073,\
                   Graduating to Beta,x\r\n,https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/12-x,,\r\n";
        assert_eq!(read(csv), [one("5073", Some(Stage::Beta)), one("12", None)]);
        assert_eq!(read("Stage\tNumber\nstable\t#3\n\t\n"), [one("3", Some(Stage::Stable))]);
        assert_eq!(
            read("KEP\tStage\nKEP-3: A title\tN/A\n3-name\tDeprecation\n"),
            [one("3", None), one("3", Some(Stage::Deprecated))]
        );
        assert_eq!(read("KEP;Stage\n3;beta\n"), [one("3", Some(Stage::Beta))]);
        assert_eq!(read("URL\tTitle\n\tA draft\n"), [one("", None)]);
        assert_eq!(read("number,other\n3,alpha\n"), [one("3", None)]);
        let stable = [one("3", Some(Stage::Stable))];
        for name in ["Target Stage (v1.38)", "Stages", "The stage", "STAGE"] {
            assert_eq!(read(&format!("\"#\" , {name}\n3, \"Graduating to Stable (v1.38)\" \n")), stable);
        }
        assert_eq!(read("3,alpha,other\n4\n"), [one("3", Some(Stage::Alpha)), one("4", None)]);
        assert_eq!(read("keps/sig-node/0042-x/README.md beta"), [one("42", Some(Stage::Beta))]);
    }

    #[test]
    fn a_bad_line_is_named() {
        assert_eq!(refused("soon\nlater\n"), "list:1: `soon` is not a KEP");
        assert_eq!(refused("1 betta\n"), "list:1: unknown stage `betta`");
        assert_eq!(refused("number,stage\n\n1,alpha or beta\n"), "list:3: unknown stage `alpha or beta`");
        assert_eq!(refused("number,title\n1,\"a\n"), "list:2: a quote is not closed");
        for text in ["Not alpha", "non-alpha", "pre-GA", "Deferred, was alpha", "alpha?? or later"] {
            assert_eq!(refused(&format!("number,stage\n1,\"{text}\"\n")), format!("list:2: unknown stage `{text}`"));
        }
        assert_eq!(refused("number,stage\n1,\"alpha\" b\n"), "list:2: unknown stage `alpha b`");
        assert_eq!(refused("number,stage\n1,\"alpha\"\"b\n"), "list:2: a quote is not closed");
        assert_eq!(refused("number,old stage,new stage\n"), "list:1: several columns may have the stage");
        assert_eq!(refused("a,b\n\"c\nd\",e\n"), "list:1: `a` is not a KEP");
        assert_eq!(refused("number,stage\n"), "list lists no KEP");
        let pull_request = "https://github.com/kubernetes/enhancements/pull/5";
        assert_eq!(refused(pull_request), format!("list:1: `{pull_request}` is not a KEP"));
        assert_eq!(refused("5,Deprecation/Removal"), "list:1: unknown stage `Deprecation/Removal`");
    }

    #[test]
    fn a_number_of_another_repository_is_no_kep() {
        let board = |repository: &str| format!("Number,Repository\n5,{repository}\n");
        for own in ["", "kubernetes/enhancements", "https://github.com/kubernetes/enhancements"] {
            assert_eq!(read(&board(own)).len(), 1, "{own}");
        }
        let says = "list:2: `https://github.com/kubernetes/website` is in another repository";
        assert_eq!(refused(&board("kubernetes/website")), says);
        assert_eq!(refused(&board("https://github.com/kubernetes/website")), says);
    }

    #[test]
    fn only_addresses_in_the_repository_count() {
        for address in [
            "https://kep.k8s.io/5",
            "kep.k8s.io/5/",
            "http://www.github.com/Kubernetes/Enhancements/issues/5#issuecomment-1",
            "github.com/kubernetes/enhancements/issues/5?a=b",
            "https://git.k8s.io/enhancements/keps/sig-node/5-x",
            "https://api.github.com/repos/kubernetes/enhancements/issues/5",
            "kubernetes/enhancements/issues/5",
            "kubernetes/enhancements#5",
            "../enhancements/keps/sig-node/5-x",
            "keps/5-x#summary",
        ] {
            assert_eq!(read(address), [one("5", None)], "{address}");
        }
        for address in [
            "https://github.com/kubernetes/kubernetes/issues/5",
            "https://github.com/kubernetes/enhancements-copy/issues/5",
            "https://github.com/x/y/tree/main/keps/sig-node/5-x",
            "https://example.org/kubernetes/enhancements/issues/5",
            "https://example.org/github.com/kubernetes/enhancements/issues/5",
            "kubernetes/website#5",
            "https://",
        ] {
            assert_eq!(refused(address), format!("list:1: `{address}` is in another repository"));
            let beside = format!("number,url\n5,{address}\n");
            assert_eq!(refused(&beside), format!("list:2: `{address}` is in another repository"));
        }
        let own = ["gitlab.example/group/project".to_owned()];
        let list =
            super::parse("list", "https://gitlab.example/group/project/-/issues/5", &own).expect("it is its own");
        assert_eq!(list.keps.first().and_then(|kep| kep.number.as_deref()), Some("5"));
        assert!(super::parse("list", "https://kep.k8s.io/5", &own).is_err());
    }

    #[test]
    fn the_other_lines_of_a_list_are_read() {
        let List { keps, failures } = parse("list", "1 beta\nsoon\n2 beta1\n3\n").expect("two lines can be used");
        assert_eq!(keps.into_iter().filter_map(|kep| kep.number).collect::<Vec<_>>(), ["1", "3"]);
        let messages: Vec<String> = failures.into_iter().map(|failure| failure.message).collect();
        assert_eq!(messages, ["list:2: `soon` is not a KEP", "list:3: unknown stage `beta1`"]);
    }
}
