//! The board for programs: one JSON object, as in `schema.json`. What breaks a reader raises its version.
use crate::ready::answer::name_of;
use crate::ready::board::Board;
use crate::ready::calendar::data_day;
use crate::ready::calendar::schedule::Schedule;
use crate::ready::checklist::{Checklist, counts};
use crate::ready::comparison::{Change, ComparedKep, Comparison};
use crate::ready::outline::VERSION;
use crate::report::json::{conditions, encoding, failure, release, tool};
use crate::stage::Stage;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a program that checks boards needs; a test compares it with what is written.
pub const SCHEMA: &str = include_str!("json/schema.json");

pub fn render(board: &Board) -> String {
    let document = json!({
        "version": VERSION,
        "tool": tool(env!("CARGO_PKG_VERSION")),
        "release": release(board.release, board.release_origin),
        "release_day": board.schedule.as_ref().and_then(|schedule| Some(&schedule.release.as_ref()?.written)),
        "days": board.schedule.as_ref().unwrap_or(&Schedule::default()),
        "day": board.now.day().map(|day| day.to_string()),
        "data_day": board.family.is_of_kubernetes().then(data_day),
        "snapshot": board.snapshot,
        "strict": board.is_strict,
        "waiting_for": board.person.as_ref().map(|person| person.handle.name()),
        "items": board.items,
        "by_hand": board.by_hand,
        "keps": board.checklists,
        "sigs": board.grouped(|kep| kep.sig.clone()).into_iter().map(of_sig).collect::<Vec<_>>(),
        "stages": board.by_stage().into_iter().map(of_stage).collect::<Vec<_>>(),
        "prr_approvers": board.reviewers,
        "prr_load": board.loads(),
        "left_out": board.left_out,
        "filtered": board.filtered,
        "failures": board.failures.iter().map(failure).collect::<Vec<_>>(),
        "comparison": board.comparison.as_ref().map(comparison),
        "summary": { "keps": board.checklists.len(), "ready": board.ready_count() },
    });
    encoding::indented(&match conditions(&board.conditions) {
        Some(conditions) => encoding::with(document, "conditions", conditions),
        None => document,
    })
}

fn of_sig((sig, keps): (Option<String>, Vec<&Checklist>)) -> Value {
    json!({ "sig": sig, "keps": keps.len(), "ready": keps.iter().filter(|kep| kep.is_ready).count() })
}

fn of_stage((stage, keps): (Option<Stage>, Vec<&Checklist>)) -> Value {
    let states = BTreeMap::from(counts(&keps).map(|(count, readiness)| (name_of(readiness), count)));
    json!({ "stage": stage, "keps": keps.len(), "states": states })
}

/// What changed since an earlier board. Each list is in the order of numbers.
fn comparison(Comparison { since, notes, keps, same }: &Comparison) -> Value {
    let of = |change| keps.iter().filter(|kep| kep.change == change).collect::<Vec<&ComparedKep>>();
    json!({
        "since": { "name": since.name, "commit": since.commit, "day": since.day.map(|day| day.to_string()) },
        "notes": notes,
        "fell_back": of(Change::FellBack),
        "turned_ready": of(Change::TurnedReady),
        "new": of(Change::New),
        "gone": of(Change::Gone),
        "changed": of(Change::Changed),
        "same": same,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::answer::Actor;
    use crate::ready::answer::Readiness;
    use crate::ready::answer::State;
    use crate::ready::comparison::Reason;
    use crate::ready::items::Kind;
    use crate::stage::release;

    #[test]
    fn the_schema_lists_the_words_of_the_model() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
        let stages = Stage::ALL.map(Stage::name);
        let stages_or_null = json!(stages.iter().map(Some).chain([None]).collect::<Vec<_>>());
        for (place, words) in [
            ("/properties/version/const", json!(VERSION)),
            ("/$defs/Release/properties/source/enum", json!(release::Reason::NAMES)),
            ("/$defs/Item/properties/kind/enum", json!([Kind::Verdict, Kind::Evidence])),
            ("/$defs/Kep/properties/milestones/propertyNames/enum", json!(stages)),
            ("/$defs/Kep/properties/state/enum", json!(Readiness::ALL)),
            ("/$defs/Kep/properties/actors/items/enum", json!(Actor::ALL)),
            ("/$defs/Answer/properties/state/enum", json!([State::Met, State::Info, State::Look, State::NotMet])),
            ("/$defs/Compared/properties/reason/enum", json!([Reason::Board, Reason::Files, Value::Null])),
        ] {
            assert_eq!(schema.pointer(place), Some(&words), "{place}");
        }
        for name in ["Kep", "Pull", "Tracked", "Compared", "Approval", "StageTotal"] {
            let place = format!("/$defs/{name}/properties/stage/enum");
            assert_eq!(schema.pointer(&place), Some(&stages_or_null), "{place}");
        }
    }
}
