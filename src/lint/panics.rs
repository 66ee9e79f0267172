//! A panic is a bug of kep-lint, and costs no more than the KEP that it came up with.

use crate::diagnostic::{Failure, brief};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// What the last panic of the thread said, and where it was.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics of this process from printing themselves; [`caught`] reports them.
pub fn keep_quiet() {
    panic::set_hook(Box::new(|information| {
        let place = information.location().map(|place| format!("{}:{}: ", place.file(), place.line()));
        let message = information.payload_as_str().unwrap_or("no message");
        let report = format!("{}{message}", place.unwrap_or_default());
        LAST.with(|last| *last.borrow_mut() = Some(report));
    }));
}

/// Does `job`, which is to `operation` what is at `path`; a panic becomes a failure that names it.
pub fn caught<T>(operation: &str, path: &str, job: impl FnOnce() -> T) -> Result<T, Failure> {
    // Whatever the job was changing is dropped with it.
    panic::catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let report = LAST.with(|last| last.borrow_mut().take()).unwrap_or(message);
        let failure = Failure::of(operation, path, &format!("kep-lint panicked: {}", brief(&report)));
        failure.help("report this as a bug of kep-lint, with the KEP")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_with_the_path() {
        let failure = caught("check", "keps/x", || -> u8 { panic!("on purpose") });
        let failure = format!("{failure:?}");
        assert!(failure.contains("cannot check `keps/x`: kep-lint panicked: on purpose"), "{failure}");
        assert_eq!(caught("check", "keps/y", || 7), Ok(7));
    }
}
