//! Items about the README that decide: its table of contents, and the Release Signoff Checklist.
use super::answer::Answer;
use super::calendar::accepted_anchors;
use super::case::Case;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::script::Script;
use crate::gap::GapKind;
use crate::gap::signoff::{KnownWords, is_required};
use crate::kep::texts::Slot;
use crate::mdtoc;
use crate::template::role::SectionRole;

/// The rules that find what is wrong with a table of contents.
pub const TOC: &[&str] = &["missing-toc", "stale-toc"];

/// Upstream's check accepts the tables of contents.
pub fn toc(case: &Case<'_>) -> Option<Answer> {
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let accepts_anchors = case.release_of_kubernetes().is_some_and(accepted_anchors);
    let is_accepted = |finding: &Diagnostic| {
        let text = &case.kep().texts.file(finding.span.file).text;
        accepts_anchors && finding.rule == "stale-toc" && mdtoc::differs_in_anchors(text)
    };
    let findings = case.found(TOC).filter(|finding| finding.upstream == Some(Script::Toc) && !is_accepted(finding));
    let findings: Vec<_> = findings.collect();
    let Some(first) = findings.first() else {
        return Some(Answer::met("up to date").at(case.place(readme.top())));
    };
    let words = if first.rule == "stale-toc" { "out of date" } else { first.message.as_str() };
    let answer = Answer::not_met(words).at(case.place(first.span));
    Some(answer.with(findings.iter().map(|finding| case.detail(finding))))
}

/// The README has the checklist. Boxes that are open do not matter: hardly anybody checks them.
pub fn signoff(case: &Case<'_>) -> Option<Answer> {
    let id = case.section(SectionRole::Signoff)?;
    let Some(readme) = case.readme() else { return Some(without_readme(case)) };
    let heading = format!("{} {}", "#".repeat(case.ctx.template.get(id).level.into()), case.title(id));
    let guidance = without_comments(&case.ctx.template.guidance(id));
    let path = case.place(readme.top()).given;
    let lines = |text: String| case.lines(&path, text);
    let Some(place) = readme.matching().place(id) else {
        let (words, place) = match case.gap(id).map(|gap| &gap.kind) {
            Some(GapKind::CommentedOut(comment)) => ("is commented out", readme.span(comment.clone())),
            _ => ("is missing", readme.top()),
        };
        let answer = Answer::look(format!("`{heading}` {words}")).at(case.place(place));
        return Some(answer.write(lines(format!("{heading}\n\n{guidance}").trim_end().to_owned())));
    };
    let heading_place = case.place(readme.span(place.heading.clone()));
    // Of a heading at a level above the others, all of the KEP is the section.
    let range = readme.matching().text_of(place);
    let listed = readme.visible(range.clone());
    let known = KnownWords::of(&guidance);
    let listed = listed.filter(|(line, text)| !readme.is_in_block(line) && known.are_of_item(text));
    if listed.count() < LEAST_ITEMS {
        return Some(Answer::look(format!("`{heading}` has no checklist")).at(heading_place).write(lines(guidance)));
    }
    let boxes = readme.boxes.iter().filter(|item| range.contains(&item.span.start));
    let boxes: Vec<_> = boxes.collect();
    if boxes.is_empty() {
        return Some(Answer::met("it has no boxes").at(heading_place));
    }
    let required: Vec<_> = boxes.iter().filter(|item| is_required(readme.slice(item.span.end..))).copied().collect();
    let (kind, counted) = if required.is_empty() { ("", boxes) } else { ("(R) ", required) };
    let ticked = counted.iter().filter(|item| item.ticked).count();
    Some(Answer::met(format!("{ticked} of {} {kind}boxes are checked", counted.len())).at(heading_place))
}

/// As many items of the template make a checklist.
const LEAST_ITEMS: usize = 2;

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        kept += before;
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    kept += rest;
    while kept.contains("\n\n\n") {
        kept = kept.replace("\n\n\n", "\n\n");
    }
    kept.trim().to_owned()
}

/// The answer to what the README should have, if there is none to read.
pub fn without_readme(case: &Case<'_>) -> Answer {
    Answer::not_met(match case.kep().texts.readme {
        Slot::Unreadable => "README.md cannot be read",
        Slot::Absent | Slot::Read(_) => "README.md is missing",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out() {
        assert_eq!(without_comments("## A\n\n<!--\nb\n-->\n\n- c\n<!-- d"), "## A\n\n- c");
    }
}
