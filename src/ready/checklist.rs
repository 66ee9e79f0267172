//! The checklist of one KEP as data.

use super::answer::{Answer, State};
use super::approver::Approver;
use super::calendar::{Deadline, Family};
use super::item::{Item, Kind};
use super::open::OpenPull;
use super::questionnaire::Questionnaire;
use super::tracked::{Standing, Tracked};
use super::waiting::{Cause, Waiting};
use crate::kep::directory::PROD_READINESS;
use crate::kep::filter::{Facts, Handle};
use crate::lint::about::About;
use crate::stage::{Release, Stage, Status};

/// The checklist of a KEP for a stage and release.
#[derive(Clone)]
pub struct Checklist {
    /// Its directory, as given on the command line and extended; `None` if there is no such KEP.
    pub kep: Option<String>,
    /// The same from `keps` on, if it is in a tree.
    pub tree_path: Option<String>,
    /// The checklist of the release: which items are asked, and the words for a KEP.
    pub family: &'static Family,
    /// Which KEP it is; of one that is not there, only the number that was asked for.
    pub about: About,
    /// The leads of its SIG, as far as `OWNERS_ALIASES` names them.
    pub leads: Vec<String>,
    /// What the tracking board says of it; `None` if no list was given.
    pub tracked: Option<Tracked>,
    pub facts: Facts,
    /// Its SIG, also if kep.yaml does not name it.
    pub sig: Option<String>,
    pub authors: Vec<String>,
    pub approvers: Vec<String>,
    /// The stage that is asked about; `None` if neither the question nor kep.yaml names one.
    pub stage: Option<Stage>,
    pub release: Release,
    /// Whether it is judged as it is in an open pull request.
    pub is_proposed: bool,
    /// The number of the pull request in which it is judged, if that is known.
    pub own_pull: Option<u64>,
    /// The open pull requests that change it; `None` if nobody gave a list of them.
    pub pulls: Option<Vec<Pull>>,
    /// The Release Team's comment on it, where one is asked for and can be written.
    pub comment: Option<String>,
    /// The items that are asked, with their answers, in the order of [`ALL`].
    pub entries: Vec<Entry>,
    /// Whether questions of the PRR questionnaire that the stage requires have no answer.
    pub has_open_questions: bool,
    /// How many of the sections that the stage requires are not filled in.
    pub open_sections: usize,
    pub waiting: Waiting,
    /// Who approves its production readiness, or is asked to; `None` if nobody is named.
    pub approver: Option<Approver>,
    /// The questions of the PRR questionnaire, if they are wanted.
    pub questionnaire: Option<Questionnaire>,
}

/// Whether a KEP is in time for the deadline before the enhancements freeze.
pub struct InTime {
    pub deadline: &'static Deadline,
    /// The titles of the items that are not met.
    pub missing: Vec<&'static str>,
    /// The numbers of the open pull requests that have what is not merged of it.
    pub by: Vec<u64>,
    /// Whether questions of the PRR questionnaire have no answer, which people judge.
    pub has_open_questions: bool,
}

/// An open pull request that changes a KEP, as far as a list of them tells.
#[derive(Clone)]
pub struct Pull {
    pub number: u64,
    /// Its title, as written by its author.
    pub title: String,
    pub url: Option<String>,
    /// The login of its author, without @.
    pub author: Option<String>,
    /// Whether its author calls it a draft.
    pub is_draft: bool,
    pub updated: Option<String>,
    /// Which files of the KEP it changes: README.md, kep.yaml, the PRR file or others, by their names.
    pub files: Vec<String>,
    /// The KEP as it is there; `None` if its head was not fetched, or could not be judged.
    pub checklist: Option<Box<Checklist>>,
}

/// An item that is asked of a KEP, with its answer.
#[derive(Clone)]
pub struct Entry {
    pub item: &'static Item,
    pub answer: Answer,
}

/// Where a KEP is on its way into the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readiness {
    /// It is ready, and nothing is open.
    Ready,
    /// It is ready, but some of the required sections are open.
    SectionsOpen,
    /// It is not ready before a person has looked at something.
    Look,
    NotReady,
    /// It is not ready, and the tracking board says that an exception is asked for or granted.
    Exception,
    Absent,
}

impl Readiness {
    pub const ALL: [Self; 6] =
        [Self::Ready, Self::SectionsOpen, Self::Look, Self::NotReady, Self::Exception, Self::Absent];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SectionsOpen => "sections-open",
            Self::Look => "look",
            Self::NotReady => "not-ready",
            Self::Exception => "exception",
            Self::Absent => "absent",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SectionsOpen => "ready with open sections",
            Self::Look => "to look at",
            Self::NotReady => "not ready",
            Self::Exception => "exception",
            Self::Absent => "not in the tree",
        }
    }
}

/// Which answers decide whether a KEP is ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    #[default]
    Verdict,
    /// Those of evidence as well. What only a person can tell decides nothing.
    Evidence,
}

impl Checklist {
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.item.kind == kind)
    }

    /// The answer to the item of this name, if it is asked.
    pub fn answer(&self, name: &str) -> Option<&Answer> {
        self.entries.iter().find(|entry| entry.item.name == name).map(|entry| &entry.answer)
    }

    /// Whether the KEP is ready: all verdict items are met, and with strictness no evidence is against it.
    pub fn is_ready(&self, strictness: Strictness) -> bool {
        let verdict = self.of_kind(Kind::Verdict).all(|entry| entry.answer.state == State::Met);
        let evidence = || self.of_kind(Kind::Evidence).all(|entry| entry.answer.state != State::NotMet);
        verdict && (strictness == Strictness::Verdict || evidence())
    }

    /// Met or not as [`Checklist::is_ready`], but for a person to look at where it is ready with open sections, or where no
    /// verdict is against it.
    pub fn state(&self, strictness: Strictness) -> State {
        let is_ready = self.is_ready(strictness);
        let is_refused = strictness == Strictness::Evidence || self.count(Kind::Verdict, State::NotMet) > 0;
        if is_ready && self.open_sections == 0 {
            State::Met
        } else if !is_ready && is_refused {
            State::NotMet
        } else {
            State::Look
        }
    }

    /// Where it is on its way into the release.
    pub fn readiness(&self, strictness: Strictness) -> Readiness {
        let is_excepted =
            || self.tracked.as_ref().is_some_and(|tracked| tracked.standing() == Some(Standing::Exception));
        match self.state(strictness) {
            _ if self.kep.is_none() => Readiness::Absent,
            State::Met => Readiness::Ready,
            _ if self.is_ready(strictness) => Readiness::SectionsOpen,
            _ if !self.is_ready(strictness) && is_excepted() => Readiness::Exception,
            State::NotMet => Readiness::NotReady,
            State::Info | State::Look => Readiness::Look,
        }
    }

    /// Whether it became stable in the release, and its kep.yaml does not say so yet.
    pub fn is_to_close(&self) -> bool {
        let latest = self.about.latest_milestone.as_deref().and_then(|text| Release::parse(&text.to_lowercase()));
        let status = self.about.status.as_deref().map(|text| Status::from_name(&text.to_lowercase()));
        let is_over =
            status.flatten().is_some_and(|status| !matches!(status, Status::Provisional | Status::Implementable));
        self.facts.stage == Some(Stage::Stable) && latest == Some(self.release) && !is_over
    }

    /// The tracking issue, which has the number of the KEP; `None` if it has none, or is not Kubernetes' own.
    pub fn issue(&self) -> Option<String> {
        let number = self.about.number.as_deref()?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && self.family.is_of_kubernetes()).then(|| format!("https://kep.k8s.io/{number}"))
    }

    /// Whether it is in time for the deadline before the freeze; `None` if there is no deadline, or no KEP.
    pub fn in_time(&self) -> Option<InTime> {
        self.kep.as_ref()?;
        let deadline = self.family.deadline.as_ref()?;
        let mut missing = self.missing_for(deadline);
        // The deadline asks for what is open for review, so that open pull requests count.
        let is_same = |other: &&Checklist| (other.stage, other.release) == (self.stage, self.release);
        let pulls = self.pulls.iter().flatten().filter_map(|pull| pull.checklist.as_deref()).filter(is_same);
        let judged: Vec<(&Checklist, Vec<&'static str>)> =
            pulls.map(|other| (other, other.missing_for(deadline))).collect();
        let mut by: Vec<u64> = if missing.is_empty() { self.own_pull.into_iter().collect() } else { Vec::new() };
        // One that has most of it is enough, if there is one.
        while let Some((other, lacks)) = judged
            .iter()
            .filter(|(_, lacks)| missing.iter().any(|title| !lacks.contains(title)))
            .min_by_key(|(_, lacks)| missing.iter().filter(|title| lacks.contains(title)).count())
        {
            missing.retain(|title| lacks.contains(title));
            by.extend(other.own_pull);
        }
        let has_open_questions = self.has_open_questions && judged.iter().all(|(other, _)| other.has_open_questions);
        Some(InTime { deadline, missing, by, has_open_questions })
    }

    /// The titles of the items that are not met, of those that `deadline` asks for.
    fn missing_for(&self, deadline: &Deadline) -> Vec<&'static str> {
        let asked = self.entries.iter().filter(|entry| deadline.asks.iter().any(|name| name == entry.item.name));
        asked.filter(|entry| entry.answer.state != State::Met).map(|entry| entry.item.title).collect()
    }

    /// The open pull requests that wait for a person, each with what for; `is_reviewer` says whether that is a PRR
    /// approver.
    pub fn pulls_waiting_for(&self, person: &Handle, is_reviewer: bool) -> Vec<(&Pull, &Self, Vec<Cause>)> {
        let waiting = self.pulls.iter().flatten().filter_map(|pull| {
            let (checklist, waiting) = (pull.checklist.as_deref()?, pull.waiting()?);
            let causes = waiting.causes(person, is_reviewer);
            (!causes.is_empty()).then_some((pull, checklist, causes))
        });
        waiting.collect()
    }

    /// Whether its files are merged, as far as that is known.
    pub fn is_in_tree(&self) -> bool {
        self.kep.is_some() && !self.is_only_in_pull()
    }

    /// Whether it is judged in one of its open pull requests, because it is not in the tree.
    pub fn is_only_in_pull(&self) -> bool {
        let own = self.own_pull;
        self.pulls.iter().flatten().any(|pull| Some(pull.number) == own)
    }

    /// How many of its items of this kind are in `state`.
    pub fn count(&self, kind: Kind, state: State) -> usize {
        self.of_kind(kind).filter(|entry| entry.answer.state == state).count()
    }
}

impl InTime {
    pub fn words(&self) -> &'static str {
        if self.missing.is_empty() { &self.deadline.met } else { &self.deadline.not_met }
    }
}

impl Pull {
    /// Whether it changes what the Release Team asks to be settled: the README or kep.yaml.
    pub fn changes_kep(&self) -> bool {
        self.as_open().kep_files().next().is_some()
    }

    pub fn as_open(&self) -> OpenPull<'_> {
        OpenPull { number: self.number, author: self.author.as_deref(), is_draft: self.is_draft, files: &self.files }
    }

    pub fn changes_review(&self) -> bool {
        self.files.iter().any(|file| file.strip_prefix(PROD_READINESS).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Its address, if that is one of GitHub that can stand in a link.
    pub fn link(&self) -> Option<&str> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~/".contains(letter);
        let path = self.url.as_deref()?.strip_prefix("https://github.com/")?;
        path.chars().all(is_plain).then_some(self.url.as_deref()?)
    }

    /// Whom it waits for; `None` if it could not be judged. An entry of the PRR file that it does not touch, and an approval
    /// of what it does not touch, keep the KEP waiting, but not this.
    pub fn waiting(&self) -> Option<Waiting> {
        let Waiting { review, sig } = self.checklist.as_ref()?.waiting.clone();
        Some(Waiting {
            review: review.filter(|_| self.changes_review()),
            sig: if self.changes_kep() { sig } else { Vec::new() },
        })
    }
}
