//! Arguments that do not make sense together. Each combination has its own sentence, which says more than that the two
//! conflict.

use super::args::CheckArguments;
use super::stdin;
use crate::diagnostic::Failure;
use crate::report::github_review;

pub fn refuse(arguments: &CheckArguments) -> Result<(), Failure> {
    let CheckArguments { paths, stdin_filename, fix, watch, since, staged, new_only, add_ignores, .. } = arguments;
    let CheckArguments { stage, release, template, config_from, .. } = arguments;
    let has_stdin = stdin::is_named(arguments);
    let has_name = stdin_filename.is_some();
    let has_base = since.is_some() || *staged;
    let is_review = arguments.output.format.iter().any(|argument| argument.format.name == github_review::NAME);
    let is_unusual = stage.is_some() || release.is_some() || template.is_some();
    let refused = [
        (has_stdin && *fix, "`-` cannot be used with `--fix`, use `--diff` to get the changes"),
        (has_stdin && *watch, "`-` cannot be used with `--watch`, because standard input is read once"),
        (has_stdin && has_base, "`-` cannot be used with `--since` or `--staged`, it names the KEP to check"),
        (has_stdin && paths.len() > 1, "`-` cannot be used with other paths"),
        (has_stdin && !has_name, "`-` needs `--stdin-filename PATH`, the file that the text belongs to"),
        (!has_stdin && has_name, "`--stdin-filename` needs `-` as the path"),
        (*watch && *staged, "`--watch` cannot be used with `--staged`, because it watches files, not what is staged"),
        (*new_only && !has_base, "`--new-only` needs `--since REF` or `--staged`, a base to compare with"),
        (has_stdin && add_ignores.is_some(), "`-` cannot be used with `--add-ignores`, which writes to files"),
        (
            add_ignores.is_some() && is_unusual,
            "`--add-ignores` cannot be used with `--stage`, `--release` or `--template`: a run without them would call the \
             ignores unused",
        ),
        (
            config_from.is_some() && !has_base,
            "`--config-from base` needs `--since REF` or `--staged`, a base to take the configuration from",
        ),
        (
            is_review && since.is_none(),
            "`--format github-review` needs `--since REF`, the branch that the pull request is for",
        ),
        (is_review && *fix, "`--format github-review` cannot be used with `--fix`: it suggests the fixes"),
        (*staged && *fix, "`--staged` cannot be used with `--fix`, use `--staged --diff` to see the changes"),
    ];
    match refused.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, sentence)) => Err(Failure::new(sentence.to_owned())),
        None => Ok(()),
    }
}
