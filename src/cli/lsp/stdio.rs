//! Messages over standard input and output. A thread reads them and another one writes them: while KEPs are checked, edits
//! wait here, and those that follow each other are checked once.

use super::client::PATIENCE;
use crate::bounds;
use crate::diagnostic::Failure;
use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::Message;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

pub struct Stdio {
    pub input: Receiver<Message>,
    pub output: Sender<Message>,
    /// Whether there is nothing more to read.
    pub is_silent: Arc<AtomicBool>,
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Stdio {
    /// Starts to read. What is no message is passed to `log`.
    pub fn start(log: impl Fn(&str) + Send + 'static) -> Result<Self, Failure> {
        let (sender, input) = bounded(bounds::WAITING_MESSAGES);
        let (output, receiver) = bounded::<Message>(bounds::WAITING_MESSAGES);
        let is_silent = Arc::<AtomicBool>::default();
        let ended = Arc::clone(&is_silent);
        let read = move || {
            let result = pass(&mut BufReader::new(io::stdin()), &sender, log);
            ended.store(true, Ordering::Relaxed);
            result
        };
        let write = move || {
            let mut stdout = io::stdout().lock();
            receiver.iter().try_for_each(|message| message.write(&mut stdout))
        };
        let started = Builder::new().name("reader".to_owned()).spawn(read).and_then(|reader| {
            let writer = Builder::new().name("writer".to_owned()).spawn(write)?;
            Ok((reader, writer))
        });
        let (reader, writer) = started.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
        Ok(Self { input, output, is_silent, reader, writer })
    }

    /// Waits until all is written, and says why nothing more could be read. A reader that waits for an editor that says
    /// nothing more, and a writer that waits for one that reads nothing, end with the process.
    pub fn end(self) -> Result<(), Failure> {
        let Self { input, output, reader, writer, .. } = self;
        drop((input, output));
        let start = Instant::now();
        while !writer.is_finished() && start.elapsed() < PATIENCE {
            sleep(Duration::from_millis(1));
        }
        let read = if reader.is_finished() { reader.join() } else { Ok(Ok(())) };
        match read {
            Ok(Err(error)) => Err(Failure::new(format!("cannot read the editor's messages: {error}"))),
            _ => Ok(()),
        }
    }
}

/// Passes all messages to the server. What is none is passed to `log`. Fails if it is unknown where the next
/// message begins.
fn pass(input: &mut impl BufRead, server: &Sender<Message>, log: impl Fn(&str)) -> io::Result<()> {
    while let Some(length) = length(input)? {
        let mut body = input.take(length);
        if length > bounds::EDITOR_MESSAGE_BYTES {
            if io::copy(&mut body, &mut io::sink())? < length {
                return Err(ended());
            }
            log(&format!("skipped a message of more than {}", bounds::size(bounds::EDITOR_MESSAGE_BYTES)));
            continue;
        }
        // Not as much at once as is announced: it may never come.
        let mut bytes = Vec::new();
        if (body.read_to_end(&mut bytes)? as u64) < length {
            return Err(ended());
        }
        match serde_json::from_slice(&bytes) {
            Ok(message) => {
                if server.send(message).is_err() {
                    // The server has ended.
                    break;
                }
            }
            Err(error) => log(&format!("skipped what is no message: {error}")),
        }
    }
    Ok(())
}

/// How many bytes the next message has; `None` at the end.
fn length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    for count in 0.. {
        let mut line = String::new();
        input.take(bounds::HEADER_BYTES).read_line(&mut line)?;
        match line.strip_suffix('\n').map(str::trim_end) {
            None if line.is_empty() && count == 0 => return Ok(None),
            None if (line.len() as u64) < bounds::HEADER_BYTES => return Err(ended()),
            None => break,
            Some("") => break,
            Some(header) => {
                if let Some((name, value)) = header.split_once(':')
                    && name.eq_ignore_ascii_case("Content-Length")
                {
                    let invalid = |_| io::Error::new(ErrorKind::InvalidData, "the Content-Length is no number");
                    length = Some(value.trim().parse().map_err(invalid)?);
                }
            }
        }
    }
    length.map(Some).ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "a message has no Content-Length"))
}

fn ended() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "they end within a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// What is read from a text, up to its end or to the first failure.
    fn read(text: &[u8]) -> Vec<String> {
        let all = RefCell::new(Vec::new());
        let (sender, receiver) = crossbeam_channel::unbounded();
        let take = || {
            all.borrow_mut().extend(receiver.try_iter().map(|message| match message {
                Message::Notification(message) => message.method,
                _ => "another".to_owned(),
            }));
        };
        let result = pass(&mut &*text, &sender, |problem| {
            take();
            all.borrow_mut().push(problem.split(':').next().unwrap_or_default().to_owned());
        });
        take();
        let failure = result.err().map(|error| error.to_string());
        all.into_inner().into_iter().chain(failure).collect()
    }

    #[test]
    fn what_is_no_message_is_skipped_while_its_end_is_known() {
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let exit = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        let skipped = "skipped what is no message";
        for broken in ["{", "3", "{}", "[]", "", "\u{fffd}", r#"{"method":3}"#] {
            assert_eq!(read((framed(broken) + &exit).as_bytes()), [skipped, "exit"], "{broken}");
        }
        assert_eq!(read(framed(&"[".repeat(100_000)).as_bytes()), [skipped]);
        assert_eq!(read(b"Content-Length: 1\r\n\r\n\xff"), [skipped]);
        let lower = exit.replace("Content-Length: ", "Content-Type: x\r\ncontent-length:").replace("\r\n", "\n");
        assert_eq!(read(lower.as_bytes()), ["exit"]);
        for (length, said) in [
            (bounds::EDITOR_MESSAGE_BYTES, skipped),
            (bounds::EDITOR_MESSAGE_BYTES + 1, "skipped a message of more than 64 MiB"),
        ] {
            let header = format!("Content-Length: {length}\r\n\r\n");
            let body = vec![b'x'; length as usize];
            let all = [header.as_bytes(), &body, exit.as_bytes()].concat();
            assert_eq!(read(&all), [said, "exit"]);
        }
    }

    #[test]
    fn without_a_length_all_ends() {
        let within = "they end within a message";
        for (text, problem) in [
            ("\r\n{}", "a message has no Content-Length"),
            ("Content-Length: x\r\n\r\n", "the Content-Length is no number"),
            ("Content-Length: -1\r\n\r\n", "the Content-Length is no number"),
            ("Content-Length: 99999999999999999999\r\n\r\n", "the Content-Length is no number"),
            ("Content-Length: 1000000000\r\n\r\n{", within),
            ("Content-Length: 10000000\r\n\r\n{", within),
            ("Content-Length: 1", within),
            ("Content-Length: 1\r\n", within),
        ] {
            assert_eq!(read(text.as_bytes()), [problem], "{text:?}");
        }
        let after = |length: u64| {
            let header = format!("{}\r\n", "x".repeat(length as usize - "\r\n".len()));
            read(format!("{header}Content-Length: 1\r\n\r\nx").as_bytes()).join("")
        };
        assert_eq!(after(bounds::HEADER_BYTES), "skipped what is no message");
        assert_eq!(after(bounds::HEADER_BYTES + 1), "a message has no Content-Length");
        assert_eq!(read(b""), [""; 0]);
    }
}
