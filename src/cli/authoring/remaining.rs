//! What is left to do after a KEP was written or promoted: the findings of the same check that `kep-lint check` makes. The
//! one place that says it.

use crate::cli::args::OutputArguments;
use crate::cli::option::When;
use crate::cli::output::{self, Outputs};
use crate::diagnostic::Failure;
use crate::lint::Run;
use crate::report::Summary;

/// Prints the findings of `run`, and how many there are.
pub fn print(run: &Run, color: When) -> Vec<Failure> {
    let arguments = OutputArguments::with_color(color);
    let outputs = match Outputs::open(&arguments) {
        Ok(outputs) => outputs,
        Err(failure) => return vec![failure],
    };
    let failures = outputs.write(run, arguments.level(run));
    output::close(&Summary::line(run, 0), &arguments);
    failures
}
