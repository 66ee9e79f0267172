//! What could not be read or done, which no filter hides.

use crate::diagnostic::Failure;
use minijinja::Value;

/// Each failure with its help, for the template.
pub fn all(failures: &[Failure]) -> Value {
    failures.iter().map(|failure| (failure.public_message(), failure.help.clone())).collect()
}
