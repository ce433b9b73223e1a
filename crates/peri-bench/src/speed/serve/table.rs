//! The table: a line for the server, a line for the engine alone, and what the one costs beside the other.

use super::load::Cell;

/// One line.
pub(super) struct Row {
    name: String,
    callers: usize,
    cell: Cell,
    /// The engine's own figures, on the lines of a server.
    alone: Option<Cell>,
}

/// The lines of a server and of the engine with as many callers.
pub(super) fn beside(name: &str, callers: usize, served: Cell, alone: Cell) -> [Row; 2] {
    [
        Row { name: name.to_owned(), callers, cell: served, alone: Some(alone) },
        Row { name: "the engine alone".to_owned(), callers, cell: alone, alone: None },
    ]
}

/// Prints a heading and its lines.
pub(super) fn print(heading: &str, rows: &[Row]) {
    println!(
        "{heading:<28}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}",
        "callers", "/s", "p50 ms", "p95 ms", "p99 ms", "cpu µs", "/s", "p50", "cpu"
    );
    for row in rows {
        println!("{}", line(row));
    }
    println!();
}

fn line(row: &Row) -> String {
    let Cell { per_second, latency, processor } = row.cell;
    let [p50, p95, p99] = [latency.p50, latency.p95, latency.p99].map(|micros| micros / 1e3);
    let cpu = processor.map_or_else(|| "-".to_owned(), |micros| format!("{micros:.0}"));
    let (name, callers) = (&row.name, row.callers);
    let mut line = format!("  {name:<26}{callers:>8}{per_second:>9.0}{p50:>9.2}{p95:>9.2}{p99:>9.2}{cpu:>9}");
    if let Some(alone) = row.alone {
        let ratio = |served: f64, alone: f64| format!("×{:.2}", served / alone);
        let cpu =
            processor.zip(alone.processor).map_or_else(String::new, |(served, alone)| ratio(served, alone));
        let (rate, time) = (ratio(per_second, alone.per_second), ratio(latency.p50, alone.latency.p50));
        line.push_str(&format!("{rate:>8}{time:>8}{cpu:>8}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::figures::Latency;

    #[test]
    fn the_price_stands_on_the_line_of_the_server() {
        let cell = |millis: f64| Cell {
            per_second: 1e3 / millis,
            latency: Latency::of(vec![millis * 1e3; 3]),
            processor: Some(millis * 500.0),
        };
        let rows = beside("HTTP", 8, cell(3.0), cell(2.0));
        let words = |row| line(row).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            words(&rows[0]),
            ["HTTP", "8", "333", "3.00", "3.00", "3.00", "1500", "×0.67", "×1.50", "×1.50"]
        );
        assert_eq!(words(&rows[1])[3..], ["8", "500", "2.00", "2.00", "2.00", "1000"]);
    }
}
