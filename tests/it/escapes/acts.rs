//! What acts in a text, by what the text is written in. Apart from the texts that are tried, because it is tried itself
//! on texts that do act.

use comrak::{Options, markdown_to_html};
use kep_lint::report::format::Carrier;
use kep_lint::report::is_hidden;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What in `text` acts, if anything does.
pub fn acting(carrier: Carrier, text: &str) -> Option<String> {
    let own = match carrier {
        Carrier::Markdown => markdown(text),
        Carrier::Json => json(text),
        Carrier::Xml => xml(text),
        Carrier::Html => dangerous_attribute(&tags(text)),
        _ => None,
    };
    own.or_else(|| everywhere(carrier, text))
}

/// What acts in a log and in a terminal, which any format may be printed to.
fn everywhere(carrier: Carrier, text: &str) -> Option<String> {
    if let Some(letter) = text.chars().find(|letter| is_hidden(*letter) && *letter != '\n') {
        return Some(format!("{letter:?}"));
    }
    static OLD_COMMAND: LazyLock<Regex> = LazyLock::new(|| pattern("##[A-Za-z0-9]*\\["));
    if let Some(found) = OLD_COMMAND.find(text) {
        return Some(found.as_str().to_owned());
    }
    let is_own = |line: &str| carrier == Carrier::Commands && command_message(line).is_some();
    let commands = text.lines().filter(|line| line.trim().starts_with("::"));
    commands.filter(|line| !is_own(line)).map(str::to_owned).next()
}

/// The message of a command that only annotates, as a runner reads it.
pub fn command_message(line: &str) -> Option<String> {
    static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            "^::(?:error|warning|notice) (?:file=[^:,%]*(?:%(?:25|3A|2C|0A|0D)[^:,%]*)*(?:,(?:line|endLine|col|endColumn)\
             =[0-9]+)+,)?title=kep-lint(?:%3A [a-z-]+)?::((?:[^%]|%25)*)$",
        )
    });
    let message = COMMAND.captures(line)?.get(1)?.as_str();
    Some(message.replace("%25", "%"))
}

/// Prow and GitLab obey lines that begin with `/`, also in code. Everything else shows in what the text is rendered to.
fn markdown(text: &str) -> Option<String> {
    if let Some(line) = text.lines().find(|line| line.starts_with('/')) {
        return Some(line.to_owned());
    }
    let html = rendered(text);
    let tags = tags(&html);
    let known = ["details", "summary", "b", "br", "a", "code", "strong", "ul", "li", "p", "pre", "h3"];
    let is_known = |tag: &&Tag| known.contains(&tag.name.trim_start_matches('/'));
    if let Some(tag) = tags.iter().find(|tag| !is_known(tag)) {
        return Some(format!("<{}>", tag.name));
    }
    let is_link = |tag: &&Tag| tag.name == "a" && !tag.value("href").starts_with("https://example.com/o/r/blob/main/");
    if let Some(tag) = tags.iter().find(is_link) {
        return Some(tag.value("href").to_owned());
    }
    static CODE: LazyLock<Regex> = LazyLock::new(|| pattern("(?s)<code.*?</code>|<[^>]*>"));
    static ACTS: LazyLock<Regex> = LazyLock::new(|| pattern("@|#[0-9]|(?i:gh-[0-9])|://|(?i:www\\.)|:[a-z0-9+-]+:"));
    let words = CODE.replace_all(&html, "\u{1}");
    dangerous_attribute(&tags).or_else(|| Some(ACTS.find(&words)?.as_str().to_owned()))
}

/// The elements that Markdown is rendered to, as GitHub does it. Which words are code may differ, and that is harmless.
pub fn markdown_tags(text: &str) -> Vec<String> {
    let is_told = |tag: &Tag| !["code", "pre", "p"].contains(&tag.name.trim_start_matches('/'));
    tags(&rendered(text)).into_iter().filter(is_told).map(|tag| tag.name).collect()
}

fn rendered(text: &str) -> String {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options.extension.math_dollars = true;
    options.render.r#unsafe = true;
    markdown_to_html(text, &options)
}

/// JSON, one value or one per line.
fn json(text: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    values.find_map(|value| value.err().map(|error| error.to_string()))
}

fn xml(text: &str) -> Option<String> {
    roxmltree::Document::parse(text).err().map(|error| error.to_string())
}

/// An element, a closing one with `/`, or a comment as `!--`.
pub struct Tag {
    name: String,
    attributes: BTreeMap<String, String>,
}

impl Tag {
    fn value(&self, name: &str) -> &str {
        self.attributes.get(name).map(String::as_str).unwrap_or_default()
    }
}

/// The tags of HTML and XML.
pub fn tags(text: &str) -> Vec<Tag> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| {
        pattern("<(!--|[/?!]?[A-Za-z\\[][^ \\t\\n/>]*)((?:[ \\t\\n]+|/|\"[^\"]*\"|'[^']*'|[^ \\t\\n/'\">])*)>?")
    });
    static ATTRIBUTE: LazyLock<Regex> =
        LazyLock::new(|| pattern("([^ \\t\\n=>\"'/]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|([^ \\t\\n\"'>]+)))?"));
    let tag = |found: regex::Captures<'_>| {
        let attributes = ATTRIBUTE.captures_iter(found.get(2).map(|rest| rest.as_str()).unwrap_or_default());
        let attributes = attributes.map(|attribute| {
            let value = (2..5).find_map(|group| attribute.get(group)).map(|value| value.as_str());
            (attribute[1].to_ascii_lowercase(), value.unwrap_or_default().to_owned())
        });
        Tag { name: found[1].to_ascii_lowercase(), attributes: attributes.collect() }
    };
    TAG.captures_iter(text).map(tag).collect()
}

/// Which elements with which attributes there are, and how many of those that do more than show text.
pub fn bag(tags: &[Tag]) -> (BTreeSet<(String, Vec<String>)>, Vec<usize>) {
    let kinds = tags.iter().map(|tag| (tag.name.clone(), tag.attributes.keys().cloned().collect()));
    let counted = ["script", "/script", "style", "img", "iframe", "!--", "details", "/details"];
    let count = |name: &str| tags.iter().filter(|tag| tag.name == name).count();
    (kinds.collect(), counted.into_iter().map(count).collect())
}

fn dangerous_attribute(tags: &[Tag]) -> Option<String> {
    let is_link = |name: &str| ["href", "src", "action", "formaction", "data"].contains(&name);
    let is_script = |value: &str| {
        let value = value.trim().to_ascii_lowercase();
        ["javascript:", "vbscript:", "data:"].iter().any(|scheme| value.starts_with(scheme))
    };
    let acts = |(name, value): &(&String, &String)| name.starts_with("on") || is_link(name) && is_script(value);
    let found = tags.iter().flat_map(|tag| &tag.attributes).find(acts)?;
    Some(format!("{}={}", found.0, found.1))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_acts_is_seen() {
    use Carrier::{Commands, Html, Json, Lines, Markdown, Xml};
    for (carrier, text) in [
        (Lines, "a\n  ::error::x"),
        (Lines, "a ##[error]"),
        (Lines, "a\u{1b}[31m"),
        (Lines, "a\u{202e}"),
        (Lines, "a\rb"),
        (Commands, "::stop-commands::x"),
        (Commands, "::error file=a,b,line=1,title=kep-lint::x"),
        (Commands, "::error title=kep-lint::100%"),
        (Commands, "::error title=kep-lint::%0A::error::x"),
        (Json, "{\"a\": 1"),
        (Json, "{\"a\": \"##[x\"}"),
        (Xml, "<a>&</a>"),
        (Xml, "<a><b></a>"),
        (Html, "<a href='javascript:alert(1)'>x</a>"),
        (Html, "<p onclick=\"x\">y</p>"),
        (Markdown, "a @kubernetes/sig-node"),
        (Markdown, "a \\@kubernetes/sig-node"),
        (Markdown, "a &#64;kubernetes/sig-node"),
        (Markdown, "see #12"),
        (Markdown, "see https://evil.example"),
        (Markdown, "[x](https://evil.example)"),
        (Markdown, "x\n\n<!-- y"),
        (Markdown, "x\n<script>y</script>"),
        (Markdown, "![x](y)"),
        (Markdown, "# x"),
        (Markdown, "a | b\n--- | ---"),
        (Markdown, "a\n/lgtm"),
        (Markdown, ":+1:"),
    ] {
        assert!(acting(carrier, text).is_some(), "{carrier:?}: {text}");
    }
    for (carrier, text) in [
        (Lines, "std::fs ::x"),
        (Commands, "::error file=a%2Cb,line=1,title=kep-lint%3A x::100%25"),
        (Json, "{\"a\": 1}\n{\"a\": 2}"),
        (Xml, "<a>&amp;</a>"),
        (Html, "<a href=\"https://x.y\">x</a>"),
        (Markdown, "- **error** `@x &#12;`<br>see `https://x.y`"),
    ] {
        assert_eq!(acting(carrier, text), None, "{carrier:?}: {text}");
    }
    let names = |text: &str| tags(text).into_iter().map(|tag| tag.name).collect::<Vec<_>>();
    assert_eq!(names("<a b='>' c>x</a><!-- y --><br/> 1 < 2"), ["a", "/a", "!--", "br"]);
    assert_ne!(bag(&tags("<p title=\"x\">")), bag(&tags("<p title=\"\" onclick=\"x\">")));
    assert_ne!(bag(&tags("<p><script>")), bag(&tags("<p><script><script>")));
}
