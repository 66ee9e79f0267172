//! The engine of a page in a browser that checks one KEP: questions and answers as JSON. A question is about the KEP of the
//! last `check`. Places are code units of UTF-16 from the start of a text, as JavaScript counts them.
//!
//! One file for each question, or for a few that belong together.

mod absent;
mod actions;
pub mod ask;
mod at;
mod authoring;
mod check;
pub mod engine;
mod facts;
mod finding;
mod held;
mod known;
mod markdown;
mod place;
mod reports;
mod rules;
mod text;

use self::engine::{Answer, Engine};
use crate::bounds;
use crate::diagnostic::{Failure, brief};
use crate::report::printable;
use serde_json::{Map, Value, json};

/// Answers a question, given its other fields.
type Answering = fn(&mut Engine, Value) -> Answer;

const ALL: [(&str, Answering); 15] = [
    ("about", facts::about),
    ("facts", facts::facts),
    ("check", check::answer),
    ("hover", at::hover),
    ("complete", at::complete),
    ("change", actions::change),
    ("fix-all", actions::fix_all),
    ("comment", reports::comment),
    ("ready", reports::ready),
    ("new", authoring::new),
    ("promote", authoring::promote),
    ("upgrade", authoring::upgrade),
    ("explain", rules::explain),
    ("example", rules::example),
    ("markdown", markdown::markdown),
];

impl Engine {
    /// The longest request that is read, in bytes.
    pub const LONGEST_REQUEST: u64 = bounds::EDITOR_MESSAGE_BYTES;

    /// Answers a question: an object with `ok`, or with `refused`, which says why.
    pub fn answer(&mut self, request: &[u8]) -> String {
        match self.answered(request) {
            Ok(value) => json!({ "ok": value }).to_string(),
            Err(mut failure) => {
                if let Some(held) = &self.held {
                    failure.message = held.place.without_guess(&failure.message);
                }
                refused(&failure)
            }
        }
    }

    fn answered(&mut self, request: &[u8]) -> Answer {
        if request.len() as u64 > Self::LONGEST_REQUEST {
            return Err(long());
        }
        let invalid = |error: serde_json::Error| Failure::new(format!("the request is not JSON: {error}"));
        let mut fields: Map<String, Value> = serde_json::from_slice(request).map_err(invalid)?;
        let name = fields.remove("ask");
        let name =
            name.as_ref().and_then(Value::as_str).ok_or_else(|| Failure::new("the request has no text `ask`"))?;
        let question = ALL.iter().find(|(known, _)| *known == name);
        let unknown = || {
            let names: Vec<String> = ALL.iter().map(|(known, _)| format!("`{known}`")).collect();
            Failure::new(format!("unknown question `{}`", brief(name))).help(format!("ask {}", names.join(", ")))
        };
        let (_, answer) = question.ok_or_else(unknown)?;
        answer(self, Value::Object(fields))
    }
}

/// The answer to a request that is not read, because it is longer than [`Engine::LONGEST_REQUEST`].
pub fn too_long() -> String {
    refused(&long())
}

fn long() -> Failure {
    Failure::new(format!("the request has more than {}", bounds::size(Engine::LONGEST_REQUEST)))
}

fn refused(failure: &Failure) -> String {
    let Failure { message, help, .. } = failure;
    json!({ "refused": { "message": printable(message), "help": help } }).to_string()
}
