//! Options that exclude each other, or are nothing alone: each combination with the sentence that says why.

use super::args::CheckArguments;
use crate::diagnostic::Failure;

/// A combination of options that cannot be done.
type Combination = (fn(&CheckArguments) -> bool, &'static str, &'static str);

const REFUSED: &[Combination] = &[
    (
        |arguments| arguments.new_only && arguments.since.is_none() && !arguments.staged,
        "`--new-only` needs a base to compare with",
        "add `--since REF` or `--staged`",
    ),
    (
        |arguments| arguments.staged && arguments.fix,
        "`--staged --fix` is not possible: what is staged is not a file that can be written",
        "use `--fix` without `--staged`, or see the changes with `--staged --diff`",
    ),
];

/// Why these arguments cannot be used together; `None` if they can.
pub fn refused(arguments: &CheckArguments) -> Option<Failure> {
    let (_, message, help) = REFUSED.iter().find(|(is_used, ..)| is_used(arguments))?;
    Some(Failure::new(*message).help(*help))
}
