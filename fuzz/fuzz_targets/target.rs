//! Runs the target that this program is named after, so that one program serves all of them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static RUN: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let program = std::env::args_os().next().map(std::path::PathBuf::from).unwrap_or_default();
    let name = program.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let target = peri_fuzz::target(&name);
    target.unwrap_or_else(|| panic!("there is no target {name:?} in crates/peri-fuzz/src/table.rs")).run
});

fuzz_target!(|bytes: &[u8]| RUN(bytes));
