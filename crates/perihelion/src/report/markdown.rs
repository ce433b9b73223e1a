//! A report as a page for people.

use peri_types::{Layer, Timestamp, Zone};

use super::{Counts, Report, SlowRecall};

/// So many characters of a question or a reason are shown; the JSON has them whole.
const CHARS_MAX: usize = 200;

impl Report {
    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut page = Page(String::new());
        self.head(&mut page);
        self.happened(&mut page);
        self.recalls(&mut page);
        self.troubles(&mut page);
        self.held(&mut page);
        self.taken(&mut page);
        page.0
    }

    fn head(&self, page: &mut Page) {
        let days = match self.first_day == self.last_day {
            true => self.first_day.to_string(),
            false => format!("{} to {}", self.first_day, self.last_day),
        };
        page.line(&format!("# Memory report of {days}"));
        page.line("");
        let place = match self.scope.to_string().as_str() {
            "*" => "Every namespace".to_owned(),
            scope => format!("Namespace {}", plain(scope)),
        };
        page.line(&format!(
            "{place}. Days as in {}: {} to {}. Counted at {}.",
            plain(&self.time_zone),
            seconds(self.from),
            seconds(self.until),
            seconds(self.written_at)
        ));
        for note in &self.notes {
            page.line("");
            page.line(&format!("> {}", plain(note)));
        }
    }

    fn happened(&self, page: &mut Page) {
        page.heading("What happened");
        page.table(&["", "#count"]);
        for (what, count) in named(&self.counts) {
            page.row(&[what.to_owned(), grouped(count)]);
        }
        for promoted in &self.counts.promoted {
            let sources = grouped(promoted.sources);
            let what = format!("promoted from {} to {} (of {sources})", promoted.from, promoted.to);
            page.row(&[plain(&what), grouped(promoted.memories)]);
        }
    }

    fn recalls(&self, page: &mut Page) {
        page.heading("How long recalls took");
        let Some(times) = &self.recall_times else {
            page.line("None was measured.");
            return;
        };
        page.table(&["#measured", "#50 %", "#90 %", "#95 %", "#99 %", "#slowest"]);
        let micros =
            [times.p50_micros, times.p90_micros, times.p95_micros, times.p99_micros, times.max_micros];
        let cells = std::iter::once(grouped(times.measured)).chain(micros.map(millis));
        page.row(&cells.collect::<Vec<_>>());
        page.line("");
        page.table(&["#took", "at", "namespace", "question", "#found"]);
        for SlowRecall { at, namespace, query, results, micros } in &self.slowest_recalls {
            let namespace =
                namespace.as_ref().map_or_else(|| "several".to_owned(), |own| plain(own.as_str()));
            page.row(&[millis(*micros), seconds(*at), namespace, plain(query), grouped(*results)]);
        }
    }

    fn troubles(&self, page: &mut Page) {
        page.heading("What failed");
        match self.failures.is_empty() {
            true => page.line("Nothing."),
            false => page.table(&["operation", "why", "#times", "last"]),
        }
        for failed in &self.failures {
            let (operation, reason) = (plain(&failed.operation), plain(&failed.reason));
            page.row(&[operation, reason, grouped(failed.count), seconds(failed.last_at)]);
        }
        page.heading("Who was turned away");
        match self.refusals.is_empty() {
            true => page.line("Nobody."),
            false => page.table(&["asked for", "why", "key", "#times", "last"]),
        }
        for refused in &self.refusals {
            let key = refused.key.map_or_else(|| "-".to_owned(), |key| plain(&key.to_string()));
            let (action, reason) = (plain(&refused.action), plain(&refused.reason));
            page.row(&[action, reason, key, grouped(refused.count), seconds(refused.last_at)]);
        }
    }

    fn held(&self, page: &mut Page) {
        page.heading("What is held now");
        if self.namespaces.is_empty() {
            page.line("No memory.");
            self.held_besides(page);
            return;
        }
        let zones = Zone::ALL.iter().map(|zone| format!("#{zone}"));
        let layers = Layer::ALL.iter().map(|layer| format!("#{layer}"));
        let heads = ["namespace", "#memories", "#in the trash"].map(ToOwned::to_owned).into_iter();
        let heads: Vec<String> = heads.chain(zones).chain(layers).collect();
        page.table(&heads.iter().map(String::as_str).collect::<Vec<_>>());
        for stats in &self.namespaces {
            let mut cells =
                vec![plain(stats.namespace.as_str()), grouped(stats.memories), grouped(stats.trashed)];
            cells.extend(Zone::ALL.iter().map(|zone| count_of(&stats.zones, zone)));
            cells.extend(Layer::ALL.iter().map(|layer| count_of(&stats.layers, layer)));
            page.row(&cells);
        }
        self.held_besides(page);
    }

    fn held_besides(&self, page: &mut Page) {
        let held = &self.held;
        page.line("");
        page.table(&["besides", "#count"]);
        for (what, count) in [
            ("journal events", held.journal_events),
            ("turns", held.turns),
            ("sessions with notes", held.noted_sessions),
            ("notes", held.notes),
            ("writes that wait", held.queued),
            ("writes that were given up", held.dead_calls),
        ] {
            page.row(&[what.to_owned(), grouped(count)]);
        }
    }

    fn taken(&self, page: &mut Page) {
        page.heading("What is taken on the disk now");
        page.table(&["", "#bytes"]);
        let disk = &self.disk;
        for (what, bytes) in [
            ("database", disk.database_bytes),
            ("saved indexes", disk.index_bytes),
            ("audit log", disk.log_bytes),
            ("snapshots", disk.snapshot_bytes),
            ("backups", disk.backup_bytes),
            ("reports", disk.report_bytes),
            ("notes", disk.notes_bytes),
            ("vault", disk.vault_bytes),
            ("writes that wait", disk.queue_bytes),
        ] {
            page.row(&[what.to_owned(), grouped(bytes)]);
        }
        page.heading("The audit log itself");
        page.table(&["", "#events"]);
        page.row(&["waiting to be written".to_owned(), grouped(self.events_waiting)]);
        page.row(&["lost since the store was made".to_owned(), grouped(self.events_lost)]);
    }
}

/// Every number but the promotions, with what it counts.
fn named(counts: &Counts) -> [(&'static str, u64); 25] {
    [
        ("stored", counts.stored),
        ("repeated", counts.repeated),
        ("imported", counts.imported),
        ("recalled", counts.recalled),
        ("recalled without finding anything", counts.recalled_nothing),
        ("revised", counts.revised),
        ("forgotten by hand", counts.forgotten),
        ("forgotten by decay", counts.auto_forgotten),
        ("expired", counts.expired),
        ("evicted from working memory", counts.evicted),
        ("outlived (episodes)", counts.outlived),
        ("cleaned up (long-term)", counts.cleaned_up),
        ("deleted with their namespace", counts.deleted_with_namespace),
        ("restored", counts.restored),
        ("purged", counts.purged),
        ("consolidated", counts.consolidated),
        ("split", counts.split),
        ("superseded", counts.superseded),
        ("contradicted", counts.contradicted),
        ("promotions undone", counts.promotions_undone),
        ("sessions started", counts.sessions_started),
        ("sessions ended", counts.sessions_ended),
        ("snapshots taken", counts.snapshots),
        ("backups made", counts.backups),
        ("backups restored", counts.backups_restored),
    ]
}

/// The page while it is written.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn heading(&mut self, text: &str) {
        self.line(&format!("\n## {text}\n"));
    }

    /// Begins a table; a column whose head begins with `#` holds numbers.
    fn table(&mut self, heads: &[&str]) {
        let names: Vec<String> = heads.iter().map(|head| head.trim_start_matches('#').to_owned()).collect();
        self.row(&names);
        let rules = heads.iter().map(|head| if head.starts_with('#') { "---:" } else { "---" });
        self.row(&rules.map(ToOwned::to_owned).collect::<Vec<_>>());
    }

    fn row(&mut self, cells: &[String]) {
        self.line(&format!("| {} |", cells.join(" | ")));
    }
}

fn count_of<T: PartialEq>(counts: &[(T, u64)], wanted: &T) -> String {
    grouped(counts.iter().find(|(own, _)| own == wanted).map_or(0, |(_, count)| *count))
}

/// A text that says the same in a cell of a table, whatever characters it has.
fn plain(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    let mut characters = text.chars().enumerate().peekable();
    let mut before = ' ';
    while let Some((at, c)) = characters.next() {
        let inside =
            before.is_alphanumeric() && characters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        before = c;
        match c {
            _ if at >= CHARS_MAX => {
                cell.push('…');
                break;
            }
            // Inside a word it marks nothing.
            '_' if inside => cell.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => {
                cell.push('\\');
                cell.push(c);
            }
            c if c.is_control() => cell.push(' '),
            c => cell.push(c),
        }
    }
    cell
}

fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

fn millis(micros: u64) -> String {
    format!("{}.{:03} ms", grouped(micros / 1000), micros % 1000)
}

/// A whole number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_asked_stays_in_its_cell() {
        for (text, cell) in [
            ("a | b\n# c", "a \\| b \\# c"),
            ("<script>`x`</script>", "\\<script\\>\\`x\\`\\</script\\>"),
            ("도자기를 굽는 날", "도자기를 굽는 날"),
            ("promoted to long_term", "promoted to long_term"),
            ("_강조_ __x__", "\\_강조\\_ \\_\\_x\\_\\_"),
            ("上周二讨论了什么？", "上周二讨论了什么？"),
        ] {
            assert_eq!(plain(text), cell);
        }
        assert_eq!(plain(&"가".repeat(1000)).chars().count(), CHARS_MAX + 1);
    }

    #[test]
    fn times_are_told_in_thousandths_of_a_second() {
        let told = [0, 999, 1000, 1_234_567].map(millis);
        assert_eq!(told, ["0.000 ms", "0.999 ms", "1.000 ms", "1,234.567 ms"]);
    }
}
