//! The arguments of the command line.

pub(crate) mod commands;

#[cfg(feature = "lsp")]
use self::commands::LspArguments;
use self::commands::{
    AnnotateArguments, ExplainArguments, FACTS_STATUS, FactsArguments, GatesArguments, LIST_STATUS, ListArguments,
    RulesArguments, ShowArguments,
};
use super::authoring::arguments::{
    self as authoring, AnswerArguments, NewArguments, PromoteArguments, UpgradeArguments,
};
use super::destination::FormatArgument;
use super::filters::FilterArguments;
use super::github;
use super::options::{
    CONFIGURATION, ConfigArguments, TableFormat, Threshold, When, base_url, count, presets, reason, release,
    severities, stages, threads, thresholds,
};
use super::ready::arguments::{self as ready, ReadyArguments};
use crate::diagnostic::{Safety, Severity};
use crate::lint::Run;
use crate::ready::calendar::about_data;
use crate::report::format::{self, Format};
use crate::report::kep_count;
use crate::rules::preset::Preset;
use crate::rules::select;
use crate::stage::{Release, Stage};
use crate::suggest;
use crate::workspace::change;
use crate::workspace::change::since::Compared;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What `--version` says; `-V` says the first line.
static VERSION: LazyLock<String> = LazyLock::new(|| format!("{}\n{}", env!("CARGO_PKG_VERSION"), about_data()));

/// A linter and validator for Kubernetes Enhancement Proposals
#[derive(Debug, Parser)]
#[command(version, long_version = VERSION.as_str(), args_conflicts_with_subcommands = true, after_long_help = EXIT_STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub check: CheckArguments,
}

pub const EXIT_STATUS: &str =
    "Exit status: 0: no findings at or above --fail-on; 1: findings; 2: the run could not be completed.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check KEPs (default command)
    #[command(after_long_help = EXIT_STATUS)]
    Check(Box<CheckArguments>),
    /// Tell whether KEPs are ready for a stage and release
    #[command(after_help = ready::EXIT_STATUS)]
    Ready(Box<ReadyArguments>),
    #[command(after_help = LIST_STATUS)]
    List(Box<ListArguments>),
    /// Explain rules, categories of rules, and sections of the template
    Explain(ExplainArguments),
    /// List rules; `explain` and the book have a page about each
    Rules(RulesArguments),
    Gates(GatesArguments),
    #[command(after_help = FACTS_STATUS)]
    Facts(FactsArguments),
    #[command(after_help = authoring::NEW_STATUS)]
    New(NewArguments),
    #[command(after_help = authoring::PROMOTE_STATUS)]
    Promote(PromoteArguments),
    #[command(after_help = authoring::UPGRADE_STATUS)]
    Upgrade(UpgradeArguments),
    #[command(after_help = authoring::ANSWER_STATUS)]
    Answer(AnswerArguments),
    /// Check a template, show what it requires, or add directives
    Template {
        #[command(subcommand)]
        command: TemplateCommand,
    },
    /// Show or write the configuration
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print a JSON schema
    Schema {
        /// Of what
        #[arg(value_enum)]
        of: SchemaKind,
    },
    /// Check as a hook of pre-commit
    ///
    /// What is staged, what changed since PRE_COMMIT_FROM_REF, or the given files. It takes all
    /// options of check: `kep-lint check --help` lists them.
    #[command(after_long_help = EXIT_STATUS)]
    PreCommit(Box<CheckArguments>),
    #[cfg(feature = "lsp")]
    Lsp(LspArguments),
    /// Print a script that completes commands in a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print a manual page; `kep-lint man | man -l -` shows it
    Man {
        /// The command that the page is about, such as `template show` [default: all of kep-lint]
        #[arg(value_name = "COMMAND", conflicts_with = "to")]
        page: Vec<String>,
        /// Write the pages of all commands into this directory
        #[arg(long, value_name = "DIRECTORY")]
        to: Option<PathBuf>,
    },
}

impl Command {
    /// The command that `word`, which is no path, most likely means, as a help.
    pub fn meant(word: &str) -> Option<String> {
        let mut arguments = Arguments::command();
        arguments.build();
        let shown = arguments.get_subcommands().filter(|command| !command.is_hide_set());
        // Other linters have these commands.
        if word == "fix" {
            return Some("did you mean the option `kep-lint --fix`?".to_owned());
        }
        let word = if word == "lint" { "check" } else { word };
        let command = suggest::nearest(word, shown.map(clap::Command::get_name))?;
        Some(format!("did you mean the command `kep-lint {command}`?"))
    }
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show what applies, and where it is from
    Show {
        /// What would be checked [default: as for `check`]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        config: ConfigArguments,
    },
    /// Write a `.kep-lint.yaml` with all keys as comments
    Init {
        /// The directory [default: the root of the repository]
        directory: Option<PathBuf>,
        /// Print it, and write nothing
        #[arg(long)]
        print: bool,
    },
    /// Print the JSON schema of the configuration, for editors
    Schema,
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// Check the directives of a template
    Check {
        /// The template [default: the repository's or the built-in one]
        file: Option<PathBuf>,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Add the built-in directives below the headings of a template, and print the result
    Annotate(AnnotateArguments),
    /// Show what differs between two versions of a template: headings, guidance and directives
    #[command(after_help = "Exit status: 0: no difference; 1: there are differences; 2: a file could not be read")]
    Compare {
        /// The old template
        old: PathBuf,
        /// The new template
        new: PathBuf,
        /// Output format
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
    },
    #[command(hide = true)]
    /// Print the hashes of a template's lines, for the lists in `templates/history`
    Lines {
        /// Versions of a template
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Which lines
        #[arg(long, value_enum)]
        of: LineKind,
    },
    /// Show which sections a template requires, from which stage, since which release
    Show(ShowArguments),
}

#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// Directories, KEPs or files to check
    ///
    /// A KEP may also be named by its number; `-` reads a file from standard input [default: `keps` of the repository,
    /// otherwise `.`]
    pub paths: Vec<PathBuf>,
    /// Check against this stage
    ///
    /// It counts for every KEP, whatever kep.yaml says. --kep-stage chooses the KEPs instead.
    #[arg(long, value_parser = stages(), ignore_case = true)]
    pub stage: Option<Stage>,
    /// Kubernetes release under development [default: that of the day of the default branch, or with --since
    /// of the base, or the newest one that several of its KEPs name, if that is later]
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub release: Option<Release>,
    /// Use this annotated template instead of the repository's or the built-in one
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Which levels the rules have; `strict` turns on rules that are off, `upstream` reports only what the scripts of
    /// kubernetes/enhancements fail on [default: recommended]
    #[arg(long, value_name = "PRESET", value_parser = presets())]
    pub preset: Option<Preset>,
    /// Run only these rules or categories
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Do not run these rules or categories
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Check again whenever a file of the KEPs changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "add_ignores"])]
    pub watch: bool,
    /// The file that the text on standard input belongs to, for `-`: its KEP is checked with the other files on disk, and
    /// only the findings in this file are shown
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<u16>,
    /// Check only KEPs that changed since the merge base with REF
    ///
    /// `auto` takes the base from CI, otherwise the main branch of the remote.
    #[arg(long, value_name = "REF", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new(),
          help_heading = CHANGES)]
    pub since: Option<String>,
    /// Check only KEPs with staged changes, as they are staged
    #[arg(long, conflicts_with_all = ["since", "add_ignores"], help_heading = CHANGES)]
    pub staged: bool,
    /// Report only findings that the base does not have
    ///
    /// The base is that of --since or --staged.
    #[arg(long, help_heading = CHANGES)]
    pub new_only: bool,
    /// Apply safe fixes and report the remaining findings
    #[arg(long, help_heading = FIXES)]
    pub fix: bool,
    /// Show the changes --fix would make
    ///
    /// Nothing is written; exit 1 if there are any changes.
    #[arg(long, conflicts_with_all = ["format", "statistics"], help_heading = FIXES)]
    pub diff: bool,
    /// Also apply unsafe fixes; review the result
    #[arg(long, help_heading = FIXES)]
    pub unsafe_fixes: bool,
    /// Add comments that ignore the present errors and warnings for this reason, and the suggestions too with
    /// --level suggestion or if --select names a rule; with --diff only show them
    #[arg(long, value_name = "REASON", require_equals = true, value_parser = reason, conflicts_with = "fix",
          help_heading = FIXES)]
    pub add_ignores: Option<String>,
    #[command(flatten)]
    pub config: ConfigArguments,
    /// With --since or --staged: take the configuration, the template and hack/.notableofcontents from the base, so
    /// that a change cannot switch off its own check
    #[arg(long, value_enum, value_name = "WHERE", help_heading = CONFIGURATION)]
    pub config_from: Option<ConfigFrom>,
    /// Check KEPs that the configuration excludes as well
    #[arg(long, help_heading = CONFIGURATION)]
    pub no_exclude: bool,
    #[command(flatten)]
    pub output: OutputArguments,
    #[command(flatten)]
    pub filters: FilterArguments,
    /// Whether it is a hook that passes the paths, and not a person.
    #[arg(skip)]
    pub is_hook: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigFrom {
    /// the commit that --since names; with --staged, HEAD
    Base,
}

const CHANGES: &str = "Only what changed";
const FIXES: &str = "Fixes";

impl CheckArguments {
    pub fn level(&self, run: &Run) -> Severity {
        if self.names_rule() && self.output.level.is_none() { Severity::Advice } else { self.output.level(run) }
    }

    pub fn comparison(&self) -> Option<change::Wanted> {
        // A hook that fixes a commit compares with `HEAD`.
        let is_push = self.is_hook && self.since.as_deref() != Some("HEAD");
        let since = self.since.clone().map(if is_push { Compared::Pushed } else { Compared::Since });
        let staged = self.staged.then_some(Compared::Staged);
        Some(change::Wanted {
            compared: since.or(staged)?,
            is_new_only: self.new_only,
            has_base_configuration: self.config_from == Some(ConfigFrom::Base),
        })
    }

    /// Whether `--select` names a rule, and not only categories.
    pub fn names_rule(&self) -> bool {
        self.select.iter().any(|name| select::rule_named(name).is_some())
    }

    /// The lowest severity of the findings that ignores are added for.
    pub fn ignored_level(&self) -> Severity {
        self.output.level.unwrap_or(if self.names_rule() { Severity::Advice } else { Severity::Warning })
    }

    pub fn fixes(&self) -> Option<Safety> {
        (self.fix || self.diff).then_some(self.riskiest())
    }

    /// The riskiest fixes that the user wants to apply or to hear about.
    pub fn riskiest(&self) -> Safety {
        if self.unsafe_fixes { Safety::Unsafe } else { Safety::Safe }
    }
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = format_argument, help = FORMATS, long_help = formats())]
    pub format: Vec<FormatArgument<Format>>,
    /// Link lines in markdown to this URL of the repository's root
    ///
    /// For example, https://github.com/kubernetes/enhancements/blob/master.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub link_base: Option<String>,
    /// Print only finding counts, per rule and per SIG
    #[arg(long)]
    pub statistics: bool,
    /// Number of findings that pretty shows, errors first; 0 means all
    #[arg(long, alias = "max-diagnostics", value_name = "N", default_value_t = 200, value_parser = count,
          allow_negative_numbers = true)]
    pub max_findings: usize,
    /// Lowest severity that is shown; the exit status does not depend on it [default: suggestion for up to three KEPs
    /// or if --select names a rule, otherwise warning]
    #[arg(long, value_name = "SEVERITY", value_parser = severities())]
    pub level: Option<Severity>,
    /// Lowest severity that makes the exit status 1 [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = thresholds())]
    pub fail_on: Option<Threshold>,
    /// When to use color; `auto` follows NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR; without them, a
    /// terminal gets color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    /// Link the rules of findings to their pages in the book at this URL
    ///
    /// Releases of kep-lint link to their own book without this.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub docs_base: Option<String>,
    /// Do not print the summary line
    #[arg(short, long)]
    pub quiet: bool,
}

impl OutputArguments {
    /// The lowest severity that makes a run fail; with `None` it never fails.
    pub fn threshold(&self) -> Option<Severity> {
        self.fail_on.map_or(Some(Severity::Error), |threshold| threshold.0)
    }

    /// The lowest severity to show of `run`. The findings of a few KEPs are all of interest; among those of a whole tree,
    /// suggestion hides what matters.
    pub fn level(&self, run: &Run) -> Severity {
        const FEW: usize = 3;
        let default = || match self.threshold() {
            _ if kep_count(run) <= FEW => Severity::Advice,
            Some(threshold) => threshold.min(Severity::Warning),
            None => Severity::Warning,
        };
        self.level.unwrap_or_else(default)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LineKind {
    /// Guidance, in comments
    Comments,
    /// All that a reader sees, except headings
    Visible,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaKind {
    /// The report of `--format json`
    Report,
    /// That of `kep-lint ready --format json`
    Ready,
    /// That of `kep-lint list --format json`
    List,
    /// kep.yaml
    Kep,
    /// PRR files
    Prr,
}

fn format_argument(text: &str) -> Result<FormatArgument<Format>, String> {
    FormatArgument::parse(text, |name| {
        let format = if name == AUTO { Some(github::automatic_format()) } else { format::of_name(name) };
        format.ok_or_else(|| unknown_format(name))
    })
}

fn unknown_format(name: &str) -> String {
    if let Some(gone) = suggest::gone(name) {
        return gone;
    }
    let names: Vec<&str> = std::iter::once(AUTO).chain(format::ALL.iter().map(|format| format.name)).collect();
    let formats = format!("the formats are {}", suggest::list(&names, "and"));
    match suggest::nearest(name, names.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`? ({formats})"),
        None => formats,
    }
}

const FORMATS: &str = "How findings are printed, or written to FILE";

fn formats() -> String {
    let rows = format::ALL.iter().map(|format| format!("\n- {}: {}", format.name, format.summary));
    let rows: String = rows.collect();
    format!("{FORMATS}; may be given more than once\n- {AUTO}: pretty, and github in GitHub Actions (default){rows}")
}

/// The name that stands for the format that fits where the program runs.
const AUTO: &str = "auto";
