//! The export of `gh pr list`: the open pull requests of a repository. What only a newer `gh` writes is ignored.
use crate::bounds;
use crate::cli::ready::input::Input;
use crate::diagnostic::{Failure, brief};
use crate::ready::checklist::Pull;
use serde::Deserialize;
use std::collections::HashSet;

/// The longest time in a list of pull requests, in characters: `2026-06-01T10:00:00Z`.
const TIME_CHARACTERS: usize = 30;

/// The longest title of a pull request that GitHub allows, in characters.
const PULL_TITLE_CHARACTERS: usize = 256;

pub const COMMAND: &str = "gh pr list --repo kubernetes/enhancements --json \
                           number,title,url,author,files,headRefOid,baseRefName,labels,isDraft,updatedAt --limit 500";

/// How many files of a pull request `gh` lists at most.
const MOST_FILES: usize = 100;

/// How many pull requests an export has that is most likely cut: the default of `gh`, and the limit in [`COMMAND`].
const LIMITS: [usize; 2] = [30, 500];

/// The branches that pull requests are for.
const DEFAULT_BRANCHES: [&str; 2] = ["master", "main"];

pub struct Export {
    /// Those for the default branch, the one that was updated last first.
    pub pulls: Vec<Listed>,
    /// If there may be more: how many pull requests the file has.
    pub cut_at: Option<usize>,
    pub name: String,
}

pub struct Listed {
    /// What reports show of it; without files, which depend on the KEP.
    pub about: Pull,
    pub head: Option<String>,
    /// The paths of the files that it changes.
    pub paths: Vec<String>,
    /// Whether it may change other files as well.
    pub is_cut: bool,
}

/// A pull request as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    number: u64,
    title: Option<String>,
    url: Option<String>,
    author: Option<WrittenAuthor>,
    // Null if GitHub does not know them, but never left out.
    #[serde(deserialize_with = "Option::deserialize")]
    files: Option<Vec<WrittenFile>>,
    head_ref_oid: Option<String>,
    base_ref_name: Option<String>,
    is_draft: Option<bool>,
    updated_at: Option<String>,
}

#[derive(Deserialize)]
struct WrittenAuthor {
    login: Option<String>,
}

#[derive(Deserialize)]
struct WrittenFile {
    path: String,
}

pub fn parse(input: &Input) -> Result<Export, Failure> {
    let Input { name, file } = input;
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let written: Vec<Written> = serde_json::from_str(text).map_err(|error| {
        let failure = Failure::new(format!("{name} is no list of pull requests: {}", brief(&error.to_string())));
        failure.at(name).help(format!("write it with `{COMMAND}`"))
    })?;
    let cut_at = LIMITS.contains(&written.len()).then_some(written.len());
    let is_for_default =
        |pull: &Written| pull.base_ref_name.as_deref().is_none_or(|branch| DEFAULT_BRANCHES.contains(&branch));
    let mut seen = HashSet::new();
    let own = written.into_iter().filter(is_for_default).filter(|pull| seen.insert(pull.number));
    let mut pulls: Vec<Listed> = own.map(Listed::of).collect();
    pulls.sort_by(|one, other| {
        let when = |pull: &Listed| (pull.about.updated.clone(), pull.about.number);
        when(other).cmp(&when(one))
    });
    Ok(Export { pulls, cut_at, name: name.clone() })
}

impl Listed {
    fn of(written: Written) -> Self {
        let cut = |text: String, most: usize| text.chars().take(most).collect();
        let login = written.author.and_then(|author| author.login).filter(|login| !login.is_empty());
        let is_cut = written.files.as_ref().is_none_or(|files| files.len() >= MOST_FILES);
        let paths = written.files.unwrap_or_default().into_iter().map(|file| file.path).collect();
        let is_hash = |hash: &String| {
            matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let about = Pull {
            number: written.number,
            title: cut(written.title.unwrap_or_default(), PULL_TITLE_CHARACTERS),
            url: written.url.filter(|url| url.len() <= bounds::PATH_CHARACTERS),
            author: login.map(|login| cut(login, bounds::HANDLE_BYTES)),
            is_draft: written.is_draft.unwrap_or_default(),
            updated: written.updated_at.map(|day| cut(day, TIME_CHARACTERS)),
            files: Vec::new(),
            checklist: None,
        };
        Self { about, head: written.head_ref_oid.filter(is_hash), paths, is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;
    use std::sync::Arc;

    fn read(text: &str) -> Result<Export, Failure> {
        parse(&Input { name: "prs.json".to_owned(), file: Arc::new(SourceFile::decode("prs.json", text.into())) })
    }

    fn numbers(text: &str) -> Vec<u64> {
        let export = read(text).unwrap_or_else(|failure| panic!("{}", failure.message));
        export.pulls.iter().map(|pull| pull.about.number).collect()
    }

    #[test]
    fn only_the_number_and_the_files_are_required() {
        let export = read("\u{feff}[{\"number\": 5, \"files\": [{\"path\": \"a\", \"additions\": 1}], \"more\": {}}]");
        let pull = export.expect("it is one").pulls.pop().expect("one pull request");
        assert_eq!((pull.about.number, pull.paths, pull.is_cut), (5, vec!["a".to_owned()], false));
        assert_eq!((pull.head, pull.about.author, pull.about.updated), (None, None, None));
        let unknown = "[{\"number\": 5, \"files\": null, \"author\": null, \"headRefOid\": \"HEAD\"}]";
        let other = read(unknown).expect("it is one").pulls.pop().expect("one pull request");
        assert_eq!((other.is_cut, other.head), (true, None));
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
                .any(|pull| pull.is_cut)
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
