//! The base of links, as an argument: an address to which paths are added.

/// Reads an address of the web without query and fragment.
pub fn parse(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_whole = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
    // What belongs to no address, or ends its path: text in HTML or Markdown could go on after it.
    let is_bad = |letter: char| !letter.is_ascii_graphic() || "\"'<>\\^`{|}()[]?#".contains(letter);
    if is_whole && !text.contains(is_bad) {
        return Ok(text.to_owned());
    }
    Err("write an address such as https://example.org/kep-lint, without `?` and `#`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        for good in ["https://x.org", "http://localhost:8000/a/", "https://x.org/~a/b%20c"] {
            assert_eq!(parse(good).as_deref(), Ok(good));
        }
        let bad =
            ["", "x.org", "https://", "https:///x", "javascript:x", "file:///x", "https://x.org/a b", "https://x\n"];
        for bad in bad.into_iter().chain(["https://x/\"", "https://x/?a", "https://x/#a", "https://x/é", "https://x/)"])
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
