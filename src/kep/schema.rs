//! The keys of kep.yaml and PRR files, and the strict check of upstream's decoder (`api/proposal.go`,
//! `api/approval.go`, yaml.v3 with known fields only), except that all problems are reported at once.

use crate::bounds;
use crate::diagnostic::brief;
use crate::span::{Span, only_one};
use crate::stage::{Stage, Status};
use crate::suggest;
use crate::yaml::tree::{Entry, Node, Style, Value, Yaml};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    pub shape: Shape,
    /// Whether upstream rejects a file without it.
    pub is_required: bool,
    pub template: &'static [&'static str],
    pub meaning: &'static str,
}

impl Key {
    const fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, shape, is_required: false, template: &[], meaning: "" }
    }

    const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    const fn template(self, template: &'static [&'static str]) -> Self {
        Self { template, ..self }
    }
}

/// The type of a value. Null is accepted everywhere.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Text,
    Texts,
    Flag,
    Mapping(&'static [Key]),
    Mappings(&'static [Key]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub span: Span,
    pub kind: FlawKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerKey {
    pub name: &'static str,
    pub around: &'static str,
    /// Whether the file lacks the key of the mapping.
    pub is_alone: bool,
}

impl InnerKey {
    fn help(&self, key: &str) -> String {
        let Self { name, around, is_alone } = self;
        let new_name = if key == *name { String::new() } else { format!(" as `{name}`") };
        if *is_alone {
            format!("add a line `{around}:` before it, and indent it{new_name}")
        } else {
            format!("indent it below `{around}:`{new_name}")
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlawKind {
    UnknownKey {
        key: String,
        /// The known key that it most likely means.
        nearest: Option<&'static str>,
        /// The known key of a mapping in this one that it most likely means.
        inner: Option<InnerKey>,
    },
    DuplicateKey {
        key: String,
        first: Span,
    },
    MissingKey(&'static str),
    /// The document is not a mapping; what it is instead.
    NoKeys(&'static str),
    WrongType {
        key: &'static str,
        wanted: &'static str,
        found: &'static str,
        /// Whether it is an item of the list that the key has.
        is_item: bool,
    },
}

impl FlawKind {
    pub fn message(&self) -> String {
        match self {
            Self::UnknownKey { key, .. } => format!("unknown key `{}`", brief(key)),
            Self::DuplicateKey { key, .. } => format!("duplicate key `{}`", brief(key)),
            Self::MissingKey(key) => format!("`{key}` is missing"),
            Self::NoKeys(found) => format!("the file contains {found}, not `key: value` lines"),
            Self::WrongType { key, wanted, found, is_item: true } => {
                format!("an item of `{key}` is {found}, not {wanted}")
            }
            Self::WrongType { key, wanted, found, .. } => format!("`{key}` is {found}, not {wanted}"),
        }
    }

    pub fn could_be_typo_of(&self, key: &str) -> bool {
        let Self::UnknownKey { nearest, inner, .. } = self else { return false };
        let is_meant = |it: &InnerKey| it.name == key || it.around == key;
        *nearest == Some(key) || inner.as_ref().is_some_and(is_meant)
    }

    pub fn help(&self) -> String {
        match self {
            Self::UnknownKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { key, inner: Some(inner), .. } => inner.help(key),
            Self::UnknownKey { .. } => "remove it: upstream's tools reject unknown keys".to_owned(),
            Self::DuplicateKey { .. } => "keep one of the two".to_owned(),
            Self::MissingKey(key) => format!("add `{key}:` with a value"),
            Self::NoKeys(_) => "write one `key: value` per line".to_owned(),
            Self::WrongType { wanted: "a list", key, .. } => format!("write `{key}:` and under it `  - <item>`"),
            Self::WrongType { wanted: "a list of strings", .. } => "write one string per item, or remove it".to_owned(),
            Self::WrongType { wanted: "a string", .. } => {
                "write a string; quote it if YAML would read another type".to_owned()
            }
            Self::WrongType { key: "feature-gates", is_item: true, .. } => "write `- name: <gate>`".to_owned(),
            Self::WrongType { wanted, .. } => format!("write {wanted}"),
        }
    }
}

const fn text(name: &'static str) -> Key {
    Key::new(name, Shape::Text)
}

const fn texts(name: &'static str) -> Key {
    Key::new(name, Shape::Texts)
}

const fn required(key: Key) -> Key {
    Key { is_required: true, ..key }
}

const MILESTONE: &[Key] = &[
    text("alpha").meaning("The release in which the feature becomes alpha: off by default."),
    text("beta").meaning("The release in which the feature becomes beta."),
    text("stable").meaning("The release in which the feature becomes stable (GA)."),
    text("deprecated").meaning("The release in which the feature becomes deprecated."),
    text("disabled").meaning("The release in which the feature is switched off."),
    text("removed").meaning("The release in which the feature is removed."),
];

const FEATURE_GATE: &[Key] = &[
    text("name").template(&["MyFeature"]).meaning("The name of the gate, as in Kubernetes."),
    texts("components").meaning("The components that read the gate, such as kube-apiserver."),
];

pub const GATE_NAME: &str = "feature-gates.name";

const GROUPS: &[&str] = &["sig-xyz", "sig-aaa", "sig-bbb"];

const PEOPLE: &[&str] = &["@jane.doe", "@alice.doe", "@oscar.doe"];

/// The keys of kep.yaml. The last four are fields of upstream's type that are in no template.
pub const PROPOSAL: &[Key] = &[
    required(text("title")).template(&["KEP Template"]).meaning("The title, without the number."),
    required(text("kep-number"))
        .template(&["NNNN"])
        .meaning("The number of the tracking issue in kubernetes/enhancements."),
    required(texts("authors")).template(PEOPLE).meaning("The GitHub names of the authors, as \"@name\"."),
    required(text("owning-sig")).template(GROUPS).meaning("The SIG that owns the KEP: that of the directory."),
    texts("participating-sigs").template(GROUPS).meaning("Other groups that the KEP needs or concerns."),
    texts("reviewers").template(PEOPLE).meaning("The GitHub names of the reviewers, as \"@name\"."),
    required(texts("approvers")).template(PEOPLE).meaning("The GitHub names of those who approve the KEP for its SIG."),
    text("editor").meaning("Who keeps the KEP up to date, if not its authors."),
    text("creation-date").template(&["yyyy-mm-dd"]).meaning("The day on which the KEP was begun, as 2026-01-31."),
    text("last-updated").template(&["yyyy-mm-dd"]).meaning("The day of the last change, as 2026-01-31."),
    required(text("status")).meaning("How far the decision is: `implementable` once the SIG has approved the KEP."),
    texts("see-also")
        .template(&["/keps/sig-aaa/1234-we-heard-you-like-keps", "/keps/sig-bbb/2345-everyone-gets-a-kep"])
        .meaning("Paths of KEPs that have to do with this one, from /keps on."),
    texts("replaces").template(&["/keps/sig-ccc/3456-replaced-kep"]).meaning("Paths of KEPs that this one replaces."),
    texts("superseded-by").meaning("Paths of KEPs that replace this one."),
    text("stage").meaning("The stage that the KEP is at, or is worked on for."),
    text("latest-milestone").template(&["v1.yy"]).meaning("The release that the KEP was last worked on for, as v1.37."),
    Key::new("milestone", Shape::Mapping(MILESTONE)).meaning("The release of each stage, past and planned."),
    Key::new("feature-gates", Shape::Mappings(FEATURE_GATE)).meaning("The feature gates that switch the feature."),
    Key::new("disable-supported", Shape::Flag).meaning("Whether the feature can be disabled after it was enabled."),
    texts("metrics").template(&["my_feature_metric"]).meaning("The metrics that operators watch the feature by."),
    text("id").meaning("Not used."),
    text("prnumber").meaning("Not used."),
    text("name").meaning("Not used."),
    text("path").meaning("Not used."),
];

/// Whether `text` is the template's placeholder for `key`: `placeholder-value` reports it, no other rule does.
pub fn is_template_value(key: &str, text: &str) -> bool {
    // A list of choices such as `alpha|beta|stable`; its items differ between versions of the template.
    match key {
        "status" => text.split('|').filter(|name| Status::from_name(name.trim()).is_some()).count() > 1,
        "stage" => text.contains('|') && text.split('|').all(|name| Stage::from_name(name.trim()).is_some()),
        GATE_NAME => FEATURE_GATE.iter().any(|known| known.template.contains(&text)),
        _ => PROPOSAL.iter().any(|known| known.name == key && known.template.contains(&text)),
    }
}

/// The keys that upstream requires, besides those of [`PROPOSAL`], before it looks for a PRR file.
pub const REVIEWED: &[Key] = &[required(text("stage")), required(text("latest-milestone"))];

const APPROVAL: &[Key] = &[required(text("approver")).meaning("The GitHub name of the PRR approver, as \"@name\".")];

const fn approval(name: &'static str) -> Key {
    Key::new(name, Shape::Mapping(APPROVAL)).meaning("Who approves production readiness for this stage.")
}

pub const REVIEW: &[Key] = &[
    required(text("kep-number")).meaning("The number of the KEP, as in the name of the file."),
    approval("alpha"),
    approval("beta"),
    approval("stable"),
    approval("deprecated"),
    approval("disabled"),
    approval("removed"),
];

/// What authors call some keys, which are similar to others.
fn usual_word(key: &str) -> &str {
    match key {
        "replaced-by" | "obsoleted-by" => "superseded-by",
        "supersede" | "supersedes" | "supercedes" | "superseeds" | "obsoletes" => "replaces",
        "related" => "see-also",
        "number" => "kep-number",
        "created" => "creation-date",
        "updated" => "last-updated",
        _ => Stage::from_word(key).map_or(key, |stage| stage.name()),
    }
}

/// Keys of an OWNERS file; other keys are ignored.
pub const OWNERS: &[Key] = &[texts("reviewers"), texts("approvers")];

/// Checks a tree; `whole` is the span for missing keys of the document.
pub fn check(tree: &Yaml, keys: &[Key], whole: Span) -> Vec<Flaw> {
    let mut checker = Checker::new(tree);
    match tree.root.as_ref().filter(|root| !root.is_null()) {
        Some(root) if root.as_mapping().is_some() => checker.mapping(root, keys, "the document", whole),
        Some(root) => checker.flaw(whole, FlawKind::NoKeys(type_of(root))),
        // If there are syntax errors, those are reported instead.
        None if tree.problems.is_empty() && keys.iter().any(|key| key.is_required) => {
            checker.flaw(whole, FlawKind::NoKeys("nothing"));
        }
        None => {}
    }
    let mut flaws = checker.flaws;
    without_misspelled(&mut flaws);
    flaws
}

/// Removes that a key is missing which is misspelled: that is reported as an unknown key.
pub fn without_misspelled(flaws: &mut Vec<Flaw>) {
    let meant = flaws.iter().filter_map(|flaw| match flaw.kind {
        FlawKind::UnknownKey { nearest, .. } => nearest,
        _ => None,
    });
    let meant: BTreeSet<&str> = meant.collect();
    flaws.retain(|flaw| !matches!(flaw.kind, FlawKind::MissingKey(key) if meant.contains(key)));
}

/// Those of `keys` that are required and have no value in the document, which is a mapping.
pub fn missing(tree: &Yaml, keys: &[Key], whole: Span) -> Vec<Flaw> {
    let mut checker = Checker::new(tree);
    if let Some(root) = &tree.root {
        checker.missing(keys, &tree.entries(root), whole);
    }
    checker.flaws
}

struct Checker<'a> {
    tree: &'a Yaml,
    flaws: Vec<Flaw>,
    suggestions: usize,
}

impl<'a> Checker<'a> {
    fn new(tree: &'a Yaml) -> Self {
        Self { tree, flaws: Vec::new(), suggestions: bounds::COMPARED_NAMES }
    }

    fn flaw(&mut self, span: Span, kind: FlawKind) {
        self.flaws.push(Flaw { span, kind });
    }

    fn wrong_type(&mut self, node: &Node, key: &'static str, wanted: &'static str) {
        let found = match type_of(self.tree.resolve(node)) {
            "a list" if wanted == "a list of strings" => "a list of lists",
            found => found,
        };
        self.flaw(node.span, FlawKind::WrongType { key, wanted, found, is_item: false });
    }

    fn mapping(&mut self, node: &'a Node, keys: &[Key], name: &'static str, whole: Span) {
        let resolved = self.tree.resolve(node);
        let Some(entries) = resolved.as_mapping() else {
            if !resolved.is_null() {
                self.wrong_type(node, name, "a mapping");
            }
            return;
        };
        let is_unread = |key: &Key| self.tree.unread.iter().any(|unread| unread == key.name);
        let is_used = |key: &Key| entries.iter().any(|entry| entry.key.as_str() == Some(key.name));
        let is_absent = |key: &&Key| !is_used(key) && !is_unread(key);
        let mut absent: Vec<&'static str> = keys.iter().filter(is_absent).map(|key| key.name).collect();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        // A mapping without keys, so that those of its keys that follow are most likely not indented.
        let mut empty: Option<(&str, &[Key])> = None;
        for entry in entries {
            if entry.key.is_null() {
                continue;
            }
            let Some(key) = self.tree.resolve(&entry.key).as_str() else {
                self.wrong_type(&entry.key, "a key", "a string");
                continue;
            };
            if let Some((around, inner_keys)) = empty
                && let Some(known) = inner_keys.iter().find(|known| known.name == key)
            {
                let inner = Some(InnerKey { name: known.name, around, is_alone: false });
                let kind = FlawKind::UnknownKey { key: key.to_owned(), nearest: None, inner };
                // One for all of them.
                if self.flaws.last().is_none_or(|last| !last.kind.could_be_typo_of(around)) {
                    self.flaw(entry.key.span, kind);
                }
                continue;
            }
            let known = keys.iter().find(|known| known.name == key && self.tree.resolve(&entry.value).is_null());
            empty = known.and_then(|known| match known.shape {
                Shape::Mapping(inner) => Some((known.name, inner)),
                _ => None,
            });
            if let Some(first) = seen.get(key) {
                self.flaw(entry.key.span, FlawKind::DuplicateKey { key: key.to_owned(), first: *first });
                continue;
            }
            seen.insert(key, entry.key.span);
            if entry.is_merge() {
                self.merge(&entry.value, keys, name, whole);
            } else {
                self.entry(entry, key, keys, &mut absent);
            }
        }
        if keys.iter().any(|key| key.is_required) {
            self.missing(keys, &self.tree.entries(node), whole);
        }
    }

    /// An entry of a mapping that may have `keys`; `absent` are those that it does not have.
    fn entry(&mut self, entry: &'a Entry, key: &str, keys: &[Key], absent: &mut Vec<&'static str>) {
        let Some(known) = keys.iter().find(|known| known.name == key) else {
            let is_looked_up = self.suggestions > 0;
            self.suggestions = self.suggestions.saturating_sub(1);
            let (inner, around) = inner_keys(keys).unwrap_or_default();
            let names = keys.iter().chain(inner).map(|known| known.name);
            let meant = if is_looked_up { suggest::nearest(usual_word(key), names) } else { None };
            let is_text = entry.value.as_sequence().is_none();
            let inner = meant.filter(|name| is_text && inner.iter().any(|known| known.name == *name));
            let inner = inner.map(|name| InnerKey { name, around, is_alone: absent.contains(&around) });
            // A key that the mapping already has, or that was already suggested, is not suggested again.
            let nearest = meant.filter(|name| inner.is_none() && absent.contains(name));
            absent.retain(|name| Some(*name) != nearest);
            self.flaw(entry.key.span, FlawKind::UnknownKey { key: key.to_owned(), nearest, inner });
            return;
        };
        let name = known.name;
        let value = self.tree.resolve(&entry.value);
        if value.is_null() {
            return self.text_tagged_null(&entry.value, name);
        }
        match known.shape {
            Shape::Text => self.text(&entry.value, name, "a string"),
            Shape::Texts => self.list(&entry.value, name, |checker, item| match checker.tree.resolve(item).value {
                Value::Sequence(_) => checker.wrong_type(item, name, "a list of strings"),
                _ => checker.text(item, name, "a string"),
            }),
            Shape::Flag if value.flag().is_none() => self.wrong_type(&entry.value, name, "true or false"),
            Shape::Flag => {}
            Shape::Mapping(inner) => self.mapping(&entry.value, inner, name, entry.key.span),
            Shape::Mappings(inner) => self.list(&entry.value, name, |checker, item| {
                checker.mapping(item, inner, name, entry.key.span);
            }),
        }
    }

    /// Only an empty value or null may have the tag `!!null`.
    fn text_tagged_null(&mut self, node: &Node, key: &'static str) {
        match &self.tree.resolve(node).value {
            Value::Scalar(scalar) if !scalar.is_as_tagged(node.tag.as_deref()) => self.wrong_type(node, key, "null"),
            _ => {}
        }
    }

    fn text(&mut self, node: &Node, key: &'static str, wanted: &'static str) {
        match &self.tree.resolve(node).value {
            Value::Scalar(scalar) if scalar.is_as_tagged(node.tag.as_deref()) => {}
            _ => self.wrong_type(node, key, wanted),
        }
    }

    fn list(&mut self, node: &'a Node, key: &'static str, mut each: impl FnMut(&mut Self, &'a Node)) {
        let Some(items) = self.tree.resolve(node).as_sequence() else {
            return self.wrong_type(node, key, "a list");
        };
        for item in items {
            if self.tree.resolve(item).is_null() {
                self.text_tagged_null(item, key);
            } else {
                each(self, item);
                let last = self.flaws.last_mut().filter(|last| last.span == item.span).map(|last| &mut last.kind);
                if let Some(FlawKind::WrongType { wanted: "a string" | "a mapping", is_item, .. }) = last {
                    *is_item = true;
                }
            }
        }
    }

    fn merge(&mut self, value: &'a Node, keys: &[Key], name: &'static str, whole: Span) {
        let optional: Vec<Key> = keys.iter().map(|key| Key { is_required: false, ..*key }).collect();
        for node in self.tree.merged(value) {
            if self.tree.resolve(node).as_mapping().is_none() {
                self.wrong_type(node, "<<", "a mapping");
                continue;
            }
            self.mapping(node, &optional, name, whole);
        }
    }

    /// Reports required keys that are neither among the `present` entries nor among the unreadable ones.
    fn missing(&mut self, keys: &[Key], present: &[&Entry], whole: Span) {
        for key in keys.iter().filter(|key| key.is_required) {
            let is_named = |entry: &&&Entry| self.tree.resolve(&entry.key).as_str() == Some(key.name);
            let entry = present.iter().find(is_named);
            let is_filled = entry.is_some_and(|entry| {
                let value = self.tree.resolve(&entry.value);
                !value.is_null() && value.as_str() != Some("")
            });
            if !is_filled && !self.tree.unread.iter().any(|unread| unread == key.name) {
                let span = entry.map_or(whole, |entry| entry.key.span);
                self.flaw(span, FlawKind::MissingKey(key.name));
            }
        }
    }
}

/// The keys of the one mapping among `keys`, and its own key; `None` if there are several mappings or none.
fn inner_keys(keys: &[Key]) -> Option<(&'static [Key], &'static str)> {
    only_one(keys.iter().filter_map(|key| match key.shape {
        Shape::Mapping(inner) => Some((inner, key.name)),
        _ => None,
    }))
}

fn type_of(node: &Node) -> &'static str {
    match &node.value {
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a mapping",
        Value::Alias(_) => "an alias",
        Value::Scalar(_) if node.is_null() => "null",
        Value::Scalar(scalar) if scalar.style != Style::Plain => "a quoted string",
        Value::Scalar(_) => "a string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_counts_only_under_its_own_key() {
        assert!(is_template_value(
            "status",
            "provisional|implementable|implemented|deferred|rejected|withdrawn|replaced"
        ));
        assert!(is_template_value("stage", "alpha|beta|stable"));
        assert!(!is_template_value("stage", "alpha|GA"));
        assert!(!is_template_value("status", "provisional"));
        assert!(is_template_value("owning-sig", "sig-xyz"));
        assert!(!is_template_value("title", "sig-xyz"));
        assert!(!is_template_value("editor", "@jane.doe"));
    }
}
