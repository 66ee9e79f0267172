//! The texts of a KEP's way through its stages: a new KEP, a promotion, and answers of other KEPs as examples. Apart from
//! fixes, because here an author decides what changes, not a rule.

pub mod answer;
pub mod draft;
pub mod entry;
pub mod group;
pub mod promotion;
pub mod reply;
pub mod scalar;
pub mod upgrade;
