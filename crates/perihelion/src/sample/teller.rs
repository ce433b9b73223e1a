//! Tells the sample's story to an engine whose clock stands in the past: by the same calls, and so by the same rules, as
//! what people and agents tell it.

use std::collections::HashMap;
use std::time::Duration;

use jiff::SignedDuration;
use peri_store::StoreError;
use peri_types::{Clock, EntryId, MemoryId, Namespace, Scope, Timestamp, TrajectoryId, TurnId};
use serde_json::{Map, Value};

use super::deed::{Asked, Deed, Drawn, Happened, Held, Judged, Revised, Talk, Told, Tried, Worked};
use super::story::Step;
use crate::engine::Perihelion;
use crate::{
    Error, Feedback, Hear, Kept, NewEdge, NewEntry, NewTrajectory, NewTurn, Observe, PatternQuery, Recall,
    Revise, Said, SetWork, TimeToLive, TurnUpdate,
};

/// What is said in a conversation is said so long after what was said before.
const BETWEEN: SignedDuration = SignedDuration::from_secs(60);

/// Questions are answered with so many memories.
const ANSWERED: usize = 5;

/// Somebody who tells the story.
pub(super) struct Teller {
    engine: Perihelion,
    clock: Clock,
    namespace: Namespace,
    /// Nothing is told of later than this.
    now: Timestamp,
    ids: HashMap<String, MemoryId>,
}

impl Teller {
    /// Tells by this engine, whose clock it moves.
    pub(super) fn new(engine: Perihelion, clock: Clock, namespace: Namespace, now: Timestamp) -> Self {
        Self { engine, clock, namespace, now, ids: HashMap::new() }
    }

    /// Tells the whole story, and learns from what was done in it.
    pub(super) fn tell(mut self, steps: Vec<Step>) -> Result<(), Error> {
        for step in steps {
            self.move_to(step.at);
            self.perform(step.deed)?;
        }
        self.distil()?;
        self.engine.train_router(&self.namespace)?;
        // What was used is written; whatever else waits is done by the engine that stays.
        self.engine.leave();
        Ok(())
    }

    /// Moves the clock, which never goes back and never beyond now.
    fn move_to(&self, at: Timestamp) {
        let at = at.min(self.now).max(self.clock.now());
        self.clock.advance(at.duration_since(self.clock.now()));
    }

    fn pass(&self, time: SignedDuration) {
        self.move_to(self.clock.now().saturating_add(time).unwrap_or(self.now));
    }

    fn scope(&self) -> Scope {
        Scope::Exact(self.namespace.clone())
    }

    fn perform(&mut self, deed: Deed) -> Result<(), Error> {
        match deed {
            Deed::Remember(told) => self.remember(*told),
            Deed::Append(happened) => self.append(happened),
            Deed::Session { session } => self.engine.start_session(&self.namespace, &session).map(drop),
            Deed::Talk(talk) => self.talk(talk),
            Deed::End { session } => self.engine.end_session(&self.namespace, &session).map(drop),
            Deed::Turn(worked) => self.work(worked),
            Deed::Hold(held) => self.hold(held),
            Deed::Ask(asked) => self.ask(&asked),
            Deed::Feedback(judged) => self.judge(judged),
            Deed::Link(drawn) => self.link(&drawn),
            Deed::Revise(revised) => self.revise(revised),
            Deed::Forget { name } => match self.known(&name) {
                Some(id) => self.engine.forget(&self.scope(), id).map(drop),
                None => Ok(()),
            },
            Deed::Task(tried) => self.record(tried),
            Deed::Distil => self.distil(),
        }
    }

    /// The bytes of an id given at the time of the story: ids sort by the time they were given, and the process gives none
    /// that are earlier than its last one.
    fn dated(&self) -> [u8; 16] {
        let mut bytes = *MemoryId::generate(self.clock.now()).as_bytes();
        let millis = self.clock.now().as_millisecond().to_be_bytes();
        bytes[..6].copy_from_slice(&millis[2..]);
        bytes
    }

    /// A memory by its name. A test holds that every name is given before it is used.
    fn known(&self, name: &str) -> Option<MemoryId> {
        self.ids.get(name).copied()
    }

    fn remember(&mut self, told: Told) -> Result<(), Error> {
        let mut request = told.request.in_namespace(self.namespace.clone());
        request.id = Some(MemoryId::from_bytes(self.dated()));
        let receipt = self.engine.remember(request)?;
        if let Some(name) = told.name {
            self.ids.insert(name, receipt.id);
        }
        Ok(())
    }

    fn append(&mut self, happened: Happened) -> Result<(), Error> {
        let Happened { name, session, actor, kind, direction, status, text, remember } = happened;
        let (namespace, actor) = (self.namespace.clone(), Some(actor));
        let appended = self.engine.append(NewEntry {
            namespace,
            session,
            actor,
            kind,
            direction,
            status,
            text,
            remember,
            id: Some(EntryId::from_bytes(self.dated())),
            ..NewEntry::default()
        })?;
        kept(appended.state)?;
        if let (Some(name), Some(memory)) = (name, appended.memory) {
            self.ids.insert(name, memory);
        }
        Ok(())
    }

    /// First the agent is given what memory has, then the conversation goes on, question by answer.
    fn talk(&self, talk: Talk) -> Result<(), Error> {
        self.engine.note_handed_out(&self.namespace, &talk.session, &talk.given)?;
        self.engine.core.keep_handed_out()?;
        for exchange in talk.said.chunks(2) {
            let mut messages = Vec::new();
            for (role, text) in exchange {
                self.pass(BETWEEN);
                messages.push(Said::new(*role, text, self.clock.now()));
            }
            let heard = Hear {
                namespace: self.namespace.clone(),
                session: talk.session.clone(),
                user: Some(talk.user.clone()),
                messages,
                ..Hear::default()
            };
            self.engine.hear(heard, Observe::Now)?;
        }
        Ok(())
    }

    /// A turn with what set it off and what it ended with.
    fn work(&self, worked: Worked) -> Result<(), Error> {
        let namespace = self.namespace.clone();
        let said = |text: &str, actor: &str| {
            let entry = NewEntry::new(text).in_namespace(namespace.clone()).said(&worked.session, actor);
            NewEntry { id: Some(EntryId::from_bytes(self.dated())), ..entry }
        };
        let asked = self.engine.append(said(&worked.asked, "user"))?;
        kept(asked.state)?;
        let begun = self.engine.begin_turn(NewTurn {
            namespace: namespace.clone(),
            session: Some(worked.session.clone()),
            input: Some(asked.id),
            plan: Some(Value::String(worked.plan)),
            metadata: Map::from_iter([("agent".to_owned(), Value::String(worked.agent))]),
            id: Some(TurnId::from_bytes(self.dated())),
            ..NewTurn::default()
        })?;
        self.pass(SignedDuration::from_mins(i64::from(worked.minutes)));
        let mut answer = said(&worked.answer, "assistant");
        answer.turn = Some(begun.turn.id);
        answer.status = Some(worked.status);
        let answered = self.engine.append(answer)?;
        kept(answered.state)?;
        let update = TurnUpdate {
            status: Some(worked.status),
            error: worked.error,
            output: Some(answered.id),
            output_text: Some(worked.answer),
            tool_calls: Some(worked.calls),
            tool_results: Some(worked.results),
            ..TurnUpdate::default()
        };
        kept(self.engine.update_turn(&self.scope(), begun.turn.id, update)?.state)
    }

    fn hold(&self, held: Held) -> Result<(), Error> {
        let time = Duration::from_secs(u64::from(held.days) * 24 * 60 * 60);
        self.engine.work_set(SetWork {
            namespace: self.namespace.clone(),
            session: Some(held.session),
            kind: Some(held.kind),
            time_to_live: TimeToLive::For(time),
            ..SetWork::new(held.key, held.value)
        })?;
        Ok(())
    }

    fn ask(&self, asked: &Asked) -> Result<(), Error> {
        let recall = Recall {
            query: asked.query.clone(),
            scopes: vec![self.scope()],
            session: asked.session.clone(),
            limit: Some(ANSWERED),
            ..Recall::default()
        };
        for _ in 0..asked.times {
            self.engine.recall(&recall)?;
            self.pass(BETWEEN);
        }
        Ok(())
    }

    fn judge(&self, judged: Judged) -> Result<(), Error> {
        let ids = |names: Vec<String>| names.iter().filter_map(|name| self.known(name)).collect();
        let feedback = Feedback {
            query: judged.query,
            used: ids(judged.used),
            unused: ids(judged.unused),
            ..Feedback::default()
        };
        self.engine.feedback(&self.namespace, &feedback).map(drop)
    }

    fn link(&self, drawn: &Drawn) -> Result<(), Error> {
        let (Some(source), Some(target)) = (self.known(&drawn.source), self.known(&drawn.target)) else {
            return Ok(());
        };
        // Two statements may have become one, which is not linked to itself.
        if source == target {
            return Ok(());
        }
        let edge = NewEdge { source, target, edge_type: drawn.edge_type, weight: drawn.weight };
        self.engine.link(&self.scope(), &edge).map(drop)
    }

    fn revise(&self, revised: Revised) -> Result<(), Error> {
        let Some(id) = self.known(&revised.name) else { return Ok(()) };
        let Revised { content, importance, .. } = revised;
        self.engine.revise(&self.scope(), id, Revise { content, importance, ..Revise::default() }).map(drop)
    }

    /// Records a task, which followed what worked for such tasks before if the same agent had learned it.
    fn record(&self, tried: Tried) -> Result<(), Error> {
        let asked = PatternQuery { limit: Some(1), ..PatternQuery::new(&tried.task).in_scope(self.scope()) };
        let known = self.engine.search_patterns(&asked)?.matches.pop();
        let known = known.filter(|known| known.pattern.agent.as_ref() == Some(&tried.agent));
        let duration = (tried.minutes > 0).then(|| u64::from(tried.minutes) * 60_000);
        let new = NewTrajectory {
            agent: Some(tried.agent),
            domain: tried.domain,
            steps: tried.steps,
            duration_ms: duration,
            patterns: known.map(|known| known.pattern.id).into_iter().collect(),
            id: Some(TrajectoryId::from_bytes(self.dated())),
            ..NewTrajectory::new(tried.task, tried.outcome).in_namespace(self.namespace.clone())
        };
        self.engine.record_trajectory(new).map(drop)
    }

    /// Learns from turns and tasks, as the workers do.
    fn distil(&self) -> Result<(), Error> {
        let (since, until) = (Timestamp::UNIX_EPOCH, self.clock.now());
        self.engine.learn_from_turns(&self.scope(), (since, None), until, &|| true)?;
        self.engine.distil(&self.scope(), &|| true).map(drop)
    }
}

/// What the journal could not take is trouble here: nobody would look for it again.
fn kept(state: Kept) -> Result<(), Error> {
    if state == Kept::Stored { Ok(()) } else { Err(Error::Store(StoreError::Closed)) }
}
