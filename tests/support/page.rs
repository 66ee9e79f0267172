//! Pages for a browser, read by a tokenizer that is not ours.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use std::collections::{BTreeMap, BTreeSet};

/// An element's start: its name and its attributes.
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// The text in it.
    pub text: String,
}

/// Elements that have no end.
const VOID: [&str; 4] = ["br", "input", "link", "meta"];

/// The elements of a page in order; every one is closed where it has to be.
pub fn elements(page: &str) -> Vec<Element> {
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("pages are UTF-8");
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut emitter = DefaultEmitter::default();
    // Scripts, styles and titles hold text only.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = string(&tag.name);
                let attributes: BTreeMap<String, String> =
                    tag.attributes.iter().map(|(name, value)| (string(name), string(value))).collect();
                if !VOID.contains(&name.as_str()) {
                    open.push(elements.len());
                }
                elements.push(Element { name, attributes, text: String::new() });
            }
            Token::EndTag(tag) => {
                let closed = open.pop().map(|at| elements[at].name.clone());
                assert_eq!(closed, Some(string(&tag.name)), "elements are nested");
            }
            Token::String(text) => open.iter().for_each(|at| elements[*at].text += &string(&text)),
            Token::Error(error) => panic!("not HTML: {error:?}"),
            Token::Comment(comment) => panic!("a comment: {}", string(&comment)),
            Token::Doctype(_) => assert!(elements.is_empty()),
        }
    }
    assert!(open.is_empty(), "{} elements are not closed", open.len());
    elements
}

impl Element {
    /// Whether it is of this class.
    pub fn is(&self, class: &str) -> bool {
        self.attribute("class").split(' ').any(|own| own == class)
    }

    /// The value of an attribute; empty without it.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

/// The ids of a page, each of which is there once.
pub fn ids(elements: &[Element]) -> BTreeSet<&str> {
    let all: Vec<&str> = elements.iter().filter_map(|it| it.attributes.get("id").map(String::as_str)).collect();
    let ids: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(ids.len(), all.len(), "an id is there twice");
    ids
}

/// What a page refers to lies in the page itself.
pub fn has_sound_references(elements: &[Element]) {
    let ids = ids(elements);
    for element in elements {
        for name in ["for", "aria-labelledby"] {
            let wanted = element.attribute(name);
            assert!(wanted.is_empty() || ids.contains(wanted), "{name}=\"{wanted}\" leads nowhere");
        }
        if let Some(id) = element.attribute("href").strip_prefix('#') {
            assert!(ids.contains(id), "#{id} leads nowhere");
        }
        let loads = ["src", "srcset", "style", "action", "data", "background"];
        assert!(loads.iter().all(|name| !element.attributes.contains_key(*name)), "{:?}", element.attributes);
        assert!(!element.attributes.keys().any(|name| name.starts_with("on")), "{:?}", element.attributes);
    }
}
