//! `peri decrypt`: the store and what lies beside it as they were before they were encrypted.

use std::path::PathBuf;

use perihelion::Reencryption;

use super::encrypt::{in_environment, put_setting, read, refuse_server, tell_of};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;

/// From which key.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The key is the one of the settings unless --key-file names another. Stop whatever else uses the data \
                  folder first. Everything is copied, read back and compared before the old goes; interrupted at any \
                  moment, the same command goes on. Keep the key for as long as you keep backups that were made under \
                  it.\n\nExample:\n  peri decrypt"
)]
pub(crate) struct Args {
    /// The file that holds the key
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    refuse_server(&loaded)?;
    let key = match &args.key_file {
        Some(file) => Some(read(file)?),
        None => loaded.config.encryption.clone(),
    };
    let Some(key) = key else {
        return Err(CliError::input(
            "there is no key to decrypt with",
            "nothing was changed; name the key by --key-file, encryption.key_file or PERI_ENCRYPTION_KEY",
        ));
    };
    let folder = loaded.home.folder.clone();
    let notes = loaded.config.options(&folder).notes.place;
    let done = perihelion::reencrypt(&Reencryption { folder, from: Some(key), to: None, notes })?;
    put_setting(&loaded, None)?;
    tell_of(&done, ("decrypted", &loaded.home.folder.display().to_string()), None, &mut app.out)?;
    if let Some(name) = in_environment(&loaded) {
        app.out.hint(&format!(
            "take {name} out of the environment: it names a key, and nothing is encrypted now"
        ))?;
    }
    Ok(Exit::Done)
}
