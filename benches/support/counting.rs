//! Instructions that a program executes, counted by valgrind: the same on every machine and in nearly every run. What counts
//! is cachegrind without caches: it sees the same instructions as callgrind, in less time. Neither follows the processes that
//! a program starts, such as git.

use std::env;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The instructions of a run, or what went wrong.
pub type Count = Result<u64, String>;

/// Fails if there is no valgrind.
pub fn is_there() -> Result<(), String> {
    let tried = command("valgrind").arg("--version").stdout(Stdio::null()).status();
    tried
        .map(drop)
        .map_err(|problem| format!("cannot run valgrind ({problem}): install it with `apt-get install valgrind`"))
}

/// A command that counts the instructions of a program; its arguments are still to be added.
pub fn counting(program: &Path) -> Command {
    let mut valgrind = command("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]).arg(program);
    valgrind
}

/// What such a command counted, if the program ended with one of these statuses.
pub fn counted(output: &Output, statuses: &[i32]) -> Count {
    // `==7== I   refs:      6,691,979`; newer versions have one space fewer.
    number(output, statuses, "refs:")
}

/// The number that valgrind printed after `name`, if the program ended with one of these statuses.
pub fn number(output: &Output, statuses: &[i32], name: &str) -> Count {
    let printed = String::from_utf8_lossy(&output.stderr);
    let own = || printed.lines().find(|line| !line.starts_with("==")).unwrap_or_default().to_owned();
    match output.status.code() {
        Some(code) if statuses.contains(&code) => {}
        Some(code) => return Err(format!("exit status {code}: {}", own())),
        None => return Err(format!("died: {}", output.status)),
    }
    let rest = printed.lines().filter(|line| line.starts_with("==")).find_map(|line| line.split_once(name));
    let word = rest.and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or_default();
    word.replace(',', "").parse().map_err(|_| format!("valgrind counted nothing: {printed}"))
}

/// A command without the environment variables of a CI system.
pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(env::vars_os().filter(|(name, _)| name == "PATH"));
    command
}
