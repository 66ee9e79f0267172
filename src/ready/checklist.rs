//! The checklist of one KEP as data. It is what programs read and what is compared with later ones; reports render it.
use super::answer::{Actor, Answer, Readiness, State, Status};
use super::approval::{Approver, Role, Waiting};
use super::calendar::{Deadline, Family};
use super::items::{Item, Kind, UNKNOWN, item};
use super::questionnaire::Questionnaire;
use super::tracked::{Standing, Tracked};
use crate::diagnostic::{brief, quoted};
use crate::kep::directory::PROD_READINESS;
use crate::kep::filter::Facts;
use crate::stage::release::Reason;
use crate::stage::{self, Release, Stage};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// The files of a KEP that the Release Team asks to be settled.
const KEP_FILES: [&str; 2] = ["README.md", "kep.yaml"];

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Checklist {
    /// Its directory, in a tree from `keps` on; `None` if there is no such KEP.
    pub kep: Option<String>,
    /// Its number, without leading zeros; of a KEP that is not there, how it was asked for.
    pub number: Option<String>,
    pub title: Option<String>,
    /// Its SIG, also if kep.yaml does not name it.
    pub sig: Option<String>,
    #[serde(skip_deserializing)]
    pub status: Option<String>,
    #[serde(skip_deserializing)]
    pub latest_milestone: Option<String>,
    /// `milestone` as written.
    #[serde(skip_deserializing)]
    pub milestones: BTreeMap<&'static str, String>,
    #[serde(skip_deserializing)]
    pub authors: Vec<String>,
    #[serde(skip_deserializing)]
    pub approvers: Vec<String>,
    /// Whether it is judged as it is in an open pull request.
    #[serde(rename = "proposed", default)]
    pub is_proposed: bool,
    /// The stage that is asked about; `None` if neither the question nor kep.yaml names one.
    pub stage: Option<Stage>,
    pub release: Release,
    #[serde(rename = "ready")]
    pub is_ready: bool,
    #[serde(rename = "state", skip_deserializing)]
    pub readiness: Readiness,
    /// Who has to act; nobody if it is ready, and nothing is left to look at.
    #[serde(skip_deserializing)]
    pub actors: Vec<Actor>,
    /// The tracking issue, which has the number of the KEP; `None` if it has none, or is not Kubernetes' own.
    #[serde(skip_deserializing)]
    pub issue: Option<String>,
    /// The leads of its SIG, as far as `OWNERS_ALIASES` names them.
    #[serde(skip_deserializing)]
    pub leads: Vec<String>,
    /// What the tracking board says of it; `None` if no list was given.
    #[serde(rename = "board", skip_deserializing)]
    pub tracked: Option<Tracked>,
    /// Whether it is in time for the deadline before the freeze; `None` if there is no deadline, or no KEP.
    pub deadline: Option<InTime>,
    /// What people should know of it, and what decides nothing.
    #[serde(skip_deserializing)]
    pub remarks: Vec<String>,
    /// The items that are asked, with their answers, in the order of the table.
    #[serde(rename = "answers")]
    pub entries: Vec<Entry>,
    pub waiting: Waiting,
    /// Who approves its production readiness, or is asked to; `None` if nobody is named.
    #[serde(rename = "prr_approver", skip_deserializing)]
    pub approver: Option<Approver>,
    /// The questions of the PRR questionnaire, if they are wanted.
    #[serde(rename = "prr", skip_deserializing)]
    pub questionnaire: Option<Questionnaire>,
    /// The open pull requests that change it; `None` if nobody gave a list of them.
    #[serde(skip_deserializing)]
    pub pulls: Option<Vec<Pull>>,

    /// Its directory, as given on the command line and extended.
    #[serde(skip)]
    pub given: Option<String>,
    /// The checklist of the release: which items are asked, and the words for a KEP.
    #[serde(skip)]
    pub family: &'static Family,
    /// Why it is asked about the release.
    #[serde(skip)]
    pub origin: Reason,
    #[serde(skip)]
    pub is_strict: bool,
    /// Its status at the enhancements freeze.
    #[serde(skip)]
    pub outcome: Status,
    #[serde(skip)]
    pub facts: Facts,
    /// How many sections the stage requires, and how many of them are not filled in.
    #[serde(skip)]
    pub required: usize,
    #[serde(skip)]
    pub open_sections: usize,
    /// The number of the pull request in which it is judged, if that is known.
    #[serde(skip)]
    pub own_pull: Option<u64>,
    /// The Release Team's comment on it, where one is asked for and can be written.
    #[serde(skip)]
    pub comment: Option<String>,
}

/// An open pull request that changes a KEP, as far as a list of them tells.
#[derive(Clone, Default, Serialize)]
pub struct Pull {
    pub number: u64,
    pub title: String,
    pub url: Option<String>,
    pub author: Option<String>,
    #[serde(rename = "draft")]
    pub is_draft: bool,
    pub updated: Option<String>,
    /// Which files of the KEP it changes: README.md, kep.yaml, the PRR file or others, by their names.
    pub files: Vec<String>,
    /// The KEP as it is there; `None` if its head was not fetched, or could not be judged.
    #[serde(flatten, serialize_with = "judged")]
    pub checklist: Option<Box<Checklist>>,
    /// Whom it waits for; `None` if it could not be judged.
    pub waiting: Option<Waiting>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    #[serde(serialize_with = "name", deserialize_with = "named")]
    pub item: &'static Item,
    #[serde(flatten)]
    pub answer: Answer,
}

fn status(open: &[&Entry]) -> Status {
    let state = open.iter().map(|entry| entry.answer.state.max(State::Look)).max().unwrap_or_default();
    Status { state, open: open.iter().map(|entry| entry.item.name).collect() }
}

fn name<S: Serializer>(item: &&'static Item, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(item.name)
}

/// Another version of kep-lint may have other items.
fn named<'de, D: Deserializer<'de>>(input: D) -> Result<&'static Item, D::Error> {
    Ok(item(&String::deserialize(input)?).unwrap_or(&UNKNOWN))
}

/// Whether a KEP is in time for the deadline before the enhancements freeze.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InTime {
    pub name: String,
    pub met: bool,
    #[serde(skip_deserializing)]
    pub missing: Vec<&'static str>,
    #[serde(skip_deserializing)]
    pub by: Vec<u64>,
    #[serde(skip_deserializing)]
    pub open_questions: bool,
    #[serde(skip)]
    pub status: Status,
}

impl Checklist {
    /// Answers for the gates, by all that is known of the KEP.
    #[must_use]
    pub fn concluded(mut self) -> Self {
        let is_open = |entry: &&Entry| match (entry.item.kind, entry.answer.state) {
            (Kind::Verdict, state) => state > State::Info,
            (Kind::Evidence, state) => self.is_strict && state == State::NotMet,
        };
        self.outcome = status(&self.entries.iter().filter(is_open).collect::<Vec<_>>());
        self.is_ready = self.outcome.is_met();
        let is_excepted = self.tracked.as_ref().is_some_and(|it| it.standing() == Some(Standing::Exception));
        self.readiness = match self.outcome.state {
            _ if self.kep.is_none() => Readiness::Absent,
            State::Met | State::Info if self.open_sections == 0 => Readiness::Ready,
            State::Met | State::Info => Readiness::SectionsOpen,
            _ if is_excepted => Readiness::Exception,
            State::NotMet => Readiness::NotReady,
            State::Look => Readiness::Look,
        };
        self.remarks = self.entries.iter().filter_map(|entry| entry.answer.remark.clone()).collect();
        self.deadline = InTime::of(&self);
        self.actors = Actor::ALL.into_iter().filter(|actor| self.waits_for(*actor)).collect();
        self
    }

    /// The items that decide at the deadline and are not met. Whether what is withdrawn is
    /// removed or given up is asked at the freeze.
    fn open_at(&self, deadline: &Deadline) -> Vec<&Entry> {
        let is_asked = |entry: &&Entry| deadline.asks.iter().any(|name| name == entry.item.name);
        let is_open = |entry: &&Entry| match entry.answer.state {
            State::Look => entry.item.name != "status",
            state => state == State::NotMet,
        };
        self.entries.iter().filter(is_asked).filter(is_open).collect()
    }

    fn waits_for(&self, actor: Actor) -> bool {
        let is_refused = |name: &str| self.answer(name).map(|answer| answer.state == State::NotMet);
        let waits_for_sig = !self.waiting.sig.is_empty();
        match actor {
            Actor::Author => self.of_kind(Kind::Verdict).any(|entry| {
                // The approvers of the SIG make a KEP implementable.
                let is_for_sig = waits_for_sig && entry.item.name == "status";
                entry.answer.state == State::NotMet && !is_for_sig
            }),
            Actor::SigApprover => waits_for_sig,
            Actor::PrrApprover => self.waiting.prr && is_refused("prr") == Some(false),
            Actor::ReleaseTeam => self.count(Kind::Verdict, State::Look) > 0 || is_refused("board") == Some(true),
        }
    }

    /// Those of the `open` items that are open here, too.
    fn left_of<'a>(&self, open: &[&'a Entry], deadline: &Deadline) -> Vec<&'a Entry> {
        let own: Vec<&str> = self.open_at(deadline).iter().map(|entry| entry.item.name).collect();
        open.iter().filter(|entry| own.contains(&entry.item.name)).copied().collect()
    }

    /// The color of its first line: that of its status, but for a remark it is to be looked at.
    pub fn state(&self) -> State {
        let remark = if self.remarks.is_empty() { State::Met } else { State::Look };
        self.outcome.state.max(remark)
    }

    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.item.kind == kind)
    }

    pub fn answer(&self, name: &str) -> Option<&Answer> {
        self.entries.iter().find(|entry| entry.item.name == name).map(|entry| &entry.answer)
    }

    /// The items that are open at a gate with this status, in the order of reports.
    pub fn open(&self, status: &Status) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| status.open.contains(&entry.item.name))
    }

    pub fn count(&self, kind: Kind, state: State) -> usize {
        self.of_kind(kind).filter(|entry| entry.answer.state == state).count()
    }

    /// Whether questions of the PRR questionnaire that the stage requires have no answer.
    pub fn has_open_questions(&self) -> bool {
        self.answer("questions").is_some_and(|answer| answer.state != State::Met)
    }

    /// Whether the PRR approver is only asked, and has approved nothing.
    pub fn only_asks(&self) -> bool {
        let approver = self.approver.as_ref().filter(|_| self.answer("prr").is_some());
        approver.is_some_and(|approver| approver.role == Role::Asked)
    }

    /// Whether it became stable in the release, and its kep.yaml does not say so yet.
    pub fn is_to_close(&self) -> bool {
        let latest = self.latest_milestone.as_deref().and_then(|text| Release::parse(&text.to_lowercase()));
        let status = self.status.as_deref().and_then(|text| stage::Status::from_name(&text.to_lowercase()));
        let is_over =
            status.is_some_and(|status| !matches!(status, stage::Status::Provisional | stage::Status::Implementable));
        self.facts.stage == Some(Stage::Stable) && latest == Some(self.release) && !is_over
    }

    /// Whether its files are merged, as far as that is known.
    pub fn is_in_tree(&self) -> bool {
        self.kep.is_some() && !self.is_only_in_pull()
    }

    /// Whether it is judged in one of its open pull requests, because it is not in the tree.
    pub fn is_only_in_pull(&self) -> bool {
        self.pulls.iter().flatten().any(|pull| Some(pull.number) == self.own_pull)
    }
}

pub fn counts(keps: &[&Checklist]) -> [(usize, Readiness); 6] {
    Readiness::ALL.map(|readiness| (keps.iter().filter(|kep| kep.readiness == readiness).count(), readiness))
}

impl InTime {
    /// The deadline asks for what is open for review, so that open pull requests for the same stage and release count.
    fn of(checklist: &Checklist) -> Option<Self> {
        checklist.kep.as_ref()?;
        let deadline = checklist.family.deadline.as_ref()?;
        let pulls = checklist.pulls.iter().flatten().filter_map(|pull| pull.checklist.as_deref());
        let pulls: Vec<&Checklist> =
            pulls.filter(|other| (other.stage, other.release) == (checklist.stage, checklist.release)).collect();
        let mut open = checklist.open_at(deadline);
        let mut by: Vec<u64> = if open.is_empty() { checklist.own_pull.into_iter().collect() } else { Vec::new() };
        // One that has most of it is enough, if there is one.
        while let Some(best) = pulls.iter().min_by_key(|other| other.left_of(&open, deadline).len()) {
            let left = best.left_of(&open, deadline);
            if left.len() == open.len() {
                break;
            }
            open = left;
            by.extend(best.own_pull);
        }
        let open_questions = checklist.has_open_questions() && pulls.iter().all(|other| other.has_open_questions());
        let status = status(&open);
        Some(Self {
            name: deadline.name.clone(),
            met: status.is_met(),
            missing: open.iter().map(|entry| entry.item.title).collect(),
            by,
            open_questions,
            status,
        })
    }
}

impl Pull {
    fn kep_files(&self) -> Vec<&'static str> {
        KEP_FILES.into_iter().filter(|name| self.files.iter().any(|file| file == name)).collect()
    }

    /// What it changes of the files that the Release Team asks to be settled; `None` if it changes none of them.
    pub fn changes(&self) -> Option<String> {
        let files = self.kep_files();
        let draft = if self.is_draft { " (a draft)" } else { "" };
        let author = self.author.as_ref().map(|author| format!(" by {}", quoted(&brief(author)))).unwrap_or_default();
        (!files.is_empty()).then(|| format!("#{}{draft}{author} changes {}", self.number, files.join(" and ")))
    }

    /// Its address, if that is one of GitHub that can stand in a link.
    pub fn link(&self) -> Option<&str> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~/".contains(letter);
        let url = self.url.as_deref()?;
        url.strip_prefix("https://github.com/")?.chars().all(is_plain).then_some(url)
    }

    /// The same with the KEP as it is there. An entry of the PRR file that it does not touch, and an approval of what it does
    /// not touch, keep the KEP waiting, but not this.
    #[must_use]
    pub fn judged(self, checklist: Option<Checklist>) -> Self {
        let mut waiting = checklist.as_ref().map(|checklist| checklist.waiting.clone());
        if let Some(waiting) = &mut waiting {
            if !self.files.iter().any(|file| Path::new(file).starts_with(PROD_READINESS)) {
                (waiting.prr, waiting.prr_approver) = (false, None);
            }
            if self.kep_files().is_empty() {
                waiting.sig.clear();
            }
        }
        Self { checklist: checklist.map(Box::new), waiting, ..self }
    }
}

/// What is asked of a KEP in a pull request is null if it could not be judged.
fn judged<S: Serializer>(checklist: &Option<Box<Checklist>>, serializer: S) -> Result<S::Ok, S::Error> {
    let checklist = checklist.as_deref();
    let object = json!({
        "stage": checklist.and_then(|checklist| checklist.stage),
        "ready": checklist.map(|checklist| checklist.is_ready),
        "missing": checklist.map(|checklist| &checklist.outcome.open),
        "open_questions": checklist.map(Checklist::has_open_questions),
    });
    object.serialize(serializer)
}
