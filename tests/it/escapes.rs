//! Whatever a finding says, it is only text in every format: it commands no runner, steers no terminal, and opens no
//! element, link or mention. New formats are checked by their row in the table.

use crate::support::acts::{Carrier, HARMLESS, HOSTILE, acting, bag, command_message, markdown_tags, tags};
use crate::support::{in_turn, library};
use kep_lint::diagnostic::{Diagnostic, Failure, Severity};
use kep_lint::lint::Run;
use kep_lint::lint::about::About;
use kep_lint::lint::report::KepReport;
use kep_lint::report::format::{ALL, Format};
use kep_lint::report::look::Look;
use kep_lint::requirement::Target;
use kep_lint::source::SourceFile;
use kep_lint::span::{FileId, Span};
use kep_lint::stage::{Phase, Release, Stage};
use regex::Regex;
use std::sync::Arc;

/// A run in which every text of a KEP is this one.
fn run_with(text: &str) -> Run {
    let mut report = KepReport::default();
    let directory = format!("keps/sig-node/1-{text}");
    let file =
        |name: &str, content: String| Arc::new(SourceFile::decode(format!("{directory}/{name}"), content.into_bytes()));
    let readme = format!("# {text}\n\n## {text}\n\n{text}\n{text} {text}\n");
    report.files =
        vec![file("README.md", readme.clone()), file("kep.yaml", format!("{text}\n")), file(text, text.to_owned())];
    report.kep = Some(directory.clone());
    report.documents = 2;
    let mut about = About::default();
    about.number = Some("1".to_owned());
    about.title = Some(text.to_owned());
    about.status = Some(text.to_owned());
    about.owning_sig = Some(text.to_owned());
    about.latest_milestone = Some(text.to_owned());
    about.milestones = vec![(Stage::Beta, text.to_owned())];
    report.about = Some(about);
    report.target = Some(Target::new(Some(Stage::Beta), Phase::Active, Some(Release { major: 1, minor: 37 })));
    let whole = Span::new(FileId(0), 0..readme.len());
    let heading = Span::new(FileId(0), 0..2 + text.len());
    for (at, severity) in Severity::ALL.into_iter().enumerate() {
        let mut gap = Diagnostic::new("empty-section", severity, heading, format!("section `{text}` is empty"));
        gap.section = Some(vec![text.to_owned(), text.to_owned()]);
        gap.help = Some(format!("add {text}:\n{text}\n  {text}"));
        gap.relate(Span::new(FileId(1), 0..text.len()), text);
        let bare = Diagnostic::new("bad-title", severity, whole, text);
        let mut other = Diagnostic::new("dead-link", severity, Span::new(FileId(2), 0..text.len()), text);
        other.help = Some(text.to_owned());
        let of_directory = Diagnostic::new("missing-readme", severity, Span::new(FileId(9), 0..0), text);
        report.diagnostics.extend([gap.clone(), gap, bare, other, of_directory]);
        report.diagnostics.rotate_left(at);
    }
    let mut alone = KepReport::default();
    alone.files = vec![Arc::new(SourceFile::decode(text, text.as_bytes().to_vec()))];
    alone.diagnostics =
        vec![Diagnostic::new("malformed-directive", Severity::Warning, Span::new(FileId(0), 0..text.len()), text)];
    let mut run = library::run_of(vec![report, alone]);
    run.failures = vec![Failure::of("read", text, text).help(text), Failure::new(text)];
    run
}

fn look(change: impl FnOnce(&mut Look)) -> Look {
    let mut look = Look::default();
    look.link_base = Some("https://example.com/o/r/blob/main".to_owned());
    change(&mut look);
    look
}

fn assert_harmless(format: &Format, text: &str, drawn: &str) {
    let acting = acting(Carrier::of(format), drawn);
    assert_eq!(acting, None, "{} of {text:?} acts:\n{drawn}", format.name);
}

#[test]
fn no_text_acts_in_any_format() {
    let all = HOSTILE.join(" ");
    for format in ALL {
        let calm = format.render(&run_with(HARMLESS), &look(|_| {}));
        assert_harmless(format, HARMLESS, &calm);
        for (at, text) in HOSTILE.into_iter().chain([all.as_str()]).enumerate() {
            for width in in_turn(&[40, 100], at) {
                let drawn = format.render(&run_with(text), &look(|look| look.width = *width));
                assert_harmless(format, text, &drawn);
                // All texts together are too long for some formats.
                let same = match Carrier::of(format) {
                    _ if text == all => true,
                    Carrier::Markdown => markdown_tags(&drawn) == markdown_tags(&calm),
                    Carrier::Html | Carrier::Xml => bag(&tags(&drawn)) == bag(&tags(&calm)),
                    _ => true,
                };
                assert!(same, "{} has other elements with {text:?}:\n{drawn}", format.name);
            }
        }
    }
}

/// Colors and links of a terminal are escape sequences, but only those of the report.
#[test]
fn a_painted_report_has_only_its_own_sequences() {
    let own = Regex::new("\u{1b}\\[[0-9;]*m|\u{1b}\\]8;;(file:///home/[A-Za-z0-9/._~%-]*)?\u{1b}\\\\");
    let own = own.expect("it is a pattern");
    for format in ALL {
        for text in HOSTILE {
            let painted = look(|look| {
                look.color = true;
                look.links = Some("file:///home/".to_owned());
            });
            let drawn = format.render(&run_with(text), &painted);
            // A mark in their place, because a line that begins with a sequence is no command.
            assert_harmless(format, text, &own.replace_all(&drawn, "¤"));
        }
    }
}

/// The commands of a runner hold the whole message, so that nothing is lost by escapes.
#[test]
fn annotations_say_what_the_findings_say() {
    let format = ALL.iter().find(|format| Carrier::of(format) == Carrier::Commands).expect("there is one");
    for text in HOSTILE {
        let drawn = format.render(&run_with(text), &look(|_| {}));
        let messages: Vec<String> = drawn.lines().filter_map(command_message).collect();
        // Two failures, and the findings of the KEP and of the other file.
        assert_eq!(messages.len(), 2 + 15 + 1, "{drawn}");
        let shown = kep_lint::report::printable(text);
        assert!(messages.iter().filter(|message| **message == shown).count() >= 4, "{text:?}: {messages:?}");
    }
}

#[test]
fn what_acts_is_seen() {
    use Carrier::{Commands, Html, Json, Lines, Markdown, Xml};
    for (carrier, text) in [
        (Lines, "a\n  ::error::x"),
        (Lines, "a ##[error]"),
        (Lines, "a\u{1b}[31m"),
        (Lines, "a\u{202e}"),
        (Lines, "a\rb"),
        (Commands, "::stop-commands::x"),
        (Commands, "::error file=a,b,line=1,title=kep-lint::x"),
        (Commands, "::error title=kep-lint::100%"),
        (Commands, "::error title=kep-lint::%0A::error::x"),
        (Json, "{\"a\": 1"),
        (Json, "{\"a\": \"##[x\"}"),
        (Xml, "<a>&</a>"),
        (Xml, "<a><b></a>"),
        (Html, "<a href='javascript:alert(1)'>x</a>"),
        (Html, "<p onclick=\"x\">y</p>"),
        (Markdown, "a @kubernetes/sig-node"),
        (Markdown, "a \\@kubernetes/sig-node"),
        (Markdown, "a &#64;kubernetes/sig-node"),
        (Markdown, "see #12"),
        (Markdown, "see https://evil.example"),
        (Markdown, "[x](https://evil.example)"),
        (Markdown, "x\n\n<!-- y"),
        (Markdown, "x\n<script>y</script>"),
        (Markdown, "![x](y)"),
        (Markdown, "# x"),
        (Markdown, "a\n/lgtm"),
        (Markdown, ":+1:"),
    ] {
        assert!(acting(carrier, text).is_some(), "{carrier:?}: {text}");
    }
    for (carrier, text) in [
        (Lines, "std::fs ::x"),
        (Commands, "::error file=a%2Cb,line=1,title=kep-lint%3A x::100%25"),
        (Json, "{\"a\": 1}\n{\"a\": 2}"),
        (Xml, "<a>&amp;</a>"),
        (Html, "<a href=\"https://x.y\">x</a>"),
        (Markdown, "- **error** `@x &#12;`<br>see `https://x.y`"),
    ] {
        assert_eq!(acting(carrier, text), None, "{carrier:?}: {text}");
    }
    let names = |text: &str| tags(text).into_iter().map(|tag| tag.name).collect::<Vec<_>>();
    assert_eq!(names("<a b='>' c>x</a><!-- y --><br/> 1 < 2"), ["a", "/a", "!--", "br"]);
    assert_ne!(bag(&tags("<p title=\"x\">")), bag(&tags("<p title=\"\" onclick=\"x\">")));
    assert_ne!(bag(&tags("<p><script>")), bag(&tags("<p><script><script>")));
}
