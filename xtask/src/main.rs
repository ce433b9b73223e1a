//! Chores of the repository, run as `cargo run -p xtask -- <chore>`.
//!
//! `tidy` checks what the compiler does not: which crate may use which, how long files and functions are,
//! what must not be written. `digests` prints the rows that a release adds to the table of migrations.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore speaks to the person who runs it")]

mod digest;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- <chore>

chores:
  tidy     check the rules that no compiler knows; exit code 1 when one is broken
  digests  print a row for each migration, to be added to the table when it is released";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let arguments: Vec<String> = std::env::args().collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "tidy"] => tidy::run(root),
        [_, "digests"] => tidy::print_digests(root),
        [_, "help" | "-h" | "--help"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprintln!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
