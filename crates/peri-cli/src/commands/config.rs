//! `peri config`: the settings, and where each comes from.

use perihelion::Perihelion;
use serde_json::json;

use crate::app::App;
use crate::config;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, Output};

/// What to show.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri config show\n  peri config defaults > perihelion.toml")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show every setting, its value, and who set it
    #[command(after_help = "Examples:\n  peri config show\n  PERI_RECALL_LIMIT=3 peri config show")]
    Show,
    /// Show which folder and which file are used
    #[command(after_help = "Example:\n  peri config path")]
    Path,
    /// Print every setting with its default and what it does, as a file to start from
    #[command(after_help = "Example:\n  peri config defaults > perihelion.toml")]
    Defaults,
}

/// Runs the command. The engine is not opened, and paths are shown even when the configuration is broken.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Show => show(app)?,
        Verb::Path => path(app)?,
        Verb::Defaults => defaults(&mut app.out)?,
    }
    Ok(Exit::Done)
}

fn show(app: &mut App) -> Result<(), CliError> {
    let settings = app.config()?.settings;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "settings": settings }));
    }
    let keys = settings.iter().map(|setting| setting.key.len()).max().unwrap_or(0);
    for setting in &settings {
        let origin = out.paint(FAINT, &setting.origin.to_string());
        out.line(&format!("{:<keys$} = {:<14}  {origin}", setting.key, setting.value.to_string()))?;
    }
    Ok(())
}

fn path(app: &mut App) -> Result<(), CliError> {
    let home = app.home()?;
    let (file, _) = config::file_of(&home, app.global.config.as_deref());
    let database = home.folder.join(Perihelion::DATABASE);
    let exists = file.exists();
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({
            "folder": home.folder,
            "folder_origin": home.origin,
            "database": database,
            "config": file,
            "config_exists": exists,
        }));
    }
    let missing = if exists { "" } else { " (does not exist)" };
    out.field("folder", &format!("{} ({})", home.folder.display(), home.origin))?;
    out.field("database", &database.display().to_string())?;
    out.field("configuration", &format!("{}{missing}", file.display()))
}

fn defaults(out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(&json!({ "toml": config::DEFAULTS }));
    }
    out.bytes(config::DEFAULTS.as_bytes())
}
