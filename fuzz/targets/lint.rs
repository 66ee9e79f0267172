//! A README.md and a kep.yaml are linted and drawn.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::lint_a_kep(data));
