//! How memories moved, from the audit log, and how they will, by the rules.

use jiff::SignedDuration;
use peri_types::{EventKind, MemoryId, MoveReason, Namespace, Scope, Timestamp, Zone};
use serde::Serialize;

use super::walk::{self, Present};
use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::report::{Gathered, Span, Wanted};

/// Which moves to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovesQuery {
    /// Where.
    pub namespace: Namespace,
    /// So many days back.
    pub days: u32,
    /// So many days ahead.
    pub ahead_days: u32,
    /// At most so many; those nearest to now are kept.
    pub limit: usize,
}

/// How the memories of a namespace moved and will move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrbitMoves {
    /// Where.
    pub namespace: Namespace,
    /// How far back this goes.
    pub from: Timestamp,
    /// Up to here it happened; later moves are what the rules will do if nobody uses anything.
    pub now: Timestamp,
    /// How far ahead this goes.
    pub until: Timestamp,
    /// Whether every event since then is known.
    pub complete: bool,
    /// The moves, in the order of time.
    pub moves: Vec<OrbitMove>,
    /// Whether some were left out because there were too many.
    pub more: bool,
}

/// A memory that came, changed its zone, or left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrbitMove {
    /// Which memory.
    pub id: MemoryId,
    /// When.
    pub at: Timestamp,
    /// Where it was; none if it was not there.
    pub from: Option<Zone>,
    /// Where it is then; none if it is no longer there.
    pub to: Option<Zone>,
    /// Why, if that is known.
    pub reason: Option<MoveCause>,
}

/// Why a memory came, changed its zone, or left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MoveCause {
    /// It was stored.
    Stored,
    /// It came from an export or another program.
    Imported,
    /// It was brought back from the trash, or what took its place went there.
    Restored,
    /// It was split off from the memory that it had been merged into.
    Split,
    /// Its score rose or fell.
    Score,
    /// It was not used for a while.
    Idle,
    /// A zone was full, or has room again.
    Room,
    /// Somebody moved it to the trash.
    Forgotten,
    /// It went to the trash because nobody used it.
    AutoForgotten,
    /// Its time as an episode was over.
    Outlived,
    /// The clean-up of long-term memory took it.
    CleanedUp,
    /// It reached the end of its time.
    Expired,
    /// It left a full working memory.
    Evicted,
    /// It was destroyed.
    Purged,
    /// It was merged into another memory.
    Consolidated,
    /// A newer statement took its place.
    Superseded,
    /// It became, or was made from, memories of another layer.
    LayerPromoted,
    /// A promotion was undone.
    PromotionUndone,
    /// Its namespace was deleted.
    NamespaceDeleted,
}

impl From<MoveReason> for MoveCause {
    fn from(reason: MoveReason) -> Self {
        match reason {
            MoveReason::Score => Self::Score,
            MoveReason::Idle => Self::Idle,
            MoveReason::Room => Self::Room,
        }
    }
}

impl Perihelion {
    /// How the memories of a namespace moved, and how they will if nobody uses anything. Played from their beginning,
    /// the moves up to now lead to [`Perihelion::orbits`].
    pub fn orbit_moves(&self, query: &MovesQuery) -> Result<OrbitMoves, Error> {
        let core = &self.core;
        let days = |days: u32| SignedDuration::from_hours(24 * i64::from(days));
        // Events are kept to the millisecond.
        let now = core.now();
        let now = Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
        let from = now.checked_sub(days(query.days)).unwrap_or(Timestamp::MIN);
        let until = now.checked_add(days(query.ahead_days)).unwrap_or(Timestamp::MAX);
        let namespace = &query.namespace;
        let gathered = core.movements(namespace, now, Vec::new())?;
        let view = core.store.orbit_view(namespace, now, 0)?;
        let present = view.bodies.iter().map(|one| (one.id, Present::of(one))).collect();
        let mut moves = core.walk_back(namespace, &gathered, &present, now)?;
        moves.retain(|one| one.at >= from);
        let mut more = moves.len() > query.limit;
        moves.drain(..moves.len().saturating_sub(query.limit));
        if query.ahead_days > 0 {
            let ahead = core.moves_ahead(namespace, now, until)?;
            let room = query.limit - moves.len();
            more |= ahead.len() > room;
            moves.extend(ahead.into_iter().take(room));
        }
        let complete = gathered.trust(&Span { from, until: now }).0;
        Ok(OrbitMoves { namespace: namespace.clone(), from, now, until, complete, moves, more })
    }
}

/// The kinds of events that tell that a memory came, moved or left.
const MOVING: [EventKind; 17] = [
    EventKind::Stored,
    EventKind::Restored,
    EventKind::Revised,
    EventKind::ZoneChanged,
    EventKind::Forgotten,
    EventKind::AutoForgotten,
    EventKind::Outlived,
    EventKind::CleanedUp,
    EventKind::Expired,
    EventKind::Evicted,
    EventKind::Purged,
    EventKind::Consolidated,
    EventKind::Split,
    EventKind::Superseded,
    EventKind::LayerPromoted,
    EventKind::PromotionUndone,
    EventKind::NamespaceDeleted,
];

impl Core {
    /// Everything that is known to have moved memories of a namespace, in the order of time; of all, or of those events
    /// that hold one of these texts. It goes back to the first event: where something was when the days asked for
    /// began is told by what happened before.
    pub(super) fn movements(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        texts: Vec<String>,
    ) -> Result<Gathered, Error> {
        let until = now.checked_add(SignedDuration::from_millis(1)).unwrap_or(Timestamp::MAX);
        let span = Span { from: Timestamp::MIN, until };
        let wanted = Wanted { kinds: MOVING.to_vec(), texts };
        let mut gathered = self.gather(&span, &Scope::Exact(namespace.clone()), &wanted)?;
        // A step is told when it is settled, which may be after what happened later.
        gathered.events.sort_by_key(|event| (event.at, event.number));
        Ok(gathered)
    }

    /// The moves that events tell of, which lead to the present.
    pub(super) fn walk_back(
        &self,
        namespace: &Namespace,
        gathered: &Gathered,
        present: &walk::AllPresent,
        now: Timestamp,
    ) -> Result<Vec<OrbitMove>, Error> {
        let mut zones = walk::first_zones(&gathered.events, present);
        let lost = walk::unplaced(&gathered.events, &zones);
        // What is in the trash still tells where it was.
        let found = self.store.get(&Scope::Exact(namespace.clone()), &lost)?;
        zones.extend(found.into_iter().map(|memory| (memory.id, memory.zone)));
        Ok(walk::walk(&gathered.events, zones, present, now))
    }
}
