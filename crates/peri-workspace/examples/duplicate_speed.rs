//! How long it takes to find repeated code in 100,000 lines: `cargo run --release -p peri-workspace --example duplicate_speed`.
#![allow(clippy::print_stdout, reason = "an example reports to its reader")]

use std::time::Instant;

use peri_workspace::{DuplicateLimits, Limits, Workspace};

/// A file of 500 lines; every tenth function stands in every file.
fn file(number: usize) -> String {
    let mut text = String::new();
    for function in 0..50 {
        let own = if function % 10 == 0 { function } else { number * 1000 + function };
        text.push_str(&format!(
            "fn work_{own}(input: &[u32], limit_{own}: u32) -> u32 {{\n    let mut total_{own} = {own};\n    for value in input {{\n        \
             if value % {} == 0 {{\n            total_{own} += value * {own};\n        }}\n    }}\n    total_{own}.min(limit_{own})\n}}\n\n",
            own + 2
        ));
    }
    text
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    for number in 0..200 {
        std::fs::write(folder.path().join(format!("part_{number}.rs")), file(number))?;
    }
    let workspace = Workspace::open(folder.path(), &Limits::default(), &|| true)?;
    let started = Instant::now();
    let duplicates = workspace.duplicates(&DuplicateLimits::default(), &|| true);
    println!(
        "{} lines compared in {:?}: {} listed, {} more",
        duplicates.compared_lines,
        started.elapsed(),
        duplicates.listed.len(),
        duplicates.unlisted
    );
    Ok(())
}
