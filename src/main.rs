//! The `kep-lint` binary: everything it does is in [`kep_lint::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    kep_lint::cli::main()
}
