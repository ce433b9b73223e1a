//! Prints what is in a folder of code: `cargo run -p peri-workspace --example look -- PATH`.
#![allow(clippy::print_stdout, reason = "an example reports to its reader")]

use std::time::Instant;

use peri_workspace::{
    Coverage, Dependencies, DuplicateLimits, Duplicates, Limits, Map, SecretAllowances, Secrets, TestGaps,
    Workspace,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let go_on = || true;
    let started = Instant::now();
    let workspace = Workspace::open(path.as_ref(), &Limits::default(), &go_on)?;
    println!("{} files, {:?}, in {:?}", workspace.files().len(), workspace.origin(), started.elapsed());
    println!("left out: {:?}", workspace.left_out().counts);
    let timed = Instant::now();
    let map = workspace.map(&go_on);
    show_map(&map);
    println!("  ({:?})", timed.elapsed());
    let timed = Instant::now();
    let dependencies = workspace.dependencies(&map, &go_on);
    show_dependencies(&dependencies);
    println!("  ({:?})", timed.elapsed());
    let timed = Instant::now();
    show_duplicates(
        &workspace.duplicates(&DuplicateLimits { listed_max: 15, ..DuplicateLimits::default() }, &go_on),
    );
    println!("  ({:?})", timed.elapsed());
    let timed = Instant::now();
    let changes = workspace.change_counts(200, &go_on).unwrap_or_default();
    show_gaps(&workspace.test_gaps(&map, &dependencies, &changes, &go_on));
    println!("  ({:?})", timed.elapsed());
    let timed = Instant::now();
    show_secrets(&workspace.secrets(&SecretAllowances::default(), &go_on));
    println!("  ({:?})", timed.elapsed());
    Ok(())
}

fn title(name: &str, coverage: &Coverage) {
    let partial = if coverage.is_partial() { " (partial)" } else { "" };
    println!("\n== {name}: {} of {} files{partial}", coverage.files_read, coverage.files_wanted);
}

fn show_map(map: &Map) {
    title("map", &map.coverage);
    for folder in map.folders.iter().filter(|folder| folder.path.matches('/').count() < 2) {
        let languages: Vec<String> = folder
            .languages
            .iter()
            .take(3)
            .map(|(language, lines)| format!("{} {lines}", language.name()))
            .collect();
        let purpose = folder.purpose.as_deref().unwrap_or("-");
        println!(
            "  {:28} {:5} files, {:40} {purpose}",
            format!("{}/", folder.path),
            folder.files,
            languages.join(", ")
        );
    }
    let symbols: usize = map.files.iter().map(|file| file.symbols.len()).sum();
    let purposes = map.files.iter().filter(|file| file.purpose.is_some()).count();
    println!("  {symbols} symbols; {purposes} files say what they are for");
    for entry in map.entry_points.iter().take(30) {
        println!("  starts: {:?} {} ({}:{})", entry.kind, entry.name, entry.path, entry.line);
    }
    println!("  {} build files; test folders: {}", map.build_files.len(), map.test_folders.join(", "));
}

fn show_dependencies(dependencies: &Dependencies) {
    title("dependencies", &dependencies.coverage);
    println!(
        "  {} edges, {} cycles, {} orphans",
        dependencies.edges.len(),
        dependencies.cycles.len(),
        dependencies.orphans.len()
    );
    for file in dependencies.most_used(12) {
        println!("  {:4} use {} (layer {}, uses {})", file.fan_in, file.path, file.layer, file.fan_out);
    }
    for cycle in dependencies.cycles.iter().take(8) {
        println!("  circle of {}: {}", cycle.files.len(), cycle.shortest.join(" → "));
    }
    dependencies.orphans.iter().take(15).for_each(|path| println!("  orphan: {path}"));
    for package in &dependencies.packages {
        println!(
            "  package {} (layer {}): uses {}; {} others ask for it; {} requirements",
            package.name,
            package.layer,
            package.uses.join(" "),
            package.used_by.len(),
            package.requirements.len()
        );
    }
}

fn show_duplicates(duplicates: &Duplicates) {
    title("duplicates", &duplicates.coverage);
    println!(
        "  {} lines compared, {} spare, {} more runs",
        duplicates.compared_lines, duplicates.spare_lines, duplicates.unlisted
    );
    for duplicate in &duplicates.listed {
        println!(
            "  {:?} {} lines × {} ({:.0}): {}",
            duplicate.likeness,
            duplicate.lines,
            duplicate.places.len(),
            duplicate.weight,
            duplicate.sample
        );
        for place in duplicate.places.iter().take(3) {
            println!("      {}:{}-{}", place.path, place.first_line, place.last_line);
        }
    }
}

fn show_gaps(gaps: &TestGaps) {
    title("test gaps", &gaps.coverage);
    println!(
        "  {} test files; {} files mentioned, {} not",
        gaps.test_files, gaps.mentioned_files, gaps.unmentioned_files
    );
    for gap in gaps.gaps.iter().take(25) {
        let names: Vec<&str> = gap.unmentioned.iter().take(5).map(|symbol| symbol.name.as_str()).collect();
        println!(
            "  {:5.1} {:?} {} ({} lines, used by {}, reached through {}, changed {}×; {} of {} public: {})",
            gap.weight,
            gap.extent,
            gap.path,
            gap.lines,
            gap.fan_in,
            gap.reached_through,
            gap.changes,
            gap.unmentioned_count,
            gap.public_count,
            names.join(" ")
        );
    }
}

fn show_secrets(secrets: &Secrets) {
    title("secrets", &secrets.coverage);
    println!("  {} found, {} examples, {} allowed", secrets.found.len(), secrets.examples, secrets.allowed);
    for secret in secrets.found.iter().take(40) {
        println!("  {:?} {}:{} {} {}", secret.certainty, secret.path, secret.line, secret.kind, secret.hint);
    }
    secrets.hazards.iter().take(20).for_each(|hazard| println!("  {:?} {}", hazard.kind, hazard.path));
}
