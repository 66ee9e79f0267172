//! Which SIG a KEP belongs to, and so where its PRR file is.

use super::{Repository, ReviewFile};
use crate::kep::Kep;
use crate::kep::number::without_zeros;
use std::sync::Arc;

impl Repository {
    /// Attaches the PRR files with the number of a KEP, except those of another KEP with the same number.
    pub fn attach_reviews(&self, kep: &mut Kep) {
        kep.metadata.iter_mut().for_each(|metadata| self.vocabulary.explain(metadata));
        let number = kep.metadata.as_ref().and_then(|metadata| Some(metadata.number.as_ref()?.text.clone()));
        let Some(number) = number else { return };
        let reviews = self.reviews_of(&number);
        self.attach(kep, &number, reviews);
    }

    /// Attaches these PRR files, all that there are with this `number`, in the place of those in the repository.
    pub fn attach_these(&self, kep: &mut Kep, number: &str, reviews: &[ReviewFile]) {
        let written = kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref());
        if written.is_some_and(|written| without_zeros(&written.text) == number) {
            self.attach(kep, number, reviews);
        } else {
            self.attach_reviews(kep);
        }
    }

    fn attach(&self, kep: &mut Kep, number: &str, reviews: &[ReviewFile]) {
        let Some(written) = kep.owner.clone() else { return };
        let owner = self.owner(&written, kep.texts.sig(), reviews).to_owned();
        kep.owner = Some(owner.clone());
        for review in reviews {
            let is_of_other_kep = kep.texts.sig() != Some(&review.sig) && self.has_kep(&review.sig, number);
            if review.sig == owner || !is_of_other_kep {
                kep.add_review(&review.sig, &review.name, Arc::clone(&review.file));
            }
        }
    }

    /// The SIG that a KEP belongs to whose `owning-sig` is `written`: that of its `directory` while the other is unknown,
    /// and has no PRR file for the KEP.
    fn owner<'a>(&self, written: &'a str, directory: Option<&'a str>, reviews: &[ReviewFile]) -> &'a str {
        let is_known = |sig: &str| self.groups.contains(sig) || self.is_retired_group(sig);
        let has_review = || reviews.iter().any(|review| review.sig == written);
        match directory {
            Some(sig) if self.has_groups && self.groups.contains(sig) => {
                if written.is_empty() || is_known(written) || has_review() { written } else { sig }
            }
            _ => written,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn a_kep_with_an_unknown_sig_belongs_to_that_of_its_directory() {
        let mut repository = Repository::default();
        let owner = |known: &Repository, written: &str, directory: Option<&str>| {
            known.owner(written, directory, known.reviews_of("1")).to_owned()
        };
        let node = Some("sig-node");
        assert_eq!(owner(&repository, "node", node), "sig-node");
        // What is known, or was, may be right.
        assert_eq!(owner(&repository, "sig-apps", node), "sig-apps");
        assert_eq!(owner(&repository, "sig-usability", node), "sig-usability");
        assert_eq!(owner(&repository, "", node), "");
        assert_eq!(owner(&repository, "node", Some("sig-nodes")), "node");
        assert_eq!(owner(&repository, "node", None), "node");
        let review = || SourceFile::decode("1.yaml", Vec::new());
        repository.add_review("sig-node".to_owned(), "1".to_owned(), review());
        assert_eq!(owner(&repository, "node", node), "sig-node");
        repository.add_review("node".to_owned(), "1".to_owned(), review());
        assert_eq!(owner(&repository, "node", node), "node");
        assert_eq!(owner(&Repository { has_groups: false, ..Repository::default() }, "node", node), "node");
    }
}
