//! Why a run ended before any KEP was checked.

use crate::cli::conditions::Decisions;
use crate::cli::error;
use crate::cli::outcome::Outcome;
use crate::cli::output::{self, Outputs};
use crate::diagnostic::{Failure, Severity};
use crate::lint::Run;

/// Why a run ended before any KEP was checked.
pub struct Stopped {
    run: Box<Run>,
    /// The sentence for a run in which there is nothing to check; `None` after failures.
    nothing: Option<String>,
}

impl From<Vec<Failure>> for Stopped {
    fn from(failures: Vec<Failure>) -> Self {
        Self { run: Box::new(Run { failures, ..Run::default() }), nothing: None }
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::from(vec![failure])
    }
}

impl Stopped {
    /// There is nothing to check, which the `sentence` says.
    pub fn nothing(run: Run, sentence: String) -> Self {
        Self { run: Box::new(run), nothing: Some(sentence) }
    }

    pub fn report(self, outputs: Outputs, is_watched: bool, decisions: &Decisions<'_>) -> Outcome {
        let Self { mut run, nothing } = self;
        if nothing.is_none() && is_watched {
            // The last report stays, on the screen and in files.
            error::print_all(&run.failures);
            return Outcome::Incomplete;
        }
        run.conditions = decisions.conditions();
        let is_quiet = outputs.arguments.quiet;
        let unwritten = outputs.write(&run, Severity::Advice);
        error::print_all(&[run.failures.as_slice(), &unwritten].concat());
        let Some(sentence) = nothing else { return Outcome::Incomplete };
        output::close(&sentence, is_quiet);
        if unwritten.is_empty() { Outcome::Clean } else { Outcome::Incomplete }
    }
}
