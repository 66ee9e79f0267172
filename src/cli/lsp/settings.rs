//! How KEPs are checked in an editor: the arguments of `kep-lint check` that its settings name.

use crate::cli::args::{Arguments, CheckArguments};
use crate::cli::help;
use crate::report::look::Look;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The settings, by the names of the options.
pub const OPTIONS: [&str; 6] = ["config", "level", "preset", "release", "stage", "template"];

const FILES: [&str; 2] = ["config", "template"];

/// The setting that is not one of a check, and what it is for.
pub const FORMAT: (&str, &str) = ("format-toc", "Write the table of contents when a document is formatted");

#[derive(Clone, Debug)]
pub struct Settings {
    arguments: CheckArguments,
    /// Whether formatting a document writes its table of contents.
    pub formats_contents: bool,
}

impl Settings {
    /// Those of an editor that has none.
    pub fn none() -> Result<Self, String> {
        Self::parse(Vec::new())
    }

    /// Those of the object `value`, which has nothing but settings; no object is an empty one. Paths are relative to
    /// `folder`, if the editor has one open.
    pub fn with(&self, value: &Value, folder: Option<&Path>) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut formats_contents = false;
        for (name, setting) in value.as_object().into_iter().flatten() {
            if name == FORMAT.0 {
                let is_on = if setting.is_null() { Some(false) } else { setting.as_bool() };
                formats_contents = is_on.ok_or_else(|| format!("`{name}` is neither true nor false"))?;
                continue;
            }
            if !OPTIONS.contains(&name.as_str()) {
                let known = OPTIONS.into_iter().chain([FORMAT.0]).map(|option| format!("`{option}`"));
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(format!("unknown setting `{name}`; known are {known}"));
            }
            match setting {
                Value::Null => {}
                Value::String(text) if text.is_empty() => {}
                // In one word, so that no value is taken for an option.
                Value::String(text) => {
                    let mut word = OsString::from(format!("--{name}="));
                    match folder.filter(|_| FILES.contains(&name.as_str())) {
                        Some(folder) => word.push(folder.join(text)),
                        None => word.push(text),
                    }
                    words.push(word);
                }
                _ => return Err(format!("`{name}` is not a text")),
            }
        }
        Ok(Self { formats_contents, ..Self::parse(words)? })
    }

    fn parse(words: Vec<OsString>) -> Result<Self, String> {
        let all = ["kep-lint", "check"].map(OsString::from).into_iter().chain(words);
        let Arguments { check, command } = help::parse(all).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })?;
        let arguments = match command {
            Some(crate::cli::args::Command::Check(arguments)) => *arguments,
            _ => check,
        };
        Ok(Self { arguments, formats_contents: false })
    }

    pub fn arguments(&self) -> CheckArguments {
        self.arguments.clone()
    }

    pub fn files(&self) -> Vec<PathBuf> {
        self.arguments.config.config.iter().chain(&self.arguments.template).cloned().collect()
    }

    pub fn look(&self) -> Look {
        Look { docs_base: self.arguments.output.docs_base.clone(), ..Look::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use serde_json::json;

    #[test]
    fn settings_are_the_options_of_a_check() {
        let none = Settings::none().expect("there are none");
        let settings = none.with(&json!({ "stage": "beta", "level": "warning", "release": null, "config": "" }), None);
        let settings = settings.expect("they are right");
        assert_eq!(
            (settings.arguments.stage.map(|stage| stage.to_string()), settings.arguments.output.level),
            (Some("beta".to_owned()), Some(Severity::Warning))
        );
        let refused = |value| none.with(&value, None).err().unwrap_or_default();
        assert!(refused(json!({ "stage": "gamma" })).contains("gamma"));
        assert!(refused(json!({ "binary": "./evil" })).starts_with("unknown setting `binary`"));
        assert!(refused(json!({ "level": 3 })).contains("not a text"));
        assert!(refused(json!({ "format-toc": "yes" })).contains("neither true nor false"));
        let formats = |value| none.with(&value, None).expect("it is right").formats_contents;
        assert!(formats(json!({ "format-toc": true })) && !formats(json!({ "format-toc": null, "stage": "beta" })));
        let files = |folder: Option<&str>| {
            let named = json!({ "config": "own.yaml", "template": "/x.md" });
            none.with(&named, folder.map(Path::new)).expect("they are right").files()
        };
        assert_eq!(files(Some("/a b")), ["/a b/own.yaml", "/x.md"].map(PathBuf::from));
        assert_eq!(files(None), ["own.yaml", "/x.md"].map(PathBuf::from));
        assert!(none.with(&json!(["x"]), None).is_ok() && none.with(&Value::Null, None).is_ok());
    }
}
