//! Category "approval": production readiness reviews and approvers.

pub(crate) mod invalid_prr;
pub(crate) mod missing_prr;
pub(crate) mod node_approver;
pub(crate) mod orphan_prr;
pub(crate) mod provisional_but_approved;
pub(crate) mod prr_ahead_of_stage;
pub(crate) mod prr_approver;
pub(crate) mod prr_number_mismatch;
