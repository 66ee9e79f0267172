//! `kep-lint completions`: the scripts that complete commands in shells. They know what the arguments only check after
//! they are read, such as the names of rules, and ask the program for what only the repository knows: see [`names`].

mod names;

use super::args::Arguments;
use super::completion::Completion;
use super::outcome::Outcome;
use super::print::print;
use crate::diagnostic::Failure;
use crate::report::format;
use crate::rules::ALL;
use crate::rules::rule::Category;
use crate::stage::{Stage, Status};
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

/// The arguments that are names of rules or categories.
const RULES: [&str; 3] = ["select", "ignore", "names"];

/// The arguments that are KEPs.
const KEPS: [&str; 3] = ["paths", "keps", "kep"];

/// Words of a script in whose place the script asks for names.
const ASKED_KEPS: &str = "KEP_LINT_KEPS";
const ASKED_SIGS: &str = "KEP_LINT_SIGS";

/// Asks for the names of SIGs. All that is printed is letters, digits and dashes, so that a shell may read it as code.
const ASK_SIGS: &str = "command kep-lint completions sigs 2>/dev/null";

/// The names of files as clap's script gives them to bash, which writes them into the line as they are. Where a script gives
/// nothing, bash completes files itself, and quotes what it would read as code.
const UNQUOTED_FILES: &str = r#"$(compgen -f "${cur}")"#;

/// Completes the numbers of KEPs where nothing else fits.
const BASH: &str = r#"
_kep_lint() {
    _kep__lint "$@"
    if [[ ${#COMPREPLY[@]} -eq 0 && $2 == [0-9]* && $3 != --* ]]; then
        case "${COMP_WORDS[1]}" in
            explain|rules|gates|facts|new|template|config|schema|completions|man|help) ;;
            *) COMPREPLY=( $(compgen -W "$(command kep-lint completions keps 2>/dev/null | cut -f 1)" -- "$2") ) ;;
        esac
    fi
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _kep_lint -o nosort -o bashdefault -o default kep-lint
else
    complete -F _kep_lint -o bashdefault -o default kep-lint
fi
"#;

/// Completes SIGs, and KEPs by their numbers, with their names beside them.
const ZSH: &str = r#"
(( $+functions[_kep_lint_sigs] )) ||
_kep_lint_sigs() {
    local -a names=(${(f)"$(command kep-lint completions sigs 2>/dev/null)"})
    _describe 'SIG' names
}
(( $+functions[_kep_lint_keps] )) ||
_kep_lint_keps() {
    local -a names=(${${(f)"$(command kep-lint completions keps 2>/dev/null)"}/$'\t'/:})
    local ret=1
    _describe 'KEP' names && ret=0
    _files && ret=0
    return ret
}
(( $+functions[_kep_lint_first] )) ||
_kep_lint_first() {
    local ret=1
    _kep-lint_commands && ret=0
    _kep_lint_keps && ret=0
    return ret
}
"#;

const FISH: &str = r#"
complete -c kep-lint -n "__fish_kep_lint_needs_command; or __fish_kep_lint_using_subcommand check ready promote pre-commit" -k -a "(command kep-lint completions keps 2>/dev/null)"
"#;

/// Prints the script for a shell, or the names that a script asks for.
pub fn run(wanted: Completion) -> Result<Outcome, Failure> {
    let text = match wanted {
        Completion::Script(shell) => script(shell),
        Completion::Names(of) => names::lines(of),
    };
    print(&text).map(|()| Outcome::Clean)
}

fn script(shell: Shell) -> String {
    let mut command = with_names(Arguments::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, env!("CARGO_PKG_NAME"), &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        // The script looks for the options of a command under another name than it gives to the command, if the name of
        // the program has a dash.
        Shell::Bash => {
            let script = script.replace("kep__subcmd__lint", "kep__lint").replace(&format!(" {ASKED_KEPS}"), "");
            let script = script.replace(UNQUOTED_FILES, "");
            script.replace(ASKED_SIGS, &format!("$({ASK_SIGS})")) + BASH
        }
        Shell::Zsh => {
            let script = script.replace(&format!("({ASKED_KEPS})"), "_kep_lint_keps");
            let script = script.replace(&format!("({ASKED_SIGS})"), "_kep_lint_sigs");
            let script = with_first_word(&script);
            // The function that completes is called at the end.
            script.replacen('\n', &format!("\n{ZSH}"), 1)
        }
        Shell::Fish => script.replace(&format!("{ASKED_SIGS}\\t''"), &format!("({ASK_SIGS})")) + FISH,
        _ => script.into_owned(),
    }
}

/// The script for zsh, which takes the first word for a path and the second one for a command: the first word is either.
fn with_first_word(script: &str) -> String {
    let Some((start, rest)) = script.split_once("'::paths -- ") else { return script.to_owned() };
    let Some((_, rest)) = rest.split_once("\":: :_kep-lint_commands\"") else { return script.to_owned() };
    let Some((choice, commands)) = rest.split_once("(check)") else { return script.to_owned() };
    format!("{start}\":: :_kep_lint_first\"{}(check){commands}", choice.replace("$line[2]", "$line[1]"))
}

/// The command, and all below it, with the names that their arguments can have.
fn with_names(command: Command) -> Command {
    command.mut_subcommands(with_names).mut_args(|argument| match argument.get_id().as_str() {
        "format" if argument.get_possible_values().is_empty() => {
            argument.value_parser(PossibleValuesParser::new(format::ALL.iter().map(|format| format.name)))
        }
        "status" => argument.value_parser(PossibleValuesParser::new(Status::ALL.map(Status::name))),
        "kep_stage" => argument.value_parser(PossibleValuesParser::new(Stage::words())),
        "sig" => argument.value_parser(PossibleValuesParser::new([ASKED_SIGS])),
        id if KEPS.contains(&id) && argument.is_positional() => {
            argument.value_parser(PossibleValuesParser::new([ASKED_KEPS]))
        }
        id if RULES.contains(&id) => argument.value_parser(PossibleValuesParser::new(rules())),
        _ => argument,
    })
}

/// The names of all categories and rules.
fn rules() -> impl Iterator<Item = &'static str> {
    Category::ALL.iter().map(|category| category.name()).chain(ALL.iter().map(|rule| rule.name))
}
