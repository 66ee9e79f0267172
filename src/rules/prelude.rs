//! What the files of many rules use: the row of the table, the input, how a finding is reported, and values of kep.yaml and
//! the template. No other file gives what is defined elsewhere a second place.

pub(crate) use super::cause;
pub(crate) use super::context::{Ctx, Page, Readme};
pub(crate) use super::docs::docs;
pub(crate) use super::rule::Level::{Advice, Error, Off, Warning};
pub(crate) use super::rule::{Category, Check, Ladder, Rule};
pub(crate) use super::sink::Sink;
pub(crate) use super::stage_by_gates::PastPlan;
pub(crate) use crate::diagnostic::script::Script;
pub(crate) use crate::diagnostic::subject::Subject;
pub(crate) use crate::diagnostic::{Diagnostic, Edit, Fix, Safety, Severity, brief, quoted};
pub(crate) use crate::gap::content::{self, Content};
pub(crate) use crate::gap::{GapKind, answer};
pub(crate) use crate::kep::field::Field;
pub(crate) use crate::kep::metadata::{FeatureGate, Metadata};
pub(crate) use crate::kep::schema::{Flaw, FlawKind, is_template_value};
pub(crate) use crate::kep::{Kep, front_matter, names, number, reference};
pub(crate) use crate::markdown::hidden::{HiddenHeading, Hiding};
pub(crate) use crate::markdown::section::{Section, SectionId};
pub(crate) use crate::mdtoc::Markers;
pub(crate) use crate::repository::Repository;
pub(crate) use crate::requirement::Scope;
pub(crate) use crate::span::{LINE_ENDS, Span, first_line, grouped, last_line_start, line_around, line_end};
pub(crate) use crate::span::{only_one, slice, text_after};
pub(crate) use crate::stage::{Phase, Release, Stage, Status};
pub(crate) use crate::template::TemplateId;
pub(crate) use crate::template::role::SectionRole;
pub(crate) use crate::yaml::tree::Problem;
pub(crate) use crate::{bounds, search, suggest};
pub(crate) use std::borrow::Cow;
pub(crate) use std::cell::LazyCell;
pub(crate) use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub(crate) use std::ops::Range;

/// The finding about what is wrong with a key or a value.
pub(crate) fn of_flaw(flaw: &Flaw) -> Diagnostic {
    Diagnostic::at(flaw.span, flaw.kind.message()).help(flaw.kind.help())
}

/// The finding about what makes a text no YAML.
pub(crate) fn of_problem(problem: &Problem, text: &str) -> Diagnostic {
    let finding = Diagnostic::at(problem.span, &problem.message);
    let subject = Subject::near(line_around(text, problem.span.start));
    Diagnostic { help: problem.help.clone(), subject, ..finding }
}

/// Writes the word that a value most likely means. In a block scalar, the line break would stay.
pub(crate) fn spelled<T>(field: &Field<T>, word: &str) -> Option<Fix> {
    let fix = Fix::write(Safety::Safe, format!("write `{word}`"), field.span, word);
    if field.text.contains('\n') { None } else { Some(fix) }
}
