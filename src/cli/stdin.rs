//! `-`: an editor's text of one file, read from standard input.

use super::args::CheckArguments;
use super::paths::STDIN;
use super::ready::input::read_all;
use crate::bounds;
use crate::diagnostic::Failure;
use crate::rules::preset::Preset;
use crate::workspace::discover::{Discovery, discover};
use crate::workspace::files::{Source, disk};
use std::io;
use std::path::{Path, PathBuf};

/// Reads standard input, if the arguments name it, as the text of the file that they name.
pub fn read(arguments: &CheckArguments) -> Result<Option<Source>, Failure> {
    let Some(path) = arguments.stdin_filename.as_ref().filter(|_| is_named(arguments)) else { return Ok(None) };
    let files = disk::around(path);
    files.set(path, read_all(io::stdin(), bounds::FILE_BYTES).map_err(|failure| failure.at(path))?)?;
    Ok(Some(files))
}

pub fn is_named(arguments: &CheckArguments) -> bool {
    arguments.paths.iter().any(|path| path.as_os_str() == STDIN)
}

/// Finds the KEP that a file belongs to, with all its other files.
pub fn discover_around(file: &Path, preset: Preset, source_of: &dyn Fn(&Path) -> Source) -> Discovery {
    let discovery = discover(&[file.to_owned()], preset, source_of);
    if discovery.keps.is_empty() {
        return discovery;
    }
    // Of a KEP that is found by a file, the documents in its directories are not listed.
    let directories: Vec<PathBuf> = discovery.keps.into_iter().map(|kep| kep.given).collect();
    discover(&directories, preset, source_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn standard_input_is_limited_like_a_file() {
        let most = usize::try_from(bounds::FILE_BYTES).expect("it is a small number");
        let read = |length: u64| read_all(io::repeat(b'x').take(length), bounds::FILE_BYTES);
        assert_eq!(read(bounds::FILE_BYTES).map(|bytes| bytes.len()), Ok(most));
        let refused = read(u64::MAX).expect_err("it is endless");
        assert_eq!(refused.message, "cannot read standard input: it has more than 2 MiB");
    }
}
