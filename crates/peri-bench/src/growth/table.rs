//! The table: a column a size, and between two sizes the factor by which the figure grew.

use crate::speed::figures::Figures;
use crate::speed::table::line;

/// The name of each figure, and what it is called here.
const ROWS: [(&str, &str); 21] = [
    ("remember_processor_us", "one remember, µs on a processor"),
    ("remember_p50_us", "one remember, p50 µs"),
    ("batch_processor_us", "a memory in a batch, µs on a processor"),
    ("batch_us", "a memory in a batch, µs"),
    ("enter_processor_us", "entering it into the index, processor"),
    ("enter_us", "entering it into the index, µs"),
    ("chores_processor_us", "the chores for it, µs on a processor"),
    ("chores_us", "the chores for it, µs"),
    ("recall_processor_us", "a recall, mean µs on a processor"),
    ("recall_us", "a recall, mean µs"),
    ("recall_p50_us", "a recall, p50 µs"),
    ("recall_p95_us", "a recall, p95 µs"),
    ("open_processor_us", "opening, µs on a processor"),
    ("open_us", "opening, µs"),
    ("first_recall_processor_us", "first recall after it, processor"),
    ("first_recall_us", "first recall after it, µs"),
    ("resident_mb", "resident after recalls, MB"),
    ("resident_heap_mb", "of that not in files, MB"),
    ("resident_peak_mb", "at most, MB"),
    ("database_mb", "database, MB"),
    ("index_mb", "saved index, MB"),
];

/// Prints it.
pub(super) fn print(sizes: &[(usize, Figures)]) {
    print!("{:<42}", "memories");
    for (at, (size, _)) in sizes.iter().enumerate() {
        let growth = if at > 0 { "growth" } else { "" };
        print!("{growth:>9}{size:>11}");
    }
    println!();
    for (name, label) in ROWS {
        let values: Vec<Option<f64>> = sizes.iter().map(|(_, figures)| figures.get(name).copied()).collect();
        if values.iter().any(Option::is_some) {
            println!("{}", line(label, &values));
        }
    }
}
