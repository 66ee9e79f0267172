//! The KEPs of the repository that a KEP refers to, and how an editor shows them.

use super::view::View;
use crate::diagnostic::brief;
use crate::kep::field::Field;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::report::markdown::text::{code, inline};
use crate::repository::Repository;
use crate::span::FileId;
use crate::workspace::trees::Repositories;
use std::cmp::Reverse;
use std::path::Path;

const LISTED_KEPS: usize = 200;

/// The file that says what a KEP is.
const METADATA: &str = "kep.yaml";

/// The directories of the KEPs of a repository, from `keps` on.
pub fn directories(repository: &Repository) -> impl Iterator<Item = &str> {
    let paths = repository.paths.iter().flat_map(|paths| paths.iter());
    paths.filter_map(|path| path.strip_suffix(METADATA)?.strip_suffix('/'))
}

/// The number that a directory of a KEP has in its name.
pub fn number_of(directory: &str) -> Option<&str> {
    number::of_directory(directory.rsplit('/').next()?)
}

/// The directory of the KEP with this number.
pub fn numbered<'v>(view: &'v View<'_>, number: &str) -> Option<&'v str> {
    let number = number::without_zeros(number);
    directories(view.repository).filter(|directory| number_of(directory) == Some(number)).last()
}

/// The directory of the KEP that a path, from `keps` on, is in.
pub fn around<'p>(view: &View<'_>, path: &'p str) -> Option<&'p str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let mut above: Vec<&str> = ends.filter_map(|end| path.get(..end)).collect();
    above.reverse();
    above.into_iter().find(|directory| view.repository.has_path(&format!("{directory}/{METADATA}")) == Some(true))
}

/// The file that is shown for a path, from `keps` on: of a KEP, its README.
pub fn file(view: &View<'_>, path: &str) -> Option<String> {
    let has = |file: &String| view.repository.has_path(file) == Some(true);
    let inside = ["README.md", METADATA].map(|name| format!("{path}/{name}"));
    inside.into_iter().find(has).or_else(|| Some(path.to_owned()).filter(has))
}

fn metadata(view: &View<'_>, directory: &str) -> Option<Metadata> {
    let file = view.read(&format!("{directory}/{METADATA}"))?;
    Some(Metadata::parse(FileId(0), &file.text))
}

/// A KEP in a few words: "KEP-1: Prefetch images".
pub fn name(directory: &str, metadata: &Metadata) -> String {
    name_of(directory, metadata.title.as_ref().map(|title| title.text.as_str()).unwrap_or_default())
}

fn name_of(directory: &str, title: &str) -> String {
    let title = if title.trim().is_empty() { directory.rsplit('/').next().unwrap_or_default() } else { title };
    let number = number_of(directory).map(|number| format!("KEP-{number}: ")).unwrap_or_default();
    number + &brief(title)
}

/// A KEP as a list of an editor has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    /// The group in whose directory it is.
    pub group: String,
    /// The path of its README or kep.yaml, as the user sees it.
    pub path: String,
}

/// The KEPs of these trees that have all words of `query` in their path or title, the newest first; not more
/// than an editor shows.
pub fn listed(repositories: &Repositories, query: &str) -> Vec<Listed> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().map(|word| word.strip_prefix("kep-").unwrap_or(word)).collect();
    let mut listed = Vec::new();
    for repository in repositories.iter() {
        let mut all: Vec<&str> = directories(repository).collect();
        all.sort_by_key(|directory| Reverse(number_of(directory).and_then(|number| number.parse::<u32>().ok())));
        let found = all.into_iter().filter_map(|directory| {
            let file = repositories.document(&format!("{directory}/{METADATA}"))?;
            let title = title(&file.text).unwrap_or_default();
            let text = format!("{directory} {title}").to_lowercase();
            words.iter().all(|word| text.contains(word)).then(|| {
                let readme = format!("{directory}/README.md");
                let has_readme = repository.has_path(&readme) == Some(true);
                let path = if has_readme { readme } else { format!("{directory}/{METADATA}") };
                let below = path.strip_prefix(TREE).unwrap_or(&path).trim_start_matches('/');
                Listed {
                    name: name_of(directory, &title),
                    group: directory.split('/').nth(1).unwrap_or_default().to_owned(),
                    path: repository.as_given(Path::new(below)),
                }
            })
        });
        listed.extend(found.take(LISTED_KEPS));
    }
    listed.truncate(LISTED_KEPS);
    listed
}

/// The title in a kep.yaml, by its line alone: there are many files.
fn title(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("title:"))?;
    let line = line.split(" #").next()?.trim().trim_matches(['"', '\'']);
    Some(brief(line).into_owned())
}

/// The KEP in a directory, as Markdown: title, status, stage, release and SIG.
pub fn card(view: &View<'_>, directory: &str) -> Option<String> {
    let metadata = metadata(view, directory)?;
    let Metadata { status, stage, latest_milestone, owning_sig, superseded_by, .. } = &metadata;
    fn text<T>(field: &Option<Field<T>>) -> Option<String> {
        field.as_ref().map(|field| inline(&field.shown()))
    }
    let parts = [text(status), text(stage), text(latest_milestone), text(owning_sig)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut lines = vec![format!("**{}**", inline(&name(directory, &metadata)).trim()), parts.join(", ")];
    if !superseded_by.items.is_empty() {
        let paths: Vec<String> = superseded_by.items.iter().map(|item| code(&item.shown())).collect();
        lines.push(format!("Superseded by {}", paths.join(", ")));
    }
    lines.push(code(directory));
    lines.retain(|line| !line.is_empty());
    Some(lines.join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::ask;

    #[test]
    fn a_kep_is_found_by_number_and_path_and_shown_harmlessly() {
        let title = "title: '![x](https://evil.example/p.png) <b>'\nstatus: replaced\nstage: beta\nlatest-milestone: v1.30\n\
            owning-sig: sig-net\nsuperseded-by: [/keps/sig-net/3-z]\n";
        let files = [
            ("keps/sig-node/1-images/kep.yaml", "title: X\n"),
            ("keps/sig-net/0002-proxy/kep.yaml", title),
            ("keps/sig-net/0002-proxy/README.md", "# KEP-2\n"),
        ];
        ask(&files, |view| {
            let directory = numbered(view, "02").expect("it is there");
            assert_eq!(directory, "keps/sig-net/0002-proxy");
            assert_eq!(numbered(view, "9"), None);
            assert_eq!(around(view, "keps/sig-net/0002-proxy/docs/x.md"), Some(directory));
            assert_eq!(around(view, "keps/sig-net/9-z"), None);
            assert_eq!(file(view, directory).as_deref(), Some("keps/sig-net/0002-proxy/README.md"));
            assert_eq!(file(view, "keps/sig-node/1-images").as_deref(), Some("keps/sig-node/1-images/kep.yaml"));
            assert_eq!(file(view, "keps/nothing"), None);
            let card = card(view, directory).expect("it can be read");
            assert_eq!(
                card,
                "**KEP-2: `![x](https://evil.example/p.png)` `<b>`**\n\nreplaced, beta, v1.30, sig-net\n\nSuperseded by \
                `/keps/sig-net/3-z`\n\n`keps/sig-net/0002-proxy`"
            );
        });
    }
}
