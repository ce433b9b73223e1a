//! A line a month.

use super::life::Profile;
use super::year::{Month, Year};

const HEADINGS: [&str; 15] = [
    "month",
    "core",
    "inner",
    "outer",
    "belt",
    "cloud",
    "| score",
    "idle",
    "room",
    "back in",
    "| forgotten",
    "at once",
    "unexplained",
    "| used",
    "unused",
];

/// Zones at the month's end, moves by reason and how many of those found room again, what was forgotten and
/// how much of it without a stay in the cloud, and the mean zone of what was used lately and of what never
/// was.
pub(super) fn print(profile: &Profile, year: &Year) {
    println!("{}: {}", profile.name, profile.describe());
    println!("{}", HEADINGS.join("  "));
    for (number, month) in year.months.iter().enumerate() {
        let cells = cells(number + 1, month);
        let padded = cells
            .iter()
            .zip(HEADINGS)
            .map(|(cell, heading)| format!("{cell:>width$}", width = heading.len()));
        println!("{}", padded.collect::<Vec<_>>().join("  "));
    }
    println!("vital memories forgotten in the year: {}\n", year.vital_forgotten);
}

fn cells(number: usize, month: &Month) -> [String; 15] {
    let [core, inner, outer, belt, cloud] = month.zones.map(|count| count.to_string());
    [
        number.to_string(),
        core,
        inner,
        outer,
        belt,
        cloud,
        month.by_score.to_string(),
        month.by_idling.to_string(),
        month.by_room.to_string(),
        month.back_in.to_string(),
        month.forgotten.to_string(),
        month.forgotten_at_once.to_string(),
        month.unexplained.to_string(),
        mean(month.zone_of_used),
        mean(month.zone_of_unused),
    ]
}

fn mean(zone: Option<f64>) -> String {
    zone.map_or_else(|| "-".to_owned(), |zone| format!("{zone:.2}"))
}
