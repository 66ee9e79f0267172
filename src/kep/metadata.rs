//! kep.yaml as fields with spans. What cannot be read is left out; what is wrong is kept as data.

use super::front_matter::{self, FrontMatter};
use super::milestone;
use super::schema::{self, Flaw, FlawKind};
use super::template_values::is_template_value;
use crate::diagnostic::brief;
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage, Status};
use crate::yaml::tree::{Entry, Node, Problem, Yaml};
use crate::yaml::{self, tags};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// The fields of a kep.yaml.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The file it was read from.
    pub file: FileId,
    /// `title`.
    pub title: Option<Field>,
    /// `kep-number`.
    pub number: Option<Field>,
    /// `authors`.
    pub authors: List,
    /// `owning-sig`.
    pub owning_sig: Option<Field>,
    /// `participating-sigs`.
    pub participating_sigs: List,
    /// `reviewers`.
    pub reviewers: List,
    /// `approvers`.
    pub approvers: List,
    /// `creation-date`.
    pub creation_date: Option<Field>,
    /// `last-updated`.
    pub last_updated: Option<Field>,
    /// `status`.
    pub status: Option<Field>,
    /// `see-also`.
    pub see_also: List,
    /// `replaces`.
    pub replaces: List,
    /// `superseded-by`.
    pub superseded_by: List,
    /// `stage`.
    pub stage: Option<Field>,
    /// `latest-milestone`.
    pub latest_milestone: Option<Field>,
    /// `milestone`, stage by stage, in the file's order.
    pub milestones: Vec<(Stage, Field)>,
    /// `feature-gates`.
    pub feature_gates: Vec<FeatureGate>,
    /// Where the key `feature-gates` stands.
    pub feature_gates_key: Option<Span>,
    /// `disable-supported`.
    pub disable_supported: Option<bool>,
    /// `metrics`.
    pub metrics: List,
    /// Syntax errors.
    pub problems: Vec<Problem>,
    /// What upstream's strict decoder refuses.
    pub flaws: Vec<Flaw>,
    /// What upstream reads of the file.
    pub front_matter: FrontMatter,
    /// Bytes of the first line that is no comment: where something belongs that is missing.
    pub top: Span,
    /// The first place that is nested too deep to be read, if there is one.
    pub too_deep: Option<Span>,
    /// The known keys at the top, also those whose values could not be read.
    keys: BTreeSet<&'static str>,
    /// The keys whose values cannot be read, or are refused by upstream's decoder; none where there are no keys at all.
    refused: Option<BTreeSet<&'static str>>,
}

/// A scalar that is not null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its text; never a number or a date.
    pub text: String,
    /// Where it stands, with its quotes.
    pub span: Span,
    /// Where its key stands; for an item of a list, the item itself.
    pub key: Span,
    /// The comment behind it, without `#`.
    pub comment: Option<String>,
}

/// A list of scalars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Where its key stands, if it is there.
    pub key: Option<Span>,
    /// The items that are not null.
    pub items: Vec<Field>,
}

/// An item of `feature-gates`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureGate {
    /// Where it stands.
    pub span: Span,
    /// `name`.
    pub name: Option<Field>,
    /// `components`.
    pub components: List,
}

impl FeatureGate {
    /// The name, unless it only says that there is no gate: "None", "N/A".
    pub fn real_name(&self) -> Option<&Field> {
        let is_none = |text: &str| ["", "none", "n/a", "na"].iter().any(|none| text.eq_ignore_ascii_case(none));
        self.name.as_ref().filter(|name| !is_none(name.text.trim()))
    }

    /// Whether it only says that there is no gate.
    pub fn is_none(&self) -> bool {
        self.name.as_ref().is_some_and(|name| !name.text.is_empty()) && self.real_name().is_none()
    }
}

impl Field {
    /// The text as messages quote it.
    pub fn shown(&self) -> Cow<'_, str> {
        brief(&self.text)
    }
}

impl Metadata {
    /// Reads what can be read of `text`.
    pub fn parse(file: FileId, text: &str) -> Self {
        let front_matter = front_matter::find(text);
        let tree = yaml::parse(file, &front_matter::blanked(text, &front_matter));
        let top = first_line(file, text);
        let mut flaws = schema::check(&tree, schema::PROPOSAL, top);
        let reader = Reader::new(&tree, tree.root.as_ref());
        let milestone = Reader::new(&tree, reader.value("milestone"));
        let milestones = Stage::ALL.into_iter().filter_map(|stage| Some((stage, milestone.field(stage.name())?)));
        let mut milestones: Vec<(Stage, Field)> = milestones.collect();
        milestones.sort_by_key(|(_, field)| field.span.start);
        let status = reader.field("status");
        if status.as_ref().and_then(|field| Status::from_name(&field.text)).is_some_and(Status::is_reviewed) {
            flaws.extend(schema::missing(&tree, schema::REVIEWED, top));
        }
        let unread: BTreeSet<&str> = tree.unread.iter().map(String::as_str).collect();
        let known = schema::PROPOSAL.iter().map(|key| key.name);
        Self {
            file,
            title: reader.field("title"),
            number: reader.field("kep-number"),
            authors: reader.list("authors"),
            owning_sig: reader.field("owning-sig"),
            participating_sigs: reader.list("participating-sigs"),
            reviewers: reader.list("reviewers"),
            approvers: reader.list("approvers"),
            creation_date: reader.field("creation-date"),
            last_updated: reader.field("last-updated"),
            status,
            see_also: reader.list("see-also"),
            replaces: reader.list("replaces"),
            superseded_by: reader.list("superseded-by"),
            stage: reader.field("stage"),
            latest_milestone: reader.field("latest-milestone"),
            milestones,
            feature_gates: reader.feature_gates(),
            feature_gates_key: reader.key("feature-gates"),
            disable_supported: reader.value("disable-supported").and_then(tags::flag),
            metrics: reader.list("metrics"),
            keys: known.clone().filter(|key| reader.key(key).is_some() || unread.contains(key)).collect(),
            refused: refused(&flaws, known.filter(|key| unread.contains(key))),
            flaws,
            front_matter,
            top,
            too_deep: tree.too_deep,
            problems: tree.problems,
        }
    }

    /// The values that are text, each with its key; `feature-gates.name` for the names of gates.
    pub fn values(&self) -> Vec<(&'static str, &Field)> {
        let fields = [
            ("title", &self.title),
            ("kep-number", &self.number),
            ("owning-sig", &self.owning_sig),
            ("creation-date", &self.creation_date),
            ("last-updated", &self.last_updated),
            ("status", &self.status),
            ("stage", &self.stage),
            ("latest-milestone", &self.latest_milestone),
        ];
        let lists = [
            ("authors", &self.authors),
            ("participating-sigs", &self.participating_sigs),
            ("reviewers", &self.reviewers),
            ("approvers", &self.approvers),
            ("see-also", &self.see_also),
            ("replaces", &self.replaces),
            ("superseded-by", &self.superseded_by),
            ("metrics", &self.metrics),
        ];
        let fields = fields.into_iter().filter_map(|(key, field)| Some((key, field.as_ref()?)));
        let items = lists.into_iter().flat_map(|(key, list)| list.items.iter().map(move |item| (key, item)));
        let gates = self.feature_gates.iter().filter_map(|gate| Some(("feature-gates.name", gate.name.as_ref()?)));
        fields.chain(items).chain(gates).collect()
    }

    /// The names of the feature gates, those left out that the template has or that say there is none.
    pub fn feature_gate_names(&self) -> impl Iterator<Item = &Field> {
        let names = self.feature_gates.iter().filter_map(FeatureGate::real_name);
        names.filter(|name| !is_template_value("feature-gates.name", &name.text))
    }

    /// Whether there is no such key at the top, which is one of [`schema::PROPOSAL`].
    pub fn lacks(&self, key: &str) -> bool {
        !self.keys.contains(key)
    }

    /// Whether the value of `key` cannot be read, or is one that upstream's decoder refuses.
    pub fn is_refused(&self, key: &str) -> bool {
        self.refused.as_ref().is_none_or(|refused| refused.contains(key))
    }

    /// The status, if it is one.
    pub fn status(&self) -> Option<Status> {
        Status::from_name(&self.status.as_ref()?.text)
    }

    /// The stage, if it is one.
    pub fn stage(&self) -> Option<Stage> {
        Stage::from_name(&self.stage.as_ref()?.text)
    }

    /// The latest milestone, if it is a release.
    pub fn milestone(&self) -> Option<Release> {
        Release::parse(&self.latest_milestone.as_ref()?.text)
    }

    /// The milestone of a stage.
    pub fn milestone_of(&self, stage: Stage) -> Option<&Field> {
        self.milestones.iter().find(|(other, _)| *other == stage).map(|(_, field)| field)
    }

    /// Whether upstream looks for a production readiness review.
    pub fn needs_review(&self) -> bool {
        let version = self.latest_milestone.as_ref().and_then(|field| milestone::version(&field.text));
        self.is_implementable_or_implemented() && version.is_some_and(|version| milestone::needs_review(&version))
    }

    /// Whether upstream asks for a stage, a milestone and, from v1.21 on, a production readiness review.
    pub fn is_implementable_or_implemented(&self) -> bool {
        self.status().is_some_and(Status::is_reviewed)
    }
}

/// The keys that `flaws` are about, and those `unread`; none if there are no keys at all.
fn refused(flaws: &[Flaw], unread: impl Iterator<Item = &'static str>) -> Option<BTreeSet<&'static str>> {
    let mut refused: BTreeSet<&'static str> = unread.collect();
    for flaw in flaws {
        match &flaw.kind {
            FlawKind::MissingKey(key) | FlawKind::WrongType { key, .. } => refused.extend([*key]),
            FlawKind::UnknownKey { nearest, .. } => refused.extend(*nearest),
            FlawKind::NoKeys(_) => return None,
            FlawKind::DuplicateKey { .. } => {}
        }
    }
    Some(refused)
}

/// The first line of `text` that says something, or else the first.
pub(super) fn first_line(file: FileId, text: &str) -> Span {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        if !content.is_empty() && !content.starts_with('#') && content != "---" {
            return Span::new(file, at..at + content.len());
        }
        at += line.len();
    }
    Span::new(file, 0..text.lines().next().unwrap_or_default().len())
}

/// Takes values out of a mapping.
pub(super) struct Reader<'a> {
    tree: &'a Yaml,
    /// The first entry of each key.
    entries: HashMap<&'a str, &'a Entry>,
}

impl<'a> Reader<'a> {
    /// A reader of `node`, with which there is nothing to be read where it is no mapping.
    pub fn new(tree: &'a Yaml, node: Option<&'a Node>) -> Self {
        let mut entries = HashMap::new();
        for entry in node.map(|node| tree.entries(node)).unwrap_or_default() {
            if let Some(key) = tree.resolve(&entry.key).as_str() {
                entries.entry(key).or_insert(entry);
            }
        }
        Self { tree, entries }
    }

    pub fn value(&self, key: &str) -> Option<&'a Node> {
        self.entries.get(key).map(|entry| self.tree.resolve(&entry.value))
    }

    pub fn key(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|entry| entry.key.span)
    }

    pub fn field(&self, key: &str) -> Option<Field> {
        let entry = self.entries.get(key)?;
        self.scalar(&entry.value, entry.key.span)
    }

    pub fn list(&self, key: &str) -> List {
        let Some(entry) = self.entries.get(key) else { return List::default() };
        let items = self.tree.resolve(&entry.value).as_sequence().unwrap_or_default();
        let items = items.iter().filter_map(|item| self.scalar(item, item.span)).collect();
        List { key: Some(entry.key.span), items }
    }

    fn feature_gates(&self) -> Vec<FeatureGate> {
        let gates = self.value("feature-gates").and_then(Node::as_sequence).unwrap_or_default();
        let gate = |node: &'a Node| {
            let reader = Reader::new(self.tree, Some(node));
            FeatureGate { span: node.span, name: reader.field("name"), components: reader.list("components") }
        };
        let mappings = gates.iter().filter(|node| self.tree.resolve(node).as_mapping().is_some());
        mappings.map(gate).collect()
    }

    fn scalar(&self, node: &Node, key: Span) -> Option<Field> {
        let text = self.tree.resolve(node).as_str()?.to_owned();
        let comment = node.comment.as_ref().map(|comment| comment.text.clone());
        Some(Field { text, span: node.span, key, comment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_that_is_merged_into_itself_is_read() {
        let metadata = Metadata::parse(FileId(0), "&a\n<<: *a\ntitle: x\n");
        assert_eq!(metadata.title.map(|title| title.text).as_deref(), Some("x"));
        assert_eq!(metadata.problems.len(), 1);
    }

    #[test]
    fn what_is_nested_too_deep_is_told() {
        let deep = |text: &str| Metadata::parse(FileId(0), text).too_deep.map(Span::range);
        assert_eq!(deep(&format!("title: x\nauthors: {}\n", "[".repeat(200))), Some(118..119));
        assert_eq!(deep("title: x\nauthors: [\n"), None);
    }
}
