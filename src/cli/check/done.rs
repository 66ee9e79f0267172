//! What came of checking KEPs, what decided how strict that was, and how it is reported.

use crate::cli::args::CheckArguments;
use crate::cli::fixing::{self, Tally};
use crate::cli::outcome::Outcome;
use crate::cli::output::{self, Outputs};
use crate::cli::print::print;
use crate::cli::{error, screen};
use crate::diagnostic::counted;
use crate::lint::Run;
use crate::lint::conditions::{Conditions, EditedFile, RenamedHeading};
use crate::report::relaxed::{Counts, Said, of_check};
use crate::report::{Summary, kep_count};
use crate::workspace::config_file::ConfigFile;
use crate::workspace::project::LeftOut;

/// What decides how strict a run is, as it becomes known.
#[derive(Default)]
pub struct Decisions {
    said: Said,
    /// Whether a summary line says how many findings ignores silence.
    has_summary: bool,
    pub config: Option<ConfigFile>,
    /// The version that the configuration is from, if not the one that is checked.
    pub configuration: Option<String>,
    pub is_configured: bool,
    pub counts: Counts,
    pub edited: Vec<EditedFile>,
    pub renamed: Vec<RenamedHeading>,
}

impl Decisions {
    pub fn of(arguments: &CheckArguments) -> Self {
        let CheckArguments { preset, release, template, output, diff, .. } = arguments;
        let said = Said {
            preset: *preset,
            has_fail_on: output.fail_on.is_some(),
            has_level: output.level.is_some() || arguments.names_rule(),
            has_release: release.is_some(),
            has_template: template.is_some(),
        };
        Self { said, has_summary: !output.quiet && !*diff, ..Self::default() }
    }

    pub fn conditions(&self) -> Conditions {
        let of_config = self.config.as_ref().map(|file| of_check(&file.path, &file.config, self.said, self.counts));
        let relaxed = of_config.unwrap_or_default();
        let edited = self.edited.clone();
        let matters = self.is_configured || edited.iter().any(|file| file.counts_later);
        let configuration = self.configuration.clone().filter(|_| matters);
        Conditions { configuration, relaxed, edited, renamed: self.renamed.clone() }
    }

    /// The same in sentences, and what of the configuration no longer has an effect.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.conditions().lines();
        lines.extend(self.config.iter().flat_map(ConfigFile::gone));
        if !self.has_summary && self.counts.ignored > 0 {
            lines.push(format!("{} ignored", counted(self.counts.ignored, "finding", "findings")));
        }
        lines
    }
}

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
