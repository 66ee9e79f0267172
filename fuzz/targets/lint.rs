//! Lints and prints a README.md and a kep.yaml.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::lint_a_kep(data));
