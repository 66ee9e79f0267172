//! A URL of the command line that paths are appended to.

/// Parses the URL, and drops a `/` at its end. What it may hold needs no escape in a link of Markdown or HTML.
pub fn base_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let rest = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Err("write a URL that begins with `https://` or `http://` and a host".to_owned());
    }
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._~:/@!$*+,;=%[]".contains(letter);
    match url.chars().find(|letter| !is_allowed(*letter)) {
        Some('?' | '#') => Err("write the URL without `?` and `#`: paths are appended to it".to_owned()),
        Some(_) => Err("write characters that a URL cannot have as `%20`".to_owned()),
        None => Ok(url.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_web_address_without_an_end() {
        let base = "https://github.com/kubernetes/enhancements/blob/master";
        assert_eq!(base_url(&format!("{base}//")).as_deref(), Ok(base));
        assert_eq!(base_url("http://localhost:8080/a%20b").as_deref(), Ok("http://localhost:8080/a%20b"));
        for bad in [
            "",
            "/",
            "https://",
            "https:///x",
            "github.com/x",
            "javascript:alert(1)",
            "file:///x",
            "https://x/y?z",
            "https://x/y#z",
            "https://x/a b",
            "https://x/a\nb",
            "https://x/\u{1b}",
            "https://x/)",
            "https://x/\"><script>",
            "https://x/é",
        ] {
            assert!(base_url(bad).is_err(), "{bad:?}");
        }
    }
}
