//! Signals. One that ends the program (Ctrl-C, `kill`, a closed terminal) waits while files are written, so that none is left
//! unfinished. The one for the limit of the size of files (`ulimit -f`) makes a write fail, as a full disk does.

/// While this exists, files are written. One thread at a time does that.
#[must_use]
pub struct Writing(());

impl Writing {
    pub fn begin() -> Self {
        system::hold();
        Self(())
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        system::release();
    }
}

/// From now on, a write beyond the limit for the size of files fails.
pub fn make_size_limit_an_error() {
    system::ignore_size_limit();
}

#[cfg(unix)]
mod system {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};
    use std::fs;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Once};

    /// Whether the program may end at any moment.
    static IS_IDLE: AtomicBool = AtomicBool::new(true);

    /// The signal that waits; 0 if there is none.
    static WAITING: AtomicUsize = AtomicUsize::new(0);

    pub fn hold() {
        static HANDLERS: Once = Once::new();
        HANDLERS.call_once(|| [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|one| !is_ignored(*one)).for_each(handle));
        IS_IDLE.store(false, Ordering::SeqCst);
        // One that came right before ends the program in another thread, while this one would begin a file.
        end_if_waiting();
    }

    /// From now on, a signal ends the program. One that waits ends it now.
    pub fn release() {
        IS_IDLE.store(true, Ordering::SeqCst);
        end_if_waiting();
    }

    fn end_if_waiting() {
        if let Ok(signal @ 1..) = i32::try_from(WAITING.load(Ordering::SeqCst)) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }

    pub fn ignore_size_limit() {
        // The flag is of no interest: the write itself fails. Programs that this one starts do not inherit the handler.
        let _ = flag::register(SIGXFSZ, Arc::default());
    }

    fn handle(signal: i32) {
        // In this order, a signal that comes too late to wait ends the program.
        let _ = flag::register_usize(signal, &WAITING, signal.unsigned_abs() as usize);
        let _ = flag::register_conditional_default(signal, &IS_IDLE);
    }

    /// Whether the program was started to ignore a signal, as with `nohup`. Only Linux tells; elsewhere, SIGHUP is left alone.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
        mask.map_or(signal == SIGHUP, |mask| mask & (1 << (signal - 1)) != 0)
    }
}

#[cfg(not(unix))]
mod system {
    pub fn hold() {}
    pub fn release() {}
    pub fn ignore_size_limit() {}
}
