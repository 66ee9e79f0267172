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
    let empty = (Slot::Absent, Vec::new());
    let mut texts = Texts {
        readme: empty.0,
        metadata: empty.0,
        owners: empty.0,
        documents: Vec::new(),
        files: empty.1,
        ..merged.clone()
    };
    let slots = [(Role::Readme, merged.readme), (Role::Metadata, merged.metadata), (Role::Owners, merged.owners)];
    let documents = merged.documents.iter().map(|id| (Role::Document, Slot::Read(*id)));
    for (role, slot) in slots.into_iter().chain(documents) {
        let file = slot.file().map(|id| merged.file(id));
        let name = file.and_then(|file| file.path.strip_prefix(&merged.directory)?.strip_prefix('/'));
        match (name.or(usual_name(role)).and_then(|name| changes.remove(name)), file, slot) {
            (Some(fate), _, _) => take(&mut texts, role, fate),
            (None, Some(file), _) => drop(texts.add(role, Arc::clone(file))),
            (None, None, Slot::Unreadable) => texts.mark_unreadable(role),
            (None, None, _) => {}
        }
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

/// The name of the file of a role that only one can have.
fn usual_name(role: Role) -> Option<&'static str> {
    match role {
        Role::Readme => Some("README.md"),
        Role::Metadata => Some("kep.yaml"),
        Role::Owners => Some("OWNERS"),
        Role::Document => None,
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
