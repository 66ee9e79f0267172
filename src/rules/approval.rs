//! Category "approval": production readiness reviews and approvers.

pub mod invalid_prr;
pub mod missing_prr;
pub mod node_approver;
pub mod orphan_prr;
pub mod provisional_but_approved;
pub mod prr_ahead_of_stage;
pub mod prr_approver;
pub mod prr_number_mismatch;
