//! The two helps: `-h` lists what most people need and fits a screen, `--help` lists all. Both have the
//! commands in groups.

use super::args::Arguments;
use clap::{Command, CommandFactory, Error, FromArgMatches};
use std::ffi::OsString;

/// The commands whose options take more than a screen, each with those that `-h` lists; the first is kep-lint itself.
const SHORT: [(&str, &[&str]); 4] = [
    ("", &["paths", "stage", "since", "fix"]),
    ("check", &CHECK),
    (PRE_COMMIT, &CHECK),
    ("ready", &["keps", "stage", "release", "pr", "format"]),
];

const CHECK: [&str; 6] = ["paths", "stage", "since", "fix", "diff", "format"];

/// Its help has no more than `-h` lists: its options are those of `check`.
const PRE_COMMIT: &str = "pre-commit";

/// All commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 2] = [
    ("For a KEP", &["check", "ready", "list", "explain", "new", "promote", "upgrade", "answer", "gates"]),
    ("For a repository", &["rules", "config", "template", "schema", "facts", "lsp", "completions", "man", PRE_COMMIT]),
];

pub fn parse(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Arguments, Error> {
    parse_by(command(), words)
}

fn parse_by(
    mut command: Command,
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Arguments, Error> {
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

fn command() -> Command {
    let command = SHORT.iter().fold(Arguments::command(), |command, (name, options)| match *name {
        // The list of commands takes the room: `check -h` has the values.
        "" => shortened(command, options).mut_arg("stage", |stage| stage.hide_possible_values(true)),
        name => command.mut_subcommand(name, |command| shortened(command, options)),
    });
    with_groups(command.mut_subcommand(PRE_COMMIT, |command| {
        command.mut_args(|argument| {
            let is_hidden = argument.is_hide_short_help_set();
            argument.hide_long_help(is_hidden)
        })
    }))
}

/// kep-lint with its help. clap has one list of all commands, which is left out.
fn with_groups(program: Command) -> Command {
    let styles = program.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{header}{heading}:{header:#}\n");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {literal}{:13}{literal:#}{about}\n", command.get_name());
        }
        groups.push('\n');
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}\n       kep-lint <COMMAND>";
    program
        .help_template(format!("{usage}\n\n{groups}{{all-args}}{{after-help}}"))
        .mut_subcommands(|command| command.hide(true))
}

/// The command with only these options in its short help.
fn shortened(command: Command, options: &[&str]) -> Command {
    command.mut_args(|argument| {
        let is_hidden = !options.contains(&argument.get_id().as_str());
        argument.hide_short_help(is_hidden)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_option_of_the_short_help_exists() {
        let mut program = Arguments::command();
        program.build();
        for (name, options) in SHORT {
            let command = program.find_subcommand(name).unwrap_or(&program);
            let known: BTreeSet<&str> = command.get_arguments().map(|argument| argument.get_id().as_str()).collect();
            assert!(options.iter().all(|option| known.contains(option)), "{name}: {known:?}");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let program = Arguments::command();
        let mut known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        if !cfg!(feature = "lsp") {
            known.push("lsp");
        }
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, known);
        let help = parse(["kep-lint", "--help"]).expect_err("it is help").to_string();
        for (heading, names) in GROUPS {
            let first = format!("{heading}:\n  {}", names.first().expect("a command"));
            assert!(help.contains(&first), "{help}");
        }
        assert!(!help.contains("Commands:"), "{help}");
    }

    #[test]
    fn the_help_of_pre_commit_names_that_of_check() {
        let help = parse(["kep-lint", PRE_COMMIT, "--help"]).expect_err("it is help").to_string();
        assert!(help.contains("`kep-lint check --help`") && help.lines().count() <= 60, "{help}");
    }

    #[test]
    fn the_two_stages_name_each_other() {
        let help = parse(["kep-lint", "check", "--help"]).expect_err("it is help").to_string();
        let stage = help.split("--stage <STAGE>").nth(1).and_then(|rest| rest.split("--release").next());
        let filter = help.split("--kep-stage <STAGE>").nth(1).and_then(|rest| rest.split("--author").next());
        assert!(stage.is_some_and(|text| text.contains("--kep-stage")), "{help}");
        assert!(filter.is_some_and(|text| text.contains("--stage")), "{help}");
    }

    #[test]
    fn the_short_help_of_every_command_fits_a_narrow_screen() {
        fn names(command: &Command) -> Vec<Vec<String>> {
            let below = command.get_subcommands().filter(|below| below.get_name() != "help").flat_map(|below| {
                names(below).into_iter().map(|rest| [vec![below.get_name().to_owned()], rest].concat())
            });
            [Vec::new()].into_iter().chain(below).collect()
        }
        let all = names(&Arguments::command());
        assert!(all.len() > 20, "{all:?}");
        for name in all {
            let words = [vec!["kep-lint".to_owned()], name, vec!["-h".to_owned()]].concat();
            let help = parse_by(command().term_width(80), &words).expect_err("it is help").to_string();
            assert!(help.lines().count() <= 40, "{help}");
            assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        }
    }

    #[test]
    fn the_short_help_fits_a_screen_and_the_long_one_has_all() {
        for (name, options) in SHORT {
            let help = |flag: &str| {
                let words = ["kep-lint", name, flag].into_iter().filter(|word| !word.is_empty());
                parse(words).expect_err("it is help").to_string()
            };
            let (short, long) = (help("-h"), help("--help"));
            assert!(short.lines().count() <= 40, "{short}");
            for option in options.iter().filter(|option| !["paths", "keps"].contains(option)) {
                let flag = format!("--{}", option.replace('_', "-"));
                assert!(short.contains(&flag) && long.contains(&flag), "{flag}: {short}");
            }
            assert!(!short.contains("--template"), "{short}");
            assert_eq!(long.contains("--template"), name != PRE_COMMIT, "{long}");
        }
    }
}
