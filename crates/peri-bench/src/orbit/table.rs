//! A line a month.

use super::life::Profile;
use super::year::Year;

pub(super) fn print(profile: &Profile, year: &Year) {
    let Profile { name, memories, uses, .. } = profile;
    println!("{name}: {memories} memories and {uses} uses on a working day");
    println!(
        "{:>5} {:>6} {:>6} {:>6} {:>6} {:>6}  {:>6} {:>6} {:>6}  {:>9} {:>7} {:>11}  {:>5} {:>6}",
        "month",
        "core",
        "inner",
        "outer",
        "belt",
        "cloud",
        "score",
        "idle",
        "room",
        "forgotten",
        "at once",
        "unexplained",
        "used",
        "unused"
    );
    for (number, month) in year.months.iter().enumerate() {
        let [core, inner, outer, belt, cloud] = month.zones;
        println!(
            "{:>5} {core:>6} {inner:>6} {outer:>6} {belt:>6} {cloud:>6}  {:>6} {:>6} {:>6}  {:>9} {:>7} {:>11}  {:>5.2} {:>6.2}",
            number + 1,
            month.by_score,
            month.by_idling,
            month.by_room,
            month.forgotten,
            month.forgotten_at_once,
            month.unexplained,
            month.zone_of_used,
            month.zone_of_unused,
        );
    }
    println!();
}
