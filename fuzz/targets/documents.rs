//! The documents of two KEPs with links between them are linted, drawn and fixed.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::link_documents(data));
