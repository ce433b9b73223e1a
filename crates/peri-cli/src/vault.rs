//! Keeping the vault in step while other commands work.

use std::sync::Arc;

use peri_vault::{Follower, Sync, Synced, Vault};
use perihelion::Perihelion;

use crate::app::Session;
use crate::config::VaultSettings;
use crate::error::CliError;
use crate::output::Output;

impl Session {
    /// Brings the vault into step, if there is one, so that an answer knows of every edit. Trouble with it does not keep
    /// anybody from an answer; it is told.
    pub(crate) fn sync_vault(&self, out: &mut Output) -> Result<(), CliError> {
        let Some(vault) = self.config.vault.followed() else { return Ok(()) };
        if self.config.vault.is_on() && !vault.exists() && !self.engine.is_read_only() {
            vault.create()?;
        }
        if !vault.exists() {
            return Ok(());
        }
        match vault.sync(&self.engine) {
            Ok(Sync::Done(synced)) => tell_conflicts(&synced, out),
            Ok(Sync::HeldElsewhere | Sync::ReadOnly) => Ok(()),
            Err(error) => {
                let causes = CliError::from(error);
                let mut told = format!("the vault is not in step with the memories: {causes}");
                for cause in causes.causes() {
                    told.push_str(&format!(": {cause}"));
                }
                out.warning(&told)?;
                causes.hint().map_or(Ok(()), |hint| out.hint(&hint))
            }
        }
    }
}

/// Tells of documents that were changed on both sides.
pub(crate) fn tell_conflicts(synced: &Synced, out: &mut Output) -> Result<(), CliError> {
    for conflict in &synced.conflicts {
        out.warning(&format!(
            "{} was changed as a file and as a memory; the file stands, the other version is kept as {}",
            out.clean(&conflict.key.to_string()),
            out.clean(&conflict.kept.to_string()),
        ))?;
    }
    Ok(())
}

/// Follows the vault of a program that stays. The engine may still be opening.
pub(crate) fn follow(
    settings: &VaultSettings,
    engine: impl FnOnce() -> Option<Arc<Perihelion>> + Send + 'static,
) -> Option<Follower> {
    let vault: Vault = settings.named()?;
    if settings.is_on()
        && !vault.exists()
        && let Err(error) = vault.create()
    {
        tracing::warn!(%error, "the vault's folder cannot be made");
    }
    match Follower::start(vault, engine, Box::new(log)) {
        Ok(follower) => Some(follower),
        Err(error) => {
            tracing::warn!(%error, "no thread for the vault, so edits are seen by commands alone");
            None
        }
    }
}

fn log(synced: &Synced) {
    for conflict in &synced.conflicts {
        tracing::warn!(document = %conflict.key, kept_as = %conflict.kept, "a document was changed on both sides; both versions are kept");
    }
    tracing::info!(
        added = synced.added.len(),
        changed = synced.changed.len(),
        renamed = synced.renamed.len(),
        deleted = synced.deleted.len(),
        rewritten = synced.rewritten.len(),
        conflicts = synced.conflicts.len(),
        "the vault is in step"
    );
}
