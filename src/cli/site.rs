//! The pages about rules, written to a directory. It deletes nothing, and replaces only pages that kep-lint wrote.

use super::output;
use super::write::report_file::ReportFile;
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::report::html::document::GENERATOR;
use crate::report::site;
use crate::workspace::failure;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Writes all pages to `directory`, which is made if it is not there: all or, if one of them cannot be written, none.
pub fn write(directory: &Path) -> Result<(), Failure> {
    let pages = site::pages();
    let mut files = Vec::new();
    for page in &pages {
        let path = directory.join(&page.path);
        make_directory(path.parent().unwrap_or(directory))?;
        refuse_foreign(&path)?;
        files.push(ReportFile::create(&path)?);
    }
    for (page, file) in pages.iter().zip(files) {
        file.finish(&page.html)?;
    }
    let count = counted(pages.len(), "page", "pages");
    output::note(&format!("wrote {count} to {}", directory.display()));
    Ok(())
}

fn make_directory(directory: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| failure::io("make", directory, &error).help("name a directory that can be written");
    fs::create_dir_all(directory).map_err(failed)
}

/// Fails if there is a page that somebody else wrote.
fn refuse_foreign(path: &Path) -> Result<(), Failure> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        // Refused in its own words where the file is made.
        return Ok(());
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(bounds::MARK_BYTES).read_to_end(&mut start));
    read.map_err(|error| failure::io("read", path, &error).help("name another directory"))?;
    if String::from_utf8_lossy(&start).contains(GENERATOR) {
        return Ok(());
    }
    let failure = Failure::of("write", path, "there is a file that kep-lint did not write");
    Err(failure.help("name another directory, or remove the file"))
}
