//! What changed since an earlier board, in JSON. Each list is in the order of numbers.

use crate::ready::comparison::{Change, ComparedKep, Comparison, Gone};
use crate::ready::difference::Difference;
use serde_json::{Value, json};

pub fn object(Comparison { since, notes, keps, same }: &Comparison) -> Value {
    let of = |is_meant: fn(&Change) -> bool| -> Vec<Value> {
        keps.iter().filter(|kep| is_meant(&kep.change)).map(compared).collect()
    };
    json!({
        "since": { "name": since.name, "commit": since.commit, "day": since.day.map(|day| day.to_string()) },
        "notes": notes,
        "fell_back": of(|change| matches!(change, Change::FellBack(_))),
        "turned_ready": of(|change| matches!(change, Change::TurnedReady(_))),
        "new": of(|change| matches!(change, Change::New(_))),
        "gone": of(|change| matches!(change, Change::Gone(_))),
        "changed": of(|change| matches!(change, Change::Changed(_))),
        "same": same,
    })
}

fn compared(ComparedKep { name, change, .. }: &ComparedKep) -> Value {
    let gone = match change {
        Change::Gone(gone) => Some(*gone),
        Change::New(new) if new.was_asked => Some(Gone::Files),
        Change::New(_) => Some(Gone::Board),
        Change::FellBack(_) | Change::TurnedReady(_) | Change::Changed(_) => None,
    };
    json!({
        "kep": name.directory,
        "number": name.number,
        "title": name.title,
        "sig": name.sig,
        "stage": name.stage.map(|stage| stage.name()),
        "reason": gone.map(Gone::name),
        "items": change.differences().iter().map(difference).collect::<Vec<_>>(),
    })
}

fn difference(difference: &Difference) -> Value {
    json!({
        "item": difference.item,
        "title": difference.title,
        "before": difference.before.name(),
        "after": difference.after.name(),
    })
}
