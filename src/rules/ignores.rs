//! Category "ignores": the comments that silence findings.

pub mod ignore_without_reason;
pub mod unknown_ignore;
pub mod unused_ignore;
