//! `peri migrate`: what another memory store kept, taken over.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};
use perihelion::{
    Effect, Ending, ErrorKind, MigrateOptions, MigrationReport, MigrationSource, Namespace, Pace, Perihelion,
    Resume, SpaceId, Start,
};
use serde_json::json;

use super::import::name_of;
use super::import::own::listen;
use super::import::source::Source;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, grouped};

/// So many failures are told one by one.
const TOLD: usize = 20;

/// What to migrate, and how.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
PATH is one of these:
  a folder   memory/facts/*.json and so on, as stores of weighed terms (TF-IDF) keep records
  a file     JSON with a list of records, or JSONL; compressed if it is called .zst
Of each record these are understood, and all else becomes metadata:
  content, text, memory, document, page_content, body   what it says
  id, uuid, _id, key                                    its id
  created_at, createdAt, timestamp, time, date          RFC 3339, seconds or milliseconds
  tags, labels, categories                              tags
  importance, score                                     from 0 to 1
  session, session_id, thread_id                        the session
  speaker, role, author                                 who said it
  type, kind, category                                  such as fact or decision
  access_count, accessed_at                             how it was used
  vector, embedding, embeddings                         a vector
  model, embedding_model, space                         the model of the vector
A vector is taken if it is of the model at work, which is tried out on some. Others and weights of \
terms are left behind, and vectors made anew. Migrating again adds nothing.

Examples:
  peri migrate ~/.agent/state --namespace agent --dry-run
  peri migrate memories.jsonl.zst --vectors-are all-MiniLM-L6-v2")]
pub(crate) struct Args {
    /// The folder or the file; - is standard input
    path: PathBuf,
    /// Only tell what would happen
    #[arg(long)]
    dry_run: bool,
    /// Hand so many texts to the embedding engine at a time
    #[arg(long, value_name = "N", default_value = "32")]
    batch: NonZeroUsize,
    /// The model that all vectors are of, whatever the records say
    #[arg(long, value_name = "MODEL")]
    vectors_are: Option<String>,
    /// Begin at the first record, although a migration of this file was interrupted
    #[arg(long)]
    fresh: bool,
}

impl Args {
    fn options(&self, namespace: Namespace, resume: Option<String>) -> MigrateOptions {
        let start = if self.fresh { Start::Anew } else { Start::WhereItWas };
        MigrateOptions {
            namespace,
            batch: self.batch.get(),
            vectors_are: self.vectors_are.clone(),
            effect: if self.dry_run { Effect::Rehearsed } else { Effect::Written },
            resume: resume.map(|name| Resume { name, start }),
            ..MigrateOptions::default()
        }
    }
}

/// Runs the command. Records that cannot be taken are told; the rest is kept.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let name = name_of(&args.path, "peri migrate - < memories.jsonl")?;
    let source = if args.path.is_dir() { None } else { Some(Source::open(&args.path, &name)?) };
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    warn_of_model(&args, session.engine.space().as_ref(), &mut app.out)?;
    let report = match source {
        None => migrate_folder(&args, &session.engine, namespace, &mut app.out)?,
        Some(source) => migrate_file(&args, &session.engine, namespace, (source, &name), &mut app.out)?,
    };
    if report.progress.total == 0 {
        let what = if report.ending == Ending::Cut {
            "breaks off before its first record"
        } else {
            "holds no records"
        };
        return Err(CliError::input(
            format!("{name} {what}"),
            "nothing was stored; peri migrate --help tells what is understood",
        ));
    }
    tell(&report, &args, &name, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(exit(&report))
}

fn migrate_folder(
    args: &Args,
    engine: &Perihelion,
    namespace: Namespace,
    out: &mut Output,
) -> Result<MigrationReport, CliError> {
    let bar = counter(out.wants_progress());
    let options = args.options(namespace, None);
    watched(engine, MigrationSource::Folder(&args.path), &options, &bar, out)
}

fn migrate_file(
    args: &Args,
    engine: &Perihelion,
    namespace: Namespace,
    (mut source, name): (Source, &str),
    out: &mut Output,
) -> Result<MigrationReport, CliError> {
    let resume = source.digest(&format!("migrate {namespace}"), name)?;
    let options = args.options(namespace, resume);
    let (mut lines, bar) = source.read(&args.path, name, out.wants_progress())?;
    watched(engine, MigrationSource::Stream(&mut *lines), &options, &bar, out)
}

/// Migrates until somebody wants it to stop.
fn watched(
    engine: &Perihelion,
    source: MigrationSource<'_>,
    options: &MigrateOptions,
    bar: &ProgressBar,
    out: &mut Output,
) -> Result<MigrationReport, CliError> {
    let (_listening, stopped) = listen()?;
    let counts = matches!(source, MigrationSource::Folder(_));
    let outcome = engine.migrate_watched(source, options, &mut |progress| {
        if counts {
            bar.set_position(progress.total);
        }
        if stopped.load(Ordering::Relaxed) { Pace::Stop } else { Pace::GoOn }
    });
    bar.finish_and_clear();
    if let Err(error) = &outcome
        && options.effect == Effect::Written
        && error.kind() != ErrorKind::InvalidInput
    {
        out.hint("what was read before is kept; the same command goes on from there")?;
    }
    Ok(outcome?)
}

/// A counter of records, for the person who waits.
fn counter(wanted: bool) -> ProgressBar {
    if !wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {pos} records");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// Says so if no vector can be of the model that was named.
fn warn_of_model(args: &Args, space: Option<&SpaceId>, out: &mut Output) -> Result<(), CliError> {
    let Some(model) = &args.vectors_are else { return Ok(()) };
    match space {
        Some(space) if *model == space.model || *model == space.to_string() => Ok(()),
        Some(space) => {
            let told =
                out.clean(&format!("the model at work is {}: vectors of {model} are made anew", space.model));
            out.warning(&told)
        }
        None => out.warning("no embedding engine is at work: no vector is taken, and none is made"),
    }
}

fn exit(report: &MigrationReport) -> Exit {
    let progress = &report.progress;
    match (progress.failed, progress.migrated + progress.already_there) {
        (0, _) if report.ending == Ending::Whole => Exit::Done,
        (1.., 0) => Exit::BadInput,
        _ => Exit::Partly,
    }
}

fn tell(report: &MigrationReport, args: &Args, name: &str, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        let mut document = json!(report);
        document["dry_run"] = args.dry_run.into();
        return out.document(&document);
    }
    let progress = &report.progress;
    if let Some(record) = report.resumed_after {
        out.note(&format!("resumed after record {}", grouped(record)))?;
    }
    for (place, why) in progress.errors.iter().take(TOLD) {
        let told = out.clean(&format!("{place}: {why}"));
        out.refusal(&told)?;
    }
    let more = progress.failed.saturating_sub(progress.errors.len().min(TOLD) as u64);
    if more > 0 {
        out.refusal(&format!("and {} more", grouped(more)))?;
    }
    let rehearsed = if args.dry_run { "nothing was written; it would be: " } else { "" };
    out.line(&format!(
        "{rehearsed}{} migrated, {} already there, {} failed, of {}",
        grouped(progress.migrated),
        grouped(progress.already_there),
        grouped(progress.failed),
        grouped(progress.total)
    ))?;
    tell_vectors(report, out)?;
    tell_ending(report, name, out)
}

fn tell_vectors(report: &MigrationReport, out: &mut Output) -> Result<(), CliError> {
    let progress = &report.progress;
    let parts: Vec<String> = [
        (progress.vectors_taken, "taken"),
        (progress.embedded, "made"),
        (progress.unembedded, "without"),
        (report.vectors_unusable, "of another model or damaged"),
        (report.sparse_vectors, "weights of terms left behind"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{} {what}", grouped(count)))
    .collect();
    if !parts.is_empty() {
        out.note(&format!("vectors: {}", parts.join(", ")))?;
    }
    if report.files_passed_over > 0 {
        out.note(&format!("files passed over: {}", grouped(report.files_passed_over)))?;
    }
    let secrets: usize = report.redacted.iter().map(|secret| secret.count).sum();
    if secrets > 0 {
        out.note(&format!("secrets taken out before storing: {}", grouped(secrets as u64)))?;
    }
    Ok(())
}

fn tell_ending(report: &MigrationReport, name: &str, out: &mut Output) -> Result<(), CliError> {
    match report.ending {
        Ending::Whole | Ending::Unmarked => Ok(()),
        Ending::Cut => out.warning(&format!("{name} breaks off; what was read is kept")),
        Ending::Stopped => {
            out.warning("stopped; what was read is kept")?;
            out.hint("the same command goes on from there")
        }
    }
}
