//! The comment that the Release Team posts on the tracking issue of a KEP. It quotes text of the KEP, which must neither
//! notify anybody nor be more than text.

use super::words;
use crate::ready::answer::{Detail, State};
use crate::ready::board::Board;
use crate::ready::calendar::Family;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::item::Kind;
use crate::report::printable;

/// How many details of an item are listed.
const MOST_DETAILS: usize = 10;

/// Renders a comment for each KEP, with a line between two of them.
pub fn render(board: &Board) -> String {
    let comments: Vec<String> = board.checklists.iter().map(|checklist| comment(board, checklist)).collect();
    comments.join("\n---\n\n")
}

fn comment(board: &Board, checklist: &Checklist) -> String {
    let title = checklist.about.title.as_deref().map(|title| format!(": {}", escaped(title))).unwrap_or_default();
    let family = board.family;
    let mut text = format!(
        "### {}{title}, {}\n\n",
        escaped(&words::number(checklist)),
        escaped(&words::target(checklist, &checklist.release.to_string()))
    );
    let state = if checklist.is_ready(board.strictness) { &family.met } else { &family.not_met };
    text += &format!("**{}**: {}", capitalized(&escaped(state)), words::counts(board, checklist));
    text += &words::judged(board).map(|judged| format!(", {}", escaped(&judged))).unwrap_or_default();
    text += ".\n\n";
    board.conditions.lines().iter().for_each(|line| text += &format!("{}.\n\n", inline(line)));
    if let Some(in_time) = checklist.in_time() {
        let state = capitalized(&escaped(in_time.words()));
        text += &format!("**{state}**{}.\n\n", escaped(&words::missing(&in_time)));
    }
    if board.person.is_some() {
        text += &format!("It waits for {}.\n\n", escaped(&words::waits_for(checklist).join(", ")));
    }
    checklist.of_kind(Kind::Verdict).for_each(|entry| text += &verdict(checklist, entry));
    text += &by_hand(family, checklist);
    for (path, lines) in words::lines(checklist) {
        let path = words::from_root(checklist, path);
        text += &format!("\n{} must have:\n\n{}", code(&path), fenced(&path, &lines.join("\n")));
    }
    let evidence: Vec<&Entry> = checklist.of_kind(Kind::Evidence).collect();
    if !evidence.is_empty() {
        text += "\nEvidence from the files, for reviewers to judge:\n\n";
        evidence.into_iter().for_each(|entry| text += &item(checklist, entry));
    }
    text
}

fn verdict(checklist: &Checklist, entry: &Entry) -> String {
    let is_met = entry.answer.state == State::Met;
    let state = if entry.answer.state == State::Look { " (look)" } else { "" };
    format!("- [{}]{state} {}{}", if is_met { 'x' } else { ' ' }, answer(checklist, entry), details(checklist, entry))
}

fn item(checklist: &Checklist, entry: &Entry) -> String {
    let state = entry.answer.state.words();
    format!("- {state}: {}{}", answer(checklist, entry), details(checklist, entry))
}

/// "status: it is provisional, not implementable (`kep.yaml:6`)" and a line end.
fn answer(checklist: &Checklist, entry: &Entry) -> String {
    let place = entry.answer.place.as_ref().map(|place| words::place(checklist, place));
    let place = place.filter(|place| !place.is_empty() && entry.answer.state != State::Met);
    let place = place.map(|place| format!(" ({})", code(&place))).unwrap_or_default();
    format!("{}: {}{place}\n", escaped(entry.item.title), inline(&entry.answer.words))
}

fn details(checklist: &Checklist, entry: &Entry) -> String {
    if entry.answer.state == State::Met {
        return String::new();
    }
    let all = &entry.answer.details;
    let one = |detail: &Detail| {
        let place = detail.place.as_ref().map(|place| format!(" ({})", code(&words::place(checklist, place))));
        let help = detail.help.as_deref().map(|help| format!(": {}", inline(help))).unwrap_or_default();
        let is_said = detail.words == entry.answer.words;
        match detail.help.as_deref().filter(|_| is_said) {
            Some(help) => format!("  - {}\n", inline(help)),
            None => format!("  - {}{}{help}\n", inline(&detail.words), place.unwrap_or_default()),
        }
    };
    let mut text: String = all.iter().take(MOST_DETAILS).map(one).collect();
    if let Some(more) = all.len().checked_sub(MOST_DETAILS).filter(|more| *more > 0) {
        text += &format!("  - and {more} more\n");
    }
    text
}

fn by_hand(family: &Family, checklist: &Checklist) -> String {
    let items = family.by_hand.iter().filter(|_| checklist.kep.is_some());
    items.map(|item| format!("- [ ] check by hand: {}\n", escaped(item))).collect()
}

/// Text whose quoted parts are in backticks, on one line.
fn inline(text: &str) -> String {
    let text = printable(text);
    let parts: Vec<&str> = text.split('`').collect();
    // Without a partner, a backtick is only a character.
    let is_paired = parts.len() % 2 == 1;
    let part = |(index, part): (usize, &&str)| match index % 2 == 1 && is_paired {
        true => code(part),
        false => escaped(part),
    };
    parts.iter().enumerate().map(part).collect::<Vec<_>>().join(if is_paired { "" } else { "\\`" })
}

/// A code span: GitHub looks for nothing in it.
fn code(text: &str) -> String {
    let text = printable(text);
    if text.trim().is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    match text.starts_with('`') || text.ends_with('`') || text.starts_with(' ') {
        true => format!("{ticks} {text} {ticks}"),
        false => format!("{ticks}{text}{ticks}"),
    }
}

/// A code block, as YAML if it is for such a file.
fn fenced(path: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let language = if path.ends_with(".yaml") { "yaml" } else { "markdown" };
    let lines: String = text.lines().map(|line| printable(line).trim_end().to_owned() + "\n").collect();
    format!("{fence}{language}\n{lines}{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default()
}

/// Text without anything that Markdown or GitHub would make more of: marks, HTML, links, mentions of people and issues.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in printable(text).chars() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            // After these, a character without width keeps GitHub from seeing a person, an issue or an address.
            '@' | '#' => {
                escaped.push('\\');
                escaped.push(letter);
                escaped += "&#8203;";
            }
            '/' if escaped.ends_with(':') => escaped += "&#8203;/",
            '.' if ends_with(&escaped, "www") => escaped += "&#8203;.",
            '-' if ends_with(&escaped, "gh") => escaped += "&#8203;-",
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Whether `end`, in lower or upper case, is at the end of `text`.
fn ends_with(text: &str, end: &str) -> bool {
    text.len().checked_sub(end.len()).and_then(|at| text.get(at..)).is_some_and(|own| own.eq_ignore_ascii_case(end))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_only_text() {
        assert_eq!(escaped("@ann <b> #12 *x*"), "\\@&#8203;ann &lt;b&gt; \\#&#8203;12 \\*x\\*");
        assert_eq!(escaped("https://a.b/c www.d.e"), "https:&#8203;//a.b/c www&#8203;.d.e");
        assert_eq!(escaped("GH-12, gh-3"), "GH&#8203;-12, gh&#8203;-3");
        assert_eq!(inline("unknown status `@ann`"), "unknown status `@ann`");
        assert_eq!(inline("a ` @ann"), "a \\` \\@&#8203;ann");
        assert_eq!(inline("a\nb"), "a b");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!((code("`a"), code(" "), code("a")), ("`` `a ``".to_owned(), String::new(), "`a`".to_owned()));
        assert_eq!(fenced("kep.yaml", "a: ```\nb"), "````yaml\na: ```\nb\n````\n");
    }
}
