//! The commands that write KEPs, and show how others are written.

pub(crate) mod answer;
pub(crate) mod answers;
pub(crate) mod arguments;
mod chosen;
pub(crate) mod new;
pub(crate) mod promote;
pub(crate) mod upgrade;
