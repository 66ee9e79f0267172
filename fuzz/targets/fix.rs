//! Fixes a README.md and a kep.yaml.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::fix_a_kep(data));
