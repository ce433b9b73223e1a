//! From finished turns of the journal to trajectories: what set a turn off is the task, its tool calls are the steps.

use peri_store::{Order, TurnQuery};
use peri_types::{
    JournalPosition, JournalStatus, Scope, TaskOutcome, Timestamp, TrajectoryId, TrajectoryStep, Turn,
};
use serde_json::Value;

use super::record::NewTrajectory;
use crate::engine::Perihelion;
use crate::{Error, Outcome};

/// Turns are read so many at a time.
const PAGE: usize = 100;

/// A step is told in so many characters, and what came of it in so many.
const STEP_CHARS: usize = 200;
const OUTPUT_CHARS: usize = 400;

/// What tells the id of a trajectory from that of the turn it was made of.
const MARK: [u8; 4] = *b"trj\0";

/// What came of looking at turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnsLearned {
    /// Turns that were looked at.
    pub turns: u64,
    /// Trajectories that are new.
    pub recorded: u64,
    /// Where to go on the next time.
    pub next: Option<JournalPosition>,
}

impl Perihelion {
    /// Records a trajectory for each finished turn with tool calls, begun at a time or later and after a place. Doing it
    /// again changes nothing. An open turn is waited for until `open_until`: what began before that is passed over.
    pub fn learn_from_turns(
        &self,
        scope: &Scope,
        (since, after): (Timestamp, Option<JournalPosition>),
        open_until: Timestamp,
        go_on: &dyn Fn() -> bool,
    ) -> Result<TurnsLearned, Error> {
        let mut learned = TurnsLearned { next: after, ..TurnsLearned::default() };
        let mut waits = false;
        let mut query = TurnQuery {
            scope: scope.clone(),
            since: Some(since),
            order: Order::OldestFirst,
            after,
            limit: PAGE,
            ..TurnQuery::default()
        };
        while go_on() {
            let page = self.turns(&query)?;
            for turn in page.turns {
                learned.turns += 1;
                // Whoever comes next begins before the first turn that is still open.
                waits |= turn.status.is_none() && turn.started_at >= open_until;
                if !waits {
                    learned.next = Some(turn.position());
                }
                if let Some(new) = self.trajectory_of_turn(turn)? {
                    let receipt = self.record_trajectory(new)?;
                    learned.recorded += u64::from(receipt.outcome == Outcome::Stored);
                }
            }
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        Ok(learned)
    }

    /// The task that a turn was; none if it is open, did nothing, or nobody knows what it was about.
    fn trajectory_of_turn(&self, turn: Turn) -> Result<Option<NewTrajectory>, Error> {
        let (Some(status), false) = (turn.status, turn.tool_calls.is_empty()) else { return Ok(None) };
        let scope = Scope::Exact(turn.namespace.clone());
        let task = match turn.input {
            Some(input) => self.core.store.entries(&scope, &[input])?.pop().map(|entry| entry.text),
            None => turn.plan.as_ref().and_then(Value::as_str).map(str::to_owned),
        };
        let Some(task) = task.filter(|task| !task.trim().is_empty()) else { return Ok(None) };
        let failed = turn.tool_results.iter().filter(|result| has_failed(result)).count();
        let outcome = match status {
            JournalStatus::Ok if failed == 0 => TaskOutcome::Success,
            JournalStatus::Ok if turn.tool_results.last().is_some_and(has_failed) => TaskOutcome::Partial,
            JournalStatus::Ok => TaskOutcome::Success,
            JournalStatus::Error | JournalStatus::Timeout => TaskOutcome::Failure,
        };
        let spent = turn.finished_at.map(|end| end.as_millisecond() - turn.started_at.as_millisecond());
        let agent = turn.metadata.get("agent").and_then(Value::as_str).map(str::to_owned);
        Ok(Some(NewTrajectory {
            id: Some(id_of(&turn)),
            agent,
            steps: steps_of(&turn),
            session: turn.session,
            turn: Some(turn.id),
            at: turn.finished_at,
            duration_ms: spent.map(|spent| spent.max(0).unsigned_abs()),
            ..NewTrajectory::new(task, outcome).in_namespace(turn.namespace)
        }))
    }
}

/// The id of the trajectory of a turn: whoever makes it again makes the same.
fn id_of(turn: &Turn) -> TrajectoryId {
    let mut bytes = *turn.id.as_bytes();
    for (byte, mark) in bytes[12..].iter_mut().zip(MARK) {
        *byte ^= mark;
    }
    TrajectoryId::from_bytes(bytes)
}

fn steps_of(turn: &Turn) -> Vec<TrajectoryStep> {
    let results = turn.tool_results.iter().map(Some).chain(std::iter::repeat(None));
    let step = |(call, result): (&Value, Option<&Value>)| TrajectoryStep {
        input: begin(&call_text(call), STEP_CHARS),
        output: result.map(|result| begin(&result_text(result), OUTPUT_CHARS)).unwrap_or_default(),
        duration_ms: call.get("duration_ms").and_then(Value::as_u64).unwrap_or(0),
        confidence: if result.is_some_and(has_failed) { 0.0 } else { 1.0 },
    };
    turn.tool_calls.iter().zip(results).map(step).collect()
}

/// A call in words: the tool's name and its first argument that is a text.
fn call_text(call: &Value) -> String {
    let name = ["name", "tool", "tool_name", "function"].iter().find_map(|key| call.get(key)?.as_str());
    let arguments = ["arguments", "input", "args", "parameters"].iter().find_map(|key| call.get(key));
    let first = arguments.and_then(|arguments| match arguments {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => map.values().find_map(Value::as_str).map(str::to_owned),
        _ => None,
    });
    match (name, first, call.as_str()) {
        (Some(name), Some(first), _) => format!("{name}: {first}"),
        (Some(name), None, _) => name.to_owned(),
        (None, _, Some(text)) => text.to_owned(),
        (None, Some(first), None) => first,
        (None, None, None) => call.to_string(),
    }
}

fn result_text(result: &Value) -> String {
    let parts = ["output", "content", "result", "error", "text"];
    let part = parts.iter().find_map(|key| result.get(key)?.as_str());
    part.or(result.as_str()).map_or_else(|| result.to_string(), str::to_owned)
}

fn has_failed(result: &Value) -> bool {
    let says = |key: &str| result.get(key).is_some_and(|value| *value == Value::Bool(true));
    let word = result.get("status").and_then(Value::as_str).unwrap_or_default();
    says("is_error")
        || result.get("ok") == Some(&Value::Bool(false))
        || result.get("error").is_some_and(|error| !error.is_null() && *error != Value::Bool(false))
        || matches!(word, "error" | "failed" | "timeout")
}

fn begin(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}
