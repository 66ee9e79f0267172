//! What an argument of the command line means that is no path yet: a place that was copied from a report, a
//! directory of the tree from anywhere in the repository, and the root of a repository, whose KEPs are in
//! `keps`.

use super::files::Source;
use super::files::opened::{Kind, or_here};
use super::paths::tree_of;
use crate::suggest;
use std::path::{Component, Path, PathBuf};

/// The path that an argument means; itself if that is not there, such as the number of a KEP.
pub fn meant(argument: &Path, source: &Source) -> PathBuf {
    match source.kind(argument) {
        Some(Kind::Directory) => tree_in(argument, source).unwrap_or_else(|| argument.to_owned()),
        Some(Kind::Other) => argument.to_owned(),
        None => there(argument, source).unwrap_or_else(|| argument.to_owned()),
    }
}

/// The file that the name of a text means. It may be a new one.
pub fn meant_file(name: &Path, source: &Source) -> PathBuf {
    let is_there = source.kind(name).is_some();
    if is_there { name.to_owned() } else { without_place(name).unwrap_or(name).to_owned() }
}

/// Whether an argument is the working directory, which nobody has named: `.`.
pub fn is_here(argument: &Path) -> bool {
    argument.components().all(|component| component == Component::CurDir)
}

/// `keps` in a directory around the tree of its repository.
fn tree_in(directory: &Path, source: &Source) -> Option<PathBuf> {
    let name = source.layout().tree();
    let tree = if is_here(directory) { PathBuf::from(name) } else { directory.join(name) };
    let real = source.real(directory);
    // A directory in a tree may be named `keps` too.
    let root = tree_of(&real, source.layout(), |around| source.holds(around)).and_then(|own| own.parent());
    let is_in_tree = root.is_some_and(|root| source.holds(&root));
    (!is_in_tree && source.kind(&tree) == Some(Kind::Directory)).then_some(tree)
}

/// What is there, if the argument has a line and a column at its end, or is a path from `keps` on.
fn there(argument: &Path, source: &Source) -> Option<PathBuf> {
    let file = without_place(argument);
    let paths = || [Some(argument), file].into_iter().flatten();
    let tree = source.tree_around();
    let from_tree = paths().filter_map(|path| Some(tree.as_ref()?.join(path)));
    file.map(Path::to_owned).into_iter().chain(from_tree).find(|path| source.kind(path).is_some())
}

/// The path in `README.md:105:3`, as reports print it, also with what compilers print after it.
fn without_place(argument: &Path) -> Option<&Path> {
    let mut path = argument.to_str()?.trim_end_matches(':');
    let mut has_place = false;
    for _ in 0..2 {
        let number = path.rsplit_once(':').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let Some((rest, _)) = number.filter(|(rest, number)| !rest.is_empty() && !number.is_empty()) else { break };
        (path, has_place) = (rest, true);
    }
    has_place.then(|| Path::new(path))
}

/// The path that one that does not exist most likely means: with another name where it begins not to exist.
pub fn nearest(argument: &Path, source: &Source) -> Option<PathBuf> {
    let tree = || source.tree_around().map(|tree| tree.join(argument));
    [Some(argument.to_owned()), tree()].into_iter().flatten().find_map(|path| nearest_to(&path, source))
}

fn nearest_to(path: &Path, source: &Source) -> Option<PathBuf> {
    let around = path.ancestors().skip(1).find(|around| source.kind(around) == Some(Kind::Directory))?;
    let rest = path.strip_prefix(around).ok()?;
    let wrong = rest.iter().next()?.to_str()?;
    let names = source.names(or_here(around));
    let name = suggest::nearest(wrong, names.iter().filter_map(|name| name.to_str()))?;
    let whole = around.join(name).join(rest.iter().skip(1).collect::<PathBuf>());
    Some(if source.kind(&whole).is_some() { whole.components().collect() } else { around.join(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_at_the_end_is_left_out() {
        let path = |text: &'static str| without_place(Path::new(text)).and_then(Path::to_str);
        for place in ["a/README.md:105:3", "a/README.md:105", "a/README.md:105:3:"] {
            assert_eq!(path(place), Some("a/README.md"), "{place}");
        }
        for none in ["a/README.md", "a/README.md:", "4188", ":3", "a:b", "a/README.md:x:y"] {
            assert_eq!(path(none), None, "{none}");
        }
    }
}
