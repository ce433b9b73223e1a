//! What can happen, as it is told to subscribers and kept in the audit log.
//!
//! Events carry ids and never the content of memories: what is purged must not live on in a log.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    ChangeNumber, KeyId, Layer, MemoryId, Namespace, PatternId, Role, Scope, Severity, TaskOutcome,
    TrajectoryId, UnknownName, Zone,
};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// Its number. Later events of one store have higher numbers.
    pub number: u64,
    /// When it happened.
    pub at: Timestamp,
    /// Where it happened, if in one namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// What happened.
    #[serde(flatten)]
    pub what: Happening,
}

/// Why a memory changed its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MoveReason {
    /// Its score rose or fell.
    Score,
    /// It was not used for a while.
    Idle,
    /// A zone was full, or has room again.
    Room,
}

/// Why a long-term memory was moved to the trash by the clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CleanUpReason {
    /// There were more than the limit allows, and others mattered more.
    TooMany,
    /// Its score was below the least one allowed.
    LowScore,
    /// It was not used for longer than allowed.
    Idle,
}

macro_rules! happenings {
    ($($(#[$doc:meta])* $variant:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })? = $name:literal,)+) => {
        /// What happened.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(tag = "event", rename_all = "snake_case")]
        pub enum Happening { $($(#[$doc])* $variant $({ $($(#[$field_doc])* $field: $type,)+ })?,)+ }

        /// The kinds of events, for asking only for some.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum EventKind { $($(#[$doc])* $variant,)+ }

        impl EventKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in the CLI, on the wire and in the log.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl Happening {
            /// What kind of event it is.
            pub const fn kind(&self) -> EventKind {
                match self { $(Self::$variant { .. } => EventKind::$variant),+ }
            }
        }
    };
}

happenings! {
    /// A memory was stored.
    Stored {
        /// Which one.
        id: MemoryId,
        /// Where it began.
        zone: Zone,
    } = "stored",
    /// A repeated statement was joined into the memory that says the same.
    Repeated {
        /// The memory that says it.
        id: MemoryId,
    } = "repeated",
    /// A question was answered.
    Recalled {
        /// What was asked.
        query: String,
        /// What was handed out, the best first.
        ids: Vec<MemoryId>,
        /// How long that took, in millionths of a second, if it was measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        micros: Option<u64>,
    } = "recalled",
    /// A memory was changed.
    Revised {
        /// Which one.
        id: MemoryId,
        /// Its version now.
        version: u32,
    } = "revised",
    /// A memory was moved to the trash by somebody.
    Forgotten {
        /// Which one.
        id: MemoryId,
    } = "forgotten",
    /// A memory was brought back from the trash.
    Restored {
        /// Which one.
        id: MemoryId,
    } = "restored",
    /// Memories were destroyed.
    Purged {
        /// How many.
        count: u64,
        /// Which ones, as far as they are listed.
        ids: Vec<MemoryId>,
    } = "purged",
    /// The orbits of a namespace were brought up to a time.
    Reorbited {
        /// How many memories changed their zone.
        moved: u64,
        /// How many were moved to the trash.
        forgotten: u64,
        /// The time that the zones are those of.
        step: Timestamp,
    } = "reorbited",
    /// A memory moved nearer or further.
    ZoneChanged {
        /// Which one.
        id: MemoryId,
        /// Where it was.
        from: Zone,
        /// Where it is.
        to: Zone,
        /// Why.
        reason: MoveReason,
    } = "zone_changed",
    /// Memories fell outward or were forgotten because nobody used them.
    Decayed {
        /// How many fell outward.
        demoted: u64,
        /// How many were moved to the trash.
        forgotten: u64,
    } = "decayed",
    /// A memory was moved to the trash because nobody used it.
    AutoForgotten {
        /// Which one.
        id: MemoryId,
        /// Whole days since it was last used.
        idle_days: u64,
    } = "auto_forgotten",
    /// A near-duplicate was merged into another memory.
    Consolidated {
        /// The one that stands for both.
        survivor: MemoryId,
        /// The one that is put aside, and can be split off again.
        absorbed: MemoryId,
    } = "consolidated",
    /// A merged memory was split off again.
    Split {
        /// The one it had been merged into.
        survivor: MemoryId,
        /// The one that stands for itself again.
        absorbed: MemoryId,
    } = "split",
    /// A newer statement took the place of an older one.
    Superseded {
        /// The one that no longer holds.
        older: MemoryId,
        /// The one that holds now.
        newer: MemoryId,
    } = "superseded",
    /// Two memories contradict each other.
    Contradicted {
        /// The newer one.
        first: MemoryId,
        /// The older one.
        second: MemoryId,
    } = "contradicted",
    /// Edges were drawn or replaced.
    Linked {
        /// Where they begin.
        source: MemoryId,
        /// Where they end.
        targets: Vec<MemoryId>,
    } = "linked",
    /// Edges were taken away.
    Unlinked {
        /// Where they began.
        source: MemoryId,
        /// Where they ended.
        targets: Vec<MemoryId>,
    } = "unlinked",
    /// A session began.
    SessionStarted {
        /// Its name.
        session: String,
    } = "session_started",
    /// A session ended.
    SessionEnded {
        /// Its name.
        session: String,
        /// The memory that sums it up, if there was anything to sum up.
        summary: Option<MemoryId>,
    } = "session_ended",
    /// A namespace was moved.
    NamespaceMoved {
        /// What it was called. Whoever may not see that namespace is not told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Namespace>,
        /// How many memories moved.
        memories: u64,
    } = "namespace_moved",
    /// A namespace was deleted.
    NamespaceDeleted {
        /// How many memories that were.
        memories: u64,
        /// Whether they are destroyed rather than in the trash.
        purged: bool,
    } = "namespace_deleted",
    /// Somebody told which results were of use.
    FeedbackGiven {
        /// Which were.
        used: Vec<MemoryId>,
        /// Which were not.
        unused: Vec<MemoryId>,
    } = "feedback_given",
    /// The weights of the memory function were changed.
    WeightsChanged {
        /// Which set holds now, by its number.
        set: u64,
        /// Why.
        reason: String,
    } = "weights_changed",
    /// Memories were imported.
    Imported {
        /// How many.
        memories: u64,
        /// With how many edges.
        edges: u64,
    } = "imported",
    /// A strategy that worked was learned.
    PatternLearned {
        /// Which one.
        pattern: PatternId,
        /// How well it works, from 0 to 1.
        quality: f32,
    } = "pattern_learned",
    /// A pattern proved itself and is kept for long.
    PatternPromoted {
        /// Which one.
        pattern: PatternId,
    } = "pattern_promoted",
    /// A pattern did not prove itself and is not offered any more.
    PatternRetired {
        /// Which one.
        pattern: PatternId,
    } = "pattern_retired",
    /// The steps of a task were recorded.
    TrajectoryRecorded {
        /// Which ones.
        trajectory: TrajectoryId,
        /// How it ended.
        outcome: TaskOutcome,
    } = "trajectory_recorded",
    /// What recall or routing goes by was learned anew, or put back.
    Learned {
        /// What: `router`, `adapter`, or `adapter.trial` for one that was tried and not taken.
        name: String,
        /// Which set holds now, by its number.
        set: u64,
        /// Why.
        reason: String,
    } = "learned",
    /// A background job was started.
    WorkerDispatched {
        /// Which one.
        worker: String,
        /// How much it matters: `critical`, `high`, `normal` or `low`.
        priority: String,
    } = "worker_dispatched",
    /// A background job ended.
    WorkerCompleted {
        /// Which one.
        worker: String,
        /// Whether it did what it should.
        ok: bool,
        /// How long it took.
        duration_ms: u64,
    } = "worker_completed",
    /// A background job found something that somebody should look at.
    WorkerAlert {
        /// Which one.
        worker: String,
        /// How much it matters.
        #[serde(default)]
        severity: Severity,
        /// What it found.
        message: String,
        /// The memories it is about. Of a document that was changed as a file and as a memory: those that follow the
        /// file, then those that keep the other version.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ids: Vec<MemoryId>,
        /// The file it is about, from the vault's folder on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
    } = "worker_alert",
    /// A session's notes were updated.
    Observed {
        /// Which session.
        session: String,
    } = "observed",
    /// A session's notes were condensed.
    Reflected {
        /// Which session.
        session: String,
    } = "reflected",
    /// Candidates became durable notes.
    Promoted {
        /// How many.
        candidates: u64,
    } = "promoted",
    /// Durable notes were condensed.
    Compacted {
        /// How long they are now.
        tokens: u64,
    } = "compacted",
    /// A memory reached the end of its time. In working memory it is gone; elsewhere it lies in the trash.
    Expired {
        /// Which one.
        id: MemoryId,
        /// Where it was.
        layer: Layer,
    } = "expired",
    /// A memory left a full working memory because others were used later.
    Evicted {
        /// Which one.
        id: MemoryId,
    } = "evicted",
    /// Memories of one layer became one of the next.
    LayerPromoted {
        /// The new memory.
        id: MemoryId,
        /// What it was made from: put aside, and able to be brought back.
        sources: Vec<MemoryId>,
        /// The layer they were in.
        from: Layer,
        /// The layer it is in.
        to: Layer,
    } = "layer_promoted",
    /// A promotion was undone.
    PromotionUndone {
        /// The memory that is in the trash now.
        id: MemoryId,
        /// Those that stand for themselves again.
        sources: Vec<MemoryId>,
    } = "promotion_undone",
    /// An episode was moved to the trash because its time was over.
    Outlived {
        /// Which one.
        id: MemoryId,
        /// Whole days since it was stored or imported.
        age_days: u64,
    } = "outlived",
    /// A long-term memory was moved to the trash by the clean-up.
    CleanedUp {
        /// Which one.
        id: MemoryId,
        /// Why.
        reason: CleanUpReason,
    } = "cleaned_up",
    /// The latest episodes were written to a file.
    SnapshotTaken {
        /// The file's name.
        file: String,
        /// How many.
        episodes: u64,
    } = "snapshot_taken",
    /// A backup was written and verified.
    BackedUp {
        /// What it is called.
        backup: String,
        /// Up to which change it holds everything.
        change: ChangeNumber,
    } = "backed_up",
    /// A backup took the place of what was here.
    BackupRestored {
        /// What it is called.
        backup: String,
        /// How many memories it holds, those in the trash included.
        memories: u64,
    } = "backup_restored",
    /// What happened too long ago left the journal.
    JournalDropped {
        /// How many journal events.
        entries: u64,
        /// How many turns.
        turns: u64,
        /// All of them from before this time.
        before: Timestamp,
    } = "journal_dropped",
    /// Something that should have worked did not.
    OperationFailed {
        /// What was tried.
        operation: String,
        /// Why it failed. Never content.
        reason: String,
        /// How often that happened since it was last told.
        count: u64,
    } = "operation_failed",
    /// A key was created.
    KeyCreated {
        /// Which one.
        key: KeyId,
        /// What it allows.
        role: Role,
        /// Where it allows that.
        scope: Scope,
    } = "key_created",
    /// A key was revoked.
    KeyRevoked {
        /// Which one.
        key: KeyId,
    } = "key_revoked",
    /// The store could not take writes, and they began to wait on the machine that made them.
    WritesQueued {
        /// What was the matter with the store.
        reason: String,
    } = "writes_queued",
    /// Nothing waits on that machine any more.
    QueueEmptied {
        /// How many calls were made that had waited.
        replayed: u64,
        /// How many were given up and wait for somebody to decide.
        dead: u64,
    } = "queue_emptied",
    /// Somebody was not let in, or not allowed what they asked for.
    AccessRefused {
        /// The key that was shown, if it is one of ours.
        key: Option<KeyId>,
        /// What was asked for, such as the method and the route. Never content, never a secret.
        action: String,
        /// Why it was refused.
        reason: String,
        /// How often that happened since it was last told.
        count: u64,
    } = "access_refused",
}

impl std::fmt::Display for EventKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for EventKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let wanted = text.trim().to_ascii_lowercase().replace('-', "_");
        Self::ALL.iter().copied().find(|kind| kind.as_str() == wanted).ok_or_else(|| UnknownName {
            what: "event",
            given: text.to_owned(),
            expected: Self::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", "),
        })
    }
}

impl Event {
    /// The same for whoever sees these namespaces: names of others are left out.
    #[must_use]
    pub fn within(mut self, scope: &Scope) -> Self {
        if let Happening::NamespaceMoved { from, .. } = &mut self.what {
            from.take_if(|from| !scope.contains(from));
        }
        self
    }
}

/// The same line of JSON with blanks in the place of the question that it tells; none if it tells none. It is as long as
/// before, so that it can be written over.
pub fn without_question(line: &[u8]) -> Option<Vec<u8>> {
    const QUESTION: &[u8] = b"\"query\":\"";
    let begin = line.windows(QUESTION.len()).position(|part| part == QUESTION)? + QUESTION.len();
    let mut escaped = false;
    let end = line[begin..].iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    })?;
    let mut blank = line.to_vec();
    blank[begin..begin + end].fill(b' ');
    Some(blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_reads_back_as_it_was_written_and_carries_its_kind() {
        let event = Event {
            number: 7,
            at: Timestamp::UNIX_EPOCH,
            namespace: None,
            what: Happening::SessionStarted { session: "standup".to_owned() },
        };
        let line = serde_json::to_string(&event).unwrap();
        let expected =
            r#"{"number":7,"at":"1970-01-01T00:00:00Z","event":"session_started","session":"standup"}"#;
        assert_eq!(line, expected);
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
        assert_eq!(event.what.kind(), EventKind::SessionStarted);
    }

    #[test]
    fn an_alert_of_an_earlier_version_is_read_and_fields_of_a_later_one_do_no_harm() {
        let alert =
            |extra: &str| format!(r#"{{"event":"worker_alert","worker":"w","message":"look"{extra}}}"#);
        let plain: Happening = serde_json::from_str(&alert("")).unwrap();
        let told = r#"{"event":"worker_alert","worker":"w","severity":"warning","message":"look"}"#;
        assert_eq!(serde_json::to_string(&plain).unwrap(), told, "what an earlier one did not say is usual");
        let later = alert(r#","file":"knowledge/커피.md","unheard_of":[1]"#);
        let Happening::WorkerAlert { file, ids, .. } = serde_json::from_str(&later).unwrap() else {
            panic!("{later}")
        };
        assert_eq!((file.as_deref(), ids.len()), (Some("knowledge/커피.md"), 0));
    }

    #[test]
    fn no_field_of_an_event_hides_another() {
        // Events are written flat: a field called as one of the event itself could not be read back.
        let source = include_str!("event.rs");
        let table = &source[source.find("happenings! {").unwrap()..source.find("#[cfg(test)]").unwrap()];
        for own in ["number", "at", "namespace", "event"] {
            assert!(!table.contains(&format!("        {own}: ")), "{own}");
        }
    }

    #[test]
    fn kinds_are_called_as_they_are_written() {
        for kind in EventKind::ALL {
            assert_eq!(serde_json::to_string(kind).unwrap(), format!("{:?}", kind.as_str()));
            assert_eq!(kind.as_str().parse::<EventKind>().as_ref(), Ok(kind));
        }
    }
}
