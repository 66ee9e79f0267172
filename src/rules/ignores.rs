//! Category "ignores": the comments that silence findings.

pub(crate) mod ignore_without_reason;
pub(crate) mod unknown_ignore;
pub(crate) mod unused_ignore;
