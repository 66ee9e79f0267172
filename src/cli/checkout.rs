//! Finds the repository that the working directory is in.

use crate::report::uri::Checkout;
use crate::workspace::paths::shown;
use std::env;
use std::path::{Path, PathBuf};

/// The nearest repository of git around the working directory; else GITHUB_WORKSPACE, if the working directory is in it;
/// else the working directory itself.
pub fn around_here() -> Option<Checkout> {
    let here = env::current_dir().and_then(|here| here.canonicalize()).ok()?;
    let workspace = env::var_os("GITHUB_WORKSPACE").and_then(|path| PathBuf::from(path).canonicalize().ok());
    let workspace = workspace.filter(|workspace| here.starts_with(workspace));
    // What is above the workspace of a runner is not the workflow's.
    let is_within = |directory: &&Path| workspace.as_ref().is_none_or(|workspace| directory.starts_with(workspace));
    let repository = here.ancestors().take_while(is_within).find(|directory| directory.join(".git").exists());
    let root = repository.or(workspace.as_deref()).unwrap_or(&here);
    Some(Checkout::new(shown(root), shown(&here)))
}
