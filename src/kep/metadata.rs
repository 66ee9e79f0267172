//! kep.yaml as fields with spans. What cannot be read is omitted; what is invalid is kept as data.

use super::field::{Field, List, Reader, first_line};
use super::front_matter::{self, FrontMatter};
use super::milestone;
use super::node_approvers::NodeApprovers;
use super::odd::{self, OddScalar};
use super::schema::{self, Flaw, FlawKind, Shape, is_template_value};
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage, Status};
use crate::yaml;
use crate::yaml::date::Date;
use crate::yaml::tree::{Node, Value, Yaml};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub struct Metadata {
    pub file: FileId,
    pub title: Option<Field>,
    pub number: Option<Field>,
    pub authors: List,
    pub owning_sig: Option<Field>,
    pub participating_sigs: List,
    pub reviewers: List,
    pub approvers: List,
    pub creation_date: Option<Field<Date>>,
    pub last_updated: Option<Field<Date>>,
    pub status: Option<Field<Status>>,
    pub see_also: List,
    pub replaces: List,
    pub superseded_by: List,
    pub stage: Option<Field<Stage>>,
    pub latest_milestone: Option<Field<Release>>,
    is_reviewed_release: bool,
    pub milestones: Vec<(Stage, Field<Release>)>,
    pub feature_gates: Vec<FeatureGate>,
    pub feature_gates_key: Option<Span>,
    pub disable_supported: Option<Field<bool>>,
    pub metrics: List,
    /// The values that are strings, each with its key, in the order of [`schema::PROPOSAL`]. The key of a gate's name
    /// is `feature-gates.name`.
    pub values: Vec<(&'static str, Field)>,
    /// The items of lists that are null or blank, each with the key of its list.
    pub empty_items: Vec<(&'static str, Span)>,
    pub tree: Yaml,
    pub flaws: Vec<Flaw>,
    pub odd: Vec<OddScalar>,
    pub node_approvers: NodeApprovers,
    pub front_matter: FrontMatter,
    /// Span of the first non-comment line; used to report missing keys.
    pub top: Span,
    /// The known top-level keys that the file has, also those whose values cannot be read.
    keys: BTreeSet<&'static str>,
    /// The keys whose values cannot be read, or are rejected by upstream's decoder; `None` if the file has no keys.
    invalid_keys: Option<BTreeSet<&'static str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureGate {
    pub span: Span,
    pub name: Option<Field>,
    pub components: List,
}

impl FeatureGate {
    /// The name, unless it only means that there is no gate: "None", "N/A".
    pub fn real_name(&self) -> Option<&Field> {
        let is_none = |text: &str| ["", "none", "n/a", "na"].iter().any(|none| text.eq_ignore_ascii_case(none));
        self.name.as_ref().filter(|name| !is_none(name.text.trim()))
    }

    pub fn is_none(&self) -> bool {
        self.name.as_ref().is_some_and(|name| !name.text.is_empty()) && self.real_name().is_none()
    }
}

impl Metadata {
    pub fn parse(file: FileId, text: &str) -> Self {
        Self::parse_named(file, text, front_matter::find(text), &BTreeMap::new())
    }

    /// Reads metadata in which some keys have other names, each with that of a KEP.
    pub fn parse_named(file: FileId, text: &str, front_matter: FrontMatter, names: &BTreeMap<String, String>) -> Self {
        let mut tree = yaml::parse(file, &front_matter::blanked(text, &front_matter.read));
        rename_keys(&mut tree, names);
        let odd = odd::clean(text, &mut tree);
        let top = first_line(file, text);
        let mut flaws = schema::check(&tree, schema::PROPOSAL, top);
        let reader = Reader::new(&tree, tree.root.as_ref());
        let milestone = Reader::new(&tree, reader.value("milestone"));
        let milestones =
            Stage::ALL.into_iter().filter_map(|stage| Some((stage, milestone.typed(stage.name(), Release::parse)?)));
        let mut milestones: Vec<(Stage, Field<Release>)> = milestones.collect();
        milestones.sort_by_key(|(_, field)| field.span.start);
        let status = reader.typed("status", Status::from_name);
        if status.as_ref().and_then(meant_status).is_some_and(Status::is_reviewed) {
            flaws.extend(schema::missing(&tree, schema::REVIEWED, top));
            schema::without_misspelled(&mut flaws);
        }
        let feature_gates = feature_gates(&tree, &reader);
        let latest_milestone = reader.typed("latest-milestone", Release::parse);
        let version = latest_milestone.as_ref().and_then(|field| milestone::as_kepval_reads_it(&field.text));
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
            creation_date: reader.typed("creation-date", Date::parse),
            last_updated: reader.typed("last-updated", Date::parse),
            status,
            see_also: reader.list("see-also"),
            replaces: reader.list("replaces"),
            superseded_by: reader.list("superseded-by"),
            stage: reader.typed("stage", Stage::from_name),
            latest_milestone,
            is_reviewed_release: version.is_some_and(|version| milestone::needs_review(&version)),
            milestones,
            feature_gates_key: reader.key("feature-gates"),
            disable_supported: reader.field("disable-supported").map(|field| Field {
                value: reader.value("disable-supported").and_then(Node::flag),
                ..field.parsed(|_| None)
            }),
            metrics: reader.list("metrics"),
            values: values(&reader, &feature_gates),
            empty_items: empty_items(&reader, &feature_gates),
            feature_gates,
            node_approvers: NodeApprovers::read(&tree),
            keys: known.clone().filter(|key| reader.key(key).is_some() || unread.contains(key)).collect(),
            invalid_keys: invalid_keys(&flaws, known.filter(|key| unread.contains(key))),
            flaws,
            odd,
            front_matter,
            top,
            tree,
        }
    }

    /// The names of the feature gates, without the template's placeholder and names such as "None".
    pub fn feature_gate_names(&self) -> impl Iterator<Item = &Field> {
        let names = self.feature_gates.iter().filter_map(FeatureGate::real_name);
        names.filter(|name| !is_template_value("feature-gates.name", &name.text))
    }

    /// Whether required keys are missing, maybe only in what upstream reads: `invalid-yaml` reports it.
    pub fn has_lost_keys(&self) -> bool {
        let is_missing = |flaw: &Flaw| matches!(flaw.kind, FlawKind::MissingKey(_) | FlawKind::NoKeys(_));
        self.front_matter.cut.is_some() && self.flaws.iter().any(is_missing)
    }

    pub fn lacks(&self, key: &str) -> bool {
        !self.keys.contains(key)
    }

    /// Whether the value of `key` cannot be read, or is rejected by upstream's decoder.
    pub fn has_invalid(&self, key: &str) -> bool {
        self.invalid_keys.as_ref().is_none_or(|keys| keys.contains(key))
    }

    /// The key that a new one in the mapping `milestone` comes after: the last one there, or else `milestone` itself.
    pub fn last_milestone_key(&self) -> Option<Span> {
        let entry = self.tree.root.as_ref()?.get("milestone")?;
        let last = entry.value.as_mapping().and_then(<[_]>::last);
        Some(last.map_or(entry.key.span, |last| last.key.span))
    }

    /// The status, also if it is misspelt and it is clear which one is meant.
    pub fn status(&self) -> Option<Status> {
        meant_status(self.status.as_ref()?)
    }

    /// The stage, also if it is misspelt and it is clear which one is meant.
    pub fn stage(&self) -> Option<Stage> {
        let field = self.stage.as_ref()?;
        field.value.or_else(|| Stage::meant(&field.text))
    }

    pub fn milestone(&self) -> Option<Release> {
        self.latest_milestone.as_ref()?.value
    }

    /// The first release in which a KEP can reach `stage`, which is ahead of its own: that of its plan, but
    /// after those of the stages before.
    pub fn milestone_ahead(&self, stage: Stage) -> Option<Release> {
        if !stage.comes_after(self.stage()?) {
            return None;
        }
        let before = self.milestones.iter().filter(|(earlier, _)| stage.comes_after(*earlier));
        let begun = before.filter_map(|(_, field)| field.value).filter(|release| !release.is_unknown()).max();
        let planned = self.milestone_of(stage).and_then(|field| field.value);
        planned.max(begun.map(|begun| begun.plus(1)))
    }

    /// Whether the KEP was written when the milestones of the template were out already.
    pub fn is_newer_than_template(&self) -> bool {
        const FIRST_YEAR: u16 = 2021;
        self.creation_date.as_ref().is_some_and(|created| match created.value {
            Some(date) => date.year >= FIRST_YEAR,
            None => is_template_value("creation-date", &created.text),
        })
    }

    pub fn template_milestone(&self) -> Option<&Field<Release>> {
        let is_oldest = |field: &&Field<Release>| field.value == Some(Release { major: 1, minor: 19 });
        self.latest_milestone.as_ref().filter(|field| is_oldest(field) && self.is_newer_than_template())
    }

    pub fn milestone_of(&self, stage: Stage) -> Option<&Field<Release>> {
        self.milestones.iter().find(|(other, _)| *other == stage).map(|(_, field)| field)
    }

    /// Whether it must have a PRR file, also if upstream does not ask for it because the status is misspelt.
    pub fn is_reviewed(&self) -> bool {
        self.status().is_some_and(Status::is_reviewed) && self.is_reviewed_release
    }

    pub fn needs_review(&self) -> bool {
        self.is_implementable_or_implemented() && self.is_reviewed_release
    }

    pub fn reviewed_stage(&self) -> Option<Stage> {
        if self.needs_review() { self.stage.as_ref()?.value } else { None }
    }

    /// Whether upstream requires a stage, a milestone and, from v1.21 on, a PRR file. It knows no misspelt status.
    pub fn is_implementable_or_implemented(&self) -> bool {
        self.status.as_ref().and_then(|field| field.value).is_some_and(Status::is_reviewed)
    }
}

fn rename_keys(tree: &mut Yaml, names: &BTreeMap<String, String>) {
    let Some(Node { value: Value::Mapping(entries), .. }) = &mut tree.root else { return };
    for entry in entries {
        if let Value::Scalar(key) = &mut entry.key.value
            && let Some(name) = names.get(&key.text)
        {
            key.text.clone_from(name);
        }
    }
}

/// The status of a field, also if it is misspelt and it is clear which one is meant.
fn meant_status(field: &Field<Status>) -> Option<Status> {
    field.value.or_else(|| Status::meant(&field.text))
}

fn invalid_keys(flaws: &[Flaw], unread: impl Iterator<Item = &'static str>) -> Option<BTreeSet<&'static str>> {
    let mut keys: BTreeSet<&'static str> = unread.collect();
    for flaw in flaws {
        match &flaw.kind {
            FlawKind::MissingKey(key) | FlawKind::WrongType { key, .. } => keys.extend([*key]),
            FlawKind::UnknownKey { nearest, .. } => keys.extend(*nearest),
            FlawKind::NoKeys(_) => return None,
            FlawKind::DuplicateKey { .. } => {}
        }
    }
    Some(keys)
}

fn values(reader: &Reader<'_>, gates: &[FeatureGate]) -> Vec<(&'static str, Field)> {
    let mut values = Vec::new();
    for key in schema::PROPOSAL {
        match key.shape {
            Shape::Text => values.extend(reader.field(key.name).map(|field| (key.name, field))),
            Shape::Texts => values.extend(reader.list(key.name).items.into_iter().map(|item| (key.name, item))),
            Shape::Mappings(_) => {
                values.extend(gates.iter().filter_map(|gate| Some((schema::GATE_NAME, gate.name.clone()?))));
            }
            Shape::Flag | Shape::Mapping(_) => {}
        }
    }
    values
}

fn empty_items(reader: &Reader<'_>, gates: &[FeatureGate]) -> Vec<(&'static str, Span)> {
    let mut items = Vec::new();
    for key in schema::PROPOSAL.iter().filter(|key| matches!(key.shape, Shape::Texts)) {
        let list = reader.list(key.name);
        let blank = list.items.iter().filter(|item| item.text.trim_matches([' ', '@']).is_empty());
        items.extend(list.nulls.iter().copied().chain(blank.map(|item| item.span)).map(|span| (key.name, span)));
    }
    for gate in gates.iter().filter(|gate| !gate.is_none()) {
        items.extend(gate.components.nulls.iter().map(|span| ("components", *span)));
    }
    items
}

fn feature_gates(tree: &Yaml, reader: &Reader<'_>) -> Vec<FeatureGate> {
    let gates = reader.value("feature-gates").and_then(Node::as_sequence).unwrap_or_default();
    let gate = |node: &Node| {
        let keys = Reader::new(tree, Some(node));
        FeatureGate { span: node.span, name: keys.field("name"), components: keys.list("components") }
    };
    gates.iter().filter(|node| tree.resolve(node).as_mapping().is_some()).map(gate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_that_is_merged_into_itself_is_read() {
        let metadata = Metadata::parse(FileId(0), "&a\n<<: *a\ntitle: x\n");
        assert_eq!(metadata.title.map(|title| title.text).as_deref(), Some("x"));
        assert_eq!(metadata.tree.problems.len(), 1);
    }

    #[test]
    fn too_deep_nesting_is_reported() {
        let deep = |text: &str| Metadata::parse(FileId(0), text).tree.too_deep.map(Span::range);
        assert_eq!(deep(&format!("title: x\nauthors: {}\n", "[".repeat(200))), Some(118..119));
        assert_eq!(deep("title: x\nauthors: [\n"), None);
    }
}
