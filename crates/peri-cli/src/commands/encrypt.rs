//! `peri encrypt`: the store and what lies beside it under a key, or under another one.

use std::path::{Path, PathBuf};

use perihelion::{EncryptionKey, Error, Perihelion, Reencrypted, Reencryption, StoreChoice, StoreError};
use serde_json::json;

use crate::app::App;
use crate::config::{self, KEY_FILE, KEY_VARIABLE, Loaded, Origin, told_of_key};
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::output::{GOOD, Output, counted};

/// Under which key.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A key is 64 hexadecimal digits. Without --new-key and --key-file it is the one of the settings: \
                  encryption.key_file, or PERI_ENCRYPTION_KEY in the environment. Stop whatever else uses the data \
                  folder first. Everything is copied, read back and compared before the old goes; interrupted at any \
                  moment, the same command with --key-file goes on. Keep a copy of the key: without it nobody, us \
                  included, reads the store again. docs/encryption.md says what is protected and what is not.\n\nExamples:\n  \
                  peri encrypt --new-key ~/.config/perihelion.key\n  \
                  peri encrypt --rekey --new-key ~/.config/perihelion-2.key"
)]
pub(crate) struct Args {
    /// Make a new key in this file, which its owner alone may read, and name it in the settings
    #[arg(long, value_name = "FILE", conflicts_with = "key_file")]
    new_key: Option<PathBuf>,
    /// Use the key in this file, and name it in the settings
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Move a store that is encrypted with the key of the settings to this other key
    #[arg(long)]
    rekey: bool,
}

/// The key to use, and the file it was read from or written to.
struct Chosen {
    key: EncryptionKey,
    file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let folder = loaded.home.folder.clone();
    refuse_server(&loaded)?;
    // Before a key is made or named that this program could not use.
    if !cfg!(feature = "encryption") {
        return Err(Error::Store(StoreError::CannotEncrypt).into());
    }
    let current = loaded.config.encryption.clone();
    let from = match (args.rekey, &current) {
        (true, None) => {
            return Err(CliError::input(
                "the settings name no key, and --rekey moves from that one to another",
                "set encryption.key_file to the key that the store has, or leave --rekey out",
            ));
        }
        (true, Some(current)) => Some(current.clone()),
        (false, _) => None,
    };
    if !args.rekey && (args.new_key.is_some() || args.key_file.is_some()) {
        refuse_second(args, current.as_ref(), &folder)?;
    }
    let chosen = chosen(args, current)?;
    if from.as_ref() == Some(&chosen.key) {
        return Err(CliError::input("the store is to be moved to the key it has", "name another key"));
    }
    if !folder.join(Perihelion::DATABASE).exists() {
        // A store that is made under a key is encrypted from its first byte on.
        let mut options = loaded.config.options(&folder);
        options.encryption = Some(chosen.key.clone());
        Perihelion::open(options)?.close()?;
    }
    let notes = loaded.config.options(&folder).notes.place;
    let done = perihelion::reencrypt(&Reencryption { folder, from, to: Some(chosen.key), notes });
    if let (Err(_), Some(file)) = (&done, &args.new_key) {
        app.out.hint(&format!("the key is in {0}: go on with --key-file {0}", file.display()))?;
    }
    let done = done?;
    let in_settings = match &chosen.file {
        Some(file) => name_in_settings(&loaded, file)?,
        None => InSettings::AsBefore,
    };
    tell(&done, chosen.file.as_deref(), &loaded, &mut app.out)?;
    match in_settings {
        InSettings::AsBefore => {}
        InSettings::Named => app.out.hint(&format!("{} names the key from now on", loaded.file.display()))?,
        InSettings::Environment(name) => app.out.hint(&format!(
            "the environment goes before the settings: change {name}, or take it away and set {KEY_FILE}"
        ))?,
    }
    app.out.hint("keep a copy of the key in another place: without it nobody can read the store again")?;
    Ok(Exit::Done)
}

/// Another key than the one that an encrypted store has needs to be asked for in so many words.
fn refuse_second(args: &Args, current: Option<&EncryptionKey>, folder: &Path) -> Result<(), CliError> {
    let Some(current) = current.filter(|_| perihelion::is_encrypted(folder)) else { return Ok(()) };
    match &args.key_file {
        Some(file) if read(file)? == *current => Ok(()),
        _ => Err(CliError::input(
            "the store is encrypted with the key of the settings",
            "nothing was changed; --rekey moves it to another key",
        )),
    }
}

pub(super) fn refuse_server(loaded: &Loaded) -> Result<(), CliError> {
    match &loaded.config.options(&loaded.home.folder).store {
        StoreChoice::Embedded => Ok(()),
        StoreChoice::Server { address, .. } => Err(CliError::input(
            format!("the memories are at {address}, and a key encrypts the store in the data folder alone"),
            "have the server encrypt its disks and connections",
        )),
    }
}

fn chosen(args: &Args, current: Option<EncryptionKey>) -> Result<Chosen, CliError> {
    let unusable =
        |error: perihelion::KeyError, hint: &'static str| CliError::input(told_of_key(&error), hint);
    match (&args.new_key, &args.key_file, current) {
        (Some(file), _, _) => {
            let file = home::whole(file)?;
            let hint =
                "nothing was changed; name a file that is not there yet, or use one that is by --key-file";
            let key = EncryptionKey::generate().map_err(|error| unusable(error, hint))?;
            key.write(&file).map_err(|error| unusable(error, hint))?;
            Ok(Chosen { key, file: Some(file) })
        }
        (None, Some(file), _) => Ok(Chosen { key: read(file)?, file: Some(home::whole(file)?) }),
        (None, None, Some(key)) if !args.rekey => Ok(Chosen { key, file: None }),
        (None, None, _) => Err(CliError::input(
            "there is no key to encrypt with",
            "`peri encrypt --new-key FILE` makes one; --key-file names one that is there",
        )),
    }
}

pub(super) fn read(file: &Path) -> Result<EncryptionKey, CliError> {
    let hint = "nothing was changed; name the file that holds the key";
    EncryptionKey::read(&home::whole(file)?).map_err(|error| CliError::input(told_of_key(&error), hint))
}

/// What became of the setting.
pub(super) enum InSettings {
    AsBefore,
    Named,
    Environment(String),
}

/// Where the key is said to be, as long as the environment does not say otherwise.
fn name_in_settings(loaded: &Loaded, file: &Path) -> Result<InSettings, CliError> {
    if let Some(name) = in_environment(loaded) {
        return Ok(InSettings::Environment(name));
    }
    put_setting(loaded, Some(&file.to_string_lossy()))?;
    Ok(InSettings::Named)
}

/// The variable of the environment that says which key there is, if one does.
pub(super) fn in_environment(loaded: &Loaded) -> Option<String> {
    if std::env::var(KEY_VARIABLE).is_ok_and(|key| !key.trim().is_empty()) {
        return Some(KEY_VARIABLE.to_owned());
    }
    let setting = loaded.settings.iter().find(|setting| setting.key == KEY_FILE)?;
    match &setting.origin {
        Origin::Environment(name) => Some(name.clone()),
        Origin::Default | Origin::File(..) | Origin::Argument(_) => None,
    }
}

pub(super) fn put_setting(loaded: &Loaded, file: Option<&str>) -> Result<(), CliError> {
    let (section, name) = KEY_FILE.split_once('.').unwrap_or((KEY_FILE, ""));
    config::edit::set(&loaded.file, section, name, file).map_err(|error| {
        CliError::input(
            format!("{} cannot be changed: {error}", loaded.file.display()),
            "the store was moved; set or remove encryption.key_file there yourself",
        )
    })
}

fn tell(done: &Reencrypted, key: Option<&Path>, loaded: &Loaded, out: &mut Output) -> Result<(), CliError> {
    let place = loaded.home.folder.display().to_string();
    tell_of(done, ("encrypted", &place), key, out)?;
    if !out.json && !out.is_quiet() && done.store.is_some() {
        out.note(
            "the disk may still hold bytes of the files from before in places that are free now; only wiping it, or a \
             disk that was encrypted from the beginning, keeps those from whoever reads it byte by byte",
        )?;
    }
    Ok(())
}

/// What was moved and what was left, for both directions.
pub(super) fn tell_of(
    done: &Reencrypted,
    (verb, place): (&str, &str),
    key: Option<&Path>,
    out: &mut Output,
) -> Result<(), CliError> {
    if out.json {
        return out.document(&json!({
            "ending": verb,
            "folder": place,
            "key_file": key,
            "rows": done.store.as_ref().map(|store| store.rows),
            "digest": done.store.as_ref().map(|store| &store.digest),
            "change": done.store.as_ref().map(|store| store.change),
            "notes": done.notes,
            "files": done.files,
            "left": done.left,
        }));
    }
    match &done.store {
        Some(store) if out.is_quiet() => out.line(&store.digest)?,
        _ if out.is_quiet() => {}
        Some(store) => {
            let rows = counted(store.rows, "row", "rows");
            out.line(&format!(
                "{} {place}: {rows}, the same before and after to the last value",
                out.paint(GOOD, verb)
            ))?;
            out.line(&format!("digest {}", store.digest))?;
        }
        None => out.line(&format!(
            "{} {place}: the store was so already, and the rest is now",
            out.paint(GOOD, verb)
        ))?,
    }
    if !out.is_quiet() {
        let files = counted(done.files, "file", "files");
        let notes = counted(done.notes, "part of notes", "parts of notes");
        out.line(&format!("beside it: {files}, {notes}"))?;
    }
    for left in &done.left {
        out.note(&format!("{}: {}", left.path.display(), left.what))?;
    }
    Ok(())
}
