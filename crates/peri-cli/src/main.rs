//! The program `peri`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    peri_heap::set_up();
    peri_cli::main()
}
