//! The documentation of all rules as pages of a web site: the table of rules, a page per rule, and what each stage
//! requires. Each page needs nothing but itself, and all links lead to another of these pages.

pub mod rule_page;
pub mod rule_table;
pub mod stages;

use super::html::document::{Script, page};
use super::html::text::{entities, escaped};
use crate::rules::ALL;
use crate::template::Template;

/// A page, by its path in the directory of the site.
pub struct Page {
    /// With `/` between names.
    pub path: String,
    /// The page.
    pub html: String,
}

/// How deep a page is in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Beside the table of rules.
    Top,
    /// In the folder of the pages of rules.
    Rules,
}

/// All pages.
pub fn pages() -> Vec<Page> {
    let template = Template::built_in();
    let mut pages = vec![
        Page {
            path: "index.html".to_owned(),
            html: framed("Rules of kep-lint", &rule_table::body(), Place::Top, Script::Rules),
        },
        Page {
            path: "stages.html".to_owned(),
            html: framed("What each stage requires", &stages::body(&template), Place::Top, Script::None),
        },
    ];
    pages.extend(ALL.iter().map(|rule| {
        let title = format!("{} – rule of kep-lint", rule.name);
        let html = framed(&title, &rule_page::body(rule, &template), Place::Rules, Script::None);
        Page { path: format!("rules/{}.html", rule.name), html }
    }));
    pages
}

/// A page with the links to the two pages that lead to all others.
fn framed(title: &str, body: &str, place: Place, script: Script) -> String {
    let top = place.to_top();
    let body = format!(
        "<a class=\"skip\" href=\"#main\">Skip to the text</a>\n<nav aria-label=\"Pages\">\n<ul>\n\
        <li><a href=\"{top}index.html\">Rules</a></li>\n\
        <li><a href=\"{top}stages.html\">What each stage requires</a></li>\n</ul>\n</nav>\n\
        <main id=\"main\">\n{body}</main>\n<footer><p>Made by kep-lint {}.</p></footer>\n",
        env!("CARGO_PKG_VERSION")
    );
    page(title, &body, script)
}

impl Place {
    /// What leads to the directory of the site.
    fn to_top(self) -> &'static str {
        match self {
            Self::Top => "",
            Self::Rules => "../",
        }
    }

    /// Code in a text, which is printable: the name of a rule is a link to its page.
    pub fn code(self, code: &str) -> String {
        if ALL.iter().any(|rule| rule.name == code) {
            self.rule(code)
        } else {
            format!("<code>{}</code>", entities(code))
        }
    }

    /// A link to the page of a rule.
    pub fn rule(self, name: &str) -> String {
        format!("<a href=\"{}rules/{name}.html\"><code>{}</code></a>", self.to_top(), escaped(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page() {
        let pages = pages();
        assert_eq!(pages.len(), ALL.len() + 2);
        for rule in ALL {
            let page = pages.iter().find(|page| page.path == format!("rules/{}.html", rule.name)).expect("its page");
            for part in ["<h2 id=\"section-why\">", "<h2 id=\"section-bad\">", "<h2 id=\"section-good\">"] {
                assert!(page.html.contains(part), "{} lacks {part}", rule.name);
            }
        }
    }
}
