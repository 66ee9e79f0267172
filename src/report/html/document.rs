//! The frame of every page: a document that loads nothing and runs only its own script. The browser enforces that by the
//! hashes below, so that no text of a KEP could run even if it were not escaped.

use super::template;
use minijinja::{Value, context};

const STYLE: &str = include_str!("page.css");
/// Its hash, as a content security policy names it.
const STYLE_HASH: &str = "sha256-X+90qdBGnri0wFdXXynEGS/WEIq0GcVDjMInH964pOA=";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Report,
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
            Self::Report => "sha256-cRst5UJU8v+OJ/w3i7SWcEUBEFwZ2ILvF2bgDhhGuaE=",
            Self::Dashboard => "sha256-ctHxMaAf6Fmi05NPOMFYcEAH2U7p3Qb2HUc5Pf2Hzl0=",
        }
    }
}

pub fn page(template: &str, content: Value, script: Script) -> String {
    let frame = context! {
        version => env!("CARGO_PKG_VERSION"),
        style => Value::from_safe_string(STYLE.to_owned()),
        style_hash => STYLE_HASH,
        script => Value::from_safe_string(script.text().to_owned()),
        script_hash => script.hash(),
    };
    template::rendered(template, context! { ..content, ..frame })
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
        let page = page("layout.html", context! { title => "</title><script>" }, Script::Report);
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), "{page}");
        assert_eq!(page.matches("<script>").count(), 1, "{page}");
    }
}
