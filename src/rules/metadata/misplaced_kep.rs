//! A kep.yaml is in a place where KEPs are not checked.
//!
//! ## Why
//!
//! Below the directory of the template and in `keps/prod-readiness`, kep-lint looks for no KEPs, and upstream's checks
//! skip kep.yaml files: a KEP there could be merged without any check. A directory `keps` inside `keps` is a warning,
//! because tools may take it for the tree of KEPs. Reported only when the whole repository is checked.
//!
//! In another project, a file with the name of a document in a directory that `documents` does not find, such as one
//! without a number, is an error; a `README.md` may be about anything.
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

use crate::kep::layout::TREE;
use crate::repository::misplaced::MisplacedKind;
use crate::repository::shared::{SharedFile, SharedKind};
use crate::rules::prelude::*;
use std::path::Path;

pub const RULE: Rule = Rule {
    name: "misplaced-kep",
    summary: "a kep.yaml is in a place where KEPs are not checked",
    severity: Ladder::everywhere(Error),
    docs: docs!("misplaced_kep.rs"),
    checks: &[Check::Shared(check)],
    ..Rule::of(Category::Metadata)
};

fn check(file: &SharedFile<'_>, repository: &Repository, out: &mut Sink) {
    let SharedKind::Misplaced(misplaced) = file.kind else { return };
    if !repository.is_whole {
        return;
    }
    let path = |way: &Path| way.iter().fold(TREE.to_owned(), |path, name| path + "/" + &name.to_string_lossy());
    match &misplaced.kind {
        MisplacedKind::Document => {
            let (layout, document) = (&repository.layout, repository.layout.document_file());
            let pattern =
                layout.documents().and_then(|documents| documents.patterns.first()).map_or("", String::as_str);
            let message = format!("`{document}` is in a place where {} are not checked", layout.names());
            let finding = Diagnostic::at(file.span(0..0), message)
                .help(format!("move or rename it, as `documents` says: `{pattern}`"))
                .subject(Subject::named([document, &misplaced.file.to_string_lossy()]));
            out.report(finding);
        }
        MisplacedKind::Metadata => {
            let place = if repository.has_groups { "keps/<sig>/<number>-<title>" } else { "keps/<number>-<title>" };
            let finding = Diagnostic::at(file.span(0..0), "`kep.yaml` is in a place where KEPs are not checked")
                .help(format!("move the KEP to `{place}`, or remove it"))
                .subject(Subject::named(["kep.yaml", &path(&misplaced.file)]));
            out.report(finding);
        }
        MisplacedKind::Tree(tree) => {
            let tree = path(tree);
            let finding = Diagnostic::at(file.span(0..0), format!("directory `{}` is inside `{TREE}`", brief(&tree)))
                .help("rename it, or move what is in it")
                .subject(Subject::named([TREE, &tree]))
                .at_most(Severity::Warning);
            out.report(finding);
        }
    }
}
