//! `kep-lint completions keps` and `sigs`: what the scripts for shells complete of the repository around: the numbers of KEPs, and SIGs. Only
//! names of directories are read. They may be hostile, and a shell reads what is printed as code: of a name with anything
//! but small letters, digits and dashes nothing is printed.

use crate::bounds;
use crate::cli::completion::Names;
use crate::kep::directory::{PROD_READINESS, is_template};
use crate::kep::number;
use crate::repository::Repository;
use crate::workspace::files::disk;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How deep KEPs are: `keps/sig-cluster-lifecycle/kubeadm/1234-x`.
const DEPTH: usize = 3;

/// The digits of a KEP's number at most.
const DIGITS: usize = 9;

/// The names, a line each. Whatever cannot be read has none: nobody wants to read errors at a prompt.
pub fn lines(of: Names) -> String {
    let tree = disk::around(Path::new(".")).tree_around();
    // By number, with a tab and the rest of the name; what has no number by name.
    let lines: BTreeSet<(u64, String)> = match of {
        Names::Keps => directories(tree, DEPTH).iter().filter_map(|name| kep(name)).collect(),
        Names::Sigs => {
            let own = directories(tree, 1).into_iter().filter(|name| is_harmless(name) && is_group(name));
            own.chain(Repository::default().groups).map(|name| (0, name)).collect()
        }
    };
    lines.into_iter().map(|(_, line)| line + "\n").collect()
}

/// The names of the directories in `tree`, as deep as `depth`. Links are not followed, KEPs are not looked into, and
/// of very many entries only the first ones are read.
fn directories(tree: Option<PathBuf>, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = bounds::COMPLETED_ENTRIES;
    let mut next: Vec<(usize, PathBuf)> = tree.into_iter().map(|tree| (1, tree)).collect();
    while let Some((level, directory)) = next.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().take(left).flatten() {
            left -= 1;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || name == PROD_READINESS {
                continue;
            }
            if level < depth && number::of_directory(&name).is_none() && !name.starts_with('.') {
                next.push((level + 1, entry.path()));
            }
            found.push(name);
        }
    }
    found
}

/// The number of a KEP whose directory has this name, and the line about it.
fn kep(name: &str) -> Option<(u64, String)> {
    let digits = number::of_directory(name).filter(|digits| digits.len() <= DIGITS && !is_template(name.as_ref()))?;
    let (_, title) = name.split_once('-')?;
    let title = if is_harmless(title) { format!("\t{title}") } else { String::new() };
    Some((digits.parse().ok()?, format!("{digits}{title}")))
}

/// Whether a directory of this name in the tree may be that of a group.
fn is_group(name: &str) -> bool {
    number::of_directory(name).is_none() && !is_template(name.as_ref())
}

/// Whether a name is short, and nothing that a shell does anything with.
fn is_harmless(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= bounds::COMPLETED_BYTES && !name.starts_with('-') && name.bytes().all(is_plain)
}
