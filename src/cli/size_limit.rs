//! The limit for the size of files (`ulimit -f`): a write beyond it is an error with a message, as a full disk is. Unless
//! a program handles the signal that the system sends, it is killed by it.

/// From now on, a write beyond the limit fails.
#[cfg(unix)]
pub fn make_an_error() {
    use signal_hook::consts::SIGXFSZ;
    use signal_hook::flag;
    // The flag is of no interest: the write itself fails. Programs that this one starts do not inherit the handler.
    let _ = flag::register(SIGXFSZ, std::sync::Arc::default());
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub fn make_an_error() {}
