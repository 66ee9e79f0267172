//! What came of checking KEPs, and how it is reported.

use crate::cli::args::CheckArguments;
use crate::cli::conditions::Decisions;
use crate::cli::fixing::{self, Tally};
use crate::cli::outcome::Outcome;
use crate::cli::output::{self, Outputs};
use crate::cli::print::print;
use crate::cli::{error, screen};
use crate::diagnostic::counted;
use crate::lint::Run;
use crate::report::relaxed::Counts;
use crate::report::{Summary, kep_count};
use crate::workspace::project::LeftOut;

pub struct Done {
    pub run: Run,
    pub tally: Tally,
    pub arguments: CheckArguments,
    pub left_out: LeftOut,
    /// How many of the files that were named belong to no KEP.
    pub skipped: usize,
    pub since: String,
}

impl Done {
    pub fn report(mut self, outputs: Outputs, decisions: &mut Decisions) -> Outcome {
        decisions.counts = Counts::of(&self.run, decisions.counts.excluded);
        decisions.renamed = std::mem::take(&mut self.run.conditions.renamed);
        self.run.conditions = decisions.conditions();
        let is_without_kep = kep_count(&self.run) == 0;
        if self.arguments.watch && !self.arguments.diff && is_without_kep && !self.run.failures.is_empty() {
            // The last report stays on the screen.
            return error::outcome(&self.run.failures);
        }
        if self.arguments.watch {
            self.run.failures.extend(print(screen::cleared()).err());
        }
        if self.arguments.diff {
            return self.show();
        }
        let level = self.arguments.level(&self.run);
        let hidden = if outputs.print_from_level() { output::hidden(&self.run, level) } else { None };
        let unwritten = outputs.write(&self.run, level);
        self.run.failures.extend(unwritten);
        error::print_all(&self.run.failures);
        self.close(hidden);
        if self.run.failures.is_empty() {
            output::outcome(&self.run, &self.arguments.output)
        } else {
            Outcome::Incomplete
        }
    }

    /// Prints the lines after the findings: the summary, and notes on what else can be done.
    fn close(&self, hidden: Option<String>) {
        let Self { run, arguments, .. } = self;
        let close = |line: &str| output::close(line, arguments.output.quiet);
        if arguments.unsafe_fixes && arguments.fixes().is_none() {
            close("note: `--unsafe-fixes` does nothing without `--fix` or `--diff`");
        }
        if arguments.fix {
            self.tally.lines().iter().for_each(|line| close(line));
        }
        if run.failures.is_empty() || kep_count(run) > 0 {
            close(&self.summary());
        }
        if let Some(hidden) = hidden {
            close(&hidden);
        }
        self.tally.notes.iter().for_each(|note| close(note));
        if arguments.stdin_filename.is_none()
            && let Some(offer) = fixing::offer(run, arguments.riskiest())
        {
            close(&offer);
        }
    }

    fn summary(&self) -> String {
        let Self { run, tally, arguments, left_out, .. } = self;
        let findings = || format!("{}{}", Summary::line(run, self.skipped), left_out.words(&run.layout));
        let summary = left_out.nothing(&run.layout).unwrap_or_else(findings);
        let fixed = if arguments.add_ignores.is_some() {
            fixing::ignores_added(tally, run, arguments.ignored_level())
        } else if arguments.fix {
            format!("; fixed {}", tally.words())
        } else {
            String::new()
        };
        format!("{summary}{}{fixed}", self.since)
    }

    fn show(mut self) -> Outcome {
        self.run.failures.extend(print(&self.tally.diff).err());
        error::print_all(&self.run.failures);
        let Self { run, tally, arguments, left_out, .. } = &self;
        let is_quiet = arguments.output.quiet;
        if tally.altered > 0 {
            let lines = counted(tally.altered, "line", "lines");
            let note = format!(
                "{lines} of the diff could control a terminal or a log and show `?` instead: use `--fix` to apply them"
            );
            output::close(&note, is_quiet);
        }
        tally.notes.iter().for_each(|note| output::close(note, is_quiet));
        let words = match arguments.add_ignores {
            Some(_) => fixing::ignores_shown(tally, run, arguments.ignored_level()),
            None => format!("would fix {}", tally.words()),
        };
        output::close(&format!("{words}{}", left_out.words(&run.layout)), is_quiet);
        match (run.failures.is_empty(), tally.is_empty()) {
            (false, _) => Outcome::Incomplete,
            (true, false) => Outcome::Findings,
            (true, true) => Outcome::Clean,
        }
    }
}
