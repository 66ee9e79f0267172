//! What is set in a text, and what stays.

use super::*;

/// `text` with the value set, or why it is not.
fn after(text: &str, path: &[&str], value: &str) -> String {
    set(text, Form::Proposal, path, value).unwrap_or_else(|reason| reason)
}

fn stage(text: &str) -> String {
    after(text, &["stage"], "beta")
}

fn milestone(text: &str) -> String {
    after(text, &["milestone", "beta"], "v1.38")
}

#[test]
fn quotes_comments_and_line_ends_stay() {
    for (before, value) in [
        ("stage: alpha", "beta"),
        ("stage: 'alpha' # why\nx: y\n", "beta"),
        ("\u{feff}stage:   \"alpha\"\t# why\r\nx: [y,  z]\r\n", "beta"),
        ("---\n{title: a, stage: alpha}\n---\n", "beta"),
        ("title: a # alpha\n\n\n# stage: alpha\n\"stage\" : alpha", "beta"),
    ] {
        let at = before.rfind("alpha").expect("it is there");
        let wanted = format!("{}{value}{}", &before[..at], &before[at + "alpha".len()..]);
        assert_eq!(stage(before), wanted);
    }
}

#[test]
fn an_empty_value_is_filled() {
    assert_eq!(stage("stage:\nx: y\n"), "stage: beta\nx: y\n");
    assert_eq!(stage("stage: # why\nx: y\n"), "stage: beta # why\nx: y\n");
    assert_eq!(stage("stage: ~\n"), "stage: beta\n");
    assert_eq!(stage("stage: \"\"\n"), "stage: \"beta\"\n");
    assert_eq!(
        milestone("milestone: # all\n# none yet\nx: y\n"),
        "milestone: # all\n  beta: v1.38\n# none yet\nx: y\n"
    );
    assert_eq!(milestone("milestone: null\n"), "milestone: {beta: v1.38}\n");
    assert_eq!(milestone("milestone: {}\n"), "milestone: {beta: v1.38}\n");
    assert_eq!(milestone("milestone:\n  alpha:\n  beta:\n"), "milestone:\n  alpha:\n  beta: v1.38\n");
}

#[test]
fn a_missing_key_gets_its_place() {
    assert_eq!(
        stage("# top\ntitle: a\nstatus: x # y\n\n# last\nmilestone:\n  alpha: b\n"),
        "# top\ntitle: a\nstatus: x # y\nstage: beta\n\n# last\nmilestone:\n  alpha: b\n"
    );
    assert_eq!(stage("# why\nmilestone:\n  alpha: b"), "stage: beta\n# why\nmilestone:\n  alpha: b");
    assert_eq!(stage("owner: a"), "owner: a\nstage: beta");
    assert_eq!(stage("{status: a, milestone: {}}"), "{status: a, stage: beta, milestone: {}}");
    assert_eq!(
        milestone("stage: a\r\nlatest-milestone: \"v1.37\"\r\n"),
        "stage: a\r\nlatest-milestone: \"v1.37\"\r\nmilestone:\r\n  beta: \"v1.38\"\r\n"
    );
    assert_eq!(milestone("{stage: a}"), "{stage: a, milestone: {beta: v1.38}}");
}

#[test]
fn every_kind_of_line_end_stays() {
    for text in [
        "stage: a\nlatest-milestone: \"v1.37\"\n",
        "# top\ntitle: a\nstatus: x # y\n\n# last\n# of all\nmilestone:\n  alpha: b\n",
        "# top\n# more\nmilestone:\n  stable: x\n",
        "milestone: # all\n# none yet\nx: y\n",
        "# only a comment\n",
        "title: |\n  a\n  b\n\n",
    ] {
        for end in ["\r\n", "\r"] {
            let with_ends = |lines: &str| lines.replace('\n', end);
            for set in [stage, milestone] {
                assert_eq!(set(&with_ends(text)), with_ends(&set(text)), "{text:?}");
            }
        }
    }
}

#[test]
fn a_milestone_is_written_like_those_beside_it() {
    assert_eq!(
        milestone("milestone:\n    alpha: 'v1.36' # out\n    # later\n    stable: \"\"\n"),
        "milestone:\n    alpha: 'v1.36' # out\n    beta: \"v1.38\"\n    # later\n    stable: \"\"\n"
    );
    assert_eq!(milestone("milestone:\n# first\n  stable: v1\n"), "milestone:\n  beta: v1.38\n# first\n  stable: v1\n");
    assert_eq!(milestone("milestone: {alpha: v1.30}\n"), "milestone: {alpha: v1.30, beta: v1.38}\n");
    assert_eq!(milestone("milestone: { stable: v1.40 } # x\n"), "milestone: { beta: v1.38, stable: v1.40 } # x\n");
    assert_eq!(milestone("milestone: {\n  alpha: v1,\n}\n"), "milestone: {\n  alpha: v1, beta: v1.38,\n}\n");
    assert_eq!(
        milestone("m: &m {alpha: v1}\nmilestone:\n  <<: *m\n  stable: x\n"),
        "m: &m {alpha: v1}\nmilestone:\n  <<: *m\n  beta: v1.38\n  stable: x\n"
    );
}

#[test]
fn what_would_change_something_else_is_refused() {
    for (text, reason) in [
        ("stage: &s alpha\nname: *s\n", "`stage` cannot be changed without changing something else"),
        ("stage: [alpha]\n", "`stage` is not a single value"),
        ("stage: |\n  alpha\n", "`stage` is a block of text: write it on one line"),
        ("- stage\n", "`stage` has no place: the file is not a mapping"),
        ("stage: alpha\nstage: alpha\n", "`stage` cannot be changed without changing something else"),
    ] {
        assert_eq!(stage(text), reason, "{text}");
    }
    assert_eq!(stage("name: &s alpha\nstage: *s # x\n"), "name: &s alpha\nstage: beta # x\n");
    assert_eq!(stage("stage: &s alpha\n"), "stage: &s beta\n");
    assert!(milestone("m: &m {alpha: v1}\nmilestone: *m\n").contains("other keys refer to"));
    assert!(milestone("milestone: v1\n").contains("not a mapping"));
}

#[test]
fn a_prr_file_gets_an_entry() {
    let place = &["beta", "approver"];
    let review = |text: &str| set(text, Form::Approval, place, "@TBD").unwrap_or_else(|reason| reason);
    assert_eq!(
        review("kep-number: 1\nalpha:\n    approver: '@ann'"),
        "kep-number: 1\nalpha:\n    approver: '@ann'\nbeta:\n    approver: \"@TBD\""
    );
    assert_eq!(
        review("stable:\n  approver: a\nkep-number: 1\n"),
        "stable:\n  approver: a\nkep-number: 1\nbeta:\n  approver: \"@TBD\"\n"
    );
    assert_eq!(review("beta:\nkep-number: 1\n"), "beta:\n  approver: \"@TBD\"\nkep-number: 1\n");
    assert_eq!(review("# nothing\n"), "# nothing\nbeta:\n  approver: \"@TBD\"\n");
}

#[test]
fn a_block_is_replaced_whole() {
    let text = "see-also:\n  - a # one\n  - b\nstage: x\n";
    assert_eq!(replace(text, Form::Proposal, "see-also", " []").as_deref(), Ok("see-also: []\nstage: x\n"));
    assert!(replace(text, Form::Proposal, "replaces", " []").is_err());
}
