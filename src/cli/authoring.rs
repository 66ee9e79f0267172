//! The commands that write KEPs, and show how others are written.

pub mod answers;
pub mod arguments;
mod change;
mod half_made;
pub mod new;
pub mod promote;
pub mod remaining;
