//! Deepdive: what the memories are about, and who depends on whom in the workspace.

use serde_json::json;

use super::{memories, topics};
use crate::job::{Findings, Job, Trouble};

/// So many files are named that most others depend on.
const MOST_USED: usize = 10;

/// So many circles are named.
const CYCLES: usize = 10;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let topics = topics::topics(job, job.scope)?;
    let named: Vec<String> =
        topics.iter().take(3).map(|topic| format!("“{}” ({})", topic.name, topic.size)).collect();
    let about = match named.is_empty() {
        true => "no topic stands out among the memories".to_owned(),
        false => format!("{} topics, the largest are {}", topics.len(), named.join(", ")),
    };
    let mut findings = Findings::new(about).figure("topics", topics.len());
    findings.state = json!({ "topics": topics });
    let Some(workspace) = memories::workspace(job)? else { return Ok(findings) };
    let map = workspace.map(job.go_on);
    let picture = workspace.dependencies(&map, job.go_on);
    job.check()?;
    let most_used: Vec<_> = picture
        .most_used(MOST_USED)
        .into_iter()
        .map(|file| json!({ "path": file.path, "used_by": file.fan_in, "uses": file.fan_out }))
        .collect();
    let cycles: Vec<_> = picture.cycles.iter().take(CYCLES).map(|cycle| cycle.shortest.clone()).collect();
    findings.summary.push_str(&format!(
        "; {} files, {} dependencies and {} circles in the workspace",
        picture.files.len(),
        picture.edges.len(),
        picture.cycles.len()
    ));
    Ok(findings
        .figure("files", picture.files.len())
        .figure("dependencies", picture.edges.len())
        .figure("cycles", picture.cycles.len())
        .figure("packages", picture.packages.len())
        .figure("most_used", most_used)
        .figure("shortest_cycles", json!(cycles))
        .figure("orphans", picture.orphans.len()))
}
