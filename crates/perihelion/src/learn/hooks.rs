//! What agents did, as their hooks tell it: a turn becomes a trajectory, told once or a hundred times.

use peri_learn::bank::step_key;
use peri_types::{Namespace, PatternId, Scope, TaskOutcome, Timestamp, TrajectoryId, TrajectoryStep};

use super::outcome::{TurnEnd, outcome_of};
use super::record::{NewTrajectory, TrajectoryReceipt};
use crate::engine::Perihelion;
use crate::{Error, ErrorKind};

/// A task is told in so many characters: what follows is mostly logs and code.
const TASK_CHARS: usize = 2_000;

/// The steps of a turn take at most this part of what a content may have.
const STEPS_SHARE: usize = 2;

/// What ends the steps of a strategy: what follows are those to avoid.
const AVOID: &str = ". avoid: ";

/// A turn of an agent, from what it was asked to what came next.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentTurn {
    /// Where it belongs.
    pub namespace: Namespace,
    /// The agent's session.
    pub session: String,
    /// What tells the turn from others of its session: the same whenever it is told.
    pub key: String,
    /// What the agent was asked.
    pub task: String,
    /// When. It is part of the trajectory's id, so it has to be the same whenever the turn is told.
    pub at: Timestamp,
    /// When it ended, if that is known.
    pub ended_at: Option<Timestamp>,
    /// What it did, in order. A step that failed has no confidence.
    pub steps: Vec<TrajectoryStep>,
    /// How it came to its end.
    pub end: TurnEnd,
    /// What the user said after it; none if nothing.
    pub next: Option<String>,
    /// The patterns that the agent was given for it.
    pub offered: Vec<PatternId>,
    /// What the agent had others do.
    pub delegated: Vec<Delegated>,
}

/// A part of a turn that an agent had another one do.
#[derive(Debug, Clone, PartialEq)]
pub struct Delegated {
    /// What tells it from others of the turn.
    pub key: String,
    /// Whom.
    pub agent: String,
    /// What it was asked.
    pub task: String,
    /// The step of the turn that it was.
    pub step: TrajectoryStep,
}

impl Perihelion {
    /// Records what became of a turn of an agent, and of what it had others do. How it ended is judged by what can be
    /// seen. A pattern that the agent was given counts as followed if its steps occur. A turn in which nothing was done
    /// is not recorded, and one that was told before is not recorded again.
    pub fn record_agent_turn(&self, mut turn: AgentTurn) -> Result<Vec<TrajectoryReceipt>, Error> {
        if turn.steps.is_empty() {
            return Ok(Vec::new());
        }
        self.fit(&mut turn.steps);
        let outcome = outcome_of(turn.end, &turn.steps, turn.next.as_deref());
        let mut receipts = vec![self.record_trajectory(NewTrajectory {
            patterns: self.followed(&turn)?,
            steps: std::mem::take(&mut turn.steps),
            ..turn.trajectory(&turn.key, &turn.task, outcome)
        })?];
        for part in &turn.delegated {
            let has_failed = part.step.confidence == 0.0;
            let outcome = if has_failed { TaskOutcome::Failure } else { outcome };
            receipts.push(self.record_trajectory(NewTrajectory {
                agent: Some(part.agent.clone()),
                steps: vec![part.step.clone()],
                duration_ms: Some(part.step.duration_ms),
                ..turn.trajectory(&format!("{}\0{}", turn.key, part.key), &part.task, outcome)
            })?);
        }
        Ok(receipts)
    }

    /// Leaves out the earliest steps that do not fit.
    fn fit(&self, steps: &mut Vec<TrajectoryStep>) {
        let mut room = self.core.options.limits.content_bytes_max / STEPS_SHARE;
        let fits = |step: &&TrajectoryStep| {
            let left = room.checked_sub(step.input.len() + step.output.len());
            room = left.unwrap_or(0);
            left.is_some()
        };
        let kept = steps.iter().rev().take_while(fits).count();
        steps.drain(..steps.len() - kept.max(1));
    }

    /// Those of the patterns that the agent was given whose steps occur in what it did.
    fn followed(&self, turn: &AgentTurn) -> Result<Vec<PatternId>, Error> {
        let scope = Scope::Exact(turn.namespace.clone());
        let mut followed = Vec::new();
        for id in &turn.offered {
            match self.pattern(&scope, *id) {
                Ok(pattern) if follows(&pattern.strategy, &turn.steps) => followed.push(*id),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(followed)
    }
}

impl AgentTurn {
    fn trajectory(&self, key: &str, task: &str, outcome: TaskOutcome) -> NewTrajectory {
        let task: String = task.replace('\0', " ").chars().take(TASK_CHARS).collect();
        let spent = self.ended_at.map(|end| end.as_millisecond() - self.at.as_millisecond());
        NewTrajectory {
            id: Some(id_of(&self.session, key, self.at)),
            session: Some(self.session.clone()),
            at: self.ended_at,
            duration_ms: spent.map(|spent| spent.max(0).unsigned_abs()),
            ..NewTrajectory::new(task, outcome).in_namespace(self.namespace.clone())
        }
    }
}

/// The id of a turn's trajectory: its time, and where others have chance, a digest of what tells the turn from others.
/// A name that is a UUID needs no session: a copy of a record, as of a session that was forked, tells the same turn.
fn id_of(session: &str, key: &str, at: Timestamp) -> TrajectoryId {
    let name = key.split('\0').next().unwrap_or(key);
    let session = if is_uuid(name) { "" } else { session };
    let digest = blake3::hash(format!("turn of an agent\0{session}\0{key}").as_bytes());
    let mut id = [0; 16];
    id[6..].copy_from_slice(&digest.as_bytes()[..10]);
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0).to_be_bytes();
    id[..6].copy_from_slice(&millis[2..]);
    id[6] = (id[6] & 0x0f) | 0x70;
    id[8] = (id[8] & 0x3f) | 0x80;
    TrajectoryId::from_bytes(id)
}

fn is_uuid(name: &str) -> bool {
    let is_in_place = |(at, sign): (usize, char)| match at {
        8 | 13 | 18 | 23 => sign == '-',
        _ => sign.is_ascii_hexdigit(),
    };
    name.len() == 36 && name.char_indices().all(is_in_place)
}

/// Whether steps follow a strategy: each step that it quotes, as in `` `Bash: cargo test` ``, occurs, in this order. What
/// a strategy says without quoting a step cannot be told from what was done, and nobody is said to have followed it.
fn follows(strategy: &str, steps: &[TrajectoryStep]) -> bool {
    let asked: Vec<String> = quoted(strategy).map(step_key).filter(|key| !key.is_empty()).collect();
    let mut done = steps.iter().map(|step| step_key(&step.input));
    !asked.is_empty() && asked.iter().all(|asked| done.any(|done| is_step(&done, asked)))
}

fn quoted(strategy: &str) -> impl Iterator<Item = &str> {
    let wanted = strategy.split_once(AVOID).map_or(strategy, |(wanted, _)| wanted);
    // Between the first and the second sign stands the first quotation, between the third and the fourth the second.
    let mut parts: Vec<&str> = wanted.split('`').collect();
    if parts.len().is_multiple_of(2) {
        parts.pop();
    }
    parts.into_iter().skip(1).step_by(2)
}

/// Whether what was done is the step, said with more words perhaps, or without the tool.
fn is_step(done: &str, asked: &str) -> bool {
    let begins = |text: &str| {
        text.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    begins(done) || done.split_once(": ").is_some_and(|(_, argument)| begins(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(inputs: &[&str]) -> Vec<TrajectoryStep> {
        let step = |input: &&str| TrajectoryStep { input: (*input).to_owned(), ..TrajectoryStep::default() };
        inputs.iter().map(step).collect()
    }

    #[test]
    fn a_strategy_is_followed_if_every_step_it_quotes_occurs_in_order() {
        let drawn = "For tasks about login: `Edit: src/login.rs`, then `Bash: cargo test -p login`. avoid: `Bash: rm`";
        let edit = "Edit: /home/ann/src/login.rs";
        for (strategy, done, expected) in [
            (drawn, &[edit, "Read: a.md", "Bash: cargo test -p login --jobs 4"][..], true),
            (drawn, &["Bash: cargo test -p login", edit], false),
            (drawn, &[edit], false),
            (drawn, &[], false),
            (
                "먼저 `cargo test`, 그다음 `git push`",
                &["Bash: cargo test -p a", "shell: git push origin"],
                true,
            ),
            ("先 `cargo test`", &["Bash: cargo tests"], false),
            ("run the failing test alone first", &["Bash: cargo test one"], false),
            ("half a `quotation", &["quotation"], false),
            ("`` ` `", &["Bash: ls"], false),
        ] {
            assert_eq!(follows(strategy, &steps(done)), expected, "{strategy} {done:?}");
        }
    }

    #[test]
    fn an_id_follows_from_session_and_turn_and_names_that_are_unique_need_no_session() {
        let at: Timestamp = "2026-11-16T09:00:00Z".parse().unwrap();
        let uuid = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
        assert_eq!(id_of("가", "u1", at), id_of("가", "u1", at));
        assert_ne!(id_of("가", "u1", at), id_of("나", "u1", at));
        assert_ne!(id_of("가", "u1", at), id_of("가", "u2", at));
        assert_eq!(id_of("가", uuid, at), id_of("나", uuid, at));
        assert_ne!(id_of("가", uuid, at), id_of("가", &format!("{uuid}\0a"), at));
        assert!(id_of("가", "u1", Timestamp::UNIX_EPOCH) < id_of("가", "u1", at));
    }
}
