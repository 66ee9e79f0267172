//! FNV-1a with 64 bits: a hash that is the same in every version and on every machine, so that it can be recorded.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(u64);

impl Hash {
    pub const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub fn of(bytes: &[u8]) -> Self {
        Self::EMPTY.with(bytes)
    }

    /// The hash of what this one is of, followed by `bytes`.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        bytes.iter().fold(self, |hash, byte| hash.with_byte(*byte))
    }

    #[must_use]
    pub fn with_byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// Parses what [`fmt::Display`] prints: 16 hexadecimal digits.
    pub fn parse(digits: &str) -> Option<Self> {
        u64::from_str_radix(digits, 16).ok().map(Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv_1a() {
        assert_eq!(Hash::EMPTY.to_string(), "cbf29ce484222325");
        assert_eq!(Hash::of(b"foobar").to_string(), "85944171f73967e8");
        assert_eq!(Hash::of(b"foo").with(b"bar"), Hash::of(b"foobar"));
        assert_eq!(Hash::parse("85944171f73967e8"), Some(Hash::of(b"foobar")));
        assert_eq!(Hash::parse("# a comment"), None);
    }
}
