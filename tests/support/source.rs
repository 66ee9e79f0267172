//! The source files of the project as text, and what they use of each other.

use super::{files_below, project};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A source file, its path with `/` and from the project's root on.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn below(folder: &str) -> Vec<Self> {
        let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
        let read = |path: &Path| Self {
            path: relative(path),
            text: fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        };
        files_below(&project().join(folder), &is_rust).iter().map(|path| read(path)).collect()
    }

    /// The lines that are no comments, without those of the tests at the end.
    pub fn code(&self) -> impl Iterator<Item = &str> {
        let tests = self.text.find("#[cfg(test)]\nmod tests").unwrap_or(self.text.len());
        self.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"))
    }

    /// Its module: `kep/review` of `src/kep/review.rs`.
    pub fn place(&self) -> &str {
        self.path.strip_prefix("src/").unwrap_or(&self.path).trim_end_matches(".rs")
    }

    /// Which of the `files` its code names, by `crate::`, `self::` and `super::`.
    pub fn uses(&self, files: &BTreeSet<String>) -> BTreeSet<String> {
        let mut uses = BTreeSet::new();
        for path in self.paths() {
            let mut names = path.iter().peekable();
            let mut place: Vec<&str> = self.place().split('/').collect();
            match names.next().map(String::as_str) {
                Some("crate") => place.clear(),
                Some("self") => {}
                _ => drop(place.pop()),
            }
            while names.next_if(|name| *name == "super").is_some() {
                place.pop();
            }
            for name in names {
                place.push(name);
                let inner = place.join("/");
                if !files
                    .iter()
                    .any(|file| file.strip_prefix(&inner).is_some_and(|r| r.is_empty() || r.starts_with('/')))
                {
                    place.pop();
                    break;
                }
            }
            uses.extend(files.get(&place.join("/")).filter(|file| *file != self.place()).cloned());
        }
        uses
    }

    /// The paths in its code that begin with `crate`, `self` or `super`, those in braces one by one.
    fn paths(&self) -> Vec<Vec<String>> {
        let code = self.code().collect::<Vec<_>>().join("\n");
        let mut paths = Vec::new();
        for start in ["crate::", "self::", "super::"] {
            for (at, _) in code.match_indices(start) {
                if !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_:".contains(letter)) {
                    collect_paths(&code[at..], &mut Vec::new(), &mut paths);
                }
            }
        }
        paths
    }

    /// The top-level module that it belongs to: `kep` of `src/kep/review.rs`.
    pub fn module(&self) -> &str {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inner.split(['/', '.']).next().unwrap_or_default()
    }

    /// The names that follow `prefix` in its code, those in braces too: `fs` of `std::{io, fs::File}`.
    pub fn names_behind(&self, prefix: &str) -> BTreeSet<String> {
        let code = self.code().collect::<Vec<_>>().join("\n");
        let mut names = BTreeSet::new();
        for (at, _) in code.match_indices(prefix) {
            let ends_longer_name = code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            if ends_longer_name {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            let list = rest.strip_prefix('{').map_or(rest.split(['\n', '}']).next(), |list| list.split('}').next());
            let is_list = rest.starts_with('{');
            let parts = list.unwrap_or_default().split(',').take(if is_list { usize::MAX } else { 1 });
            let words =
                parts.map(|part| part.trim().split(|letter: char| !(letter.is_alphanumeric() || letter == '_')));
            names.extend(words.filter_map(|mut words| words.next().map(str::to_owned)));
        }
        names.remove("");
        names
    }
}

/// Reads one path, or one in braces for each of them, from the beginning of `code`. Returns what follows.
fn collect_paths<'a>(code: &'a str, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> &'a str {
    let code = code.trim_start();
    if let Some(mut list) = code.strip_prefix('{') {
        loop {
            list = collect_paths(list, before, paths).trim_start();
            match list.strip_prefix(',') {
                Some(rest) => list = rest,
                None => return list.strip_prefix('}').unwrap_or(list),
            }
        }
    }
    let end = code.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    before.push(name.to_owned());
    let rest = match rest.strip_prefix("::") {
        Some(inner) => collect_paths(inner, before, paths),
        None => {
            paths.push(before.clone());
            let alias = rest.trim_start().strip_prefix("as ").map(str::trim_start);
            let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            alias.map_or(rest, |alias| alias.trim_start_matches(is_name))
        }
    };
    before.pop();
    rest
}

/// A path of the project with `/`, from its root on.
pub fn relative(path: &Path) -> String {
    let path = path.strip_prefix(project()).expect("it lies in the project");
    path.to_string_lossy().replace('\\', "/")
}
