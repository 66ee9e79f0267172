//! The input of a rule: the KEP, its README matched with the template, and the repository.

use crate::diagnostic::script::Script;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety, Severity, brief};
use crate::gap::content::{self, Content};
use crate::gap::{self, Gap, GapKind, answer, prose};
use crate::kep::field::{Field, List};
use crate::kep::layout::Layout;
use crate::kep::metadata::Metadata;
use crate::kep::node_approvers::Lead;
use crate::kep::schema::is_template_value;
use crate::kep::texts::{Slot, Texts};
use crate::kep::{Kep, front_matter, names, reference};
use crate::markdown::Document;
use crate::markdown::anchor::Dialect;
use crate::markdown::hidden::{HiddenHeading, Hiding};
use crate::markdown::link::{Definition, Link};
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::mdtoc::{self, Markers, TocEntry};
use crate::repository::Repository;
use crate::requirement::{Requirement, Target};
use crate::rules::preset::Preset;
use crate::source::SourceFile;
use crate::span::{Span, slice};
use crate::stage::release::planned;
use crate::stage::{Phase, Release, Stage, Status};
use crate::suppress::ignore::Ignore;
use crate::suppress::removal;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::cell::OnceCell;
use std::ops::{Deref, Range};

pub struct Ctx<'a> {
    pub kep: &'a Kep,
    /// The README with its matching and gaps; `None` if there is no README.
    pub readme: Option<Readme<'a>>,
    pub template: &'a Template,
    pub repository: &'a Repository,
    pub target: Target,
    pub current: Release,
    pub preset: Preset,
    pub requirements: &'a [Requirement],
    /// kep.yaml before the change that the run is about; `None` if it was not changed, or is new.
    pub base: Option<&'a Metadata>,
}

impl Ctx<'_> {
    /// Completes a finding about a gap: its section, what it stands for, its maximum severity, and the stage
    /// that requires the section. In a KEP that is only a record, a gap is a suggestion unless readers see a
    /// placeholder there.
    pub(super) fn complete_gap(&self, finding: Diagnostic, gap: &Gap) -> Diagnostic {
        let is_visible = matches!(gap.kind, GapKind::Placeholder | GapKind::TemplateText);
        let is_advice = self.target.is_record() && !is_visible;
        let path = self.template.path(gap.section);
        let part = gap.part.iter().map(|part| part.stage.name().to_owned());
        let mut finding = finding
            .at_most(if is_advice { Severity::Advice } else { gap.requirement.cap })
            .subject(Subject::gap(&path.iter().cloned().chain(part).collect::<Vec<_>>()))
            .section(path)
            .covers(gap.covers.iter().map(|id| Subject::gap(&self.template.path(*id))).collect());
        finding.requirement = Some(gap.requirement.required_from());
        if gap.requirement.stage.is_some() { self.relate_stage(finding) } else { finding }
    }

    /// What messages call a gap: "section `Summary`", or "the part for beta of section `Graduation
    /// Criteria`".
    pub(super) fn name_of(&self, gap: &Gap) -> String {
        let part = gap.part.as_ref().map(|part| format!("the part for {} of ", part.stage)).unwrap_or_default();
        format!("{part}section `{}`", self.template.get(gap.section).title.text)
    }

    /// How the proposals of the repository lie.
    pub fn layout(&self) -> &Layout {
        &self.kep.texts.layout
    }

    /// What a key of KEPs is called in the metadata.
    pub(super) fn key_name<'k>(&'k self, key: &'k str) -> &'k str {
        self.layout().own().map_or(key, |own| own.keys.name(key))
    }

    /// Whether all counts that upstream's scripts ask about, and nothing else.
    pub fn is_upstream(&self) -> bool {
        self.preset == Preset::Upstream
    }

    /// Whether the KEP belongs to a SIG. For upstream's scripts, every KEP does.
    pub fn has_groups(&self) -> bool {
        self.repository.has_groups || self.is_upstream()
    }

    /// The script of upstream that fails on a value of `key` that it cannot read.
    pub fn script_that_reads(&self, metadata: &Metadata, key: &str) -> Option<Script> {
        let is_read = match key {
            "stage" => metadata.needs_review(),
            "owning-sig" => self.kep.has_review_elsewhere(),
            "latest-milestone" => metadata.is_implementable_or_implemented(),
            _ => false,
        };
        is_read.then_some(Script::Metadata)
    }

    /// The stages that need an entry in the PRR file: the given one, and that of kep.yaml.
    pub fn reviewed_stages(&self) -> Vec<Stage> {
        if self.target.is_withdrawal {
            return Vec::new();
        }
        let stage_of_kep = self.kep.metadata.as_ref().and_then(|metadata| {
            // Upstream asks for no review of a provisional KEP. The Release Team does if it is for the next
            // release.
            let is_proposed =
                metadata.status() == Some(Status::Provisional) && metadata.milestone() >= Some(self.current);
            if metadata.is_reviewed() || is_proposed { metadata.stage() } else { None }
        });
        let mut stages: Vec<Stage> = self.target.given_stage().into_iter().chain(stage_of_kep).collect();
        stages.dedup();
        stages
    }

    /// Whether the PRR file of the directory's number is there and that of `kep-number` is not. Upstream
    /// compares it as text.
    pub(super) fn is_reviewed_by_directory(&self) -> bool {
        let written = self.kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref());
        let (Some(written), Some(number)) = (written, self.kep.number()) else { return false };
        let owner = self.kep.owner.as_deref();
        let mut reviews = self.repository.reviews_of(number).iter();
        let is_there = reviews.any(|review| Some(review.sig.as_str()) == owner && review.name == number);
        self.kep.review.is_none() && is_there && number != written.text
    }

    pub fn node_lead(&self) -> Option<Lead> {
        let node = &self.kep.metadata.as_ref()?.node_approvers;
        node.required(self.kep.texts.sig(), self.target.lead_for, self.current)
    }

    /// The last stage after that of the KEP whose milestone is the latest one, which that of the KEP's own
    /// stage is not: `stage-not-raised` reports it.
    pub fn stage_not_raised(&self) -> Option<(Stage, &Field<Release>)> {
        let metadata = self.kep.metadata.as_ref().filter(|data| data.status() == Some(Status::Implementable))?;
        let (stage, latest) = (metadata.stage()?, metadata.milestone().filter(|latest| !latest.is_unknown())?);
        let is_latest = |field: &Field<Release>| field.value == Some(latest);
        if metadata.milestone_of(stage).is_some_and(is_latest) {
            return None;
        }
        let later = metadata.milestones.iter().filter(|(later, field)| *later > stage && is_latest(field));
        later.max_by_key(|(later, _)| *later).map(|(later, field)| (*later, field))
    }

    /// The feature gates that the README names where the template asks for them.
    pub(super) fn gates_of_readme(&self) -> Vec<&str> {
        let Some(readme) = self.readme else { return Vec::new() };
        readme.gates().into_iter().map(|gate| slice(&readme.document.source.text, gate)).collect()
    }

    /// The release that a help names: the one under development, or a later one of the KEP's own plan.
    pub(super) fn planned_release(&self) -> Release {
        let metadata = self.kep.metadata.as_ref();
        let begun = metadata.and_then(|metadata| metadata.milestone_of(metadata.stage()?)?.value);
        let latest = metadata.and_then(|metadata| metadata.milestone()).max(begun);
        planned(latest, self.current, self.repository.has_groups).unwrap_or(self.current)
    }

    /// Whether kep.yaml has a list of approvers that names no person: `no-approver` reports it.
    pub(super) fn lacks_approver(&self) -> bool {
        let is_nobody = |item: &str| {
            let is_named_later = content::is_placeholder(item, None) || answer::is_bare(item);
            !item.contains(char::is_alphanumeric) || (is_named_later && !self.is_begun())
        };
        self.kep.metadata.as_ref().is_some_and(|metadata| {
            let List { key, items, .. } = &metadata.approvers;
            let is_list = key.is_some() && !metadata.has_invalid("approvers");
            is_list && items.iter().all(|item| is_nobody(&item.text))
        })
    }

    /// Whether it is a proposal of another project that is only begun: `TBD` may name who looks at it.
    pub(super) fn is_begun(&self) -> bool {
        !self.layout().is_of_keps() && self.target.phase == Phase::Provisional
    }

    /// Front matter is asked for where the template has it, or where a key must be in it: else, all write without it.
    pub(super) fn lacks_front_matter(&self) -> bool {
        let is_in_template = || front_matter::of_document(&self.template.document.source.text).is_some();
        let has_key = self.layout().own().is_some_and(|own| !own.keys.required.is_empty());
        let is_without = self.layout().has_front_matter() && self.kep.texts.metadata == Slot::Absent;
        is_without && (has_key || is_in_template())
    }

    /// Relates a finding to the `stage` in kep.yaml that the KEP is checked against.
    pub(super) fn relate_stage(&self, finding: Diagnostic) -> Diagnostic {
        let Some(metadata) = &self.kep.metadata else { return finding };
        match (metadata.stage(), &metadata.stage) {
            (Some(stage), Some(field)) if Some(stage) == self.target.stage => {
                finding.related(field.span, format!("required because `stage: {stage}`"))
            }
            _ => finding,
        }
    }
}

impl<'a> Ctx<'a> {
    /// Whether a document of the KEP links to a heading with this text, so that a new text would break the
    /// link. Tables of contents do not count: they are regenerated.
    pub fn links_to(&self, heading: &str) -> bool {
        let anchors = [Dialect::Mdtoc, Dialect::GitHub].map(|dialect| dialect.anchor(heading));
        let leads_to_heading = |target: &str| {
            let name = target.rsplit_once('#').map(|(_, name)| name);
            name.is_some_and(|name| anchors.iter().any(|anchor| name.eq_ignore_ascii_case(anchor)))
        };
        self.pages().any(|page| {
            let contents = page.contents();
            let mut links = page.links.iter().filter(|link| !contents.contains(&link.span.start));
            links.any(|link| leads_to_heading(&link.target))
        })
    }

    /// The links of the KEP to anchors in other documents of the repository, document by document.
    pub fn outgoing_links(&self) -> Vec<OutgoingLink> {
        let mut outgoing = Vec::new();
        for page in self.pages() {
            let Some(directory) = page.directory() else { continue };
            for link in &page.document.links {
                if let Some(path) = self.linked_document(&link.target, &directory) {
                    let span = page.span(link.span.clone());
                    let section = self.section_at(span);
                    outgoing.push(OutgoingLink { target: link.target.clone(), path, span, section });
                }
            }
        }
        outgoing
    }

    /// The path of the document that a link with an anchor leads to from `directory`, both from `keps` on.
    fn linked_document(&self, target: &str, directory: &str) -> Option<String> {
        let (address, anchor) = target.split_once('#')?;
        if address.is_empty() || anchor.is_empty() {
            return None;
        }
        let path = self.repository.linked_path(address, directory)?;
        let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let path = if is_file { path } else { format!("{path}/{}", self.repository.layout.document_file()) };
        path.ends_with(".md").then_some(path)
    }

    pub fn replaced_keps(&self) -> Vec<ReplacedKep> {
        let Some(metadata) = &self.kep.metadata else { return Vec::new() };
        let directory = self.kep.texts.tree_path.as_deref();
        let items = metadata.replaces.items.iter().filter(|item| !is_template_value("replaces", &item.text));
        let path = |text: &str| {
            let path = reference::path(text, directory, self.repository.layout.tree())?;
            Some(path.strip_suffix("/README.md").map(str::to_owned).unwrap_or(path))
        };
        let named = items.filter_map(|item| Some(ReplacedKep { path: path(&item.text)?, span: item.span }));
        named.filter(|replaced| Some(replaced.path.as_str()) != directory).collect()
    }

    /// The template's path of titles to the section that contains `span`, a span of the README.
    pub fn section_at(&self, span: Span) -> Option<Vec<String>> {
        let readme = self.readme.filter(|readme| span.file == readme.file)?;
        let section = readme.sections.at(span.start)?;
        readme.matching().nearest_owner(readme.document, section).map(|owner| self.template.path(owner))
    }

    /// The key and the value at `span`, a span of a YAML file, as the subject of a finding.
    pub(super) fn key_at(&self, span: Span) -> Option<Subject> {
        let (path, value) = self.kep.yaml(span.file)?.path_to(span)?;
        let value = value.as_str().unwrap_or_else(|| slice(&self.kep.texts.file(span.file).text, span.range()));
        Some(Subject::named(path.into_iter().chain([value])))
    }

    /// The documents of the KEP: the README first, then the others.
    pub fn pages(&self) -> impl Iterator<Item = Page<'a>> {
        let texts = &self.kep.texts;
        let readme = self.readme.map(|readme| readme.document);
        readme.into_iter().chain(&self.kep.documents).map(|document| {
            let name = document.source.path.rsplit('/').next().unwrap_or_default();
            Page { document, name, texts }
        })
    }
}

#[derive(Clone, Debug)]
pub struct OutgoingLink {
    pub target: String,
    pub path: String,
    pub span: Span,
    pub section: Option<Vec<String>>,
}

impl OutgoingLink {
    /// Its anchor. Browsers look for the text after `:~:`.
    pub fn name(&self) -> &str {
        let name = self.target.split_once('#').map(|(_, name)| name).unwrap_or_default();
        name.split_once(":~:").map_or(name, |(name, _)| name)
    }
}

#[derive(Clone, Debug)]
pub struct ReplacedKep {
    pub path: String,
    pub span: Span,
}

pub struct JudgedIgnore<'a> {
    pub ignore: &'a Ignore,
    pub source: &'a SourceFile,
    pub verdicts: Vec<Verdict>,
    pub is_fixable: bool,
}

impl JudgedIgnore<'_> {
    /// Removes the names at these places, or the whole comment if it has no others.
    pub fn removal(&self, safety: Safety, names: &[usize]) -> Option<Fix> {
        let is_whole = names.len() == self.ignore.names.len();
        let comment = || removal::of_comment(self.source, self.ignore).map(|edit| vec![edit]);
        let edits = if is_whole { comment()? } else { removal::of_names(self.ignore, names) };
        if self.is_fixable { Some(Fix { safety, title: "remove it".to_owned(), edits }) } else { None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    Unused,
    /// No rule has this name. There may be one with a similar name.
    Unknown(Option<&'static str>),
    Gone(String),
    Category(&'static str),
    AboutIgnores,
}

#[derive(Clone, Copy)]
pub struct Page<'a> {
    pub document: &'a Document,
    pub name: &'a str,
    pub texts: &'a Texts,
}

impl Deref for Page<'_> {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.document
    }
}

impl Page<'_> {
    /// The directory that it is in, from `keps` on, if that is known.
    pub fn directory(&self) -> Option<String> {
        self.texts.directory_of(self.file)
    }

    pub fn tree_path(&self) -> Option<String> {
        Some(format!("{}/{}", self.directory()?, self.name))
    }

    /// What is between the markers of its table of contents, which repeats the headings; or nothing.
    pub fn contents(&self) -> Range<usize> {
        Markers::find(self.text()).between().unwrap_or_default()
    }

    /// A finding about links with one target, which is the label of a reference: each is to be written as `[text][label]`.
    pub fn as_references(
        &self,
        finding: Diagnostic,
        links: &[&Link],
        label: &str,
        definition: &Definition,
    ) -> Diagnostic {
        finding
            .help(format!("write `[…][{0}]`: `{0}` is a reference", brief(&definition.label)))
            .related(self.span(definition.span.clone()), "definition of the reference")
            .fix(self.with_end(links, &format!("[{label}]"), Safety::Safe, "write it as a reference"))
    }

    /// Writes `end` in place of the `(target)` that each of `links` ends with, if that is possible for all
    /// of them.
    pub fn with_end(&self, links: &[&Link], end: &str, safety: Safety, title: &str) -> Option<Fix> {
        let written = format!("({})", links.first()?.target);
        let edits = links.iter().map(|link| {
            let is_plain = self.slice(link.span.clone()).ends_with(&format!("]{written}"));
            let span = self.span(link.span.end - written.len().min(link.span.len())..link.span.end);
            is_plain.then(|| Edit { span, text: end.to_owned() })
        });
        let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
        Some(Fix { safety, title: title.to_owned(), edits })
    }

    pub fn has_checked_toc(&self, repository: &Repository) -> bool {
        self.name.ends_with(".md") && !repository.lists_without_toc(self.tree_path().as_deref())
    }
}

/// The README of a KEP: a document that is matched with the template.
#[derive(Clone, Copy)]
pub struct Readme<'a> {
    pub document: &'a Document,
    pub template: &'a Template,
    pub requirements: &'a [Requirement],
    pub stage: Option<Stage>,
    /// The path of its directory from `keps` on, or else as reports show it.
    pub directory: &'a str,
    pub made: &'a Made,
}

/// What is made of a README when a rule asks for it: for KEPs that are finished, few rules do.
#[derive(Default)]
pub struct Made {
    matching: OnceCell<Matching>,
    pub gaps: OnceCell<Vec<Gap>>,
    listed: OnceCell<Result<Vec<TocEntry>, Range<usize>>>,
}

impl Deref for Readme<'_> {
    type Target = Document;

    fn deref(&self) -> &Document {
        self.document
    }
}

impl<'a> Readme<'a> {
    pub fn matching(&self) -> &'a Matching {
        self.made.matching.get_or_init(|| Matching::new(self.template, self.document))
    }

    pub fn gaps(&self) -> &'a [Gap] {
        let Self { document, template, requirements, stage, directory, made } = *self;
        made.gaps.get_or_init(|| gap::find(template, document, self.matching(), requirements, stage, directory))
    }

    /// The section of the template with this role, where the README has it.
    pub(super) fn with_role(&self, role: SectionRole) -> Option<(TemplateId, &'a Match)> {
        let id = self.template.with_role(role)?;
        Some((id, self.matching().place(id)?))
    }

    /// The headings that mdtoc lists below the table of contents, or one that is too long.
    pub fn listed(&self) -> Result<&'a [TocEntry], Range<usize>> {
        let start = Markers::find(self.text()).between().map_or(0, |between| between.end);
        let entries = || mdtoc::entries_of_lines(self.text(), self.source.lines(), start);
        self.made.listed.get_or_init(entries).as_deref().map_err(Range::clone)
    }

    /// Where a gap is that has a heading: the heading, and the text.
    pub(super) fn place_of(&self, gap: &'a Gap) -> Option<(Span, Range<usize>)> {
        let (heading, text) = match &gap.part {
            Some(part) => (&part.heading, &part.text),
            None => self.matching().place(gap.section).map(|place| (&place.heading, &place.subtree))?,
        };
        Some((self.span(heading.clone()), text.clone()))
    }

    pub fn visible_text(&self, range: Range<usize>) -> String {
        self.visible_lines(range).collect::<Vec<_>>().join("\n")
    }

    /// The section of the template that a hidden heading would be, if no visible heading is it.
    pub fn hidden_section(&self, hidden: &HiddenHeading) -> Option<TemplateId> {
        let mut absent = self.template.iter().filter(|(id, _)| self.matching().place(*id).is_none());
        absent.find(|(_, section)| section.has_wording(&hidden.title)).map(|(id, _)| id)
    }

    /// The title, if there is none but one that a comment, HTML or a character hides: `swallowed-heading` and
    /// `not-a-heading` report it.
    pub(super) fn swallowed_title(&self) -> Option<&'a HiddenHeading> {
        if self.sections.title().is_some() {
            return None;
        }
        self.document.hidden.iter().find(|hidden| {
            let is_meant = !matches!(hidden.by, Hiding::Comment | Hiding::RunawayCode | Hiding::Code);
            hidden.is_named && hidden.level == 1 && is_meant
        })
    }

    /// What a reader sees in a section and in the headings inside it. Addresses are left out, which may have
    /// the words of anything.
    pub fn words(&self, place: &Match) -> String {
        let inside = self.sections.iter().filter(|(_, section)| place.has_inside(section));
        let titles: String = inside.map(|(_, section)| format!("{}\n", section.title.text)).collect();
        prose::without_addresses(&(titles + &self.visible_text(place.subtree.clone())))
    }

    pub fn filled(&self, id: TemplateId) -> Option<&'a Match> {
        let place = self.matching().place(id)?;
        let lines = self.visible_lines(place.subtree.clone());
        let content = Content::of(lines, self.template, self.template.get(id).role, None);
        (content == Content::Answer).then_some(place)
    }

    /// The feature gates that it names in the place where the template asks for them.
    pub fn gates(&self) -> Vec<Range<usize>> {
        let place = self.with_role(SectionRole::Enablement);
        let gates = place.map(|(_, place)| names::gates(self.document, place.subtree.clone()));
        gates.unwrap_or_default()
    }
}
