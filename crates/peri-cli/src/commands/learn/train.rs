//! `peri learn distil|train|stats|sets|rollback`: what is drawn from what was done, and going back on it.

use std::collections::BTreeSet;

use clap::ValueEnum;
use perihelion::{
    AdapterTrial, Distilling, LearnedInfo, LearningOverview, Namespace, Perihelion, Scope, TrainedRouter,
};
use serde::Serialize;
use serde_json::json;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{CAUTION, FAINT, GOOD, Output, STRONG, counted, grouped};
use crate::time;

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The worker ultralearn does the same by itself in `peri serve`.\n\nExample:\n  peri learn distil"
)]
pub(super) struct DistilArgs {}

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The router learns from recorded tasks that name their agent, the adapter from feedback; an adapter is taken only if it proves itself on feedback that it was not learned from. The worker learning does the same by itself in `peri serve`.\n\nExample:\n  peri learn train -n team/shop"
)]
pub(super) struct TrainArgs {}

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri learn stats --json")]
pub(super) struct StatsArgs {}

/// Of what.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri learn sets router")]
pub(super) struct SetsArgs {
    /// What was learned
    name: LearnedName,
}

/// Back to what.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri learn rollback adapter 0")]
pub(super) struct RollbackArgs {
    /// What was learned
    name: LearnedName,
    /// The number of the set, as `peri learn sets` shows it; 0 is nothing learned
    number: u64,
}

/// What is learned as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnedName {
    /// Who should take a task
    Router,
    /// How questions are understood
    Adapter,
}

impl LearnedName {
    fn as_str(self) -> &'static str {
        match self {
            Self::Router => "router",
            Self::Adapter => "adapter",
        }
    }
}

/// Draws patterns, everywhere unless a scope is named.
pub(super) fn distil(app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let drawn = session.engine.distil(&scope, &|| true)?;
    if app.out.json {
        app.out.document(&json!({ "namespaces": drawn }))?;
    } else if drawn.is_empty() {
        app.out.note("nothing was recorded since the last time, and nothing is to be tended")?;
    } else {
        drawn.iter().try_for_each(|one| tell_drawn(one, &mut app.out))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_drawn(drawn: &Distilling, out: &mut Output) -> Result<(), CliError> {
    let Distilling { namespace, trajectories, learned, judged, promoted, retired, merged } = drawn;
    let head = out.paint(STRONG, namespace.as_str());
    out.line(&format!("{head}  {} looked at", counted(*trajectories, "trajectory", "trajectories")))?;
    let parts = [
        (learned.len() as u64, "learned"),
        (judged.len() as u64, "judged by how tasks ended"),
        (promoted.len() as u64, "kept for good"),
        (retired.len() as u64, "put aside"),
        (*merged, "joined into others"),
    ];
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        out.line(&format!("    {} {what}", counted(count, "pattern", "patterns")))?;
    }
    Ok(())
}

/// What training one namespace came to.
#[derive(Serialize)]
struct Trained {
    namespace: Namespace,
    router: Option<TrainedRouter>,
    adapter: Option<AdapterTrial>,
}

/// Trains, everywhere unless a scope is named.
pub(super) fn train(app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let mut all = Vec::new();
    for namespace in namespaces(&session.engine, &scope)? {
        let router = session.engine.train_router(&namespace)?;
        let adapter = session.engine.train_adapter(&namespace, &|| true)?;
        if router.is_some() || adapter.is_some() {
            all.push(Trained { namespace, router, adapter });
        }
    }
    if app.out.json {
        app.out.document(&json!({ "namespaces": all }))?;
    } else if all.is_empty() {
        app.out.note("there is nothing to learn from yet: no task that names its agent, no new feedback")?;
    } else {
        all.iter().try_for_each(|one| tell_trained(one, &mut app.out))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Where something was remembered, and so may have been judged, or a task was recorded.
fn namespaces(engine: &Perihelion, scope: &Scope) -> Result<BTreeSet<Namespace>, CliError> {
    let mut all: BTreeSet<Namespace> = engine.namespaces(scope)?.into_iter().collect();
    all.extend(engine.learning(scope)?.namespaces.into_iter().map(|stats| stats.namespace));
    Ok(all)
}

fn tell_trained(trained: &Trained, out: &mut Output) -> Result<(), CliError> {
    let head = out.paint(STRONG, trained.namespace.as_str());
    out.line(&head)?;
    if let Some(router) = &trained.router {
        let outcomes = counted(router.outcomes, "outcome", "outcomes");
        let agents = router.agents.len() as u64;
        let line =
            format!("set {}, learned from {outcomes}, {}", router.set, counted(agents, "agent", "agents"));
        out.field("router", &line)?;
    }
    if let Some(trial) = &trained.adapter {
        let verdict = if trial.taken { out.paint(GOOD, "taken") } else { out.paint(CAUTION, "not taken") };
        out.line(&format!(
            "{} {verdict}: {}",
            out.paint(FAINT, &format!("{:<14}", "adapter")),
            out.clean(&trial.verdict)
        ))?;
    }
    Ok(())
}

/// Tells what has been learned.
pub(super) fn stats(app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let overview = session.engine.learning(&scope)?;
    if app.out.json {
        app.out.document(&overview)?;
    } else {
        tell_overview(&overview, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell_overview(overview: &LearningOverview, out: &mut Output) -> Result<(), CliError> {
    out.field("patterns", &patterns_words(overview.short_term, overview.long_term, overview.retired))?;
    out.field("trajectories", &trajectories_words(overview.trajectories, overview.undistilled))?;
    for stats in &overview.namespaces {
        let head = out.paint(STRONG, stats.namespace.as_str());
        out.line("")?;
        out.line(&head)?;
        out.field("patterns", &patterns_words(stats.short_term, stats.long_term, stats.retired))?;
        out.field("trajectories", &trajectories_words(stats.trajectories, stats.undistilled))?;
        for info in overview.learned.iter().filter(|info| info.namespace == stats.namespace) {
            out.field(&info.name, &info_words(info))?;
        }
    }
    Ok(())
}

fn patterns_words(short: u64, long: u64, retired: u64) -> String {
    let (short, long, retired) = (grouped(short), grouped(long), grouped(retired));
    format!("{long} kept for good, {short} to prove themselves, {retired} put aside")
}

fn trajectories_words(all: u64, undistilled: u64) -> String {
    format!("{}, {} of them not drawn from yet", grouped(all), grouped(undistilled))
}

fn info_words(info: &LearnedInfo) -> String {
    let takes_part = if info.active { "" } else { "takes no part: " };
    format!("set {} of {}, {takes_part}{}", info.set, time::date_time(info.at), info.reason)
}

/// Tells what a router or an adapter was.
pub(super) fn sets(args: &SetsArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let name = args.name.as_str();
    let sets = session.engine.learned_sets(&namespace, name)?;
    if app.out.json {
        app.out.document(&json!({ "namespace": namespace, "name": name, "sets": sets }))?;
    } else {
        for (at, set) in sets.iter().enumerate() {
            let number = app.out.paint(STRONG, &format!("{:>3}", set.set));
            let mark = if at == 0 { app.out.paint(STRONG, "holds now: ") } else { String::new() };
            let reason = app.out.clean(&set.reason);
            app.out.line(&format!("{number}  {}  {mark}{reason}", time::date_time(set.at)))?;
        }
        if sets.is_empty() {
            app.out.note(&format!("no {name} was learned in {namespace} yet"))?;
        }
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

/// Goes back.
pub(super) fn rollback(args: &RollbackArgs, app: &mut App) -> Result<Exit, CliError> {
    let session = app.open()?;
    let namespace = app.one_namespace(&session.config)?;
    let (name, number) = (args.name.as_str(), args.number);
    let set = session.engine.rollback_learned(&namespace, name, number)?;
    if app.out.json {
        app.out.document(&json!({ "namespace": namespace, "name": name, "set": set }))?;
    } else {
        let done = app.out.paint(GOOD, "rolled back");
        app.out
            .line(&format!("{done} the {name} of {namespace} to set {number}; it is set {} now", set.set))?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}
