//! The rules: one table, one file per rule, one folder per category. A rule reads [`Ctx`](context::Ctx) and writes to
//! [`Sink`](sink::Sink). Its severity depends on its ladder and on the phase of the KEP.

mod approval;
pub mod cause;
pub mod context;
mod docs;
pub mod example;
mod ignores;
pub(crate) mod judge;
mod lead;
pub mod levels;
mod metadata;
mod prelude;
pub mod preset;
pub mod rule;
pub(crate) mod run;
pub(crate) mod sections;
pub mod select;
pub(crate) mod sink;
mod stage_by_gates;
mod text;

use self::rule::Rule;

pub const ALL: &[Rule] = &[
    sections::bad_title::RULE,
    sections::bare_answer::RULE,
    sections::commented_out_section::RULE,
    sections::conflicting_directive::RULE,
    sections::criteria_mismatch::RULE,
    sections::duplicate_section::RULE,
    sections::empty_section::RULE,
    sections::leftover_template_text::RULE,
    sections::malformed_directive::RULE,
    sections::misplaced_section::RULE,
    sections::missing_graduation_stage::RULE,
    sections::missing_section::RULE,
    sections::placeholder_section::RULE,
    sections::renamed_section::RULE,
    sections::stale_history::RULE,
    sections::stale_signoff::RULE,
    sections::swallowed_heading::RULE,
    sections::template_text::RULE,
    sections::unacknowledged_test_plan::RULE,
    sections::unchecked_signoff::RULE,
    sections::unfinished_answer::RULE,
    sections::unknown_template_section::RULE,
    sections::unlinked_tests::RULE,
    sections::unnumbered_title::RULE,
    sections::unticked_answer::RULE,
    text::broken_link_syntax::RULE,
    text::dead_anchor::RULE,
    text::dead_link::RULE,
    text::doubled_word::RULE,
    text::duplicate_toc::RULE,
    text::malformed_checkbox::RULE,
    text::merge_conflict::RULE,
    text::mismatched_kep_link::RULE,
    text::missing_toc::RULE,
    text::not_a_heading::RULE,
    text::run_together_lines::RULE,
    text::stale_stage_words::RULE,
    text::stale_toc::RULE,
    text::stray_comment_marker::RULE,
    text::swallowed_tag::RULE,
    text::unbalanced_unresolved::RULE,
    text::unclosed_code_span::RULE,
    text::undefined_reference::RULE,
    text::unresolved_marker::RULE,
    metadata::dead_reference::RULE,
    metadata::disable_supported_mismatch::RULE,
    metadata::duplicate_key::RULE,
    metadata::early_implemented::RULE,
    metadata::feature_gate_incomplete::RULE,
    metadata::feature_gate_mismatch::RULE,
    metadata::forgotten_milestone::RULE,
    metadata::gate_components_mismatch::RULE,
    metadata::invalid_date::RULE,
    metadata::invalid_metric::RULE,
    metadata::invalid_milestone::RULE,
    metadata::invalid_stage::RULE,
    metadata::invalid_status::RULE,
    metadata::invalid_step::RULE,
    metadata::invalid_yaml::RULE,
    metadata::kep_number_mismatch::RULE,
    metadata::metric_mismatch::RULE,
    metadata::milestone_order::RULE,
    metadata::misplaced_kep::RULE,
    metadata::missed_milestone::RULE,
    metadata::missing_disable_supported::RULE,
    metadata::missing_kep_yaml::RULE,
    metadata::missing_key::RULE,
    metadata::missing_metrics::RULE,
    metadata::missing_readme::RULE,
    metadata::missing_successor::RULE,
    metadata::misspelled_handle::RULE,
    metadata::no_approver::RULE,
    metadata::not_utf8::RULE,
    metadata::odd_character::RULE,
    metadata::one_sided_replacement::RULE,
    metadata::outdated_status::RULE,
    metadata::owning_sig_mismatch::RULE,
    metadata::placeholder_value::RULE,
    metadata::stage_milestone::RULE,
    metadata::stage_not_raised::RULE,
    metadata::stale_kep::RULE,
    metadata::unknown_feature_gate::RULE,
    metadata::unknown_key::RULE,
    metadata::unknown_sig::RULE,
    metadata::unlisted_feature_gate::RULE,
    metadata::wrong_type::RULE,
    approval::invalid_prr::RULE,
    approval::missing_prr::RULE,
    approval::node_approver::RULE,
    approval::orphan_prr::RULE,
    approval::provisional_but_approved::RULE,
    approval::prr_ahead_of_stage::RULE,
    approval::prr_approver::RULE,
    approval::prr_number_mismatch::RULE,
    ignores::ignore_without_reason::RULE,
    ignores::unknown_ignore::RULE,
    ignores::unused_ignore::RULE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_are_unique() {
        let keys: Vec<_> = ALL.iter().map(|rule| (rule.category, rule.name)).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    }

    #[test]
    fn every_rule_has_documentation_and_a_summary() {
        for rule in ALL {
            for part in ["## Why", "## Bad", "## Good"] {
                assert!(rule.docs.contains(part), "{} has no `{part}`", rule.name);
            }
            assert!(!rule.summary.ends_with('.'), "{}", rule.name);
        }
    }
}
