//! How implemented KEPs of the same SIG answer a section: the newest ones, of which few are read, as an editor waits.

use super::keps;
use super::view::View;
use crate::authoring::answer::{self, Answer, Worth};
use crate::kep::metadata::Metadata;
use crate::span::FileId;
use crate::stage::Status;
use crate::template::TemplateId;
use std::cmp::Reverse;

const EXAMPLE_KEPS: usize = 6;

/// How many KEPs of a SIG, the newest first, are looked at to find implemented ones while an editor waits, and how many
/// READMEs of these are read for an answer: each takes a millisecond.
const SIBLING_KEPS: usize = 60;

const WANTED: usize = 2;

#[derive(Clone, Debug)]
pub struct Example {
    pub name: String,
    /// The path of its README, from `keps` on.
    pub path: String,
    pub answer: Answer,
}

/// Answers to the section `id` of the template, the best first.
pub fn of(view: &View<'_>, id: TemplateId) -> Vec<Example> {
    let texts = &view.kep().texts;
    let Some((own, sig)) = texts.tree_path.as_deref().zip(texts.sig()) else { return Vec::new() };
    if !answer::has_answers(view.template, id) {
        return Vec::new();
    }
    let is_of_sig = |directory: &&str| directory.split('/').nth(1) == Some(sig) && *directory != own;
    let mut siblings: Vec<&str> = keps::directories(view.repository).filter(is_of_sig).collect();
    let number = |directory: &str| keps::number_of(directory).and_then(|number| number.parse::<u32>().ok());
    siblings.sort_by_key(|directory| Reverse(number(directory)));
    let implemented = siblings.into_iter().take(SIBLING_KEPS).filter_map(|directory| {
        let file = view.read(&format!("{directory}/kep.yaml"))?;
        // Most are not, and need not be parsed.
        let may_be = file.text.contains(Status::Implemented.name());
        let metadata = may_be.then(|| Metadata::parse(FileId(0), &file.text))?;
        (metadata.status() == Some(Status::Implemented)).then(|| (directory, keps::name(directory, &metadata)))
    });
    let mut examples: Vec<Example> = Vec::new();
    for (directory, name) in implemented.take(EXAMPLE_KEPS) {
        let path = format!("{directory}/README.md");
        let answer = view.read(&path).and_then(|readme| answer::find(readme, view.template, id));
        examples.extend(answer.map(|answer| Example { name, path, answer }));
        if examples.iter().filter(|example| example.answer.worth == Worth::Short).count() == WANTED {
            break;
        }
    }
    examples.sort_by_key(|example| example.answer.worth);
    examples.truncate(WANTED);
    examples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    #[test]
    fn the_best_answers_of_implemented_keps_of_the_sig_are_shown() {
        let kep = |number: usize, sig: &str, status: &str, answer: &str| {
            let directory = format!("keps/{sig}/{number}-x");
            let readme = format!("# KEP-{number}: X\n\n## Summary\n\n{answer}\n");
            [
                (format!("{directory}/kep.yaml"), format!("title: T{number}\nstatus: {status}\n")),
                (format!("{directory}/README.md"), readme),
            ]
        };
        const GOOD: &str =
            "Pods wait for their images, which a node can fetch before they are needed, so that they start at once.";
        let files = [
            kep(2, "sig-node", "implemented", GOOD),
            kep(3, "sig-node", "implemented", "TBD"),
            kep(4, "sig-node", "implementable", GOOD),
            kep(5, "sig-net", "implemented", GOOD),
            kep(6, "sig-node", "implemented", "Nodes fetch images before pods."),
            kep(7, "sig-node", "implemented", GOOD),
        ];
        let own = [("keps/sig-node/1-images/kep.yaml".to_owned(), "status: implemented\n".to_owned())];
        let files: Vec<(String, String)> = files.into_iter().flatten().chain(own).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let found = ask(&files, |view| {
            let (id, _) =
                view.template.iter().find(|(_, section)| section.title.text == "Summary").expect("it is there");
            of(view, id)
        });
        let names: Vec<&str> = found.iter().map(|example| example.name.as_str()).collect();
        assert_eq!(names, ["KEP-7: T7", "KEP-2: T2"]);
        assert_eq!((found[0].path.as_str(), found[0].answer.text.as_str()), ("keps/sig-node/7-x/README.md", GOOD));
    }
}
