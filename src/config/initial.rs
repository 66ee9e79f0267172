//! The configuration file that `kep-lint config init` writes: every key with its comment, all of them out of use.

use super::key::{self, Key};

/// The text of the file; for a repository whose KEPs belong to no groups, it says so.
pub fn text(has_groups: bool) -> String {
    let mut text = "# The configuration of kep-lint. Remove the `#` before a key to use it.\n\
                    # `kep-lint config show` prints what applies, and `kep-lint config schema` is for editors.\n"
        .to_owned();
    for key in key::ALL {
        text += &format!("\n{}", comment(key));
        let is_used = key.name == "groups" && !has_groups;
        text += &if is_used { "groups: none\n".to_owned() } else { format!("# {}\n", key.example) };
    }
    text
}

fn comment(key: &Key) -> String {
    let effect = if key.adds() { " (added to what is known)" } else { "" };
    format!("# {}: {}{effect}\n", key.takes, key.about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;
    use crate::config::values::Groups;
    use crate::source::SourceFile;

    #[test]
    fn the_file_changes_nothing_but_groups() {
        let parsed = |text: &str| parse(&SourceFile::decode("x", text.as_bytes().to_vec())).expect("it is valid");
        let config = parsed(&text(true));
        assert!(config.groups.is_none() && config.exclude.is_none() && config.levels.iter().next().is_none());
        assert!(config.templates.is_empty() && config.overrides.is_empty() && config.fail_on.is_none());
        let groups = parsed(&text(false)).groups;
        assert_eq!(groups.map(|groups| groups.value), Some(Groups::None));
    }

    #[test]
    fn without_the_marks_every_key_is_used() {
        let text = text(true);
        let lines = text.lines().skip(2).filter(|line| !line.contains(": ") || !is_comment(line));
        let used: String = lines.map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line))).collect();
        let config = parse(&SourceFile::decode("x", used.clone().into_bytes())).expect(&used);
        assert!(
            config.preset.is_some()
                && !config.templates.is_empty()
                && config.release.is_some()
                && config.level.is_some()
                && config.fail_on.is_some()
        );
        assert!(
            config.exclude.is_some() && config.groups.is_some() && config.approvers.is_some() && config.gates.is_some()
        );
        assert_eq!((config.levels.iter().count(), config.overrides.len()), (2, 1));
    }

    fn is_comment(line: &str) -> bool {
        key::ALL.iter().any(|key| comment(key).trim_end() == line)
    }
}
