//! Which KEP a file belongs to, by its path alone: that of a file in its directory, or of its PRR file.
use crate::kep::directory::{PROD_READINESS, TREE, review};
use crate::kep::number;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KepFile {
    /// The number of the KEP, without leading zeros.
    pub number: String,
    pub directory: PathBuf,
    /// The path from there on, with `/`.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewPath {
    /// The number of its KEP, without leading zeros.
    pub number: String,
    pub sig: String,
    pub name: String,
    pub path: String,
}

impl KepFile {
    pub fn path(&self) -> String {
        let directory: Vec<_> = self.directory.iter().map(|part| part.to_string_lossy()).collect();
        format!("{}/{}", directory.join("/"), self.name)
    }

    /// The KEP that the file at `path` is in. Of several directories with numbers, the innermost is that of the KEP.
    pub fn of(path: &Path) -> Option<Self> {
        let parts: Vec<&OsStr> = path.iter().collect();
        let tree = parts.iter().position(|part| *part == TREE)?;
        let (_, directories) = parts.split_last()?;
        let numbered = directories.iter().enumerate().skip(tree + 1).rev();
        let mut numbered = numbered.filter_map(|(at, part)| Some((at, number::of_directory(part.to_str()?)?)));
        let (at, number) = numbered.next()?;
        let names: Vec<_> = parts.iter().skip(at + 1).map(|part| part.to_string_lossy()).collect();
        let directory = parts.iter().take(at + 1).collect();
        Some(Self { number: number.to_owned(), directory, name: names.join("/") })
    }
}

impl ReviewPath {
    /// The PRR file at `path`, if that is one.
    pub fn of(path: &Path) -> Option<Self> {
        let mut parts = path.iter().skip_while(|part| *part != PROD_READINESS);
        let (sig, name) = review(&parts.by_ref().skip(1).collect::<PathBuf>())?;
        let path = path.to_string_lossy().into_owned();
        Some(Self { number: number::without_zeros(&name).to_owned(), sig, name, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_kep_around_it() {
        let of = |path: &str| {
            let file = KepFile::of(Path::new(path))?;
            Some(format!("{} {} {}", file.number, file.directory.display(), file.name))
        };
        assert_eq!(of("keps/sig-a/0012-x/README.md").as_deref(), Some("12 keps/sig-a/0012-x README.md"));
        assert_eq!(of("a/keps/sig-a/1-x/docs/y.md").as_deref(), Some("1 a/keps/sig-a/1-x docs/y.md"));
        assert_eq!(of("keps/sig-a/1-x/2-y/kep.yaml").as_deref(), Some("2 keps/sig-a/1-x/2-y kep.yaml"));
        for other in ["keps/sig-a/12-x.md", "12-x/README.md", "keps/prod-readiness/sig-a/12.yaml", "keps", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_prr_file_belongs_to_the_kep_of_its_name() {
        let of = |path: &str| ReviewPath::of(Path::new(path)).map(|review| (review.number, review.sig, review.name));
        let owned = |texts: [&str; 3]| Some(texts.map(str::to_owned).into());
        assert_eq!(of("keps/prod-readiness/sig-a/0012.yaml"), owned(["12", "sig-a", "0012"]));
        assert_eq!(of("keps/prod-readiness/template/README.md"), None);
        assert_eq!(of("keps/sig-a/12.yaml"), None);
    }
}
