//! How patterns and trajectories look to people.

use perihelion::{Pattern, PatternMatch, PatternTerm, TaskOutcome, Trajectory};

use crate::error::CliError;
use crate::output::{ACCENT, BAD, CAUTION, FAINT, GOOD, Output, counted};
use crate::time;

/// Patterns that are offered beside an answer.
pub(crate) fn tell_matches(matches: &[PatternMatch], out: &mut Output) -> Result<(), CliError> {
    for found in matches {
        let head = out.paint(GOOD, "worked before:");
        let score = out.paint(ACCENT, &format!("{:.2}", found.score));
        out.line(&format!("{head} {score}  {}", record(&found.pattern, out)))?;
        out.indented(&found.pattern.strategy)?;
        let id = out.paint(FAINT, &found.pattern.id.to_string());
        out.line(&format!("    {id}"))?;
    }
    Ok(())
}

/// A pattern in a list.
pub(super) fn tell_pattern(
    pattern: &Pattern,
    score: Option<f32>,
    namespace: bool,
    out: &mut Output,
) -> Result<(), CliError> {
    let score =
        score.map(|score| format!("{}  ", out.paint(ACCENT, &format!("{score:.2}")))).unwrap_or_default();
    let place =
        if namespace { format!("  {}", out.paint(FAINT, pattern.namespace.as_str())) } else { String::new() };
    let id = out.paint(FAINT, &pattern.id.to_string());
    out.line(&format!("{id}  {score}{}{place}", record(pattern, out)))?;
    out.indented(&pattern.strategy)
}

/// What is known of a pattern, in a few words.
fn record(pattern: &Pattern, out: &Output) -> String {
    let Pattern { domain, agent, quality, uses, successes, term, .. } = pattern;
    let agent = agent.as_ref().map(|agent| format!(", for {}", out.clean(agent))).unwrap_or_default();
    let term = if *term == PatternTerm::Long { ", kept for good" } else { "" };
    let used = match uses {
        0 => "not followed yet".to_owned(),
        uses => format!("{successes} of {uses} succeeded"),
    };
    let aside = if pattern.retired_at.is_some() {
        format!(", {}", out.paint(CAUTION, "put aside"))
    } else {
        String::new()
    };
    format!("{}{agent}, quality {quality:.2}, {used}{term}{aside}", out.clean(domain))
}

/// Everything about a pattern.
pub(super) fn tell_whole_pattern(pattern: &Pattern, out: &mut Output) -> Result<(), CliError> {
    out.field("pattern", &pattern.id.to_string())?;
    out.field("namespace", pattern.namespace.as_str())?;
    out.field("field", &pattern.domain)?;
    if let Some(agent) = &pattern.agent {
        out.field("agent", agent)?;
    }
    out.field("quality", &format!("{:.2}", pattern.quality))?;
    out.field(
        "followed",
        &format!("{}, {} succeeded", counted(u64::from(pattern.uses), "time", "times"), pattern.successes),
    )?;
    out.field(
        "kept",
        if pattern.term == PatternTerm::Long { "for good" } else { "until it has proved itself" },
    )?;
    out.field("learned", &time::date_time(pattern.created_at))?;
    if let Some(at) = pattern.used_at {
        out.field("last followed", &time::date_time(at))?;
    }
    if let Some(at) = pattern.retired_at {
        out.field("put aside", &time::date_time(at))?;
    }
    let sources = pattern.sources.len() as u64;
    out.field(
        "drawn from",
        &if sources == 0 {
            "what somebody told".to_owned()
        } else {
            counted(sources, "trajectory", "trajectories")
        },
    )?;
    out.indented(&pattern.strategy)
}

/// A trajectory on one line.
pub(super) fn tell_trajectory(one: &Trajectory, namespace: bool, out: &mut Output) -> Result<(), CliError> {
    let ended = ended(one.outcome, out);
    let agent = one.agent.as_ref().map(|agent| format!("{}  ", out.clean(agent))).unwrap_or_default();
    let place = if namespace { format!("{}  ", one.namespace) } else { String::new() };
    let id = out.paint(FAINT, &one.id.to_string());
    let steps = counted(one.steps.len() as u64, "step", "steps");
    out.line(&format!(
        "{id}  {}  {ended}  {place}{}  {agent}{steps}",
        time::date(one.at),
        out.clean(&one.domain)
    ))?;
    out.indented(&one.task)
}

/// Everything about a trajectory.
pub(super) fn tell_whole_trajectory(one: &Trajectory, out: &mut Output) -> Result<(), CliError> {
    out.field("trajectory", &one.id.to_string())?;
    out.field("namespace", one.namespace.as_str())?;
    out.field("field", &one.domain)?;
    for (label, value) in [("agent", &one.agent), ("session", &one.session)] {
        if let Some(value) = value {
            out.field(label, value)?;
        }
    }
    let ended = ended(one.outcome, out);
    out.line(&format!("{} {}", out.paint(FAINT, &format!("{:<14}", "ended")), ended.trim_end()))?;
    out.field("when", &time::date_time(one.at))?;
    if one.duration_ms > 0 {
        out.field("took", &format!("{} ms", one.duration_ms))?;
    }
    for id in &one.patterns {
        out.field("followed", &id.to_string())?;
    }
    out.field("drawn from", if one.distilled_at.is_some() { "yes" } else { "not yet" })?;
    out.indented(&one.task)?;
    for (at, step) in one.steps.iter().enumerate() {
        let line = if step.output.is_empty() {
            step.input.clone()
        } else {
            format!("{} => {}", step.input, step.output)
        };
        out.indented(&format!("{}. {line}", at + 1))?;
    }
    Ok(())
}

fn ended(outcome: TaskOutcome, out: &Output) -> String {
    let style = match outcome {
        TaskOutcome::Success => GOOD,
        TaskOutcome::Partial => CAUTION,
        TaskOutcome::Failure => BAD,
    };
    out.paint(style, &format!("{outcome:<7}"))
}
