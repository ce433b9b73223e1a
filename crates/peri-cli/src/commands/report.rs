//! `peri report`: what happened on a day or over several, and how things stand.

use jiff::ToSpan as _;
use jiff::civil::Date;
use perihelion::{Perihelion, ReportQuery, Scope};
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::time;

/// Which days.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Days are those of the setting time_zone. Programs that stay write a report of each day to logs/memory in the data folder: see [reports] in `peri config defaults`.\n\nExamples:\n  peri report --date yesterday\n  peri report --days 7 --json"
)]
pub(crate) struct Args {
    /// The last day: 2026-11-15, yesterday, last tuesday, 어제 or 昨天
    #[arg(long, value_name = "DAY", default_value = "today", value_parser = time::one_day)]
    date: Date,
    /// So many days up to that one
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=3660))]
    days: u16,
    /// Write a file for each of these days instead of showing them, as is done once a day has ended
    #[arg(long)]
    write: bool,
}

/// Runs the command, over every namespace unless one is named.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    if args.write && scope != Scope::All {
        let hint = "leave --namespace out, or redirect what is shown; nothing was written";
        return Err(CliError::input("a report that is written is of every namespace", hint));
    }
    let session = app.open()?;
    let days = days(&args, session.engine.today())?;
    match args.write {
        true => write(&days, &session.engine, app)?,
        false => show(&days, scope, &session.engine, app)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// The days, in order.
fn days(args: &Args, today: Date) -> Result<Vec<Date>, CliError> {
    let last = args.date;
    if last > today {
        let hint = format!("it is {today} in the time zone of the settings");
        return Err(CliError::input(format!("{last} has not begun"), hint));
    }
    let back = (0..i64::from(args.days)).rev();
    Ok(back.filter_map(|days| last.checked_sub(days.days()).ok()).collect())
}

fn show(days: &[Date], scope: Scope, engine: &Perihelion, app: &mut App) -> Result<(), CliError> {
    let [first_day, .., last_day] = *days else {
        return days.first().map_or(Ok(()), |day| show(&[*day, *day], scope, engine, app));
    };
    let report = engine.report(&ReportQuery { first_day, last_day, scope })?;
    if app.out.json {
        return app.out.document(&report);
    }
    let page = app.out.clean(&report.to_markdown());
    app.out.line(page.trim_end())
}

fn write(days: &[Date], engine: &Perihelion, app: &mut App) -> Result<(), CliError> {
    let mut files = Vec::new();
    for day in days {
        files.push(engine.write_report(*day)?);
    }
    if app.out.json {
        return app.out.document(&json!({ "written": files }));
    }
    files.iter().try_for_each(|file| app.out.line(&file.display().to_string()))
}
