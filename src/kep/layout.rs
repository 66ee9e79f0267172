//! Where the proposals of a repository are, what they are called, and where they say what they are: as the
//! configuration of the repository has it, or else as KEPs do.
//!
//! Rules are written for KEPs: where proposals have another name, their words are put in place of those of KEPs. What a
//! message quotes, between backticks, stays, but for the names of files.

pub mod documents;
pub mod forms;
pub mod seen;

use self::documents::Documents;
use self::forms::{AskedSections, Expression, Rank, Target, TitleForm, release_of};
use super::front_matter;
use super::metadata::Metadata;
use super::number;
use super::schema::FlawKind;
use crate::diagnostic::Failure;
use crate::markdown::Document;
use crate::span::{FileId, Span, slice};
use crate::stage::{Phase, Stage, Status};
use crate::yaml::tree::Node;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

pub const TREE: &str = "keps";

/// How the proposals of a repository lie. The default is that of KEPs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout(Option<Arc<Own>>);

/// A layout that is not that of KEPs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// The word for a proposal: `VEP`.
    pub name: String,
    pub documents: Documents,
    pub metadata: MetadataPlace,
    pub title: Option<TitleForm>,
    /// The forms of lines that name the release of a stage.
    pub targets: Vec<Expression>,
    /// The words of the repository for stages; case does not matter.
    pub stages: BTreeMap<String, Stage>,
    /// The words of the repository for statuses, each with one that means the same. Of words that
    /// mean the same, the later follow the earlier.
    pub statuses: Vec<(String, Status)>,
    /// The phase of a proposal that says nothing of a status.
    pub without_status: Phase,
    /// Whether milestones are releases of Kubernetes, whose days are known.
    pub has_releases_of_kubernetes: bool,
    pub keys: Keys,
    /// Those of `status` and `stage`, between names of stages; a change may take all where there are none.
    pub steps: BTreeMap<&'static str, Steps>,
    pub sections: AskedSections,
}

/// The steps that a change may take, each from one word to the next, in lower case.
pub type Steps = BTreeSet<(String, String)>;

impl Own {
    /// Of proposals of which nothing is said.
    pub fn usual() -> Self {
        let metadata = MetadataPlace::File("kep.yaml".to_owned());
        Self { name: "proposal".to_owned(), metadata, without_status: Phase::Active, ..Self::default() }
    }

    /// How far a status is; `None` if it is unknown.
    pub fn rank(&self, status: &str) -> Option<Rank> {
        let word = status.trim().to_lowercase();
        let mut own = self.statuses.iter().zip(1..).filter(|((known, _), _)| known.to_lowercase() == word);
        own.next().map(|((_, meaning), at)| (*meaning, at)).or_else(|| Some((Status::from_name(&word)?, 0)))
    }

    pub fn stage(&self, word: &str) -> Option<Stage> {
        let word = word.trim();
        let mut own = self.stages.iter().filter(|(known, _)| known.to_lowercase() == word.to_lowercase());
        own.next().map(|(_, stage)| *stage).or_else(|| Stage::from_word(word))
    }

    fn said(&self, message: &str, has_names: bool) -> String {
        let quoted = |text: &str| {
            let (key, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
            let name = if has_names { self.file(key).unwrap_or_else(|| self.keys.name(key)) } else { key };
            format!("{name}{rest}")
        };
        // Each second part is between backticks.
        let parts = message.split('`').zip([false, true].into_iter().cycle());
        let said = parts.map(|(part, is_quoted)| if is_quoted { quoted(part) } else { self.in_words(part) });
        let said = said.collect::<Vec<_>>().join("`");
        match self.metadata {
            MetadataPlace::File(_) => said,
            _ => said.replace("`kep.yaml`", self.metadata_words()),
        }
    }

    fn metadata_words(&self) -> &str {
        match &self.metadata {
            MetadataPlace::File(name) => name,
            MetadataPlace::FrontMatter => "the front matter",
            MetadataPlace::Nowhere => "the metadata",
        }
    }

    /// The file that is here in the place of one of a KEP.
    fn file(&self, name: &str) -> Option<&str> {
        match (name, &self.metadata) {
            ("kep.yaml", MetadataPlace::File(file)) => Some(file),
            ("README.md", _) => Some(self.documents.file.as_deref().unwrap_or("the document")),
            _ => None,
        }
    }

    fn in_words(&self, text: &str) -> String {
        let names = format!("{}s", self.name);
        let mut said = String::with_capacity(text.len());
        for (at, word) in text.split_inclusive([' ', '\n']).enumerate() {
            let bare = word.trim_end_matches(|mark: char| !mark.is_alphanumeric());
            let bare = bare.strip_suffix("'s").unwrap_or(bare);
            let new = match bare {
                "KEP" => &self.name,
                "KEPs" => &names,
                "README" | "README.md" => "document",
                "READMEs" => "documents",
                "kep.yaml" => self.metadata_words(),
                "SIG" => "group",
                "SIGs" => "groups",
                other => other,
            };
            let is_vowel = new.starts_with(['a', 'e', 'i', 'o', 'u']);
            if is_vowel && at > 0 && bare.starts_with("KEP") && (said == "a " || said.ends_with(" a ")) {
                said.insert(said.len() - 1, 'n');
            }
            said += new;
            said += slice(word, bare.len()..);
        }
        said
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MetadataPlace {
    /// In a file of this name beside the document.
    File(String),
    /// At the top of the document, between two lines `---`.
    FrontMatter,
    #[default]
    Nowhere,
}

/// The keys that metadata must and may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    pub required: BTreeSet<String>,
    /// `None`: those of the template.
    pub optional: Option<BTreeSet<String>>,
    /// What keys of KEPs are called here, and the other way around: each name is that of one key.
    pub names: BTreeMap<String, String>,
}

impl Layout {
    pub fn new(own: Own) -> Self {
        Self(Some(Arc::new(own)))
    }

    /// What differs from the layout of KEPs; `None` if it is that.
    pub fn own(&self) -> Option<&Own> {
        self.0.as_deref()
    }

    pub fn is_of_keps(&self) -> bool {
        self.0.is_none()
    }

    pub fn name(&self) -> &str {
        self.own().map_or("KEP", |own| &own.name)
    }

    pub fn names(&self) -> String {
        format!("{}s", self.name())
    }

    /// The word for the people who own proposals.
    pub fn group(&self) -> &'static str {
        if self.is_of_keps() { "SIG" } else { "group" }
    }

    pub fn tree(&self) -> &str {
        self.own().map_or(TREE, |own| &own.documents.tree)
    }

    pub fn document_file(&self) -> &str {
        self.documents().and_then(|documents| documents.file.as_deref()).unwrap_or("README.md")
    }

    /// The number of a proposal by its path from the root of the repository on.
    pub fn number<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.documents() {
            Some(documents) => documents.number(path).map(number::without_zeros),
            None => number::of_directory(path.rsplit('/').next().unwrap_or_default()),
        }
    }

    /// The number of a proposal by its path from the tree on, and what only one of that number should be in.
    pub fn numbered(&self, way: &Path) -> Option<(String, String)> {
        match self.documents() {
            Some(documents) => documents.numbered(&format!("{}/{}", documents.tree, way.to_string_lossy())),
            None => number::and_sig(way),
        }
    }

    pub fn documents(&self) -> Option<&Documents> {
        Some(&self.own()?.documents)
    }

    pub fn has_front_matter(&self) -> bool {
        self.own().is_some_and(|own| own.metadata == MetadataPlace::FrontMatter)
    }

    /// Whether the document says what a proposal is, in its front matter or in lines of its text.
    pub fn is_told_by_document(&self) -> bool {
        self.has_front_matter() || self.own().is_some_and(|own| !own.targets.is_empty())
    }

    /// The name of the file with the metadata, if that is one of its own.
    pub fn metadata_file(&self) -> Option<&str> {
        match self.own().map(|own| &own.metadata) {
            None => Some("kep.yaml"),
            Some(MetadataPlace::File(name)) => Some(name),
            Some(MetadataPlace::FrontMatter | MetadataPlace::Nowhere) => None,
        }
    }

    /// Where the number is in a title; `None` also where titles have none.
    pub fn number_in_title(&self, title: &str) -> Option<Range<usize>> {
        match self.own() {
            None => number::in_title(title),
            Some(own) => own.title.as_ref()?.number_in(title),
        }
    }

    /// A title without `KEP-1234:` at its start.
    pub fn without_number<'t>(&self, title: &'t str) -> &'t str {
        let rest = self.number_in_title(title).map_or(title, |number| slice(title, number.end..));
        rest.trim_start_matches([' ', ':', '-', '–', '—', ']', '.', ',']).trim_end()
    }

    pub fn write_title(&self, number: &str, title: &str) -> String {
        match self.own() {
            None => format!("KEP-{number}: {title}"),
            Some(Own { title: Some(form), .. }) => form.write(number, title),
            Some(_) => title.to_owned(),
        }
    }

    /// What stands for the number in a title: `KEP-12`.
    pub fn mark(&self, number: &str) -> String {
        match self.own() {
            None => format!("KEP-{number}"),
            Some(own) => own.title.as_ref().map_or_else(|| number.to_owned(), |form| form.mark(number)),
        }
    }

    /// What reports call the proposal with this number: `KEP-12`, `VEP 12`.
    pub fn called(&self, number: &str) -> String {
        let name = format!("{}-{number}", self.name());
        if self.mark(number) == name { name } else { format!("{} {number}", self.name()) }
    }

    pub fn stage_word(&self, stage: Stage) -> &str {
        let own = self.own().and_then(|own| own.stages.iter().find(|(_, known)| **known == stage));
        own.map_or(stage.name(), |(word, _)| word)
    }

    /// A word for a status: that of KEPs if it is one of them, otherwise the first.
    pub fn status_word(&self, status: Status) -> &str {
        let own = self.own().into_iter().flat_map(|own| &own.statuses).filter(|(_, known)| *known == status);
        let word = own.map(|(word, _)| word.as_str()).min_by_key(|word| !word.eq_ignore_ascii_case(status.name()));
        word.unwrap_or(status.name())
    }

    /// The word for a status that is so far.
    pub fn word(&self, (meaning, at): Rank) -> &str {
        let own = self.own().and_then(|own| own.statuses.get(at.checked_sub(1)?));
        own.map_or(meaning.name(), |(word, _)| word)
    }

    /// The words for statuses: of KEPs, and of the repository, or only these if they are all words.
    pub fn status_words(&self) -> Vec<&str> {
        let own = self.own().into_iter().flat_map(|own| &own.statuses).map(|(word, _)| word.as_str());
        let are_all = own.clone().any(|word| Status::from_name(&word.to_lowercase()).is_some());
        let mut words = if are_all { Vec::new() } else { Status::ALL.map(Status::name).to_vec() };
        words.extend(own);
        words
    }

    /// A message in the words of the repository.
    pub fn say(&self, message: &mut String) {
        if let Some(own) = self.own() {
            *message = own.said(message, true);
        }
    }

    /// A failure in the words of the repository. What its message quotes is what somebody wrote.
    pub fn said(&self, mut failure: Failure) -> Failure {
        if let Some(own) = self.own() {
            failure.message = own.said(&failure.message, false);
            failure.help.iter_mut().for_each(|help| self.say(help));
        }
        failure
    }

    /// What the lines of a document say of releases. What is struck out, or in code, says nothing.
    pub fn targets(&self, document: &Document) -> Vec<Target> {
        let Some(own) = self.own().filter(|own| !own.targets.is_empty()) else { return Vec::new() };
        let mut targets = Vec::new();
        for (range, line) in document.visible(0..document.text().len()) {
            let is_struck_out = line.contains("~~") || line.trim_start_matches(['-', '*', ' ']).starts_with('~');
            if is_struck_out || document.is_in_block(&range) {
                continue;
            }
            let Some(form) = own.targets.iter().find(|form| form.is_match(&line)) else { continue };
            let Some(release) = form.part(&line, "release").and_then(release_of) else { continue };
            let word = form.part(&line, "stage");
            let stage = word.and_then(|word| own.stage(word));
            if word.is_none() || stage.is_some() {
                targets.push(Target { stage, release });
            }
        }
        targets
    }

    /// What the text of a file says of a proposal; `None` if it is a document without front matter.
    pub fn read_metadata(&self, file: FileId, text: &str) -> Option<Metadata> {
        let text = if self.has_front_matter() { front_matter::of_document(text)? } else { text };
        let Some(own) = self.own() else { return Some(Metadata::parse(file, text)) };
        let mut metadata = Metadata::parse_named(file, text, front_matter::of_others(text), &own.keys.names);
        self.explain(own, text, &mut metadata);
        Some(metadata)
    }

    /// Gives words in the metadata their meaning here, and leaves out what is wrong only in that of a KEP.
    fn explain(&self, own: &Own, text: &str, metadata: &mut Metadata) {
        if let Some(status) = metadata.status.as_mut().filter(|status| status.value.is_none()) {
            status.value = own.rank(&status.text).map(|(meaning, _)| meaning);
        }
        if let Some(stage) = metadata.stage.as_mut().filter(|stage| stage.value.is_none()) {
            stage.value = own.stage(&stage.text);
        }
        let entries = metadata.tree.root.as_ref().and_then(Node::as_mapping).unwrap_or_default();
        let at_top: HashSet<Span> = entries.iter().map(|entry| entry.key.span).collect();
        metadata.flaws.retain_mut(|flaw| match &mut flaw.kind {
            FlawKind::MissingKey(key) => *key == "status" && !own.keys.required.contains(own.keys.name(key)),
            FlawKind::UnknownKey { key, nearest, .. } => {
                let is_meant = |known: &&str| known.eq_ignore_ascii_case(key) || !own.keys.is_unknown(known);
                *nearest = nearest.filter(is_meant);
                at_top.contains(&flaw.span) && own.keys.is_unknown(key)
            }
            FlawKind::WrongType { key, wanted: "a list of strings", .. } if slice(text, flaw.span.range()) == "[]" => {
                metadata.empty_items.push((key, flaw.span));
                false
            }
            // One value is a list of one elsewhere, and an item may be `Name: path`.
            FlawKind::WrongType { key, wanted, found, .. } => {
                *wanted != "a list" && *found != "a mapping" && !own.keys.names.contains_key(*key)
            }
            _ => true,
        });
    }
}

impl Keys {
    /// What a key of KEPs is called here.
    pub fn name<'k>(&'k self, key: &'k str) -> &'k str {
        self.names.get(key).map_or(key, String::as_str)
    }

    /// Whether no list has a key, which has its name of KEPs.
    fn is_unknown(&self, key: &str) -> bool {
        let name = self.name(key);
        !self.required.contains(name) && !self.optional.as_ref().is_some_and(|optional| optional.contains(name))
    }
}
