//! `peri vault`: the folder of Markdown documents that is remembered and followed.

use std::io::Read as _;
use std::sync::Arc;

use peri_vault::{Class, Follower, Key, Missing, Put, Status, Sync, Synced, Vault, VaultError};
use serde_json::json;

use crate::app::{App, Session};
use crate::config::VaultSettings;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, GOOD, counted};
use crate::{runtime, signals, time, vault};

/// What to do with the vault.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri vault put knowledge/facts/office office.md\n  peri vault sync")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Tell where the vault is, what it holds, and what needs somebody
    #[command(after_help = "Example:\n  peri vault status")]
    Status,
    /// Bring documents and memories into step
    Sync(SyncArgs),
    /// Show the documents
    List(ListArgs),
    /// Print a document
    #[command(after_help = "Example:\n  peri vault get knowledge/facts/office")]
    Get(KeyArgs),
    /// Write a document, and remember it if it is knowledge
    Put(PutArgs),
    /// Move a document to the vault's trash, and its memories to theirs
    #[command(after_help = "Example:\n  peri vault delete knowledge/facts/office")]
    Delete(KeyArgs),
    /// Follow edits until Ctrl-C; `peri serve` and `peri mcp` do so too
    #[command(after_help = "Example:\n  peri vault watch")]
    Watch,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri vault sync\n  peri vault sync --write-missing")]
struct SyncArgs {
    /// A folder that is gone was deleted on purpose: move its memories to the trash
    #[arg(long, conflicts_with = "write_missing")]
    confirm_missing: bool,
    /// Write the files of a folder that is gone anew, from its memories
    #[arg(long)]
    write_missing: bool,
}

impl SyncArgs {
    fn missing(&self) -> Missing {
        match (self.confirm_missing, self.write_missing) {
            (true, _) => Missing::Deleted,
            (_, true) => Missing::WrittenAnew,
            _ => Missing::Refused,
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri vault list knowledge/")]
struct ListArgs {
    /// Only documents whose key begins like this, such as knowledge/facts/
    prefix: Option<String>,
}

#[derive(Debug, clap::Args)]
struct KeyArgs {
    /// The key: system, world, user:ana, knowledge/facts/coffee
    key: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  peri vault put system prompt.md\n  \
    echo 'The office closes at six.' | peri vault put knowledge/facts/office\n\n\
    A text without front matter replaces the body alone; the front matter stays.")]
struct PutArgs {
    /// The key: system, world, user:ana, knowledge/facts/coffee
    key: String,
    /// The file to read; - or nothing reads standard input
    file: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    match args.verb {
        Verb::Status => status(app),
        Verb::Sync(args) => sync(&args, app),
        Verb::List(args) => list(&args, app),
        Verb::Get(args) => get(&args, app),
        Verb::Put(args) => put(&args, app),
        Verb::Delete(args) => delete(&args, app),
        Verb::Watch => watch(app),
    }
}

/// The vault as it is configured.
fn named(settings: &VaultSettings) -> Result<Vault, CliError> {
    settings.named().ok_or_else(|| {
        CliError::input("the vault is switched off", "set vault.enabled to auto or on in perihelion.toml")
    })
}

/// The vault, which must exist.
fn existing(settings: &VaultSettings) -> Result<Vault, CliError> {
    let vault = named(settings)?;
    if vault.exists() {
        return Ok(vault);
    }
    if settings.is_on() {
        vault.create()?;
        return Ok(vault);
    }
    Err(CliError::input(
        format!("there is no vault at {}", vault.folder().display()),
        "peri vault put KEY FILE makes one, or create the folder; vault.folder says where it is",
    ))
}

fn status(app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let status = named(&loaded.config.vault)?.status()?;
    let out = &mut app.out;
    if out.json {
        out.document(&status)?;
        return Ok(Exit::Done);
    }
    let Status { folder, exists, namespace, config, knowledge, memories, links, synced_at, waiting, .. } =
        &status;
    out.line(&format!("folder     {}{}", folder.display(), if *exists { "" } else { " (does not exist)" }))?;
    out.line(&format!("namespace  {namespace}"))?;
    out.line(&format!("documents  {config} config, {knowledge} knowledge"))?;
    out.line(&format!("memories   {memories}, {} between them", counted(*links as u64, "link", "links")))?;
    out.line(&format!("in step    {}", synced_at.map_or("never yet".to_owned(), time::date_time)))?;
    if *waiting > 0 {
        out.line(&format!("waiting    {}", counted(*waiting as u64, "document", "documents")))?;
        out.hint("peri vault sync takes them in, as does the next recall")?;
    }
    if status.elsewhere > 0 {
        let files = counted(status.elsewhere as u64, "Markdown file", "Markdown files");
        out.line(&format!("left alone {files} outside of md/ and knowledge/"))?;
    }
    for key in &status.conflicts {
        let key = out.clean(&key.to_string());
        out.line(&format!("{} {key}", out.paint(BAD, "conflict")))?;
    }
    for problem in &status.problems {
        let told = out.clean(&format!("{}: {}", problem.path, problem.why));
        out.line(&format!("{} {told}", out.paint(BAD, "problem")))?;
    }
    Ok(Exit::Done)
}

fn sync(args: &SyncArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let vault = existing(&session.config.vault)?;
    let outcome = vault.sync_with(&session.engine, args.missing())?;
    tell_sync(&outcome, app)?;
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_sync(outcome: &Sync, app: &mut App) -> Result<(), CliError> {
    let out = &mut app.out;
    let synced = match outcome {
        Sync::Done(synced) => synced,
        Sync::HeldElsewhere if out.json => return out.document(&json!({ "held_elsewhere": true })),
        Sync::HeldElsewhere => return out.line("another process is at it, and does the same"),
        Sync::ReadOnly if out.json => return out.document(&json!({ "read_only": true })),
        Sync::ReadOnly => return out.line("nothing was done: the memories can only be read"),
    };
    if out.json {
        return out.document(synced);
    }
    if let Some(why) = &synced.rebuilt {
        out.note(&format!("everything was looked at anew: {why}"))?;
    }
    for line in lines(synced) {
        let line = out.clean(&line);
        out.line(&line)?;
    }
    vault::tell_conflicts(synced, out)?;
    for problem in &synced.problems {
        let told = out.clean(&format!("{}: {}", problem.path, problem.why));
        out.warning(&told)?;
    }
    let documents = counted(synced.documents as u64, "document", "documents");
    out.line(&format!("{} {documents} of knowledge", out.paint(GOOD, "in step")))
}

/// What was done, a line for each document; numbers where there are many.
fn lines(synced: &Synced) -> Vec<String> {
    const SHOWN_MAX: usize = 20;
    let mut lines = Vec::new();
    for (what, keys) in [
        ("added", &synced.added),
        ("changed", &synced.changed),
        ("deleted", &synced.deleted),
        ("rewritten", &synced.rewritten),
        ("to the trash", &synced.discarded),
        ("written anew", &synced.restored),
    ] {
        lines.extend(keys.iter().take(SHOWN_MAX).map(|key| format!("{what}  {key}")));
        if keys.len() > SHOWN_MAX {
            lines.push(format!("{what}  {} more", keys.len() - SHOWN_MAX));
        }
    }
    lines.extend(synced.renamed.iter().map(|(from, to)| format!("renamed  {from} to {to}")));
    if synced.links_drawn + synced.links_removed > 0 {
        lines.push(format!("links  {} drawn, {} taken away", synced.links_drawn, synced.links_removed));
    }
    lines
}

fn list(args: &ListArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let mut documents = existing(&loaded.config.vault)?.list()?;
    if let Some(prefix) = &args.prefix {
        documents.retain(|document| document.key.to_string().starts_with(prefix.as_str()));
    }
    if app.out.json {
        app.out.document(&json!({ "documents": documents }))?;
        return Ok(Exit::Done);
    }
    if documents.is_empty() {
        app.out.note("no documents that fit")?;
    }
    for document in &documents {
        let changed = document.modified_at.map(time::date_time).unwrap_or_default();
        let key = app.out.clean(&document.key.to_string());
        let class = if document.class == Class::Config { "config   " } else { "knowledge" };
        app.out.line(&format!("{class}  {changed}  {key}"))?;
    }
    Ok(Exit::Done)
}

fn get(args: &KeyArgs, app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let key = Key::parse(&args.key)?;
    let document = named(&loaded.config.vault)?.get(&key)?;
    if app.out.json {
        app.out.document(&document)?;
    } else {
        app.out.bytes(document.text.as_bytes())?;
    }
    Ok(Exit::Done)
}

fn put(args: &PutArgs, app: &mut App) -> Result<Exit, CliError> {
    let key = Key::parse(&args.key)?;
    let text = read(args)?;
    let session = app.open()?;
    let vault = named(&session.config.vault)?;
    let put = vault.put(&key, &text)?;
    session.sync_vault(&mut app.out)?;
    if app.out.json {
        app.out.document(&json!({ "key": key, "path": key.path(), "put": put }))?;
    } else {
        let what = match put {
            Put::Created => "created",
            Put::Changed => "changed",
            Put::Unchanged => "unchanged",
        };
        let told = app.out.clean(key.path());
        app.out.line(&format!("{} {told}", app.out.paint(GOOD, what)))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn read(args: &PutArgs) -> Result<String, CliError> {
    let (what, bytes) = match args.file.as_deref() {
        Some(path) if path != "-" => {
            let mut bytes = Vec::new();
            let read = peri_private::open_named(path).and_then(|mut file| file.read_to_end(&mut bytes));
            (path, read.map(|_| bytes))
        }
        _ => {
            let mut bytes = Vec::new();
            ("standard input", std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
    };
    let bytes = bytes.map_err(|error| CliError::read(what, error))?;
    String::from_utf8(bytes).map_err(|_| {
        CliError::input(
            format!("{what} is not UTF-8 text"),
            "nothing was written; convert it first, for example with iconv -t UTF-8",
        )
    })
}

fn delete(args: &KeyArgs, app: &mut App) -> Result<Exit, CliError> {
    let key = Key::parse(&args.key)?;
    let session = app.open()?;
    let vault = named(&session.config.vault)?;
    let place = vault.delete(&key)?;
    session.sync_vault(&mut app.out)?;
    if app.out.json {
        app.out.document(&json!({ "key": key, "moved_to": place }))?;
    } else {
        let told = app.out.clean(&key.to_string());
        app.out.line(&format!("{} {told}", app.out.paint(GOOD, "deleted")))?;
        app.out.hint(&format!("it is kept as {}", place.display()))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Follows the vault and tells of everything that is done.
fn watch(app: &mut App) -> Result<Exit, CliError> {
    let Session { engine, config } = app.open()?;
    let vault = existing(&config.vault)?;
    let engine = Arc::new(engine);
    let runtime = runtime::start()?;
    let stop = runtime.block_on(async { signals::stop() })?;
    app.out.note(&format!("following {}; Ctrl-C ends it", vault.folder().display()))?;
    app.out.flush()?;
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let shared = Arc::clone(&engine);
    let tell = move |synced: &Synced| {
        if sender.send(synced.clone()).is_err() {
            tracing::debug!("nobody listens any more");
        }
    };
    let follower = Follower::start(vault, move || Some(shared), Box::new(tell)).map_err(|error| {
        VaultError::File { what: "no thread to follow", path: "the vault".into(), source: error }
    })?;
    let outcome = runtime.block_on(async {
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => return Ok(()),
                Some(synced) = told.recv() => {
                    tell_sync(&Sync::Done(Box::new(synced)), app)?;
                    app.out.flush()?;
                }
            }
        }
    });
    follower.end();
    drop(runtime);
    if let Some(engine) = Arc::into_inner(engine) {
        Session { engine, config }.close(&mut app.out)?;
    }
    outcome.map(|()| Exit::Done)
}
