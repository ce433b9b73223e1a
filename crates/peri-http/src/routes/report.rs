//! Reports: what happened on a day or over several, in numbers.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{
    Counts, Failed, NamespaceStats, Perihelion, RecallTimes, Report, ReportQuery, ReportedDisk, Scope,
    SlowRecall, Timestamp, TurnedAway,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Ten years.
const DAYS_MAX: u16 = 3660;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/report", "report", report)
            .says(
                "What happened on a day or over several, and what is held now: of the key's namespaces alone",
            )
            .asks::<ReportAsked>()
            .gives::<DaysTold>(),
    ]
}

/// Which days, and of which namespaces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportAsked {
    /// The last day, in the server's time zone; today when left out.
    #[schemars(with = "Option<crate::routes::Day>")]
    date: Option<String>,
    /// So many days up to that one; 1 when left out.
    #[schemars(range(min = 1, max = 3660))]
    days: Option<u16>,
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// What happened in some days, and what is held now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct DaysTold {
    /// The first day.
    #[schemars(with = "crate::routes::Day")]
    first_day: String,
    /// The last day.
    #[schemars(with = "crate::routes::Day")]
    last_day: String,
    /// The time zone in which these are days.
    time_zone: String,
    /// When the first day begins.
    from: Timestamp,
    /// When the last day ends.
    until: Timestamp,
    /// When this was counted.
    written_at: Timestamp,
    /// Where it was looked.
    scope: Scope,
    /// Whether every event of these days, up to now, is known to be counted.
    complete: bool,
    /// What happened.
    counts: Counts,
    /// How long recalls took, if any was measured.
    recall_times: Option<RecallTimes>,
    /// The slowest recalls, the slowest first.
    slowest_recalls: Vec<SlowRecall>,
    /// What should have worked and did not, the most frequent first.
    failures: Vec<Failed>,
    /// Who was turned away, the most frequent first.
    refusals: Vec<TurnedAway>,
    /// What each namespace holds now.
    namespaces: Vec<NamespaceStats>,
    /// The store as a whole, for keys that open all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<StoreTold>,
}

/// The store as a whole and its audit log.
#[derive(Debug, Serialize, JsonSchema)]
struct StoreTold {
    /// Why not every event is known to be counted, and what else somebody should know.
    notes: Vec<String>,
    /// What is taken on the disk now.
    disk: ReportedDisk,
    /// Events that wait for the audit log now.
    events_waiting: u64,
    /// Events that were lost since the store was made, because the audit log could not be written for too long.
    events_lost: u64,
}

async fn report(visit: Visit, Query(asked): Query<ReportAsked>) -> Result<Json<DaysTold>, Problem> {
    let scope = visit.scope(asked.scope)?;
    let days = asked.days.unwrap_or(1);
    if !(1..=DAYS_MAX).contains(&days) {
        return Err(Problem::invalid(format!("`days`: {days} is not between 1 and {DAYS_MAX}")));
    }
    // How large the whole is tells of others.
    let whole = visit.caller.scope == Scope::All;
    let report = visit.work(move |engine| {
        let query = query(engine, asked.date.as_deref(), days, scope)?;
        Ok(engine.report(&query)?)
    });
    Ok(Json(told(report.await?, whole)))
}

fn query(engine: &Perihelion, date: Option<&str>, days: u16, scope: Scope) -> Result<ReportQuery, Problem> {
    let today = engine.today();
    let mut last_day = today;
    if let Some(text) = date {
        let no_day = || Problem::invalid(format!("`date`: {text:?} is not a day; write it as {today}"));
        last_day = text.parse().map_err(|_| no_day())?;
        // A day can be written in other ways too, and with a time, which would be passed over.
        if last_day.to_string() != text {
            return Err(no_day());
        }
    }
    if last_day > today {
        return Err(Problem::invalid(format!("`date`: {last_day} has not begun; it is {today}")));
    }
    let first_day = (1..days).try_fold(last_day, |day, _| day.yesterday());
    let first_day = first_day
        .map_err(|_| Problem::invalid(format!("`days`: {days} days before {last_day} is no date")))?;
    Ok(ReportQuery { first_day, last_day, scope })
}

fn told(report: Report, whole: bool) -> DaysTold {
    let Report { disk, events_waiting, events_lost, notes, .. } = report;
    DaysTold {
        first_day: report.first_day.to_string(),
        last_day: report.last_day.to_string(),
        time_zone: report.time_zone,
        from: report.from,
        until: report.until,
        written_at: report.written_at,
        scope: report.scope,
        complete: report.complete,
        counts: report.counts,
        recall_times: report.recall_times,
        slowest_recalls: report.slowest_recalls,
        failures: report.failures,
        refusals: report.refusals,
        namespaces: report.namespaces,
        store: whole.then_some(StoreTold { notes, disk, events_waiting, events_lost }),
    }
}
