//! `kep-lint template annotate FILE`

use super::args::AnnotateArguments;
use super::outcome::Outcome;
use super::print::{print, print_to_save};
use super::write::together;
use super::{diff, output, template_file};
use crate::bounds;
use crate::diagnostic::{Failure, brief, counted};
use crate::kep::directory::{has_groups, is_named};
use crate::kep::layout::TREE;
use crate::suggest;
use crate::template::Template;
use crate::template::annotate::{Annotated, annotate};
use crate::template::role::SectionRole;
use crate::workspace::edge::Edge;
use crate::workspace::files::disk;
use crate::workspace::files::opened::Opened;
use crate::workspace::paths::RealPath;

pub fn run(arguments: &AnnotateArguments) -> Result<Outcome, Failure> {
    let path = &arguments.file;
    let is_written = arguments.fix && !arguments.diff;
    let Opened { file, place } =
        template_file::read(path, &disk::around(path), "name a Markdown file with the headings of a template")?;
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
            together::replace(path, &place, &Edge::around(path), &file.text, &annotated.text)?;
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
