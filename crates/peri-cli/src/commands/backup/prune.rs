//! `peri backup prune`.

use peri_backup::{Pruned, Retention};
use perihelion::Timestamp;
use serde_json::json;

use super::{Place, open};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::counted;

/// What is kept. What is not typed is as configured, unless anything is typed.
#[derive(Debug, clap::Args)]
#[command(after_help = "The newest backup is always kept, and for a week what a restore replaced.\n\
    Without any --keep, the settings backup.keep_* say what is kept.\n\n\
    Example:\n  peri backup prune --keep-daily 7 --keep-weekly 4 --dry-run")]
pub(super) struct PruneArgs {
    /// Keep so many of the newest
    #[arg(long, value_name = "N")]
    keep_last: Option<u32>,
    /// Keep the newest of so many days
    #[arg(long, value_name = "N")]
    keep_daily: Option<u32>,
    /// Keep the newest of so many weeks
    #[arg(long, value_name = "N")]
    keep_weekly: Option<u32>,
    /// Keep the newest of so many months
    #[arg(long, value_name = "N")]
    keep_monthly: Option<u32>,
    /// Only tell what would be removed
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    place: Place,
}

/// Runs the command.
pub(super) fn run(args: &PruneArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let backups = open(args.place.from.as_deref(), &loaded)?;
    let retention = retention(args, &loaded.config.backup.retention);
    let now = Timestamp::now();
    let pruned =
        if args.dry_run { backups.plan(&retention, now)? } else { backups.prune(&retention, now)? };
    let Pruned { removed, unfinished, damaged, kept } = &pruned;
    if app.out.json {
        let mut document = json!(pruned);
        document["dry_run"] = json!(args.dry_run);
        app.out.document(&document)?;
        return Ok(Exit::Done);
    }
    let verb = if args.dry_run { "would be removed" } else { "removed" };
    for name in removed {
        app.out.line(&format!("{verb}: {name}"))?;
    }
    for name in unfinished {
        app.out.line(&format!("{verb}: {name} (it was never finished)"))?;
    }
    for name in damaged {
        app.out.warning(&format!("{name} is damaged and was left as it is"))?;
    }
    app.out.line(&format!("{} kept", counted(kept.len() as u64, "backup", "backups")))?;
    Ok(Exit::Done)
}

fn retention(args: &PruneArgs, configured: &Retention) -> Retention {
    let typed = [args.keep_last, args.keep_daily, args.keep_weekly, args.keep_monthly];
    if typed.iter().all(Option::is_none) {
        return configured.clone();
    }
    let [last, daily, weekly, monthly] = typed.map(|number| number.unwrap_or(0));
    Retention { last, daily, weekly, monthly, zone: configured.zone.clone() }
}
