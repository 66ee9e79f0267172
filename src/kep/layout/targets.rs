//! Milestones in the text of a document: `This VEP targets alpha for version: v1.8`.

use super::expression::{Expression, words};
use crate::stage::{Release, Stage};

/// The form of a line that names the release of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetLine(Expression);

/// What a document says of a release; without a stage, it is that of the whole proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub stage: Option<Stage>,
    pub release: Release,
}

impl TargetLine {
    /// Reads a form, or says what is wrong with it.
    pub fn parse(form: &str) -> Result<Self, String> {
        let Some(before) = form.trim().strip_suffix("{release}") else {
            return Err("it must end in `{release}`".to_owned());
        };
        let (before, after) = match before.split_once("{stage}") {
            Some((before, after)) => (before, Some(after)),
            None => (before, None),
        };
        let braces = |text: &str| text.contains(['{', '}']);
        if braces(before) || after.is_some_and(braces) {
            return Err("it can have `{stage}` once, and `{release}` at its end".to_owned());
        }
        let stage = after.map(|after| format!("(?<stage>[A-Za-z]+){}", words(after))).unwrap_or_default();
        let line = format!(r"(?i)^\s*(?:[-*+]\s+)?(?:\[[ x]\]\s+)?{}{stage}(?<release>.*)$", words(before));
        Expression::new(&line).map(Self)
    }

    /// The word for a stage and the release in a line of this form, as far as it has them.
    pub fn read<'l>(&self, line: &'l str) -> Option<(Option<&'l str>, Option<Release>)> {
        let found = self.0.captures(line)?;
        let stage = found.name("stage").map(|stage| stage.as_str());
        Some((stage, release_of(found.name("release")?.as_str())))
    }
}

/// The release that people mean: `v1.9.0`, `1.9` and `v1.9.` are v1.9; `TBD` is none.
fn release_of(text: &str) -> Option<Release> {
    let word = text.split_whitespace().next()?.trim_matches(['.', ',', ';', '`', '*', '_', '"']);
    Release::parse(&word.to_lowercase()).filter(|release| !release.is_unknown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_as_people_write_it() {
        for text in ["v1.9", " 1.9", "v1.9.0", "v1.9. ", "V1.9 (planned)", "`v1.9`"] {
            assert_eq!(release_of(text), Some(Release { major: 1, minor: 9 }), "{text}");
        }
        for text in ["", "TBD", "N/A", "[]", "next", "v0.0"] {
            assert_eq!(release_of(text), None, "{text}");
        }
    }

    #[test]
    fn a_form_is_read_or_refused() {
        let line = TargetLine::parse("This targets {stage} for version: {release}").expect("it is well-formed").0;
        let read = |text: &str| {
            let found = line.captures(text)?;
            Some(format!("{} {}", &found["stage"], found["release"].trim()))
        };
        assert_eq!(read("- This targets alpha for version: v1.8").as_deref(), Some("alpha v1.8"));
        assert_eq!(read("  * this  targets GA for version:").as_deref(), Some("GA "));
        assert_eq!(read("This targets version: v1.8"), None);
        for form in ["", "{stage}", "{release} {stage}", "{x} {release}", "{stage} {stage} {release}"] {
            assert!(TargetLine::parse(form).is_err(), "{form}");
        }
    }
}
