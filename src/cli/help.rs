//! The two helps: `-h` lists what most people need and fits a screen, `--help` lists all.

use super::args::Arguments;
use clap::{Command, CommandFactory, Error, FromArgMatches};
use std::ffi::OsString;

/// The commands whose options take more than a screen, each with those that `-h` lists; the first is kep-lint itself.
const SHORT: [(&str, &[&str]); 4] =
    [("", &MAIN), ("check", &CHECK), ("pre-commit", &CHECK), ("ready", &["keps", "stage", "release", "pr", "format"])];

/// Beside the list of commands there is less room.
const MAIN: [&str; 5] = ["paths", "stage", "since", "fix", "diff"];

const CHECK: [&str; 6] = ["paths", "stage", "since", "fix", "diff", "format"];

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
    SHORT.iter().fold(Arguments::command(), |command, (name, options)| match *name {
        // The list of commands takes the room: `check -h` has the values.
        "" => shortened(command, options).mut_arg("stage", |stage| stage.hide_possible_values(true)),
        name => command.mut_subcommand(name, |command| shortened(command, options)),
    })
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
            assert!(!short.contains("--template") && long.contains("--template"), "{short}");
        }
    }
}
