//! What a run came to, as tables and as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::Plan;
use super::account::{Account, Counts};
use super::resident::{Part, Resident};
use crate::Outcome;
use crate::speed::figures::Latency;
use crate::speed::machine;

/// What a run came to.
#[derive(Serialize)]
pub(crate) struct Report {
    machine: String,
    seconds: f64,
    threads: usize,
    processes: usize,
    operations: Vec<Operation>,
    calls_per_s: f64,
    refused: BTreeMap<String, u64>,
    /// Episodes and long-term memories that were acknowledged, each once.
    pub(crate) acknowledged: usize,
    events: BTreeMap<String, u64>,
    resident: Vec<Part>,
    database_mb: f64,
    /// What was wrong.
    pub(crate) violations: Vec<String>,
}

/// How long the calls of one operation took.
#[derive(Serialize)]
struct Operation {
    name: String,
    calls: usize,
    per_s: f64,
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
}

impl Report {
    pub(super) fn new(
        plan: &Plan,
        time: Duration,
        account: Account,
        events: Counts,
        resident: Resident,
        database_bytes: u64,
    ) -> Self {
        let seconds = time.as_secs_f64().max(f64::MIN_POSITIVE);
        let operations: Vec<Operation> = account
            .micros
            .into_iter()
            .map(|(name, micros)| {
                let calls = micros.len();
                let latency = Latency::of(micros);
                let [p50_ms, p95_ms, p99_ms] = [latency.p50, latency.p95, latency.p99].map(|us| us / 1000.0);
                Operation { name, calls, per_s: calls as f64 / seconds, p50_ms, p95_ms, p99_ms }
            })
            .collect();
        let calls: usize = operations.iter().map(|operation| operation.calls).sum();
        Self {
            machine: machine::describe(),
            seconds,
            threads: plan.threads.max(1),
            processes: plan.processes,
            operations,
            calls_per_s: calls as f64 / seconds,
            refused: account.refused,
            acknowledged: account.kept.len(),
            events: events.into_iter().collect(),
            resident: resident.parts(),
            database_mb: database_bytes as f64 / 1e6,
            violations: account.violations,
        }
    }

    pub(super) fn print(&self, json: bool) -> Outcome<()> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        println!("{}", self.machine);
        println!(
            "{:.0} s, {} threads, {} further processes, {:.0} calls/s, {} memories acknowledged, database {:.1} MB\n",
            self.seconds, self.threads, self.processes, self.calls_per_s, self.acknowledged, self.database_mb
        );
        println!(
            "{:<28} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "operation", "calls", "/s", "p50 ms", "p95 ms", "p99 ms"
        );
        for one in &self.operations {
            let (calls, rate) = (one.calls, one.per_s);
            println!(
                "{:<28} {calls:>8} {rate:>8.1} {:>8.2} {:>8.2} {:>8.2}",
                one.name, one.p50_ms, one.p95_ms, one.p99_ms
            );
        }
        println!("\nrefused because something else came first");
        self.refused.iter().for_each(|(what, count)| println!("{count:>8}  {what}"));
        println!("\nevents");
        self.events.iter().for_each(|(what, count)| println!("{count:>8}  {what}"));
        println!("\nresident memory by tenths of the run, MB: least, middle, largest");
        for part in &self.resident {
            println!("{:>8.1} {:>8.1} {:>8.1}", part.least_mb, part.middle_mb, part.largest_mb);
        }
        println!("\n{} violations", self.violations.len());
        self.violations.iter().for_each(|what| println!("  {what}"));
        Ok(())
    }
}
