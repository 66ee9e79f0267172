//! How KEPs are checked in an editor: the arguments of `kep-lint check` that its settings name.

use crate::cli::args::CheckArguments;
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
    pub formats_contents: bool,
}

impl Settings {
    /// Those of the object `value`, which has nothing but settings; no object is an empty one. Paths are relative to
    /// `folder`, if the editor has one open.
    pub fn of(value: &Value, folder: Option<&Path>) -> Result<Self, String> {
        let mut words = vec![OsString::from("kep-lint")];
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
        let arguments = help::parse(words).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })?;
        Ok(Self { arguments: arguments.check, formats_contents })
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
        let settings =
            Settings::of(&json!({ "stage": "beta", "level": "warning", "release": null, "config": "" }), None);
        let settings = settings.expect("they are right");
        assert_eq!(
            (settings.arguments.stage.map(|stage| stage.to_string()), settings.arguments.output.level),
            (Some("beta".to_owned()), Some(Severity::Warning))
        );
        let refused = |value| Settings::of(&value, None).err().unwrap_or_default();
        assert!(refused(json!({ "stage": "gamma" })).contains("gamma"));
        assert!(refused(json!({ "binary": "./evil" })).starts_with("unknown setting `binary`"));
        assert!(refused(json!({ "level": 3 })).contains("not a text"));
        assert!(refused(json!({ "format-toc": "yes" })).contains("neither true nor false"));
        let formats = |value| Settings::of(&value, None).expect("it is right").formats_contents;
        assert!(formats(json!({ "format-toc": true })) && !formats(json!({ "format-toc": null, "stage": "beta" })));
        let files = |folder: Option<&str>| {
            let named = json!({ "config": "own.yaml", "template": "/x.md" });
            Settings::of(&named, folder.map(Path::new)).expect("they are right").files()
        };
        assert_eq!(files(Some("/a b")), ["/a b/own.yaml", "/x.md"].map(PathBuf::from));
        assert_eq!(files(None), ["own.yaml", "/x.md"].map(PathBuf::from));
        assert!(Settings::of(&json!(["x"]), None).is_ok() && Settings::of(&Value::Null, None).is_ok());
    }
}
