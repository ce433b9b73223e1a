//! Document: the report of the day, and a page of the vault for each topic.

use std::collections::BTreeSet;

use peri_vault::{Key, Put, Sync, Vault};
use perihelion::Scope;
use serde_json::json;

use super::topics::{self, Topic};
use crate::job::{Findings, Job, Trouble};

/// How the pages are called: among the documents that are read and never recalled, since what they hold is.
const PREFIX: &str = "md/topic-";

/// Says whose pages these are: nobody else's are touched.
const MARK: &str = "written-by: perihelion";

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let report = job.engine.write_report(job.engine.today())?;
    let name = report.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut findings = Findings::new(format!("the report {name} is written")).figure("report", name);
    let Some(vault) = job.vault.filter(|vault| vault.exists()) else {
        findings.summary.push_str("; there is no vault for pages of topics");
        return Ok(findings);
    };
    let scope = Scope::Exact(vault.namespace().clone());
    let topics = topics::topics(job, &scope)?;
    let (mut changed, mut names) = (0, BTreeSet::new());
    for topic in &topics {
        job.breathe()?;
        let name = file_name(&topic.name);
        if !names.insert(name.clone()) {
            continue;
        }
        changed += usize::from(write(job, vault, &name, topic)? != Put::Unchanged);
    }
    let gone = remove_others(job, vault, &names)?;
    if let Err(error) = vault.sync(job.engine).map(|synced| matches!(synced, Sync::Done(_))) {
        return Err(Trouble::Failed(format!(
            "the pages are written, and the vault cannot be synced: {error}"
        )));
    }
    findings.summary.push_str(&format!("; {} pages of topics, {changed} changed, {gone} gone", names.len()));
    findings.state = json!({ "pages": names });
    Ok(findings.figure("pages", names.len()).figure("changed", changed).figure("gone", gone))
}

fn failed(error: impl std::fmt::Display) -> Trouble {
    Trouble::Failed(error.to_string())
}

fn key(name: &str) -> Result<Key, Trouble> {
    Key::parse(&format!("{PREFIX}{name}")).map_err(failed)
}

/// Writes the page of a topic. One that somebody else wrote under its name stays as it is.
fn write(job: &Job<'_>, vault: &Vault, name: &str, topic: &Topic) -> Result<Put, Trouble> {
    let key = key(name)?;
    if vault.get(&key).is_ok_and(|page| !page.text.contains(MARK)) {
        return Ok(Put::Unchanged);
    }
    let mut page =
        format!("---\n{MARK}\n---\n# {}\n\n{} memories are about this.\n\n", topic.name, topic.size);
    for id in &topic.ids {
        let Ok(memory) = job.engine.get(&Scope::Exact(topic.namespace.clone()), *id) else { continue };
        let day = memory.at().strftime("%Y-%m-%d");
        let text = memory.content.trim().replace('\n', "\n  ");
        page.push_str(&format!("- {text} ({day}, `{id}`)\n"));
    }
    vault.put(&key, &page).map_err(failed)
}

/// Takes away the pages of topics that are no more; how many.
fn remove_others(job: &Job<'_>, vault: &Vault, kept: &BTreeSet<String>) -> Result<usize, Trouble> {
    let earlier =
        job.left_behind().get("pages").and_then(|pages| pages.as_array().cloned()).unwrap_or_default();
    let mut gone = 0;
    for name in earlier.iter().filter_map(|name| name.as_str()).filter(|name| !kept.contains(*name)) {
        let key = key(name)?;
        if vault.get(&key).is_ok_and(|page| page.text.contains(MARK)) {
            vault.delete(&key).map_err(failed)?;
            gone += 1;
        }
    }
    Ok(gone)
}

/// A name that every system takes for a file.
fn file_name(topic: &str) -> String {
    const CHARS: usize = 60;
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let name: String = topic.chars().take(CHARS).map(plain).collect();
    let name: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    if name.is_empty() { "topic".to_owned() } else { name.join("-") }
}
