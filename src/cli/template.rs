//! `kep-lint template`, and how templates are read.

use super::args::commands::{AnnotateArguments, ShowArguments};
use super::args::{LineKind, TemplateCommand};
use super::options::TableFormat;
use super::outcome::Outcome;
use super::output::{self, Outputs};
use super::print::{print, print_to_save};
use super::write::together::{self, Change};
use super::{diff, error, paths, screen};
use crate::bounds;
use crate::config::values::Config;
use crate::diagnostic::{Failure, brief, counted, named};
use crate::kep::directory::{has_groups, is_named, templates};
use crate::kep::layout::{Layout, TREE};
use crate::lint::{self, Options};
use crate::report::Summary;
use crate::report::requirements::{self, Filter};
use crate::suggest;
use crate::template::annotate::{Annotated, annotate};
use crate::template::role::SectionRole;
use crate::template::{Template, compare};
use crate::workspace::config_file::{self, Wanted};
use crate::workspace::edge::Edge;
use crate::workspace::files::opened::Opened;
use crate::workspace::files::{Source, disk};
use crate::workspace::paths::RealPath;
use crate::workspace::project::Terms;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(command: &TemplateCommand) -> Result<Outcome, Failure> {
    match command {
        TemplateCommand::Check { file, output } => {
            let outputs = Outputs::open(output, || file.iter().cloned().collect())?;
            let (template, layout) = load_or_around(file.as_deref())?;
            let config = Config { layout, ..Config::default() };
            let run = lint::run_template(&template, &Options { config, ..Options::default() });
            let failures = outputs.write(&run, output.level(&run));
            let path = &template.document.source.path;
            output::close(&format!("checked the template `{path}`: {}", Summary::of(&run).all_words()), output.quiet);
            error::print_all(&failures);
            Ok(if failures.is_empty() { output::outcome(&run, output) } else { Outcome::Incomplete })
        }
        TemplateCommand::Lines { files, of } => {
            let mut hashes = BTreeSet::new();
            for file in files {
                let template = load(Some(file))?;
                hashes.extend(match of {
                    LineKind::Comments => template.comment_hashes(),
                    LineKind::Visible => template.visible_hashes(),
                });
            }
            print(&hashes.iter().map(|hash| format!("{hash}\n")).collect::<String>())?;
            Ok(Outcome::Clean)
        }
        TemplateCommand::Show(arguments) => show(arguments),
        TemplateCommand::Annotate(arguments) => annotated(arguments),
        TemplateCommand::Compare { old, new, format } => {
            let (before, after) = (load(Some(old))?, load(Some(new))?);
            compare(&before, &after, *format)
        }
    }
}

fn annotated(arguments: &AnnotateArguments) -> Result<Outcome, Failure> {
    let path = &arguments.file;
    let is_written = arguments.fix && !arguments.diff;
    let Opened { file, place } =
        read(path, &disk::around(path), "name a Markdown file with the headings of a template")?;
    if file.invalid_utf8.is_some() {
        return Err(Failure::of("annotate", path, "it is not UTF-8").help("save it as UTF-8, and run kep-lint again"));
    }
    let template = Template::of_repository(file.clone());
    if let Some(failure) = template.misshapen() {
        return Err(failure);
    }
    let template = if is_of_kubernetes(&template, &place) { template } else { template.without_since() };
    let annotated = annotate(&template);
    let directives = counted(annotated.added, "directive", "directives");
    let outcome = if arguments.diff {
        let look = diff::Look::of(arguments.color);
        print(&diff::render(&file.path, Some(&file.text), &annotated.text, look).text)?;
        output::note(&format!("would add {directives}"));
        if annotated.added > 0 { Outcome::Findings } else { Outcome::Clean }
    } else {
        if is_written {
            let before = Some((place, file.text.clone()));
            let change = Change { given: path.clone(), before, after: annotated.text.clone() };
            together::write(&[change], &Edge::around(path))?;
        } else {
            print_to_save(&annotated.text)?;
        }
        output::note(&format!("added {directives}"));
        Outcome::Clean
    };
    explain(&annotated);
    Ok(outcome)
}

/// Whether releases are those of Kubernetes in the repository of the template at `place`. Where there is no
/// directory of KEPs, they are if the template asks for a production readiness review.
fn is_of_kubernetes(template: &Template, place: &RealPath) -> bool {
    let source = disk::around(place);
    let keps = place.ancestors().skip(1).find(|directory| is_named(directory, TREE));
    match keps {
        Some(keps) => has_groups(source.names(&keps).iter()),
        None => template.with_role(SectionRole::Questionnaire).is_some(),
    }
}

fn explain(annotated: &Annotated) {
    if annotated.kept > 0 {
        output::note(&format!("{} already", counted(annotated.kept, "heading has one", "headings have one")));
    }
    let count = annotated.unknown.len();
    if count > 0 {
        let most = bounds::LISTED_NAMES;
        let names = suggest::list(annotated.unknown.iter().take(most).map(|title| brief(title)), "and");
        let more = if count > most { format!(", and {} more", count - most) } else { String::new() };
        let headings = counted(count, "heading is", "headings are");
        output::note(&format!("{headings} not in the built-in template, and got no directive: {names}{more}"));
    }
}

fn compare(old: &Template, new: &Template, format: TableFormat) -> Result<Outcome, Failure> {
    let differences = compare::compare(old, new);
    let table = requirements::differences(&differences);
    print(&match format {
        TableFormat::Text if differences.is_empty() => String::new(),
        TableFormat::Text => table.fitted(screen::width()),
        TableFormat::Markdown => table.markdown(),
        TableFormat::Json => table.json(),
    })?;
    let (old_path, new_path) = (&old.document.source.path, &new.document.source.path);
    let counts = requirements::counts(&differences);
    output::note(&format!("compared `{new_path}` with `{old_path}`: {counts}"));
    if compare::has_directives(old) && !compare::has_directives(new) {
        output::note(&format!("`{new_path}` has no directives: `kep-lint template annotate {new_path}` adds them"));
    }
    Ok(if differences.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn show(arguments: &ShowArguments) -> Result<Outcome, Failure> {
    let ShowArguments { file, stage, section, wide, format } = arguments;
    let (template, layout) = load_or_around(file.as_deref())?;
    let filter = Filter { stage: *stage, part: section.as_deref() };
    let table = requirements::table(&template, filter);
    if table.rows.is_empty()
        && let Some(part) = section
    {
        let failure = Failure::new(format!("no heading contains `{}`", brief(part)));
        return Err(failure.help("see `kep-lint template show` for all headings"));
    }
    let closing_line = requirements::closing_line(&template);
    print(&match format {
        TableFormat::Text if *wide => format!("{}\n{closing_line}\n", table.text()),
        TableFormat::Text => {
            let brief_table = requirements::brief_table(&template, filter, &layout);
            format!("{}\n{closing_line}\n", brief_table.fitted(screen::width()))
        }
        TableFormat::Markdown => format!("{}\n{closing_line}\n", table.markdown()),
        TableFormat::Json => table.json(),
    })?;
    Ok(Outcome::Clean)
}

/// The templates that the proposals of the repository around the working directory are checked against, and how these
/// lie: those that its configuration names, or else that of the tree.
pub fn around() -> Result<(Vec<Arc<Template>>, Layout), Failure> {
    let config = config_file::find(&[paths::here()], &Wanted::Nearest, &disk::around).map_err(error::first)?;
    if let Some(file) = config {
        let load = |path: &PathBuf| load_for_check(Some(path), &file.config.layout, &disk::around);
        let templates = file.templates()?.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        if !templates.is_empty() || !file.config.layout.is_of_keps() {
            return Ok((templates, file.config.layout));
        }
    }
    Ok((of_tree().into_iter().collect(), Layout::default()))
}

/// The first of these templates, or that of a `file`.
fn load_or_around(file: Option<&Path>) -> Result<(Arc<Template>, Layout), Failure> {
    if file.is_some() {
        return Ok((load(file)?, Layout::default()));
    }
    let (templates, layout) = around()?;
    match templates.into_iter().next() {
        Some(template) => Ok((template, layout)),
        None if layout.is_of_keps() => Ok((Template::built_in(), layout)),
        None => Err(Failure::new("the configuration names no template").help("name a file, or set `template` there")),
    }
}

/// The template in the tree of KEPs around the working directory.
fn of_tree() -> Option<Arc<Template>> {
    let source = disk::around(Path::new("."));
    let keps = source.tree_around()?;
    let names = source.names(&keps);
    let is_of_kubernetes = has_groups(names.iter());
    let paths = templates(names).into_iter().map(|name| keps.join(name).join("README.md"));
    let file = paths.filter_map(|path| Some(source.read(&path, bounds::FILE_BYTES).ok()?.file)).next()?;
    let template = Some(Template::of_repository(file)).filter(|template| template.misshapen().is_none())?;
    Some(Arc::new(if is_of_kubernetes { template } else { template.without_since() }))
}

/// Reads the template of this path, or else the built-in one.
pub fn load(path: Option<&Path>) -> Result<Arc<Template>, Failure> {
    load_from(path, &disk::around)
}

/// Reads the template that proposals are checked against; `source_of` says where a path is read.
pub fn load_for_check(
    path: Option<&Path>,
    layout: &Layout,
    source_of: &dyn Fn(&Path) -> Source,
) -> Result<Arc<Template>, Failure> {
    let template = load_from(path, source_of)?;
    match layout.own().filter(|_| path.is_some()) {
        Some(own) => Arc::unwrap_or_clone(template).asked_by(own).map(Arc::new),
        None => template.useless().map_or(Ok(template), Err),
    }
}

/// The terms of a run without options: by the template at the first of these paths, or the built-in one, and those of more
/// kinds of documents.
pub fn load_all(paths: &[PathBuf], layout: &Layout, source_of: &dyn Fn(&Path) -> Source) -> Result<Terms, Failure> {
    let template = load_for_check(paths.first().map(PathBuf::as_path), layout, source_of)?;
    let more = paths.iter().skip(1).map(|path| load_for_check(Some(path), layout, source_of));
    let more_templates = more.collect::<Result<_, _>>()?;
    Ok(Terms { template, more_templates, prefers_own: paths.is_empty(), ..Terms::default() })
}

fn load_from(path: Option<&Path>, source_of: &dyn Fn(&Path) -> Source) -> Result<Arc<Template>, Failure> {
    let Some(path) = path else { return Ok(Template::built_in()) };
    let help = "name a Markdown file, or leave `template` out, here or in the configuration";
    let opened = read(path, &source_of(path), help)?;
    let template = Template::parse(opened.file);
    template.misshapen().map_or(Ok(Arc::new(template)), Err)
}

/// Reads the template at `path`; `help` says what to do if that fails.
fn read(path: &Path, source: &Source, help: &str) -> Result<Opened, Failure> {
    source.read(path, bounds::FILE_BYTES).map_err(|failure| {
        let readme = path.join("README.md");
        failure.help(if readme.is_file() { format!("did you mean {}?", named(&readme)) } else { help.to_owned() })
    })
}
