//! Reads the contents of files from git's objects, with one process for all of them.

use crate::bounds;
use crate::diagnostic::Failure;
use crate::workspace::git::Git;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};

pub struct Objects {
    process: Mutex<Process>,
}

/// What is at the name of an object.
#[derive(Debug)]
pub enum Content {
    File(Vec<u8>),
    /// The file has this many bytes, which are too many.
    TooLarge(u64),
    Missing,
}

/// What git says of a name.
struct Object {
    hash: String,
    kind: String,
    size: u64,
    /// `None` if they are too many.
    bytes: Option<Vec<u8>>,
}

struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    pub fn open(git: &Git) -> Result<Self, Failure> {
        let failed = || Failure::new("cannot run `git cat-file --batch`");
        let mut command = git.command_of_commits();
        let command = command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(|_| failed())?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take().ok_or_else(failed)?);
        Ok(Self { process: Mutex::new(Process { child, requests, answers: BufReader::new(answers) }) })
    }

    /// The content of the file with this name, of at most `most` bytes: a hash, or `<commit>:<path>`.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Content> {
        match self.ask(name, most)? {
            None => Ok(Content::Missing),
            Some(Object { kind, .. }) if kind != "blob" => Err(io::ErrorKind::InvalidData.into()),
            Some(Object { size, bytes: None, .. }) => Ok(Content::TooLarge(size)),
            Some(Object { bytes: Some(bytes), .. }) => Ok(Content::File(bytes)),
        }
    }

    /// The hash of the commit that a name means, and its text; `None` if there is none.
    pub fn commit(&self, name: &str) -> Option<(String, String)> {
        let Object { hash, bytes, .. } = self.ask(&format!("{name}^{{commit}}"), bounds::FILE_BYTES).ok()??;
        Some((hash, String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()))
    }

    fn ask(&self, name: &str, most: u64) -> io::Result<Option<Object>> {
        // It would be two requests.
        if name.contains('\n') {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let requests = process.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        requests.write_all(format!("{name}\n").as_bytes())?;
        requests.flush()?;
        let mut head = String::new();
        process.answers.read_line(&mut head)?;
        let words: Vec<&str> = head.split_whitespace().collect();
        let [hash, kind @ ("blob" | "tree" | "commit" | "tag"), size] = words.as_slice() else {
            let is_missing = words.last() == Some(&"missing");
            return if is_missing { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        };
        let size: u64 = size.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        // A line end follows the content.
        let mut answer = (&mut process.answers).take(size + 1);
        let object = Object { hash: (*hash).to_owned(), kind: (*kind).to_owned(), size, bytes: None };
        if size > most {
            io::copy(&mut answer, &mut io::sink())?;
            return Ok(Some(object));
        }
        let mut bytes = Vec::new();
        answer.read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == size => Ok(Some(Object { bytes: Some(bytes), ..object })),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Objects")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without requests it ends by itself.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
