//! The feature gates that Kubernetes has, as data: `templates/feature-gates.yaml`, or a list of the repository. A list says
//! for which releases it is complete, and nothing is said about later ones.

pub mod code;
pub(crate) mod gate;
pub mod import;

use self::gate::{BEGIN, Gate, is_name};
use crate::diagnostic::brief;
use crate::search;
use crate::source::SourceFile;
use crate::span::{FileId, Span, slice};
use crate::stage::Release;
use crate::suggest;
use crate::yaml::date::Date;
use crate::yaml::tree::Problem;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

const DATA: &str = include_str!("../templates/feature-gates.yaml");

static BUILT_IN: LazyLock<Gates> =
    LazyLock::new(|| Gates::read(DATA, |line| Some(Cow::Borrowed(line))).expect("a test reads the built-in list"));

/// What a file with a list begins with.
pub const HEADER: &str = "\
# Feature gates, as `kep-lint gates import` reads them from the code: in which release each became alpha, beta, GA (stable) or
# deprecated, since which one it is on by default (`enabled`) or cannot be changed (`locked`), which one no longer has it
# (`removed`), the KEPs that the comment above it names (`keps`), and the list that has it (`in`; none is pkg/features).
# `<=1.16` is that release or an earlier one. `since` and `final` are the first and the newest release for which the list is
# complete.
";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gates {
    /// The first release from which on the list has all gates: of what is gone since before, it may have nothing.
    pub first: Release,
    /// The newest release that is out and for which the list is complete.
    pub last_final: Release,
    pub newest: Newest,
    /// The lines of the gates, sorted by their names as [`order`] says. A run needs few of several hundred.
    lines: Vec<Cow<'static, str>>,
}

/// The code that a list was read from last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its release, which may be under development.
    pub release: Release,
    pub date: Date,
    pub commit: String,
}

impl Newest {
    /// Reads `{release: v1.37, date: 2026-07-24, commit: ae5d4d35}`.
    fn of(written: &str) -> Option<Self> {
        let (release, rest) = written.strip_prefix("{release: ")?.strip_suffix('}')?.split_once(", date: ")?;
        let (date, commit) = rest.split_once(", commit: ")?;
        let is_commit = (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let commit = is_commit.then(|| commit.to_owned())?;
        Some(Self { release: Release::parse(release)?, date: Date::parse(date)?, commit })
    }
}

impl Gates {
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// A list of these gates, which it sorts.
    pub fn new(first: Release, last_final: Release, newest: Newest, gates: impl Iterator<Item = Gate>) -> Self {
        let lines = gates.map(|gate| Cow::Owned(gate.to_string()));
        Self { first, last_final, newest, lines: sorted(lines.collect()) }
    }

    /// The list in a file of a repository, which may come with an untrusted pull request. With a problem,
    /// nothing of it is to be used.
    pub fn parse(file: &SourceFile) -> Result<Self, Problem> {
        match file.invalid_utf8 {
            Some(offset) => Err(problem(offset..offset, "the file is not UTF-8".to_owned())),
            None => Self::read(&file.text, |line| Some(Cow::Owned(Gate::of_line(line)?.to_string()))),
        }
    }

    /// Reads a list in the form that [`fmt::Display`] writes, with comments and empty lines anywhere: each
    /// name, number and release in it is what it should be. `gate` takes the line of a gate.
    fn read<'t>(text: &'t str, gate: impl Fn(&'t str) -> Option<Cow<'static, str>>) -> Result<Self, Problem> {
        let (mut first, mut last_final, mut newest, mut lines) = (None, None, None, Vec::new());
        let mut at = 0;
        for whole in text.split_inclusive('\n') {
            let line = whole.trim_end();
            let read = match line.split_once(": ") {
                _ if line.is_empty() || line.starts_with('#') || line == "gates:" => Some(()),
                Some(("since", release)) => Release::parse(release).map(|release| first = Some(release)),
                Some(("final", release)) => Release::parse(release).map(|release| last_final = Some(release)),
                Some(("newest", written)) => Newest::of(written).map(|written| newest = Some(written)),
                _ => gate(line).map(|line| lines.push(line)),
            };
            read.ok_or_else(|| {
                problem(at..at + line.len(), format!("a list of feature gates has no line `{}`", brief(line)))
            })?;
            at += whole.len();
        }
        let missing = |name: &str| problem(0..0, format!("`{name}` is missing here"));
        let first = first.ok_or_else(|| missing("since"))?;
        let last_final = last_final.ok_or_else(|| missing("final"))?;
        let newest = newest.ok_or_else(|| missing("newest"))?;
        if last_final > newest.release {
            return Err(problem(0..0, "`final` is after the release of `newest`".to_owned()));
        }
        let list = Self { first, last_final, newest, lines: sorted(lines) };
        match list.lines.array_windows().find(|[one, next]| name_in(one) == name_in(next)) {
            Some([twice, _]) => Err(problem(0..0, format!("`{}` is in the list twice", name_in(twice)))),
            None => Ok(list),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Gate> {
        self.where_line(|_| true)
    }

    /// The gates whose lines are like this.
    fn where_line(&self, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = Gate> {
        self.lines.iter().filter(move |line| is_wanted(line)).filter_map(|line| Gate::of_line(line))
    }

    pub fn find(&self, name: &str) -> Option<Gate> {
        let at = self.lines.binary_search_by(|line| order(name_in(line), name)).ok()?;
        Gate::of_line(self.lines.get(at)?)
    }

    /// The gate that differs from a misspelt name in case alone, and maybe by `Enable` before it.
    pub fn in_other_case(&self, name: &str) -> Option<Gate> {
        let find = |known: &str| self.where_line(|line| name_in(line).eq_ignore_ascii_case(known)).next();
        find(name).or_else(|| find(name.strip_prefix("Enable")?))
    }

    /// The gates whose comment in the code names the KEP of this number, which has no leading zeros.
    pub fn named_for(&self, kep: &str) -> Vec<Gate> {
        let (keps_in, number_in) = (search::finder("keps: "), search::finder(kep));
        let is_named = |line: &str| keps_in(line).is_some_and(|at| number_in(slice(line, at..)).is_some());
        let gates = self.where_line(is_named);
        gates.filter(|gate| gate.keps.iter().any(|number| number == kep)).collect()
    }

    /// The gates that differ from a misspelt name in case alone, or in one or two letters.
    pub fn near(&self, name: &str) -> impl Iterator<Item = Gate> {
        // Names are ASCII, so that the lengths tell.
        let is_as_long = |known: &str| known.len().abs_diff(name.len()) <= 2;
        let is_near =
            move |known: &str| is_as_long(known) && suggest::is_typo(known, name) && !are_siblings(known, name);
        self.where_line(move |line| is_near(name_in(line)))
    }

    /// What the list says of a gate: "EnvFiles: alpha v1.34, beta v1.35. KEP-3721. (v1.37, 2026-07-24)".
    pub fn describe(&self, gate: &Gate) -> String {
        let keps = gate.keps_in_words();
        let keps = if keps.is_empty() { keps } else { format!(" {keps}.") };
        format!("{}: {}.{keps} ({})", gate.name, gate.history(), self.as_of())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| name_in(line))
    }

    /// The release and the day that the list is as of: "v1.37, 2026-07-24".
    pub fn as_of(&self) -> String {
        format!("{}, {}", self.newest.release, self.newest.date)
    }
}

impl fmt::Display for Gates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Newest { release, date, commit } = &self.newest;
        writeln!(formatter, "since: {}\nfinal: {}", self.first, self.last_final)?;
        writeln!(formatter, "newest: {{release: {release}, date: {date}, commit: {commit}}}")?;
        writeln!(formatter, "gates:")?;
        self.lines.iter().try_for_each(|line| writeln!(formatter, "{line}"))
    }
}

fn problem(range: Range<usize>, message: String) -> Problem {
    let help = "write it as `kep-lint gates import` does".to_owned();
    Problem { span: Span::new(FileId(0), range), message, help: Some(help) }
}

/// The name in the line of a gate.
fn name_in(line: &str) -> &str {
    let fields = line.strip_prefix(BEGIN).unwrap_or(line);
    fields.split_once(',').map_or(fields, |(name, _)| name)
}

fn sorted(mut lines: Vec<Cow<'static, str>>) -> Vec<Cow<'static, str>> {
    lines.sort_by(|one, other| order(name_in(one), name_in(other)));
    lines
}

/// The order of names: without case, and with it where that is all that differs.
fn order(one: &str, other: &str) -> Ordering {
    let lower = |byte: u8| byte.to_ascii_lowercase();
    one.bytes().map(lower).cmp(other.bytes().map(lower)).then_with(|| one.cmp(other))
}

/// Whether two names are the same feature of different objects, such as `CRDObservedGeneration` and `PodObservedGeneration`.
fn are_siblings(one: &str, other: &str) -> bool {
    const OBJECTS: [&str; 4] = ["Pod", "Job", "CRD", "Node"];
    let object = |name: &str| OBJECTS.into_iter().find(|object| name.starts_with(object));
    matches!((object(one), object(other)), (Some(one), Some(other)) if one != other)
}

/// Whether somebody who writes it most likely means a gate: not "NA", "Unknown", the name of an environment variable, or a
/// pattern such as `CSIMigration{vendor}`.
pub fn is_meant(text: &str) -> bool {
    const NONE: [&str; 2] = ["NotApplicable", "MyFeatureGate"];
    is_name(text)
        && !NONE.contains(&text)
        && text.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn the_built_in_list_is_what_would_be_written() {
        let list = Gates::built_in();
        let gates: Vec<Gate> = list.iter().collect();
        assert!(gates.len() > 400, "{}", gates.len());
        let written = Gates::new(list.first, list.last_final, list.newest.clone(), gates.iter().cloned());
        assert_eq!(DATA, format!("{HEADER}{written}"), "each gate is read, sorted, and written as it is");
        for gate in gates {
            assert_eq!(list.find(&gate.name).as_ref(), Some(&gate));
        }
    }

    fn read(text: &str) -> Result<Gates, String> {
        let file = SourceFile::decode("list", text.as_bytes().to_vec());
        Gates::parse(&file).map_err(|problem| format!("{}: {}", problem.span.start, problem.message))
    }

    #[test]
    fn a_gate_without_a_stage_is_not_lost_but_refused() {
        let (gate, list) = (Gate { name: "NoStage".to_owned(), ..Gate::default() }, Gates::built_in());
        let written = Gates::new(list.first, list.last_final, list.newest.clone(), [gate].into_iter()).to_string();
        assert!(read(&written).is_err_and(|problem| problem.contains("no line `- {name: NoStage}`")), "{written}");
        let twice = written.replace("NoStage", "A, name: B, alpha: \"0.1\"");
        assert_eq!(read(&twice).map(|known| known.names().map(str::to_owned).collect()), Ok(vec!["B".to_owned()]));
    }

    #[test]
    fn a_list_in_any_order_is_read_and_anything_else_is_refused_where_it_is() {
        const HEAD: &str =
            "since: v0.1\nfinal: v0.1\nnewest: {release: v0.2, date: 2026-07-24, commit: 0123abc}\ngates:\n";
        let (one, other) = ("- {name: OneGate, ga: \"0.1\", keps: [12], in: x}", "- {name: OtherGate, alpha: \"0.2\"}");
        let list = read(&format!("# why\r\n{}{other}\r\n\n# who\n{one}\n", HEAD.replace('\n', "\r\n")));
        assert_eq!(list.map(|list| list.to_string()), Ok(format!("{HEAD}{one}\n{other}\n")));
        for line in [
            "more: 1",
            "- {name: A b}",
            "- {name: Ab, alpha: soon}",
            "- {name: Ab, more: 1.1}",
            "- {name: Ab, keps: [x]}",
            "- {name: Ab, ga: 0.1, keps: [0]}",
            "- {name: Ab, ga: 0.1, in: \"a}\"}",
            "- {alpha: 0.1}",
            "- {name: Ab}",
            "- name: Ab",
            "- {name: Ab, ga: 0.1",
            "- [1]",
            "since: soon",
            "newest: {release: v1.2}",
            "newest: {release: v1.2, date: 2026-01-02, commit: main}",
        ] {
            let refused = format!("{}: a list of feature gates has no line `{line}`", HEAD.len());
            assert_eq!(read(&format!("{HEAD}{line}\n")), Err(refused), "{line}");
        }
        for (text, problem) in [
            ("", "0: `since` is missing here"),
            ("since: v0.1\nfinal: v0.1\ngates:\n", "0: `newest` is missing here"),
            (&HEAD.replace("v0.2", "v0.0"), "0: `final` is after the release of `newest`"),
            (&format!("{HEAD}{one}\n{one}\n"), "0: `OneGate` is in the list twice"),
        ] {
            assert_eq!(read(text), Err(problem.to_owned()), "{text}");
        }
    }

    #[test]
    fn gates_are_found_by_name_by_kep_and_by_a_typo() {
        let list = Gates::built_in();
        let name = |gate: Option<Gate>| gate.map(|gate| gate.name);
        assert_eq!(name(list.find("EnvFiles")).as_deref(), Some("EnvFiles"));
        assert_eq!((name(list.find("envFiles")), name(list.find("A")), name(list.find("zzz"))), (None, None, None));
        let named: Vec<String> = list.named_for("4222").into_iter().map(|gate| gate.name).collect();
        assert_eq!(named, ["CBORServingAndStorage", "ClientsAllowCBOR", "ClientsPreferCBOR"]);
        assert!(list.named_for("422").is_empty() && list.named_for("").is_empty());
        for (written, meant) in [
            ("setHostnameAsFQDN", Some("SetHostnameAsFQDN")),
            ("ExecProbeTimeouts", Some("ExecProbeTimeout")),
            ("ReduceDefaultCrashLoopBackoffDecay", Some("ReduceDefaultCrashLoopBackOffDecay")),
            ("KMSv3", None),
            ("NodeObservedGenerationTracking", None),
            ("DRASharedConsumableCapacity", None),
            ("SchedulerPreQueueingHints", None),
        ] {
            assert_eq!(name(list.near(written).next()).as_deref(), meant, "{written}");
        }
    }

    #[test]
    fn what_is_no_gate_is_known() {
        for text in ["NA", "KUBECTL_KUBERC", "CSIMigration{vendor}", "none", "N/A", "", "Tbd", "NotApplicable", "1Gate"]
        {
            assert!(!is_meant(text), "{text}");
        }
        assert!(is_meant("setHostnameAsFQDN") && is_meant("KMSv1"));
    }
}
