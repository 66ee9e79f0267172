//! Catches panics, which are bugs of kep-lint, so that all other KEPs are still checked.

use crate::diagnostic::{Failure, brief};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Message and location of the thread's last panic.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Stops this process from printing panics; [`caught`] reports them.
pub fn install_hook() {
    panic::set_hook(Box::new(|information| {
        let location = information.location().map(|location| format!("{}:{}: ", location.file(), location.line()));
        let message = information.payload_as_str().unwrap_or("no message");
        let report = format!("{}{message}", location.unwrap_or_default());
        LAST.with(|last| *last.borrow_mut() = Some(report));
    }));
}

/// Runs `job`, which performs `operation` on the file or directory at `path`. A panic becomes a failure that names
/// both.
pub fn caught<T>(operation: &str, path: &str, job: impl FnOnce() -> T) -> Result<T, Failure> {
    // Unwind safety: everything that the job changes is dropped with it.
    panic::catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let report = LAST.with(|last| last.borrow_mut().take()).unwrap_or(message);
        let failure = Failure::of(operation, path, &format!("kep-lint panicked: {}", brief(&report)));
        failure.help("report this as a bug of kep-lint, and attach the KEP")
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
