//! Where the files of a KEP are in a repository. Who pastes a KEP does not say it, but links and the PRR
//! file need it: then it is guessed from what the files say.

use super::ask;
use crate::authoring::slug;
use crate::authoring::slug::SLUG_BYTES;
use crate::bounds;
use crate::diagnostic::{Failure, brief};
use crate::kep::directory::PROD_READINESS;
use crate::kep::layout::TREE;
use crate::kep::metadata::Metadata;
use crate::kep::number;
use crate::kep::review::Review;
use crate::markdown::Document;
use crate::span::{FileId, slice};
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

/// What the name of a directory begins with if nobody knows the number.
const NO_NUMBER: &str = "0-";

/// The files of a KEP, as a page has them.
#[derive(Clone, Deserialize, Serialize)]
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

#[derive(Clone, Debug)]
pub struct Place {
    pub directory: String,
    pub review: String,
    pub is_guess: bool,
}

impl Place {
    pub fn of(files: &Files) -> Result<Self, Failure> {
        let metadata = Metadata::parse(FileId(0), files.metadata.as_deref().unwrap_or_default());
        let written = |field: Option<&String>| field.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let group = written(metadata.owning_sig.as_ref().map(|field| &field.text)).filter(|name| is_word(name));
        let of_yaml = written(metadata.number.as_ref().map(|field| &field.text)).filter(|digits| is_number(digits));
        if let Some(directory) = ask::given(files.directory.as_deref()) {
            check_path(directory)?;
            let directory = from_tree(directory.trim_end_matches('/'));
            let way = directory.strip_prefix(TREE).unwrap_or_default().trim_start_matches('/');
            let sig = way.split_once('/').map(|(sig, _)| sig.to_owned());
            let name = directory.rsplit('/').next().unwrap_or_default();
            let digits = of_yaml.or_else(|| number::of_directory(name).map(str::to_owned));
            let review = review(group.or(sig), digits);
            return Ok(Self { directory: directory.to_owned(), review, is_guess: false });
        }
        let heading = files.readme.as_deref().and_then(heading);
        let of_heading = || {
            let heading = heading.as_deref()?;
            number::in_title(heading).map(|range| slice(heading, range).to_owned())
        };
        let of_review = || {
            let review = Review::parse(FileId(0), files.review.as_ref()?);
            written(review.number.as_ref().map(|field| &field.text)).filter(|digits| is_number(digits))
        };
        let digits = of_yaml.or_else(of_heading).or_else(of_review);
        // Also one that is unknown, which is what is to be reported, and not that it is elsewhere.
        let sig = group.clone().unwrap_or_else(|| NO_GROUP.to_owned());
        let title = written(metadata.title.as_ref().map(|field| &field.text)).or(heading);
        let words = title.map(|title| match number::in_title(&title) {
            Some(range) => slice(&title, range.end..).to_owned(),
            None => title,
        });
        let slug = words.and_then(|words| slug::of_title(&words)).unwrap_or_else(|| "kep".to_owned());
        let name = digits.as_ref().map_or_else(|| format!("{NO_NUMBER}{slug}"), |digits| format!("{digits}-{slug}"));
        let review = review(group.or_else(|| Some(sig.clone())), digits);
        Ok(Self { directory: format!("{TREE}/{sig}/{name}"), review, is_guess: true })
    }

    /// Whether the number of the KEP is known. If it is not, the directory is guessed, and has 0 in its
    /// place.
    pub fn has_number(&self) -> bool {
        let name = self.directory.rsplit('/').next().unwrap_or_default();
        !self.is_guess || !name.starts_with(NO_NUMBER)
    }

    /// A text without the directory if that is guessed, as it is nobody's.
    pub fn without_guess(&self, text: &str) -> String {
        if !self.is_guess {
            return text.to_owned();
        }
        text.replace(&format!("{}/", self.directory), "").replace(&format!(" `{}`", self.directory), "")
    }

    /// The path of a file that has no pane, by its role.
    pub fn other(&self, role: &str) -> Result<String, Failure> {
        check_path(role)?;
        let is_from_root = role.split('/').next() == Some(TREE);
        Ok(if is_from_root { role.to_owned() } else { format!("{}/{role}", self.directory) })
    }
}

/// A directory from `keps` on, if it is below one: whatever is around the repository does not matter.
fn from_tree(directory: &str) -> &str {
    let mut start = 0;
    for name in directory.split('/') {
        if name == TREE {
            return slice(directory, start..);
        }
        start += name.len() + 1;
    }
    directory
}

fn review(sig: Option<String>, digits: Option<String>) -> String {
    let (sig, digits) = (sig.unwrap_or_else(|| NO_GROUP.to_owned()), digits.unwrap_or_else(|| "0".to_owned()));
    format!("{TREE}/{PROD_READINESS}/{sig}/{digits}.yaml")
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
