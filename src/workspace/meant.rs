//! What an argument of the command line means that is no path yet: a place that was copied from a report, a directory of
//! the tree from anywhere in the repository, the root of a repository, whose KEPs are in `keps`, and KEPs by number or name:
//! `4188`, `KEP-4188`, `#4188`, `sig-node/4188`, `4188-pod-readiness`, and the address of its issue.

use super::directory::KepDirectory;
use super::files::Source;
use super::files::opened::{Kind, or_here};
use super::walked::Walked;
use crate::diagnostic::{Failure, named};
use crate::kep::layout::TREE;
use crate::kep::number;
use crate::kep::reference::{self, is_number};
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
    let root = source.tree_of(&real).and_then(|own| own.parent());
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

/// A KEP that is not named by a path.
pub struct Reference<'a> {
    /// The directory of its SIG, if it is given.
    sig: Option<&'a str>,
    pub number: &'a str,
    /// The name of its directory, if it is given: a number alone is no path.
    pub name: Option<&'a str>,
}

impl<'a> Reference<'a> {
    /// Reads an argument of the command line, where a proposal is called by this word; `None` if it can only be a path.
    pub fn parse(argument: &'a Path, word: &str) -> Option<Self> {
        let text = argument.to_str()?;
        if let Some(number) = reference::issue(text).or_else(|| text.strip_prefix('#').filter(|it| is_number(it))) {
            return Some(Self::of_number(number::without_zeros(number)));
        }
        let (sig, last) = match text.split_once('/') {
            Some((sig, last)) => (Some(sig), last),
            None => (None, text),
        };
        if last.contains('/') {
            return None;
        }
        let named = last.split_at_checked(word.len()).filter(|(start, _)| start.eq_ignore_ascii_case(word));
        let digits = named.and_then(|(_, rest)| rest.strip_prefix('-')).unwrap_or(last);
        let is_number = number::is_digits(digits);
        let name = (!is_number).then_some(last);
        let number = if is_number { number::without_zeros(digits) } else { number::of_directory(last)? };
        Some(Self { sig, number, name })
    }

    /// Any KEP with this number, which has no leading zeros.
    pub fn of_number(number: &'a str) -> Self {
        Self { sig: None, number, name: None }
    }

    pub fn of_directory(name: &'a str) -> Option<Self> {
        Some(Self { sig: None, number: number::of_directory(name)?, name: Some(name) })
    }

    /// Whether it names this KEP of a tree.
    pub fn is_of(&self, kep: &KepDirectory) -> bool {
        let sig = || kep.tree().and_then(|(_, way)| way.iter().next()?.to_str());
        let has_name = self.name.is_none_or(|name| name == kep.name);
        has_name && kep.number().as_deref() == Some(self.number) && (self.sig.is_none() || self.sig == sig())
    }

    /// The failure where there is no tree that it could be in.
    pub fn without_tree() -> Failure {
        let failure = Failure::new(format!("there is no directory `{TREE}` here to look for KEPs by number"));
        failure.help("run kep-lint in a clone of kubernetes/enhancements, or name the KEP's directory")
    }

    /// The KEPs among those of a tree that it names; several KEPs may have one number.
    pub fn find(&self, tree: &Walked) -> Result<Vec<KepDirectory>, Failure> {
        let mut found: Vec<KepDirectory> = tree.keps.iter().filter(|kep| self.is_of(kep)).cloned().collect();
        if found.is_empty() {
            let numbers: Vec<String> = tree.keps.iter().filter_map(KepDirectory::number).collect();
            return Err(self.unknown(&tree.keps, &numbers));
        }
        found.iter_mut().for_each(|kep| kep.is_searched = false);
        Ok(found)
    }

    /// The failure if it is none of these KEPs, which have these `numbers`.
    pub fn unknown(&self, others: &[KepDirectory], numbers: &[String]) -> Failure {
        let numbered = |number: &str| others.iter().find(|kep| kep.number().as_deref() == Some(number));
        let nearest = || numbered(suggest::nearest(self.number, numbers.iter().map(String::as_str))?);
        let tree = others.first().map_or(TREE, |kep| kep.source.layout().tree());
        let place = self.sig.map(|sig| format!("{tree}/{sig}")).unwrap_or_else(|| tree.to_owned());
        let what = self.name.map_or_else(|| format!("no KEP {}", self.number), |name| format!("no KEP `{name}`"));
        let failure = Failure::new(format!("{what} in `{place}`"));
        failure.help(match numbered(self.number).or_else(nearest) {
            Some(kep) => format!("did you mean {}?", named(&kep.given)),
            None => "name a directory of KEPs, a KEP, or a file in one".to_owned(),
        })
    }
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

    #[test]
    fn numbers_and_names_are_references() {
        let parse = |text: &'static str| {
            let reference = Reference::parse(Path::new(text), "KEP");
            reference.map(|Reference { sig, number, name }| (sig, number, name))
        };
        assert_eq!(parse("4188"), Some((None, "4188", None)));
        assert_eq!(parse("KEP-0042"), Some((None, "42", None)));
        assert_eq!(parse("sig-node/4188"), Some((Some("sig-node"), "4188", None)));
        assert_eq!(parse("4188-pod-readiness"), Some((None, "4188", Some("4188-pod-readiness"))));
        for issue in [
            "#4188",
            "https://kep.k8s.io/4188",
            "kep.k8s.io/04188/",
            "https://github.com/kubernetes/enhancements/issues/4188#issuecomment-1",
        ] {
            assert_eq!(parse(issue), Some((None, "4188", None)), "{issue}");
        }
        let pull = "https://github.com/kubernetes/enhancements/pull/4188";
        for path in [
            pull,
            "#",
            "#a",
            "https://kep.k8s.io/",
            "keps",
            "keps/sig-node/4188",
            "README.md",
            "kep-",
            "",
            "../4188-x/README.md",
        ] {
            assert_eq!(parse(path), None, "{path}");
        }
        let named = |text| Reference::parse(Path::new(text), "Éé-P").map(|found| found.number.to_owned());
        assert_eq!(named("Éé-p-012").as_deref(), Some("12"));
        assert_eq!((named("KEP-12"), named("Éé"), named("Éé-P")), (None, None, None));
    }
}
