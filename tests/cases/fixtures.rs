//! One named test a case of `fixtures/rules/*.md`: what the rule reports, and what its fixes make of the case. Also
//! what directives are understood as, and that whole, filled-in KEPs get no finding. `.ci/refresh` writes the
//! expectations again.

use crate::support::case::{self, Case, CaseFile, DIFF, DIRECTIVES, FINDINGS, escape, shown};
use crate::support::library::{self, Against, Tree, kep, lint_as_template};
use crate::support::wording::{self, Words};
use crate::support::{is_refresh, known_gates, project};
use kep_lint::diagnostic::script::Script;
use kep_lint::diagnostic::{Diagnostic, Safety, Severity};
use kep_lint::gates::Gates;
use kep_lint::lint::Options;
use kep_lint::lint::report::KepReport;
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::{Category, Rule};
use kep_lint::span::Span;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use kep_lint::template::directive::Directive;
use libtest_mimic::{Failed, Trial};
use similar::TextDiff;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The release under development, whatever it is by now: the KEPs of the fixtures do not become stale.
const RELEASE: Release = Release { major: 1, minor: 37 };

/// The most bytes of a line that is quoted.
const LONGEST_QUOTE: usize = 400;

/// Changes what is known of a repository.
type Configure<'a> = &'a dyn Fn(&mut Repository);

/// Cases of one file are written one after another.
static WRITING: Mutex<()> = Mutex::new(());

/// What was found in a case, by the fence it belongs into.
type Outputs = Vec<((&'static str, &'static str), String)>;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let files: Vec<Arc<CaseFile>> = case::rule_files().into_iter().map(Arc::new).collect();
    for file in &files {
        let name = file.title.clone();
        trials.extend(case_trials(&format!("rules/{name}"), file, move |case| rule_outputs(&name, case)));
        let file = Arc::clone(file);
        trials.push(Trial::test(format!("rules/{} is about its rule", file.title), move || is_about_its_rule(&file)));
    }
    for rule in ALL {
        let file = files.iter().find(|file| file.title == rule.name).cloned();
        let has_fix = rule.fix.is_some();
        trials.push(Trial::test(format!("{} has all kinds of cases", rule.name), move || {
            let file = file.ok_or_else(|| format!("there is no fixtures/rules/{}.md", rule.name))?;
            has_all_kinds(&file, has_fix)?;
            has_marks_of_its_row(&file, rule)?;
            has_settings_of_its_row(&file, rule)
        }));
    }
    let directives =
        case::read(&project().join("fixtures/directives.md")).unwrap_or_else(|problem| panic!("{problem}"));
    trials.extend(case_trials("directives", &Arc::new(directives), |case| Ok(directive_outputs(case))));
    trials.push(Trial::test("rules/messages are worded alike", move || messages_are_worded_alike(&files)));
    for stage in ["alpha", "beta", "provisional", "stable"] {
        trials.push(Trial::test(format!("clean/{stage}"), move || clean_case(stage)));
    }
    trials
}

/// One test a case of a file.
fn case_trials<F>(prefix: &str, file: &Arc<CaseFile>, outputs: F) -> Vec<Trial>
where
    F: Fn(&Case) -> Result<Outputs, Failed> + Send + Clone + 'static,
{
    let trial = |at: usize| {
        let (file, outputs) = (Arc::clone(file), outputs.clone());
        let name = format!("{prefix}/{}", file.cases[at].name);
        Trial::test(name, move || is_expected(&file.path, &file.cases[at], &outputs(&file.cases[at])?))
    };
    (0..file.cases.len()).map(trial).collect()
}

/// Compares with the fences of the case, or writes them.
fn is_expected(path: &Path, case: &Case, outputs: &Outputs) -> Result<(), Failed> {
    if case.why.trim().is_empty() {
        return Err("no sentence says why the case is there".into());
    }
    let expected = |name: &str| case.expected.get(name).map(String::as_str).unwrap_or_default();
    let is_same = |((name, _), content): &((&str, &str), String)| expected(name) == content;
    // A case without findings says so, with an empty fence.
    let is_first_there = outputs.first().is_some_and(|((name, _), _)| case.expected.contains_key(*name));
    if is_first_there && outputs.iter().all(is_same) {
        return Ok(());
    }
    if is_refresh() {
        let _alone = WRITING.lock().map_err(|_| "another case could not be written")?;
        return Ok(case::write(path, &case.name, outputs)?);
    }
    let mut problem = format!("{} (`.ci/refresh` writes it again)\n", path.display());
    for ((name, _), content) in outputs.iter().filter(|output| !is_same(output)) {
        let diff = TextDiff::from_lines(expected(name), content);
        let _ = write!(problem, "{}", diff.unified_diff().context_radius(3).header(name, "found"));
    }
    Err(problem.into())
}

fn options(rule: &str) -> Options {
    let mut options = library::options_for(rule);
    options.release = Some(RELEASE);
    options
}

fn rule_reports(rule: &str, case: &Case) -> Vec<KepReport> {
    rule_reports_in(rule, case, &|_| {})
}

/// A repository whose code has a few gates.
fn repository() -> Repository {
    Repository { code: Some(known_gates()), ..Repository::default() }
}

fn known(mut tree: Tree) -> Tree {
    tree.repository.code = Some(known_gates());
    tree
}

/// The same in a repository of which something else is known.
fn rule_reports_in(rule: &str, case: &Case, configure: Configure<'_>) -> Vec<KepReport> {
    let (template, options) = (case.template(), options(rule));
    if is_tree(rule, case) {
        let mut tree = known(case.tree());
        configure(&mut tree.repository);
        let mut reports = tree.lint(&template, &options);
        reports.iter_mut().for_each(|report| report.diagnostics.retain(|found| found.rule == rule));
        return reports;
    }
    let mut repository = repository();
    configure(&mut repository);
    vec![Against { template: &template, repository: &repository, options: &options }.lint(&case.kep())]
}

/// Whether a case is linted as a whole tree: an ignore is known to be unused only where all paths are known.
fn is_tree(rule: &str, case: &Case) -> bool {
    case.is_tree() || ALL.iter().any(|other| other.name == rule && other.category == Category::Ignores)
}

fn rule_outputs(rule: &str, case: &Case) -> Result<Outputs, Failed> {
    let reports = rule_reports(rule, case);
    let findings = reports.iter().map(print).collect();
    let offered = reports.iter().flat_map(|report| &report.diagnostics).filter(|found| found.fix.is_some()).count();
    let diff = rule_diff(rule, case)?;
    if (offered > 0) == diff.is_empty() {
        return Err(format!("{offered} fixes are offered, and this is what they change:\n{diff}").into());
    }
    Ok(vec![(FINDINGS, findings), (DIFF, diff)])
}

/// What all fixes of the rule change.
fn rule_diff(rule: &str, case: &Case) -> Result<String, Failed> {
    let (template, options) = (case.template(), options(rule));
    let (repository, keps) = if is_tree(rule, case) {
        let tree = known(case.tree());
        (tree.repository, tree.keps)
    } else {
        (repository(), vec![case.kep()])
    };
    let own = repository.template.clone().map(Template::of_repository);
    let template = own.as_ref().unwrap_or(&template);
    let against = Against { template, repository: &repository, options: &options };
    let mut diff = String::new();
    for texts in keps {
        let fixed = against.fix_for(rule, &texts, Safety::Unsafe);
        if !fixed.reverted.is_empty() {
            return Err(format!("taken back: {:?}", fixed.reverted).into());
        }
        if fixed.locked.is_empty()
            && let Some(left) = fixed.after.diagnostics.iter().find(|finding| finding.fix.is_some())
        {
            return Err(format!("still offers a fix once it is fixed: {left:#?}").into());
        }
        for file in &fixed.locked {
            writeln!(diff, "{} is not UTF-8 and stays as it is", shown(&texts.file(*file).path))?;
        }
        for (old, new) in fixed.changes() {
            let (old_text, new_text) = (escape(&old.text), escape(&new.text));
            let lines = TextDiff::from_lines(&old_text, &new_text);
            let name = shown(&old.path);
            let lines = lines.unified_diff().context_radius(1).header(name, name).to_string();
            // An editor would take away the space of an empty line.
            diff.extend(lines.lines().map(|line| if line == " " { "\n".to_owned() } else { format!("{line}\n") }));
        }
    }
    Ok(diff)
}

fn is_about_its_rule(file: &CaseFile) -> Result<(), Failed> {
    let is_named_after = file.path.file_stem().is_some_and(|stem| stem == file.title.as_str());
    let is_rule = ALL.iter().any(|rule| rule.name == file.title);
    if !is_named_after || !is_rule {
        return Err(format!("{} is about `{}`, which is not its rule", file.path.display(), file.title).into());
    }
    Ok(())
}

fn has_all_kinds(file: &CaseFile, has_fix: bool) -> Result<(), Failed> {
    let mut kinds = BTreeSet::new();
    for case in &file.cases {
        let reports = rule_reports(&file.title, case);
        let found: Vec<&Diagnostic> = reports.iter().flat_map(|report| &report.diagnostics).collect();
        kinds.insert(if found.is_empty() { "a case without a finding" } else { "a case with a finding" });
        if found.iter().any(|found| found.fix.is_some()) {
            kinds.insert("a case with a fix");
        }
    }
    let wanted = ["a case with a finding", "a case without a finding", "a case with a fix"];
    let missing = wanted.iter().take(if has_fix { 3 } else { 2 }).find(|kind| !kinds.contains(*kind));
    missing.map_or(Ok(()), |kind| Err(format!("{} lacks {kind}", file.path.display()).into()))
}

/// The findings of a rule name exactly the scripts that its row lists.
fn has_marks_of_its_row(file: &CaseFile, rule: &Rule) -> Result<(), Failed> {
    let mut marks = BTreeSet::new();
    for case in &file.cases {
        let reports = rule_reports(&file.title, case);
        marks.extend(reports.iter().flat_map(|report| &report.diagnostics).filter_map(|found| found.upstream));
    }
    let row: BTreeSet<Script> = rule.upstream.iter().copied().collect();
    if marks == row { Ok(()) } else { Err(format!("the row has {row:?}, and the findings {marks:?}").into()) }
}

/// The row of a rule lists exactly the keys of the configuration that change what is found in one of its cases. What
/// ignores are worth follows from other rules.
fn has_settings_of_its_row(file: &CaseFile, rule: &Rule) -> Result<(), Failed> {
    let found = |case: &Case, configure: Configure<'_>| -> Vec<(Span, Severity)> {
        let reports = rule_reports_in(rule.name, case, configure);
        reports.iter().flat_map(|report| &report.diagnostics).map(|found| (found.span, found.severity)).collect()
    };
    let without_gates = || {
        let Gates { first, last_final, newest, .. } = Gates::built_in().clone();
        Arc::new(Gates::new(first, last_final, newest, std::iter::empty()))
    };
    let changes: [(&str, Configure<'_>); 3] = [
        ("groups", &|repository| {
            // Nothing built in is known of the code of such a repository.
            (repository.has_groups, repository.code) = (false, None);
        }),
        ("approvers", &|repository| repository.aliases.prr_approvers.clear()),
        ("feature-gates", &|repository| repository.code = Some(without_gates())),
    ];
    let is_changed =
        |change: &dyn Fn(&mut Repository)| file.cases.iter().any(|case| found(case, &|_| {}) != found(case, change));
    let changing: Vec<&str> =
        changes.into_iter().filter(|(_, change)| is_changed(change)).map(|(key, _)| key).collect();
    if changing == rule.settings || rule.category == Category::Ignores {
        Ok(())
    } else {
        Err(format!("`settings` must be {changing:?}").into())
    }
}

/// All rules on all cases: what they report of a KEP that is another rule's case, too.
fn messages_are_worded_alike(files: &[Arc<CaseFile>]) -> Result<(), Failed> {
    let (options, repository) = (library::options(|options| options.release = Some(RELEASE)), Repository::default());
    let mut found: Vec<Diagnostic> = Vec::new();
    for case in files.iter().flat_map(|file| &file.cases) {
        let template = case.template();
        let reports = if case.is_tree() {
            case.tree().lint(&template, &options)
        } else {
            vec![Against { template: &template, repository: &repository, options: &options }.lint(&case.kep())]
        };
        found.extend(reports.into_iter().flat_map(|report| report.diagnostics));
        found.extend(lint_as_template(&template, &options).diagnostics);
    }
    assert!(found.len() > 2_000, "only {} findings", found.len());
    let words = found.iter().map(|found| Words {
        rule: found.rule,
        messages: std::iter::once(&found.message)
            .chain(found.related.iter().map(|related| &related.message))
            .map(String::as_str)
            .collect(),
        remedies: found.help.iter().chain(found.fix.as_ref().map(|fix| &fix.title)).map(String::as_str).collect(),
    });
    let odd = wording::odd(&words.collect::<Vec<_>>());
    if odd.is_empty() { Ok(()) } else { Err(format!("worded otherwise than the others: {odd:#?}").into()) }
}

fn directive_outputs(case: &Case) -> Outputs {
    let template = case.template();
    let mut directives = String::new();
    for (_, section) in template.iter() {
        if let Some(directive) = template.directive(section.source) {
            let _ = writeln!(directives, "{}: {}", section.title.text, understood(directive));
        }
    }
    vec![(FINDINGS, print(&lint_as_template(&template, &Options::default()))), (DIRECTIVES, directives)]
}

/// A whole KEP. The folder is named after the stage that it is checked against.
fn clean_case(stage: &str) -> Result<(), Failed> {
    let folder: PathBuf = project().join("fixtures/clean").join(stage);
    let files = ["README.md", "kep.yaml"].map(|name| (name, fs::read(folder.join(name)).expect("the file is there")));
    let options = library::options(|options| options.release = Some(RELEASE));
    let (template, repository) = (Template::built_in(), Repository::default());
    let report =
        Against { template: &template, repository: &repository, options: &options }.lint(&kep("1-prefetch", files));
    let target = report.target.ok_or("the KEP is checked against nothing")?;
    let checked = target.stage.map_or(target.phase.name(), Stage::name);
    if checked != stage {
        return Err(format!("the KEP is checked against {checked}").into());
    }
    let printed = print(&report);
    if printed.is_empty() { Ok(()) } else { Err(printed.into()) }
}

fn print(report: &KepReport) -> String {
    report.diagnostics.iter().map(|found| print_finding(report, found)).collect()
}

/// A finding without any drawing: the quoted lines are exactly the bytes that its spans cover.
fn print_finding(report: &KepReport, finding: &Diagnostic) -> String {
    let Diagnostic { rule, severity, span, message, help, section, related, fix, upstream, .. } = finding;
    let mut printed =
        format!("{} {}[{rule}] {message}\n{}", place(report, *span), severity.name(), quote(report, *span));
    if let Some(section) = section {
        let _ = writeln!(printed, "  section: {}", section.join(" › "));
    }
    if let Some(script) = upstream {
        let _ = writeln!(printed, "  upstream: {}", script.path());
    }
    if let Some(help) = help {
        let _ = writeln!(printed, "  help: {}", help.replace('\n', "\n    "));
    }
    if let Some(fix) = fix {
        let safety = if fix.safety == Safety::Safe { "safe" } else { "unsafe" };
        let _ = writeln!(printed, "  fix ({safety}): {}", fix.title);
    }
    for other in related {
        let _ = write!(printed, "  ↳ {} {}\n{}", place(report, other.span), other.message, quote(report, other.span));
    }
    printed
}

fn place(report: &KepReport, span: Span) -> String {
    let file = &report.files[span.file.index()];
    let position = file.position(span.start);
    format!("{}:{}:{}", shown(&file.path), position.line, position.column)
}

fn quote(report: &KepReport, span: Span) -> String {
    let covered = &report.files[span.file.index()].text[span.range()];
    let quoted = covered.split('\n').map(|line| match line.len() {
        0 => "  |\n".to_owned(),
        length if length > LONGEST_QUOTE => {
            let start = &line[..line.floor_char_boundary(LONGEST_QUOTE / 10)];
            format!("  | {}… ({length} bytes)\n", escape(start))
        }
        _ => format!("  | {}\n", escape(line)),
    });
    quoted.collect()
}

fn understood(directive: &Directive) -> String {
    let mut words = vec![if directive.required { "required" } else { "optional" }.to_owned()];
    words.extend(directive.stage.map(|stage| format!("stage {stage}")));
    words.extend(directive.since.map(|since| format!("since {since}")));
    words.extend(directive.severity.map(|severity| format!("at most {}", severity.name())));
    words.extend(directive.aka.iter().map(|aka| format!("aka `{aka}`")));
    words.extend(directive.similar.iter().map(|similar| format!("similar `{similar}`")));
    words.join(", ")
}
