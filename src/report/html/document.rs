//! The frame of every page: a document that loads nothing and runs only its own script. The browser enforces that by the
//! hashes below, so that no text of a KEP could run even if it were not escaped.

use super::text::escaped;

const STYLE: &str = include_str!("page.css");
/// Its hash, as a content security policy names it.
const STYLE_HASH: &str = "sha256-E8bZ1LRBTwO8mz2g/NHCKle0A2/+yh01X785tqp1Iu0=";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Report,
    /// The filters of the dashboard of a release.
    Dashboard,
}

impl Script {
    fn text(self) -> &'static str {
        match self {
            Self::Report => concat!(include_str!("filters.js"), include_str!("report.js")),
            Self::Dashboard => concat!(include_str!("filters.js"), include_str!("dashboard.js")),
        }
    }

    fn hash(self) -> &'static str {
        match self {
            Self::Report => "sha256-DT340yUH0g4roqmNPCV6loSFN9Z4J7wM3EJq3/+gw08=",
            Self::Dashboard => "sha256-mp7fh9vGRVb2E+eDqMEFTHmvJbhVHdd9qTgJQJiGDdo=",
        }
    }
}

/// A page with this title, whose `body` is HTML.
pub fn page(title: &str, body: &str, script: Script) -> String {
    format!("{}{body}{}", head(title, script), tail(script))
}

/// All of a page that is before its body.
pub fn head(title: &str, script: Script) -> String {
    let (title, version, hash) = (escaped(title), env!("CARGO_PKG_VERSION"), script.hash());
    let policy = format!(
        "default-src 'none'; style-src '{STYLE_HASH}'; script-src '{hash}'; base-uri 'none'; form-action 'none'"
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
        <meta name=\"generator\" content=\"kep-lint {version}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n\
        <meta name=\"referrer\" content=\"no-referrer\">\n\
        <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )
}

/// All of a page that is after its body.
pub fn tail(script: Script) -> String {
    format!("<script>{}</script>\n</body>\n</html>\n", script.text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use sha2::{Digest, Sha256};

    /// A browser reads a line end as `\n`, however the file was checked out.
    fn hash(text: &str) -> String {
        format!("sha256-{}", BASE64.encode(&Sha256::digest(text.replace("\r\n", "\n"))))
    }

    #[test]
    fn the_policy_names_what_is_there() {
        assert_eq!(STYLE_HASH, hash(STYLE), "the hash of page.css (right) belongs into STYLE_HASH");
        for script in [Script::Report, Script::Dashboard] {
            assert_eq!(script.hash(), hash(script.text()), "the hash of {script:?} (right) belongs into Script::hash");
        }
    }

    #[test]
    fn styles_and_scripts_end_where_they_should() {
        let texts = [STYLE, Script::Report.text(), Script::Dashboard.text()];
        assert!(texts.iter().all(|text| !text.contains("</") && !text.contains("<!--")));
        for word in ["url(", "@import", "http:", "https:", "fetch", "innerHTML", "eval"] {
            assert!(texts.iter().all(|text| !text.contains(word)), "`{word}` is in a style or a script");
        }
    }

    #[test]
    fn a_title_is_text() {
        let page = page("</title><script>", "", Script::Report);
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), "{page}");
        assert_eq!(page.matches("<script>").count(), 1, "{page}");
    }
}
