//! `peri backup restore`.

use std::path::PathBuf;

use peri_backup::{BackupError, BackupName, Backups, Loss, Overwrite, Restore, Restored, SafetyBackup};
use perihelion::Perihelion;

use super::{Place, open, progress, vault};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, counted};
use crate::{confirm, home};

/// The settings in a data folder.
const SETTINGS: &str = "perihelion.toml";

/// What to restore, and where.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Programs that have the folder open go on and see what was restored at their next call.\n\
    What has lain in a backup for a year is not too old or idle when it comes back: its time begins anew.\n\n\
    Examples:\n  peri backup restore latest --to /somewhere/new\n  peri backup restore latest --overwrite"
)]
pub(super) struct RestoreArgs {
    /// The backup's name, or latest
    name: String,
    /// The data folder to restore into, which may be new [default: the one in use]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Replace what is here although the backup does not hold it
    #[arg(long)]
    overwrite: bool,
    /// Do not back up what is replaced
    #[arg(long)]
    no_safety_backup: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(args: &RestoreArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let backups = open(args.place.from.as_deref(), &loaded)?;
    let name = backups.find(&args.name)?;
    let folder = match &args.to {
        Some(folder) => home::whole(folder)?,
        None => loaded.home.folder.clone(),
    };
    let engine = Perihelion::open(loaded.config.options(&folder))?;
    let elsewhere = folder != loaded.home.folder;
    let (restored, vault_off) = attempt(args, &backups, &name, &engine, elsewhere, app)?;
    tell(&restored, app)?;
    if vault_off && restored.written.iter().any(|file| file == SETTINGS) {
        app.out.warning(
            "the vault lies outside the restored folder and belongs to the other one, so vault.enabled is off here",
        )?;
    }
    app.out.flush()?;
    if let Err(error) = engine.close() {
        app.out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
    }
    Ok(Exit::Done)
}

fn attempt(
    args: &RestoreArgs,
    backups: &Backups,
    name: &BackupName,
    engine: &Perihelion,
    elsewhere: bool,
    app: &mut App,
) -> Result<(Restored, bool), CliError> {
    let safety = if args.no_safety_backup { SafetyBackup::Skipped } else { SafetyBackup::Made };
    let bar = progress(app);
    let prepared = backups.prepare(name, engine, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    let prepared = prepared?;
    let vault_off = elsewhere && prepared.rewrite(SETTINGS, &vault::kept_off)?;
    let apply = |overwrite, app: &App| {
        let bar = progress(app);
        let outcome = prepared.apply(Restore { overwrite, safety }, &mut |bytes| bar.inc(bytes));
        bar.finish_and_clear();
        outcome
    };
    if args.overwrite && args.yes {
        return Ok((apply(Overwrite::Allowed, app)?, vault_off));
    }
    let restored = match apply(Overwrite::Refused, app) {
        Err(BackupError::WouldOverwrite { loss, .. }) if args.overwrite => {
            ask(&loss, safety, app)?;
            apply(Overwrite::Allowed, app)?
        }
        outcome => outcome?,
    };
    Ok((restored, vault_off))
}

fn ask(loss: &Loss, safety: SafetyBackup, app: &mut App) -> Result<(), CliError> {
    confirm::needs_terminal("restoring replaces what is here")?;
    let saved = match safety {
        SafetyBackup::Made => "it is backed up first",
        SafetyBackup::Skipped => "it is NOT backed up first",
    };
    let question = format!("the backup does not hold what is here ({loss}); {saved}. Replace it? [y/N]");
    match confirm::answer(&question, app)?.to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::input("not confirmed", "nothing was changed")),
    }
}

fn tell(restored: &Restored, app: &mut App) -> Result<(), CliError> {
    if app.out.json {
        return app.out.document(restored);
    }
    let Restored { name, memories, gone, safety_backup, written, kept, .. } = restored;
    let verb = app.out.paint(GOOD, "restored");
    app.out.line(&format!("{verb} {name}: {}", counted(*memories, "memory", "memories")))?;
    if *gone > 0 {
        app.out
            .line(&format!("{} that the backup does not hold left", counted(*gone, "memory", "memories")))?;
    }
    if let Some(backup) = &restored.interrupted {
        app.out.line(&format!("a restore of {backup} that was interrupted here before is over with it"))?;
    }
    if let Some(safety) = safety_backup {
        app.out.line(&format!("what was here before is in backup {safety}"))?;
    }
    for file in written {
        app.out.note(&format!("{file} was written"))?;
    }
    for file in kept {
        app.out.note(&format!("{file} was left as it is here; the backup has another one"))?;
    }
    Ok(())
}
