//! Lints, prints and fixes the documents of two KEPs with links between them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::link_documents(data));
