//! `workspace/symbol`: the KEPs of the trees that are open.

use super::{Ability, Answer, read, value};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::uri;
use crate::editor::keps::{self, Listed};
use crate::kep::layout::TREE;
use crate::report::printable;
use crate::workspace::edge::followed;
use crate::workspace::files::{Source, disk};
use crate::workspace::trees::{Repositories, collect};
use crate::workspace::walked::{Looked, Walked};
use gen_lsp_types::WorkspaceSymbolParams;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FILE: u32 = 1;

pub const ABILITY: Ability =
    Ability { method: "workspace/symbol", capability: || ("workspaceSymbolProvider", json!(true)), answer };

fn answer(server: &mut Server, params: Value) -> Answer {
    let WorkspaceSymbolParams { query, .. } = read(params)?;
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut listed = Vec::new();
    for project in server.keps.iter().filter_map(|kep| kep.project.as_ref()) {
        let roots: Vec<PathBuf> = project.repositories.roots().map(|root| root.clone().into()).collect();
        if !roots.iter().all(|root| seen.contains(root)) {
            listed.extend(keps::listed(&project.repositories, &query));
        }
        seen.extend(roots);
    }
    for root in server.folders.iter().map(|folder| folder.join(TREE)) {
        if seen.insert(followed(&root).into()) {
            listed.extend(keps::listed(&tree(&root), &query));
        }
    }
    value(listed.into_iter().map(shown).collect::<Vec<_>>())
}

/// What is known of a tree of which no document is open.
fn tree(root: &Path) -> Repositories {
    let source: Source = disk::around(root);
    let walked = Walked::walk(root, &source);
    let looked = Looked { walks: vec![walked.walk], ..Looked::default() };
    collect(&walked.keps, &looked, Some(&BTreeSet::new()), None)
}

fn shown(Listed { name, group, path }: Listed) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    json!({
        "name": printable(&name),
        "kind": FILE,
        "containerName": printable(&group),
        "location": { "uri": uri::of(Path::new(&path)), "range": { "start": start, "end": start } },
    })
}
