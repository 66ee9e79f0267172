//! The README's title is missing, is still the template placeholder, or has the number of another KEP.
//!
//! ## Why
//!
//! The H1 is what readers see first and what search engines index. `KEP-NNNN` and "Your short, descriptive title" are
//! placeholders of the template. A title without words, or with `TBD` for them, does not say what the KEP is about. A
//! number other than the directory's sends readers to another KEP. A second H1 is reported too.
//!
//! The fix writes the directory's number. A missing title and a placeholder title have no fix. A missing title is a
//! warning in a KEP that is provisional or no longer worked on.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-NNNN: Your short, descriptive title
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "bad-title",
    summary: "the title is missing, is the template placeholder, or has another KEP's number",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    fix: Some(Safety::Safe),
    docs: docs!("bad_title.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

const TEMPLATE_NUMBER: &str = "KEP-NNNN";

const TEMPLATE_VALUE: &str = "KEP Template";

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if let Some(form) = ctx.layout().own().and_then(|own| own.title.as_ref()).filter(|form| form.is_in_front_matter) {
        match form.of_front_matter(readme.file, &ctx.kep.texts.file(readme.file).text) {
            Some(title) => check_number(ctx, &title.text, &title.text, title.span, out),
            None => {
                let title = form.write(ctx.kep.number().unwrap_or("NNNN"), "<title>");
                let finding = Diagnostic::at(readme.top(), "the front matter has no title that can be read")
                    .help(format!("put a title such as `{title}` between two lines `---` at the top"))
                    .subject(Subject::named(["missing"]));
                out.report(finding.at_most(Severity::Warning));
            }
        }
        return;
    }
    let titles: Vec<&Section> =
        readme.sections.iter().map(|(_, section)| section).filter(|section| section.level == 1).collect();
    let Some(title) =
        titles.first().filter(|title| !title.title.text.is_empty() && !ctx.template.finds_no_title(readme.document))
    else {
        if readme.swallowed_title().is_none() {
            report_missing(ctx, readme, out);
        }
        return;
    };
    if let Some(second) = titles.get(1) {
        let help = if number::is_only_kep(&title.title.key) {
            format!("remove `# {}`", title.title.text)
        } else {
            "keep one `#` heading as the title, and write the others as `##`".to_owned()
        };
        let finding = Diagnostic::at(readme.span(second.heading.clone()), "the README has more than one title")
            .at_most(Severity::Warning)
            .help(help)
            .related(readme.span(title.heading.clone()), "first title")
            .subject(Subject::named(["second", second.title.text.as_str()]));
        out.report(finding);
    }
    if ctx.template.title_placeholder().is_some_and(|placeholder| is_placeholder(&title.title.text, placeholder)) {
        let finding = Diagnostic::at(readme.span(title.heading.clone()), "the title is still the template placeholder")
            .help(format!("write `{}`", right_title(ctx)))
            .subject(Subject::named(["placeholder"]));
        out.report(finding);
        return;
    }
    let words = readme.slice(title.text.clone());
    let is_whole =
        |at: &usize| !slice(words, at + TEMPLATE_NUMBER.len()..).starts_with(|next: char| next.is_alphanumeric());
    if let Some(at) = words.find(TEMPLATE_NUMBER).filter(is_whole)
        && ctx.layout().is_of_keps()
    {
        let start = title.text.start + at + "KEP-".len();
        let span = readme.span(start..start + "NNNN".len());
        let finding =
            Diagnostic::at(span, "the title still has `KEP-NNNN`").subject(Subject::named(["number", TEMPLATE_NUMBER]));
        out.report(with_number(ctx, &title.title.text, finding));
        return;
    }
    check_number(ctx, words, &title.title.text, readme.span(title.text.clone()), out);
    check_words(ctx, readme, title, out);
}

fn check_words(ctx: &Ctx<'_>, readme: Readme<'_>, title: &Section, out: &mut Sink) {
    let problem = content::problem_of_title(ctx.layout().without_number(&title.title.text));
    if let Some(problem) = problem.filter(|_| ctx.layout().is_of_keps()) {
        let finding = Diagnostic::at(readme.span(title.heading.clone()), format!("the title {problem}"))
            .help(format!("write `{}`", right_title(ctx)))
            .subject(Subject::named(["words"]));
        out.report(finding.at_most(Severity::Warning));
    }
}

fn report_missing(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if let Some(own) = ctx.layout().own() {
        // A title may be in the metadata, and in some repositories no document has one.
        let is_asked = own.title.is_some() || ctx.template.document.sections.title().is_some();
        let text = &ctx.kep.texts.file(readme.file).text;
        let is_said = ctx.kep.metadata.as_ref().is_some_and(|metadata| metadata.title.is_some());
        if !is_asked || is_said || front_matter::has_key(text, ctx.key_name("title")) {
            return;
        }
    }
    let lower = lower_title(readme);
    let (span, message) = match lower {
        Some(heading) => {
            let message = format!("the title is a level {} heading, so the README has no title", heading.level);
            (readme.span(heading.heading.clone()), message)
        }
        None => (readme.top(), "the README has no title".to_owned()),
    };
    let first = readme.text().lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let mut others = readme.sections.iter().skip(1);
    let is_beside = others.any(|(_, other)| lower.is_some_and(|title| title.level == other.level));
    let help = match ctx.layout().number_in_title(first) {
        _ if is_beside => "write it with one `#`".to_owned(),
        _ if lower.is_some() => "write it with one `#`, and the headings below it with one `#` less".to_owned(),
        Some(_) => "put `# ` before the first line".to_owned(),
        None => format!("begin the README with `{}`", right_title(ctx)),
    };
    let is_early = matches!(ctx.target.phase, Phase::Provisional | Phase::Stale);
    let most = if is_early { Severity::Warning } else { Severity::Error };
    out.report(Diagnostic::at(span, message).help(help).subject(Subject::named(["missing"])).at_most(most));
}

/// The heading that begins the README, if it is the author's own, so that it was meant as the title.
fn lower_title(readme: Readme<'_>) -> Option<&Section> {
    let (id, first) = readme.document.sections.iter().next().filter(|(_, first)| first.level > 1)?;
    let mut before = readme.visible_spans(0..first.heading.start);
    let is_title = readme.matching().owner(id).is_none() && !first.title.key.ends_with("tableofcontents");
    (is_title && before.next().is_none()).then_some(first)
}

/// The title as it should be: with the directory's number and the words of kep.yaml's title.
fn right_title(ctx: &Ctx<'_>) -> String {
    let title = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.title.as_ref());
    let title = title.map(|title| title.text.trim()).filter(|title| !title.is_empty() && *title != TEMPLATE_VALUE);
    let words = title.map(|title| ctx.layout().without_number(title));
    let words = words.filter(|words| content::problem_of_title(words).is_none()).unwrap_or("<title>");
    format!("# {}", ctx.layout().write_title(ctx.kep.number().unwrap_or("NNNN"), &brief(words)))
}

/// Whether a title has the template's placeholder. A short placeholder may also be part of a real title.
fn is_placeholder(title: &str, placeholder: &str) -> bool {
    const LONG: usize = 3;
    let is_long = placeholder.split_whitespace().count() >= LONG;
    if is_long { title.contains(placeholder) } else { title.ends_with(placeholder) && title.contains("NNNN") }
}

/// Checks the number in a title at `place`, which may be linked by its `heading`.
fn check_number(ctx: &Ctx<'_>, title: &str, heading: &str, place: Span, out: &mut Sink) {
    let Some(directory) = ctx.kep.number() else { return };
    let Some(range) = ctx.layout().number_in_title(title) else { return };
    let written = slice(title, range.clone());
    if number::is_same(written, directory) {
        return;
    }
    // A title in front matter may have quotes around it.
    let text = &ctx.kep.texts.file(place.file).text;
    let Some(quote) = slice(text, place.range()).find(title) else { return };
    let start = place.start + quote;
    let span = Span::new(place.file, start + range.start..start + range.end);
    let mark = ctx.layout().mark(&brief(written));
    let finding = Diagnostic::at(span, format!("the title has `{mark}`, but the directory is {directory}"))
        .subject(Subject::named(["number", written]));
    // Then the directory may be wrong.
    let number = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref());
    if number.is_some_and(|number| number::is_same(&number.text, written)) {
        let other = ctx.kep.review.as_ref().map(|_| "kep-number-mismatch");
        let help = format!("write `{}`, or rename the directory", ctx.layout().mark(directory));
        return out.report(finding.help(help).yields_to(other));
    }
    // A number that continues is a date or a version.
    let is_number = !continues(slice(title, range.end..));
    out.report(if is_number { with_number(ctx, heading, finding) } else { finding });
}

fn continues(rest: &str) -> bool {
    let mut letters = rest.chars();
    letters.next().is_some_and(|first| " -.,/".contains(first))
        && letters.next().is_some_and(|next| next.is_ascii_digit())
}

fn with_number(ctx: &Ctx<'_>, heading: &str, finding: Diagnostic) -> Diagnostic {
    let Some(number) = ctx.kep.number() else { return finding };
    let finding = finding.help(format!("write `{}`", ctx.layout().mark(number)));
    if ctx.links_to(heading) {
        return finding;
    }
    let title = format!("write the directory's number, {number}");
    let fix = Fix::write(Safety::Safe, title, finding.span, number);
    finding.fix(fix)
}
