//! Reads the file of a template.

use crate::bounds;
use crate::diagnostic::{Failure, named};
use crate::workspace::files::Source;
use crate::workspace::files::opened::Opened;
use std::path::Path;

/// Reads the template at `path`; `help` says what to do if that fails.
pub fn read(path: &Path, source: &Source, help: &str) -> Result<Opened, Failure> {
    source.read(path, bounds::FILE_BYTES).map_err(|failure| {
        let readme = path.join("README.md");
        failure.help(if readme.is_file() { format!("did you mean {}?", named(&readme)) } else { help.to_owned() })
    })
}
