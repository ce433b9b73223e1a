//! Turns: begun, perhaps told more of, and finished. Each is written whole, every time.

use std::collections::HashMap;

use peri_store::{GIVEN_ID, StoreError, Write, Written};
use peri_types::{EntryId, JournalStatus, Namespace, Scope, Timestamp, Turn, TurnId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::append::{Kept, whole_millis};
use crate::engine::{Core, Perihelion};
use crate::queue::{Intent, Making, Transaction};
use crate::redact::{redact_fields, redact_text, redact_value};
use crate::{Claim, Error, RedactedSecret, Redaction};

/// So many open turns are remembered beside the store, for when it cannot be read.
const OPEN_MAX: usize = 1000;

/// A turn that begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct NewTurn {
    /// Where it belongs.
    pub namespace: Namespace,
    /// The conversation it belongs to.
    pub session: Option<String>,
    /// The journal event that sets it off.
    pub input: Option<EntryId>,
    /// What the agent means to do.
    pub plan: Option<Value>,
    /// When it began; now unless said otherwise.
    pub started_at: Option<Timestamp>,
    /// Anything else.
    pub metadata: Map<String, Value>,
    /// Its id, where it has one already. If a turn of another namespace has it, this one gets another, and keeps this one
    /// as `given_id` in its metadata.
    pub id: Option<TurnId>,
}

/// What is told of a turn later. What is left out stays as it is; a status finishes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TurnUpdate {
    /// How it went. This finishes the turn.
    pub status: Option<JournalStatus>,
    /// What went wrong. A turn that went well has nothing here.
    pub error: Option<String>,
    /// The journal event that it ended with.
    pub output: Option<EntryId>,
    /// What it ended with, in words.
    pub output_text: Option<String>,
    /// What the agent meant to do, replacing what was told before.
    pub plan: Option<Value>,
    /// The tools it called, replacing what was told before.
    pub tool_calls: Option<Vec<Value>>,
    /// What they answered, replacing what was told before.
    pub tool_results: Option<Vec<Value>>,
    /// When it ended; now unless said otherwise.
    pub finished_at: Option<Timestamp>,
    /// Anything else, added to what was told before.
    pub metadata: Map<String, Value>,
}

/// A turn as it is now, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnReceipt {
    /// The turn.
    pub turn: Turn,
    /// What became of what was told.
    pub state: Kept,
    /// Secrets that were taken out before anything was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

/// Turns in memory: open ones of this process, and those that wait in the queue.
#[derive(Default)]
pub(super) struct OpenTurns(HashMap<(Namespace, TurnId), (Turn, Kept)>);

impl Perihelion {
    /// Begins a turn. As with appending, a store that is away is no error while the queue takes it. Beginning one that is
    /// there already changes nothing.
    pub fn begin_turn(&self, new: NewTurn) -> Result<TurnReceipt, Error> {
        self.begin_turn_once(None, new)
    }

    /// The same, once for a request: whoever makes it again gets the first receipt.
    ///
    /// # Errors
    /// Also [`Error::MadeBefore`], if another process made it meanwhile.
    pub fn begin_turn_once(&self, claim: Option<&Claim>, new: NewTurn) -> Result<TurnReceipt, Error> {
        if let Some(made) = Claim::made(claim)? {
            return Ok(made);
        }
        let now = self.core.now();
        if let Some(begun) = new.id.and_then(|id| self.core.begun(&new.namespace, id)) {
            return Ok(begun);
        }
        let id = new
            .id
            .map_or_else(|| TurnId::generate(now), |given| self.core.own_turn_id(&new.namespace, given));
        let mut metadata = new.metadata;
        if let Some(given) = new.id.filter(|given| *given != id) {
            metadata.entry(GIVEN_ID).or_insert_with(|| given.to_string().into());
        }
        let turn = Turn {
            id,
            namespace: new.namespace,
            started_at: new.started_at.map_or(now, whole_millis),
            finished_at: None,
            session: new.session,
            input: new.input,
            plan: new.plan.filter(|plan| !plan.is_null()),
            tool_calls: Vec::new(),
            tool_results: Vec::new(),
            output: None,
            output_text: None,
            status: None,
            error: None,
            metadata,
        };
        self.core.keep_turn(turn, claim)
    }

    /// Tells more of a turn, and finishes it if that says how it went. It can be told of again after that.
    ///
    /// A turn that another process began cannot be told while the store is away: what is told of it then waits as a
    /// whole, and the answer is [`Error::Queued`].
    pub fn update_turn(&self, scope: &Scope, id: TurnId, update: TurnUpdate) -> Result<TurnReceipt, Error> {
        let core = &self.core;
        if core.turn_in_memory(scope, id).is_some() || !core.will_wait() {
            match self.turn(scope, id) {
                Err(Error::Store(error)) if error.is_passing() && core.will_queue() => {}
                found => {
                    let mut turn = found?;
                    update.apply(&mut turn, core.now());
                    return core.keep_turn(turn, None);
                }
            }
        }
        let wanted = || {
            let update = Box::new(core.check_update(update.clone())?);
            Ok(Intent::UpdateTurn { scope: scope.clone(), id, update })
        };
        let make = |making: &Making<'_>| self.make_turn_update(making, scope, id, update.clone());
        core.perform(wanted, "journal", make)
    }

    pub(crate) fn make_turn_update(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        id: TurnId,
        update: TurnUpdate,
    ) -> Result<TurnReceipt, Error> {
        let mut turn = self.turn(scope, id)?;
        update.apply(&mut turn, making.at());
        let core = &self.core;
        core.check_turn(&turn)?;
        let mut redacted = Vec::new();
        if core.options.redaction == Redaction::On {
            redact_turn(&mut turn, &mut redacted);
        }
        let write = Write::PutTurn { turn: Box::new(turn.clone()), at: making.at() };
        making.write(Transaction::Only, vec![write])?;
        core.journal.turns.lock().keep(turn.clone(), Kept::Stored);
        core.nudge();
        Ok(TurnReceipt { turn, state: Kept::Stored, redacted })
    }

    /// Finishes a turn: as [`Perihelion::update_turn`], and it went well unless the update says otherwise.
    pub fn finish_turn(
        &self,
        scope: &Scope,
        id: TurnId,
        mut update: TurnUpdate,
    ) -> Result<TurnReceipt, Error> {
        let usual = if update.error.is_some() { JournalStatus::Error } else { JournalStatus::Ok };
        update.status.get_or_insert(usual);
        self.update_turn(scope, id, update)
    }
}

impl TurnUpdate {
    fn apply(self, turn: &mut Turn, now: Timestamp) {
        fn set<T>(place: &mut Option<T>, value: Option<T>) {
            if value.is_some() {
                *place = value;
            }
        }
        set(&mut turn.error, self.error);
        set(&mut turn.output, self.output);
        set(&mut turn.output_text, self.output_text);
        set(&mut turn.plan, self.plan.filter(|plan| !plan.is_null()));
        turn.tool_calls = self.tool_calls.unwrap_or_else(|| std::mem::take(&mut turn.tool_calls));
        turn.tool_results = self.tool_results.unwrap_or_else(|| std::mem::take(&mut turn.tool_results));
        turn.metadata.extend(self.metadata);
        if let Some(status) = self.status {
            turn.status = Some(status);
            turn.finished_at = Some(self.finished_at.map_or(now, whole_millis));
            if status == JournalStatus::Ok {
                turn.error = None;
            }
        }
    }
}

impl Core {
    /// What is told of a turn that cannot be looked at, if it keeps to the limits, without its secrets.
    fn check_update(&self, update: TurnUpdate) -> Result<TurnUpdate, Error> {
        let now = self.now();
        let mut turn = Turn {
            id: TurnId::generate(now),
            namespace: Namespace::default(),
            started_at: now,
            finished_at: None,
            session: None,
            input: None,
            plan: None,
            tool_calls: Vec::new(),
            tool_results: Vec::new(),
            output: None,
            output_text: None,
            status: None,
            error: None,
            metadata: Map::new(),
        };
        let TurnUpdate { status, output, finished_at, .. } = update;
        let told = (update.tool_calls.is_some(), update.tool_results.is_some());
        update.apply(&mut turn, now);
        self.check_turn(&turn)?;
        if self.options.redaction == Redaction::On {
            redact_turn(&mut turn, &mut Vec::new());
        }
        let Turn { error, output_text, plan, tool_calls, tool_results, metadata, .. } = turn;
        let (tool_calls, tool_results) = (told.0.then_some(tool_calls), told.1.then_some(tool_results));
        Ok(TurnUpdate {
            status,
            error,
            output,
            output_text,
            plan,
            tool_calls,
            tool_results,
            finished_at,
            metadata,
        })
    }

    /// The id that a turn gets which comes with one. While the store is away that cannot be told; the store settles it
    /// when the turn gets there, by the same rule.
    fn own_turn_id(&self, namespace: &Namespace, given: TurnId) -> TurnId {
        match self.store.turn(&Scope::All, given) {
            Ok(Some(_)) | Err(StoreError::Ambiguous { .. }) => given.within(namespace),
            Ok(None) | Err(_) => given,
        }
    }

    fn keep_turn(&self, mut turn: Turn, claim: Option<&Claim>) -> Result<TurnReceipt, Error> {
        self.check_turn(&turn)?;
        let mut redacted = Vec::new();
        if self.options.redaction == Redaction::On {
            redact_turn(&mut turn, &mut redacted);
        }
        let first = TurnReceipt { turn: turn.clone(), state: Kept::Stored, redacted: redacted.clone() };
        let claim = self.claiming(claim, &first)?;
        let state = self.write_turn(&turn, claim).map_err(Error::or_not_kept)?;
        self.journal.turns.lock().keep(turn.clone(), state);
        self.nudge();
        Ok(TurnReceipt { turn, state, redacted })
    }

    fn write_turn(&self, turn: &Turn, claim: Option<Write>) -> Result<Kept, Error> {
        let write = Write::PutTurn { turn: Box::new(turn.clone()), at: self.now() };
        let written = self.write_claimed(claim, vec![write])?;
        Ok(if written.first() == Some(&Written::Queued) { Kept::Queued } else { Kept::Stored })
    }

    /// A turn: as this process knows it if the store lacks something of it, else from the store.
    pub(super) fn find_turn(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, Error> {
        let known = self.turn_in_memory(scope, id);
        match (self.store.turn(scope, id), known) {
            (Ok(None), Some((turn, Kept::Queued))) => Ok(Some(turn)),
            // What was queued replaces what is stored, sooner or later.
            (Ok(Some(stored)), Some((turn, Kept::Queued))) if stored != turn => Ok(Some(turn)),
            (Ok(found), _) => Ok(found),
            (Err(error @ StoreError::Ambiguous { .. }), _) => Err(error.into()),
            (Err(_), Some((turn, _))) => Ok(Some(turn)),
            (Err(error), None) => Err(error.into()),
        }
    }

    pub(super) fn turn_in_memory(&self, scope: &Scope, id: TurnId) -> Option<(Turn, Kept)> {
        let turns = self.journal.turns.lock();
        turns.0.values().find(|(turn, _)| turn.id == id && scope.contains(&turn.namespace)).cloned()
    }

    /// A turn that was begun before, as far as that can be told.
    fn begun(&self, namespace: &Namespace, id: TurnId) -> Option<TurnReceipt> {
        let here = Scope::Exact(namespace.clone());
        let turn = self.find_turn(&here, id).ok().flatten()?;
        let state = self.turn_in_memory(&here, id).map_or(Kept::Stored, |(_, state)| state);
        Some(TurnReceipt { turn, state, redacted: Vec::new() })
    }
}

impl OpenTurns {
    /// Remembers a turn while it is open or the store lacks something of it.
    fn keep(&mut self, turn: Turn, state: Kept) {
        if state == Kept::Stored && turn.status.is_some() {
            self.0.remove(&key(&turn));
            return;
        }
        self.0.insert(key(&turn), (turn, state));
        while self.0.len() > OPEN_MAX {
            let earliest = self.0.values().map(|(turn, _)| turn).min_by_key(|turn| turn.position());
            let Some(earliest) = earliest.map(key) else { return };
            self.0.remove(&earliest);
        }
    }
}

fn key(turn: &Turn) -> (Namespace, TurnId) {
    (turn.namespace.clone(), turn.id)
}

/// Takes the secrets out of a turn.
pub(crate) fn redact_turn(turn: &mut Turn, found: &mut Vec<RedactedSecret>) {
    let texts = [&mut turn.session, &mut turn.output_text, &mut turn.error].into_iter().flatten();
    texts.for_each(|text| redact_text(text, found));
    let values = turn.plan.iter_mut().chain(&mut turn.tool_calls).chain(&mut turn.tool_results);
    values.for_each(|value| redact_value(value, found));
    redact_fields(&mut turn.metadata, found);
}
