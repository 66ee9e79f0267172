//! What makes no sense is refused with a message, and nothing ends the engine.

use super::{answer, ask, check, directories, kep, sample};
use crate::support::is_whole;
use kep_lint::bounds;
use kep_lint::editor::page::engine::Engine;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use serde_json::{Value, json};

/// The words of a refusal; panics if there is none.
fn refused(engine: &mut Engine, request: &[u8]) -> String {
    let text = engine.answer(request);
    let answer: Value = serde_json::from_str(&text).expect("an answer is JSON");
    let words = answer["refused"]["message"].as_str();
    words.unwrap_or_else(|| panic!("{}: {text}", String::from_utf8_lossy(request))).to_owned()
}

fn refused_value(engine: &mut Engine, question: &Value) -> String {
    refused(engine, question.to_string().as_bytes())
}

/// An engine that has checked a KEP.
fn engine() -> Engine {
    let tree = sample();
    let mut engine = Engine::default();
    check(&mut engine, kep(&tree, &directories(&tree)[0]), json!({}));
    engine
}

#[test]
fn what_is_no_question_is_refused() {
    let mut engine = engine();
    let deep = "[".repeat(100_000);
    for (request, words) in [
        (&b""[..], "is empty"),
        (b"\xff\xfe", "is wrong"),
        (b"null", "is wrong"),
        (b"[]", "is wrong"),
        (b"{}", "missing field `ask`"),
        (b"{\"ask\": 3}", "is wrong"),
        (b"{\"ask\": \"format-disk\"}", "unknown variant `format-disk`"),
        (b"{\"ask\": \"check\"}", "missing field `kep`"),
        (b"{\"ask\": \"check\", \"kep\": {\"readme\": \"\\ud83c\"}}", "is wrong"),
        (b"{\"ask\": \"hover\", \"path\": \"readme\", \"at\": -1}", "invalid value"),
        (b"{\"ask\": \"hover\", \"path\": \"readme\", \"at\": 1.5}", "invalid type"),
        (b"{\"ask\": \"hover\", \"path\": [], \"at\": 1}", "invalid type"),
        (b"{\"ask\": \"about\", \"more\": 1}", "unknown field `more`"),
        (deep.as_bytes(), "is wrong"),
    ] {
        let said = refused(&mut engine, request);
        assert!(said.contains(words), "{said}");
    }
    assert!(refused(&mut engine, &vec![b' '; Engine::LONGEST_REQUEST as usize + 1]).contains("more than 64 MiB"));
    // It goes on as before.
    answer(&mut engine, json!({ "ask": "fix-all" }));
}

#[test]
fn questions_about_nothing_are_refused() {
    let mut new = Engine::default();
    for question in [
        json!({ "ask": "hover", "path": "readme", "at": 0 }),
        json!({ "ask": "fix-all" }),
        json!({ "ask": "comment" }),
        json!({ "ask": "change", "id": "", "kind": "fix" }),
        json!({ "ask": "promote", "goal": "beta", "release": null, "today": "2026-05-01" }),
        json!({ "ask": "upgrade", "stage": null }),
        json!({ "ask": "ready", "stage": null, "release": null, "today": "2026-05-01" }),
    ] {
        assert_eq!(refused_value(&mut new, &question), "no KEP is checked");
        // Edits of the KEP before it would be made in another text.
        let mut other = engine();
        let nothing = json!({ "directory": null, "readme": null, "metadata": null, "review": null });
        refused_value(&mut other, &json!({ "ask": "check", "kep": nothing, "settings": {} }));
        assert_eq!(refused_value(&mut other, &question), "no KEP is checked");
    }
    let mut engine = engine();
    let readme = format!("{}/README.md", directories(&sample())[0]);
    for (question, words) in [
        (json!({ "ask": "hover", "path": "reviews", "at": 0 }), "no place between two characters of `reviews`"),
        (json!({ "ask": "hover", "path": readme, "at": 1_000_000_000 }), "no place between two characters"),
        (json!({ "ask": "change", "id": "0123", "kind": "fix" }), "the finding is not there any more"),
        (json!({ "ask": "change", "id": "0123", "kind": "delete" }), "unknown kind of remedy `delete`"),
        (json!({ "ask": "explain", "rule": "no-such-rule" }), "unknown rule"),
        (json!({ "ask": "promote", "goal": "omega", "release": null, "today": "2026-05-01" }), "unknown stage `omega`"),
        (json!({ "ask": "promote", "goal": "beta", "release": null, "today": "tomorrow" }), "`today` is no date"),
        (json!({ "ask": "upgrade", "stage": "x" }), "unknown stage `x`"),
        (json!({ "ask": "ready", "stage": "x", "release": null, "today": "2026-05-01" }), "unknown stage `x`"),
        (json!({ "ask": "ready", "stage": null, "release": "soon", "today": "2026-05-01" }), "`soon` is not a release"),
        (json!({ "ask": "new", "number": "0", "title": "X", "sig": "node", "today": "2026-05-01" }), "not the number"),
        (json!({ "ask": "new", "number": "1", "title": "X", "sig": "nod", "today": "2026-05-01" }), "unknown SIG"),
        (json!({ "ask": "new", "number": "1", "title": "TBD", "sig": "node", "today": "2026-05-01" }), "the title"),
        (
            json!({ "ask": "new", "number": "1", "title": "X", "authors": ["<b>"], "sig": "node", "today": "2026-05-01" }),
            "no GitHub handle",
        ),
        (json!({ "ask": "facts", "text": "{}" }), ""),
        (json!({ "ask": "facts", "text": "[".repeat(100_000) }), ""),
    ] {
        let said = refused_value(&mut engine, &question);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn files_and_settings_that_cannot_be_are_refused() {
    let mut engine = engine();
    let with = |directory: Value, readme: Value, others: Value| json!({ "directory": directory, "readme": readme, "metadata": null, "review": null, "others": others });
    let many: serde_json::Map<String, Value> =
        (0..9).map(|at| (format!("{at}.md"), json!("x".repeat(bounds::FILE_BYTES as usize)))).collect();
    let most = "x\n".repeat(bounds::FILE_BYTES as usize / 2);
    for (kep, words) in [
        (with(Value::Null, Value::Null, json!({})), "neither a README nor a kep.yaml"),
        (with(json!("../keps"), json!("# X"), json!({})), "no path"),
        (with(json!("/keps/1-x"), json!("# X"), json!({})), "no path"),
        (with(json!("keps//1-x"), json!("# X"), json!({})), "no path"),
        (with(json!("keps\\1-x"), json!("# X"), json!({})), "no path"),
        (with(json!("k/".repeat(5_000)), json!("# X"), json!({})), "no path"),
        (with(json!("keps/prod-readiness/sig-node"), json!("# X"), json!({})), "no KEP can be in"),
        (with(json!("keps"), json!("# X"), json!({})), "no KEP can be in"),
        (with(json!("keps/NNNN-kep-template"), json!("# X"), json!({})), "no KEP can be in"),
        (with(json!("keps/1-x"), json!("# X"), json!({ "README.md": "y" })), "given twice"),
        (with(json!("keps/1-x"), json!("# X"), json!({ "review": "y" })), "given twice"),
        (with(json!("keps/1-x"), json!("# X"), json!({ "../../x.md": "y" })), "no path"),
        (with(json!("keps/1-x"), json!(format!("{most}x")), json!({})), "it has 2.1 MiB"),
        (with(json!("keps/1-x"), json!("# X"), Value::Object(many)), "the KEP has more than 16 MiB of text"),
    ] {
        let said = refused_value(&mut engine, &json!({ "ask": "check", "kep": kep, "settings": {} }));
        assert!(said.contains(words), "{said}");
    }
    let readme = with(Value::Null, json!("# X"), json!({}));
    for (settings, words) in [
        (json!({ "stage": "omega" }), "unknown stage"),
        (json!({ "preset": "x" }), "unknown preset"),
        (json!({ "level": "fatal" }), "unknown level"),
        (json!({ "release": "1" }), "`1` is not a release"),
        (json!({ "select": ["x"] }), "unknown rule or category"),
        (json!({ "config": "rules: [" }), ".kep-lint.yaml:1"),
        (json!({ "config": "template: x.md" }), "no other files"),
        (json!({ "config": "feature-gates: x.yaml" }), "cannot read"),
    ] {
        let said = refused_value(&mut engine, &json!({ "ask": "check", "kep": readme, "settings": settings }));
        assert!(said.contains(words), "{said}");
    }
    // As large as a file may be.
    let checked = check(&mut engine, with(Value::Null, json!(most), json!({})), json!({}));
    assert!(!checked["summary"].to_string().contains(": 0 errors, "), "{checked}");
}

#[test]
fn a_part_of_a_character_is_no_place() {
    let mut engine = Engine::default();
    let kep = json!({ "directory": null, "readme": "# 🎉\n", "metadata": null, "review": null, "others": {} });
    let path = check(&mut engine, kep, json!({}))["place"]["paths"]["readme"].take();
    for (at, is_place) in [(2, true), (3, false), (5, false), (6, true), (7, true), (8, false)] {
        for name in ["hover", "complete"] {
            let asked = ask(&mut engine, &json!({ "ask": name, "path": path, "at": at }));
            assert_eq!(asked.get("ok").is_some(), is_place, "{at}: {asked}");
        }
    }
}

/// Values that fields may have, right and wrong.
fn value() -> impl Strategy<Value = Value> {
    let texts = [
        "",
        "readme",
        "metadata",
        "review",
        "docs/x.md",
        "keps/sig-unknown/1-x/README.md",
        "keps/sig-node/1-x",
        "fix",
        "ignore",
        "unsafe-fix",
        "alpha",
        "ga",
        "implemented",
        "v1.37",
        "2026-05-01",
        "node",
        "1",
        "Prefetch images",
        "bad-title",
        "missing-section",
        "strict",
        "warning",
        "rules: {text: off}",
        "# KEP-1: 🎉\n\n## Summary\n\nTBD",
        "title: 🎉\nkep-number: 1\nstatus: x\n",
        "\0",
        "🎉",
    ];
    let leaf = prop_oneof![
        8 => select(texts.to_vec()).prop_map(|text| json!(text)),
        2 => (-2_i64..60).prop_map(|number| json!(number)),
        1 => select(vec![Value::Null, json!(true), json!(1e300), json!(u64::MAX)]),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        let keys = select(vec![
            "directory",
            "readme",
            "metadata",
            "review",
            "others",
            "stage",
            "config",
            "select",
            "docs/x.md",
        ]);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::Array),
            vec((keys, inner), 0..5)
                .prop_map(|fields| fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

/// A question with fields that belong to it, and some that may not.
fn question() -> impl Strategy<Value = Value> {
    let fields: &[(&str, &[&str])] = &[
        ("about", &[]),
        ("facts", &["text"]),
        ("check", &["kep", "settings"]),
        ("hover", &["path", "at"]),
        ("complete", &["path", "at"]),
        ("change", &["id", "kind"]),
        ("fix-all", &[]),
        ("comment", &[]),
        ("ready", &["stage", "release", "today"]),
        ("new", &["number", "title", "sig", "authors", "release", "today"]),
        ("promote", &["goal", "release", "skipBeta", "today"]),
        ("upgrade", &["stage", "onlyRequired"]),
        ("unchecked", &[]),
        ("explain", &["rule"]),
        ("example", &["rule"]),
        ("nothing", &["x"]),
    ];
    select(fields.to_vec()).prop_flat_map(|(name, fields)| {
        vec(value(), fields.len()).prop_map(move |values| {
            let mut question = json!({ "ask": name });
            for (field, value) in fields.iter().zip(values) {
                question[*field] = value;
            }
            question
        })
    })
}

#[test]
fn any_request_has_an_answer() {
    let config = Config {
        cases: if is_whole() { 200 } else { 60 },
        rng_seed: RngSeed::Fixed(4),
        rng_algorithm: RngAlgorithm::ChaCha,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&(vec(question(), 1..6), vec(any::<u8>(), 0..40)), |(questions, noise)| {
        let mut engine = Engine::default();
        let kep = json!({
            "directory": null, "readme": "# KEP-1: 🎉\n\n## Summary\n\nTBD [x](#y)\n", "metadata": "title: 🎉\nstatus: X\n",
            "review": null, "others": { "docs/x.md": "# 🎉" },
        });
        check(&mut engine, kep, json!({}));
        for question in &questions {
            let answer = ask(&mut engine, question);
            prop_assert!(answer.get("ok").is_some() != answer.get("refused").is_some(), "{answer}");
        }
        // A request that is cut, and one with other bytes in it.
        let mut text = questions[0].to_string().into_bytes();
        text.truncate(text.len() / 2);
        refused(&mut engine, &text);
        text.extend(noise);
        let _: Value = serde_json::from_str(&engine.answer(&text)).expect("an answer is JSON");
        Ok(())
    });
    outcome.expect("every request has an answer");
}
