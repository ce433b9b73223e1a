//! The tables: a column per size, and between two sizes the factor by which the figure grew.

use super::figures::Figures;

struct Topic {
    heading: &'static str,
    /// The name of each figure, and what it is called here.
    rows: &'static [(&'static str, &'static str)],
}

const TOPICS: [Topic; 6] = [
    Topic {
        heading: "remember, durable",
        rows: &[
            ("disk_flush_us", "flush of the disk alone, p50 µs"),
            ("remember_per_s", "one by one, /s"),
            ("remember_p50_us", "one by one, p50 µs"),
            ("remember_p95_us", "one by one, p95 µs"),
            ("remember_8_threads_per_s", "from 8 threads, /s"),
            ("remember_batch_per_s", "in batches of 512, /s"),
            ("index_s", "the first recall after that, s"),
            ("chores_s", "and the chores after that, s"),
        ],
    },
    Topic {
        heading: "recall, warm, 10 results",
        rows: &[
            ("recall_p50_us", "p50 µs"),
            ("recall_p95_us", "p95 µs"),
            ("recall_p99_us", "p99 µs"),
            ("recall_mean_us", "mean µs"),
            ("recall_processor_us", "mean µs on a processor"),
            ("recall_of_1_percent_p50_us", "filtered to 1 %, p50 µs"),
            ("recall_of_1_percent_p95_us", "filtered to 1 %, p95 µs"),
            ("recall_of_10_percent_p50_us", "filtered to 10 %, p50 µs"),
            ("recall_of_10_percent_p95_us", "filtered to 10 %, p95 µs"),
            ("recall_2_threads_per_s", "from 2 threads, /s"),
            ("results_per_recall", "results returned, mean"),
        ],
    },
    Topic {
        heading: "parts of a recall",
        rows: &[
            ("embed_p50_us", "embedding the question, p50 µs"),
            ("recall_without_meaning_p50_us", "recall without meaning, p50 µs"),
            ("recall_without_words_p50_us", "recall without words, p50 µs"),
            ("recall_without_conversation_p50_us", "recall without conversations, p50 µs"),
            ("recall_before_write_p50_us", "the same question again, p50 µs"),
            ("recall_after_write_p50_us", "after another engine wrote one, p50 µs"),
        ],
    },
    Topic {
        heading: "start, files in the system's cache",
        rows: &[
            ("open_us", "opening, µs"),
            ("first_recall_ms", "opening and first recall, ms"),
            ("rebuild_ms", "the same without a saved index, ms"),
            ("process_ms", "a process that recalls once, ms"),
            ("peri_process_ms", "peri recall, ms"),
        ],
    },
    Topic {
        heading: "memory of a process that recalls",
        rows: &[
            ("resident_mb", "resident, MB"),
            ("resident_heap_mb", "of that not in files, MB"),
            ("resident_peak_mb", "at most, MB"),
        ],
    },
    Topic {
        heading: "disk",
        rows: &[
            ("database_mb", "database, MB"),
            ("index_mb", "saved index, MB"),
            ("database_bytes_per_memory", "database, bytes a memory"),
            ("index_bytes_per_memory", "saved index, bytes a memory"),
        ],
    },
];

/// Prints every topic.
pub(super) fn print(sizes: &[(usize, Figures)]) {
    for topic in &TOPICS {
        print!("{:<42}", topic.heading);
        for (at, (size, _)) in sizes.iter().enumerate() {
            let growth = if at > 0 { "growth" } else { "" };
            print!("{growth:>9}{size:>11}");
        }
        println!();
        for (name, label) in topic.rows {
            let values: Vec<Option<f64>> =
                sizes.iter().map(|(_, figures)| figures.get(*name).copied()).collect();
            if values.iter().any(Option::is_some) {
                println!("{}", line(label, &values));
            }
        }
        println!();
    }
}

pub(crate) fn line(label: &str, values: &[Option<f64>]) -> String {
    let mut line = format!("  {label:<40}");
    for (at, value) in values.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| values[before]);
        let growth = match (before, value) {
            (Some(before), Some(value)) if before != 0.0 => format!("×{:.2}", value / before),
            _ => String::new(),
        };
        let value = value.map_or_else(|| "-".to_owned(), shown);
        line.push_str(&format!("{growth:>9}{value:>11}"));
    }
    line
}

/// Three digits at least, and none that say nothing.
fn shown(value: f64) -> String {
    match value.abs() {
        0.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_stands_between_the_sizes_it_compares() {
        let line = line("p50 µs", &[Some(50.0), Some(125.0), None]);
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["p50", "µs", "50.0", "×2.50", "125", "-"]);
    }
}
