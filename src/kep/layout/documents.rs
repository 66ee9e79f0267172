//! The pattern that says which files are proposals: `veps/{group}/{number}-{name}/vep.md`.

use super::forms::{Expression, filled};
use crate::kep::number;
use crate::span::slice;
use crate::yaml::date::Date;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documents {
    pub patterns: Vec<String>,
    /// The directory that all of them are in, from the root of the repository on.
    pub tree: String,
    /// The name of the document in the directory of a proposal; `None` if each document is a proposal.
    pub file: Option<String>,
    /// What documents there are, as a rule one kind.
    kinds: Vec<Kind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind {
    /// The file of the template, which is no proposal, if it is in the tree.
    template: Option<PathBuf>,
    /// The path of the directory of a proposal, or of its document, whatever is before the tree.
    path: Expression,
}

/// No repository needs a longer pattern, and each path is compared with it.
const LONGEST: usize = 256;
const MOST_WILDCARDS: usize = 8;
const MOST_KINDS: usize = 20;

/// What a pattern has where the documents differ.
const MARKS: [char; 3] = ['*', '{', '}'];

const PLACEHOLDERS: [(&str, &str); 4] = [
    ("group", "(?<group>[^/]+)"),
    ("name", "(?<name>[^/]+)"),
    ("number", "(?<number>[0-9]+)"),
    ("date", "(?<date>[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})"),
];

impl Documents {
    /// Adds documents of a pattern, perhaps with a template. Beside other kinds, each document is a proposal.
    pub fn add(&mut self, pattern: &str, template: Option<&str>, is_alone: bool) -> Result<(), String> {
        let path = pattern.trim_start_matches("./");
        let parts: Vec<&str> = path.split('/').collect();
        let (around, rest) = parts.split_at(parts.iter().take_while(|part| !part.contains(MARKS)).count());
        let is_no_way = |part: &&str| matches!(*part, "" | "." | "..");
        let wildcards = format!("it has more than {MOST_WILDCARDS} wildcards");
        let problems = [
            (path.len() > LONGEST, "it is too long"),
            (path.replace("**", "*").matches('*').count() > MOST_WILDCARDS, wildcards.as_str()),
            (path.chars().any(char::is_control), "it has a control character"),
            (parts.iter().any(is_no_way), "it must be a path from the directory of this file on"),
            (around.is_empty(), "it must begin with a directory, such as `proposals/`"),
            (!path.ends_with(".md"), "it must end in `.md`"),
        ];
        if let Some((_, problem)) = problems.iter().find(|(is_there, _)| *is_there) {
            return Err((*problem).to_owned());
        }
        let Some((last, between)) = rest.split_last() else {
            return Err("it names one file: it needs a placeholder".to_owned());
        };
        self.file = Some(*last).filter(|last| is_alone && !last.contains(MARKS)).map(str::to_owned);
        let tree = around.join("/");
        let expression = expression(&tree, if self.file.is_some() { between } else { rest })?;
        if !self.kinds.is_empty() && self.tree != tree {
            return Err(format!("it must begin with the same directory as the first, `{}/`", self.tree));
        }
        if self.kinds.len() == MOST_KINDS {
            return Err(format!("there are more than {MOST_KINDS} kinds of documents"));
        }
        let template = template.map(|template| PathBuf::from(template.trim_start_matches("./")));
        let template = template.filter(|template| template.starts_with(&tree));
        self.kinds.push(Kind { template, path: expression });
        self.patterns.push(pattern.to_owned());
        self.tree = tree;
        Ok(())
    }

    /// Whether a proposal is at `place`, which has no links: its directory, or its document.
    pub fn has(&self, place: &Path) -> bool {
        !self.is_template(place) && self.kind(&place.to_string_lossy().replace('\\', "/")).is_some()
    }

    /// Whether a file, by its path from the root of the repository on, has the name of a document, but is at no place of one:
    /// as deep as one, or in a directory with a number. A README may be about anything.
    pub fn is_astray(&self, file: &Path) -> bool {
        const GENERAL: [&str; 2] = ["readme.md", "index.md"];
        const OTHERS: [&str; 4] = ["template", "example", "archive", "draft"];
        let (Some(name), [pattern]) = (&self.file, self.patterns.as_slice()) else { return false };
        let (Some(place), Some(own)) = (file.parent(), file.file_name()) else { return false };
        let is_called = own.eq_ignore_ascii_case(name) && !GENERAL.contains(&name.to_lowercase().as_str());
        if !is_called || pattern.contains("**") || self.is_template(place) || own == name.as_str() && self.has(place) {
            return false;
        }
        let path = place.to_string_lossy().to_lowercase();
        let is_as_deep = pattern.trim_start_matches("./").split('/').count() == file.iter().count();
        let is_numbered = pattern.contains("{number}")
            && place.file_name().is_some_and(|around| number::of_directory(&around.to_string_lossy()).is_some());
        (is_as_deep || is_numbered) && !OTHERS.iter().any(|word| path.contains(word))
    }

    fn is_template(&self, place: &Path) -> bool {
        let is_around = |template: &Path| {
            let around = template.parent().filter(|around| *around != Path::new(&self.tree));
            around.is_some_and(|around| place.ends_with(around))
        };
        let is_of = |template: &Path| place.ends_with(template) || self.file.is_some() && is_around(template);
        self.kinds.iter().filter_map(|kind| kind.template.as_deref()).any(is_of)
    }

    /// Where the proposal is whose document is at `path`; `None` for another file.
    pub fn place<'p>(&self, path: &'p str) -> Option<&'p str> {
        match &self.file {
            Some(file) => path.strip_suffix(file.as_str())?.strip_suffix('/'),
            None => Some(path).filter(|path| path.ends_with(".md")),
        }
    }

    pub fn kind(&self, path: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.path.is_match(path))
    }

    /// What only one proposal should have, if those with this path have numbers: its kind, group and number.
    pub fn numbered(&self, path: &str) -> Option<(String, String)> {
        let number = number::without_zeros(self.number(path)?).to_owned();
        Some((number, format!("{} {}", self.kind(path)?, self.group(path).unwrap_or_default())))
    }

    /// What a placeholder stands for in the path of a proposal from the root of the repository on.
    fn part<'p>(&self, path: &'p str, name: &str) -> Option<&'p str> {
        self.kinds.get(self.kind(path)?)?.path.part(path, name)
    }

    pub fn group<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.part(path, "group")
    }

    pub fn date(&self, path: &str) -> Option<Date> {
        let digits = self.part(path, "date")?.replace('-', "");
        Date::parse(&format!("{}-{}-{}", slice(&digits, ..4), slice(&digits, 4..6), slice(&digits, 6..)))
    }

    pub fn number<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.part(path, "number")
    }
}

/// The expression for a path below `tree`: `**` are directories, at the end a path, and `*` a part of a name.
fn expression(tree: &str, parts: &[&str]) -> Result<Expression, String> {
    if parts.iter().any(|part| part.contains("**") && *part != "**") {
        return Err("`**` must stand alone between two `/`".to_owned());
    }
    let fixed = |text: &str| {
        let text = regex::escape(text).replace(r"\*\*/", "(?:[^/]+/)*").replace(r"\*\*", ".+");
        text.replace(r"\*", "[^/]*")
    };
    let way = filled(&parts.join("/"), &PLACEHOLDERS, fixed)?;
    Expression::new(&format!("^(?s:.*?/)?{}/{way}$", regex::escape(tree)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error is the index of the first kind that cannot be read, with the reason.
    fn parse(kinds: &[(&str, Option<&str>)]) -> Result<Documents, (usize, String)> {
        let mut documents = Documents::default();
        for (at, (pattern, template)) in kinds.iter().enumerate() {
            documents.add(pattern, *template, kinds.len() == 1).map_err(|reason| (at, reason))?;
        }
        Ok(documents)
    }

    fn documents(pattern: &str) -> Documents {
        parse(&[(pattern, Some("ideas/0-a/idea.md"))]).expect(pattern)
    }

    #[test]
    fn a_pattern_names_directories_or_documents() {
        let of_directories = documents("ideas/{group}/{number}-{name}/idea.md");
        assert_eq!((of_directories.tree.as_str(), of_directories.file.as_deref()), ("ideas", Some("idea.md")));
        for (path, is_there) in [
            ("/r/ideas/net/12-fast", true),
            ("ideas/net/12-fast", true),
            ("/ideas/r/ideas/net/12-fast", true),
            ("ideas/net/x-fast", false),
            ("ideas/12-fast", false),
            ("ideas/net/12-fast/more", false),
            ("my-ideas/net/12-fast", false),
        ] {
            assert_eq!(of_directories.has(Path::new(path)), is_there, "{path}");
        }
        assert_eq!(of_directories.group("ideas/net/12-fast"), Some("net"));
        assert_eq!(of_directories.number("ideas/net/12-fast"), Some("12"));
        let of_files = documents("docs/ideas/{date}-{name}.md");
        assert_eq!((of_files.tree.as_str(), of_files.file.as_deref()), ("docs/ideas", None));
        assert!(of_files.has(Path::new("docs/ideas/20260102-a.md")) && !of_files.has(Path::new("docs/ideas/a.md")));
        let deep = documents("ideas/**/idea.md");
        assert!(deep.has(Path::new("ideas/a/b")) && !deep.has(Path::new("ideas/0-a")), "that is the template");
        assert!(!deep.has(Path::new("/ideas/ideas/0-a")), "the repository is in a directory of the same name");
        assert!(documents("ideas/**/{name}.md").has(Path::new("ideas/a.md")));
        for (pattern, file, is_astray) in [
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/fast/idea.md", true),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/12-fast/idea.md", false),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/NNNN-idea-template/idea.md", false),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/12-fast/old/idea.md", false),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/12-fast/idea.md", true),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/12-fast/Idea.md", true),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/examples/fast/idea.md", false),
            ("ideas/{number}-{name}/index.md", "ideas/fast/index.md", false),
            ("ideas/{group}/{number}-{name}/idea.md", "ideas/net/fast/note.md", false),
            ("ideas/{number}-{name}/README.md", "ideas/images/README.md", false),
            ("ideas/{number}-{name}.md", "ideas/fast.md", false),
        ] {
            assert_eq!(documents(pattern).is_astray(Path::new(file)), is_astray, "{pattern} {file}");
        }
    }

    #[test]
    fn a_pattern_that_means_nothing_is_refused() {
        let refused = |pattern: &str| parse(&[(pattern, None)]).err().unwrap_or_default().1;
        for (pattern, reason) in [
            ("", "must be a path"),
            ("/ideas/{name}.md", "must be a path"),
            ("../{name}.md", "must be a path"),
            ("ideas/one.md", "needs a placeholder"),
            ("{name}.md", "must begin with a directory"),
            ("ideas/{name}", "must end in `.md`"),
            ("ideas/{number}/{number}.md", "has `{number}` twice"),
            ("ideas/*}/{name}.md", "a brace is not opened"),
            ("ideas/{sig}/{name}.md", "`{sig}` is no placeholder"),
            ("ideas/{name.md", "not closed"),
            ("ideas/a**/{name}.md", "must stand alone"),
            ("ideas/\u{1b}[m{name}.md", "control character"),
        ] {
            assert!(refused(pattern).contains(reason), "{pattern}: {}", refused(pattern));
        }
        assert!(documents("ideas/a.b[c]/{name}.md").has(Path::new("ideas/a.b[c]/x.md")));
    }

    #[test]
    fn patterns_are_few_and_have_few_wildcards() {
        let pattern = |wildcards: usize| format!("ideas/**/{}{{name}}.md", "*a".repeat(wildcards - 1));
        let read = |wildcards: usize| parse(&[(&pattern(wildcards), None)]);
        assert!(read(8).is_ok() && read(9).is_err_and(|(_, reason)| reason == "it has more than 8 wildcards"));
        let kinds = |count: usize| parse(&vec![("ideas/{name}.md", None); count]);
        assert!(
            kinds(20).is_ok() && kinds(21).is_err_and(|(at, reason)| at == 20 && reason.contains("more than 20 kinds"))
        );
    }

    #[test]
    fn several_kinds_lie_side_by_side() {
        let kinds = [("ideas/I-{number}/idea.md", None), ("ideas/I-{number}/plan.md", None), ("plans/{name}.md", None)];
        let both = parse(&kinds[..2]).expect("they have one tree");
        assert!(both.has(Path::new("/r/ideas/I-1/plan.md")) && !both.has(Path::new("ideas/I-1")), "each is a proposal");
        assert_eq!(
            ["idea", "plan", "more"].map(|name| both.kind(&format!("ideas/I-1/{name}.md"))),
            [Some(0), Some(1), None]
        );
        assert_ne!(both.numbered("ideas/I-1/idea.md"), both.numbered("ideas/I-1/plan.md"));
        assert_eq!(both.numbered("ideas/I-01/plan.md"), both.numbered("ideas/I-1/plan.md"));
        assert!(parse(&kinds).is_err_and(|(at, reason)| at == 2 && reason.contains("`ideas/`")));
    }
}
