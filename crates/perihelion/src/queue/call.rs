//! A call as it waits in the queue.

use peri_queue::Severity;
use peri_store::{StoreError, Write};
use peri_types::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::intent::Intent;

/// A call as it waits in the queue: changes that are made together, or what somebody wanted, to be decided later.
#[derive(Serialize, Deserialize)]
pub(super) struct Call {
    /// What somebody wanted, in a word.
    pub(super) operation: String,
    /// The changes. A call that is to be decided has none, not even an empty list: releases that know only changes
    /// then put it aside rather than take it for one that has nothing to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    writes: Option<Vec<Write>>,
    /// What is to be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wanted: Option<Intent>,
    /// When that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    /// What makes what is decided once for a request. Changes have it among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Box<Write>>,
}

/// What is to be done for a call.
pub(super) enum Task {
    /// Make these changes.
    Write(Vec<Write>),
    /// Decide on this, which was wanted at this time, once for a request if it was claimed.
    Decide(Intent, Timestamp, Option<Box<Write>>),
}

impl Call {
    /// A call of changes.
    pub(super) fn changes(operation: &str, writes: Vec<Write>) -> Self {
        Self { operation: operation.to_owned(), writes: Some(writes), wanted: None, at: None, claim: None }
    }

    /// A call that is to be decided.
    pub(super) fn wanted(intent: Intent, at: Timestamp) -> Self {
        let operation = intent.operation().to_owned();
        Self { operation, writes: None, wanted: Some(intent), at: Some(at), claim: None }
    }

    /// The same, claimed for a request.
    pub(super) fn claimed(self, claim: Option<Write>) -> Self {
        Self { claim: claim.map(Box::new), ..self }
    }

    /// What is to be done for a payload, or why that cannot be told.
    pub(super) fn task_of(payload: &str) -> Result<Task, String> {
        let call: Self = serde_json::from_str(payload).map_err(|error| error.to_string())?;
        match call {
            Self { writes: Some(writes), wanted: None, .. } => Ok(Task::Write(writes)),
            Self { writes: None, wanted: Some(intent), at: Some(at), claim, .. } => {
                Ok(Task::Decide(intent, at, claim))
            }
            _ => Err("it holds neither changes nor what somebody wanted".to_owned()),
        }
    }
}

/// As much of a call as is told of it.
#[derive(Deserialize)]
pub(super) struct Outline {
    /// What somebody wanted.
    pub(super) operation: String,
    #[serde(default)]
    writes: Vec<IgnoredAny>,
    wanted: Option<IgnoredAny>,
}

impl Outline {
    /// What a payload is about. One that cannot be read is told of all the same.
    pub(super) fn of(payload: &str) -> Self {
        let unknown = |_| Self { operation: "unknown".to_owned(), writes: Vec::new(), wanted: None };
        serde_json::from_str(payload).unwrap_or_else(unknown)
    }

    /// How many changes it makes. What is still to be decided counts as one.
    pub(super) fn changes(&self) -> usize {
        self.writes.len() + usize::from(self.wanted.is_some())
    }
}

/// Whether a call may wait. Not those whose answer the caller needs at once, nor those that are found out again anyway.
pub(super) fn may_wait(writes: &[Write]) -> bool {
    !writes.iter().any(|write| {
        matches!(
            write,
            // Imports go on by themselves where they were.
            Write::Import(_)
                | Write::DropImport { .. }
                | Write::DropImports { .. }
                // Nobody would ever see the secret of a key that comes later.
                | Write::CreateKey(_)
                // An answer that is kept too late is of no use.
                | Write::KeepAnswer(_)
                | Write::DropAnswers { .. }
                // What was read for it may have changed by then.
                | Write::CommitNotes(_)
                // Chores.
                | Write::ShipEvents { .. }
                | Write::Settle(_)
                | Write::Lapse { .. }
                | Write::Embed { .. }
                | Write::AdoptSpace { .. }
                | Write::SwitchSpace { .. }
                | Write::PutVectors { .. }
                | Write::DropVectors { .. }
                | Write::Distil(_)
                | Write::DropTrajectories { .. }
                | Write::SetLearned { .. }
                | Write::KeepRun(_)
                | Write::RaiseAlerts { .. }
        ) || matches!(write, Write::PutPatterns { patterns } if patterns.iter().any(|one| one.expected.is_some()))
    })
}

/// How bad it is that a call could not be made.
pub(super) fn severity(error: &StoreError) -> Severity {
    match error {
        error if error.is_passing() => Severity::Passing,
        StoreError::ReadOnly { .. }
        | StoreError::CannotOpen { .. }
        | StoreError::Corrupt { .. }
        | StoreError::KeyMissing { .. }
        | StoreError::WrongKey { .. }
        | StoreError::NotEncrypted { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::Database { .. } => Severity::Unclear,
        _ => Severity::Final,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERON: &str = "01a1e4c9-8e70-775b-ba84-056b083a7646";
    const STORK: &str = "01a1e4c9-8ec9-7182-9403-c623b95bac3a";

    /// What each sort of call that waits as a whole looks like on the disk. A line that was released stays as it is.
    fn released() -> Vec<String> {
        let wanted = [
            format!(r#"{{"link":{{"scope":"*","edge":{{"source":"{HERON}","target":"{STORK}","edge_type":"related_to","weight":0.5}}}}}}"#),
            format!(r#"{{"unlink":{{"scope":"team/*","source":"{HERON}","target":"{STORK}","edge_type":null}}}}"#),
            format!(r#"{{"promote":{{"scope":"*","ids":["{HERON}"],"to":"long_term"}}}}"#),
            format!(r#"{{"feedback":{{"scope":"*","feedback":{{"query":"두루미","used":["{HERON}"],"unused":[],"session":null}}}}}}"#),
            r#"{"roll_back_weights":{"namespace":"default","number":0}}"#.to_owned(),
            r#"{"end_session":{"namespace":"team/ana","name":"晨会"}}"#.to_owned(),
            format!(r#"{{"forget":{{"scope":"*","id":"{HERON}","seen":[{{"version":2,"change":7}}]}}}}"#),
            r#"{"knowledge":{"namespace":"default","change":{"delete_entities":["지수"]}}}"#.to_owned(),
            r#"{"knowledge":{"namespace":"default","change":{"create_relations":[{"from":"Ana","to":"지수","relationType":"knows"}]}}}"#.to_owned(),
        ];
        let line =
            |wanted: String| format!(r#"{{"operation":"x","wanted":{wanted},"at":"2026-11-16T12:00:00Z"}}"#);
        wanted.into_iter().map(line).collect()
    }

    #[test]
    fn what_was_released_reads_back_and_is_written_alike() {
        for line in released() {
            let Ok(Task::Decide(intent, at, None)) = Call::task_of(&line) else { panic!("{line}") };
            let mut again = Call::wanted(intent, at);
            again.operation = "x".to_owned();
            assert_eq!(serde_json::to_string(&again).unwrap(), line);
        }
    }

    #[test]
    fn a_release_that_knows_only_changes_does_not_take_a_call_to_be_decided_for_one_without_any() {
        /// A call as earlier releases know it.
        #[derive(Deserialize)]
        struct Known {
            #[serde(rename = "writes")]
            _writes: Vec<Write>,
        }
        for line in released() {
            assert!(serde_json::from_str::<Known>(&line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_refused_rather_than_half_done() {
        for line in [
            "",
            "{}",
            r#"{"operation":"x"}"#,
            r#"{"operation":"x","writes":null}"#,
            r#"{"operation":"x","wanted":{"end_session":{"namespace":"default","name":"a"}}}"#,
            r#"{"operation":"x","at":"2026-11-16T12:00:00Z","wanted":{"fly":{}}}"#,
            r#"{"operation":"x","at":"2026-11-16T12:00:00Z","wanted":{"end_session":{"namespace":"default","name":"a","softly":true}}}"#,
            r#"{"operation":"x","writes":[],"at":"2026-11-16T12:00:00Z","wanted":{"end_session":{"namespace":"default","name":"a"}}}"#,
        ] {
            assert!(Call::task_of(line).is_err(), "{line}");
        }
        assert!(
            matches!(Call::task_of(r#"{"operation":"x","writes":[]}"#), Ok(Task::Write(writes)) if writes.is_empty())
        );
    }
}
