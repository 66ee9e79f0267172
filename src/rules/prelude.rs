//! What the files of many rules use: the row of the table, the input, how a finding is reported, and values of kep.yaml and
//! the template. No other file gives what is defined elsewhere a second place.

pub(crate) use super::context::{Ctx, Page, Readme};
pub(crate) use super::docs::docs;
pub(crate) use super::rule::Level::{Advice, Error, Off, Warning};
pub(crate) use super::rule::{Category, Checks, Ladder, Rule};
pub(crate) use super::sink::Sink;
pub(crate) use super::stage_by_gates::PastPlan;
pub(crate) use crate::diagnostic::script::Script;
pub(crate) use crate::diagnostic::subject::Subject;
pub(crate) use crate::diagnostic::{Diagnostic, Edit, Fix, Safety, Severity, brief, quoted};
pub(crate) use crate::kep::field::Field;
pub(crate) use crate::kep::metadata::Metadata;
pub(crate) use crate::kep::schema::is_template_value;
pub(crate) use crate::span::{Span, slice};
pub(crate) use crate::stage::{Phase, Release, Stage, Status};
pub(crate) use crate::template::TemplateId;
pub(crate) use crate::template::role::SectionRole;
pub(crate) use crate::{bounds, suggest};
pub(crate) use std::ops::Range;

use std::collections::BTreeMap;

/// Writes the word that a value most likely means. In a block scalar, the line break would stay.
pub(crate) fn spelled<T>(field: &Field<T>, word: &str) -> Option<Fix> {
    let fix = Fix::write(Safety::Safe, format!("write `{word}`"), field.span, word);
    if field.text.contains('\n') { None } else { Some(fix) }
}

/// The items that have the same key together, in the order of the first ones.
pub(crate) fn grouped<K: Clone + Ord, T>(items: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    let mut seen: BTreeMap<K, usize> = BTreeMap::new();
    for (key, item) in items {
        let at = *seen.entry(key.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}
