//! Where the files of a KEP are in a repository. Who pastes a KEP does not say it, but links and the PRR
//! file need it: then it is guessed from what the files say.

use super::ask;
use crate::authoring::draft::{self, SLUG_BYTES};
use crate::bounds;
use crate::diagnostic::{Failure, brief};
use crate::kep::directory::PROD_READINESS;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::kep::review::Review;
use crate::markdown::Document;
use crate::span::{FileId, slice};
use crate::workspace::directory::KepDirectory;
use crate::workspace::project::Project;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The roles of the files that a page has a pane for.
pub const README: &str = "readme";
pub const METADATA: &str = "metadata";
pub const REVIEW: &str = "review";

/// A file that is where KEPs belong to groups, so that those of a guess do, whatever the name of the group.
pub const OF_GROUPS: &str = "keps/prod-readiness/OWNERS";

/// The directory of a group that nobody names.
const NO_GROUP: &str = "sig-unknown";

/// What stands for a number that nobody knows.
const NO_NUMBER: &str = "0";

/// The files of a KEP, as a page has them.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The directory, from the root of the repository on; guessed if nobody knows it.
    pub directory: Option<String>,
    pub readme: Option<String>,
    pub metadata: Option<String>,
    pub review: Option<String>,
    /// Other files: those below `keps` by their paths from there on, the others by those from the directory
    /// on.
    #[serde(default)]
    pub others: BTreeMap<String, String>,
}

pub struct Place {
    pub directory: String,
    /// The path of the PRR file.
    review: String,
    pub is_guess: bool,
    /// Whether the number of the KEP is known. A guess has 0 in its place.
    pub has_number: bool,
}

impl Place {
    pub fn of(files: &Files) -> Result<Self, Failure> {
        let metadata = Metadata::parse(FileId(0), files.metadata.as_deref().unwrap_or_default());
        let written = |field: Option<&String>| field.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let sig = written(metadata.owning_sig.as_ref().map(|field| &field.text)).filter(|name| is_word(name));
        let number = written(metadata.number.as_ref().map(|field| &field.text)).filter(|digits| is_number(digits));
        if let Some(directory) = ask::given(files.directory.as_deref()) {
            check_path(directory)?;
            let directory = from_tree(directory.trim_end_matches('/'));
            let way = directory.strip_prefix(TREE).unwrap_or_default().trim_start_matches('/');
            let (of_name, of_way) = number::and_sig(Path::new(way)).unzip();
            let review = review(sig.or(of_way).as_deref(), number.or(of_name).as_deref());
            return Ok(Self { directory: directory.to_owned(), review, is_guess: false, has_number: true });
        }
        let heading = files.readme.as_deref().and_then(heading);
        let of_heading = || {
            let heading = heading.as_deref()?;
            Some(slice(heading, number::in_title(heading)?).to_owned())
        };
        let of_review = || {
            let review = Review::parse(FileId(0), files.review.as_ref()?);
            written(review.number.as_ref().map(|field| &field.text)).filter(|digits| is_number(digits))
        };
        let number = number.or_else(of_heading).or_else(of_review);
        let title = written(metadata.title.as_ref().map(|field| &field.text)).or(heading).unwrap_or_default();
        let words = number::in_title(&title).map_or(title.as_str(), |range| slice(&title, range.end..));
        let slug = draft::slug(words).unwrap_or_else(|| "kep".to_owned());
        // Also one that is unknown, which is what is to be reported, and not that it is elsewhere.
        let group = sig.as_deref().unwrap_or(NO_GROUP);
        let directory = format!("{TREE}/{group}/{}-{slug}", number.as_deref().unwrap_or(NO_NUMBER));
        let review = review(sig.as_deref(), number.as_deref());
        Ok(Self { directory, review, is_guess: true, has_number: number.is_some() })
    }

    pub fn kep<'p>(&self, project: &'p Project) -> Result<&'p KepDirectory, Failure> {
        project.keps.iter().find(|kep| kep.shown == self.directory).ok_or_else(|| {
            let failure = Failure::new(format!("no KEP can be in the directory `{}`", brief(&self.directory)));
            failure.help("name one such as `keps/sig-node/1-images`, or none")
        })
    }

    /// A text without the directory if that is guessed, as it is nobody's.
    pub fn without_guess(&self, text: &str) -> String {
        if !self.is_guess {
            return text.to_owned();
        }
        text.replace(&format!("{}/", self.directory), "").replace(&format!(" `{}`", self.directory), "")
    }

    pub fn path(&self, role: &str) -> Result<String, Failure> {
        let inside = |name: &str| format!("{}/{name}", self.directory);
        match role {
            README => Ok(inside("README.md")),
            METADATA => Ok(inside("kep.yaml")),
            REVIEW => Ok(self.review.clone()),
            _ => {
                check_path(role)?;
                let is_from_root = role.split('/').next() == Some(TREE);
                Ok(if is_from_root { role.to_owned() } else { inside(role) })
            }
        }
    }
}

/// A directory from `keps` on, if it is below one: whatever is around the repository does not matter.
fn from_tree(directory: &str) -> &str {
    let start = directory.find(&format!("/{TREE}/")).filter(|_| !directory.starts_with(&format!("{TREE}/")));
    start.map_or(directory, |at| slice(directory, at + 1..))
}

fn review(sig: Option<&str>, number: Option<&str>) -> String {
    let (sig, number) = (sig.unwrap_or(NO_GROUP), number.unwrap_or(NO_NUMBER));
    format!("{TREE}/{PROD_READINESS}/{sig}/{number}.yaml")
}

fn is_word(text: &str) -> bool {
    text.len() <= SLUG_BYTES && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_number(text: &str) -> bool {
    text.len() <= SLUG_BYTES && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The title that a README begins with.
fn heading(readme: &str) -> Option<String> {
    let document = Document::of_text(readme);
    let title = document.sections.get(document.sections.title()?).title.text.trim().to_owned();
    (!title.is_empty()).then_some(title)
}

/// Refuses what is no way from a directory to a file in it.
fn check_path(path: &str) -> Result<(), Failure> {
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', '\0']);
    let is_way = path.trim_end_matches('/').split('/').all(is_name) && path.chars().count() <= bounds::PATH_CHARACTERS;
    if is_way && Path::new(path).is_relative() {
        return Ok(());
    }
    let failure = Failure::new(format!("`{}` is no path in a repository", brief(path)));
    Err(failure.help("write names with `/` between them, such as `keps/sig-node/1-images`"))
}
