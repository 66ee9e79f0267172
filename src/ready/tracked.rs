//! What the Release Team's tracking board says of a KEP, beside what its files say.
use crate::kep::filter::Handle;
use crate::stage::{Release, Stage};
use serde::Serialize;

/// A line of the tracking board, as far as its columns are known; each as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tracked {
    pub status: Option<String>,
    /// `Enhancements Contact`: who of the team follows it.
    pub contact: Option<String>,
    pub sig: Option<String>,
    pub stage: Option<Stage>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub labels: Option<String>,
    pub milestone: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Tracked,
    AtRisk,
    /// Something is missing, and an exception is asked for or granted.
    Exception,
    /// It is not part of the release any more.
    Removed,
}

impl Tracked {
    /// Whether the board says nothing but the number and the stage.
    pub fn is_empty(&self) -> bool {
        *self == Self { stage: self.stage, ..Self::default() }
    }

    pub fn release(&self) -> Option<Release> {
        Release::parse(&self.milestone.as_deref()?.trim().to_lowercase())
    }

    pub fn standing(&self) -> Option<Standing> {
        const WORDS: [(&str, Standing); 7] = [
            ("exception", Standing::Exception),
            ("removed", Standing::Removed),
            ("deferred", Standing::Removed),
            ("at risk", Standing::AtRisk),
            ("untracked", Standing::Removed),
            ("not tracked", Standing::Removed),
            ("tracked", Standing::Tracked),
        ];
        let status = self.status.as_deref()?.to_lowercase();
        WORDS.iter().find(|(word, _)| status.contains(word)).map(|(_, standing)| *standing)
    }

    pub fn contacts(&self) -> impl Iterator<Item = &str> {
        let contacts = self.contact.as_deref().unwrap_or_default();
        let names = contacts.split([',', ';']).map(|name| name.trim().trim_start_matches('@'));
        names.filter(|name| !name.is_empty())
    }

    pub fn has_contact(&self, person: &Handle) -> bool {
        self.contacts().filter_map(Handle::of).any(|contact| contact == *person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_means_one_of_four_things() {
        let standing = |status: &str| Tracked { status: Some(status.to_owned()), ..Tracked::default() }.standing();
        assert_eq!(standing("Tracked for enhancements freeze"), Some(Standing::Tracked));
        assert_eq!(standing("At risk for PRR freeze"), Some(Standing::AtRisk));
        assert_eq!(standing("Exception required"), Some(Standing::Exception));
        assert_eq!(standing("Removed from Milestone"), Some(Standing::Removed));
        assert_eq!((standing("Deferred"), standing("Net New"), standing("")), (Some(Standing::Removed), None, None));
    }

    #[test]
    fn a_contact_is_one_of_those_that_are_named() {
        let tracked = Tracked { contact: Some("@Ann, bob".to_owned()), ..Tracked::default() };
        let has = |name: &str| tracked.has_contact(&Handle::of(name).expect("a handle"));
        assert!(has("ann") && has("@bob") && !has("cy"));
    }
}
