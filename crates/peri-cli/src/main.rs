//! The program `peri`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    peri_cli::main()
}
