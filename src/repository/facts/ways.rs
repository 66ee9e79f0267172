//! Lists of paths in which each is written from where it differs from the one before: `2/kep.yaml` has its first two parts.
//! So no directory is repeated, and nothing is nested.

use crate::bounds;
use std::iter::zip;

pub fn shorten<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut before = "";
    let short = |path: &'p str| {
        let same = zip(before.split('/'), path.split('/')).take_while(|(one, other)| one == other).count();
        // The last part is always written.
        let same = same.min(path.split('/').count() - 1);
        before = path;
        let rest: Vec<&str> = path.split('/').skip(same).collect();
        format!("{same}/{}", rest.join("/"))
    };
    paths.map(short).collect()
}

/// How many bytes of paths may still be written out: a few bytes of a file may stand for a long path.
#[derive(Debug)]
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(bounds::FACT_PATH_BYTES)
    }
}

impl Budget {
    /// Writes the paths out, each below the directory `around`. Fails, with what is wrong, for what is no such list.
    pub fn expand(&mut self, around: &str, short: &[String], paths: &mut Vec<String>) -> Result<(), String> {
        let mut before = String::new();
        for entry in short {
            let wrong = || format!("`{}` is no path", crate::diagnostic::brief(entry));
            let (same, rest) = entry.split_once('/').ok_or_else(wrong)?;
            let same: usize = same.parse().map_err(|_| wrong())?;
            let kept = if same == 0 { "" } else { beginning(&before, same).ok_or_else(wrong)? };
            let path = joined(kept, rest);
            if !is_way(&path) {
                return Err(wrong());
            }
            paths.push(self.take(around, &path)?);
            before = path;
        }
        Ok(())
    }

    /// The path of what is at `way` below `around`. Fails if the paths get too long.
    pub fn take(&mut self, around: &str, way: &str) -> Result<String, String> {
        let path = joined(around, way);
        let too_long = || format!("its paths have more than {}", bounds::size(bounds::FACT_PATH_BYTES as u64));
        self.0 = self.0.checked_sub(path.len()).ok_or_else(too_long)?;
        Ok(path)
    }
}

fn beginning(path: &str, count: usize) -> Option<&str> {
    let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    path.get(..ends.nth(count.checked_sub(1)?)?).filter(|beginning| !beginning.is_empty())
}

fn joined(around: &str, way: &str) -> String {
    if around.is_empty() { way.to_owned() } else { format!("{around}/{way}") }
}

pub fn is_way(path: &str) -> bool {
    path.len() as u64 <= bounds::PATH_BYTES && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shortened_is_written_out_again() {
        let paths = ["a", "a/b", "a/b/c d", "a/b!", "a/b/c/e", "é/ß", "0/1/2", "a"];
        let short = shorten(paths.into_iter());
        assert_eq!(short, ["0/a", "1/b", "2/c d", "1/b!", "1/b/c/e", "0/é/ß", "0/0/1/2", "0/a"]);
        let mut long = Vec::new();
        Budget::default().expand("", &short, &mut long).expect("all are paths");
        assert_eq!(long, paths);
    }

    #[test]
    fn what_leads_out_or_nowhere_is_no_path() {
        for wrong in
            ["x", "", "0/", "0//x", "1/x", "-1/x", "0/../x", "0/a/./b", "0/a/", "99999999999999999999/a", "0/.."]
        {
            let result = Budget::default().expand("keps", &[wrong.to_owned()], &mut Vec::new());
            assert!(result.is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_short_list_of_long_paths_is_refused() {
        // Each entry goes one deeper.
        let deep: Vec<String> = (0..100_000).map(|depth| format!("{depth}/a")).collect();
        assert!(Budget::default().expand("", &deep, &mut Vec::new()).is_err());
        let most = usize::try_from(bounds::PATH_BYTES).expect("it is small");
        let wide =
            [vec![format!("0/{}", "x/".repeat(most / 2 - 1) + "x")], vec![format!("{}/a", most / 2 - 1); 100_000]];
        let failed = Budget::default().expand("", &wide.concat(), &mut Vec::new());
        assert!(failed.is_err_and(|reason| reason.contains("more than")));
    }
}
