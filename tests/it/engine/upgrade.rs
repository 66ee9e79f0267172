//! The page brings a README to the template.

use super::{answer, check, edited};
use kep_lint::editor::page::engine::Engine;
use serde_json::json;

#[test]
fn a_readme_is_brought_to_the_template() {
    let mut engine = Engine::default();
    let readme = "# KEP-4242: Prefetch images\n\n## Abstract\n\nPull early.\n";
    let kep = json!({ "directory": null, "readme": readme, "metadata": "stage: alpha\n", "review": null });
    check(&mut engine, kep.clone(), json!({}));
    let required = answer(&mut engine, json!({ "ask": "upgrade", "stage": "beta", "onlyRequired": true }));
    let whole = answer(&mut engine, json!({ "ask": "upgrade", "stage": null }));
    let [required, whole] = [required, whole].map(|upgraded| {
        assert!(
            upgraded["notes"][0].as_str().is_some_and(|words| words.starts_with("renamed 1, added ")),
            "{upgraded}"
        );
        edited(&kep, &upgraded["edits"])["readme"].as_str().map(str::to_owned).expect("a text")
    });
    assert!(required.contains("\n### Scalability\n") && !required.contains("Infrastructure Needed"), "{required}");
    assert!(whole.contains("\n## Summary\n\nPull early.\n") && whole.contains("Infrastructure Needed"), "{whole}");
}
