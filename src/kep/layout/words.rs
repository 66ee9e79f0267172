//! What messages call a proposal and its files. Rules are written for KEPs: where proposals have another
//! name, their words are put in place of those of KEPs. What a message quotes, between backticks, stays, but
//! for the names of files.

use super::{Layout, MetadataPlace, Own};
use crate::diagnostic::Failure;

impl Layout {
    /// A message in the words of the repository.
    pub fn say(&self, message: &mut String) {
        if let Some(own) = self.own() {
            *message = own.said(message, true);
        }
    }

    /// A failure in the words of the repository. What its message quotes is what somebody wrote.
    pub fn said(&self, mut failure: Failure) -> Failure {
        if let Some(own) = self.own() {
            failure.message = own.said(&failure.message, false);
            failure.help.iter_mut().for_each(|help| self.say(help));
        }
        failure
    }
}

impl Own {
    fn said(&self, message: &str, has_names: bool) -> String {
        let mut said = String::with_capacity(message.len());
        for (at, part) in message.split('`').enumerate() {
            // Each second part is between backticks.
            if at % 2 == 0 {
                said += if at == 0 { "" } else { "`" };
                said += &self.in_words(part);
            } else {
                said.push('`');
                let (key, rest) = part.split_at(part.find(':').unwrap_or(part.len()));
                said += if has_names { self.file(key).unwrap_or_else(|| self.keys.name(key)) } else { key };
                said += rest;
            }
        }
        match self.metadata {
            MetadataPlace::File(_) => said,
            _ => said.replace("`kep.yaml`", self.metadata_words()),
        }
    }

    fn metadata_words(&self) -> &str {
        match &self.metadata {
            MetadataPlace::File(name) => name,
            MetadataPlace::FrontMatter => "the front matter",
            MetadataPlace::Nowhere => "the metadata",
        }
    }

    /// The file that is here in the place of one of a KEP.
    fn file(&self, name: &str) -> Option<&str> {
        match (name, &self.metadata) {
            ("kep.yaml", MetadataPlace::File(file)) => Some(file),
            ("README.md", _) => Some(self.documents.file.as_deref().unwrap_or("the document")),
            _ => None,
        }
    }

    fn in_words(&self, text: &str) -> String {
        let mut said = String::with_capacity(text.len());
        for (at, word) in text.split_inclusive([' ', '\n']).enumerate() {
            let bare = word.trim_end_matches(|mark: char| !mark.is_alphanumeric());
            let end = word.get(bare.len()..).unwrap_or_default();
            let is_possessive = bare.strip_suffix("'s");
            let new = match is_possessive.unwrap_or(bare) {
                "KEP" => self.name.clone(),
                "KEPs" => format!("{}s", self.name),
                "README" | "README.md" => "document".to_owned(),
                "READMEs" => "documents".to_owned(),
                "kep.yaml" => self.metadata_words().to_owned(),
                "SIG" => "group".to_owned(),
                "SIGs" => "groups".to_owned(),
                other => other.to_owned(),
            };
            let is_vowel = new.starts_with(['a', 'e', 'i', 'o', 'u']);
            if is_vowel && at > 0 && bare.starts_with("KEP") && (said == "a " || said.ends_with(" a ")) {
                said.insert(said.len() - 1, 'n');
            }
            said += &new;
            said += if is_possessive.is_some() { "'s" } else { "" };
            said += end;
        }
        said
    }
}
