//! The Release Team's comments: for a KEP that is ready, at risk or to be looked at, at each gate, what is ticked and said; and
//! hostile KEPs, whose words stay words.

use crate::support::readiness::{Files, METADATA, README, REVIEW, release};
use crate::support::{in_turn, project};
use kep_lint::kep::Kep;
use kep_lint::markdown::Document;
use kep_lint::ready::board::Board;
use kep_lint::ready::calendar::schedule::Time;
use kep_lint::ready::calendar::{Family, schedule_of};
use kep_lint::ready::case::Ask;
use kep_lint::ready::case::{Open, Proposed};
use kep_lint::ready::checklist::{Checklist, Entry, Pull};
use kep_lint::ready::gate::Gate;
use kep_lint::ready::tracked::Tracked;
use kep_lint::ready::{absent, judge};
use kep_lint::report::ready::comment::templates::{BUILT_IN, Templates};
use kep_lint::report::ready::comment::{Comment, Refusal, write};
use kep_lint::source::SourceFile;
use kep_lint::stage::release::Reason;
use kep_lint::template::Template;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

const FILE: &str = "fixtures/sig-release/release-team/role-handbooks/enhancements/communication-templates.md";

/// The templates of the team, with their text.
fn team() -> (String, Templates) {
    let text = fs::read_to_string(project().join(FILE)).expect("a file");
    (text.clone(), templates(&text))
}

fn templates(text: &str) -> Templates {
    Templates::parse(Arc::new(SourceFile::decode("templates.md", text.into())))
}

/// A board about v1.37.
fn board() -> Board {
    let (release, now) = (release(37), Time(1_780_272_000));
    let (family, schedule) = (Family::of(release), schedule_of(release).cloned());
    Board { release, release_origin: Reason::Given, now, family, schedule, ..Board::default() }
}

fn judged(files: &Files) -> Checklist {
    files.judge(None, release(37))
}

/// The KEP with open pull requests, of which the list has nine.
fn with_pulls(mut checklist: Checklist, pulls: Vec<Pull>) -> Checklist {
    let changes: Vec<(u64, Option<String>)> = pulls.iter().map(|pull| (pull.number, pull.changes())).collect();
    let open = Open { pulls: &changes, own: checklist.own_pull, unclear: &[], count: 9, is_cut: false };
    checklist.entries.retain(|entry| entry.item.name != "pulls");
    let item = kep_lint::ready::items::item("pulls").expect("there is one");
    checklist.entries.push(Entry { item, answer: kep_lint::ready::pulls::judge(&open) });
    Checklist { pulls: Some(pulls), ..checklist }.concluded()
}

fn pull(number: u64, files: &[&str], checklist: Option<Checklist>) -> Pull {
    let pull = Pull {
        number,
        title: "@kubernetes/sig-node-leads\n/lgtm -->".to_owned(),
        url: Some("https://github.com/x\n/lgtm".to_owned()),
        author: Some("@mallory\n/hold".to_owned()),
        is_draft: false,
        updated: None,
        files: files.iter().map(|name| (*name).to_owned()).collect(),
        ..Pull::default()
    };
    pull.judged(checklist)
}

fn comment(gate: Gate, checklist: &Checklist) -> Comment {
    write(&board(), checklist, gate, &team().1).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// Which boxes are ticked, in order.
fn boxes(text: &str) -> String {
    Document::of_text(text).boxes.iter().map(|task| if task.ticked { 'x' } else { '-' }).collect()
}

/// The lines that are commands.
fn commands(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('/')).collect()
}

/// The lines of the action items, without those below them.
fn items(text: &str) -> Vec<&str> {
    let is_item = |line: &&str| (line.starts_with("- ") || line.starts_with("* ")) && !line.starts_with("- [");
    text.lines().filter(is_item).collect()
}

fn doubt(gate: Gate, checklist: &Checklist) -> String {
    match write(&board(), checklist, gate, &team().1) {
        Err(Refusal::Doubt(doubt)) => doubt,
        other => panic!("{other:?}"),
    }
}

fn provisional() -> Files {
    Files::demo().edit(METADATA, "status: implementable", "status: provisional")
}

#[test]
fn what_is_ready_gets_its_template() {
    let ready = with_pulls(judged(&Files::demo()), Vec::new());
    let Comment { text, status, left, .. } = comment(Gate::DEADLINE, &ready);
    assert!(text.starts_with("Hi @ivan 👋, all is there for v1.37, `alpha`.\n"), "{text}");
    assert_eq!((boxes(&text).as_str(), commands(&text)), ("xxx", vec!["/label tracked/yes"]));
    assert_eq!((status.as_str(), left), ("Tracked for PRR freeze", vec![]));
    let Comment { text, status, .. } = comment(Gate::ENHANCEMENTS, &ready);
    assert_eq!((boxes(&text).as_str(), commands(&text)), ("xxxxxx", vec!["/label tracked/yes"]));
    assert_eq!(status, "Tracked for enhancements freeze");
    assert!(text.contains("`latest-milestone: v1.37`"), "{text}");
    for gate in [Gate::DEADLINE_PARTY, Gate::ENHANCEMENTS_PARTY] {
        let Comment { text, .. } = comment(gate, &ready);
        assert_eq!(text, "Hi @ivan, well done.\n\n/label tracked/yes\n");
    }
}

#[test]
fn what_is_at_risk_is_told_what_to_do() {
    let files = Files::demo().edit(REVIEW, "heidi", "nobody").edit(METADATA, "stage: alpha\n", "");
    let at_risk = with_pulls(judged(&files), Vec::new());
    let Comment { text, status, left, unless } = comment(Gate::DEADLINE, &at_risk);
    assert_eq!(
        (boxes(&text).as_str(), commands(&text).len()),
        ("x--", 0),
        "a box that the template ticks is not: {text}"
    );
    assert_eq!((status.as_str(), unless), ("At risk for PRR freeze", None));
    assert_eq!(left, ["`{stage}`"], "it has none");
    assert!(text.contains("**2026-06-09 AoE** for v1.37, `{stage}`"), "{text}");
    let found = items(&text);
    assert_eq!(found.len(), 3, "{text}");
    assert!(found[0].starts_with("- stage: kep.yaml has no `stage`"), "{text}");
    let provisional = with_pulls(judged(&provisional()), Vec::new());
    let Comment { text, status, .. } = comment(Gate::ENHANCEMENTS, &provisional);
    assert_eq!((boxes(&text).as_str(), status.as_str()), ("x-xxx", "At risk for enhancements freeze"));
    assert_eq!(items(&text), ["* status: it is provisional, not implementable (`kep.yaml:6`)"]);
    assert!(
        text.contains("\n  - write `status: implementable` in `keps/sig-storage/4-snapshot-hints/kep.yaml`\n"),
        "{text}"
    );
    assert_eq!(commands(&text), ["/remove-label tracked/yes"], "those of the template");
    let Comment { text, status, .. } = comment(Gate::ENHANCEMENTS_PARTY, &provisional);
    assert_eq!(status, "Removed from Milestone");
    assert_eq!(commands(&text), ["/remove-label tracked/yes", "/label tracked/no", "/milestone clear"]);
    let Comment { text, .. } = comment(Gate::DEADLINE_PARTY, &at_risk);
    assert_eq!(commands(&text), ["/label tracked/no", "/milestone clear"]);
}

#[test]
fn what_a_person_must_look_at_is_never_ticked() {
    let open = Files::demo().edit(README, "Fewer snapshots of volumes that nobody restores.\n", "");
    let open = with_pulls(judged(&open), Vec::new());
    assert_eq!(boxes(&comment(Gate::ENHANCEMENTS, &open).text), "xxxxxx", "sections never decide");
    let unlisted = Files::demo().edit(README, "## Release Signoff Checklist\n", "## Others\n");
    let unlisted =
        unlisted.edit(README, "- [Release Signoff Checklist](#release-signoff-checklist)", "- [Others](#others)");
    let unlisted = with_pulls(judged(&unlisted), Vec::new());
    let Comment { text, unless, .. } = comment(Gate::ENHANCEMENTS, &unlisted);
    assert_eq!((boxes(&text).as_str(), unless.is_some()), ("-xxxx", true));
    assert!(items(&text)[0].starts_with("* to be checked by hand: Release Signoff Checklist: "), "{text}");
    let why = doubt(Gate::ENHANCEMENTS_PARTY, &unlisted);
    assert_eq!(why, "a person must look first: Release Signoff Checklist");
    let unchecked = judged(&Files::demo());
    let Comment { text, status, unless, .. } = comment(Gate::ENHANCEMENTS, &unchecked);
    assert_eq!(boxes(&text), "xxxxx-", "nobody gave the pull requests");
    assert_eq!(status, "Tracked for enhancements freeze", "the status is that of every format");
    assert!(unless.is_some_and(|unless| unless.contains("no other open pull request")), "{unless:?}");
    let Comment { text, .. } = comment(Gate::ENHANCEMENTS, &judged(&provisional()));
    let by_hand = "* to be checked by hand: no other open pull request changes the README or kep.yaml";
    assert_eq!(items(&text).last(), Some(&by_hand));
    for gate in [Gate::DEADLINE_PARTY, Gate::ENHANCEMENTS_PARTY] {
        assert_eq!(doubt(gate, &unchecked), "its open pull requests are not known");
    }
    let withdrawn = Files::demo().edit(METADATA, "status: implementable", "status: withdrawn");
    let why = doubt(Gate::ENHANCEMENTS_PARTY, &with_pulls(judged(&withdrawn), Vec::new()));
    assert!(why.starts_with("a person must look first: "), "{why}");
    let tracked = Some(Tracked { status: Some("Exception required".to_owned()), ..Tracked::default() });
    for files in [Files::demo(), provisional()] {
        let excepted = with_pulls(judged(&files), Vec::new());
        let excepted = Checklist { tracked: tracked.clone(), ..excepted }.concluded();
        assert_eq!(doubt(Gate::ENHANCEMENTS_PARTY, &excepted), "the tracking board has an exception for it");
        comment(Gate::ENHANCEMENTS, &excepted);
    }
    let unanswered = Files::demo().edit(README, "Unit tests switch the gate on and off.", "");
    assert_eq!(boxes(&comment(Gate::DEADLINE, &judged(&unanswered)).text), "xxx", "most questions have answers");
    let nothing = with_pulls(judged(&Files::demo().without(README)), Vec::new());
    assert_eq!(boxes(&comment(Gate::DEADLINE, &nothing).text), "-xx");
}

#[test]
fn open_pull_requests_count_where_the_team_accepts_them() {
    let files = Files::demo().without(REVIEW);
    let demo = Files::demo();
    let tree = demo.tree();
    let texts = tree.keps.iter().find(|kep| kep.directory.contains("4-snapshot-hints")).expect("it is there");
    let nothing_merged = Proposed::default();
    let ask = Ask { proposed: Some(&nothing_merged), ..Ask::merged(None, release(37)) };
    let proposed = judge(Kep::parse(texts.clone()), &Template::built_in(), &tree.repository, ask);
    assert!(proposed.is_proposed);
    // The pull request itself.
    let Comment { text, .. } = comment(Gate::DEADLINE, &proposed);
    assert_eq!(boxes(&text), "xxx");
    let Comment { text, .. } = comment(Gate::ENHANCEMENTS, &proposed);
    assert_eq!(boxes(&text), "-xx--", "what is merged is not: {text}");
    assert!(items(&text).iter().any(|item| item.starts_with("* PRR: asks `heidi` (not yet approved)")), "{text}");
    // The branch that it is for.
    let merged = with_pulls(judged(&files), vec![pull(7, &["4.yaml"], Some(proposed.clone()))]);
    assert_eq!(boxes(&comment(Gate::DEADLINE, &merged).text), "xxx");
    assert_eq!(commands(&comment(Gate::DEADLINE_PARTY, &merged).text), ["/label tracked/yes"]);
    assert_eq!(boxes(&comment(Gate::ENHANCEMENTS, &merged).text), "xxx-x", "it changes only the PRR file");
    // Others.
    let other = with_pulls(judged(&Files::demo()), vec![pull(8, &["README.md"], Some(judged(&Files::demo())))]);
    let Comment { text, .. } = comment(Gate::ENHANCEMENTS, &other);
    assert_eq!(boxes(&text), "xxxx-");
    assert!(items(&text)[0].starts_with("* other open pull requests: `#8`"), "{text}");
    assert!(doubt(Gate::ENHANCEMENTS_PARTY, &other).starts_with("another pull request is open: #8"));
    let unjudged = with_pulls(judged(&provisional()), vec![pull(9, &["kep.yaml"], None)]);
    for gate in [Gate::DEADLINE_PARTY, Gate::ENHANCEMENTS_PARTY] {
        assert_eq!(doubt(gate, &unjudged), "the open pull request 9 was not judged");
    }
    // It is no other than that in which the KEP is judged.
    let own = with_pulls(Checklist { own_pull: Some(12), ..proposed }, vec![pull(12, &["README.md"], None)]);
    let board = board();
    let text = write(&board, &own, Gate::ENHANCEMENTS, &team().1).expect("it is written").text;
    assert_eq!(boxes(&text), "-xx-x");
    assert!(write(&board, &own, Gate::DEADLINE_PARTY, &team().1).is_ok());
}

#[test]
fn what_no_box_stands_for_decides_as_well() {
    let node = with_pulls(
        Files::demo().edit("keps/sig-node/1-prefetch-images/kep.yaml", "@carol", "@dave").judge_kep(
            "1-prefetch-images",
            None,
            release(38),
        ),
        Vec::new(),
    );
    let text = comment(Gate::ENHANCEMENTS, &node).text;
    assert!(items(&text).iter().any(|item| item.starts_with("* SIG Node approver: ")), "{text}");
    assert!(!comment(Gate::DEADLINE, &node).text.contains("SIG Node"), "the deadline does not ask for it");
    let invalid =
        with_pulls(judged(&Files::demo().edit(METADATA, "creation-date: ", "foo: 1\ncreation-date: ")), Vec::new());
    let Comment { text, status, .. } = comment(Gate::ENHANCEMENTS, &invalid);
    assert_eq!((boxes(&text).as_str(), status.as_str()), ("x-xxx", "At risk for enhancements freeze"));
    let strict = Files::demo().edit(README, "[x] I/we", "[ ] I/we");
    let strict = with_pulls(judged(&strict), Vec::new());
    let write = |is_strict| {
        let strict = Checklist { is_strict, ..strict.clone() }.concluded();
        write(&board(), &strict, Gate::ENHANCEMENTS, &team().1).expect("it is written").text
    };
    assert_eq!(boxes(&write(false)), "xxxxxx");
    let text = write(true);
    assert_eq!((boxes(&text).as_str(), items(&text).len()), ("xxxxx", 1), "{text}");
    let absent = absent("99", Some("99"), None, release(37), Family::of(release(37)), true);
    assert_eq!(boxes(&comment(Gate::DEADLINE, &absent).text), "---");
    assert_eq!(doubt(Gate::DEADLINE_PARTY, &absent), "its open pull requests are not known");
}

#[test]
fn what_is_unknown_stays_and_is_named() {
    let (text, _) = team();
    let ready = with_pulls(judged(&Files::demo()), Vec::new());
    let at = |gate, old: &str, new: &str| {
        assert!(text.contains(old), "{old}");
        write(&board(), &ready, gate, &templates(&text.replace(old, new)))
    };
    let Comment { text, left, .. } =
        at(Gate::DEADLINE_PARTY, "well done", "{ well } done, {well} {x\ny}").expect("it is written");
    assert_eq!(text, "Hi @ivan, { well } done, {well} {x\ny}.\n\n/label tracked/yes\n");
    assert_eq!(left, ["`{ well }`", "`{well}`"]);
    let docs = "- [X] The readme has graduation criteria.\n- [x] The docs PR is open.";
    let Comment { text, left, status, unless } =
        at(Gate::ENHANCEMENTS, "- [X] The readme has graduation criteria.", docs).expect("it is written");
    assert_eq!((boxes(&text).as_str(), unless), ("xxx-xxx", None), "what is not known is not ticked: {text}");
    assert_eq!(status, "Tracked for enhancements freeze");
    assert_eq!(left, ["the box `The docs PR is open.`"]);
    let party = at(Gate::ENHANCEMENTS_PARTY, "well done", "well done\n\n- [x] The docs PR is open");
    assert_eq!(party.err(), Some(Refusal::Doubt("the template has boxes that are not known".to_owned())));
    let at_risk = with_pulls(judged(&provisional()), Vec::new());
    let text = team().0.replace("- [ ] The readme", "- [x] The docs PR is open.\n- [x] The readme");
    let Comment { text, left, .. } =
        write(&board(), &at_risk, Gate::ENHANCEMENTS, &templates(&text)).expect("it is written");
    assert_eq!((boxes(&text).as_str(), left), ("x--xxx", vec!["the box `The docs PR is open.`".to_owned()]));
    let nothing = write(&board(), &ready, Gate::DEADLINE, &templates("# T\n")).err();
    assert_eq!(
        nothing,
        Some(Refusal::Failed(
            "it has no heading `## PRR Freeze Templates` or `## KEP Readiness Deadline \
        Templates` or `## KEP Readiness Templates`"
                .to_owned()
        ))
    );
}

#[test]
fn templates_that_leave_no_room_for_words_are_refused() {
    let hostile = Files::demo().edit(METADATA, "\"@ivan\"", "\"@x/y --> <b>\"");
    let hostile = with_pulls(judged(&hostile), Vec::new());
    let ready = with_pulls(judged(&Files::demo()), Vec::new());
    let at = |checklist: &Checklist, new: &str| {
        let text = team().0.replace("Hi {enhancement owner}, well done.", new);
        write(&board(), checklist, Gate::DEADLINE_PARTY, &templates(&text))
    };
    assert!(
        at(&hostile, "Hi {enhancement owner}, well")
            .is_ok_and(|comment| comment.text.starts_with("Hi `@x/y --> <b>`, w"))
    );
    for new in ["a ` {enhancement owner} b", "<!-- {enhancement owner} -->", "<div>\n{enhancement owner}\n</div>"] {
        assert!(matches!(at(&hostile, new), Err(Refusal::Failed(_))), "{new}");
    }
    for new in ["Hi {enhancement owner}/leads", "Hi {enhancement owner}-x", "@{enhancement owner}"] {
        assert!(matches!(at(&ready, new), Err(Refusal::Failed(_))), "{new}");
    }
    let Comment { text, left, .. } = at(&ready, "/cc {enhancement owner}").expect("it is written");
    assert!(text.starts_with("/cc {enhancement owner}\n"), "a command has no words of a KEP: {text}");
    assert_eq!(left, ["`{enhancement owner}`"]);
}

/// Words that would act.
const HOSTILE: [&str; 12] = [
    "/lgtm",
    "@a\n/lgtm",
    "@kubernetes/sig-node-leads",
    "-->",
    "<!-- a",
    "`/label x` @b",
    "```\n/label x\n```",
    "{insert list of action items}",
    "{enhancement owner} {stage}",
    "- [x] /approve\r/hold\u{2028}/lgtm\u{85}/lgtm\u{b}/lgtm",
    "</details><script>",
    "[a](https://x.y/@b) ![c](d) #1 org/repo#2 GH-3",
];

/// The files of a KEP in which hostile words are wherever an answer may quote them.
fn hostile(words: &str) -> Vec<Files> {
    let quoted = |text: &str| serde_json::to_string(text).expect("it is text");
    let value = quoted(words);
    let edit = |old: &str, new: &str| Files::demo().edit(METADATA, old, new);
    let all = edit("Snapshot hints", &value)
        .edit(METADATA, "\"@ivan\"", &format!("{value}\n  - \"@kubernetes/teams\"\n  - bob"))
        .edit(METADATA, "status: implementable", &format!("status: {value}"))
        .edit(METADATA, "stage: alpha", &format!("stage: {value}"))
        .edit(METADATA, "latest-milestone: \"v1.37\"", &format!("latest-milestone: {value}"))
        .edit(METADATA, "alpha: \"v1.36\"", &format!("alpha: {value}\n  {value}: v1.37"))
        .edit(METADATA, "SnapshotHints", &value)
        .edit(METADATA, "\"@mallory\"", &value)
        .edit(METADATA, "creation-date", &format!("{value}: {value}\ncreation-date"))
        .edit(REVIEW, "\"@heidi\"", &value);
    let readme = Files::demo()
        .edit(METADATA, "\"@ivan\"", &value)
        .edit(README, "## Summary\n", &format!("## {words}\n\n{words}\n\n## Summary\n\n{words}\n"))
        .edit(README, "### Goals\n", &format!("### {words}\n\n<<[UNRESOLVED {words}]>>\n{words}\n<<[/UNRESOLVED]>>\n"))
        .edit(METADATA, "alpha: \"v1.36\"", &format!("alpha: {value}"));
    let owner = edit("owning-sig: sig-storage", &format!("owning-sig: {value}")).edit(
        METADATA,
        "kep-number: 4",
        &format!("kep-number: {value}"),
    );
    let approver =
        Files::demo().edit(REVIEW, "\"@heidi\"", &value).edit(REVIEW, "kep-number: 4", &format!("kep-number: {value}"));
    vec![all, readme, owner, approver]
}

#[test]
fn words_of_a_kep_are_only_words() {
    let (text, team) = team();
    let known: BTreeSet<&str> = text.lines().collect();
    let allowed = ["ivan", "bob"];
    let mut written = 0;
    for (at, words) in HOSTILE.into_iter().enumerate() {
        for files in in_turn(&hostile(words), at) {
            let mut checklist = files.judge_kep("4-snapshot-hints", None, release(37));
            let pulls = vec![pull(5, &["README.md", words], Some(checklist.clone()))];
            for pulls in [None, Some(pulls)] {
                checklist.pulls = pulls;
                for (gate, templates) in Gate::ALL.iter().flat_map(|gate| [(gate, &team), (gate, &BUILT_IN)]) {
                    let text = match write(&board(), &checklist, *gate, templates) {
                        Ok(comment) => comment.text,
                        Err(Refusal::Doubt(_)) => continue,
                        Err(refusal) => panic!("{words:?}: {refusal:?}"),
                    };
                    assert_harmless(&text, &known, &allowed);
                    written += 1;
                }
            }
        }
    }
    assert!(written > 125, "only {written} comments");
}

/// Asserts that a comment has no command but those of these lines, mentions only these people, and hides nothing.
fn assert_harmless(text: &str, known: &BTreeSet<&str>, allowed: &[&str]) {
    for line in text.split(['\n', '\r', '\u{2028}', '\u{85}', '\u{b}']) {
        let is_mark = |letter: char| letter.is_whitespace() || letter.is_ascii_digit() || "->*+.)[]x".contains(letter);
        let is_command = line.trim_start_matches(is_mark).starts_with('/');
        assert!(!is_command || known.contains(line), "{line:?} in:\n{text}");
    }
    let document = Document::of_text(text);
    assert!(document.comments.is_empty() && document.hidden.is_empty(), "{text}");
    for (at, _) in text.match_indices('@').filter(|(at, _)| document.code_around(*at).is_none()) {
        let name = text[at + 1..].split(|letter: char| !(letter.is_alphanumeric() || "-/_".contains(letter))).next();
        assert!(name.is_some_and(|name| allowed.contains(&name)), "{name:?} in:\n{text}");
    }
    for link in &document.links {
        assert!(!text[link.span.clone()].contains("x.y"), "{text}");
    }
}
