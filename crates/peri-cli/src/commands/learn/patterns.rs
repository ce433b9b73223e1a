//! `peri learn patterns|store|show|promote|retire|restore`: the strategies that worked.

use perihelion::{NewPattern, Pattern, PatternList, PatternOutcome, PatternQuery, PatternTerm, Scope};
use serde_json::json;

use super::ids::{self, Named};
use super::tell;
use crate::app::App;
use crate::cli;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::output::{CAUTION, GOOD, Output};

/// Which patterns.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri learn patterns\n  peri learn patterns how to deploy billing\n  peri learn patterns --domain testing --term long"
)]
pub(super) struct ListArgs {
    /// A task, in words: what worked for such tasks; the best of all without one
    query: Vec<String>,
    /// Only of this field, such as security
    #[arg(long)]
    domain: Option<String>,
    /// Only those that are kept so long
    #[arg(long, value_parser = cli::pattern_term(), conflicts_with = "query")]
    term: Option<PatternTerm>,
    /// Those that were put aside, instead of those that are offered
    #[arg(long, conflicts_with = "query")]
    retired: bool,
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

/// A strategy.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri learn store run the failing test alone first --domain testing --agent tester"
)]
pub(super) struct StoreArgs {
    /// What to do, in words; - or nothing reads it from standard input
    strategy: Vec<String>,
    /// The field it belongs to, such as security [default: found by its words]
    #[arg(long)]
    domain: Option<String>,
    /// Who should do it
    #[arg(long)]
    agent: Option<String>,
    /// How well it works, from 0 to 1 [default: 0.5]
    #[arg(long, value_parser = cli::share)]
    quality: Option<f32>,
}

/// One pattern or trajectory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri learn show 0198c5b2-7d3e")]
pub(super) struct ShowArgs {
    /// Its id, or how it begins
    id: String,
}

/// One pattern.
#[derive(Debug, clap::Args)]
pub(super) struct OneArgs {
    /// Its id, or how it begins
    id: String,
}

/// What becomes of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It is kept for good.
    Promote,
    /// It is put aside.
    Retire,
    /// It is offered again.
    Restore,
}

/// Lists patterns.
pub(super) fn list(args: ListArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let scope = app.scope_or(Scope::Exact(session.config.namespace.clone()))?;
    let several = !matches!(scope, Scope::Exact(_));
    let query = args.query.join(" ");
    let ListArgs { domain, term, retired, limit, .. } = args;
    if query.trim().is_empty() {
        let list = PatternList { scope: scope.clone(), domain, term, retired, limit: Some(limit) };
        let patterns = session.engine.patterns(&list)?;
        if app.out.json {
            app.out.document(&json!({ "patterns": patterns }))?;
        } else if patterns.is_empty() {
            tell_nothing(&scope, &mut app.out)?;
        }
        if !app.out.json {
            patterns.iter().try_for_each(|one| tell::tell_pattern(one, None, several, &mut app.out))?;
        }
    } else {
        let request = PatternQuery { query, scopes: vec![scope.clone()], domain, limit: Some(limit) };
        let found = session.engine.search_patterns(&request)?;
        if app.out.json {
            let (query, matches, degraded) = (&request.query, &found.matches, &found.degraded);
            app.out.document(&json!({ "query": query, "matches": matches, "degraded": degraded }))?;
        } else {
            for one in &found.matches {
                tell::tell_pattern(&one.pattern, Some(one.score), several, &mut app.out)?;
            }
            found.degraded.iter().try_for_each(|degraded| app.out.warning(degraded))?;
            if found.matches.is_empty() {
                app.out.note(&format!("no pattern in {scope} fits such a task"))?;
            }
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_nothing(scope: &Scope, out: &mut Output) -> Result<(), CliError> {
    out.note(&format!("no patterns in {scope} that fit"))?;
    out.hint("`peri learn record` records tasks, and `peri learn distil` draws patterns from them")
}

/// Keeps a strategy.
pub(super) fn store(args: StoreArgs, app: &mut App) -> Result<Exit, CliError> {
    let source = Source::of(&args.strategy);
    if source == Source::Nothing {
        return Err(CliError::input(
            "no strategy was given",
            "write: peri learn store run the failing test alone first",
        ));
    }
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let strategy = match source {
        Source::Words(words) => words,
        Source::Standard | Source::Nothing => {
            input::standard(input::CONTENT, session.config.limits.content_bytes_max)?
        }
    };
    let StoreArgs { domain, agent, quality, .. } = args;
    let new = NewPattern { namespace, strategy, domain, agent, quality };
    let receipt = session.engine.store_pattern(new)?;
    if app.out.json {
        app.out.document(&receipt)?;
    } else if app.out.is_quiet() {
        app.out.line(&receipt.pattern.id.to_string())?;
    } else {
        let done = match receipt.outcome {
            PatternOutcome::Stored => app.out.paint(GOOD, "stored"),
            PatternOutcome::Merged => app.out.paint(CAUTION, "merged into"),
            PatternOutcome::Queued => app.out.paint(CAUTION, "queued"),
        };
        app.out.line(&format!("{done} {}", receipt.pattern.id))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Shows one pattern or trajectory.
pub(super) fn show(args: &ShowArgs, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    match ids::either(&session.engine, &scope, &args.id)? {
        Named::Pattern(id) => {
            let pattern = session.engine.pattern(&scope, id)?;
            if app.out.json {
                app.out.document(&json!({ "pattern": pattern }))?;
            } else {
                tell::tell_whole_pattern(&pattern, &mut app.out)?;
            }
        }
        Named::Trajectory(id) => {
            let trajectory = session.engine.trajectory(&scope, id)?;
            if app.out.json {
                app.out.document(&json!({ "trajectory": trajectory }))?;
            } else {
                tell::tell_whole_trajectory(&trajectory, &mut app.out)?;
            }
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Changes one pattern.
pub(super) fn change(args: &OneArgs, change: Change, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let engine = &session.engine;
    let id = ids::pattern(engine, &scope, &args.id)?;
    let before = engine.pattern(&scope, id)?;
    let after = match change {
        Change::Promote => engine.promote_pattern(&scope, id)?,
        Change::Retire => engine.retire_pattern(&scope, id)?,
        Change::Restore => engine.restore_pattern(&scope, id)?,
    };
    let is_changed = state(&before) != state(&after);
    if app.out.json {
        app.out.document(&json!({ "pattern": after, "changed": is_changed }))?;
    } else if is_changed {
        let done = match change {
            Change::Promote => "kept for good",
            Change::Retire => "put aside",
            Change::Restore => "offered again",
        };
        let done = app.out.paint(GOOD, done);
        app.out.line(&format!("{done} {id}"))?;
    } else {
        app.out.line(&format!("nothing changed: {id} is so already"))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn state(pattern: &Pattern) -> (PatternTerm, bool) {
    (pattern.term, pattern.retired_at.is_some())
}
