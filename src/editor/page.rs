//! The engine of a page in a browser that checks one KEP: questions and answers as JSON. A question is about the KEP of the
//! last `check`. A place is a path and a byte of the text, as in `--format json`.
//!
//! One file for each question, or for a few that belong together.

mod absent;
pub mod ask;
mod at;
mod authoring;
mod check;
pub mod engine;
mod markdown;
mod place;
mod reports;
mod rules;

use self::authoring::{OfNew, OfPromotion};
use self::check::Settings;
use self::engine::{Answer, Engine};
use self::place::Files;
use crate::bounds;
use crate::diagnostic::{Failure, brief};
use crate::report::json::failure;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Question {
    About {},
    Facts { text: Option<String> },
    Check { kep: Files, settings: Settings },
    Hover { path: String, at: usize },
    Complete { path: String, at: usize },
    Change { id: String, kind: String },
    FixAll {},
    Comment {},
    Ready { stage: Option<String>, release: Option<String>, today: String },
    New(OfNew),
    Promote(OfPromotion),
    Upgrade { stage: Option<String>, only_required: Option<bool> },
    Unchecked {},
    Explain { rule: String },
    Example { rule: String },
    Markdown { text: String },
}

impl Engine {
    /// The longest request that is read, in bytes.
    pub const LONGEST_REQUEST: u64 = bounds::EDITOR_MESSAGE_BYTES;

    /// Answers a question: an object with `ok`, or with `refused`, which says why.
    pub fn answer(&mut self, request: &[u8]) -> String {
        match self.answered(request) {
            Ok(value) => json!({ "ok": value }).to_string(),
            Err(mut refused) => {
                if let Some(held) = &self.held {
                    refused.message = held.place.without_guess(&refused.message);
                }
                json!({ "refused": failure(&refused) }).to_string()
            }
        }
    }

    fn answered(&mut self, request: &[u8]) -> Answer {
        // One that is too long has no room in WebAssembly.
        if request.is_empty() || request.len() as u64 > Self::LONGEST_REQUEST {
            let most = bounds::size(Self::LONGEST_REQUEST);
            return Err(Failure::new(format!("the request is empty, or has more than {most}")));
        }
        let wrong =
            |error: serde_json::Error| Failure::new(format!("the request is wrong: {}", brief(&error.to_string())));
        match serde_json::from_slice(request).map_err(wrong)? {
            Question::About {} => Ok(self.about()),
            Question::Facts { text } => self.know(text),
            Question::Check { kep, settings } => check::answer(self, kep, &settings),
            Question::Hover { path, at } => at::hover(self, &path, at),
            Question::Complete { path, at } => at::complete(self, &path, at),
            Question::Change { id, kind } => at::change(self, &id, &kind),
            Question::FixAll {} => at::fix_all(self),
            Question::Comment {} => reports::comment(self),
            Question::Ready { stage, release, today } => {
                reports::ready(self, stage.as_deref(), release.as_deref(), &today)
            }
            Question::New(wanted) => authoring::new(self, &wanted),
            Question::Promote(wanted) => authoring::promote(self, &wanted),
            Question::Upgrade { stage, only_required } => {
                authoring::upgrade(self, stage.as_deref(), only_required.unwrap_or_default())
            }
            Question::Unchecked {} => Ok(rules::unchecked(self)),
            Question::Explain { rule } => rules::explain(self, &rule),
            Question::Example { rule } => rules::example(self, &rule),
            Question::Markdown { text } => Ok(markdown::parts(&text)),
        }
    }
}
