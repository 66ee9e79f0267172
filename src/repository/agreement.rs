//! Whether two repositories are the same to rules, so that what was found in one holds for the other.

use super::Repository;

impl Repository {
    /// Whether rules find here what they find in `other`, in KEPs whose own PRR files are the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let Self {
            groups,
            prr_approvers,
            emeritus_approvers,
            tech_leads,
            // No rule asks for them.
            leads: _,
            reviews,
            unreadable_reviews,
            reviews_directory,
            numbers,
            label,
            shared_numbers,
            has_groups,
            template,
            without_toc,
            misplaced,
            paths,
            // They are made from the paths.
            index: _,
            kinds: _,
            is_whole,
            gates,
            milestones,
            development,
            aliases_problem,
            code,
        } = self;
        let has_same_people = (groups, has_groups) == (&other.groups, &other.has_groups)
            && *prr_approvers == other.prr_approvers
            && *emeritus_approvers == other.emeritus_approvers
            && *tech_leads == other.tech_leads
            && *aliases_problem == other.aliases_problem;
        let has_same_keps = (numbers, shared_numbers) == (&other.numbers, &other.shared_numbers)
            && (gates, milestones, development) == (&other.gates, &other.milestones, &other.development)
            && *code == other.code;
        let has_same_files = (template, without_toc) == (&other.template, &other.without_toc)
            && (misplaced, unreadable_reviews) == (&other.misplaced, &other.unreadable_reviews)
            && paths.as_deref() == other.paths.as_deref();
        let is_called_the_same = (label, reviews_directory) == (&other.label, &other.reviews_directory);
        reviews.is_some() == other.reviews.is_some()
            && has_same_people
            && has_same_keps
            && has_same_files
            && is_called_the_same
            && *is_whole == other.is_whole
    }
}
