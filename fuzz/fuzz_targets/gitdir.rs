#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| git_grill_fuzz::gitdir::run(data));
