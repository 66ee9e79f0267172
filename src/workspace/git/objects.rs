//! Reads the contents of files from git's objects, with one process for all of them.

use crate::bounds;
use crate::diagnostic::Failure;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
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

#[derive(Debug)]
struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    pub fn open(mut git: Command) -> Result<Self, Failure> {
        let failed = || Failure::new("cannot run `git cat-file --batch`");
        let command = git.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(|_| failed())?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take().ok_or_else(failed)?);
        Ok(Self { process: Mutex::new(Process { child, requests, answers: BufReader::new(answers) }) })
    }

    /// The content of the file with this name, of at most `most` bytes: a hash, or `<commit>:<path>`.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Content> {
        Ok(self.ask(name, "blob", most)?.1)
    }

    /// The hash of the commit that a name means, and its text; `None` if there is none.
    pub fn commit(&self, name: &str) -> Option<(String, String)> {
        let (hash, text) = self.ask(&format!("{name}^{{commit}}"), "commit", bounds::FILE_BYTES).ok()?;
        match text {
            Content::File(text) => Some((hash, String::from_utf8_lossy(&text).into_owned())),
            Content::TooLarge(_) => Some((hash, String::new())),
            Content::Missing => None,
        }
    }

    /// The hash of what a name means, and its content. Fails if it is not of the `wanted` kind.
    fn ask(&self, name: &str, wanted: &str, most: u64) -> io::Result<(String, Content)> {
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
            let missing = (String::new(), Content::Missing);
            return if is_missing { Ok(missing) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        };
        let size: u64 = size.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        // A line end follows the content.
        let mut answer = (&mut process.answers).take(size + 1);
        if size > most || *kind != wanted {
            io::copy(&mut answer, &mut io::sink())?;
            let is_wanted = *kind == wanted;
            let large = ((*hash).to_owned(), Content::TooLarge(size));
            return if is_wanted { Ok(large) } else { Err(io::ErrorKind::InvalidData.into()) };
        }
        let mut bytes = Vec::new();
        answer.read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == size => Ok(((*hash).to_owned(), Content::File(bytes))),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without requests it ends by itself.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
