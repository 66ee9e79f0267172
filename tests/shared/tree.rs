//! A small tree of KEPs, read from a folder that holds `keps` and perhaps `OWNERS_ALIASES`.

use kep_lint::kep::{Texts, number};
use kep_lint::repository::Repository;
use kep_lint::source::SourceFile;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Reads the tree in `root`, and its KEPs by path.
pub fn read(root: &Path) -> io::Result<(Repository, Vec<Texts>)> {
    let mut paths = Vec::new();
    walk(&root.join("keps"), &mut paths)?;
    let shown: Vec<String> = paths.iter().map(|path| shown(root, path)).collect();
    let mut tree =
        Repository { reviews: Some(BTreeMap::new()), numbers: Some(BTreeMap::new()), ..Repository::default() };
    let mut keps: BTreeMap<String, Texts> = BTreeMap::new();
    for (path, shown) in paths.iter().zip(&shown).filter(|(path, _)| path.is_file()) {
        let file = SourceFile::decode(shown.as_str(), fs::read(path)?);
        match shown.split('/').collect::<Vec<_>>().as_slice() {
            ["keps", "prod-readiness", sig, name] => {
                let name = name.strip_suffix(".yaml").unwrap_or(name);
                tree.add_review((*sig).to_owned(), name.to_owned(), file);
            }
            ["keps", sig, kep, name] => {
                let directory = format!("keps/{sig}/{kep}");
                if let Some(number) = number::of_directory(kep) {
                    let sigs = tree.numbers.get_or_insert_default().entry(number.to_owned()).or_default();
                    sigs.insert((*sig).to_owned());
                }
                add(keps.entry(directory.clone()).or_insert_with(|| texts(directory, kep)), name, file);
            }
            _ => {}
        }
    }
    tree.paths = Some(shown.into_iter().collect::<HashSet<_>>());
    let aliases = root.join("OWNERS_ALIASES");
    if aliases.is_file() {
        tree.read_aliases(SourceFile::decode("OWNERS_ALIASES", fs::read(aliases)?));
    }
    Ok((tree, keps.into_values().collect()))
}

fn texts(directory: String, name: &str) -> Texts {
    let tree_path = Some(directory.clone());
    Texts { directory, name: name.to_owned(), in_tree: true, tree_path, ..Texts::default() }
}

fn add(texts: &mut Texts, name: &str, file: SourceFile) {
    match name {
        "README.md" => (texts.has_readme, texts.readme) = (true, Some(texts.push(file))),
        "kep.yaml" => (texts.has_metadata, texts.metadata) = (true, Some(texts.push(file))),
        "OWNERS" => texts.owners = Some(texts.push(file)),
        _ if name.ends_with(".md") => {
            let document = (texts.push(file), texts.tree_path.clone());
            texts.documents.push(document);
        }
        _ => {}
    }
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        paths.push(path.clone());
        if path.is_dir() {
            walk(&path, paths)?;
        }
    }
    Ok(())
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
