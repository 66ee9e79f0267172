//! The examples in the documentation of rules: the KEP that the blocks under `## Bad` or `## Good` make up.

use super::rule::Rule;
use crate::stage::Stage;

pub const BAD: &str = "Bad";

pub const GOOD: &str = "Good";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    pub readme: Option<String>,
    /// Whether the README is written with escapes for bytes that a text cannot have.
    pub has_escapes: bool,
    pub metadata: Option<String>,
    /// kep.yaml before the change that the example is about.
    pub base: Option<String>,
    /// Other files, as PRR files, OWNERS and other KEPs: those that begin with `keps/` by their paths from there on, the
    /// others by those from the KEP's directory on.
    pub others: Vec<(String, String)>,
    pub stage: Option<Stage>,
}

impl Example {
    /// The one under this heading; `None` if there is none, or if one of its blocks cannot be understood.
    pub fn of(rule: &Rule, heading: &str) -> Option<Self> {
        let part = part(rule.docs, heading);
        let mut example = Self::default();
        let mut lines = part.lines();
        while let Some(line) = lines.next() {
            let info = line.trim_start_matches('`');
            let fence = line.strip_suffix(info).filter(|fence| fence.len() >= 3);
            let Some(fence) = fence else { continue };
            let block = lines.by_ref().take_while(|text| *text != fence).map(|text| format!("{text}\n")).collect();
            match info.split_once(' ').unwrap_or((info, "")) {
                ("yaml", "") => example.metadata = Some(block),
                ("yaml", "base.yaml") => example.base = Some(block),
                ("yaml", path) if path.starts_with("prod-readiness/") => {
                    example.others.push((format!("keps/{path}"), block));
                }
                ("yaml", path) => example.others.push((path.to_owned(), block)),
                ("markdown", path) if path.starts_with("keps/") => example.others.push((path.to_owned(), block)),
                ("markdown", "") => example.readme = Some(block),
                ("markdown", "bytes") => (example.readme, example.has_escapes) = (Some(block), true),
                ("markdown", stage) => {
                    example.stage = Some(Stage::from_name(stage)?);
                    example.readme = Some(block);
                }
                _ => return None,
            }
        }
        (example != Self::default()).then_some(example)
    }
}

pub fn part(docs: &str, heading: &str) -> String {
    let heading = format!("## {heading}");
    let mut fence = "";
    let mut is_inside = false;
    let mut part = String::new();
    for line in docs.lines() {
        if fence.is_empty() && line.starts_with("## ") {
            is_inside = line == heading;
        } else if is_inside {
            part += line;
            part += "\n";
        }
        let ticks = line.strip_suffix(line.trim_start_matches('`')).unwrap_or_default();
        if fence.is_empty() && ticks.len() >= 3 {
            fence = ticks;
        } else if line == fence {
            fence = "";
        }
    }
    part
}
