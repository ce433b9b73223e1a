//! `peri reindex`: all memories in the space of another embedding model, while the old one still answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use perihelion::{
    EngineChoice, Error, ErrorKind, OldVectors, Pace, Perihelion, ReindexEnding, ReindexEngine,
    ReindexRequest, Reindexed, Scope, SpaceId, SpaceStats, Spaces,
};
use tokio::runtime::Runtime;

use crate::app::{App, Session};
use crate::config::Loaded;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, grouped};
use crate::{runtime, signals};

/// What to move to.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Recall answers from the old space until the new one is complete, and every process goes on with the \
                  new one by itself. Interrupted, the same command goes on where it was. The old vectors stay, so that \
                  the way back is short, until the next time or until --drop-old.\n\nExamples:\n  \
                  peri reindex --model ./models/all-MiniLM-L6-v2\n  peri reindex --status\n  \
                  peri reindex --model bundled --drop-old"
)]
pub(crate) struct Args {
    /// The model: bundled, off (memories are found by their words alone), or the folder of a transformer; what the
    /// settings name if left out
    #[arg(long, value_name = "bundled|off|FOLDER", value_parser = model)]
    model: Option<EngineChoice>,
    /// Drop the vectors of all spaces that do not answer, once this is done
    #[arg(long)]
    drop_old: bool,
    /// Only tell which spaces there are
    #[arg(long, conflicts_with_all = ["model", "drop_old"])]
    status: bool,
}

fn model(text: &str) -> Result<EngineChoice, String> {
    match text {
        "bundled" => Ok(EngineChoice::Bundled),
        "off" => Ok(EngineChoice::Off),
        folder if PathBuf::from(folder).is_dir() => Ok(EngineChoice::Transformer { folder: folder.into() }),
        other => Err(format!("{other:?} is neither bundled nor off, and there is no such folder")),
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = open(&args, app)?;
    if args.status {
        let spaces = session.engine.spaces()?;
        tell_status(&spaces, &mut app.out)?;
        session.close(&mut app.out)?;
        return Ok(Exit::Done);
    }
    let engine = args.model.clone().map_or(ReindexEngine::Named, ReindexEngine::Choice);
    let old = if args.drop_old { OldVectors::Dropped } else { OldVectors::Kept };
    let request = ReindexRequest { engine, scope, old, ..ReindexRequest::default() };
    let done = reindex(&session.engine, &request, app)?;
    if app.out.json {
        app.out.document(&done)?;
    } else {
        tell(&done, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(exit(&done))
}

/// Opens the engine. Where the model in use cannot be started, it is opened without one, so that another can be chosen.
fn open(args: &Args, app: &mut App) -> Result<Session, CliError> {
    let Loaded { home, config, .. } = app.config()?;
    let mut options = config.options(&home.folder);
    let engine = match Perihelion::open(options.clone()) {
        Err(Error::Engine(error)) if args.model.is_some() => {
            app.out.warning(&format!("the engine that the settings name does not start: {error}"))?;
            options.engine = EngineChoice::Off;
            Perihelion::open(options)?
        }
        opened => opened?,
    };
    Ok(Session { engine, config })
}

fn reindex(engine: &Perihelion, request: &ReindexRequest, app: &mut App) -> Result<Reindexed, CliError> {
    let (_listening, stopped) = listen()?;
    let bar = progress(app.out.wants_progress());
    let done = engine.reindex(request, &mut |now| {
        bar.set_length(now.total);
        bar.set_position(now.done);
        if stopped.load(Ordering::Relaxed) { Pace::Stop } else { Pace::GoOn }
    });
    bar.finish_and_clear();
    if let Err(error) = &done {
        match error {
            Error::Engine(_) => app.out.hint("nothing was changed: the old space answers as before")?,
            error if error.kind() == ErrorKind::Busy => {}
            _ => app.out.hint("what was embedded is kept; the same command goes on from there")?,
        }
    }
    Ok(done?)
}

fn progress(wanted: bool) -> ProgressBar {
    if !wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} memories, {eta} left");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
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

fn exit(done: &Reindexed) -> Exit {
    match done.ending {
        ReindexEnding::Switched | ReindexEnding::Current if done.failed == 0 => Exit::Done,
        _ => Exit::Partly,
    }
}

fn tell(done: &Reindexed, out: &mut Output) -> Result<(), CliError> {
    for failure in &done.failures {
        out.refusal(&format!("{} in {}: {}", failure.id, failure.namespace, failure.why))?;
    }
    let embedded = counted(done.embedded, "memory", "memories");
    let mut counts = format!("{embedded} embedded");
    if done.without > 0 {
        counts.push_str(&format!(", {} found by their words alone", grouped(done.without)));
    }
    if done.failed > 0 {
        counts.push_str(&format!(", {} failed", grouped(done.failed)));
    }
    let (from, to) = (named(done.from.as_ref()), named(done.to.as_ref()));
    out.line(&match done.ending {
        ReindexEnding::Switched => format!("{to} answers now: {counts}"),
        ReindexEnding::Current if done.embedded + done.without + done.failed == 0 => {
            format!("nothing to do: {to} answers already")
        }
        ReindexEnding::Current => format!("{to} answers, as before: {counts}"),
        ReindexEnding::Stopped => format!("stopped: {counts}; {from} answers as before"),
        ReindexEnding::TooManyFailed => format!("not switched: {counts}; {from} answers as before"),
        ReindexEnding::OthersLeft => format!("{counts}; {from} answers until the other namespaces are done"),
    })?;
    if done.dropped > 0 {
        out.line(&format!("{} dropped", counted(done.dropped, "old vector", "old vectors")))?;
    }
    hint(done, out)
}

fn hint(done: &Reindexed, out: &mut Output) -> Result<(), CliError> {
    match done.ending {
        ReindexEnding::Stopped => out.hint("what was embedded is kept; the same command goes on from there"),
        ReindexEnding::TooManyFailed => out.hint(
            "what was embedded is kept; mend the model and run the same command again, or choose another model",
        ),
        ReindexEnding::OthersLeft => out.hint("the same command without --namespace does them"),
        ReindexEnding::Switched | ReindexEnding::Current => {
            let old: Vec<&SpaceStats> =
                done.spaces.iter().filter(|one| Some(&one.space) != done.to.as_ref()).collect();
            let taken: u64 = old.iter().map(|one| one.bytes).sum();
            if taken == 0 {
                return Ok(());
            }
            let vectors: u64 = old.iter().map(|one| one.vectors).sum();
            out.hint(&format!(
                "{} of other spaces take {}, for the way back; `peri reindex --drop-old` drops them",
                counted(vectors, "vector", "vectors"),
                bytes(taken)
            ))
        }
    }
}

fn tell_status(spaces: &Spaces, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(spaces);
    }
    out.field("answers", &named(spaces.current.as_ref()))?;
    out.field("engine", spaces.engine.as_deref().unwrap_or("none was needed yet"))?;
    out.field("settings", &spaces.named)?;
    for one in &spaces.spaces {
        let held = format!("{}, {}", counted(one.vectors, "vector", "vectors"), bytes(one.bytes));
        let without = match one.without {
            0 => String::new(),
            without => format!(", {} found by their words alone", grouped(without)),
        };
        out.field("space", &format!("{}: {held}{without}", one.space))?;
    }
    if let Some(trouble) = &spaces.trouble {
        out.warning(trouble)?;
    } else if spaces.asked_otherwise {
        out.warning(&format!("the settings name {}: `peri reindex` moves the memories there", spaces.named))?;
    }
    Ok(())
}

fn named(space: Option<&SpaceId>) -> String {
    space.map_or_else(|| "words alone".to_owned(), ToString::to_string)
}

/// A number of bytes for people.
fn bytes(count: u64) -> String {
    indicatif::HumanBytes(count).to_string()
}
