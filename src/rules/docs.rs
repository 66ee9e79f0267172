//! The documentation of a rule: the text of the `//!` lines of its file. It is copied when the program is compiled, since a
//! part of an `include_str!` would keep the whole file in the program.

/// Copies the text of the `//!` lines that `source` begins with, as far as there is room for it. Returns it, and how many
/// bytes all of it takes.
#[expect(
    clippy::indexing_slicing,
    reason = "a constant function can write no other way, and the length is below the room"
)]
pub const fn copied<const ROOM: usize>(source: &str) -> ([u8; ROOM], usize) {
    let (mut text, mut length) = ([0; ROOM], 0);
    let mut rest = source.as_bytes();
    while let [b'/', b'/', b'!', b' ', line @ ..] | [b'/', b'/', b'!', line @ ..] = rest {
        rest = line;
        while let [byte, after @ ..] = rest {
            rest = after;
            if *byte != b'\r' {
                if length < ROOM {
                    text[length] = *byte;
                }
                length += 1;
            }
            if *byte == b'\n' {
                break;
            }
        }
    }
    // The last line has no line end.
    (text, length.saturating_sub(1))
}

macro_rules! docs {
    ($file:literal) => {{
        const SOURCE: &str = include_str!($file);
        const LENGTH: usize = $crate::rules::docs::copied::<0>(SOURCE).1;
        const TEXT: [u8; LENGTH] = $crate::rules::docs::copied(SOURCE).0;
        match std::str::from_utf8(&TEXT) {
            Ok(text) => text,
            Err(_) => panic!("whole lines of a text are a text"),
        }
    }};
}

pub(crate) use docs;

#[cfg(test)]
mod tests {
    use super::copied;

    #[test]
    fn the_text_of_the_first_lines_is_copied() {
        let source = "//! One.\r\n//!\n//!  Two.\n\n//! Three.\n";
        assert_eq!(copied::<0>(source).1, "One.\n\n Two.".len());
        assert_eq!(&copied::<11>(source).0, b"One.\n\n Two.");
        assert_eq!(copied::<0>("fn f() {}\n").1, 0);
    }
}
