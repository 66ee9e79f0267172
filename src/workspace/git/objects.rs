//! Reads the contents of files from git's objects, with one process for all of them.

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

struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    pub fn open(git: &Git) -> Result<Self, Failure> {
        let failed = || Failure::new("cannot run `git cat-file --batch`");
        let mut command = git.command();
        let command = command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(|_| failed())?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take().ok_or_else(failed)?);
        Ok(Self { process: Mutex::new(Process { child, requests, answers: BufReader::new(answers) }) })
    }

    /// The content of the file with this name, of at most `most` bytes: a hash, or `<commit>:<path>`.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Content> {
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
        let [_, kind @ ("blob" | "tree" | "commit" | "tag"), size] = words.as_slice() else {
            let is_missing = words.last() == Some(&"missing");
            return if is_missing { Ok(Content::Missing) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        };
        let size: u64 = size.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        // A line end follows the content.
        let mut answer = (&mut process.answers).take(size + 1);
        if size > most || *kind != "blob" {
            io::copy(&mut answer, &mut io::sink())?;
            let is_file = *kind == "blob";
            return if is_file { Ok(Content::TooLarge(size)) } else { Err(io::ErrorKind::InvalidData.into()) };
        }
        let mut bytes = Vec::new();
        answer.read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == size => Ok(Content::File(bytes)),
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
