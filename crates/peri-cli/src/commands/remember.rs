//! `peri remember`: from words, a pipe or a file to stored memories and their receipts.

use std::fs::{File, Metadata};
use std::io::{BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use perihelion::{
    Circumstance, Context, EntryId, Facets, Importance, Kind, Layer, Meaning, MemoryId, Outcome, Perihelion,
    Receipt, RedactedSecret, Remember, Scope, Timestamp,
};
use serde_json::{Value, json};

use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::import::{Format, Import, Refused, Report, conversation_turn};
use crate::input::{self, Source};
use crate::output::{CAUTION, FAINT, GOOD, Output, counted, grouped};
use crate::{cli, import, time};

/// So many refused lines are told one by one.
const REFUSALS_TOLD: usize = 20;

/// What to remember.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    peri remember \"Ana prefers tea over coffee\" --kind preference --tag food\n  \
    peri remember \"We ordered pizza\" --session standup --speaker Ana\n  \
    peri remember --file notes.jsonl\n  \
    peri remember \"The build is frozen\" --expires 30d -n team/shop")]
pub(crate) struct Args {
    /// The statement; - or nothing reads it from standard input
    text: Vec<String>,
    /// A file with one memory a line, as text or as JSON objects; - is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["text", "id"])]
    file: Option<PathBuf>,
    /// Take each line of standard input as a memory of its own
    #[arg(long, conflicts_with_all = ["text", "file", "id", "format"])]
    lines: bool,
    /// How the file is written [default: jsonl if its name ends so or its first line begins with {]
    #[arg(long, requires = "file", value_name = "lines|jsonl", hide_possible_values = true)]
    format: Option<Format>,
    /// The same with its structure, as JSON or @FILE; without a statement, its words are made from this. A fact has
    /// concept, definition, properties and relations (each with relation and target); a procedure has skill, steps,
    /// conditions and success_rate
    #[arg(long, value_name = "JSON|@FILE", conflicts_with_all = ["file", "lines"])]
    data: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

/// What is known about the statement. With a file, about every line that does not say otherwise.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "About it")]
struct AboutArgs {
    /// What it is [default: fact, or episode with --session and --speaker]
    #[arg(long, value_parser = cli::kind())]
    kind: Option<Kind>,
    /// How long it is meant to live [default: long_term, or episodic with --session and --speaker]
    #[arg(long, value_parser = cli::layer())]
    layer: Option<Layer>,
    /// How much it matters, from 0 to 1
    #[arg(long, value_parser = cli::importance, allow_negative_numbers = true)]
    importance: Option<Importance>,
    /// File it under a word; may be repeated
    #[arg(long)]
    tag: Vec<String>,
    /// Another name of what it is about; may be repeated
    #[arg(long)]
    alias: Vec<String>,
    /// The conversation it belongs to
    #[arg(long)]
    session: Option<String>,
    /// Who said it
    #[arg(long)]
    speaker: Option<String>,
    /// Where it comes from, such as a file or a tool
    #[arg(long)]
    source: Option<String>,
    /// The journal event it came from
    #[arg(long, value_name = "ID")]
    entry: Option<EntryId>,
    /// A circumstance of it, such as spatial.place=office; may be repeated
    #[arg(long, value_name = "CIRCUMSTANCE")]
    context: Vec<Circumstance>,
    /// When it was said or happened: 2026-11-15, an RFC 3339 time, last tuesday, 지난주, 上周, 7d or 3mo (ago)
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    at: Option<Timestamp>,
    /// From when on it must not be seen: 2026-12-31, an RFC 3339 time, next friday, 30d (from now)
    #[arg(long, value_name = "TIME", value_parser = time::future)]
    expires: Option<Timestamp>,
    /// From when on it holds [default: since it was said]
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    valid_from: Option<Timestamp>,
    /// Until when it holds: 2026-12-31 (that day included), an RFC 3339 time, next month, 30d (from now)
    #[arg(long, value_name = "TIME", value_parser = time::through)]
    valid_until: Option<Timestamp>,
    /// Keep it near for good
    #[arg(long)]
    pin: bool,
    /// Its id, where it has one elsewhere
    #[arg(long)]
    id: Option<MemoryId>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if let [.., Scope::Under(_) | Scope::All] | [_, _, ..] = &app.global.namespace[..] {
        return Err(CliError::input(
            "a memory belongs to exactly one namespace",
            "give one, such as --namespace team/agent",
        ));
    }
    time::check_order(args.about.valid_from.or(args.about.at), args.about.valid_until)?;
    let file = args.file.clone().or_else(|| args.lines.then(|| PathBuf::from("-")));
    match file {
        Some(file) => many(args, &file, app),
        None => one(args, app),
    }
}

fn one(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let source = match (&args.data, &args.text[..]) {
        // The structure says it all.
        (Some(_), []) => Source::Words(String::new()),
        (_, words) => Source::of(words),
    };
    if source == Source::Nothing {
        return Err(CliError::input(
            "nothing to remember was given",
            "type it: peri remember Ana prefers tea",
        ));
    }
    let session = app.open()?;
    let content = match source {
        Source::Words(words) => words,
        Source::Standard | Source::Nothing => {
            input::standard(input::CONTENT, session.config.limits.content_bytes_max)?
        }
    };
    let mut request = Remember { content, ..template(args.about, &session) };
    request.facets.data =
        args.data.map(|text| read_data(&text, session.config.limits.content_bytes_max)).transpose()?;
    let expires = request.facets.expires_at;
    let receipt = session.engine.remember(conversation_turn(request))?;
    let report = Report { receipts: vec![receipt], refused: Vec::new() };
    if app.out.json {
        document(&report, &mut app.out)?;
    } else if let Some(receipt) = report.receipts.first() {
        tell(receipt, &session.engine, &mut app.out, app.global.verbose > 0)?;
    }
    tell_expired(expires, &session, &mut app.out)?;
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn template(about: AboutArgs, session: &Session) -> Remember {
    let AboutArgs {
        kind,
        layer,
        importance,
        tag,
        alias,
        session: conversation,
        speaker,
        source,
        entry,
        context,
        at,
        expires,
        valid_from,
        valid_until,
        pin,
        id,
    } = about;
    let facets = Facets {
        tags: tag,
        aliases: alias,
        session: conversation,
        speaker,
        source,
        entry,
        occurred_at: at,
        expires_at: expires,
        valid_from,
        valid_until,
        pinned: pin,
        context: context_of(context),
        ..Facets::default()
    };
    Remember {
        content: String::new(),
        namespace: session.config.namespace.clone(),
        kind,
        layer,
        importance,
        facets,
        id,
    }
}

/// Circumstances together; of two with one name, the later one counts.
pub(super) fn context_of(circumstances: Vec<Circumstance>) -> Context {
    let mut context = Context::default();
    circumstances.into_iter().for_each(|one| context.add(one));
    context
}

/// Reads structured content: JSON, or the name of a file that holds it after an @.
pub(super) fn read_data(text: &str, bytes_max: usize) -> Result<Value, CliError> {
    let hint = "nothing was stored; write JSON such as '{\"concept\":\"tea\"}', or @FILE";
    let read = match text.strip_prefix('@') {
        None => text.to_owned(),
        Some(name) => {
            let mut read = String::new();
            let most = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
            let file = open_file(Path::new(name), name)?;
            file.take(most).read_to_string(&mut read).map_err(|source| CliError::read(name, source))?;
            read
        }
    };
    if read.len() > bytes_max {
        let message =
            format!("the data has more than the {bytes_max} bytes allowed (limits.content_bytes_max)");
        return Err(CliError::input(message, "nothing was stored"));
    }
    match serde_json::from_str(&read) {
        Ok(Value::Null) => Err(CliError::input("the data is null", hint)),
        Ok(data) => Ok(data),
        Err(error) => Err(CliError::input(format!("the data is not JSON: {error}"), hint)),
    }
}

fn tell(receipt: &Receipt, engine: &Perihelion, out: &mut Output, verbose: bool) -> Result<(), CliError> {
    if out.is_quiet() {
        return out.line(&receipt.id.to_string());
    }
    let place = out.paint(FAINT, &format!("in {}", receipt.namespace));
    let line = match receipt.outcome {
        Outcome::Stored => format!("{} {} {place}", out.paint(GOOD, "stored"), receipt.id),
        Outcome::Merged => {
            // What was put aside is told of below, with what it was merged into.
            let why = if receipt.absorbed.is_some() { "" } else { ", which said the same" };
            format!("{} into {} {place}{why}", out.paint(GOOD, "merged"), receipt.id)
        }
        Outcome::Queued => format!("{} {} {place}", out.paint(CAUTION, "queued"), receipt.id),
    };
    out.line(&line)?;
    if receipt.outcome == Outcome::Queued {
        out.note("the store cannot take it now; it is kept on this machine and stored when it can be")?;
        return tell_redacted(&receipt.redacted, out);
    }
    tell_ties(receipt, engine, out)?;
    tell_redacted(&receipt.redacted, out)?;
    match receipt.meaning {
        Meaning::Pending => {
            out.note("it has no vector yet: it is found by its words, and the vector will follow")
        }
        Meaning::WordsOnly if verbose => {
            out.note("it is found by its words alone: the engine gives it no vector")
        }
        Meaning::WordsOnly | Meaning::Embedded => Ok(()),
    }
}

/// What the statement did to others: nothing of it happens without a word.
fn tell_ties(receipt: &Receipt, engine: &Perihelion, out: &mut Output) -> Result<(), CliError> {
    let others = receipt.superseded.iter().chain(&receipt.contradicts).copied();
    let same = receipt.absorbed.map(|_| receipt.id);
    let own = Scope::Exact(receipt.namespace.clone());
    let briefs = Briefs::of(engine, &own, others.chain(same).chain(receipt.absorbed))?;
    if let Some(absorbed) = receipt.absorbed {
        out.line(&format!("  says the same as  {}", briefs.mention(receipt.id, out)))?;
        let aside = briefs.id(absorbed);
        out.line(&format!("  put aside as      {aside}; `peri split {aside}` undoes it"))?;
    }
    for (label, ids) in [("replaces", &receipt.superseded), ("contradicts", &receipt.contradicts)] {
        for id in ids {
            out.line(&format!("  {label:<16}  {}", briefs.mention(*id, out)))?;
        }
    }
    Ok(())
}

/// A memory that nobody will ever see is worth a word.
pub(super) fn tell_expired(
    expires: Option<Timestamp>,
    session: &Session,
    out: &mut Output,
) -> Result<(), CliError> {
    match expires {
        Some(at) if at <= session.engine.options().clock.now() => {
            out.note("it has expired already: recall and list leave it out")
        }
        _ => Ok(()),
    }
}

fn tell_redacted(redacted: &[RedactedSecret], out: &mut Output) -> Result<(), CliError> {
    if redacted.is_empty() {
        return Ok(());
    }
    let kinds = redacted.iter().map(|secret| match secret.count {
        1 => secret.kind.clone(),
        count => format!("{count} × {}", secret.kind),
    });
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    out.note(&format!("secrets were taken out before it was stored: {kinds}"))
}

fn many(args: Args, file: &Path, app: &mut App) -> Result<Exit, CliError> {
    let standard = file == Path::new("-");
    if standard && std::io::stdin().is_terminal() {
        return Err(CliError::input("nothing is piped in", "write: peri remember --lines < notes.txt"));
    }
    let name = if standard { "standard input".to_owned() } else { file.display().to_string() };
    let opened = if standard { None } else { Some(open_file(file, &name)?) };
    let bytes = opened.as_ref().and_then(|file| file.metadata().ok());
    // A pipe with a name has no size.
    let bytes = bytes.filter(Metadata::is_file).map(|metadata| metadata.len());
    let session = app.open()?;
    let job = Import {
        engine: &session.engine,
        format: if args.lines { Some(Format::Lines) } else { args.format.or_else(|| format_of(file)) },
        template: template(args.about, &session),
        name: name.clone(),
        progress: import::progress(bytes, app.out.wants_progress()),
    };
    let report = match opened {
        Some(file) => job.run(BufReader::with_capacity(1 << 16, file))?,
        None => job.run(std::io::stdin().lock())?,
    };
    if report.receipts.is_empty() && report.refused.is_empty() {
        return Err(CliError::input(format!("{name} holds no memory: it is empty"), "nothing was stored"));
    }
    tell_report(&report, app)?;
    session.close(&mut app.out)?;
    Ok(match (report.refused.is_empty(), report.receipts.is_empty()) {
        (true, _) => Exit::Done,
        (false, false) => Exit::Partly,
        (false, true) => Exit::BadInput,
    })
}

pub(super) fn open_file(file: &Path, name: &str) -> Result<File, CliError> {
    if file.is_dir() {
        return Err(CliError::input(format!("{name} is a folder"), "nothing was stored; name a file in it"));
    }
    peri_private::open_named(file).map_err(|source| CliError::read(name, source))
}

fn format_of(file: &Path) -> Option<Format> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    matches!(extension.as_str(), "jsonl" | "ndjson").then_some(Format::Jsonl)
}

fn tell_report(report: &Report, app: &mut App) -> Result<(), CliError> {
    let out = &mut app.out;
    if out.json {
        return document(report, out);
    }
    tell_refused(&report.refused, out)?;
    let secrets: usize =
        report.receipts.iter().flat_map(|receipt| &receipt.redacted).map(|secret| secret.count).sum();
    if secrets > 0 {
        out.note(&format!(
            "{} taken out before storing",
            counted(secrets as u64, "secret was", "secrets were")
        ))?;
    }
    let pending = report.receipts.iter().filter(|receipt| receipt.meaning == Meaning::Pending).count();
    if pending > 0 {
        out.note(&format!(
            "{} without a vector yet; they are found by their words",
            grouped(pending as u64)
        ))?;
    }
    let count = |part: fn(&Receipt) -> usize| report.receipts.iter().map(part).sum::<usize>() as u64;
    for (count, one, many) in [
        (
            count(|receipt| receipt.superseded.len()),
            "older memory was replaced",
            "older memories were replaced",
        ),
        (count(|receipt| receipt.contradicts.len()), "contradiction was found", "contradictions were found"),
    ] {
        if count > 0 {
            out.note(&format!("{}; peri logs tells which", counted(count, one, many)))?;
        }
    }
    let counts = [
        (report.count(Outcome::Stored), "stored"),
        (report.count(Outcome::Merged), "merged"),
        (report.refused.len(), "refused"),
    ];
    let mut parts = counts.map(|(count, what)| format!("{} {what}", grouped(count as u64))).to_vec();
    let queued = report.count(Outcome::Queued);
    if queued > 0 {
        parts.insert(2, format!("{} queued", grouped(queued as u64)));
    }
    out.line(&parts.join(", "))
}

pub(super) fn tell_refused(refused: &[Refused], out: &mut Output) -> Result<(), CliError> {
    for one in refused.iter().take(REFUSALS_TOLD) {
        out.refusal(&format!("line {}: {}", one.line, one.reason))?;
    }
    match refused.len().saturating_sub(REFUSALS_TOLD) {
        0 => Ok(()),
        more => out.refusal(&format!("and {} more lines", grouped(more as u64))),
    }
}

fn document(report: &Report, out: &mut Output) -> Result<(), CliError> {
    out.document(&json!({
        "stored": report.count(Outcome::Stored),
        "merged": report.count(Outcome::Merged),
        "queued": report.count(Outcome::Queued),
        "refused": report.refused,
        "receipts": report.receipts,
    }))
}
