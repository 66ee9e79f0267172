//! The export of `gh pr list`: the open pull requests of a repository. What only a newer `gh` writes is ignored.
use crate::cli::ready::input::Input;
use crate::diagnostic::{Failure, brief};
use crate::ready::checklist::Pull;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;

pub const COMMAND: &str = "gh pr list --repo kubernetes/enhancements --json \
                           number,title,url,author,files,headRefOid,baseRefName,labels,isDraft,updatedAt --limit 500";

/// How many files of a pull request `gh` lists at most.
const MOST_FILES: usize = 100;

/// How many pull requests an export has that is most likely cut: the default of `gh`, and the limit in [`COMMAND`].
const LIMITS: [usize; 2] = [30, 500];

const DEFAULT_BRANCHES: [&str; 2] = ["master", "main"];

pub struct Export {
    /// Those for the default branch, the one that was updated last first.
    pub pulls: Vec<Listed>,
    /// If there may be more: how many pull requests the file has.
    pub cut_at: Option<usize>,
    pub name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    pub number: u64,
    title: Option<String>,
    url: Option<String>,
    author: Option<Author>,
    // Null if GitHub does not know them, but never left out.
    #[serde(deserialize_with = "Option::deserialize")]
    files: Option<Vec<File>>,
    head_ref_oid: Option<String>,
    base_ref_name: Option<String>,
    is_draft: Option<bool>,
    updated_at: Option<String>,
}

#[derive(Deserialize)]
struct Author {
    login: Option<String>,
}

#[derive(Deserialize)]
struct File {
    path: String,
}

pub fn parse(input: Input) -> Result<Export, Failure> {
    let Input { name, file } = input;
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let mut pulls: Vec<Listed> = serde_json::from_str(text).map_err(|error| {
        let failure = Failure::new(format!("{name} is no list of pull requests: {}", brief(&error.to_string())));
        failure.at(&name).help(format!("write it with `{COMMAND}`"))
    })?;
    let cut_at = if LIMITS.contains(&pulls.len()) { Some(pulls.len()) } else { None };
    let mut seen = HashSet::new();
    pulls.retain(|pull| {
        let branch = pull.base_ref_name.as_deref();
        branch.is_none_or(|branch| DEFAULT_BRANCHES.contains(&branch)) && seen.insert(pull.number)
    });
    pulls.sort_by_cached_key(|pull| Reverse((pull.updated_at.clone(), pull.number)));
    Ok(Export { pulls, cut_at, name })
}

impl Listed {
    pub fn head(&self) -> Option<&str> {
        let is_hash = |hash: &&str| {
            matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        self.head_ref_oid.as_deref().filter(is_hash)
    }

    /// The files that it changes, as far as they are listed.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().flatten().map(|file| PathBuf::from(&file.path)).collect()
    }

    /// Whether it may change other files as well.
    pub fn is_cut(&self) -> bool {
        self.files.as_ref().is_none_or(|files| files.len() >= MOST_FILES)
    }

    /// What reports show of it; `files` are those that it changes of a KEP.
    pub fn about(&self, files: Vec<String>) -> Pull {
        let login = self.author.as_ref().and_then(|author| author.login.as_deref());
        Pull {
            number: self.number,
            title: self.title.clone().unwrap_or_default(),
            url: self.url.clone(),
            author: login.filter(|login| !login.is_empty()).map(str::to_owned),
            is_draft: self.is_draft.unwrap_or_default(),
            updated: self.updated_at.clone(),
            files,
            ..Pull::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;
    use std::sync::Arc;

    fn read(text: &str) -> Result<Export, Failure> {
        parse(Input { name: "prs.json".to_owned(), file: Arc::new(SourceFile::decode("prs.json", text.into())) })
    }

    fn numbers(text: &str) -> Vec<u64> {
        let export = read(text).unwrap_or_else(|failure| panic!("{}", failure.message));
        export.pulls.iter().map(|pull| pull.number).collect()
    }

    #[test]
    fn only_the_number_and_the_files_are_required() {
        let export = read("\u{feff}[{\"number\": 5, \"files\": [{\"path\": \"a\", \"additions\": 1}], \"more\": {}}]");
        let pull = export.expect("it is one").pulls.pop().expect("one pull request");
        assert_eq!((pull.number, pull.paths(), pull.is_cut()), (5, vec![PathBuf::from("a")], false));
        let about = pull.about(Vec::new());
        assert_eq!((pull.head(), about.author, about.updated), (None, None, None));
        let unknown = "[{\"number\": 5, \"files\": null, \"author\": null, \"headRefOid\": \"HEAD\"}]";
        let other = read(unknown).expect("it is one").pulls.pop().expect("one pull request");
        assert_eq!((other.is_cut(), other.head()), (true, None));
        assert_eq!(numbers("[]"), [0; 0]);
    }

    #[test]
    fn those_for_other_branches_are_left_out_and_the_newest_is_first() {
        let pull = |number: u64, branch: &str, day: &str| {
            format!("{{\"number\":{number},\"files\":[],\"baseRefName\":\"{branch}\",\"updatedAt\":\"{day}\"}}")
        };
        let pulls =
            [pull(1, "main", "2026-05-01"), pull(2, "release-1", "2026-05-02"), pull(3, "master", "2026-06-01")];
        assert_eq!(numbers(&format!("[{}, {}]", pulls.join(","), pull(3, "main", "2020-01-01"))), [3, 1]);
    }

    #[test]
    fn what_may_be_cut_is_said() {
        let list = |count: usize| {
            let pulls: Vec<String> = (0..count).map(|number| format!("{{\"number\":{number},\"files\":[]}}")).collect();
            read(&format!("[{}]", pulls.join(","))).expect("it is one").cut_at
        };
        assert_eq!([29, 30, 31, 499, 500].map(list), [None, Some(30), None, None, Some(500)]);
        let files = |count: usize| {
            let files = vec!["{\"path\":\"a\"}"; count].join(",");
            read(&format!("[{{\"number\":1,\"files\":[{files}]}}]"))
                .expect("it is one")
                .pulls
                .iter()
                .any(Listed::is_cut)
        };
        assert_eq!([99, 100].map(files), [false, true]);
    }

    #[test]
    fn other_shapes_are_refused_in_one_line() {
        for (text, reason) in [
            ("", "EOF while parsing a value"),
            ("{\"message\": \"Bad credentials\"}", "invalid type: map, expected a sequence"),
            ("[{\"number\": 5}]", "missing field `files`"),
            ("[{\"files\": []}]", "missing field `number`"),
            ("[{\"number\": -1, \"files\": []}]", "invalid value: integer `-1`"),
            ("[{\"number\": 1, \"files\": [\"a\"]}]", "invalid type: string \"a\""),
            ("[1] 2", "invalid type: integer"),
        ] {
            let failure = read(text).err().expect("it is none");
            assert!(failure.message.starts_with("prs.json is no list of pull requests: "), "{}", failure.message);
            assert!(failure.message.contains(reason), "{text}: {}", failure.message);
            assert!(failure.help.is_some_and(|help| help.contains("gh pr list")));
        }
        assert!(read(&"[".repeat(100_000)).is_err(), "however deep it is nested");
    }
}
