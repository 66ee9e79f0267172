//! Whatever a KEP says, it is only text in every format: it commands no runner, steers no terminal, and opens no element,
//! link or mention. New formats are checked by their row in the table.

mod acts;

use self::acts::{acting, bag, markdown_tags, tags};
use crate::support::library::{self, Against, kep};
use kep_lint::diagnostic::{Diagnostic, Failure, Severity};
use kep_lint::lint::Run;
use kep_lint::lint::about::About;
use kep_lint::lint::report::KepReport;
use kep_lint::report::format::{ALL, Carrier, Format};
use kep_lint::report::look::Look;
use kep_lint::repository::Repository;
use kep_lint::requirement::Target;
use kep_lint::source::SourceFile;
use kep_lint::span::{FileId, Span};
use kep_lint::stage::{Phase, Release, Stage};
use kep_lint::template::Template;
use regex::Regex;
use std::sync::Arc;

const HARMLESS: &str = "harmless";

/// What acts somewhere.
const HOSTILE: [&str; 42] = [
    "x\n::error::x%",
    "::error file=a,line=1::x",
    ":",
    "%0A::error::x",
    "%0D%0A::stop-commands::x",
    "\r::add-mask::x",
    "\u{a0}::error::x",
    "##[error]x",
    "x##vso[task.complete]",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{9b}31mred",
    "\u{1b}]8;;https://evil.example/\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "a\u{202e}b\u{2066}c\u{200f}d",
    "zero\u{200b}width\u{feff}",
    "line\u{2028}paragraph\u{2029}next\u{85}x\u{b}y\u{c}z",
    "nul\0x\u{8}y\u{7f}z\u{fffe}\u{ffff}",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "<!-- comment",
    "comment --> <b>after</b>",
    "<![CDATA[ x ]]> y ]]>",
    "&lt;b&gt; &#60;b&#62; &amp; &bogus;",
    "</details></summary></code></pre></td></table>",
    "@kubernetes/sig-node @ann, (@bob) /@carl",
    "#123 GH-123 o/r#123 !1 ~bug kubernetes/kubernetes@0123456789012345678901234567890123456789",
    "https://evil.example/ www.evil.example evil@example.com mailto:e@x.y",
    "`one ` and ``two`` and ``` three",
    "``````````",
    "`",
    " `` ",
    "a | b | c\n--- | ---",
    "[x](javascript:alert(1)) ![x](https://evil.example/i.png) <javascript:alert(1)>",
    "](https://evil.example/) [x]: https://evil.example/",
    "x\n\n# heading\n\n- item\n\n> quote\n\n    code\n",
    "**bold** _em_ ~~gone~~ $x$ :+1: [^1] \\`",
    "\n/lgtm\n/approve cancel",
    "x\r\n\r\n<script>alert(1)</script>\r\n",
    "\n```\n</details>\n~~~\n",
    "\\",
];

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

/// A run over a KEP that says this wherever it can.
fn linted(text: &str) -> Run {
    let quoted = text.replace('\'', "''");
    let readme = format!(
        "# KEP-1: {text}\n\n<!-- toc -->\n- [{text}](#{text})\n<!-- /toc -->\n\n## {text}\n\n[a]({text})[b](#{text})\n\
         ##x{text}\n\n<<[UNRESOLVED {text}]>>\n\n[{text}][{text}]\n\n<!-- {text}\n"
    );
    let metadata = format!(
        "title: '{quoted}'\nkep-number: '{quoted}'\nstatus: '{quoted}'\nstage: '{quoted}'\nowning-sig: '{quoted}'\n\
         see-also: ['{quoted}']\n'{quoted}': x\napprovers: ['{quoted}']\n"
    );
    let texts = kep("keps/sig-node/1-x", [("README.md", readme), ("kep.yaml", metadata)]);
    let (template, repository, options) = (Template::built_in(), Repository::default(), library::options(|_| {}));
    let against = Against { template: &template, repository: &repository, options: &options };
    library::run_of(vec![against.lint(&texts)])
}

fn look(change: impl FnOnce(&mut Look)) -> Look {
    let mut look = Look::default();
    look.link_base = Some("https://example.com/o/r/blob/main".to_owned());
    change(&mut look);
    look
}

fn assert_harmless(format: &Format, text: &str, drawn: &str) {
    let acting = acting(format.carrier, drawn);
    assert_eq!(acting, None, "{} of {text:?} acts:\n{drawn}", format.name);
}

#[test]
fn no_text_acts_in_any_format() {
    let all = HOSTILE.join(" ");
    for format in ALL {
        let calm = format.render(&run_with(HARMLESS), &look(|_| {}));
        assert_harmless(format, HARMLESS, &calm);
        for text in HOSTILE.into_iter().chain([all.as_str()]) {
            for width in [40, 100] {
                let drawn = format.render(&run_with(text), &look(|look| look.width = width));
                assert_harmless(format, text, &drawn);
                // All texts together are too long for some formats.
                let same = match format.carrier {
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

#[test]
fn no_kep_acts_in_any_format() {
    let all = HOSTILE.join(" ");
    for text in HOSTILE.into_iter().chain([all.as_str()]) {
        let run = linted(text);
        assert!(run.reports[0].diagnostics.len() > 3, "{text:?}");
        for format in ALL {
            assert_harmless(format, text, &format.render(&run, &look(|_| {})));
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
    let format = ALL.iter().find(|format| format.carrier == Carrier::Commands).expect("there is one");
    for text in HOSTILE {
        let drawn = format.render(&run_with(text), &look(|_| {}));
        let messages: Vec<String> = drawn.lines().filter_map(acts::command_message).collect();
        // Two failures, and the findings of the KEP and of the other file.
        assert_eq!(messages.len(), 2 + 15 + 1, "{drawn}");
        let shown = kep_lint::report::printable(text);
        assert!(messages.iter().filter(|message| **message == shown).count() >= 4, "{text:?}: {messages:?}");
    }
}
