//! A kep.yaml is in a place where KEPs are not checked.
//!
//! ## Why
//!
//! Below the directory of the template and in `keps/prod-readiness`, kep-lint looks for no KEPs, and upstream's checks
//! skip kep.yaml files: a KEP there could be merged without any check. A directory `keps` inside `keps` is a warning,
//! because tools may take it for the tree of KEPs. Reported only when the whole repository is checked.
//!
//! ## Bad
//!
//! ```yaml keps/NNNN-kep-template/1-prefetch/kep.yaml
//! kep-number: 1
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml keps/sig-node/1-prefetch/kep.yaml
//! kep-number: 1
//! status: implementable
//! ```

use crate::kep::directory::TREE;
use crate::repository::Repository;
use crate::repository::misplaced::{Misplaced, MisplacedKind};
use crate::rules::prelude::*;
use crate::rules::rule::RepositoryFinding;
use crate::source::SourceFile;
use std::path::Path;
use std::sync::Arc;

/// The rule.
pub const RULE: Rule = Rule {
    name: "misplaced-kep",
    category: Category::Metadata,
    summary: "a kep.yaml is in a place where KEPs are not checked",
    severity: Ladder::everywhere(Error),
    docs: docs!("misplaced_kep.rs"),
    checks: Checks { repository: Some(check), ..Checks::NONE },
    ..Rule::DEFAULT
};

fn check(repository: &Repository) -> Vec<RepositoryFinding> {
    let found = repository.misplaced.iter().filter(|_| repository.is_whole);
    found.map(|misplaced| finding(misplaced, repository)).collect()
}

fn finding(misplaced: &Misplaced, repository: &Repository) -> RepositoryFinding {
    let path = |way: &Path| way.iter().fold(TREE.to_owned(), |path, name| path + "/" + &name.to_string_lossy());
    let (message, help, at_most, subject) = match &misplaced.kind {
        MisplacedKind::Metadata => {
            let place = if repository.has_groups { "keps/<sig>/<number>-<title>" } else { "keps/<number>-<title>" };
            let message = "`kep.yaml` is in a place where KEPs are not checked".to_owned();
            let help = format!("move the KEP to `{place}`, or remove it");
            (message, help, Severity::Error, Subject::named(["kep.yaml", &path(&misplaced.file)]))
        }
        MisplacedKind::Tree(tree) => {
            let tree = path(tree);
            let message = format!("directory `{}` is inside `{TREE}`", brief(&tree));
            let help = "rename it, or move what is in it".to_owned();
            (message, help, Severity::Warning, Subject::named([TREE, &tree]))
        }
    };
    let file = Arc::new(SourceFile::decode(repository.as_given(&misplaced.file), Vec::new()));
    RepositoryFinding { file, range: 0..0, message, help, upstream: None, at_most, subject }
}
