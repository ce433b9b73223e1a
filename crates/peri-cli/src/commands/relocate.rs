//! `peri move`: everything to another place.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use perihelion::{Error, MoveProgress, MoveStep, Place, RelocateError, Relocation, StoreChoice};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::app::App;
use crate::config::filled;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted};
use crate::{home, runtime, signals};

/// From where to where.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A place is a data folder, sqlite:FILE, postgres://user:password@host/database or mysql://…; ${NAME} \
                  in an address is filled from the environment, so that no password need be typed. The source is only \
                  read, and is not removed. Notes come along, from files to tables and back. The target is empty; it can be used when everything was read back and \
                  compared. Interrupted, the same command goes on where it was. Stop whatever writes to the source \
                  first: what comes later is not moved.\n\nExamples:\n  \
                  peri move --from ~/.local/share/perihelion --to 'postgres://peri:${PGPASSWORD}@db.example/memory'\n  \
                  peri move --from mysql://peri@localhost/memory --to ./data"
)]
pub(crate) struct Args {
    /// Where everything is
    #[arg(long, value_name = "PLACE")]
    from: String,
    /// Where it is to be
    #[arg(long, value_name = "PLACE")]
    to: String,
}

/// Runs the command.
pub(crate) fn run(args: &Args, app: &mut App) -> Result<Exit, CliError> {
    let variable = |name: &str| std::env::var(name).ok();
    let (from, to) = (place("--from", &args.from, &variable)?, place("--to", &args.to, &variable)?);
    for (argument, given) in [("--from", &args.from), ("--to", &args.to)] {
        if !given.contains("${") && peri_text::redact(given).text != *given {
            app.out.warning(&format!(
                "{argument} holds a password, which others on this machine can see while this runs; write ${{NAME}} in \
                 its place and set NAME in the environment"
            ))?;
        }
    }
    refuse_encrypted(&from)?;
    refuse_encrypted(&to)?;
    refuse_waiting(&from, app)?;
    let (_listening, stopped) = listen()?;
    let bar = progress(app.out.wants_progress());
    let outcome = perihelion::relocate(&from, &to, &mut |now| show(&bar, now), &stopped);
    bar.finish_and_clear();
    match outcome {
        Ok(moved) => {
            tell(&moved, &from, &to, &mut app.out)?;
            Ok(Exit::Done)
        }
        Err(Error::Relocate(RelocateError::Halted)) => {
            if app.out.json {
                app.out.document(
                    &json!({ "ending": "stopped", "from": from.to_string(), "to": to.to_string() }),
                )?;
            }
            app.out.warning(&format!("stopped: what was moved to {to} is kept, and cannot be used yet"))?;
            app.out.hint("run the same command again: it goes on where it was")?;
            Ok(Exit::Partly)
        }
        Err(error) => Err(error.into()),
    }
}

/// A move reads and writes plain stores; what is encrypted is decrypted before, and encrypted after.
fn refuse_encrypted(place: &Place) -> Result<(), CliError> {
    let Place::File(path) = place else { return Ok(()) };
    if path.parent().is_some_and(perihelion::is_encrypted) {
        return Err(CliError::input(
            format!("{place} is encrypted, and moves are between stores that are not"),
            "nothing was changed; `peri decrypt` it first, and `peri encrypt` the folder it was moved to",
        ));
    }
    Ok(())
}

/// Writes that wait for a server wait in the data folder of this machine.
fn refuse_waiting(from: &Place, app: &mut App) -> Result<(), CliError> {
    let Place::Server(source) = from else { return Ok(()) };
    let loaded = app.config()?;
    match loaded.config.options(&loaded.home.folder).store {
        StoreChoice::Server { address, .. } if address == *source => {
            Ok(perihelion::refuse_waiting(&loaded.home.folder)?)
        }
        _ => Ok(()),
    }
}

/// The place that was typed. Messages repeat nothing of an address, which may hold a password.
fn place(argument: &str, text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Place, CliError> {
    // A path is left as it is.
    let filled = if text.contains("://") { filled(text, variable) } else { Ok(text.to_owned()) };
    let filled = filled.map_err(|name| {
        CliError::input(
            format!("the environment has no variable {name}, which {argument} names"),
            "set it, or write what is meant in its place",
        )
    })?;
    let place = Place::parse(&filled).map_err(|error| {
        CliError::input(
            format!("{argument} is not a place: {error}"),
            "a place is a data folder, sqlite:FILE, postgres://user:password@host/database or mysql://…",
        )
    })?;
    match place {
        Place::File(path) => Ok(Place::File(home::whole(&path)?)),
        server => Ok(server),
    }
}

fn progress(wanted: bool) -> ProgressBar {
    if !wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg:28} {bar:30} {human_pos} of {human_len}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, now: MoveProgress) {
    let verb = match now.step {
        MoveStep::Copying => "moving",
        MoveStep::Verifying => "comparing",
    };
    bar.set_message(format!("{verb} {}", now.table.replace('_', " ")));
    bar.set_length(now.of);
    bar.set_position(now.rows);
}

/// Hears that somebody wants it to stop.
fn listen() -> Result<(Runtime, Arc<AtomicBool>), CliError> {
    let runtime = runtime::start()?;
    let stop = runtime.block_on(async { signals::stop() })?;
    let stopped = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stopped);
    runtime.spawn(async move {
        stop.await;
        heard.store(true, Ordering::Relaxed);
    });
    Ok((runtime, stopped))
}

fn tell(moved: &Relocation, from: &Place, to: &Place, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        let mut document = json!(moved);
        document["ending"] = json!("moved");
        document["from"] = json!(from.to_string());
        document["to"] = json!(to.to_string());
        out.document(&document)?;
    } else if out.is_quiet() {
        out.line(&moved.digest)?;
    } else {
        let rows =
            |name: &str| moved.tables.iter().find(|table| table.name == name).map_or(0, |table| table.rows);
        let memories = counted(rows("memories"), "memory", "memories");
        let all = counted(moved.tables.iter().map(|table| table.rows).sum(), "row", "rows");
        out.line(&format!(
            "{} {to}: {memories}, {all} in all, the same on both sides to the last value",
            out.paint(GOOD, "moved to")
        ))?;
        if let Some(notes) = moved.notes.as_ref().filter(|notes| notes.documents + notes.lines > 0) {
            let documents = counted(notes.documents, "document", "documents");
            let lines = counted(notes.lines, "line of a log", "lines of logs");
            out.line(&format!("notes came along: {documents}, {lines}, the same on both sides"))?;
        }
        out.line(&format!("digest {}", moved.digest))?;
    }
    if moved.source_went_on {
        out.warning(&format!(
            "{from} was written to during the move; what was written is not in {to}. To have it there, stop whatever \
             writes and move again, to an empty place"
        ))?;
    }
    next_steps(from, to, out)
}

/// How the store is used where it is now.
fn next_steps(from: &Place, to: &Place, out: &mut Output) -> Result<(), CliError> {
    match to {
        Place::Server(address) => out.hint(&format!(
            "to use it, put  [store] url = \"{address}\"  into the settings, with the password as ${{NAME}} behind the \
             user, or set PERI_STORE_URL"
        ))?,
        Place::File(path) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            out.hint(&format!(
                "to use it, pass --home {} or set PERI_HOME, and leave [store] url in the settings empty",
                folder.display()
            ))?;
        }
    }
    match from {
        Place::File(path) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            out.hint(&format!(
                "{path} is as it was; the vault, logs, backups and the queue stay in {folder}",
                path = path.display(),
                folder = folder.display()
            ))
        }
        Place::Server(_) => out.hint(&format!(
            "{from} is as it was; the vault, logs, backups and the queue stay in the data folder"
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Option<String> {
        (name == "비밀").then(|| "p@ss/w:rd%".to_owned())
    }

    #[test]
    fn variables_take_their_places_escaped_in_addresses_alone() {
        let place = place("--to", "postgres://u:${비밀}@host/d", &variable).unwrap();
        assert_eq!(place, Place::parse("postgres://u:p%40ss%2Fw%3Ard%25@host/d").unwrap());
        assert_eq!(
            super::place("--to", "/data/${비밀}", &variable).unwrap(),
            Place::parse("/data/${비밀}").unwrap()
        );
        let missing = super::place("--to", "mysql://u:${OTHER}@h/d", &variable).unwrap_err();
        assert!(missing.to_string().contains("no variable OTHER"), "{missing}");
    }

    #[test]
    fn bad_places_are_told_with_their_argument_and_without_their_password() {
        for text in ["", "postgres://u:s3cret@h", "oracle://u:s3cret@h/d", "mysql://u:s3cret${NONE}@h/d"] {
            let error = place("--from", text, &variable).unwrap_err();
            let told = format!("{error} {:?}", error.hint());
            assert!(told.contains("--from") && !told.contains("s3cret"), "{told}");
        }
    }
}
