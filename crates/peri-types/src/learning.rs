//! What has been tried and what has worked: trajectories, and the patterns that are drawn from them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::record_id::identity;
use crate::{ChangeNumber, Namespace, PatternTerm, TaskOutcome, TurnId};

identity!(
    /// A pattern's identity: a UUID of version 7, so that ids sort by the time they were given.
    PatternId, "pattern"
);

identity!(
    /// A trajectory's identity: a UUID of version 7, so that ids sort by the time they were given.
    TrajectoryId, "trajectory"
);

/// One step of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrajectoryStep {
    /// What was done, such as the call of a tool.
    pub input: String,
    /// What came of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// How sure whoever did it was, from 0 to 1.
    #[serde(default = "sure")]
    pub confidence: f32,
}

fn sure() -> f32 {
    1.0
}

/// The recorded steps of one task. It is written once; only whether something was drawn from it changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trajectory {
    /// Its identity, for good.
    pub id: TrajectoryId,
    /// The one namespace it belongs to.
    pub namespace: Namespace,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The turn of the journal it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// What was to be done.
    pub task: String,
    /// The field it belongs to, such as `security`, `testing` or `general`.
    pub domain: String,
    /// Who did it, such as `tester`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What was done, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TrajectoryStep>,
    /// How it ended.
    pub outcome: TaskOutcome,
    /// When it ended.
    pub at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// The patterns that were followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternId>,
    /// When patterns were last drawn from it; none if they are still to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distilled_at: Option<Timestamp>,
}

/// A strategy that worked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pattern {
    /// Its identity, for good.
    pub id: PatternId,
    /// The one namespace it belongs to.
    pub namespace: Namespace,
    /// What to do, in words.
    pub strategy: String,
    /// The field it belongs to, such as `security`, `testing` or `general`.
    pub domain: String,
    /// Who should do it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How well it works, from 0 to 1.
    pub quality: f32,
    /// How often it was followed.
    #[serde(default)]
    pub uses: u32,
    /// How often that succeeded.
    #[serde(default)]
    pub successes: u32,
    /// How long it is meant to be kept.
    #[serde(default)]
    pub term: PatternTerm,
    /// The trajectories it was drawn from; none if somebody told it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<crate::TrajectoryId>,
    /// When it was learned.
    pub created_at: Timestamp,
    /// When it was last followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
    /// When it was put aside because it did not prove itself. It is not offered any more, and can be brought back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// The change that last touched it. Stores give it; it is not told.
    #[serde(skip)]
    pub change: ChangeNumber,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trajectory_and_a_pattern_read_back_and_keep_silent_about_what_they_lack() {
        let trajectory = Trajectory {
            id: TrajectoryId::from_bytes([7; 16]),
            namespace: Namespace::default(),
            session: None,
            turn: None,
            task: "로그인 테스트를 고쳐 줘".to_owned(),
            domain: "testing".to_owned(),
            agent: Some("tester".to_owned()),
            steps: vec![TrajectoryStep {
                input: "运行测试".to_owned(),
                confidence: 0.5,
                ..Default::default()
            }],
            outcome: TaskOutcome::Partial,
            at: Timestamp::UNIX_EPOCH,
            duration_ms: 12,
            patterns: Vec::new(),
            distilled_at: None,
        };
        let line = serde_json::to_string(&trajectory).unwrap();
        assert_eq!(serde_json::from_str::<Trajectory>(&line).unwrap(), trajectory);
        assert!(!line.contains("null") && !line.contains("session"), "{line}");
        let pattern = Pattern {
            id: PatternId::from_bytes([8; 16]),
            namespace: Namespace::default(),
            strategy: "run the failing test alone first".to_owned(),
            domain: "testing".to_owned(),
            agent: None,
            quality: 0.65,
            uses: 3,
            successes: 2,
            term: PatternTerm::Long,
            sources: vec![trajectory.id],
            created_at: Timestamp::UNIX_EPOCH,
            used_at: None,
            retired_at: None,
            change: ChangeNumber::default(),
        };
        let line = serde_json::to_string(&pattern).unwrap();
        assert_eq!(serde_json::from_str::<Pattern>(&line).unwrap(), pattern);
        assert!(!line.contains("null") && !line.contains("change"), "{line}");
    }

    #[test]
    fn an_id_of_something_else_is_told_what_it_should_be() {
        let error = "나".parse::<PatternId>().unwrap_err().to_string();
        assert!(error.contains("pattern"), "{error}");
    }
}
