//! Whether the data folder is private and the store is sound.

use std::time::Duration;

use perihelion::{NewAlert, Severity, Timestamp, Verdict};

use super::super::memories::file_alert;
use crate::job::{Job, Trigger, Trouble};

/// The store is read as a whole so often, and whenever somebody asks for an audit.
const WHOLE_EVERY: Duration = Duration::from_secs(24 * 3600);

/// What was found.
pub(super) struct Folder {
    pub(super) summary: String,
    pub(super) alerts: Vec<NewAlert>,
    /// When the store was last read as a whole.
    pub(super) checked_at: Option<Timestamp>,
}

pub(super) fn check(job: &Job<'_>) -> Result<Folder, Trouble> {
    let mut alerts = open_to_others(job);
    let last = job.left_behind().get("checked_at").and_then(|at| at.as_str()?.parse::<Timestamp>().ok());
    let now = job.engine.now();
    let is_due = last.and_then(|last| last.checked_add(WHOLE_EVERY).ok()).is_none_or(|due| due <= now);
    if !is_due && job.trigger == Trigger::Timer {
        let summary = format!("{} things about the data folder", alerts.len());
        return Ok(Folder { summary, alerts, checked_at: last });
    }
    job.check()?;
    let checks = job.engine.inspect();
    for check in checks.iter().filter(|check| check.verdict != Verdict::Ok) {
        let severity = if check.verdict == Verdict::Failed { Severity::Critical } else { Severity::Warning };
        let remedy = check.remedy.as_deref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        alerts.push(NewAlert {
            mark: format!("check.{}", check.name),
            namespace: None,
            severity,
            message: format!("{}: {}{remedy}", check.name, check.detail),
            ids: Vec::new(),
            file: None,
        });
    }
    let summary = format!("{} checks of the store, {} things to look at", checks.len(), alerts.len());
    Ok(Folder { summary, alerts, checked_at: Some(now) })
}

/// Files of the data folder that others on this machine may read or change.
#[cfg(unix)]
fn open_to_others(job: &Job<'_>) -> Vec<NewAlert> {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = job.engine.folder();
    let mode = |path: &std::path::Path| std::fs::metadata(path).ok().map(|found| found.permissions().mode());
    let mut alerts = Vec::new();
    // Whoever cannot enter the folder reaches nothing in it.
    let enters = mode(folder).is_some_and(|mode| mode & 0o001 != 0);
    if mode(folder).is_some_and(|mode| mode & 0o002 != 0) {
        let message = "anybody on this machine may change the data folder; `chmod 700` it".to_owned();
        alerts.push(file_alert("folder.writable".to_owned(), Severity::Critical, message, "."));
    }
    for name in ["perihelion.db", "perihelion.toml", "logs", "notes", "queue", "backups", "vault"] {
        let Some(mode) = mode(&folder.join(name)).filter(|_| enters) else { continue };
        if mode & 0o002 != 0 {
            let message = format!("anybody on this machine may change {name}; `chmod 700` the data folder");
            alerts.push(file_alert(format!("writable.{name}"), Severity::Critical, message, name));
        } else if mode & 0o004 != 0 {
            let message = format!("anybody on this machine may read {name}; `chmod 700` the data folder");
            alerts.push(file_alert(format!("readable.{name}"), Severity::Warning, message, name));
        }
    }
    alerts
}

#[cfg(not(unix))]
fn open_to_others(_: &Job<'_>) -> Vec<NewAlert> {
    Vec::new()
}
