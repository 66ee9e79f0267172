//! The mark of a state: a color, a sign, and a word, which a screen reader reads where only the sign is seen.

use crate::ready::answer::State;

pub fn with_word(state: State) -> String {
    format!(
        "<span class=\"state {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
        state.name(),
        sign(state),
        state.words()
    )
}

/// The sign; its word is only for screen readers.
pub fn alone(state: State) -> String {
    format!("<span aria-hidden=\"true\">{}</span><span class=\"unseen\">{}</span>", sign(state), state.words())
}

/// The mark of what is not asked or not known.
pub fn none(words: &str) -> String {
    format!("<span aria-hidden=\"true\">–</span><span class=\"unseen\">{words}</span>")
}

pub fn legend() -> String {
    let states = [State::Met, State::NotMet, State::Info, State::Look].map(with_word).join(", ");
    format!(
        "<p class=\"legend\">{states}: the files do not tell, <span aria-hidden=\"true\">–</span> not asked, or not \
        known</p>\n"
    )
}

pub fn sign(state: State) -> &'static str {
    match state {
        State::Met => "✓",
        State::Info => "i",
        State::Look => "?",
        State::NotMet => "✗",
    }
}
