//! Conditions on KEPs, by what kep.yaml and the PRR file say: which KEPs of a tree somebody wants to see. Apart from the
//! command line, because a configuration has them as well.

use super::Kep;
use super::field::List;
use super::layout::{Layout, MetadataPlace};
use crate::diagnostic::{Failure, brief};
use crate::stage::{Release, Stage, Status};
use crate::suggest;
use serde::{Deserialize, Serialize};

/// Conditions on KEPs: a KEP is admitted if, for each list that is not empty, it has one of the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The owning SIG; without `owning-sig`, the SIG's directory.
    pub sigs: Vec<Sig>,
    /// `status`, in lower case; a misspelt one is taken as meant.
    pub statuses: Vec<String>,
    /// `stage`; a misspelt one is taken as meant.
    pub stages: Vec<Stage>,
    pub milestones: Vec<Release>,
    pub authors: Vec<Handle>,
    /// One of `approvers`, or the approver of any stage in the PRR file.
    pub approvers: Vec<Handle>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sig(String);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Handle(String);

#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub sig: Option<Sig>,
    /// The word, and that of KEPs that it means.
    pub status: Vec<String>,
    pub stage: Option<Stage>,
    pub milestone: Option<Release>,
    pub authors: Vec<Handle>,
    pub approvers: Vec<Handle>,
}

impl Filter {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The option of each of its lists that is not empty, with this list alone.
    pub fn each(&self) -> Vec<(&'static str, Self)> {
        let Self { sigs, statuses, stages, milestones, authors, approvers } = self.clone();
        let alone = [
            ("--sig", Self { sigs, ..Self::default() }),
            ("--status", Self { statuses, ..Self::default() }),
            ("--kep-stage", Self { stages, ..Self::default() }),
            ("--milestone", Self { milestones, ..Self::default() }),
            ("--author", Self { authors, ..Self::default() }),
            ("--approver", Self { approvers, ..Self::default() }),
        ];
        alone.into_iter().filter(|(_, filter)| !filter.is_empty()).collect()
    }

    pub fn parse_sig(text: &str) -> Result<Sig, String> {
        Sig::of(text).ok_or_else(|| "write the name of a SIG, such as `sig-node`".to_owned())
    }

    /// Reads a value of [`Filter::statuses`]: a word of the layout, or of KEPs.
    pub fn parse_status(text: &str, layout: &Layout) -> Result<String, String> {
        let word = text.trim().to_lowercase();
        let is_known = layout.own().map_or_else(|| Status::from_name(&word).is_some(), |own| own.rank(&word).is_some());
        if is_known { Ok(word) } else { Err(suggest::help(&brief(&word), &layout.status_words())) }
    }

    /// Reads a value of [`Filter::stages`]; `ga` is stable.
    pub fn parse_stage(text: &str, layout: &Layout) -> Result<Stage, String> {
        let word = text.trim();
        let own = layout.own();
        let mut known: Vec<&str> = Stage::words().collect();
        known.extend(own.iter().flat_map(|own| own.stages.keys().map(String::as_str)));
        let stage = own.map_or_else(|| Stage::from_word(word), |own| own.stage(word));
        stage.ok_or_else(|| suggest::help(&brief(word), &known))
    }

    /// Fails for a condition that no proposal of the layout can meet, so that none looks as if it was checked.
    pub fn check(&self, layout: &Layout) -> Result<(), Failure> {
        let Some(own) = layout.own().filter(|own| own.metadata == MetadataPlace::Nowhere) else { return Ok(()) };
        let of_targets = ["--milestone", "--kep-stage"];
        let is_empty = |option: &&str| *option != "--sig" && (own.targets.is_empty() || !of_targets.contains(option));
        let Some(option) = self.each().into_iter().map(|(option, _)| option).find(is_empty) else { return Ok(()) };
        let message = format!("`{option}` matches nothing: `metadata` is `none` in the configuration");
        Err(Failure::new(message).help("use another filter, or none"))
    }

    pub fn parse_handle(text: &str) -> Result<Handle, String> {
        Handle::of(text).ok_or_else(|| "write a GitHub handle, such as `@ann`".to_owned())
    }

    pub fn admits(&self, kep: &Kep) -> bool {
        self.admits_facts(&Facts::of(kep))
    }

    pub fn admits_facts(&self, facts: &Facts) -> bool {
        let Facts { sig, status, stage, milestone, authors, approvers } = facts;
        has_one(&self.sigs, sig)
            && has_one(&self.statuses, status)
            && has_one(&self.stages, stage)
            && has_one(&self.milestones, milestone)
            && has_one(&self.authors, authors)
            && has_one(&self.approvers, approvers)
    }
}

impl Facts {
    pub fn of(kep: &Kep) -> Self {
        let metadata = kep.metadata.as_ref();
        let handles = |list: &List| list.items.iter().filter_map(|item| Handle::of(&item.text)).collect::<Vec<_>>();
        let approvals = kep.review.iter().flat_map(|review| &review.approvals);
        let reviewers = approvals.filter_map(|approval| Handle::of(&approval.approver.as_ref()?.text));
        let approvers = metadata.map(|metadata| handles(&metadata.approvers));
        let lower = |text: &str| text.trim().to_lowercase();
        let status = metadata.iter().flat_map(|metadata| {
            // Where the word of KEPs is one of several, it does not mean the others.
            let mut own = kep.texts.layout.own().into_iter().flat_map(|own| &own.statuses);
            let meant = metadata.status().map(Status::name).filter(|name| !own.any(|(word, _)| lower(word) == *name));
            let meant = meant.map(str::to_owned);
            metadata.status.iter().map(|status| lower(&status.text)).chain(meant)
        });
        let target = kep.targets.iter().max_by_key(|target| (target.release, target.stage));
        let stage = metadata.and_then(|metadata| metadata.stage()).or(target.and_then(|target| target.stage));
        Self {
            sig: Sig::owning(kep),
            status: status.collect(),
            stage,
            milestone: target.map(|target| target.release).or(metadata.and_then(|metadata| metadata.milestone())),
            authors: metadata.map(|metadata| handles(&metadata.authors)).unwrap_or_default(),
            approvers: approvers.into_iter().flatten().chain(reviewers).collect(),
        }
    }
}

impl Sig {
    pub fn of(text: &str) -> Option<Self> {
        let name = text.trim().to_lowercase();
        (!name.is_empty()).then_some(Self(name))
    }

    /// The SIG that a KEP belongs to: `owning-sig`, or else that of its directory.
    pub fn owning(kep: &Kep) -> Option<Self> {
        let written = kep.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref());
        written.and_then(|field| Self::of(&field.text)).or_else(|| Self::of(kep.texts.sig()?))
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Handle {
    /// The handle at the start of `text`; `None` if there is none. After a handle with `@`, authors write remarks:
    /// `@ann - for the API`.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let handle = match text.strip_prefix('@') {
            Some(marked) => {
                let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
                marked.split(|letter| !is_part(letter)).next().unwrap_or_default()
            }
            None => text,
        };
        (!handle.is_empty()).then(|| Self(handle.to_lowercase()))
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Whether one of the `wanted` values is among those that a KEP has; without wanted values, any KEP will do.
fn has_one<'a, T: PartialEq + 'a>(wanted: &[T], own: impl IntoIterator<Item = &'a T>) -> bool {
    wanted.is_empty() || own.into_iter().any(|value| wanted.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::texts::{Role, Texts};
    use crate::source::SourceFile;
    use std::sync::Arc;

    const METADATA: &str = "kep-number: 1\nauthors:\n  - \"@Ann\"\n  - \"Bob B.\"\nowning-sig: sig-node\nstatus: implementible\n\
                            stage: GA\nlatest-milestone: \"v1.37.0\"\napprovers: [\"@cy - for the API\", dee]\n";

    fn kep(directory: &str, metadata: &str) -> Kep {
        let path = format!("{directory}/kep.yaml");
        let texts = Texts::new(directory).with(Role::Metadata, SourceFile::decode(path, metadata.into()));
        let mut kep = Kep::parse(texts);
        let review = "kep-number: 1\nalpha:\n  approver: \"@Eve\"\nbeta:\n  approver: TBD\n";
        kep.add_review("sig-node", "1", Arc::new(SourceFile::decode("1.yaml", review.into())));
        kep
    }

    fn filter(field: &str, value: &str) -> Result<Filter, String> {
        let mut filter = Filter::default();
        match field {
            "sig" => filter.sigs.push(Filter::parse_sig(value)?),
            "status" => filter.statuses.push(Filter::parse_status(value, &Layout::default())?),
            "stage" => filter.stages.push(Filter::parse_stage(value, &Layout::default())?),
            "milestone" => filter.milestones.push(Release::read(value)?),
            "author" => filter.authors.push(Filter::parse_handle(value)?),
            _ => filter.approvers.push(Filter::parse_handle(value)?),
        }
        Ok(filter)
    }

    #[test]
    fn each_condition_admits_some_keps() {
        let kep = kep("keps/sig-apps/1-x", METADATA);
        assert!(Filter::default().is_empty() && Filter::default().admits(&kep));
        for (field, value, is_admitted) in [
            ("sig", "SIG-Node", true),
            ("sig", "sig-apps", false),
            ("status", "Implementable", true),
            ("status", "implemented", false),
            ("stage", "ga", true),
            ("stage", "Stable", true),
            ("stage", "beta", false),
            ("milestone", "v1.37", true),
            ("milestone", "1.37", true),
            ("milestone", "v1.36", false),
            ("author", "ann", true),
            ("author", "@ANN", true),
            ("author", "bob b.", true),
            ("author", "bob", false),
            ("author", "cy", false),
            ("approver", "cy", true),
            ("approver", "@Dee", true),
            ("approver", "eve", true),
            ("approver", "ann", false),
        ] {
            let filter = filter(field, value).expect("the value is valid");
            assert!(!filter.is_empty());
            assert_eq!(filter.admits(&kep), is_admitted, "{field} {value}");
        }
    }

    #[test]
    fn values_of_one_list_are_alternatives_and_lists_are_not() {
        let kep = kep("keps/sig-node/1-x", METADATA);
        let sigs = |names: &[&str]| names.iter().filter_map(|name| Sig::of(name)).collect::<Vec<_>>();
        let filter = Filter { sigs: sigs(&["sig-apps", "sig-node"]), ..Filter::default() };
        assert!(filter.admits(&kep));
        assert!(Filter { stages: vec![Stage::Stable], ..filter.clone() }.admits(&kep));
        assert!(!Filter { stages: vec![Stage::Alpha], ..filter }.admits(&kep));
    }

    #[test]
    fn a_kep_without_metadata_has_only_the_sig_of_its_directory() {
        let kep = Kep::parse(Texts::new("keps/sig-node/1-x"));
        assert!(filter("sig", "sig-node").is_ok_and(|filter| filter.admits(&kep)));
        for (field, value) in
            [("status", "provisional"), ("stage", "alpha"), ("milestone", "v1.37"), ("author", "ann"), ("", "ann")]
        {
            assert!(filter(field, value).is_ok_and(|filter| !filter.admits(&kep)), "{field}");
        }
        assert!(filter("sig", "sig-node").is_ok_and(|filter| {
            filter.admits(&super::tests::kep("keps/sig-node/1-x", "status: provisional\nowning-sig: \"\"\n"))
        }));
    }

    #[test]
    fn an_unknown_value_has_a_suggestion() {
        let error = |field, value| filter(field, value).expect_err("the value is unknown");
        assert_eq!(error("status", "implementible"), "did you mean `implementable`?");
        assert!(error("status", "x").starts_with("write `provisional`, "), "{}", error("status", "x"));
        assert_eq!(error("stage", "bta"), "did you mean `beta`?");
        assert_eq!(error("milestone", "soon"), "write it as v1.37");
        assert_eq!(error("author", "@"), "write a GitHub handle, such as `@ann`");
        assert_eq!(error("sig", " "), "write the name of a SIG, such as `sig-node`");
    }
}
