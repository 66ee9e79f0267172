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
        let name = "standard input";
        let bytes = read_all(io::stdin(), most)?;
        Input { name: name.to_owned(), file: Arc::new(SourceFile::decode(name, bytes)) }
    } else {
        Input { name: shown(path), file: disk::around(path).read(path, most)?.file }
    };
    if input.file.invalid_utf8.is_some() {
        let failure = Failure::new(format!("{} is not UTF-8", input.name)).at(&input.name);
        return Err(failure.help("save it as UTF-8"));
    }
    Ok(input)
}

/// All of `input`, of at most `most` bytes.
pub fn read_all(input: impl Read, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    if bytes.len() as u64 > most {
        let size = bounds::size(most);
        let failure = Failure::new(format!("cannot read standard input: it has more than {size}"));
        return Err(failure.help(format!("reduce it to at most {size}")));
    }
    Ok(bytes)
}
