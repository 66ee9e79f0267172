//! An editor that speaks with the language server over its standard input and output.

use super::program::command;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Nothing takes so long on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor with its server.
pub struct Editor {
    pub child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    count: u64,
    /// What the server said last of each document, with the version.
    pub diagnostics: BTreeMap<String, Value>,
    /// What it showed the user.
    pub shown: Vec<String>,
}

impl Editor {
    /// Starts a server in `folder`, not yet initialized.
    pub fn start(folder: &Path) -> Self {
        Self::of(command(folder).arg("lsp"))
    }

    /// Starts a server by this command.
    pub fn of(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the program was built with this test");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { child, input, messages, count: 0, diagnostics: BTreeMap::new(), shown: Vec::new() }
    }

    /// The same after the handshake of an editor with these capabilities and settings.
    pub fn initialized(folder: &Path, capabilities: Value, settings: Value) -> (Self, Value) {
        let mut editor = Self::start(folder);
        let parameters = json!({
            "processId": null, "rootUri": uri(folder), "capabilities": capabilities, "initializationOptions": settings,
        });
        let answer = editor.ask("initialize", parameters);
        editor.notify("initialized", json!({}));
        (editor, answer)
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        // A server that has ended reads nothing.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Closes the standard input of the server.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request, and returns its number.
    pub fn request(&mut self, method: &str, parameters: Value) -> u64 {
        self.count += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters }));
        self.count
    }

    /// The whole answer to a request.
    pub fn answer(&mut self, number: u64) -> Value {
        loop {
            let message = self.next().expect("the server answers");
            if message["id"] == number && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The result of a request.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.request(method, parameters);
        let mut answer = self.answer(number);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The next message; `None` if the server has ended.
    pub fn next(&mut self) -> Option<Value> {
        let message = self.messages.recv_timeout(PATIENCE);
        if matches!(message, Err(std::sync::mpsc::RecvTimeoutError::Timeout)) {
            panic!("the server says nothing");
        }
        let message = message.ok()?;
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let uri = message["params"]["uri"].as_str().expect("a text").to_owned();
                self.diagnostics.insert(uri, message["params"].clone());
            }
            Some("window/showMessage") => {
                self.shown.push(message["params"]["message"].as_str().expect("a text").to_owned());
            }
            _ => {}
        }
        Some(message)
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, path: &Path, version: i64, text: &str) {
        let document = json!({ "uri": uri(path), "version": version });
        let parameters = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", parameters);
    }

    /// What the server says of this version of a document.
    pub fn checked(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let uri = uri(path);
        while self.diagnostics.get(&uri).is_none_or(|last| last["version"] != version) {
            self.next().expect("the server says what it found");
        }
        self.diagnostics[&uri]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Reads messages until what the server said is as wanted.
    pub fn until(&mut self, wanted: &str, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            assert!(self.next().is_some(), "the server has ended before {wanted}");
        }
    }

    /// The rules of the findings that it said last of a document, in order.
    pub fn rules(&self, path: &Path) -> Vec<String> {
        let last = self.diagnostics.get(&uri(path)).map(|last| &last["diagnostics"]);
        let all = last.and_then(Value::as_array).into_iter().flatten();
        all.map(|finding| finding["code"].as_str().unwrap_or("failure").to_owned()).collect()
    }

    /// How many findings there are, over all documents.
    pub fn findings(&self) -> usize {
        self.diagnostics.values().map(|last| last["diagnostics"].as_array().map_or(0, Vec::len)).sum()
    }

    /// Ends the conversation as the protocol wants it.
    pub fn end(mut self) -> ExitStatus {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.wait()
    }

    /// Waits for the end of the server.
    pub fn wait(&mut self) -> ExitStatus {
        self.input = None;
        while self.next().is_some() {}
        self.child.wait().expect("it ends")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message; `None` at the end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}

/// The URI of a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("it is UTF-8"))
}
