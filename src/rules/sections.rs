//! Category "sections": compares the README with the template.

pub mod bad_title;
pub mod bare_answer;
pub mod commented_out_section;
pub mod conflicting_directive;
pub mod criteria_mismatch;
pub mod duplicate_section;
pub mod empty_section;
pub mod leftover_template_text;
pub mod malformed_directive;
pub mod misplaced_section;
pub mod missing_graduation_stage;
pub mod missing_section;
pub mod placeholder_section;
pub mod renamed_section;
pub mod stale_history;
pub mod stale_signoff;
pub mod swallowed_heading;
pub mod template_text;
pub mod unacknowledged_test_plan;
pub mod unchecked_signoff;
pub mod unfinished_answer;
pub mod unknown_template_section;
pub mod unlinked_tests;
pub mod unnumbered_title;
pub mod unticked_answer;
