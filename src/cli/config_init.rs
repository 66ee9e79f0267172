//! `kep-lint config init`: writes a first configuration by what it sees in a repository. What it does not know is a
//! comment.

use super::outcome::Outcome;
use super::output;
use super::print::print;
use super::write::together::{self, Change};
use crate::authoring::scalar;
use crate::bounds;
use crate::config::{NAMES, key};
use crate::diagnostic::{Failure, named};
use crate::kep::directory::has_groups;
use crate::kep::front_matter::of_document;
use crate::kep::layout::documents::Documents;
use crate::kep::layout::forms::{Since, TitleForm};
use crate::kep::layout::seen::{self, FEW, Seen, directive, most, targets};
use crate::kep::layout::{Own, TREE};
use crate::kep::metadata::Metadata;
use crate::markdown;
use crate::markdown::section::Sections;
use crate::report::html::template::environment;
use crate::report::{is_hidden, printable};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Status;
use crate::template::{self, Template, TemplateSection};
use crate::workspace::edge::{Edge, followed};
use crate::workspace::files::opened::or_here;
use crate::workspace::files::{Source, disk};
use crate::workspace::git::Git;
use crate::workspace::git::objects::Content;
use crate::workspace::paths::shown;
use crate::yaml::date::Date;
use crate::yaml::tree::{Node, Style};
use minijinja::{Value, context};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Writes a configuration file into a directory, or else into the root of the repository around the working
/// directory; or only shows it.
pub fn run(directory: Option<&Path>, is_shown: bool) -> Result<Outcome, Failure> {
    let directory = directory.map_or_else(root, Path::to_owned);
    let source = disk::around(&directory);
    let keps = source.names(&directory.join(TREE));
    let own = if keps.is_empty() { found(&directory, &source) } else { None };
    if own.is_none() && keps.is_empty() {
        output::note("found no proposals: say in `documents` where they are");
    }
    let text = own.unwrap_or_else(|| key::initial(keps.is_empty() || has_groups(keps.iter())));
    if is_shown {
        print(&text)?;
        return Ok(Outcome::Clean);
    }
    let files = NAMES.map(|name| directory.join(name));
    if let Some(file) = files.iter().find(|file| file.symlink_metadata().is_ok()) {
        return Err(Failure::new(format!("{} exists", named(file))).at(file).help("edit it, or remove it first"));
    }
    let [file, ..] = files;
    if !or_here(&directory).is_dir() {
        let failure = Failure::of("write", &file, &format!("there is no directory {}", named(&directory)));
        return Err(failure.help("make the directory first"));
    }
    let change = Change { given: file.clone(), before: None, after: text };
    together::write(&[change], &Edge::around(&directory))?;
    print(&format!("wrote {}\n", printable(&named(&file))))?;
    Ok(Outcome::Clean)
}

/// A document, by its path from the root of the repository on.
#[derive(Default)]
struct Document {
    path: String,
    text: String,
    number: Option<u32>,
    day: Option<Date>,
    metadata: Option<String>,
}

/// Documents of one form.
struct Kind {
    known: Documents,
    documents: Vec<Document>,
    template: Option<Document>,
}

/// What is seen of proposals that are no KEPs; `None` if there are none.
fn found(directory: &Path, source: &Source) -> Option<String> {
    let paths: Vec<String> = source.list(or_here(directory)).paths.iter().map(|path| shown(path)).collect();
    let read = |path: &str| {
        let text = source.read(&directory.join(path), bounds::FILE_BYTES).ok()?.file.text.clone();
        Some(Document { path: path.to_owned(), text, ..Document::default() })
    };
    let seen = seen::all(paths.iter().map(String::as_str));
    let (common, common_files) = seen.first()?;
    let tree = directory_of(common);
    let is_beside = |(pattern, files): &&Seen| files * 2 > *common_files && directory_of(pattern) == tree;
    let beside = seen.iter().filter(is_beside);
    let mut kinds: Vec<Kind> = beside.filter_map(|(pattern, _)| Kind::of(pattern, &paths, &read)).collect();
    let named = common.strip_prefix(tree).filter(|named| named.contains("{number}"));
    let is_named = |pattern: &str| named.is_some_and(|named| pattern.ends_with(named));
    let is_left_out = |(pattern, _): &&Seen| is_named(pattern) && directory_of(pattern) != tree;
    let left_out = |(pattern, files): &Seen| context! { pattern => pattern.as_str(), files => *files };

    let file = metadata_file(&kinds, &paths);
    for it in kinds.iter_mut().flat_map(|kind| kind.documents.iter_mut().chain(&mut kind.template)) {
        it.metadata = match file {
            Some(file) => read(&format!("{}{file}", directory_of(&it.path))).map(|file| file.text),
            None => of_document(&it.text).map(str::to_owned),
        };
        let written = it.metadata.as_ref().and_then(|own| Metadata::parse(FileId(0), own).creation_date);
        it.day = written.and_then(|field| Date::guess(&field.text)).or(it.day);
    }
    let first = kinds.first()?;
    let all: Vec<&Document> = kinds.iter().flat_map(|kind| &kind.documents).collect();
    let metadata: Vec<&str> = all.iter().filter_map(|it| it.metadata.as_deref()).collect();
    let front = first.template.as_ref().and_then(|template| template.metadata.as_deref()).unwrap_or_default();
    let template = first.template.as_ref().map(|template| template.text.as_str()).unwrap_or_default();
    let listed = listed_statuses(front, template);
    let templates: BTreeSet<&str> =
        kinds.iter().filter_map(|kind| Some(kind.template.as_ref()?.path.as_str())).collect();
    let shown = |kind: &Kind| {
        let path = kind.template.as_ref().map(|it| it.path.as_str());
        context! { documents => kind.known.patterns.first(), template => path }
    };
    Some(written(context! {
        count => all.len(),
        word => first.word(),
        has_templates => kinds.len() > 1 && templates.len() == kinds.len(),
        kinds => kinds.iter().map(shown).collect::<Value>(),
        left_out => seen.iter().filter(is_left_out).map(left_out).collect::<Value>(),
        metadata => file.unwrap_or(if metadata.len() < FEW { "none" } else { "front-matter" }),
        title => first.title().map(|(is_in_front_matter, form)| context! { is_in_front_matter, form }),
        targets => most(all.iter().flat_map(|it| targets(&it.text)), FEW),
        sections => first.sections(compared_since(directory, &kinds), directive(template, &listed)),
        statuses => statuses_of(&metadata, &listed),
        keys => keys(&metadata, front).into_iter().collect::<Value>(),
    }))
}

/// The file with the metadata beside most documents.
fn metadata_file<'p>(kinds: &[Kind], paths: &'p [String]) -> Option<&'p str> {
    kinds.first()?.known.file.as_ref()?;
    let all: Vec<&Document> = kinds.iter().flat_map(|kind| &kind.documents).collect();
    let beside = all.iter().flat_map(|it| paths.iter().filter_map(|path| path.strip_prefix(directory_of(&it.path))));
    most(beside.filter(|name| name.ends_with(".yaml") && is_plain(name)), FEW.max(all.len() / 2))
}

/// The configuration, of which `templates/config.yaml` is the text.
fn written(seen: Value) -> String {
    let file = ("config", include_str!("../../templates/config.yaml"));
    let mut environment = environment(&[file], str::to_owned).expect("a test reads the template");
    environment.add_filter("quoted", quoted);
    environment.get_template(file.0).and_then(|template| template.render(seen)).expect("a test renders the template")
}

/// The first proposal after the last change of the headings of templates, if git knows it: by its day, if most
/// have one, otherwise by its number.
fn compared_since(directory: &Path, kinds: &[Kind]) -> Option<Since> {
    let git = Git::of_file(directory).ok().filter(|git| !git.is_shallow())?;
    let directory = followed(directory);
    let around = git.root().way_to(&directory)?;
    let change = |kind: &Kind| last_change(&git, kind.template.as_ref()?, around);
    let (day, commit) = kinds.iter().filter_map(change).max()?;
    let documents = &kinds.first()?.documents;
    if documents.iter().filter(|it| it.day.is_some()).count() * 2 > documents.len() {
        let newest = git.line(["log", "-1", "--format=%cs"]).and_then(|written| Date::parse(&written))?;
        // Hardly anybody completes what is older than two years.
        let recent = Date::after_epoch(newest.days_after_epoch().saturating_sub(2 * 365))?;
        return Some(Since::Day(day.max(recent)));
    }
    let tree = around.join(&kinds.first()?.known.tree);
    // What the same commit adds is new as well.
    let before = format!("{commit}^");
    let options = ["--no-ext-diff", "--find-renames", "--diff-filter=A", "--name-only", "-z"];
    let compared = [before.as_str(), "HEAD", "--", tree.to_str()?];
    let added = git.answer(["diff"].into_iter().chain(options).chain(compared))?;
    let added = String::from_utf8_lossy(&added);
    let is_older = |it: &&Document| !added.split('\0').any(|path| Path::new(path) == around.join(&it.path));
    let numbers = |kind: &Kind| kind.documents.iter().filter(is_older).filter_map(|it| it.number).max();
    Some(Since::Number(kinds.iter().filter_map(numbers).max()?.checked_add(1)?))
}

/// The day and the commit of the last change of the headings of a template, from `around` on; `None` if they are changed
/// since.
fn last_change(git: &Git, template: &Document, around: &Path) -> Option<(Date, String)> {
    let way = around.join(&template.path);
    let way = way.to_str()?;
    let keys = |text: &str| {
        let document = markdown::Document::of_text(text);
        template::headings(&document).map(|(_, section)| section.title.key.clone()).collect::<Vec<_>>()
    };
    let now = keys(&template.text);
    let is_same = |commit: &str| match git.objects().ok()?.read(&format!("{commit}:{way}"), bounds::FILE_BYTES) {
        Ok(Content::File(bytes)) => Some(keys(&String::from_utf8_lossy(&bytes)) == now),
        _ => None,
    };
    let commits = git.lines(["log", "--format=%H %cs", "--", way]);
    let commits = commits.iter().filter_map(|line| line.split_once(' '));
    let (commit, day) = commits.take_while(|(commit, _)| is_same(commit) == Some(true)).last()?;
    Some((Date::parse(day)?, commit.to_owned()))
}

impl Kind {
    fn of(pattern: &str, paths: &[String], read: &impl Fn(&str) -> Option<Document>) -> Option<Self> {
        let mut known = Documents::default();
        known.add(pattern, None, true).ok()?;
        let is_own = |path: &&String| known.place(path).is_some_and(|place| known.has(Path::new(place)));
        let stem = known.file.as_deref().and_then(|file| file.strip_suffix(".md")).unwrap_or_default();
        // It may have the name of a document: `guide/README.md` beside `guide/metadata.yaml`.
        let is_begun = |path: &str| {
            let has_metadata = path.contains('/') && paths.contains(&format!("{}metadata.yaml", directory_of(path)));
            has_metadata && known.file.as_ref().is_some_and(|file| path.ends_with(file))
        };
        let is_template = |path: &&String| {
            let lower = path.to_lowercase();
            let is_near = path.starts_with(&known.tree) || path.matches('/').count() < 2;
            let is_named = lower.contains("template") && lower.contains(".md") && !lower.starts_with('.');
            let mut sure = ["/template.md", "/_template.md", "proposal-template.md"].iter();
            let is_sure = sure.any(|end| lower.ends_with(end));
            is_near && (is_sure || !is_own(path) && (is_named || is_begun(path)))
        };
        let rank = |path: &&String| (!path.starts_with(&known.tree), !path.contains(stem), path.len());
        let nearest = paths.iter().filter(is_template).min_by_key(rank);
        let others = paths.iter().filter(|path| is_own(path) && Some(*path) != nearest);
        let documents = others.filter_map(|path| {
            let place = known.place(path)?;
            let number = known.number(place).and_then(|number| number.parse().ok());
            Some(Document { number, day: known.date(place), ..read(path)? })
        });
        let documents = documents.collect();
        let mut kind = Self { template: nearest.and_then(|path| read(path)), known, documents };
        // One of them may be the template of the others: `GEP template`.
        let template = format!("{} template", kind.word().unwrap_or_default());
        let is_named = |it: &Document| titles(&it.text).any(|(_, title)| title.ends_with(&template));
        if let (None, Some(at)) = (&kind.template, kind.documents.iter().position(is_named)) {
            kind.template = Some(kind.documents.remove(at));
        }
        Some(kind)
    }

    /// What is asked of the headings of the template; nothing if lines of it in this form say that.
    fn sections(&self, since: Option<Since>, directive: Option<String>) -> Value {
        let is_compared = |it: &&Document| match since {
            None => true,
            Some(Since::Day(day)) => it.day >= Some(day),
            Some(Since::Number(number)) => it.number >= Some(number),
        };
        let compared: Vec<&Document> = self.documents.iter().filter(is_compared).collect();
        let rare = match &self.template {
            Some(template) if directive.is_none() && compared.len() >= FEW => rare(template, &compared),
            _ => Vec::new(),
        };
        match since {
            Some(Since::Day(day)) => context! { since => day.to_string(), is_day => true, rare, directive },
            Some(Since::Number(number)) => context! { since => number, rare, directive },
            None => context! { rare, directive },
        }
    }

    /// The word before the number in titles.
    fn word(&self) -> Option<String> {
        Some(self.title()?.1.split(|mark: char| !mark.is_alphabetic()).next()?.to_owned())
    }

    /// Whether titles are in the front matter, and their form.
    fn title(&self) -> Option<(bool, String)> {
        let form = |document: &Document| {
            let number = self.known.number(self.known.place(&document.path)?)?;
            titles(&document.text).find_map(|(place, title)| {
                let numbers = [number, number.trim_start_matches('0')].into_iter();
                let (before, after) = numbers.filter_map(|own| title.split_once(own)).next()?;
                let mark = after.split(char::is_alphanumeric).next()?;
                let form = format!("{before}{{number}}{mark}{{title}}");
                let is_form = before.starts_with(char::is_alphabetic) && TitleForm::parse(&form, place).is_ok();
                is_form.then_some((place, form))
            })
        };
        most(self.documents.iter().filter_map(form), FEW)
    }
}

/// The headings that the template asks for and at most half of the documents have. None if these are all,
/// because a template that asks for nothing is refused.
fn rare(template: &Document, documents: &[&Document]) -> Vec<String> {
    let file = SourceFile::decode(&template.path, template.text.clone().into_bytes());
    let Ok(asking) = Template::of_repository(file).asked_by(&Own::usual()) else { return Vec::new() };
    let known: Vec<Sections> = documents.iter().map(|it| markdown::Document::of_text(&it.text).sections).collect();
    let is_asked = |section: &&TemplateSection| asking.directive(section.source).is_some_and(|asked| asked.required);
    let is_rare = |wanted: &&TemplateSection| {
        let has = |own: &&Sections| own.iter().any(|(_, section)| wanted.has_wording(&section.title));
        known.iter().filter(has).count() * 2 <= known.len()
    };
    let asked = asking.iter().map(|(_, section)| section).filter(is_asked);
    let (rare, common): (Vec<_>, Vec<_>) = asked.partition(is_rare);
    if common.is_empty() {
        return Vec::new();
    }
    // Marks of patterns would stand for other headings.
    let is_plain = |text: &&String| !text.contains(|mark: char| mark.is_control() || "*[{?<".contains(mark));
    rare.into_iter().map(|section| &section.title.text).filter(is_plain).cloned().collect()
}

/// The titles of a document, each with whether it is in the front matter.
fn titles(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let key = of_document(text).and_then(|front| front.lines().find_map(|line| line.strip_prefix("title:")));
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    let titles = key.map(|title| (true, title)).into_iter().chain(heading.map(|title| (false, title)));
    titles.map(|(place, title)| (place, title.trim().trim_matches(['"', '\''])))
}

/// A text as YAML has it, without what could move the cursor.
fn quoted(text: &str) -> String {
    let number = |letter: char| format!("\\U{:08x}", u32::from(letter));
    let escaped = |letter: char| if is_hidden(letter) { number(letter) } else { letter.to_string() };
    scalar::written(text, Style::DoubleQuoted).chars().map(escaped).collect()
}

/// Whether a name of somebody's file or key can be written as it is: it cannot be another key, or move the cursor.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
}

/// The directory of a file, with its `/`.
fn directory_of(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default()
}

/// Words for statuses, by the phase that they mean.
const STATUSES: [(&str, &[&str]); 4] = [
    ("provisional", &["provisional", "draft", "idea", "proposed"]),
    ("active", &["implementable", "accepted", "experimental", "implementing", "prototyping"]),
    ("implemented", &["implemented", "completed", "done", "memorandum", "standard"]),
    ("closed", &["deferred", "rejected", "withdrawn", "replaced", "abandoned", "declined", "obsolete", "superseded"]),
];

/// The phase that a status means; `None` if that is not known.
fn phase_of(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    STATUSES.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(phase, _)| *phase)
}

/// The words for statuses by what they mean, unless all are words of KEPs: those that the template lists, in
/// its order, and those that several proposals have.
fn statuses_of(proposals: &[&str], listed: &[&str]) -> Value {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in proposals.iter().flat_map(|metadata| statuses(metadata, &['|'])) {
        *counts.entry(word).or_default() += 1;
    }
    let is_used = |word: &str, count: usize| {
        count >= FEW || count > 1 && count * 100 >= proposals.len() && phase_of(word).is_some()
    };
    let others = counts.into_iter().filter(|(word, count)| is_used(word, *count) && !listed.contains(word));
    let mut words: Vec<&str> = listed.iter().copied().chain(others.map(|(word, _)| word)).collect();
    if listed.is_empty() || words.iter().all(|word| is_of_keps(word)) {
        words.retain(|word| !is_of_keps(word));
    }
    let phase = |(phase, _): &(&str, &[&str])| {
        let own: Vec<&str> =
            words.iter().copied().filter(|word| phase_of(word).unwrap_or("active") == *phase).collect();
        (!own.is_empty()).then(|| format!("{phase}: [{}]", own.join(", ")))
    };
    let unknown = words.iter().copied().filter(|word| phase_of(word).is_none());
    context! { phases => STATUSES.iter().filter_map(phase).collect::<Vec<_>>(), unknown => unknown.collect::<Value>() }
}

fn is_of_keps(word: &str) -> bool {
    Status::from_name(&word.to_lowercase()).is_some()
}

/// The keys of the template that most proposals have.
fn keys<'t>(proposals: &[&str], template: &'t str) -> Vec<&'t str> {
    let keys = template.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key);
    let all: Vec<Node> = proposals.iter().filter_map(|own| Metadata::parse(FileId(0), own).tree.root).collect();
    let is_filled = |key: &&str| all.iter().filter(|root| root.fills(key)).count() * 2 >= all.len();
    keys.filter(|key| is_plain(key)).filter(is_filled).collect()
}

/// The words for statuses that the metadata of a template and its text list.
fn listed_statuses<'t>(metadata: &'t str, text: &'t str) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    let listed = [metadata, text].into_iter().flat_map(|text| statuses(text, &['|', ',', '#']));
    listed.filter(|word| seen.insert(*word)).collect()
}

/// Words that are no text in YAML.
const YAML: [&str; 7] = ["yes", "no", "true", "false", "on", "off", "null"];

/// The words for statuses in a text: what is between these marks after `status:`. A template, which has more
/// marks, names those of which it has several: a single one may be a placeholder.
fn statuses<'t>(text: &'t str, marks: &'static [char]) -> impl Iterator<Item = &'t str> {
    let words = text.lines().filter_map(move |line| {
        let (key, words) = line.trim_start_matches(|mark: char| !mark.is_alphabetic()).split_once(':')?;
        let is_named = key.eq_ignore_ascii_case("status") && (marks.len() == 1 || words.contains(marks));
        is_named.then_some(words)
    });
    let words = words.flat_map(move |words| words.split(marks));
    let words = words.map(|word| word.trim().trim_matches(['"', '\'', '*', '`', ' ']));
    words.filter(|word| {
        !word.is_empty() && word.chars().all(char::is_alphabetic) && !YAML.contains(&word.to_lowercase().as_str())
    })
}

/// The root of the repository around the working directory, as the user would write it.
fn root() -> PathBuf {
    let here = Path::new(".");
    let edge = Edge::around(here);
    let here = here.canonicalize().unwrap_or_default();
    let depth = here.strip_prefix(edge.root()).map_or(0, |way| way.components().count());
    std::iter::repeat_n("..", depth).collect()
}
