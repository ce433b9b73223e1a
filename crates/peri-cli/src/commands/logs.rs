//! `peri logs`: what happened, from the audit log.

use std::time::Duration;

use perihelion::{Event, EventKind, FollowFrom, LogQuery, Scope, Timestamp};

use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{counted, event};
use crate::{cli, time};

/// The log is looked at this often while it is followed.
const POLL: Duration = Duration::from_millis(300);

/// Which events.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "With --json, one JSON object a line.\n\nExample:\n  peri logs --follow --event stored --event zone_changed"
)]
pub(crate) struct Args {
    /// At most so many, the latest
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
    /// Go on as events come, until Ctrl-C
    #[arg(long, short)]
    follow: bool,
    /// Only this kind, such as stored, recalled or zone_changed; may be repeated
    #[arg(long, value_name = "KIND", value_parser = cli::event_kind(), hide_possible_values = true)]
    event: Vec<EventKind>,
    /// Only from this time on: 2026-11-15, an RFC 3339 time, last tuesday, 지난주, 上周, 12h, 7d, 2w, 3mo (ago)
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    since: Option<Timestamp>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let query =
        LogQuery { limit: args.limit, kinds: args.event, since: args.since, scope, ..LogQuery::default() };
    let page = session.engine.events(&query)?;
    let mut briefs = Briefs::default();
    tell(&page.events, &session, &mut briefs, app)?;
    if page.skipped_lines > 0 {
        let lines = counted(page.skipped_lines, "line", "lines");
        app.out.warning(&format!("{lines} of the log cannot be read and were passed over"))?;
    }
    if !session.engine.options().events.log {
        app.out.note("nothing is written to the audit log: events.log is false")?;
    } else if page.events.is_empty() && !args.follow {
        app.out.note("no events that fit")?;
    }
    if args.follow {
        let last = page.events.last().map_or(0, |event| event.number);
        follow(&query, last, &session, &mut briefs, app)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Tells events as they come. Only a reader who has gone, or the person, ends it.
fn follow(
    query: &LogQuery,
    last: u64,
    session: &Session,
    briefs: &mut Briefs,
    app: &mut App,
) -> Result<(), CliError> {
    let mut follow = session.engine.follow_events(FollowFrom::After(last))?;
    // What other processes left in the store without writing it to the log is written now.
    let ship = LogQuery { limit: 0, ..LogQuery::default() };
    loop {
        app.out.flush()?;
        if is_hung_up_within(POLL) {
            return Ok(());
        }
        session.engine.events(&ship)?;
        let new = follow.poll().map_err(|source| CliError::read("the audit log", source))?;
        let fitting: Vec<Event> = new.into_iter().filter(|event| fits(query, event)).collect();
        tell(&fitting, session, briefs, app)?;
    }
}

/// Waits for so long, or until whoever reads what is told has gone, which is the answer.
#[cfg(unix)]
fn is_hung_up_within(time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut ends = [PollFd::new(&out, PollFlags::empty())];
    let timeout = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
    match poll(&mut ends, Some(&timeout)) {
        // Nothing was asked for, so that only the end of the other side is told.
        Ok(count) => count > 0 && ends[0].revents().intersects(PollFlags::HUP | PollFlags::ERR),
        Err(_) => {
            std::thread::sleep(time);
            false
        }
    }
}

/// Waits for so long; that nobody reads any more is noticed at the next event.
#[cfg(not(unix))]
fn is_hung_up_within(time: Duration) -> bool {
    std::thread::sleep(time);
    false
}

fn fits(query: &LogQuery, event: &Event) -> bool {
    let place = event.namespace.as_ref().map_or(query.scope == Scope::All, |own| query.scope.contains(own));
    place
        && (query.kinds.is_empty() || query.kinds.contains(&event.what.kind()))
        && query.since.is_none_or(|since| event.at >= since)
}

fn tell(events: &[Event], session: &Session, briefs: &mut Briefs, app: &mut App) -> Result<(), CliError> {
    if app.out.json {
        return events.iter().try_for_each(|event| app.out.json_line(event));
    }
    // What a memory says is looked up anew for each batch: it may have been purged since the last one.
    *briefs = Briefs::of(&session.engine, &Scope::All, events.iter().flat_map(event::mentioned))?;
    events.iter().try_for_each(|event| app.out.event(event, briefs))
}
