//! The files of reports, one a day: `logs/memory/2026-11-15.md`, written once the day has ended.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::ToSpan as _;
use jiff::civil::Date;
use parking_lot::Mutex;
use peri_seal::{Purpose, Seal};
use peri_types::{MemoryId, Scope, Timestamp};

use super::gather::{Span, Wanted};
use super::tally::counted;
use super::{Present, Report, ReportQuery};
use crate::Error;
use crate::engine::Core;

/// Held while reports are written, so that of many processes one does it.
const LEASE: &str = "daily-report";
/// How long the others leave it to one that may have died.
const HELD: Duration = Duration::from_secs(600);
/// Days that nobody was there to report on are made up for as far back as this.
const DAYS_BACK: i32 = 31;
/// Begins the first line of every report; when it was written follows.
const MARK: &str = "<!-- perihelion report, written ";
const MARK_END: &str = " -->";

/// What this process knows of the reports.
#[derive(Default)]
pub(crate) struct ReportTimes(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The last day whose report is there.
    done: Option<Date>,
    /// When to look again after that could not be made sure.
    again_at: Option<Timestamp>,
}

impl Core {
    pub(super) fn report_folder(&self) -> PathBuf {
        self.options.folder.join("logs").join("memory")
    }

    /// Writes the reports of the days that have ended and have none, if no other process is at it.
    pub(crate) fn report_if_due(&self) -> Result<(), Error> {
        if !self.options.reports.daily {
            return Ok(());
        }
        let (now, today) = (self.now(), self.today());
        let Ok(yesterday) = today.yesterday() else { return Ok(()) };
        {
            let mut known = self.report_times.0.lock();
            if known.done >= Some(yesterday) || known.again_at.is_some_and(|again_at| now < again_at) {
                return Ok(());
            }
            known.again_at = now.checked_add(HELD).ok();
        }
        if !self.store.acquire_lease(LEASE, &self.holder, now, HELD)? {
            return Ok(());
        }
        let written = self.write_missing(yesterday);
        self.store.release_lease(LEASE, &self.holder)?;
        written?;
        *self.report_times.0.lock() = Known { done: Some(yesterday), again_at: None };
        self.drop_old_reports(today)
    }

    fn write_missing(&self, yesterday: Date) -> Result<(), Error> {
        let earliest = yesterday.checked_sub((DAYS_BACK - 1).days()).unwrap_or(yesterday);
        let last = self.last_final_report(yesterday)?;
        let first = match last {
            Some(last) if last >= yesterday => return Ok(()),
            Some(last) => last.tomorrow().map_or(earliest, |day| day.max(earliest)),
            None => earliest,
        };
        let span = Span { from: self.span(first, first).from, until: self.span(yesterday, yesterday).until };
        let gathered = self.gather(&span, &Scope::All, &Wanted { kinds: counted(), texts: Vec::new() })?;
        let begun = gathered.first_at.map(|at| at.to_zoned(self.time_zone()).date());
        // Before the first event there was nothing to report on.
        let first = match (last, begun) {
            (None, None) => return Ok(()),
            (None, Some(begun)) => first.max(begun),
            (Some(_), _) => first,
        };
        let Present { namespaces, held, disk } = self.present(&Scope::All)?;
        let mut day = first;
        while day <= yesterday {
            let query = ReportQuery { first_day: day, last_day: day, scope: Scope::All };
            let present = Present { namespaces: namespaces.clone(), held, disk };
            self.put_report(&self.report_of(&query, &self.span(day, day), &gathered, present))?;
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
        Ok(())
    }

    /// The last day up to one whose report was written after the day had ended.
    fn last_final_report(&self, up_to: Date) -> Result<Option<Date>, Error> {
        let mut days = self.reported_days()?;
        days.retain(|day| *day <= up_to);
        days.sort_unstable();
        let is_final = |day: &Date| {
            let written = written_at(&self.report_path(*day), &self.seal);
            written.is_some_and(|at| at >= self.span(*day, *day).until)
        };
        Ok(days.into_iter().rev().find(is_final))
    }

    fn report_path(&self, day: Date) -> PathBuf {
        self.report_folder().join(format!("{day}.md"))
    }

    /// The days that have a file, in no order. A folder that is not there holds none.
    fn reported_days(&self) -> Result<Vec<Date>, Error> {
        let folder = self.report_folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(Error::Record { path: folder, source }),
        };
        let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
        Ok(names.filter_map(|name| day_of(name.to_str()?)).collect())
    }

    /// Writes a report to its file: beside its place first, so that nobody sees half of one.
    pub(super) fn put_report(&self, report: &Report) -> Result<PathBuf, Error> {
        let path = self.report_path(report.last_day);
        let text = format!("{MARK}{}{MARK_END}\n{}", report.written_at, report.to_markdown());
        // Two at once, by the chores and by hand, write two drafts.
        let draft = path.with_extension(format!("{}.part", MemoryId::generate(Timestamp::now())));
        let outcome = peri_private::create_folder(&self.report_folder())
            .and_then(|()| self.seal.seal(Purpose::Report, text.as_bytes()))
            .and_then(|bytes| put(&draft, &path, &bytes));
        if outcome.is_err() {
            // Half a draft is of no use; that it may stay on a full disk is no second error.
            drop(fs::remove_file(&draft));
        }
        outcome.map_err(|source| Error::Record { path: path.clone(), source })?;
        Ok(path)
    }

    fn drop_old_reports(&self, today: Date) -> Result<(), Error> {
        self.sweep_drafts();
        let kept = self.options.reports.kept_days;
        let Ok(before) = today.checked_sub(i64::from(kept).days()) else { return Ok(()) };
        if kept == 0 {
            return Ok(());
        }
        for day in self.reported_days()?.into_iter().filter(|day| *day < before) {
            let path = self.report_path(day);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::Record { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Deletes what writers that died have left. Failing to is left for the next time.
    fn sweep_drafts(&self) {
        let Ok(entries) = fs::read_dir(self.report_folder()) else { return };
        for entry in entries.filter_map(Result::ok) {
            let is_draft = entry.path().extension().is_some_and(|extension| extension == "part");
            let age = entry.metadata().and_then(|found| found.modified()).map(|at| at.elapsed());
            if is_draft && matches!(age, Ok(Ok(age)) if age > HELD) {
                drop(fs::remove_file(entry.path()));
            }
        }
    }
}

fn put(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = peri_private::file(draft).write(true).create_new(true).open(draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(draft, path)
}

/// The day that a file's name tells.
fn day_of(name: &str) -> Option<Date> {
    let day = name.strip_suffix(".md")?;
    day.parse::<Date>().ok().filter(|parsed| parsed.to_string() == day)
}

/// When a report was written, by its first line; none if somebody else wrote it.
fn written_at(path: &Path, seal: &Seal) -> Option<Timestamp> {
    let mut line = String::new();
    if seal.is_on() {
        // What is sealed opens as a whole.
        let opened = seal.open(Purpose::Report, peri_private::read(path).ok()?).ok()?;
        line.push_str(std::str::from_utf8(&opened).ok()?.lines().next()?);
    } else {
        let file = peri_private::open(path).ok()?;
        io::Read::take(BufReader::new(file), 200).read_line(&mut line).ok()?;
    }
    line.trim_end().strip_prefix(MARK)?.strip_suffix(MARK_END)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_day_is_the_name_of_a_report() {
        assert_eq!(day_of("2026-11-15.md"), Some(jiff::civil::date(2026, 11, 15)));
        for name in ["", ".md", "2026-11-15", "2026-11-15.part", "20261115.md", "2026-13-01.md", "notes.md"] {
            assert_eq!(day_of(name), None, "{name:?}");
        }
    }
}
