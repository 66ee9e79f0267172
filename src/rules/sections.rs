//! Category "sections": compares the README with the template.

pub(crate) mod bad_title;
pub(crate) mod bare_answer;
pub(crate) mod commented_out_section;
pub(crate) mod conflicting_directive;
pub(crate) mod criteria_mismatch;
pub(crate) mod duplicate_section;
pub(crate) mod empty_section;
pub(crate) mod leftover_template_text;
pub(crate) mod malformed_directive;
pub(crate) mod misplaced_section;
pub(crate) mod missing_graduation_stage;
pub(crate) mod missing_section;
pub(crate) mod placeholder_section;
pub(crate) mod renamed_section;
pub(crate) mod stale_history;
pub(crate) mod stale_signoff;
pub(crate) mod swallowed_heading;
pub(crate) mod template_text;
pub(crate) mod unacknowledged_test_plan;
pub(crate) mod unchecked_signoff;
pub(crate) mod unfinished_answer;
pub(crate) mod unknown_template_section;
pub(crate) mod unlinked_tests;
pub(crate) mod unnumbered_title;
pub(crate) mod unticked_answer;
