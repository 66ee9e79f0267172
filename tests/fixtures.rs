//! One named test a folder below `fixtures/`: what each rule says of small KEPs, what directives are understood as, and
//! that whole, filled-in KEPs get no finding. `SNAPSHOTS=overwrite` writes the goldens anew.

use kep_lint::diagnostic::{Diagnostic, Safety, Severity};
use kep_lint::fix;
use kep_lint::kep::Texts;
use kep_lint::lint::{KepReport, Options, lint, lint_links, lint_repository, lint_template};
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::rule::Fixable;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::span::Span;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use kep_lint::template::directive::Directive;
use libtest_mimic::{Arguments, Failed, Trial};
use snapbox::{Assert, Data, IntoData};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "shared/tree.rs"]
mod tree;

/// What the clean KEPs' directory is taken to be called.
const CLEAN_NAME: &str = "1-prefetch";

/// The release in the making, whatever it is by now: the goldens' KEPs shall not grow stale.
const RELEASE: Release = Release { major: 1, minor: 37 };

fn main() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut trials = Vec::new();
    for rule in folders(&fixtures.join("rules")) {
        let name = file_name(&rule);
        let cases = folders(&rule);
        trials.extend(cases.iter().map(|case| rule_trial(name.clone(), case.clone())));
        trials.push(Trial::test(format!("rules/{name} is a rule"), move || is_a_rule(&name)));
    }
    for rule in ALL {
        let cases = folders(&fixtures.join("rules").join(rule.name));
        trials
            .push(Trial::test(format!("{} has both kinds of cases", rule.name), move || both_kinds(rule.name, &cases)));
    }
    for rule in ALL.iter().filter(|rule| rule.fix != Fixable::No) {
        let cases = folders(&fixtures.join("rules").join(rule.name));
        trials
            .push(Trial::test(format!("{} has a case with `fixed`", rule.name), move || has_fixed(rule.name, &cases)));
    }
    for case in folders(&fixtures.join("template")) {
        trials.push(Trial::test(format!("template/{}", file_name(&case)), move || template_case(&case)));
    }
    for case in folders(&fixtures.join("clean")) {
        trials.push(Trial::test(format!("clean/{}", file_name(&case)), move || clean_case(&case)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn rule_trial(rule: String, case: PathBuf) -> Trial {
    Trial::test(format!("rules/{rule}/{}", file_name(&case)), move || {
        let printed: String = rule_reports(&rule, &case)?.iter().map(print).collect();
        is_golden(&printed, &case)?;
        is_fixed(&rule, &case)
    })
}

/// What the rule says of a case: of the one KEP in `input`, or of the whole tree in `input/keps`.
fn rule_reports(rule: &str, case: &Path) -> Result<Vec<KepReport>, Failed> {
    let options = options(rule)?;
    let template = template(case)?;
    if !case.join("input/keps").is_dir() {
        return Ok(vec![lint(input(case)?, &template, &Repository::default(), &options)]);
    }
    let (tree, keps) = tree::read(&case.join("input"))?;
    let mut reports = lint_repository(&tree, &options);
    reports.extend(keps.into_iter().map(|texts| lint(texts, &template, &tree, &options)));
    lint_links(&mut reports);
    Ok(reports)
}

fn options(rule: &str) -> Result<Options, Failed> {
    let selection = Selection::new(&[rule.to_owned()], &[]).map_err(|unknown| format!("no rule `{}`", unknown.name))?;
    Ok(Options { stage: None, release: RELEASE, selection, ..Options::default() })
}

/// Where there is a folder `fixed`, it is what all fixes of the rule make of `input`.
fn is_fixed(rule: &str, case: &Path) -> Result<(), Failed> {
    let (template, options) = (template(case)?, options(rule)?);
    let fixed =
        fix::fix(&input(case)?, Safety::Unsafe, &|texts| lint(texts, &template, &Repository::default(), &options));
    if !fixed.taken_back.is_empty() {
        return Err(format!("taken back: {:?}", fixed.taken_back).into());
    }
    let folder = case.join("fixed");
    for file in fixed.after.files.iter().filter(|_| folder.exists()) {
        let golden = folder.join(&file.path);
        if env::var_os("SNAPSHOTS").is_some_and(|action| action == "overwrite") {
            fs::create_dir_all(golden.parent().unwrap_or(&folder))?;
            fs::write(&golden, &file.text)?;
        } else if fs::read(&golden)? != file.text.as_bytes() {
            return Err(format!("{} is not what was made of it:\n{}", golden.display(), file.text).into());
        }
    }
    Ok(())
}

fn has_fixed(rule: &str, cases: &[PathBuf]) -> Result<(), Failed> {
    for case in cases.iter().filter(|case| case.join("fixed").is_dir()) {
        let reports = rule_reports(rule, case)?;
        if reports.iter().flat_map(|report| &report.diagnostics).any(|found| found.fix.is_some()) {
            return Ok(());
        }
    }
    Err(format!("no case in fixtures/rules/{rule} has a folder `fixed` and something to fix").into())
}

fn is_a_rule(name: &str) -> Result<(), Failed> {
    let known = ALL.iter().any(|rule| rule.name == name);
    if known { Ok(()) } else { Err(format!("fixtures/rules/{name} is a folder, but `{name}` is no rule").into()) }
}

fn both_kinds(rule: &str, cases: &[PathBuf]) -> Result<(), Failed> {
    let quiet =
        cases.iter().map(|case| Ok(rule_reports(rule, case)?.iter().all(|report| report.diagnostics.is_empty())));
    let quiet = quiet.collect::<Result<Vec<bool>, Failed>>()?;
    match (quiet.contains(&false), quiet.contains(&true)) {
        (false, _) => Err(format!("no case in fixtures/rules/{rule} makes it say something").into()),
        (_, false) => Err(format!("no case in fixtures/rules/{rule} keeps it quiet").into()),
        _ => Ok(()),
    }
}

fn template_case(case: &Path) -> Result<(), Failed> {
    let template = Template::parse(source(&case.join("input.md"), "input.md")?);
    let mut printed = print(&lint_template(&template, Severity::Error, &Options::default()));
    for (_, section) in template.iter() {
        if let Some(directive) = template.directive(section.source) {
            let _ = writeln!(printed, "{}: {}", section.title.text, understood(directive));
        }
    }
    is_golden(&printed, case)
}

/// The folder is called after the stage that the KEP is held to.
fn clean_case(case: &Path) -> Result<(), Failed> {
    let texts = texts(case, CLEAN_NAME)?;
    let report =
        lint(texts, &Template::built_in(), &Repository::default(), &Options { release: RELEASE, ..Options::default() });
    let target = report.target.ok_or("the KEP is held to nothing")?;
    let held_to = target.stage.map_or(target.phase.name(), Stage::name);
    if held_to != file_name(case) {
        return Err(format!("the KEP is held to {held_to}").into());
    }
    let printed = print(&report);
    if printed.is_empty() { Ok(()) } else { Err(printed.into()) }
}

/// The case's own template, or else the built-in one.
fn template(case: &Path) -> Result<Template, Failed> {
    let path = case.join("template.md");
    if path.exists() { Ok(Template::parse(source(&path, "template.md")?)) } else { Ok(Template::built_in()) }
}

fn input(case: &Path) -> Result<Texts, Failed> {
    match folders(&case.join("input")).as_slice() {
        [directory] => texts(directory, &file_name(directory)),
        _ => Err("`input` does not hold exactly one KEP directory".into()),
    }
}

fn texts(directory: &Path, name: &str) -> Result<Texts, Failed> {
    let (readme, metadata) = (directory.join("README.md"), directory.join("kep.yaml"));
    let mut texts = Texts { directory: name.to_owned(), name: name.to_owned(), in_tree: true, ..Texts::default() };
    (texts.has_readme, texts.has_metadata) = (readme.exists(), metadata.exists());
    if texts.has_readme {
        texts.readme = Some(texts.push(source(&readme, &format!("{name}/README.md"))?));
    }
    if texts.has_metadata {
        texts.metadata = Some(texts.push(source(&metadata, &format!("{name}/kep.yaml"))?));
    }
    Ok(texts)
}

fn source(path: &Path, shown: &str) -> Result<SourceFile, Failed> {
    Ok(SourceFile::decode(shown, fs::read(path)?))
}

fn print(report: &KepReport) -> String {
    report.diagnostics.iter().map(|finding| print_finding(report, finding)).collect()
}

/// A finding as neutrally as can be: the quoted lines are exactly the bytes that its spans cover.
fn print_finding(report: &KepReport, finding: &Diagnostic) -> String {
    let Diagnostic { rule, severity, span, message, help, related, .. } = finding;
    let mut printed =
        format!("{} {}[{rule}] {message}\n{}", place(report, *span), severity.name(), quote(report, *span));
    if let Some(help) = help {
        let _ = writeln!(printed, "  help: {help}");
    }
    for other in related {
        let _ = write!(printed, "  ↳ {} {}\n{}", place(report, other.span), other.message, quote(report, other.span));
    }
    printed
}

fn place(report: &KepReport, span: Span) -> String {
    let file = &report.files[span.file.index()];
    let position = file.position(span.start);
    format!("{}:{}:{}", file.path, position.line, position.column)
}

fn quote(report: &KepReport, span: Span) -> String {
    let covered = &report.files[span.file.index()].text[span.range()];
    covered.split('\n').map(|line| format!("  | {}\n", line.replace('\r', "\\r"))).collect()
}

fn understood(directive: &Directive) -> String {
    let mut words = vec![if directive.required { "required" } else { "optional" }.to_owned()];
    words.extend(directive.stage.map(|stage| format!("stage {stage}")));
    words.extend(directive.since.map(|since| format!("since {since}")));
    words.extend(directive.severity.map(|severity| format!("at most {}", severity.name())));
    words.extend(directive.aka.iter().map(|aka| format!("aka `{aka}`")));
    words.join(", ")
}

fn is_golden(printed: &str, case: &Path) -> Result<(), Failed> {
    let golden = Data::read_from(&case.join("expected.txt"), None).raw();
    Ok(Assert::new().action_env("SNAPSHOTS").try_eq(Some(&"printed"), printed.into_data(), golden)?)
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
