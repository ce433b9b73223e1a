//! One thread that does everything an agent may do, at random, and checks what it sees.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use perihelion::{
    Importance, Layer, ListQuery, Memory, MemoryId, Namespace, Perihelion, Recall, Remember, Revise, Scope,
    SetWork, TimeToLive, Timestamp, Trashed,
};
use serde_json::Value;

use super::account::Account;
use crate::speed::corpus::Corpus;
use crate::speed::figures::timed;
use crate::speed::words::Random;

/// An actor comes back to the latest so many of its memories.
const KNOWN_MAX: usize = 300;
/// Texts come from one corpus for so long; it keeps what it told, and the actor must not grow.
const CORPUS_MAX: usize = 500;
/// Keys of a session's working memory: more than fit into it.
const KEYS: usize = 16;
/// Results of a recall, and memories of a page.
const LIMIT: usize = 10;

/// What an actor knows.
struct Actor<'a> {
    engine: &'a Perihelion,
    seed: u64,
    random: Random,
    corpus: Corpus,
    told: usize,
    namespace: Namespace,
    session: String,
    known: VecDeque<(MemoryId, Layer, String)>,
    forgotten: VecDeque<MemoryId>,
    promoted: VecDeque<MemoryId>,
    held: HashMap<String, Value>,
    account: Account,
}

/// Acts until a time and gives an account of it.
pub(super) fn act(engine: &Perihelion, seed: u64, until: Instant) -> Account {
    let namespaces = ["default", "team/red"];
    let mut actor = Actor {
        engine,
        seed,
        random: Random::new(seed),
        corpus: Corpus::new(seed << 20),
        told: 0,
        namespace: namespaces[seed as usize % 2].parse().unwrap_or_default(),
        session: format!("actor-{seed}"),
        known: VecDeque::new(),
        forgotten: VecDeque::new(),
        promoted: VecDeque::new(),
        held: HashMap::new(),
        account: Account::default(),
    };
    while Instant::now() < until {
        actor.step();
    }
    actor.account
}

impl Actor<'_> {
    fn step(&mut self) {
        match self.random.below(100) {
            0..30 => self.remember(),
            30..36 => self.remember_several(),
            36..54 => self.work_set(),
            54..66 => self.work_get(),
            66..82 => self.recall(),
            82..86 => self.revise(),
            86..90 => self.forget(),
            90..92 => self.restore(),
            92..94 => self.promote(),
            94..95 => self.undo_promotion(),
            95..96 => self.purge(),
            _ => self.list(),
        }
    }

    fn now(&self) -> Timestamp {
        self.engine.options().clock.now()
    }

    /// The next invented statement: a fact or a turn of a conversation, and now and then something for a while.
    fn invent(&mut self) -> Remember {
        if self.told % CORPUS_MAX == CORPUS_MAX - 1 {
            self.corpus = Corpus::new((self.seed << 20) + self.told as u64);
        }
        self.told += 1;
        let mut request = self.corpus.take(1).pop().unwrap_or_default().in_namespace(self.namespace.clone());
        if self.random.share() < 0.1 {
            request.layer = Some(Layer::Working);
            request.facets.session = Some(self.session.clone());
        }
        if self.random.share() < 0.1 {
            request.importance = Importance::new(0.9).ok();
        }
        request
    }

    fn remember(&mut self) {
        let request = self.invent();
        self.remember_all("remember", vec![request]);
    }

    fn remember_several(&mut self) {
        let count = 2 + self.random.below(80);
        let requests = (0..count).map(|_| self.invent()).collect();
        self.remember_all("remember, 2 to 81 at once", requests);
    }

    fn remember_all(&mut self, operation: &str, requests: Vec<Remember>) {
        let told: Vec<(Layer, String)> = requests
            .iter()
            .map(|request| (request.layer.unwrap_or(Layer::LongTerm), request.content.clone()))
            .collect();
        let (time, outcome) = timed(|| self.engine.remember_all(requests));
        let Some(receipts) = self.account.note(operation, time, outcome) else { return };
        if receipts.len() != told.len() {
            let (got, asked) = (receipts.len(), told.len());
            self.account.violate(format!("{asked} statements got {got} receipts"));
        }
        for (receipt, (layer, content)) in receipts.into_iter().zip(told) {
            if layer == Layer::Working {
                continue;
            }
            self.account.kept.push(receipt.id);
            self.account.kept.extend(receipt.absorbed);
            keep(&mut self.known, (receipt.id, layer, content));
        }
    }

    fn work_set(&mut self) {
        let key = format!("key-{}", self.random.below(KEYS));
        let value = Value::from(format!("value {} of {key}", self.told));
        self.told += 1;
        let mut request = SetWork::new(&key, value.clone()).in_session(&self.session);
        request.namespace = self.namespace.clone();
        request.time_to_live = match self.random.below(4) {
            0 => TimeToLive::For(Duration::from_millis(50 + self.random.below(500) as u64)),
            1 => TimeToLive::NoEnd,
            _ => TimeToLive::Usual,
        };
        let (time, outcome) = timed(|| self.engine.work_set(request));
        if self.account.note("work set", time, outcome).is_some() {
            self.held.insert(key, value);
        }
    }

    /// Nobody else uses this actor's working memory: what it holds is what was set last, or nothing any more.
    fn work_get(&mut self) {
        let key = format!("key-{}", self.random.below(KEYS));
        let before = self.now();
        let (time, outcome) = timed(|| self.engine.work_get(&self.namespace, Some(&self.session), &key));
        let Some(Some(item)) = self.account.note("work get", time, outcome) else { return };
        if item.expires_at.is_some_and(|until| until <= before) {
            self.account.violate(format!("{key} of {} was seen after it had expired", self.session));
        }
        if self.held.get(&key) != Some(&item.value) {
            self.account.violate(format!("{key} of {} is not what was set last", self.session));
        }
    }

    fn recall(&mut self) {
        let Some((_, _, content)) = self.any_known() else { return };
        let words: Vec<&str> = content.split_whitespace().collect();
        let from = self.random.below(words.len().max(1));
        let asked = words.iter().cycle().skip(from).take(4).copied().collect::<Vec<_>>().join(" ");
        let scope = Scope::Exact(self.namespace.clone());
        let question = Recall::new(asked).in_scope(scope).limit(LIMIT);
        let before = self.now();
        let (time, outcome) = timed(|| self.engine.recall(&question));
        let Some(recalled) = self.account.note("recall", time, outcome) else { return };
        recalled.hits.iter().for_each(|hit| self.check_seen("recall", &hit.memory, before));
    }

    fn list(&mut self) {
        let scope = Scope::Exact(self.namespace.clone());
        let query = ListQuery { scope, limit: LIMIT, ..ListQuery::default() };
        let before = self.now();
        let (time, outcome) = timed(|| self.engine.list(query));
        let Some(page) = self.account.note("list", time, outcome) else { return };
        page.memories.iter().for_each(|memory| self.check_seen("list", memory, before));
    }

    /// What is shown must be outside the trash, not expired before it was asked for, and not destroyed.
    fn check_seen(&mut self, by: &str, memory: &Memory, asked_at: Timestamp) {
        let id = memory.id;
        if memory.facets.expires_at.is_some_and(|until| until <= asked_at) {
            self.account.violate(format!("{by} showed {id}, which had expired"));
        }
        if memory.trashed_at.is_some() {
            self.account.violate(format!("{by} showed {id}, which lies in the trash"));
        }
        if self.account.destroyed.contains(&id) {
            self.account.violate(format!("{by} showed {id}, which was destroyed"));
        }
    }

    fn revise(&mut self) {
        let Some((id, _, content)) = self.any_known() else { return };
        let mut request = Revise { tags: Some(vec!["revised".to_owned()]), ..Revise::default() };
        if self.random.share() < 0.5 {
            self.told += 1;
            request.content = Some(format!("{content} Revised {}.", self.told));
        }
        let (time, outcome) = timed(|| self.engine.revise(&Scope::All, id, request));
        self.account.note("revise", time, outcome);
    }

    fn forget(&mut self) {
        let Some((id, ..)) = self.any_known() else { return };
        let (time, outcome) = timed(|| self.engine.forget(&Scope::All, id));
        if self.account.note("forget", time, outcome).is_some() {
            keep(&mut self.forgotten, id);
        }
    }

    fn restore(&mut self) {
        let Some(id) = self.forgotten.pop_back() else { return };
        let (time, outcome) = timed(|| self.engine.restore(&Scope::All, id));
        self.account.note("restore", time, outcome);
    }

    fn promote(&mut self) {
        let episode = self.known.iter().rev().find(|(_, layer, _)| *layer == Layer::Episodic);
        let Some(id) = episode.map(|(id, ..)| *id) else { return };
        let (time, outcome) = timed(|| self.engine.promote(&Scope::All, &[id], None));
        if let Some(promoted) = self.account.note("promote", time, outcome) {
            self.account.kept.push(promoted.memory.id);
            keep(&mut self.promoted, promoted.memory.id);
        }
    }

    fn undo_promotion(&mut self) {
        let Some(id) = self.promoted.pop_front() else { return };
        let (time, outcome) = timed(|| self.engine.undo_promotion(&Scope::All, id));
        self.account.note("undo promotion", time, outcome);
    }

    /// Destroys something from the trash, and looks whether it is gone.
    fn purge(&mut self) {
        let Some(id) = self.forgotten.pop_front() else { return };
        let (time, outcome) = timed(|| self.engine.purge(&Scope::All, id));
        if self.account.note("purge", time, outcome).is_none() {
            return;
        }
        self.account.destroyed.insert(id);
        let trash = ListQuery { trashed: Trashed::Only, limit: LIMIT, ..ListQuery::default() };
        let found = self.engine.list(trash).is_ok_and(|page| page.memories.iter().any(|own| own.id == id));
        if found || self.engine.get(&Scope::All, id).is_ok() {
            self.account.violate(format!("{id} is there after it was purged"));
        }
    }

    fn any_known(&mut self) -> Option<(MemoryId, Layer, String)> {
        if self.known.is_empty() {
            return None;
        }
        let place = self.random.below(self.known.len());
        self.known.get(place).cloned()
    }
}

fn keep<T>(latest: &mut VecDeque<T>, one: T) {
    latest.push_back(one);
    if latest.len() > KNOWN_MAX {
        latest.pop_front();
    }
}
