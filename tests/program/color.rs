//! What decides on color: `--color`, else the environment, else whether a terminal reads the output, which none does here.

use crate::support::program::PROGRAM;
use std::process::Command;

/// The variables that count, which may be set where the tests run.
const VARIABLES: [&str; 4] = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"];

/// A KEP with findings.
const KEP: &str = "fixtures/demo/keps/sig-node/1-prefetch-images";

/// Whether kep-lint uses color with these variables and arguments.
fn is_colored(variables: &[(&str, &str)], arguments: &[&str]) -> bool {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in VARIABLES {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().expect("kep-lint runs");
    let printed = [output.stdout, output.stderr].concat();
    assert!(printed.len() > 50, "{arguments:?} prints nothing");
    printed.contains(&0x1b)
}

#[test]
fn the_environment_decides_where_no_option_does() {
    for (variables, expected) in [
        (&[][..], false),
        (&[("CLICOLOR", "1")], false),
        (&[("FORCE_COLOR", "1")], true),
        (&[("FORCE_COLOR", "0")], false),
        (&[("FORCE_COLOR", "")], false),
        (&[("CLICOLOR_FORCE", "1")], true),
        (&[("NO_COLOR", "1"), ("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
        (&[("NO_COLOR", ""), ("FORCE_COLOR", "1")], true),
        (&[("FORCE_COLOR", "0"), ("CLICOLOR_FORCE", "1")], false),
    ] {
        for format in ["pretty", "concise"] {
            let arguments = ["--format", format, KEP];
            assert_eq!(is_colored(variables, &arguments), expected, "{variables:?}, {format}");
        }
        assert_eq!(is_colored(variables, &["--statistics", KEP]), expected, "{variables:?}");
        assert_eq!(is_colored(variables, &["--help"]), expected, "{variables:?}");
        assert!(!is_colored(variables, &["--format", "json", KEP]), "{variables:?}");
    }
}

#[test]
fn the_option_overrules_the_environment() {
    let no: &[(&str, &str)] = &[("NO_COLOR", "1")];
    let yes: &[(&str, &str)] = &[("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
    for (variables, choice, expected) in
        [(no, "always", true), (yes, "never", false), (no, "auto", false), (yes, "auto", true)]
    {
        let arguments = ["--color", choice, "--format", "concise", KEP];
        assert_eq!(is_colored(variables, &arguments), expected, "{variables:?}, {choice}");
        let diff = ["--color", choice, "--diff", "--unsafe-fixes", KEP];
        assert_eq!(is_colored(variables, &diff), expected, "{variables:?}, {choice}");
    }
}
