//! The story that every shelf must pass, so that notes are the same wherever they are kept.

mod lending;
mod moving;
mod notes;
mod shelf;
mod turns;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use peri_types::Namespace;

use crate::{Confirmed, Loan, Notes, NotesError, Session, Shelf, Wanted};

/// What a chapter ends with.
type Told = Result<(), Box<dyn Error>>;

/// Tells the story on a shelf that holds nothing under `story`. Panics where the shelf does not do as it should, and
/// fails where it cannot.
pub fn story(shelf: &Arc<dyn Shelf>) -> Result<(), Box<dyn Error>> {
    shelf::story(shelf)?;
    notes::story(shelf)?;
    turns::story(shelf)?;
    lending::story(shelf)?;
    moving::story(shelf)
}

/// Names of sessions that are hard to keep apart, or to keep at all.
fn hard_names() -> Vec<Session> {
    let long = |end: &str| format!("{}{end}", "긴 이름 北京 ".repeat(33));
    let names = [
        "a",
        "A",
        "..",
        "../../etc/passwd",
        "회의/3월",
        "北京 会议",
        "a.meta",
        "a.new",
        "nul",
        "é",
        "e\u{301}",
    ];
    let names =
        names.map(str::to_owned).into_iter().chain([long("1"), long("2"), "x".repeat(Session::BYTES_MAX)]);
    names
        .chain(["line\nbreak".to_owned(), "100%".to_owned(), "😀".to_owned()])
        .filter_map(|name| name.parse().ok())
        .collect()
}

fn namespace(name: &str) -> Result<Namespace, Box<dyn Error>> {
    Ok(format!("story/{name}").parse()?)
}

/// How long something is lent.
const LEASE: Duration = Duration::from_secs(60);

/// Lends what is wanted and confirms it; none if that was too late.
fn take(
    notes: &Notes,
    namespace: &Namespace,
    session: &Session,
    wanted: Wanted,
) -> Result<Option<Loan>, NotesError> {
    let loan = notes.lend(namespace, session, wanted, LEASE)?;
    let confirmed = notes.confirm(namespace, session, &loan.id, &[])?;
    Ok((confirmed == Confirmed::Done).then_some(loan))
}

/// Runs the same in ten threads at once.
fn ten_times<T: Send>(run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..10).map(|number| scope.spawn(move || run(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread of the story panics")).collect()
    })
}
