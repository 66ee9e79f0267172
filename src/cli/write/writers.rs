//! Whether another program has a file open and may still write to it.

use std::path::Path;

/// Whether a program has the file open to write to it, as far as the system tells: Linux does for the programs of the same
/// user.
#[cfg(target_os = "linux")]
pub fn has_writer(path: &Path) -> bool {
    use std::fs;
    /// The part of the flags that says whether a file is open to read, to write or for both.
    const ACCESS: u64 = 0o3;
    let writes = |information: &Path| {
        let text = fs::read_to_string(information).unwrap_or_default();
        let flags = text.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        flags.is_some_and(|flags| flags & ACCESS != 0)
    };
    let entries = |directory: &Path| directory.read_dir().into_iter().flatten().flatten();
    // The name of an old file is its own. Its target is only read, because looking at an open file may take forever.
    let is_open = |link: &Path| link.read_link().is_ok_and(|target| target.file_name() == path.file_name());
    let is_process = |name: &[u8]| name.iter().all(u8::is_ascii_digit);
    entries(Path::new("/proc")).filter(|entry| is_process(entry.file_name().as_encoded_bytes())).any(|process| {
        let process = process.path();
        entries(&process.join("fd")).any(|descriptor| {
            is_open(&descriptor.path()) && writes(&process.join("fdinfo").join(descriptor.file_name()))
        })
    })
}

#[cfg(not(target_os = "linux"))]
pub fn has_writer(_: &Path) -> bool {
    false
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, OpenOptions};

    #[test]
    fn who_reads_is_no_writer() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("kep-lint-test-of-writers");
        let created = File::create(&path).expect("a file");
        assert!(has_writer(&path));
        drop(created);
        let _reader = File::open(&path).expect("it is there");
        assert!(!has_writer(&path));
        let _writer = OpenOptions::new().append(true).open(&path).expect("it is there");
        assert!(has_writer(&path));
    }
}
