//! Several threads that remember, revise, write down and recall through one engine, as many times as they are let, and
//! what must be in the store of all that they were told is kept.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use peri_store::Store;
use perihelion::{
    EntryId, Error, Kept, MemoryId, NewEntry, Outcome, Perihelion, Recall, Remember, Revise, Scope,
};

use crate::database::{TIMEOUT, entries, memories, until};

const THREADS: u64 = 4;

/// A call that takes this long is held up for good: every wait of its own ends after a second or two, whatever else the
/// machine has to do.
const LONGEST: Duration = Duration::from_secs(60 * TIMEOUT.as_secs());

/// Numbers calls, and lets through as many as it was told.
#[derive(Default)]
pub struct Turnstile {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Calls that were begun.
    begun: u64,
    /// Calls that have ended.
    ended: u64,
    /// Calls that may be begun.
    let_through: u64,
    closed: bool,
}

impl Turnstile {
    /// Lets so many more calls through.
    pub fn let_through(&self, more: u64) {
        self.state.lock().unwrap().let_through += more;
        self.changed.notify_all();
    }

    /// Waits until so many calls have been begun in all.
    pub fn wait_for(&self, begun: u64) {
        until("a call", || self.state.lock().unwrap().begun >= begun);
    }

    /// Waits until every call that was let through has ended.
    pub fn wait_for_all(&self) {
        until("the end of all calls", || {
            let state = self.state.lock().unwrap();
            state.ended == state.let_through
        });
    }

    /// Lets nobody through any more.
    pub fn close(&self) {
        self.state.lock().unwrap().closed = true;
        self.changed.notify_all();
    }

    /// The number of the next call; none when there are to be no more.
    fn enter(&self) -> Option<u64> {
        let mut state = self.state.lock().unwrap();
        while state.begun == state.let_through {
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap();
        }
        state.begun += 1;
        Some(state.begun)
    }

    fn leave(&self) {
        self.state.lock().unwrap().ended += 1;
    }
}

/// What one thread was told.
#[derive(Default)]
pub struct Told {
    thread: u64,
    /// Numbers that were to be remembered, in order, and under which ids.
    remembered: Vec<(u64, MemoryId)>,
    revised: HashSet<u64>,
    written: Vec<EntryId>,
    /// Calls of which it was said that they wait.
    pub queued: u64,
    /// Recalls that said that the store does not answer.
    pub degraded: u64,
    pub recalls: u64,
    slowest: Duration,
}

fn content(number: u64) -> String {
    format!("In this talk sentence {number} was said, 그리고 {number}번째 문장, 第{number}句")
}

fn revised(number: u64) -> String {
    format!("{} and was put right", content(number))
}

/// Runs the threads while the controller does what it wants with the server; then everything must be as they were told.
pub fn run(engine: &Perihelion, control: impl FnOnce(&Turnstile)) -> Vec<Told> {
    let turnstile = Turnstile::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let turnstile = &turnstile;
                scope.spawn(move || talk(engine, turnstile, thread))
            })
            .collect();
        control(&turnstile);
        turnstile.close();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn talk(engine: &Perihelion, turnstile: &Turnstile, thread: u64) -> Told {
    let mut told = Told { thread, ..Told::default() };
    while let Some(number) = turnstile.enter() {
        let began = Instant::now();
        match number % 8 {
            2 => told.recall(engine),
            4 => told.write_down(engine, number),
            7 => told.revise(engine, number),
            _ => told.remember(engine, number),
        }
        told.slowest = told.slowest.max(began.elapsed());
        turnstile.leave();
    }
    told
}

impl Told {
    fn remember(&mut self, engine: &Perihelion, number: u64) {
        let speaker = format!("speaker {}", self.thread);
        let receipt = engine.remember(Remember::new(content(number)).said("talk", speaker)).unwrap();
        self.queued += u64::from(receipt.outcome == Outcome::Queued);
        self.remembered.push((number, receipt.id));
    }

    /// Revises what this thread remembered last, once.
    fn revise(&mut self, engine: &Perihelion, number: u64) {
        let last = self.remembered.last().copied().filter(|(last, _)| !self.revised.contains(last));
        let Some((last, id)) = last else { return self.remember(engine, number) };
        let request = Revise { content: Some(revised(last)), ..Revise::default() };
        match engine.revise(&Scope::All, id, request) {
            Ok(_) => {}
            Err(Error::Queued) => self.queued += 1,
            Err(error) => panic!("a revision failed: {error}"),
        }
        self.revised.insert(last);
    }

    fn write_down(&mut self, engine: &Perihelion, number: u64) {
        let entry = NewEntry::new(content(number)).said("talk", format!("speaker {}", self.thread));
        let appended = engine.append(entry).unwrap();
        assert!(matches!(appended.state, Kept::Stored | Kept::Queued), "{appended:?}");
        self.queued += u64::from(appended.state == Kept::Queued);
        self.written.push(appended.id);
    }

    fn recall(&mut self, engine: &Perihelion) {
        let recalled = engine.recall(&Recall::new("which sentence was said in this talk?")).unwrap();
        self.recalls += 1;
        self.degraded += u64::from(!recalled.degraded.is_empty());
    }
}

/// Waits until nothing waits any more and the store answers.
pub fn wait_until_made(engine: &Perihelion) {
    until("an empty queue", || {
        let status = engine.queue_status().unwrap();
        assert_eq!(status.dead, 0, "{:?}", engine.dead_calls(10));
        status.depth == 0 && engine.store_answers()
    });
}

/// Checks that a store holds exactly what the threads were told, once and in their order, and that nobody waited long.
pub fn check(told: &[Told], store: &dyn Store) {
    let held = memories(store);
    let mut by_id = HashMap::new();
    for memory in &held {
        assert!(by_id.insert(memory.id, memory).is_none(), "{} is there twice", memory.content);
    }
    for told in told {
        let mut last = None;
        for (number, id) in &told.remembered {
            let memory = by_id.remove(id).unwrap_or_else(|| panic!("sentence {number} was lost"));
            if told.revised.contains(number) {
                assert_eq!((memory.version, &memory.content), (2, &revised(*number)));
            } else {
                assert_eq!((memory.version, &memory.content), (1, &content(*number)));
                assert!(last < Some(memory.change), "sentence {number} came before the one said before it");
                last = Some(memory.change);
            }
        }
    }
    assert!(by_id.is_empty(), "nobody was told of {by_id:?}");
    let mut written: Vec<EntryId> = told.iter().flat_map(|told| told.written.iter().copied()).collect();
    let mut kept: Vec<EntryId> = entries(store).into_iter().map(|entry| entry.id).collect();
    written.sort_unstable();
    kept.sort_unstable();
    assert_eq!(kept, written, "the journal holds each entry once");
    let slowest = told.iter().map(|told| told.slowest).max().unwrap_or_default();
    assert!(slowest < LONGEST, "a call took {slowest:?}");
}
