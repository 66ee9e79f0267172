//! Checks a template, and lints a README.md with it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::read_a_template(data));
