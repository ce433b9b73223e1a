//! Testgaps: files that no test mentions, and memories that nobody has ever checked by using them.

use std::collections::BTreeMap;
use std::time::Duration;

use perihelion::{Importance, Kind, Memory, Namespace, Severity, Timestamp};
use serde_json::json;

use super::memories::{alert, each, file_alert, workspace};
use crate::job::{Findings, Job, Trouble};

/// A memory has so long to be used.
const UNUSED_FOR: Duration = Duration::from_secs(14 * 24 * 3600);

/// Only what matters at least so much should have been used.
const MATTERS: f32 = 0.6;

/// So many gaps of a workspace are told.
const GAPS_TOLD: usize = 10;

/// So many of the latest commits are looked at.
const COMMITS: usize = 200;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let before = job.engine.now().checked_sub(UNUSED_FOR).unwrap_or(Timestamp::MIN);
    let mut candidates: Vec<Memory> = Vec::new();
    let mut claims = 0;
    each(job, job.scope, |memory| {
        if !is_claim(&memory) {
            return;
        }
        claims += 1;
        if memory.created_at < before && memory.importance.value() >= MATTERS {
            candidates.push(memory);
        }
    })?;
    let mut unverified: BTreeMap<Namespace, Vec<Memory>> = BTreeMap::new();
    for memory in candidates {
        job.breathe()?;
        if job.engine.usage(&memory.namespace, memory.id)?.is_none() {
            unverified.entry(memory.namespace.clone()).or_default().push(memory);
        }
    }
    let count: usize = unverified.values().map(Vec::len).sum();
    let mut findings = Findings::new(format!("{count} important claims of {claims} were never recalled"))
        .figure("claims", claims)
        .figure("unverified", count);
    for (namespace, memories) in unverified {
        let mut memories = memories;
        memories.sort_by(|a, b| b.importance.value().total_cmp(&a.importance.value()).then(a.id.cmp(&b.id)));
        let message =
            format!("{} claims that matter were never recalled; are they still true?", memories.len());
        let mark = format!("unverified.{namespace}");
        let ids = memories.iter().map(|memory| memory.id);
        findings.alerts.push(alert(mark, Severity::Info, &namespace, message, ids));
    }
    gaps(job, findings)
}

/// Whether a memory claims something that could be false.
fn is_claim(memory: &Memory) -> bool {
    let claims = matches!(memory.kind, Kind::Fact | Kind::Decision | Kind::Procedure | Kind::Preference);
    claims && memory.importance.value() >= Importance::default().value()
}

fn gaps(job: &Job<'_>, mut findings: Findings) -> Result<Findings, Trouble> {
    let Some(workspace) = workspace(job)? else { return Ok(findings) };
    let map = workspace.map(job.go_on);
    let dependencies = workspace.dependencies(&map, job.go_on);
    // Without git nobody knows what changes often.
    let counts = workspace.change_counts(COMMITS, job.go_on).unwrap_or_default();
    let found = workspace.test_gaps(&map, &dependencies, &counts, job.go_on);
    job.check()?;
    for gap in found.gaps.iter().take(GAPS_TOLD) {
        let names: Vec<&str> = gap.unmentioned.iter().take(5).map(|symbol| symbol.name.as_str()).collect();
        let message = match gap.extent {
            peri_workspace::GapExtent::WholeFile => {
                format!("no test mentions any of its {} lines; {} files use it", gap.lines, gap.fan_in)
            }
            peri_workspace::GapExtent::SomeNames => {
                format!(
                    "no test mentions {} of its {} public names: {}",
                    gap.unmentioned_count,
                    gap.public_count,
                    names.join(", ")
                )
            }
        };
        findings.alerts.push(file_alert(format!("gap.{}", gap.path), Severity::Info, message, &gap.path));
    }
    let all = found.mentioned_files + found.unmentioned_files;
    findings
        .summary
        .push_str(&format!("; no test mentions {} of {all} files of the workspace", found.unmentioned_files));
    Ok(findings
        .figure("mentioned_files", found.mentioned_files)
        .figure("unmentioned_files", found.unmentioned_files)
        .figure("gaps", json!(found.gaps.len())))
}
