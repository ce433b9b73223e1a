//! Refactor: what is said or written twice, and what cannot be true at once.

use std::collections::{BTreeMap, HashMap};

use perihelion::{EdgeType, Memory, MemoryId, Namespace, Severity};
use serde_json::json;

use super::memories::{alert, begin, each, file_alert, workspace};
use crate::job::{Findings, Job, Trouble};

/// Memories whose link is at least so strong say nearly the same.
const SAME: f32 = 0.9;

/// So many pairs are told one by one.
const TOLD: usize = 20;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let mut all: BTreeMap<Namespace, HashMap<MemoryId, Memory>> = BTreeMap::new();
    each(job, job.scope, |memory| {
        all.entry(memory.namespace.clone()).or_default().insert(memory.id, memory);
    })?;
    let mut findings = Findings::new(String::new());
    let (mut contradictions, mut duplicates) = (0, 0);
    for (namespace, memories) in &all {
        let mut ids: Vec<&MemoryId> = memories.keys().collect();
        ids.sort();
        for id in ids {
            job.breathe()?;
            for edge in job.engine.edges(&perihelion::Scope::Exact(namespace.clone()), *id)? {
                // Each link is met from both of its ends.
                let (Some(one), Some(other)) = (memories.get(&edge.source), memories.get(&edge.target))
                else {
                    continue;
                };
                if edge.source != *id {
                    continue;
                }
                let pair = format!("{}.{}", edge.source, edge.target);
                let both = [edge.source, edge.target];
                if edge.edge_type == EdgeType::Contradicts {
                    contradictions += 1;
                    let message = format!(
                        "“{}” and “{}” cannot both be true",
                        begin(&one.content),
                        begin(&other.content)
                    );
                    let own =
                        alert(format!("contradiction.{pair}"), Severity::Warning, namespace, message, both);
                    add(&mut findings, contradictions, own);
                } else if edge.edge_type == EdgeType::RelatedTo
                    && edge.weight >= SAME
                    && is_plain(one)
                    && is_plain(other)
                {
                    duplicates += 1;
                    let message = format!(
                        "“{}” and “{}” say nearly the same",
                        begin(&one.content),
                        begin(&other.content)
                    );
                    let own = alert(format!("duplicate.{pair}"), Severity::Info, namespace, message, both);
                    add(&mut findings, duplicates, own);
                }
            }
        }
    }
    findings.summary =
        format!("{contradictions} contradictions and {duplicates} near-duplicates among the memories");
    let findings = findings.figure("contradictions", contradictions).figure("duplicates", duplicates);
    repeated_code(job, findings)
}

/// What was said in a conversation is not a statement that stands for itself.
fn is_plain(memory: &Memory) -> bool {
    memory.facets.session.is_none() && !memory.is_kept()
}

fn add(findings: &mut Findings, count: usize, own: perihelion::NewAlert) {
    if count <= TOLD {
        findings.alerts.push(own);
    }
}

fn repeated_code(job: &Job<'_>, mut findings: Findings) -> Result<Findings, Trouble> {
    let Some(workspace) = workspace(job)? else { return Ok(findings) };
    let found = workspace.duplicates(&peri_workspace::DuplicateLimits::default(), job.go_on);
    job.check()?;
    for one in found.listed.iter().take(TOLD) {
        let Some(first) = one.places.first() else { continue };
        let others: Vec<String> = one.places[1..]
            .iter()
            .take(3)
            .map(|place| format!("{}:{}", place.path, place.first_line))
            .collect();
        let digest = blake3::hash(format!("{:?}", one.places).as_bytes()).to_hex();
        let message = format!("{} lines stand again at {}", one.lines, others.join(", "));
        findings.alerts.push(file_alert(
            format!("code.{}", &digest[..16]),
            Severity::Info,
            message,
            &first.path,
        ));
    }
    findings.summary.push_str(&format!(
        "; {} pieces of code stand more than once, {} lines could go",
        found.listed.len() + found.unlisted,
        found.spare_lines
    ));
    Ok(findings
        .figure("repeated_code", found.listed.len() + found.unlisted)
        .figure("spare_lines", json!(found.spare_lines)))
}
