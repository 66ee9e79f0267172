//! The `kep-lint` binary; see [`kep_lint::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    kep_lint::cli::main()
}
