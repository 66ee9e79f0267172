//! Where something is, as a page of a KEP says it: the directory of the KEP is said once.

use crate::lint::report::KepReport;
use crate::report::Location;
use crate::span::Span;

/// `README.md:12:3`; for a file that is not in the KEP's directory, its whole path.
pub fn of(report: &KepReport, span: Span) -> String {
    let Location { path, start, .. } = Location::of(report, span);
    let below = report.kep.as_deref().and_then(|kep| path.strip_prefix(kep)?.strip_prefix('/'));
    format!("{}:{}:{}", below.unwrap_or(path), start.line, start.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::span::FileId;

    #[test]
    fn the_directory_of_the_kep_is_left_out() {
        let mut report = sample::report("keps/x", &[("README.md", "# <b>\n")]);
        assert_eq!(of(&report, Span::new(FileId(0), 2..5)), "README.md:1:3");
        report.kep = Some("keps/y".to_owned());
        assert_eq!(of(&report, Span::new(FileId(0), 2..5)), "keps/x/README.md:1:3");
        assert_eq!(of(&report, Span::new(FileId(9), 2..5)), "keps/y:1:1");
    }
}
