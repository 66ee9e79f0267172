//! What a keystroke costs in an editor: the instructions and the time from an edit to its diagnostics over the protocol, for the
//! README of the median and for the largest one of the corpus, and for a kep.yaml in a repository of git. The rows `check-median` and
//! `check-largest` of the bench `corpus` are checks of the same KEPs in memory, without a protocol and a repository.
//!
//! ```sh
//! cargo bench --bench lsp            # 1,000 edits each for the time, 50 for the instructions
//! cargo bench --bench lsp -- 1000    # as many for both: minutes
//! ```
//!
//! Instructions are counted by callgrind, whose count is read after each edit. It fails if the median for the median README is
//! above [`MOST`].

#[path = "support/counting.rs"]
#[expect(dead_code, reason = "the other benches use more of it")]
mod counting;
#[path = "../tests/support/editor.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod editor;
#[path = "../tests/support/program.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod program;

#[path = "corpus/trees.rs"]
#[expect(dead_code, reason = "the other benches use more of it")]
mod trees;

use editor::{Editor, uri};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};
use trees::History;

/// The most instructions of an edit of the median README.
const MOST: u64 = 6_900_000;

/// The rows: a name, and a file of the corpus.
const ROWS: [(&str, &str); 3] = [
    ("README, median", "keps/sig-instrumentation/5207-metrics-k8s-io-api-definition/README.md"),
    ("README, largest", "keps/sig-scheduling/5517-dra-node-allocatable-resources/README.md"),
    ("kep.yaml, median", "keps/sig-instrumentation/5207-metrics-k8s-io-api-definition/kep.yaml"),
];

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn main() -> ExitCode {
    let count = env::args().find_map(|argument| argument.parse().ok());
    let Some(corpus) = env::var_os("KEP_LINT_SHARED").map(|shared| PathBuf::from(shared).join("corpus")) else {
        println!("nothing is measured: KEP_LINT_SHARED names no folder with a corpus");
        return ExitCode::SUCCESS;
    };
    println!("{:18} {:>12} {:>12} {:>12} {:>12}", "", "instructions", "longest", "ms", "longest");
    let mut is_red = false;
    // Git may be asked about a kep.yaml.
    let history = History::of(&corpus);
    for (name, file) in ROWS {
        let root = if file.ends_with("kep.yaml") { history.root() } else { &corpus };
        let instructions = Instructions::of(root, file, count.unwrap_or(50));
        let times = times(root, file, count.unwrap_or(1_000));
        let [(usual, longest), (time, slowest)] = [instructions, times].map(median_and_longest);
        let ms = |micros: u64| micros as f64 / 1_000.0;
        println!("{name:18} {usual:12} {longest:12} {:12.2} {:12.2}", ms(time), ms(slowest));
        is_red |= name == ROWS[0].0 && usual > MOST;
    }
    if is_red {
        println!("RED: an edit of the median README has more than {MOST} instructions");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn median_and_longest(mut values: Vec<u64>) -> (u64, u64) {
    values.sort_unstable();
    (values[values.len() / 2], values[values.len() - 1])
}

/// The microseconds from each edit to its diagnostics.
fn times(corpus: &Path, file: &str, count: usize) -> Vec<u64> {
    let editor = Editor::of(program::command(corpus).arg("lsp"));
    let mut typing = Typing::start(editor, &corpus.join(file), corpus);
    let edit = |_| {
        let start = Instant::now();
        typing.edit();
        u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
    };
    (0..count).map(edit).collect()
}

/// An editor in which a letter is typed at many places of a document, and removed.
struct Typing {
    editor: Editor,
    path: PathBuf,
    lines: Vec<String>,
    version: i64,
}

impl Typing {
    fn start(mut editor: Editor, path: &Path, root: &Path) -> Self {
        editor.ask("initialize", json!({ "rootUri": uri(root), "capabilities": {} }));
        editor.notify("initialized", json!({}));
        let text = fs::read_to_string(path).expect("the corpus has it");
        editor.open(path, &text);
        editor.checked(path, 1);
        let lines = text.lines().map(str::to_owned).collect();
        Self { editor, path: path.to_owned(), lines, version: 1 }
    }

    fn edit(&mut self) {
        // Each place twice: the letter comes and goes.
        let step = (self.version / 2) as usize;
        let line = step * 7 % self.lines.len();
        let at = self.lines[line].chars().map(char::len_utf16).sum::<usize>() / 2;
        let is_removed = self.version % 2 == 0;
        self.version += 1;
        let range = json!({
            "start": { "line": line, "character": at },
            "end": { "line": line, "character": at + usize::from(is_removed) },
        });
        let changes = json!([{ "range": range, "text": if is_removed { "" } else { "x" } }]);
        let document = json!({ "uri": uri(&self.path), "version": self.version });
        self.editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        self.editor.checked(&self.path, self.version);
    }
}

/// The instructions of each edit.
struct Instructions {
    folder: tempfile::TempDir,
    read: usize,
}

impl Instructions {
    fn of(corpus: &Path, file: &str, count: usize) -> Vec<u64> {
        let mut counter = Self { folder: tempfile::tempdir().expect("a directory"), read: 0 };
        let mut command = program::scrubbed("valgrind", corpus);
        command
            .args(["-q", "--tool=callgrind"])
            .arg(format!("--callgrind-out-file={}", counter.folder.path().join("out").display()));
        command.args([program::PROGRAM, "lsp"]).env("RAYON_NUM_THREADS", "1");
        let mut typing = Typing::start(Editor::of(&mut command), &corpus.join(file), corpus);
        counter.next(typing.editor.child.id());
        let edit = |_| {
            typing.edit();
            counter.next(typing.editor.child.id())
        };
        (0..count).map(edit).collect()
    }

    /// The instructions since the last time.
    fn next(&mut self, process: u32) -> u64 {
        let dump = Command::new("vgdb").arg(format!("--pid={process}")).arg("dump").output().expect("valgrind has it");
        assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
        self.read += 1;
        let file = self.folder.path().join(format!("out.{}", self.read));
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let total = text.lines().find_map(|line| line.strip_prefix("summary: ").or(line.strip_prefix("totals: ")));
        total.and_then(|total| total.trim().parse().ok()).expect("callgrind says it")
    }
}
