//! `.ci/update-data`, on a copy of the data and on clones that are made here.

use super::gates_import::{VERSIONED, code};
use crate::support::program::{PROGRAM, Printed, kep_lint};
use crate::support::project;
use crate::support::scratch::{Files, Scratch};
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::LazyLock;

const TEMPLATE: &str = "keps/NNNN-kep-template/README.md";
const SIGS: &str = "sigs.yaml";
const V1_37: &str = "releases/release-1.37/README.md";
const V1_38: &str = "releases/release-1.38/README.md";
const GROUPS: &str = "sig-apps\nsig-auth\nsig-cli\nsig-node\nsig-storage\nsig-ui\nwg-batch\n";
const ALIASES: &str = "aliases:\n  prod-readiness-approvers: [deads2k, jpbetz, soltysh]\n  \
                       prod-readiness-approvers-emeritus: [ehashman]\n  sig-node-tech-leads: [mrunalp]\n";
const NAMES: [&str; 4] = ["enhancements", "sig-release", "community", "kubernetes"];
const LATER: &str = "2026-09-07T12:00:00Z";

/// The project's data, and the clones that say the same.
struct Trial {
    project: Scratch,
    clones: [Scratch; 4],
}

impl Trial {
    /// All files of the project and of the clones, made once.
    fn new() -> Self {
        static FILES: LazyLock<(Files, [Files; 4])> = LazyLock::new(|| {
            let Trial { project, clones } = Trial::made();
            (project.files(), clones.map(|clone| clone.files()))
        });
        let (own, clones) = &*FILES;
        let trial = Self { project: Scratch::copy_of(own), clones: clones.each_ref().map(Scratch::copy_of) };
        trial.link();
        trial
    }

    fn made() -> Self {
        let own = Scratch::empty();
        for path in [
            ".ci/update-data",
            "templates/kep.md",
            "templates/releases.yaml",
            "templates/sources.yaml",
            "templates/history/comment-lines.txt",
            "templates/history/form-lines.txt",
            "templates/history/visible-lines.txt",
        ] {
            own.write_bytes(path, &fs::read(project().join(path)).expect("it is there"));
        }
        // What is newer than July 2026 makes no difference.
        let day = own.read("templates/sources.yaml").lines().find(|line| line.starts_with("day: ")).map(str::to_owned);
        own.replace("templates/sources.yaml", &day.expect("a day"), "day: 2026-07-24");
        let releases = own.read("templates/releases.yaml");
        own.write("templates/releases.yaml", releases.split("  v1.38:\n").next().expect("older releases"));
        own.write("src/repository/aliases.yaml", ALIASES);
        own.write("src/repository/groups.txt", GROUPS);
        own.write("src/repository/retired-groups.txt", "wg-apply\nwg-cluster-api\n");
        own.write(".gitignore", "/clones\n");
        let enhancements = Scratch::empty();
        enhancements.write(TEMPLATE, &without_guidance(&own.read("templates/kep.md")));
        enhancements.write("OWNERS_ALIASES", &listed(&own.read("src/repository/aliases.yaml")));
        let sig_release = Scratch::empty();
        let days = ["9th June", "16th June", "22nd July", "5th August", "26th August"];
        sig_release.write(V1_37, &schedule("v1.37.0", days, 2026, " (AoE)"));
        let community = Scratch::empty();
        community
            .write(SIGS, &GROUPS.lines().map(|group| format!("  - dir: {group}\n    name: A\n")).collect::<String>());
        let kubernetes = code();
        let clones = [enhancements, sig_release, community, kubernetes];
        clones.iter().for_each(Scratch::commit);
        let trial = Self { project: own, clones };
        trial.link();
        let list = trial.clones[3].read("list.yaml");
        trial.project.write("templates/feature-gates.yaml", &list);
        let printed = trial.update();
        let said = "gates: 6 new, 1 changed, 2 removed\nwrote templates/feature-gates.yaml, templates/sources.yaml\n";
        assert!(printed.stdout.starts_with(said), "{printed:?}");
        trial.project.commit();
        trial
    }

    fn link(&self) {
        let _ = fs::remove_dir_all(self.project.at("clones"));
        fs::create_dir(self.project.at("clones")).expect("a directory");
        for (name, clone) in NAMES.iter().zip(&self.clones) {
            symlink(&clone.root, self.project.at("clones").join(name)).expect("a link");
        }
    }

    fn update(&self) -> Printed {
        self.project.run("-c", &["python3 .ci/update-data clones"], &[("KEP_LINT", PROGRAM)])
    }

    /// What is said when the clones are refused, which writes nothing.
    fn refusal(&self) -> String {
        let Printed { stdout, stderr, status } = self.update();
        assert_eq!((status, stdout.as_str(), self.changes().as_str()), (1, "", ""), "{stderr}");
        let said = stderr.strip_prefix("refused: ").and_then(|rest| rest.strip_suffix("\nnothing was written\n"));
        said.unwrap_or_else(|| panic!("{stderr}")).to_owned()
    }

    /// Changes one of the clones, which is refused for a reason that contains these words, and changes it back.
    fn refuses(&self, name: &str, change: &dyn Fn(&Scratch), words: &str) {
        let at = NAMES.iter().position(|known| *known == name).expect("a clone");
        let clone = &self.clones[at];
        change(clone);
        clone.commit();
        let said = self.refusal();
        assert!(said.contains(words), "{words}: {said}");
        assert!(said.lines().all(|line| !line.contains(char::is_control)), "{said:?}");
        clone.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }

    /// The same for a file of which a part is replaced.
    fn refuses_text(&self, name: &str, path: &str, old: &str, new: &str, words: &str) {
        self.refuses(name, &|clone| clone.replace(path, old, new), words);
    }

    fn changes(&self) -> String {
        self.project.git(&["status", "--porcelain"])
    }
}

/// A template as upstream has it: without the comments, but for the markers of the table of contents.
fn without_guidance(template: &str) -> String {
    let (mut text, mut is_comment) = (String::new(), false);
    for line in template.lines() {
        is_comment |= line.starts_with("<!--") && !line.ends_with("toc -->");
        if !is_comment {
            text += &format!("{line}\n");
        }
        is_comment &= !line.ends_with("-->");
    }
    text
}

/// Lists of people, one a line.
fn listed(aliases: &str) -> String {
    let lines = aliases.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| format!("{}\n", line.replace(": [", ":\n    - ").replace(", ", "\n    - ").replace(']', "")))
        .collect()
}

/// The days of a release, as the Release Team publishes them.
fn schedule(release: &str, days: [&str; 5], year: u32, until: &str) -> String {
    let names = ["Production Readiness Freeze", "Enhancements Freeze", "Code Freeze", "Docs Freeze"];
    let names = names.map(str::to_owned).into_iter().chain([format!("{release} released")]);
    let ends = [until, until, until, until, ""];
    let rows = names.zip(days).zip(ends).map(|((name, day), end)| format!("| {name} | Lead | {day} {year}{end} | |\n"));
    format!("## Timeline\n\n| What | Who | When | Week |\n|---|---|---|---|\n{}", rows.collect::<String>())
}

#[test]
fn what_is_up_to_date_stays() {
    let trial = Trial::new();
    let printed = trial.update();
    assert_eq!((printed.status, printed.stdout.as_str(), trial.changes().as_str()), (0, "nothing changed\n", ""));
    // A later commit that says nothing new is no new data.
    trial.clones.iter().for_each(|clone| clone.commit_at("2026-08-01T12:00:00Z"));
    assert_eq!((trial.update().stdout.as_str(), trial.changes().as_str()), ("nothing changed\n", ""));
}

#[test]
fn what_has_changed_is_written_and_said() {
    let trial = Trial::new();
    let [enhancements, sig_release, community, kubernetes] = &trial.clones;
    let drill =
        "### Rollback Drill\n\n<!--\nTheir guidance.\n-->\n\nTheir prose.\n\n- [ ] Drilled\n- Date:\n\n## Drawbacks\n";
    enhancements.replace(TEMPLATE, "## Drawbacks\n", drill);
    enhancements.replace(TEMPLATE, "### Version Skew Strategy\n", "### Components of Other Ages\n");
    enhancements.replace(TEMPLATE, "## Infrastructure Needed (Optional)\n", "");
    enhancements.replace(TEMPLATE, "- [ ] Events\n  - Event Reason: \n", "- [ ] Events\n  - Event Source: \n");
    enhancements.replace("OWNERS_ALIASES", "    - jpbetz\n", "    - \"no\"\n    - zoe # new\n");
    let days = ["13th October", "20th October", "18th November", "2nd December", "16th December"];
    sig_release.write(V1_38, &schedule("v1.38.0", days, 2026, ""));
    community.replace(SIGS, "  - dir: wg-batch\n", "  - dir: wg-ai\n");
    kubernetes.replace("cmd/kubeadm/app/features/features.go", "LocalGate: {", "Gone: {");
    trial.clones.iter().for_each(|clone| clone.commit_at(LATER));

    let printed = trial.update();
    let said = "\
groups: wg-ai is new
groups: wg-batch is retired
people: prod-readiness-approvers: + \"no\", + zoe, - jpbetz
template: `### Version Skew Strategy` is now `### Components of Other Ages`, with the same directive and guidance
template: `###### How can someone using this feature know that it is working for their instance?` has other lines to fill in: see that none is guidance
template: `### Rollback Drill` has new text that is guidance, and not copied
template: `## Infrastructure Needed (Optional)` is gone, with its directive and guidance
releases: v1.38 is new: 2026-10-13, 2026-10-20, 2026-11-18, 2026-12-02, 2026-12-16
gates: the list is complete up to v1.37
gates: 0 new, 0 changed, 1 removed
lines: comment-lines.txt: 1 new, 0 gone
lines: visible-lines.txt: 4 new, 0 gone
lines: form-lines.txt: 3 new, 0 gone
template: `### Rollback Drill` is new: say whether it is required, from which stage, and write its guidance
wrote src/repository/aliases.yaml, src/repository/groups.txt, src/repository/retired-groups.txt, \
templates/feature-gates.yaml, templates/history/comment-lines.txt, templates/history/form-lines.txt, \
templates/history/visible-lines.txt, templates/kep.md, templates/releases.yaml, templates/sources.yaml
next: .ci/refresh, git diff, and .ci/run
";
    assert_eq!(printed.stdout, said, "{printed:?}");
    let own = &trial.project;
    for (path, texts) in [
        (
            "templates/kep.md",
            &[
                "### Rollback Drill\n\n<!--\n-->\n\n- [ ] Drilled\n- Date:\n\n## Drawbacks\n<!--DIRECTIVE: ",
                "### Components of Other Ages\n<!--DIRECTIVE: ",
                ", role: version-skew, aka: \"Version Skew Strategy\"-->\n\n<!--\nWhat happens while ",
                "  - [Rollback Drill](#rollback-drill)\n- [Drawbacks](#drawbacks)\n",
                "\n-->\n\n- [ ] Events\n  - Event Source:\n",
            ][..],
        ),
        ("templates/releases.yaml", &["  v1.38:\n    deadline: 2026-10-13\n", "    release: 2026-12-16\n"]),
        (
            "templates/feature-gates.yaml",
            &["final: v1.37\nnewest: {release: v1.38, ", "removed: \"1.38\", in: kubeadm}"],
        ),
        ("templates/sources.yaml", &["day: 2026-09-07\n", &enhancements.git(&["rev-parse", "HEAD"])]),
        ("src/repository/aliases.yaml", &[": [deads2k, \"no\", soltysh, zoe]\n"]),
        ("src/repository/groups.txt", &["sig-ui\nwg-ai\n"]),
        ("src/repository/retired-groups.txt", &["wg-apply\nwg-batch\nwg-cluster-api\n"]),
    ] {
        let written = own.read(path);
        texts.iter().for_each(|text| assert!(written.contains(text), "{path} has no {text:?}: {written}"));
    }
    let template = own.read("templates/kep.md");
    assert!(!template.contains("Their") && !template.contains("Infrastructure"), "{template}");
    assert_eq!(kep_lint(&own.root, ["template", "check", "templates/kep.md"]).status, 0);
    own.commit();
    assert_eq!((trial.update().stdout.as_str(), trial.changes().as_str()), ("nothing changed\n", ""));
}

#[test]
fn a_hostile_template_is_refused() {
    let trial = Trial::new();
    let bytes = |bytes: Vec<u8>| move |clone: &Scratch| clone.write_bytes(TEMPLATE, &bytes);
    trial.refuses("enhancements", &bytes(vec![b'a'; 3 << 20]), "has 3145728 bytes, more than 2097152");
    trial.refuses("enhancements", &bytes(vec![b'#', b' ', 0xff, 0]), "is not UTF-8");
    trial.refuses("enhancements", &bytes(b"No heading\n".to_vec()), "has no headings");
    trial.refuses("enhancements", &bytes("a".repeat(5000).into_bytes()), "has a line of more than 2000 characters");
    trial.refuses("enhancements", &bytes("<!--\n".repeat(300_000).into_bytes()), "a comment that is not closed");
    trial.refuses("enhancements", &bytes("<!-- toc -->\n".repeat(100_000).into_bytes()), "two tables of contents");
    trial.refuses("enhancements", &bytes(b"# T\n\n## Other\n".to_vec()), "few of the headings");
    let link = |clone: &Scratch| {
        fs::remove_file(clone.at(TEMPLATE)).expect("it is there");
        symlink("/etc/passwd", clone.at(TEMPLATE)).expect("a link");
    };
    trial.refuses("enhancements", &link, "keps/NNNN-kep-template/README.md of kubernetes/enhancements is a link");
    let gone = |clone: &Scratch| fs::remove_file(clone.at(TEMPLATE)).expect("it is there");
    trial.refuses("enhancements", &gone, "kubernetes/enhancements has no file keps/NNNN-kep-template/README.md");
    for (new, words) in [
        ("## Draw\u{1b}[31mbacks\n", "has a control character, '\\x1b'"),
        ("## Draw\u{202e}backs\n", "has a control character, '\\u202e'"),
        ("Drawbacks\n---------\n", "has a heading in a form that is not read here"),
        ("## Drawbacks\n\n- a <!--\n", "has a comment that is not closed"),
        ("## Drawbacks\n\n- <!-<!-- -->-DIRECTIVE: required: false-->\n", "has a comment in a comment"),
    ] {
        trial.refuses_text("enhancements", TEMPLATE, "## Drawbacks\n", new, words);
    }
}

#[test]
fn other_hostile_files_are_refused() {
    let trial = Trial::new();
    let aliases = "OWNERS_ALIASES";
    let after = "    - deads2k\n";
    for (new, words) in [
        (
            "    - deads\u{7}2k\n",
            "line 3 of OWNERS_ALIASES of kubernetes/enhancements has a control character, '\\x07'",
        ),
        ("    - [a\n", "is neither a list nor the handle of a person: '- [a'"),
        ("    - &a [*a, *a]\n", "is neither a list nor the handle of a person"),
    ] {
        trial.refuses_text("enhancements", aliases, after, new, words);
    }
    trial.refuses_text(
        "enhancements",
        aliases,
        "  sig-node-tech-leads:",
        "  others:",
        "has no list `sig-node-tech-leads`",
    );
    let sigs = |text: &'static str| move |clone: &Scratch| clone.write(SIGS, text);
    trial.refuses("community", &sigs("sigs: [\n"), "lacks 7 groups");
    trial.refuses("community", &sigs("  - dir: sig-../../x\n"), "has a group with the name 'sig-../../x'");
    trial.refuses("community", &sigs("  - dir: sig-\u{1b}[0m\n"), "has a group with the name 'sig-\\x1b[0m'");
    trial.refuses("sig-release", &|clone| clone.write(V1_37, "# v1.37\n"), "no longer has the days of v1.37");
    trial.refuses_text(
        "sig-release",
        V1_37,
        "22nd July",
        "22nd May",
        "are not in order: 2026-06-09 AoE, 2026-06-16 AoE,",
    );
    trial.refuses_text(
        "kubernetes",
        VERSIONED,
        "- name: BackGate",
        "- name: [",
        "`kep-lint gates import` says: error: cannot",
    );
    let link = |clone: &Scratch| {
        fs::remove_file(clone.at(VERSIONED)).expect("it is there");
        symlink("/etc/passwd", clone.at(VERSIONED)).expect("a link");
    };
    trial.refuses("kubernetes", &link, "versioned_feature_list.yaml of kubernetes/kubernetes is a link");
}

#[test]
fn what_is_no_clone_of_today_is_refused() {
    let trial = Trial::new();
    let remote = |clone: &Scratch| {
        clone.git(&["remote", "add", "origin", "https://github.com/evil/enhancements\u{1b}"]);
    };
    trial.refuses(
        "enhancements",
        &remote,
        "is a clone of 'https://github.com/evil/enhancements\\x1b', not of kubernetes/",
    );
    trial.clones[0].git(&["remote", "remove", "origin"]);
    let head = trial.clones[0].git(&["rev-parse", "HEAD"]);
    trial.clones[0].write(".git/shallow", &format!("{head}\n"));
    assert!(trial.refusal().starts_with("the clone of kubernetes/enhancements has no history: "));
    trial.clones[0].commit_at("2026-07-01T12:00:00Z");
    let words = "the clone of kubernetes/enhancements is of 2026-07-01, the data of 2026-07-24: fetch in it";
    assert_eq!(trial.refusal(), words);
    trial.clones[0].commit_at("2026-09-07T12:00:00Z");
    assert_eq!(
        trial.refusal(),
        "kubernetes/sig-release is of 2026-07-24, kubernetes/enhancements of 2026-09-07: fetch in both clones"
    );
    fs::remove_file(trial.project.at("clones/community")).expect("a link");
    fs::create_dir(trial.project.at("clones/community")).expect("a directory");
    assert!(trial.refusal().starts_with("the clone of kubernetes/community cannot be read: "));
}

#[test]
fn all_files_are_replaced_or_none() {
    let trial = Trial::new();
    trial.clones[2].replace(SIGS, "  - dir: wg-batch\n", "  - dir: wg-ai\n");
    trial.clones[2].commit();
    fs::create_dir(trial.project.at("templates/sources.yaml.new")).expect("a directory");
    assert!(trial.refusal().starts_with("cannot write: "));
    fs::remove_dir(trial.project.at("templates/sources.yaml.new")).expect("it is empty");
    assert_eq!(trial.update().status, 0);
    let changes = "M src/repository/groups.txt\n M src/repository/retired-groups.txt\n M templates/sources.yaml";
    assert_eq!(trial.changes(), changes);
}
