//! The templates of pages, in `templates/report`. What they show goes through [`escaped`], in text and in
//! attributes alike, unless it is marked as HTML here. A page loads nothing and runs only its own script: the
//! browser enforces that by the hashes below, so that no text of a KEP could run even if it were not escaped.

use super::text::{escaped, indented, with_code};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, Output, State, Value, context};
use std::sync::LazyLock;

const FILES: [(&str, &str); 13] = [
    ("conditions.html", include_str!("../../../templates/report/conditions.html")),
    ("failures.html", include_str!("../../../templates/report/failures.html")),
    ("filters.html", include_str!("../../../templates/report/filters.html")),
    ("finding.html", include_str!("../../../templates/report/finding.html")),
    ("kep.html", include_str!("../../../templates/report/kep.html")),
    ("layout.html", include_str!("../../../templates/report/layout.html")),
    ("ready.html", include_str!("../../../templates/report/ready.html")),
    ("ready-entries.html", include_str!("../../../templates/report/ready-entries.html")),
    ("ready-kep.html", include_str!("../../../templates/report/ready-kep.html")),
    ("ready-place.html", include_str!("../../../templates/report/ready-place.html")),
    ("ready-table.html", include_str!("../../../templates/report/ready-table.html")),
    ("report.html", include_str!("../../../templates/report/report.html")),
    ("tables.html", include_str!("../../../templates/report/tables.html")),
];

static TEMPLATES: LazyLock<Environment<'static>> =
    LazyLock::new(|| pages().expect("a test reads the built-in templates"));

/// These templates. What they show goes through `shown`, unless it is marked.
pub fn environment(
    files: &[(&'static str, &'static str)],
    shown: fn(&str) -> String,
) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_formatter(move |out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value| {
        let text = value.to_string();
        Ok(out.write_str(&if value.is_safe() { text } else { shown(&text) })?)
    });
    for (name, text) in files {
        environment.add_template(name, text)?;
    }
    Ok(environment)
}

fn pages() -> Result<Environment<'static>, Error> {
    let mut environment = environment(&FILES, escaped)?;
    environment.add_filter("code", |text: &str| Value::from_safe_string(with_code(text)));
    // Lines to copy keep their own indent.
    environment.add_filter("lines", |text: &str| Value::from_safe_string(indented(text, escaped)));
    environment.add_filter("lines_with_code", |text: &str| Value::from_safe_string(indented(text, with_code)));
    Ok(environment)
}

pub fn rendered(name: &str, content: Value) -> String {
    let template = TEMPLATES.get_template(name);
    template.and_then(|template| template.render(content)).expect("a test renders each template")
}

const STYLE: &str = include_str!("page.css");
/// Its hash, as a content security policy names it.
const STYLE_HASH: &str = "sha256-X+90qdBGnri0wFdXXynEGS/WEIq0GcVDjMInH964pOA=";

/// The script of a page, with its hash.
pub struct Script {
    text: &'static str,
    hash: &'static str,
}

pub const REPORT_SCRIPT: Script = Script {
    text: concat!(include_str!("filters.js"), include_str!("report.js")),
    hash: "sha256-cRst5UJU8v+OJ/w3i7SWcEUBEFwZ2ILvF2bgDhhGuaE=",
};

pub const DASHBOARD_SCRIPT: Script = Script {
    text: concat!(include_str!("filters.js"), include_str!("dashboard.js")),
    hash: "sha256-ctHxMaAf6Fmi05NPOMFYcEAH2U7p3Qb2HUc5Pf2Hzl0=",
};

pub fn page(template: &str, content: Value, Script { text, hash }: Script) -> String {
    let frame = context! {
        version => env!("CARGO_PKG_VERSION"),
        style => Value::from_safe_string(STYLE.to_owned()),
        style_hash => STYLE_HASH,
        script => Value::from_safe_string(text.to_owned()),
        script_hash => hash,
    };
    rendered(template, context! { ..content, ..frame })
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use minijinja::context;
    use sha2::{Digest, Sha256};

    #[test]
    fn what_is_shown_is_text() {
        let html = rendered("conditions.html", context! { conditions => vec!["<b>\u{1b}", "a \"b\" & 'c'"] });
        let lines =
            "<p class=\"condition\">&lt;b&gt;?.</p>\n<p class=\"condition\">a &quot;b&quot; &amp; &#39;c&#39;.</p>\n";
        assert_eq!(html, lines);
        assert!(FILES.iter().all(|(_, text)| !text.contains("| safe")), "only this file marks what is HTML");
    }

    /// A browser reads a line end as `\n`, however the file was checked out.
    fn hash(text: &str) -> String {
        format!("sha256-{}", BASE64.encode(&Sha256::digest(text.replace("\r\n", "\n"))))
    }

    #[test]
    fn the_policy_names_what_is_there() {
        assert_eq!(STYLE_HASH, hash(STYLE), "the hash of page.css (right) belongs into STYLE_HASH");
        for script in [REPORT_SCRIPT, DASHBOARD_SCRIPT] {
            assert_eq!(script.hash, hash(script.text), "the hash of a script (right) belongs beside its text");
        }
    }

    #[test]
    fn styles_and_scripts_end_where_they_should() {
        let texts = [STYLE, REPORT_SCRIPT.text, DASHBOARD_SCRIPT.text];
        assert!(texts.iter().all(|text| !text.contains("</") && !text.contains("<!--")));
        for word in ["url(", "@import", "http:", "https:", "fetch", "innerHTML", "eval"] {
            assert!(texts.iter().all(|text| !text.contains(word)), "`{word}` is in a style or a script");
        }
    }

    #[test]
    fn a_title_is_text() {
        let page = page("layout.html", context! { title => "</title><script>" }, REPORT_SCRIPT);
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), "{page}");
        assert_eq!(page.matches("<script>").count(), 1, "{page}");
    }
}
