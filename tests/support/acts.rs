//! Texts that act somewhere, and what of a text acts, by what it is written in.

use comrak::{Options, markdown_to_html};
use kep_lint::report::format::Format;
use kep_lint::report::is_hidden;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a text is written in: it decides which words could act, and how each of them is kept from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Lines for a terminal or a log.
    Lines,
    /// The same, with commands to the runner of GitHub Actions.
    Commands,
    /// GitHub's Markdown, with elements of HTML.
    Markdown,
    Json,
    Xml,
    Html,
}

impl Carrier {
    pub fn of(format: &Format) -> Self {
        match format.name {
            "pretty" | "full" | "concise" => Self::Lines,
            "github" => Self::Commands,
            "markdown" => Self::Markdown,
            "json" | "github-review" | "sarif" | "gitlab" => Self::Json,
            "junit" => Self::Xml,
            "html" => Self::Html,
            other => panic!("what is {other} written in?"),
        }
    }
}

/// What acts nowhere.
pub const HARMLESS: &str = "harmless";

/// What acts somewhere.
pub const HOSTILE: [&str; 47] = [
    "x\n::error::x%",
    "::error file=a,line=1::x",
    ":",
    "%0A::error::x",
    "%0D%0A::stop-commands::x",
    "\r::add-mask::x",
    "\u{a0}::error::x",
    "##[error]x",
    "x##vso[task.complete]",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{9b}31mred",
    "\u{1b}]8;;https://evil.example/\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "a\u{202e}b\u{2066}c\u{200f}d",
    "zero\u{200b}width\u{feff}",
    "line\u{2028}paragraph\u{2029}next\u{85}x\u{b}y\u{c}z",
    "nul\0x\u{8}y\u{7f}z\u{fffe}\u{ffff}",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "<!-- comment",
    "comment --> <b>after</b>",
    "<![CDATA[ x ]]> y ]]>",
    "&lt;b&gt; &#60;b&#62; &amp; &bogus;",
    "</details></summary></code></pre></td></table>",
    "@kubernetes/sig-node @ann, (@bob) /@carl",
    "#123 GH-123 o/r#123 !1 ~bug kubernetes/kubernetes@0123456789012345678901234567890123456789",
    "https://evil.example/ www.evil.example evil@example.com mailto:e@x.y",
    "`one ` and ``two`` and ``` three",
    "``````````",
    "`",
    " `` ",
    "a | b | c\n--- | ---",
    "[x](javascript:alert(1)) ![x](https://evil.example/i.png) <javascript:alert(1)>",
    "](https://evil.example/) [x]: https://evil.example/",
    "x\n\n# heading\n\n- item\n\n> quote\n\n    code\n",
    "**bold** _em_ ~~gone~~ $x$ :+1: [^1] \\`",
    "\n/lgtm\n/approve cancel",
    "x\r\n\r\n<script>alert(1)</script>\r\n",
    "\n```\n</details>\n~~~\n",
    "\\",
    "[x](command:workbench.action.quit)",
    "](command:x) [y](file:///etc/passwd)",
    "=1+1",
    ";=1+1",
    "\t@SUM(1)",
];

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
    let known = [
        "details", "summary", "b", "br", "a", "code", "strong", "ul", "li", "p", "pre", "h2", "h3", "h4", "h5", "hr",
        "em", "input", "table", "thead", "tbody", "tr", "th", "td",
    ];
    let is_known = |tag: &&Tag| known.contains(&tag.name.trim_start_matches('/'));
    if let Some(tag) = tags.iter().find(|tag| !is_known(tag)) {
        return Some(format!("<{}>", tag.name));
    }
    let own = ["https://example.com/o/r/blob/main/", "https://kep.k8s.io/"];
    let is_link = |tag: &&Tag| tag.name == "a" && !own.iter().any(|start| tag.value("href").starts_with(start));
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

/// The kinds of elements as a browser gets them: each with its attributes, the site of a link, and the number of a script.
pub fn kinds_of_tags(carrier: Carrier, text: &str) -> BTreeSet<String> {
    let tags = if carrier == Carrier::Markdown { tags(&rendered(text)) } else { tags(text) };
    let mut scripts = 0;
    let kind = |tag: &Tag| {
        scripts += usize::from(tag.name == "script");
        let number = if tag.name == "script" { scripts } else { 0 };
        let target = Some(tag.value("href")).filter(|target| !target.starts_with('#')).unwrap_or_default();
        let site: Vec<&str> = target.split('/').take(3).collect();
        format!("<{} {:?}> {} {number}", tag.name, tag.attributes.keys(), site.join("/"))
    };
    tags.iter().map(kind).collect()
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
    pub name: String,
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
