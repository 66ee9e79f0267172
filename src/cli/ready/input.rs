//! What people and other programs pass to a run: a file, or standard input.
use crate::bounds;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
use crate::workspace::files::disk;
use crate::workspace::paths::shown;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

pub struct Input {
    /// The path of the file, or the words for standard input.
    pub name: String,
    pub file: Arc<SourceFile>,
}

pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads the file at `path` or standard input, of at most `most` bytes of UTF-8.
pub fn read(path: &Path, most: u64) -> Result<Input, Failure> {
    let input = if is_standard(path) {
        standard(most)?
    } else {
        Input { name: shown(path), file: disk::around(path).read(path, most)?.file }
    };
    if input.file.invalid_utf8.is_some() {
        let failure = Failure::new(format!("{} is not UTF-8", input.name)).at(&input.name);
        return Err(failure.help("save it as UTF-8"));
    }
    Ok(input)
}

fn standard(most: u64) -> Result<Input, Failure> {
    let name = "standard input";
    let mut bytes = Vec::new();
    let read = io::stdin().take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(Failure::new(format!("cannot read {name}: it has more than {}", bounds::size(most))));
    }
    Ok(Input { name: name.to_owned(), file: Arc::new(SourceFile::decode(name, bytes)) })
}
