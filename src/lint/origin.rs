//! Where the template and the version that KEPs are checked against come from.

use super::changes::{ChangedKep, Reviewed};
use crate::span::slice;
use crate::template::Template;
use std::borrow::Cow;

/// The version that KEPs are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// What it is called: as the user wrote it, or how it was found.
    pub name: String,
    pub commit: String,
    /// Whether only findings that it does not have are reported.
    pub is_new_only: bool,
    /// What the change does to KEPs.
    pub changed: Vec<ChangedKep>,
    /// The lines that a review of the change can be about.
    pub reviewed: Reviewed,
}

impl Since {
    /// What a run is compared with, in a sentence without a full stop; `known` findings are not reported.
    pub fn words(&self, known: usize) -> String {
        let (name, commit) = (branch(&self.name).replace('`', "'"), short_name(&self.commit));
        let hash = if name == commit { String::new() } else { format!(" ({commit})") };
        let base = format!("compared with `{name}`{hash}");
        match (self.is_new_only, known) {
            (false, _) => format!("{base}, only what changed"),
            (true, 0) => base,
            (true, 1) => format!("{base}: 1 old finding is not shown"),
            (true, known) => format!("{base}: {known} old findings are not shown"),
        }
    }
}

/// What the full names of the branches of remotes begin with.
const REMOTES: &str = "refs/remotes/";

/// The name of a branch of a remote as people on the web know it, who see no clone; else the short name.
pub fn branch(name: &str) -> Cow<'_, str> {
    let of_remote = name.strip_prefix(REMOTES).and_then(|name| name.split_once('/'));
    match of_remote {
        Some((_, branch)) => Cow::Borrowed(branch.split(" (").next().unwrap_or(branch)),
        None => short_name(name),
    }
}

/// The name of a version for people: a hash is cut, as git does it.
pub fn short_name(name: &str) -> Cow<'_, str> {
    const SHORT: usize = 10;
    const WHOLE: usize = 40;
    let name = name.strip_prefix(REMOTES).unwrap_or(name);
    let digits = name.bytes().take_while(u8::is_ascii_hexdigit).count();
    if digits >= WHOLE {
        Cow::Owned(format!("{}{}", slice(name, ..SHORT), slice(name, digits..)))
    } else {
        Cow::Borrowed(name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateOrigin {
    BuiltIn,
    /// The file at this path, given by the user.
    Given(String),
    /// The file at this path, in the repository of the KEPs.
    Repository(String),
}

impl TemplateOrigin {
    /// Where a template that is not of a repository comes from.
    pub fn of(template: &Template) -> Self {
        if template.is_built_in() { Self::BuiltIn } else { Self::Given(template.document.source.path.clone()) }
    }

    pub const NAMES: [&'static str; 3] = ["built-in", "given", "repository"];

    pub fn name(&self) -> &'static str {
        let [built_in, given, repository] = Self::NAMES;
        match self {
            Self::BuiltIn => built_in,
            Self::Given(_) => given,
            Self::Repository(_) => repository,
        }
    }

    /// The path of the file, if it is one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::BuiltIn => None,
            Self::Given(path) | Self::Repository(path) => Some(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_short_and_other_names_stay() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(short_name(hash), "0123456789");
        assert_eq!(short_name(&format!("{hash}~2 (PULL_BASE_SHA)")), "0123456789~2 (PULL_BASE_SHA)");
        for name in ["main", "0123456", "origin/main", "", "é"] {
            assert_eq!((short_name(name).as_ref(), branch(name).as_ref()), (name, name));
        }
        let full = "refs/remotes/origin/a/b (default branch)";
        assert_eq!((short_name(full).as_ref(), branch(full).as_ref()), ("origin/a/b (default branch)", "a/b"));
    }
}
