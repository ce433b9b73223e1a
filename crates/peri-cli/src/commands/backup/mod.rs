//! `peri backup`: make, list, verify, restore and prune backups.

mod prune;
mod restore;
mod schedule;
mod served;
mod show;
mod vault;

use indicatif::ProgressBar;
use peri_backup::{BackupError, Backups, Depth, Destination, Verified};
use perihelion::Perihelion;
use serde_json::json;

pub(crate) use self::schedule::Scheduler;
pub(crate) use self::served::ServedBackups;
use self::show::size;
use crate::app::{App, Session};
use crate::config::{BackupSettings, Loaded};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, GOOD, counted};
use crate::{home, import};

/// What to do with backups.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri backup create\n  \
    peri backup verify latest\n  \
    peri backup restore latest --to ./restored")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Make a backup of everything, while others go on reading and writing
    Create(CreateArgs),
    /// Show the backups there are
    List(ListArgs),
    /// Read backups from end to end and tell whether they are whole
    Verify(VerifyArgs),
    /// Bring a backup back, while others go on; what is here is never lost unasked
    Restore(restore::RestoreArgs),
    /// Remove backups that are not kept
    Prune(prune::PruneArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri backup create\n  peri backup create --to /mnt/disk/peri\n  \
    peri backup create --to s3://bucket/peri")]
struct CreateArgs {
    /// A folder, or a bucket as in s3://bucket/prefix [default: the setting backup.to]
    #[arg(long, value_name = "DEST")]
    to: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri backup list --from s3://bucket/peri")]
struct ListArgs {
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri backup verify\n  peri backup verify --all")]
struct VerifyArgs {
    /// The backup's name, or latest
    #[arg(default_value = "latest", conflicts_with = "all")]
    name: String,
    /// Every backup
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: Place,
}

/// Where the backups are.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// Where the backups are: a folder, or a bucket as in s3://bucket/prefix [default: the setting backup.to]
    #[arg(long, value_name = "DEST")]
    pub(crate) from: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Create(args) => create(&args, app),
        Verb::List(args) => show::list(&args.place, app),
        Verb::Verify(args) => verify(&args, app),
        Verb::Restore(args) => restore::run(&args, app),
        Verb::Prune(args) => prune::run(&args, app),
    }
}

/// The backups at a place that was typed, or else where they are configured to be.
pub(crate) fn open(place: Option<&str>, loaded: &Loaded) -> Result<Backups, CliError> {
    let settings = &loaded.config.backup;
    let destination = match place {
        None => settings.to.clone(),
        // An address that is none of ours is refused as in the settings, and not taken for a folder.
        Some(text) if text.contains("://") => Destination::parse(text, &loaded.home.folder)?,
        // What is typed starts where it is typed.
        Some(text) => {
            let folder = home::whole(std::path::Path::new(text))?;
            Destination::parse(&folder.to_string_lossy(), &loaded.home.folder)?
        }
    };
    Ok(reach(&destination, settings, loaded)?)
}

fn reach(
    destination: &Destination,
    settings: &BackupSettings,
    loaded: &Loaded,
) -> Result<Backups, peri_backup::BackupError> {
    let key = loaded.config.encryption.clone();
    Ok(Backups::new(destination.open(&settings.reach())?, &loaded.home.folder).keyed(key))
}

/// Shows how much was read or written, where somebody looks.
pub(crate) fn progress(app: &App) -> ProgressBar {
    import::written(app.out.wants_progress())
}

fn create(args: &CreateArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let backups = open(args.to.as_deref(), &loaded)?;
    let engine = Perihelion::open(loaded.config.options(&loaded.home.folder))?;
    let session = Session { engine, config: loaded.config };
    let bar = progress(app);
    let created = backups.create_if_free(&session.engine, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    let created = created?.ok_or(BackupError::AtWork)?;
    for file in &created.skipped {
        app.out.warning(&format!(
            "{} is not in the backup: it is no plain file, or its name is no text",
            file.display()
        ))?;
    }
    if app.out.json {
        app.out.document(&show::document(&created.manifest, &backups.place()))?;
    } else if app.out.is_quiet() {
        app.out.line(created.manifest.name.as_str())?;
    } else {
        let manifest = &created.manifest;
        app.out.line(&format!(
            "{} {}: {} in {}",
            app.out.paint(GOOD, "backed up and verified"),
            manifest.name,
            counted(manifest.counts.memories, "memory", "memories"),
            size(manifest.stored_bytes()),
        ))?;
        app.out.hint(&format!("it is in {}", backups.place()))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn verify(args: &VerifyArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let backups = open(args.place.from.as_deref(), &loaded)?;
    let names = if args.all {
        backups.list()?.into_iter().map(|(name, _)| name).collect()
    } else {
        vec![backups.find(&args.name)?]
    };
    let bar = progress(app);
    let mut verified = Vec::new();
    for name in &names {
        let one = backups.verify(name, Depth::Deep, &mut |bytes| bar.inc(bytes))?;
        if !app.out.json {
            bar.suspend(|| tell(&one, app))?;
        }
        verified.push(one);
    }
    bar.finish_and_clear();
    if app.out.json {
        app.out.document(&json!({ "place": backups.place(), "backups": verified }))?;
    } else if verified.is_empty() {
        app.out.line(&format!("there is no backup in {}", backups.place()))?;
    }
    let whole = verified.iter().all(|one| one.problems.is_empty());
    Ok(if whole { Exit::Done } else { Exit::Corrupt })
}

fn tell(verified: &Verified, app: &mut App) -> Result<(), CliError> {
    let Verified { name, files, bytes, problems } = verified;
    if problems.is_empty() {
        let what = format!("{}, {}", counted(*files, "file", "files"), size(*bytes));
        return app.out.line(&format!("{} {name}: {what}", app.out.paint(GOOD, "whole")));
    }
    app.out.line(&format!("{} {name}", app.out.paint(BAD, "damaged")))?;
    problems.iter().try_for_each(|problem| app.out.line(&format!("    {}", app.out.clean(problem))))
}
