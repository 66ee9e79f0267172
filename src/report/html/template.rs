//! The templates of pages, in `templates/report`. What they show goes through [`escaped`], in text and in attributes alike,
//! unless it is marked as HTML here.

use super::text::{escaped, indented, with_code};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, Output, State, Value};
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

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    #[test]
    fn what_is_shown_is_text() {
        let html = rendered("conditions.html", context! { conditions => vec!["<b>\u{1b}", "a \"b\" & 'c'"] });
        let lines =
            "<p class=\"condition\">&lt;b&gt;?.</p>\n<p class=\"condition\">a &quot;b&quot; &amp; &#39;c&#39;.</p>\n";
        assert_eq!(html, lines);
        assert!(FILES.iter().all(|(_, text)| !text.contains("| safe")), "only this file marks what is HTML");
    }
}
