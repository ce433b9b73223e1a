//! Backups as they are told.

use peri_backup::Manifest;
use serde_json::{Value, json};

use super::{Place, open};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, counted};

/// Shows the backups there are.
pub(super) fn list(place: &Place, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let backups = open(place.from.as_deref(), &loaded)?;
    let listed = backups.list()?;
    if app.out.json {
        let told = listed.iter().map(|(name, manifest)| match manifest {
            Ok(manifest) => document(manifest, &backups.place()),
            Err(error) => json!({ "name": name, "damaged": error.to_string() }),
        });
        let told = told.collect::<Vec<_>>();
        app.out.document(&json!({ "place": backups.place(), "backups": told }))?;
        return Ok(Exit::Done);
    }
    for (name, manifest) in &listed {
        let line = match manifest {
            Ok(manifest) => format!(
                "{name}  {}, {} in the trash, {}",
                counted(manifest.counts.memories, "memory", "memories"),
                manifest.counts.trashed,
                size(manifest.stored_bytes())
            ),
            Err(error) => {
                format!("{name}  {} {}", app.out.paint(BAD, "damaged:"), app.out.clean(&error.to_string()))
            }
        };
        app.out.line(&line)?;
    }
    if listed.is_empty() {
        app.out.line(&format!("there is no backup in {}", backups.place()))?;
        app.out.hint("`peri backup create` makes one")?;
    }
    Ok(Exit::Done)
}

/// A backup as JSON: what it is called, of when, and what it holds.
pub(super) fn document(manifest: &Manifest, place: &str) -> Value {
    json!({
        "name": manifest.name,
        "place": place,
        "created_at": manifest.created_at,
        "version": manifest.version,
        "change": manifest.change,
        "identity": manifest.identity,
        "counts": manifest.counts,
        "files": manifest.files.len(),
        "bytes": manifest.bytes(),
        "stored_bytes": manifest.stored_bytes(),
    })
}

/// A number of bytes for a person.
pub(super) fn size(bytes: u64) -> String {
    indicatif::DecimalBytes(bytes).to_string()
}
