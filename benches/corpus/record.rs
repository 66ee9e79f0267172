//! What was measured before, in a text file of the repository: a line for each figure and profile.

use std::fmt;
use std::path::PathBuf;
use std::{fs, io};

/// How much of a recorded value a new one may differ by, in percent.
const TOLERANCE: f64 = 5.0;

const HEAD: &str = "\
# What `cargo bench --bench corpus` compares with: how many times the floor a row costs, the blocks that a KEP needs, how many
# times one copy several cost, and MiB. `cargo bench --bench corpus -- --update` rewrites the rows that it ran.
";

/// The file, for the figures of one profile.
pub struct Record {
    file: PathBuf,
    profile: &'static str,
    rustc: String,
    lines: Vec<Line>,
}

/// `release sig-storage 5.98 rustc 1.95.0 (59807616e 2026-04-14)`.
struct Line {
    profile: String,
    figure: String,
    value: f64,
    rustc: String,
}

/// What a record says of a new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is about the same.
    Same,
    /// It is less, by so many percent.
    Less(f64),
    /// It is more, by so many percent.
    More(f64),
    /// Nothing is recorded.
    Unknown,
    /// It is more than is allowed, whatever is recorded.
    Over(f64),
}

impl Verdict {
    /// Whether the run fails.
    pub fn is_red(self) -> bool {
        matches!(self, Self::More(_) | Self::Unknown | Self::Over(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => out.write_str("ok"),
            Self::Less(percent) => write!(out, "{percent:.1} % less: the record can be lowered"),
            Self::More(percent) => write!(out, "RED: {percent:.1} % more"),
            Self::Unknown => out.write_str("RED: not recorded"),
            Self::Over(most) => write!(out, "RED: more than {most:.0}"),
        }
    }
}

impl Record {
    /// Reads the file, to compare figures of a profile and a compiler with it.
    pub fn read(file: PathBuf, profile: &'static str, rustc: String) -> io::Result<Self> {
        let text = match fs::read_to_string(&file) {
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let lines =
            lines.map(|line| Line::parse(line).ok_or_else(|| io::Error::other(format!("unknown line: {line}"))));
        Ok(Self { file, profile, rustc, lines: lines.collect::<io::Result<_>>()? })
    }

    fn line(&self, figure: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.profile == self.profile && line.figure == figure)
    }

    /// The recorded value of a figure.
    pub fn value(&self, figure: &str) -> Option<f64> {
        self.line(figure).map(|line| line.value)
    }

    /// What the record says of a new value of a figure.
    pub fn verdict(&self, figure: &str, value: f64) -> Verdict {
        let Some(recorded) = self.value(figure) else { return Verdict::Unknown };
        let percent = (value / recorded - 1.0) * 100.0;
        match percent {
            _ if percent > TOLERANCE => Verdict::More(percent),
            _ if percent < -TOLERANCE => Verdict::Less(-percent),
            _ => Verdict::Same,
        }
    }

    /// The other compiler that a figure was recorded with.
    pub fn other_rustc(&self, figure: &str) -> Option<&str> {
        self.line(figure).map(|line| line.rustc.as_str()).filter(|rustc| *rustc != self.rustc)
    }

    /// Replaces or adds the value of a figure.
    pub fn set(&mut self, figure: &str, value: f64) {
        let (profile, rustc) = (self.profile.to_owned(), self.rustc.clone());
        let line = Line { profile, figure: figure.to_owned(), value, rustc };
        match self.lines.iter_mut().find(|old| old.profile == line.profile && old.figure == line.figure) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// Writes the file, without the lines of figures that are gone.
    pub fn write(&mut self, is_figure: impl Fn(&str) -> bool) -> io::Result<()> {
        self.lines.retain(|line| is_figure(&line.figure));
        self.lines.sort_by(|one, other| one.profile.cmp(&other.profile));
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&self.file, format!("{HEAD}{lines}"))
    }
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (profile, figure) = (words.next()?.to_owned(), words.next()?.to_owned());
        let value = words.next()?.parse().ok()?;
        Some(Self { profile, figure, value, rustc: words.collect::<Vec<_>>().join(" ") })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { profile, figure, value, rustc } = self;
        write!(out, "{profile:<7}  {figure:<15}  {value:>8.2}  {rustc}")
    }
}
