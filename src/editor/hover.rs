//! What is known of a place: what a heading of the template asks for and how other KEPs answer it, what a key and a value of
//! kep.yaml mean, what the code has of a feature gate, and what another KEP is.

use super::about::{self, Thing};
use super::definition::Headings;
use super::view::View;
use super::{harmless, keps};
use crate::authoring::answer::{self, Worth};
use crate::gap::GapKind;
use crate::gap::content::Content;
use crate::kep::metadata::Metadata;
use crate::kep::schema::{REVIEWED, Shape};
use crate::markdown::section::SectionId;
use crate::report::markdown::text::{code, inline};
use crate::report::page::Example;
use crate::report::requirements;
use crate::rules::context::Readme;
use crate::rules::rule::Rule;
use crate::span::{FileId, Span};
use crate::stage::{Release, Stage, Status};
use crate::template::TemplateId;
use crate::template::role::SectionRole;
use std::cmp::Reverse;

/// How many lines of an answer an editor shows as an example.
const HOVER_EXAMPLE_LINES: usize = 10;

/// How many implemented KEPs are read, and how many answers are shown.
const EXAMPLE_KEPS: usize = 6;
const WANTED: usize = 2;

/// How many KEPs of a SIG, the newest first, are looked at to find implemented ones while an editor waits,
/// and how many READMEs of these are read for an answer: each takes a millisecond.
const SIBLING_KEPS: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub span: Span,
    /// What is known, as Markdown that loads and runs nothing.
    pub markdown: String,
}

/// What is known of byte `offset` of a file of the KEP; `None` if there is nothing to say.
pub fn at(view: &View<'_>, file: FileId, offset: usize) -> Option<Hover> {
    let about = about::at(view, file, offset)?;
    let markdown = match about.thing {
        Thing::Heading(id) => heading(view, file, id),
        Thing::Anchor(name) => heading(view, file, Headings::of(view.page(file)?.document).get(name)?),
        Thing::Path { path, .. } => keps::card(view, keps::around(view, &path)?),
        Thing::Gate(name) => Some(gate(view, name)),
        Thing::Key(keys) => key(view, file, &keys),
        Thing::Value { keys, text } => value(view, file, &keys, text),
        Thing::Rule(it) => Some(rule(it)),
    };
    Some(Hover { span: about.span, markdown: markdown? })
}

/// What the template asks for below a heading, how far the section is, and how other KEPs answer it.
fn heading(view: &View<'_>, file: FileId, id: SectionId) -> Option<String> {
    let ctx = view.ctx();
    let readme = ctx.readme.filter(|readme| readme.document.file == file)?;
    let owner = readme.matching().owner(id)?;
    let mut page = format!("**{}**\n\n", inline(&view.template.get(owner).title.text));
    let properties =
        requirements::properties(view.template, owner, &view.repository.layout).into_iter().map(|line| inline(&line));
    for line in properties.chain([in_this_kep(view, &readme, id, owner)]) {
        page += &format!("- {line}\n");
    }
    for part in requirements::guidance(view.template, owner) {
        page += &format!("\n{part}\n");
    }
    for example in examples(view, owner) {
        page += &format!("\n{}", shown(&example));
    }
    // A link may be in one part, and where it leads to in another.
    Some(harmless::markdown(&page))
}

/// "In this KEP: required at beta, empty"
fn in_this_kep(view: &View<'_>, readme: &Readme<'_>, id: SectionId, owner: TemplateId) -> String {
    let ctx = view.ctx();
    let stage = ctx.target.stage.map(|stage| format!(" at {stage}")).unwrap_or_default();
    let is_required = ctx.requirements.iter().any(|requirement| requirement.section == owner);
    let required = if is_required { "required" } else { "not required" };
    let state = state(view, readme, id, owner).map(|state| format!(", {state}")).unwrap_or_default();
    format!("In this KEP: {required}{stage}{state}")
}

/// What is below a heading of the README, in words; `None` for the checklist, where only boxes count.
fn state(view: &View<'_>, readme: &Readme<'_>, id: SectionId, owner: TemplateId) -> Option<&'static str> {
    let gap = readme.gaps().iter().find(|gap| gap.section == owner && readme.matching().is_at(owner, id));
    let by_gap = gap.and_then(|gap| match &gap.kind {
        // If only a part is missing, the rest is there.
        _ if gap.part.is_some() => Some("incomplete"),
        GapKind::Empty(_) => Some("empty"),
        GapKind::Placeholder => Some("placeholder"),
        GapKind::TemplateText => Some("only the template's text"),
        GapKind::MissingParts(_) => Some("incomplete"),
        GapKind::Missing(_) | GapKind::CommentedOut(_) => None,
    });
    by_gap.or_else(|| {
        let lines = readme.visible_lines(readme.sections.get(id).subtree.clone());
        let role = view.template.get(owner).role;
        match Content::of(lines, view.template, role, readme.stage) {
            Content::Nothing => Some("empty"),
            Content::Answer => Some("filled in"),
            // Its boxes are those of the template.
            _ if role == Some(SectionRole::Signoff) => None,
            Content::Guidance => Some("only the template's text"),
            Content::PlaceholderWord | Content::Form | Content::Note => Some("placeholder"),
        }
    })
}

/// Answers of implemented KEPs of the same SIG to the section `id` of the template, the best first.
fn examples(view: &View<'_>, id: TemplateId) -> Vec<Example> {
    let texts = &view.kep().texts;
    let Some((own, sig)) = texts.tree_path.as_deref().zip(texts.sig()) else { return Vec::new() };
    if !answer::has_answers(view.template, id) {
        return Vec::new();
    }
    let is_of_sig = |directory: &&str| directory.split('/').nth(1) == Some(sig) && *directory != own;
    let mut siblings: Vec<&str> = keps::directories(view.repository).filter(is_of_sig).collect();
    let number = |directory: &str| keps::number_of(directory).and_then(|number| number.parse::<u32>().ok());
    siblings.sort_by_key(|directory| Reverse(number(directory)));
    let implemented = siblings.into_iter().take(SIBLING_KEPS).filter_map(|directory| {
        let file = view.read(&format!("{directory}/kep.yaml"))?;
        // Most are not, and need not be parsed.
        let may_be = file.text.contains(Status::Implemented.name());
        let metadata = may_be.then(|| Metadata::parse(FileId(0), &file.text))?;
        (metadata.status() == Some(Status::Implemented)).then(|| (directory, keps::name(directory, &metadata)))
    });
    let mut examples: Vec<Example> = Vec::new();
    for (directory, name) in implemented.take(EXAMPLE_KEPS) {
        let path = format!("{directory}/README.md");
        let answer = view.read(&path).and_then(|readme| answer::find(readme, view.template, id));
        examples.extend(answer.map(|answer| Example { name, path, answer }));
        if examples.iter().filter(|example| example.answer.worth == Worth::Short).count() == WANTED {
            break;
        }
    }
    examples.sort_by_key(|example| example.answer.worth);
    examples.truncate(WANTED);
    examples
}

/// The answer of another KEP, as a quotation.
fn shown(example: &Example) -> String {
    let Example { name, path, answer } = example;
    let lines: Vec<&str> = answer.text.lines().take(HOVER_EXAMPLE_LINES).collect();
    let is_cut = answer.left_out > 0 || answer.text.lines().count() > lines.len();
    // The end of a quotation ends a code block in it.
    let quoted: String = lines.iter().map(|line| format!("> {line}\n")).collect();
    let more = if is_cut { "\n…\n" } else { "" };
    format!("---\n\n{} ({}):\n\n{quoted}{more}", inline(name), code(&format!("{path}:{}", answer.line)))
}

/// What the code has of a gate, and which KEPs list it.
fn gate(view: &View<'_>, name: &str) -> String {
    let repository = view.repository;
    let known = repository.list_of_gates().map(|list| match list.find(name) {
        Some(gate) => inline(&list.describe(&gate)),
        None => {
            let owner = repository.owner_of_gates();
            let meant = list.in_other_case(name).or_else(|| list.near(name).next());
            let meant = meant.map(|gate| format!("; did you mean `{}`?", gate.name)).unwrap_or_default();
            format!("{owner} has no feature gate {} ({}){meant}", code(name), list.as_of())
        }
    });
    let own = view.kep().number();
    let others = repository.gates.get(name).into_iter().flatten().map(|(number, _)| number.as_str());
    let others: Vec<String> = others
        .filter(|number| Some(*number) != own)
        .take(MOST_KEPS)
        .map(|number| format!("KEP-{}", inline(number)))
        .collect();
    let listed = (!others.is_empty()).then(|| format!("Also listed by {}", others.join(", ")));
    let parts: Vec<String> = known.into_iter().chain(listed).collect();
    if parts.is_empty() { format!("Feature gate {}", code(name)) } else { parts.join("\n\n") }
}

/// How many KEPs that list a gate are named.
const MOST_KEPS: usize = 5;

/// What a key means, whether it is required, and which values it may have.
fn key(view: &View<'_>, file: FileId, keys: &[&str]) -> Option<String> {
    let key = view.form(file)?.key(keys)?;
    let mut parts = vec![format!("`{}`: {}", keys.join("."), key.meaning)];
    if key.is_required {
        parts.push("Required.".to_owned());
    } else if let [name] = keys
        && REVIEWED.iter().any(|reviewed| reviewed.name == *name)
    {
        parts.push("Required once the KEP is `implementable`.".to_owned());
    }
    let choice = |name: &str, meaning: &str| format!("- `{name}`: {meaning}");
    let choices: Vec<String> = match keys {
        ["status"] => Status::ALL.map(|status| choice(status.name(), status.meaning())).into(),
        ["stage"] => Stage::ALL.map(|stage| choice(stage.name(), stage.meaning())).into(),
        _ if matches!(key.shape, Shape::Flag) => vec!["`true` or `false`".to_owned()],
        _ => Vec::new(),
    };
    if !choices.is_empty() {
        parts.push(choices.join("\n"));
    }
    Some(parts.join("\n\n"))
}

/// What a value means; where nothing is known of it, what its key means.
fn value(view: &View<'_>, file: FileId, keys: &[&str], text: &str) -> Option<String> {
    let known = view.form(file)?.key(keys)?;
    let meaning = |name: &str, meaning: &str| format!("`{name}`: {meaning}");
    let special = match *keys {
        ["status"] => Status::from_name(text).map(|status| meaning(status.name(), status.meaning())),
        ["stage"] => Stage::from_name(text).map(|stage| meaning(stage.name(), stage.meaning())),
        ["latest-milestone"] | ["milestone", _] => Release::parse(text)
            .filter(|release| !release.is_unknown())
            .map(|release| when(release, view.ctx().current)),
        ["owning-sig"] | ["participating-sigs"] => group(view, text),
        ["kep-number"] => keps::numbered(view, text).and_then(|directory| keps::card(view, directory)),
        _ if known.name == "approver" => Some(approver(view, text)),
        _ => None,
    };
    special.or_else(|| key(view, file, keys))
}

/// Where a release is beside the one under development.
fn when(release: Release, current: Release) -> String {
    let place = match release.cmp(&current) {
        std::cmp::Ordering::Less => format!("a release before {current}, which is under development"),
        std::cmp::Ordering::Equal => "the release under development".to_owned(),
        std::cmp::Ordering::Greater => format!("a release after {current}, which is under development"),
    };
    format!("{release}: {place}")
}

fn group(view: &View<'_>, name: &str) -> Option<String> {
    let repository = view.repository;
    if repository.is_retired_group(name) {
        return Some(format!("{} has ended", code(name)));
    }
    let leads = repository.aliases.leads.get(name).filter(|leads| !leads.is_empty())?;
    let names: Vec<String> = leads.iter().map(|lead| code(lead)).collect();
    Some(format!("{}, led by {}", code(name), names.join(", ")))
}

fn approver(view: &View<'_>, text: &str) -> String {
    let name = text.trim().trim_start_matches('@');
    let (repository, shown) = (view.repository, code(text));
    if repository.aliases.emeritus_approvers.contains(name) {
        format!("{shown} was a PRR approver, and approves no longer")
    } else if repository.aliases.prr_approvers.contains(name) {
        format!("{shown} is a PRR approver")
    } else {
        format!("{shown} is not in `prod-readiness-approvers`")
    }
}

fn rule(rule: &Rule) -> String {
    let why = rule.docs.split("## Why").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap_or_default();
    format!("`{}`: {}\n\n{}", rule.name, rule.summary, why.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::sample::{ask, place};

    const README: &str = "keps/sig-node/1-images/README.md";
    const YAML: &str = "keps/sig-node/1-images/kep.yaml";
    const PRR: &str = "keps/prod-readiness/sig-node/1.yaml";

    fn hover(mark: &str, path: &str) -> String {
        let readme = "# KEP-1: X\n\n[x](#summary)\n\n## Summary\n\nTBD\n\n### Scalability\n\nEnvFiles and OwnGate; KEP-2, #2\n\n<!-- kep-lint-ignore stale-toc: why -->\n";
        let yaml = "kep-number: 1\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\nlatest-milestone: v1.37\nmilestone:\n  deprecated: v1.30\n  beta: v1.38\n\
            title: x\ndisable-supported: true\nfeature-gates:\n  - name: OwnGate\n  - name: EnvFile\nnonsense: y\nsee-also: [/keps/sig-net/2-proxy]\nparticipating-sigs: [sig-x]\n";
        let files = [
            (README, readme),
            (YAML, yaml),
            (PRR, "kep-number: 1\nalpha:\n  approver: '@wojtek-t'\nbeta:\n  approver: '@nobody`'\n"),
            (
                "keps/sig-net/2-proxy/kep.yaml",
                "title: Proxy\nstatus: implemented\nstage: stable\nowning-sig: sig-net\n",
            ),
            (
                "keps/sig-node/3-other/kep.yaml",
                "title: Other\nstatus: implemented\nfeature-gates:\n  - name: EnvFiles\n",
            ),
            (
                "keps/sig-node/3-other/README.md",
                "# KEP-3\n\n## Summary\n\nPods wait for images ![x](https://evil.example/p.png), and nodes can fetch them before that.\n",
            ),
        ];
        ask(&files, |view| {
            let (file, offset) = place(view, path, mark);
            at(view, file, offset + 1).map(|hover| hover.markdown).unwrap_or_default()
        })
    }

    #[test]
    fn a_heading_says_what_is_asked_how_far_it_is_and_how_others_answer() {
        let page = hover("## Summary", README);
        assert!(
            page.starts_with(
                "**Summary**\n\n- Required: in every KEP\n- Also accepted as heading: `Abstract`\n- In this KEP: required at alpha, placeholder\n\n"
            ),
            "{page}"
        );
        assert!(page.contains("\nOne or two paragraphs for readers outside the SIG"), "{page}");
        assert_eq!(hover("(#summary)", README), page, "its entry in the table of contents says the same");
        let example = "---\n\nKEP-3: Other (`keps/sig-node/3-other/README.md:3`):\n\n> Pods wait for images !&#91;x](https://evil.example/p.png), and";
        assert!(page.contains(example), "{page}");
        let later = hover("### Scalability", README);
        assert!(
            later.contains(
                "\n- Required: from beta, in KEPs for v1.21 or later\n- In this KEP: not required at alpha, filled in\n"
            ),
            "{later}"
        );
    }

    #[test]
    fn keys_and_values_say_what_they_mean() {
        let of = |mark: &str| hover(mark, YAML);
        assert!(
            of("status").starts_with("`status`: How far the decision is")
                && of("status").contains("\n- `deferred`: postponed")
        );
        assert!(
            of("status").contains("\n\nRequired.\n\n")
                && of("stage:").contains("Required once the KEP is `implementable`.")
        );
        assert_eq!(of("implementable"), "`implementable`: approved: it can be implemented");
        assert_eq!(of("alpha"), "`alpha`: off by default, and may be removed");
        assert_eq!(of("v1.30"), "v1.30: a release before v1.37, which is under development");
        assert_eq!(of("v1.38"), "v1.38: a release after v1.37, which is under development");
        assert!(of("beta").starts_with("`milestone.beta`: The release in which"), "{}", of("beta"));
        assert!(of("true").ends_with("`true` or `false`"));
        assert!(
            of("sig-node").starts_with("`sig-node`, led by `") || of("sig-node").starts_with("`owning-sig`"),
            "{}",
            of("sig-node")
        );
        assert!(of("sig-x").starts_with("`participating-sigs`: "));
        assert_eq!((of("nonsense"), of("y\nsee")), (String::new(), String::new()));
    }

    #[test]
    fn approvers_say_whether_they_are_some() {
        assert_eq!(hover("'@wojtek-t", PRR), "`@wojtek-t` is a PRR approver");
        assert_eq!(hover("'@nobody", PRR), "`` @nobody` `` is not in `prod-readiness-approvers`");
        assert!(hover("alpha", PRR).starts_with("`alpha`: Who approves"), "{}", hover("alpha", PRR));
    }

    #[test]
    fn gates_keps_and_rules_are_explained() {
        let gate = hover("EnvFiles", README);
        assert!(gate.starts_with("EnvFiles: alpha v1.34") && gate.ends_with("\n\nAlso listed by KEP-3"), "{gate}");
        assert!(
            hover("OwnGate", YAML).starts_with("Kubernetes has no feature gate `OwnGate` (v1."),
            "{}",
            hover("OwnGate", YAML)
        );
        let card = "**KEP-2: Proxy**\n\nimplemented, stable, sig-net\n\n`keps/sig-net/2-proxy`";
        assert_eq!([hover("KEP-2", README), hover("#2", README), hover("/keps/sig-net", YAML)], [card; 3]);
        let rule = hover("stale-toc", README);
        assert!(rule.starts_with("`stale-toc`: ") && !rule.contains("## ") && rule.lines().count() > 2, "{rule}");
    }

    #[test]
    fn the_best_answers_of_implemented_keps_of_the_sig_are_shown() {
        let kep = |number: usize, sig: &str, status: &str, answer: &str| {
            let directory = format!("keps/{sig}/{number}-x");
            let readme = format!("# KEP-{number}: X\n\n## Summary\n\n{answer}\n");
            [
                (format!("{directory}/kep.yaml"), format!("title: T{number}\nstatus: {status}\n")),
                (format!("{directory}/README.md"), readme),
            ]
        };
        const GOOD: &str =
            "Pods wait for their images, which a node can fetch before they are needed, so that they start at once.";
        let files = [
            kep(2, "sig-node", "implemented", GOOD),
            kep(3, "sig-node", "implemented", "TBD"),
            kep(4, "sig-node", "implementable", GOOD),
            kep(5, "sig-net", "implemented", GOOD),
            kep(6, "sig-node", "implemented", "Nodes fetch images before pods."),
            kep(7, "sig-node", "implemented", GOOD),
        ];
        let own = [("keps/sig-node/1-images/kep.yaml".to_owned(), "status: implemented\n".to_owned())];
        let files: Vec<(String, String)> = files.into_iter().flatten().chain(own).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let found = ask(&files, |view| {
            let (id, _) =
                view.template.iter().find(|(_, section)| section.title.text == "Summary").expect("it is there");
            examples(view, id)
        });
        let names: Vec<&str> = found.iter().map(|example| example.name.as_str()).collect();
        assert_eq!(names, ["KEP-7: T7", "KEP-2: T2"]);
        assert_eq!((found[0].path.as_str(), found[0].answer.text.as_str()), ("keps/sig-node/7-x/README.md", GOOD));
    }
}
