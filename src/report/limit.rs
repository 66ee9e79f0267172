//! Which findings are shown when there are many: errors first, then warnings, each in order.

use super::Summary;
use crate::diagnostic::Severity;

/// What may still be shown, and what never will be.
pub struct Limit {
    left: Summary,
    pub omitted: Summary,
}

impl Limit {
    /// Shows `most` of `total` findings; 0 shows all.
    pub fn new(total: Summary, most: usize) -> Self {
        let mut limit = Self { left: Summary::default(), omitted: Summary::default() };
        let mut room = if most == 0 { total.total() } else { most };
        for (severity, count) in total.each() {
            let shown = count.min(room);
            *limit.left.count_mut(severity) = shown;
            *limit.omitted.count_mut(severity) = count - shown;
            room -= shown;
        }
        limit
    }

    /// Shows `most` of each severity.
    pub fn of_each(most: usize) -> Self {
        Self { left: Summary { error: most, warning: most, suggestion: most }, omitted: Summary::default() }
    }

    /// Whether the next finding of this severity is shown; counts it.
    pub fn admits(&mut self, severity: Severity) -> bool {
        let left = self.left.count_mut(severity);
        let is_shown = *left > 0;
        *left = left.saturating_sub(1);
        is_shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Summary = Summary { error: 2, warning: 1, suggestion: 3 };

    #[test]
    fn the_least_severe_findings_are_left_out_first() {
        assert_eq!(Limit::new(TOTAL, 0).omitted, Summary::default());
        assert_eq!(Limit::new(TOTAL, 6).omitted, Summary::default());
        assert_eq!(Limit::new(TOTAL, 4).omitted, Summary { error: 0, warning: 0, suggestion: 2 });
        assert_eq!(Limit::new(TOTAL, 1).omitted, Summary { error: 1, warning: 1, suggestion: 3 });
    }

    #[test]
    fn among_equals_the_first_stay() {
        let mut limit = Limit::new(TOTAL, 4);
        assert_eq!([Severity::Advice; 3].map(|severity| limit.admits(severity)), [true, false, false]);
        assert_eq!([Severity::Error; 2].map(|severity| limit.admits(severity)), [true, true]);
    }
}
