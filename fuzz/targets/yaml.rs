//! Lints, prints and fixes a kep.yaml.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kep_lint_fuzz::read_yaml(data));
