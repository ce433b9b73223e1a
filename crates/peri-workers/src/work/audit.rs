//! Audit: secrets that were kept, memories that give orders, and whether the data folder is sound and private.

mod folder;

use std::collections::BTreeMap;

use peri_workspace::{Certainty, SecretAllowances};
use perihelion::{Memory, MemoryId, Namespace, NewAlert, Severity};
use serde_json::json;

use super::memories::{IDS_NAMED, alert, each, file_alert, workspace};
use crate::job::{Findings, Job, Trouble};

/// So many places of the workspace are told one by one.
const PLACES_TOLD: usize = 50;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let mut looked = 0_u64;
    let (mut secrets, mut orders): (Places, Places) = (BTreeMap::new(), BTreeMap::new());
    each(job, job.scope, |memory| {
        looked += 1;
        if holds_secret(job, &memory) {
            secrets.entry(memory.namespace.clone()).or_default().push(memory.id);
        }
        if peri_text::gives_orders(&memory.content) {
            orders.entry(memory.namespace.clone()).or_default().push(memory.id);
        }
    })?;
    let count = |places: &Places| places.values().map(Vec::len).sum::<usize>();
    let mut findings = Findings::new(format!(
        "{looked} memories: {} hold secrets, {} read like orders to an agent",
        count(&secrets),
        count(&orders)
    ))
    .figure("memories", looked)
    .figure("secrets", count(&secrets))
    .figure("orders", count(&orders));
    findings.alerts.extend(told(&secrets, "secret", Severity::Critical, |count| {
        format!("{count} memories hold a secret; revise or purge them, and change the secret")
    }));
    findings.alerts.extend(told(&orders, "orders", Severity::Warning, |count| {
        format!("{count} memories read like orders to an agent; look whether somebody planted them")
    }));
    let folder = folder::check(job)?;
    findings.summary.push_str(&format!("; {}", folder.summary));
    findings.alerts.extend(folder.alerts);
    findings.state = json!({ "checked_at": folder.checked_at });
    workspace_secrets(job, findings)
}

type Places = BTreeMap<Namespace, Vec<MemoryId>>;

/// Whether redaction would take something out of it now.
fn holds_secret(job: &Job<'_>, memory: &Memory) -> bool {
    peri_text::redact(&memory.content).found.iter().any(|finding| finding.count > 0)
        || memory.facets.metadata.values().any(|value| match value.as_str() {
            Some(text) => job.engine.redacted(text) != text,
            None => false,
        })
}

fn told(places: &Places, mark: &str, severity: Severity, say: impl Fn(usize) -> String) -> Vec<NewAlert> {
    let one = |(namespace, ids): (&Namespace, &Vec<MemoryId>)| {
        let message = match ids.len() {
            count if count > IDS_NAMED => format!("{} (the first {IDS_NAMED} are named)", say(count)),
            count => say(count),
        };
        // Others that are found later are news.
        let digest = blake3::hash(format!("{ids:?}").as_bytes()).to_hex();
        alert(format!("{mark}.{}", &digest[..16]), severity, namespace, message, ids.iter().copied())
    };
    places.iter().map(one).collect()
}

fn workspace_secrets(job: &Job<'_>, mut findings: Findings) -> Result<Findings, Trouble> {
    let Some(workspace) = workspace(job)? else { return Ok(findings) };
    let found = workspace.secrets(&SecretAllowances::default(), job.go_on);
    job.check()?;
    for place in found.found.iter().take(PLACES_TOLD) {
        let severity = match place.certainty {
            Certainty::Likely => Severity::Critical,
            Certainty::Possible => Severity::Info,
        };
        let message = format!("line {} holds a secret ({}, {})", place.line, place.kind, place.hint);
        let mark = format!("file.{}.{}", place.kind, place.path);
        findings.alerts.push(file_alert(mark, severity, message, &place.path));
    }
    for hazard in found.hazards.iter().take(PLACES_TOLD) {
        let message = match hazard.kind {
            peri_workspace::HazardKind::TrackedEnvironment => {
                "settings with secrets are part of the repository"
            }
            peri_workspace::HazardKind::UnignoredEnvironment => {
                "settings with secrets are not ignored by git"
            }
            peri_workspace::HazardKind::KeyFile => "a file of private keys lies in the workspace",
            peri_workspace::HazardKind::WorldWritable => "anybody on this machine may change it",
        };
        let mark = format!("hazard.{:?}.{}", hazard.kind, hazard.path);
        findings.alerts.push(file_alert(mark, Severity::Warning, message.to_owned(), &hazard.path));
    }
    findings.summary.push_str(&format!(
        "; {} secrets and {} hazards in the workspace",
        found.found.len(),
        found.hazards.len()
    ));
    Ok(findings.figure("workspace_secrets", found.found.len()).figure("hazards", found.hazards.len()))
}
