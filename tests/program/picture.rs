//! The picture of a report in README.md: what a terminal shows when the program runs in it, as an SVG. `.ci/refresh` draws it
//! again.

use crate::support::program::{PROGRAM, printed, scrubbed};
use crate::support::project;
use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};
use snapbox::{Assert, Data};
use std::fs;
use std::process::Stdio;

/// What is drawn, and where; README.md refers to it.
const COMMAND: &str = "kep-lint --level error fixtures/demo/keps/sig-node";
const PICTURE: &str = "fixtures/reports/pretty.svg";

/// The colors of the terminal, all of which can be read on the first one.
const COLORS: [[u8; 3]; 16] = {
    let [black, red, green, yellow] = [[16, 20, 26], [255, 138, 128], [120, 220, 140], [240, 198, 100]];
    let [blue, magenta, cyan, white] = [[130, 180, 255], [220, 160, 255], [110, 215, 230], [225, 230, 238]];
    let gray = [150, 158, 170];
    [black, red, green, yellow, blue, magenta, cyan, white, gray, red, green, yellow, blue, magenta, cyan, white]
};

/// What a terminal shows of the command, and its exit status.
#[cfg(target_os = "linux")]
fn shown_in_a_terminal() -> (String, i32) {
    let mut terminal = scrubbed("script", project());
    // Whatever the program is called, its help and its errors call it `kep-lint`.
    let command = COMMAND.replacen("kep-lint", &format!("'{PROGRAM}'"), 1);
    terminal.args(["--quiet", "--return", "--command", &command, "/dev/null"]).stdin(Stdio::null());
    // No link: its address would be that of this clone.
    terminal.env("TERM", "xterm-256color").env("COLUMNS", "96").env("LC_ALL", "C.UTF-8").env("FORCE_HYPERLINK", "0");
    let printed = printed(&terminal.output().expect("Linux has `script`"));
    (printed.stdout.replace('\r', ""), printed.status)
}

#[cfg(target_os = "linux")]
#[test]
fn the_picture_is_what_a_terminal_shows() {
    let (shown, status) = shown_in_a_terminal();
    assert!(shown.contains("\u{1b}[31merror[") && shown.contains('│') && status == 1, "{shown}");
    let screen = format!("$ {COMMAND}\n{shown}");
    let drawn = Term::new().palette(Palette(COLORS.map(|[red, green, blue]| RgbColor(red, green, blue))));
    // As the library draws it, what is fainter than other text cannot be read.
    let drawn = drawn.render_svg(&screen).replace(".dimmed { opacity: 0.4; }", ".dimmed { opacity: 0.7; }");
    Assert::new()
        .action_env("SNAPSHOTS")
        .normalize_paths(false)
        .eq(drawn, Data::read_from(&project().join(PICTURE), None).raw());
}

#[test]
fn the_readme_shows_the_picture() {
    let readme = fs::read_to_string(project().join("README.md")).expect("README.md");
    assert!(readme.contains(&format!("]({PICTURE})")), "README.md does not show {PICTURE}");
    let picture = fs::read_to_string(project().join(PICTURE)).expect("the picture is there");
    for word in ["<script", "http:", "href", "<image"] {
        assert!(!picture.replace("http://www.w3.org/2000/svg", "").contains(word), "the picture has `{word}`");
    }
}
