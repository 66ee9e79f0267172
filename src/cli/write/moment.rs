//! The moments of replacing a file at which another program may save its own text. Tests do that at them; otherwise
//! nothing happens.

use std::path::Path;

/// What was just done with a file that gets another text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It was compared with what was read.
    Compared,
    /// The new text was exchanged for it.
    Exchanged,
    /// All files have their new texts, and the old ones are still there.
    Placed,
    /// It was compared with the new text, and is to get its old text again.
    Undoing,
}

/// Says that `moment` is reached for the file at `place`.
pub fn reach(moment: Moment, place: &Path) {
    #[cfg(test)]
    tests::reach(moment, place);
    #[cfg(not(test))]
    let _ = (moment, place);
}

#[cfg(test)]
pub mod tests {
    use super::Moment;
    use std::cell::{Cell, RefCell};
    use std::path::Path;

    type Action = Box<dyn FnMut(Moment, &Path)>;

    thread_local! {
        static ACTION: RefCell<Option<Action>> = const { RefCell::new(None) };
        static CAN_EXCHANGE: Cell<bool> = const { Cell::new(true) };
    }

    pub fn reach(moment: Moment, place: &Path) {
        // What the action does may reach a moment itself.
        let Some(mut action) = ACTION.take() else { return };
        action(moment, place);
        ACTION.set(Some(action));
    }

    /// Whether files can be exchanged, as far as the test wants it.
    pub fn can_exchange() -> bool {
        CAN_EXCHANGE.get()
    }

    /// Runs `job`, and `action` at each of its moments.
    pub fn with<T>(action: impl FnMut(Moment, &Path) + 'static, job: impl FnOnce() -> T) -> T {
        ACTION.set(Some(Box::new(action)));
        let result = job();
        ACTION.set(None);
        result
    }

    /// Runs `job` as on a system that cannot exchange files.
    pub fn without_exchange<T>(job: impl FnOnce() -> T) -> T {
        CAN_EXCHANGE.set(false);
        let result = job();
        CAN_EXCHANGE.set(true);
        result
    }
}
