//! KEPs made worse: by a generator of numbers that gives the same ones for the same seed everywhere, from texts that
//! there are and pieces that Markdown and YAML go wrong of.

use super::keps::Source;

/// Numbers that look random: splitmix64.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % (end.max(1) as u64)) as usize
    }

    /// Whether one of so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// What a file of this name goes wrong of.
pub fn mistake(random: &mut Random, name: &str) -> &'static [u8] {
    let pieces = if name.ends_with(".md") { MARKDOWN } else { YAML };
    pieces[random.below(pieces.len())]
}

/// Pieces that Markdown goes wrong of.
const MARKDOWN: &[&[u8]] = &[
    b"```\n",
    b"~~~\n",
    b"````",
    b"`",
    b"``",
    b"<!--",
    b"-->",
    b"<!-- a -->",
    b"<!-->",
    b"--!>",
    b"<!-- toc -->",
    b"<!-- /toc -->",
    b"\n<!-- toc -->\n",
    b"\n<!-- /toc -->\n",
    b"<!-- TOC -->",
    b"\n- [a](#a)\n",
    b"- [Summary](#summary)\n",
    b"<!--DIRECTIVE: required: true-->\n",
    b"<!--DIRECTIVE:required:false",
    b"<!-- DIRECTIVE: stage: bett,\n",
    b"aka: \"",
    b"<!--DIRECTIVE: required: true>\n",
    b"[",
    b"]",
    b"(",
    b")",
    b"[[",
    b"](",
    b"](#",
    b"[a](#b)",
    b"[a] (b)",
    b"[a]()",
    b"[a](www.b.c)",
    b"[^a]",
    b"[^a]: b\n",
    b"[a]: b\n",
    b"![a](b.png)",
    b"<a name=\"b\">",
    b"<b",
    b"<details>\n",
    b"</div>\n",
    b"# ",
    b"## ",
    b"\n## ",
    b"\n##a\n",
    b"\n# KEP-NNNN: a\n",
    b"KEP-12: ",
    b"\n===\n",
    b"\n---\n",
    b"- [ ] ",
    b"- [x] ",
    b"> ",
    b"1. ",
    b"| a |\n|---|\n",
    b"*",
    b"**",
    b"_",
    b"~~",
    b"\\",
    b"&amp;",
    b"&#0;",
    b"TBD",
    b"No",
    b"<<[UNRESOLVED a]>>\n",
    b"<<[/UNRESOLVED]>>\n",
    b"\n## Goals\n",
    b"\n### Non-Goals\n",
    b"\n## Summary\n",
    b"\n## Motivation\n",
    b"\n## Alternatives (old)\n",
    b"\n###### How can this feature be enabled / disabled in a live cluster? No\n",
    b"\n- Feature gate name: ImagePrefetch\n",
    b"\n- Metric name: a_b\n",
    b"\n#### e2e tests for GA\n",
];

/// Pieces that YAML goes wrong of.
const YAML: &[&[u8]] = &[
    b"&a ",
    b"*a",
    b"<<: *a\n",
    b"[",
    b"]",
    b"{",
    b"}",
    b": ",
    b":",
    b"- ",
    b"\n- ",
    b"  - @a\n",
    b"@",
    b"`",
    b"'",
    b"\"",
    b"|\n",
    b">-\n",
    b"!!int ",
    b"!a ",
    b"? ",
    b"---\n",
    b"...\n",
    b"%YAML 1.2\n",
    b"#",
    b" # ",
    b"\nstage: GA\n",
    b"\nstage: Beta\n",
    b"\nstatus: Implementable\n",
    b"\nstatus: \"##[add-mask]a\"\n",
    b"\nkep-number: 9999999999999999999999\n",
    b"\nauthors: [@a, @b]\n",
    b"\napprovers:\n  - @a\n",
    b"\nlastest-milestone: v1.37\n",
    b"\nfeature-gate:\n  - name: A\n",
    b"\nMETRICS: []\n",
    b"\nMETRICS:\n",
    b"\nsee-also:\n  - /keps/a\n",
    b"null",
    b"~",
    b"1e9",
    b"2026-02-30",
    b"v1.99",
    b"<<<<<<< HEAD\n",
];

/// Bytes that any text goes wrong of.
const BYTES: &[&[u8]] = &[
    b"\t",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n\n",
    b"    ",
    b"\0",
    b"\xef\xbb\xbf",
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{2066}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{200e}".as_bytes(),
    "\u{61c}".as_bytes(),
    "\u{85}".as_bytes(),
    "\u{a0}".as_bytes(),
    "é".as_bytes(),
    "İ".as_bytes(),
    "🦀".as_bytes(),
    "e\u{301}".as_bytes(),
    b"\x1b[31m",
    b"\x07",
    b"\x0c",
    b"\x7f",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"::error::a",
    b"\n::error file=a::b\n",
    b"##[error]a",
    b"##[add-mask]b",
    b"%0A::error::",
];

/// A KEP that `source` became, with pieces of `other`.
pub fn mutant(random: &mut Random, source: &Source, other: &Source) -> Source {
    let Source { name, directory, readme, metadata, template } = source.clone();
    let is_whole = random.one_in(60);
    let mut readme = if is_whole { readme } else { piece(random, &readme) };
    let mut metadata = metadata;
    let mut template = if template.is_some() && random.one_in(2) { template } else { None };
    let changes = 1 + random.below(5);
    for _ in 0..changes {
        match random.below(10) {
            0..=5 => change(random, &mut readme, &other.readme, MARKDOWN),
            6..=8 => change(random, &mut metadata, &other.metadata, YAML),
            _ => {
                if let Some(template) = &mut template {
                    change(random, template, &other.readme, MARKDOWN);
                }
            }
        }
    }
    Source { name, directory, readme, metadata, template }
}

/// Some lines of a text, mostly with its title and its table of contents.
fn piece(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    if text.len() < 2_000 || lines.len() < 10 {
        return text.to_owned();
    }
    let is_title = |line: &&[u8]| line.starts_with(b"# ");
    let title = lines.iter().find(|line| is_title(line)).copied().unwrap_or_default();
    let mut kept = if random.one_in(6) { Vec::new() } else { title.to_owned() };
    let from = random.below(lines.len() - 5);
    let most = 500 + random.below(3_500);
    for line in &lines[from..] {
        if kept.len() + line.len() > most {
            break;
        }
        kept.extend_from_slice(line);
    }
    kept
}

fn change(random: &mut Random, text: &mut Vec<u8>, other: &[u8], pieces: &[&[u8]]) {
    let at = random.below(text.len() + 1);
    match random.below(14) {
        0 => {
            if let Some(byte) = text.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 if random.one_in(3) => text.truncate(at),
        2 => {
            // The end of another text in place of the own one.
            let from = other.len() - random.below(other.len().min(2_000) + 1);
            text.truncate(at);
            text.extend_from_slice(&other[from..]);
        }
        3 => {
            let range = lines(random, text);
            let copy = text[range.clone()].to_owned();
            text.splice(range.end..range.end, copy);
        }
        4 => {
            let range = lines(random, text);
            let moved: Vec<u8> = text.drain(range).collect();
            let to = line_start(text, random.below(text.len() + 1));
            text.splice(to..to, moved);
        }
        5 => {
            let range = lines(random, text);
            text.drain(range);
        }
        6 if random.one_in(4) => *text = with_line_ends(text, b"\r\n"),
        7 if random.one_in(8) => *text = with_line_ends(text, b"\r"),
        8 => {
            let piece = *random.pick(BYTES);
            text.splice(at..at, piece.iter().copied());
        }
        9 | 10 => {
            let start = line_start(text, at);
            let piece = *random.pick(pieces);
            text.splice(start..start, piece.iter().copied());
        }
        _ => {
            let piece = *random.pick(pieces);
            text.splice(at..at, piece.iter().copied());
        }
    }
}

/// The bytes of one to eight lines.
fn lines(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
    let start = line_start(text, random.below(text.len() + 1));
    let count = 1 + random.below(8);
    let lines = text[start..].split_inclusive(|byte| *byte == b'\n').take(count);
    start..start + lines.map(<[u8]>::len).sum::<usize>()
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

fn with_line_ends(text: &[u8], end: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.collect::<Vec<_>>().join(end)
}

/// A smaller KEP that is still `bad`: lines are left out for as long as it stays so, in no more than so many trials.
pub fn smaller(source: &Source, mut trials: usize, is_bad: &dyn Fn(&Source) -> bool) -> Source {
    let mut best = source.clone();
    for part in [0, 1] {
        fn bytes(source: &mut Source, part: usize) -> &mut Vec<u8> {
            if part == 0 { &mut source.readme } else { &mut source.metadata }
        }
        let mut step = bytes(&mut best, part).split_inclusive(|byte| *byte == b'\n').count().div_ceil(2);
        while step > 0 {
            let mut from = 0;
            loop {
                let lines: Vec<Vec<u8>> =
                    bytes(&mut best, part).split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_owned).collect();
                if from >= lines.len() || trials == 0 {
                    break;
                }
                trials -= 1;
                let mut trial = best.clone();
                let kept = lines.iter().enumerate().filter(|(at, _)| *at < from || from + step <= *at);
                *bytes(&mut trial, part) = kept.flat_map(|(_, line)| line.clone()).collect();
                if is_bad(&trial) { best = trial } else { from += step }
            }
            step /= 2;
        }
    }
    best
}
