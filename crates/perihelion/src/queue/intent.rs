//! Calls that read before they write, as they wait: what somebody wanted, to be decided when the store can be read.

use peri_types::{EdgeType, Layer, MemoryId, Namespace, Scope, TurnId};
use serde::{Deserialize, Serialize};

use super::making::Making;
use crate::engine::Perihelion;
use crate::forget::Seen;
use crate::graph::NewEdge;
use crate::journal::TurnUpdate;
use crate::knowledge::KnowledgeChange;
use crate::notes::Hear;
use crate::{Error, Feedback, Revise};

/// What somebody wanted. It is checked as far as that can be done without the store, and free of secrets.
///
/// Queue files hold these by their names: a released one is never renamed, and gains no part without a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Intent {
    Link {
        scope: Scope,
        edge: NewEdge,
    },
    Unlink {
        scope: Scope,
        source: MemoryId,
        target: MemoryId,
        edge_type: Option<EdgeType>,
    },
    Promote {
        scope: Scope,
        ids: Vec<MemoryId>,
        to: Option<Layer>,
    },
    Feedback {
        scope: Scope,
        feedback: Feedback,
    },
    RollBackWeights {
        namespace: Namespace,
        number: u64,
    },
    EndSession {
        namespace: Namespace,
        name: String,
    },
    Revise {
        scope: Scope,
        id: MemoryId,
        changes: Box<Revise>,
        #[serde(default)]
        seen: Vec<Seen>,
    },
    Forget {
        scope: Scope,
        id: MemoryId,
        #[serde(default)]
        seen: Vec<Seen>,
    },
    UpdateTurn {
        scope: Scope,
        id: TurnId,
        update: Box<TurnUpdate>,
    },
    Knowledge {
        namespace: Namespace,
        change: KnowledgeChange,
    },
    Hear {
        heard: Box<Hear>,
    },
}

impl Intent {
    /// What it is called in lists.
    pub(super) fn operation(&self) -> &'static str {
        match self {
            Self::Link { .. } => "link",
            Self::Unlink { .. } => "unlink",
            Self::Promote { .. } => "promote",
            Self::Feedback { .. } => "feedback",
            Self::RollBackWeights { .. } => "roll back weights",
            Self::EndSession { .. } => "end session",
            Self::Revise { .. } => "revise",
            Self::Forget { .. } => "forget",
            Self::UpdateTurn { .. } => "journal",
            Self::Knowledge { change, .. } => change.operation(),
            Self::Hear { .. } => "hear",
        }
    }

    /// Makes it, with the engine's own code.
    pub(super) fn make(self, engine: &Perihelion, making: &Making<'_>) -> Result<(), Error> {
        match self {
            Self::Link { scope, edge } => engine.make_link(making, &scope, &edge).map(drop),
            Self::Unlink { scope, source, target, edge_type } => {
                engine.make_unlink(making, &scope, (source, target), edge_type).map(drop)
            }
            Self::Promote { scope, ids, to } => engine.make_promotion(making, &scope, &ids, to).map(drop),
            Self::Feedback { scope, feedback } => engine.make_feedback(making, &scope, &feedback).map(drop),
            Self::RollBackWeights { namespace, number } => {
                engine.make_rollback(making, &namespace, number).map(drop)
            }
            Self::EndSession { namespace, name } => {
                engine.make_end_of_session(making, &namespace, &name).map(drop)
            }
            Self::Revise { scope, id, changes, seen } => {
                engine.make_revision(making, &scope, id, (*changes, &seen)).map(drop)
            }
            Self::Forget { scope, id, seen } => engine.make_forgotten(making, &scope, id, &seen).map(drop),
            Self::UpdateTurn { scope, id, update } => {
                engine.make_turn_update(making, &scope, id, *update).map(drop)
            }
            Self::Knowledge { namespace, change } => {
                engine.core.make_knowledge(making, &namespace, &change).map(drop)
            }
            Self::Hear { heard } => engine.make_heard(&heard),
        }
    }
}
