//! A KEP as it would be once a pull request is merged: what that changes as its head has it, everything else as it is.
use crate::kep::directory::is_markdown;
use crate::kep::texts::{Role, Slot, Texts};
use crate::source::SourceFile;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::Arc;

/// What a pull request makes of a file.
#[derive(Clone, Debug)]
pub enum Fate {
    Written(Arc<SourceFile>),
    Deleted,
    Unreadable,
}

/// The files of the KEP `merged` with these changes, by the paths of the files from the KEP's directory on.
pub fn overlaid(merged: &Texts, mut changes: BTreeMap<String, Fate>) -> Texts {
    let mut texts = Texts {
        readme: Slot::Absent,
        metadata: Slot::Absent,
        owners: Slot::Absent,
        documents: Vec::new(),
        files: Vec::new(),
        ..merged.clone()
    };
    let slots = [(Role::Readme, merged.readme), (Role::Metadata, merged.metadata), (Role::Owners, merged.owners)];
    let documents = merged.documents.iter().map(|id| (Role::Document, Slot::Read(*id)));
    for (role, slot) in slots.into_iter().chain(documents) {
        let Some(file) = slot.file().map(|id| merged.file(id)) else {
            let is_changed = changes.keys().any(|name| role_of(name) == Some(role));
            if slot == Slot::Unreadable && !is_changed {
                texts.mark_unreadable(role);
            }
            continue;
        };
        let name = file.path.strip_prefix(&merged.directory).and_then(|name| name.strip_prefix('/'));
        let fate = name.and_then(|name| changes.remove(name));
        take(&mut texts, role, fate.unwrap_or_else(|| Fate::Written(Arc::clone(file))));
    }
    for (name, fate) in changes {
        if let Some(role) = role_of(&name) {
            take(&mut texts, role, fate);
        }
    }
    texts
}

fn take(texts: &mut Texts, role: Role, fate: Fate) {
    match fate {
        Fate::Written(file) => drop(texts.add(role, file)),
        Fate::Deleted => {}
        Fate::Unreadable => texts.mark_unreadable(role),
    }
}

/// The role of the file of this name, from the KEP's directory on; `None` for what does not matter, such as an image.
pub fn role_of(name: &str) -> Option<Role> {
    match name {
        "README.md" => Some(Role::Readme),
        "kep.yaml" => Some(Role::Metadata),
        "OWNERS" => Some(Role::Owners),
        _ => is_markdown(OsStr::new(name)).then_some(Role::Document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> Arc<SourceFile> {
        Arc::new(SourceFile::decode(format!("keps/sig-a/1-x/{name}"), text.into()))
    }

    #[test]
    fn what_is_not_changed_stays() {
        let merged = Texts::new("keps/sig-a/1-x")
            .with(Role::Readme, file("README.md", "old"))
            .with(Role::Metadata, file("kep.yaml", "old"))
            .with(Role::Document, file("docs/a.md", "old"))
            .with(Role::Document, file("b.md", "old"));
        let changes = [
            ("README.md", Fate::Written(file("README.md", "new"))),
            ("b.md", Fate::Deleted),
            ("c.md", Fate::Written(file("c.md", "new"))),
            ("image.png", Fate::Deleted),
            ("OWNERS", Fate::Unreadable),
        ];
        let texts = overlaid(&merged, changes.map(|(name, fate)| (name.to_owned(), fate)).into());
        let files: Vec<String> = texts.files.iter().map(|file| format!("{} {}", file.path, file.text)).collect();
        let expected = ["README.md new", "kep.yaml old", "docs/a.md old", "c.md new"];
        assert_eq!(files, expected.map(|file| format!("keps/sig-a/1-x/{file}")));
        assert_eq!((texts.readme.file().is_some(), texts.owners, texts.documents.len()), (true, Slot::Unreadable, 2));
        assert_eq!(texts.tree_path.as_deref(), Some("keps/sig-a/1-x"));
        let gone = overlaid(&merged, [("kep.yaml".to_owned(), Fate::Deleted)].into());
        assert_eq!((gone.metadata, gone.readme.file().is_some()), (Slot::Absent, true));
    }
}
