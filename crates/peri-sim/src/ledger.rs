//! What was confirmed, promised, refused or left open, and whether a folder holds just that.

use std::collections::BTreeMap;

use crate::order::{Answer, Asked, Order};
use crate::picture::{Picture, Seen};

/// So many memories are recalled by whoever looks.
const ASKED: usize = 3;

/// How something stands that somebody wanted to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// There was a receipt.
    Confirmed,
    /// It waits on this machine's disk.
    Promised,
    /// Whoever was told to do it died, or held it in memory.
    Open,
    /// It was refused, and nothing of it was kept.
    Refused,
}

/// A memory with its id.
#[derive(Debug, Clone)]
struct Known {
    key: String,
    born: Standing,
    state: State,
    /// A change that was wanted and of which it is not known that it was made.
    wish: Option<(Wish, Standing)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Live,
    Trashed,
    Purged,
}

#[derive(Debug, Clone)]
enum Wish {
    Revise(String),
    Forget,
    Restore,
    Purge,
}

/// Whether everything that waits was made before somebody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Processes may be at work, and calls may wait.
    Between,
    /// Nobody is at work, and nothing should wait.
    AtTheEnd,
}

/// Everything that is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    memories: BTreeMap<String, Known>,
    /// Statements whose ids are not known.
    keys: BTreeMap<String, Standing>,
    /// Statements that are there together or not at all.
    batches: Vec<Vec<String>>,
    journal: BTreeMap<String, Standing>,
    learned: BTreeMap<String, Standing>,
    heard: BTreeMap<String, Standing>,
    documents: BTreeMap<String, Standing>,
    /// The highest change number that anybody was told.
    change: u64,
    /// What came to light while answers were noted.
    findings: Vec<String>,
}

/// What came of an order.
#[derive(Debug, Clone)]
pub(crate) enum Came<'a> {
    Answer(&'a Answer),
    /// The process died first.
    Died,
}

impl Ledger {
    /// The highest change number so far: what is confirmed for an order that begins now has a higher one.
    pub(crate) fn change(&self) -> u64 {
        self.change
    }

    /// Memories of a kind that can be changed without anybody being in the way.
    pub(crate) fn settled(&self, trashed: bool) -> Vec<String> {
        let state = if trashed { State::Trashed } else { State::Live };
        let fit =
            |known: &Known| known.state == state && known.wish.is_none() && known.born == Standing::Confirmed;
        let mut fitting: Vec<_> = self.memories.iter().filter(|(_, known)| fit(known)).collect();
        // By key, since ids differ from run to run.
        fitting.sort_by(|(_, one), (_, other)| one.key.cmp(&other.key));
        fitting.into_iter().map(|(id, _)| id.clone()).collect()
    }

    /// What a memory says.
    pub(crate) fn key(&self, id: &str) -> Option<&str> {
        self.memories.get(id).map(|known| known.key.as_str())
    }

    /// What to ask whoever looks.
    pub(crate) fn asked(&self) -> Asked {
        let live = self.settled(false);
        let recalled =
            live.iter().rev().take(ASKED).filter_map(|id| Some(self.memories.get(id)?.key.clone())).collect();
        let (heard, documents) =
            (self.heard.keys().cloned().collect(), self.documents.keys().cloned().collect());
        Asked { recalled, heard, documents }
    }

    /// Notes what came of an order that began when the highest change number was `before`.
    pub(crate) fn note(&mut self, order: &Order, came: &Came<'_>, before: u64) {
        match order {
            Order::Remember { key } | Order::RememberAway { key } => {
                self.note_new(std::slice::from_ref(key), came, before);
            }
            Order::Batch { keys } => {
                if matches!(came, Came::Died) {
                    self.batches.push(keys.clone());
                }
                self.note_new(keys, came, before);
            }
            Order::Import { keys } => {
                // An import that broke off goes on later, so that a part of it may be there.
                let standing =
                    if standing(came) == Standing::Confirmed { Standing::Confirmed } else { Standing::Open };
                self.keys.extend(keys.iter().map(|key| (key.clone(), standing)));
            }
            Order::Revise { id, key } => self.note_change(id, Wish::Revise(key.clone()), came),
            Order::Forget { id } => self.note_change(id, Wish::Forget, came),
            Order::Restore { id } => self.note_change(id, Wish::Restore, came),
            Order::Purge { id } => self.note_change(id, Wish::Purge, came),
            // Both take more than one step, so that what was refused may be there in part.
            Order::Hear { key } => self.heard.extend([(key.clone(), in_steps(came))]),
            Order::Vault { key } => self.documents.extend([(key.clone(), in_steps(came))]),
            Order::Append { key } => self.journal.extend([(key.clone(), standing(came))]),
            Order::Learn { key } => self.learned.extend([(key.clone(), standing(came))]),
            _ => {}
        }
    }

    /// Forgets that a statement was confirmed: a backup without it may have been brought back. What waited meanwhile is made
    /// afterwards all the same.
    pub(crate) fn open_again(&mut self, key: &str, gone: bool) {
        let waits = self.memories.values().any(|known| known.key == key && known.born == Standing::Promised);
        self.memories.retain(|_, known| known.key != key);
        self.keys.insert(key.to_owned(), if gone && !waits { Standing::Refused } else { Standing::Open });
    }

    fn note_new(&mut self, keys: &[String], came: &Came<'_>, before: u64) {
        let (ids, changes, born) = match came {
            Came::Answer(Answer::Stored { ids, changes }) => {
                (ids.as_slice(), changes.as_slice(), Standing::Confirmed)
            }
            Came::Answer(Answer::Queued { ids }) => (ids.as_slice(), [].as_slice(), Standing::Promised),
            came => {
                let standing = standing(came);
                self.keys.extend(keys.iter().map(|key| (key.clone(), standing)));
                return;
            }
        };
        for (key, id) in keys.iter().zip(ids) {
            let known = Known { key: key.clone(), born, state: State::Live, wish: None };
            if self.memories.insert(id.clone(), known).is_some() {
                self.findings.push(format!("the id {id} was given twice"));
            }
        }
        if let Some(low) = changes.iter().find(|change| **change <= before) {
            self.findings.push(format!("change {low} was told after {before}"));
        }
        self.change = changes.iter().copied().fold(self.change, u64::max);
    }

    fn note_change(&mut self, id: &str, wish: Wish, came: &Came<'_>) {
        let Some(known) = self.memories.get_mut(id) else { return };
        match standing(came) {
            Standing::Confirmed => known.make(&wish),
            Standing::Refused => {}
            open => known.wish = Some((wish, open)),
        }
    }

    /// What a folder holds that it should not, or lacks. What was open is settled by what is there.
    pub(crate) fn compare(&mut self, picture: &Picture, when: When) -> Vec<String> {
        let mut findings = std::mem::take(&mut self.findings);
        findings.extend(picture.problems.iter().cloned());
        if picture.head < self.change {
            findings.push(format!("the last change is {}, and {} was told", picture.head, self.change));
        }
        self.change = self.change.max(picture.head);
        self.adopt(picture, &mut findings);
        for (id, known) in &mut self.memories {
            known.meet(id, picture.memories.get(id), when, &mut findings);
        }
        self.compare_batches(picture, &mut findings);
        compare_part("journal", &self.journal, &picture.journal, when, &mut findings);
        compare_part("tasks", &self.learned, &picture.learned, when, &mut findings);
        for (key, hits) in &picture.answers {
            let first =
                hits.first().and_then(|(id, _)| self.memories.get(id)).map(|known| known.key.as_str());
            if first != Some(key) {
                findings.push(format!("recall of {key} finds {first:?}"));
            }
        }
        if when == When::AtTheEnd {
            compare_part("heard", &self.heard, &picture.heard, when, &mut findings);
            compare_part("documents", &self.documents, &picture.documents, when, &mut findings);
            // What was not kept before was told once more.
            self.heard.values_mut().for_each(|standing| *standing = Standing::Confirmed);
            compare_end(picture, &mut findings);
        }
        findings
    }

    /// Takes up memories of which nobody was told the id, and sees whether something is there twice.
    fn adopt(&mut self, picture: &Picture, findings: &mut Vec<String>) {
        let mut held: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, seen) in &picture.memories {
            held.entry(&seen.born).or_default().push(id);
            if self.memories.contains_key(id) {
                continue;
            }
            match self.keys.remove(&seen.born) {
                Some(Standing::Refused) => findings.push(format!("{} was refused and is there", seen.born)),
                Some(_) => {
                    let state = if seen.trashed { State::Trashed } else { State::Live };
                    let known = Known { key: seen.key.clone(), born: Standing::Confirmed, state, wish: None };
                    self.memories.insert(id.clone(), known);
                }
                None => findings.push(format!("nobody wrote {seen:?} with the id {id}")),
            }
        }
        let twice = held.iter().filter(|(_, ids)| ids.len() > 1);
        findings.extend(twice.map(|(key, ids)| format!("{key} is there more than once: {ids:?}")));
        let lost = self.keys.iter().filter(|(_, standing)| **standing == Standing::Confirmed);
        findings.extend(lost.map(|(key, _)| format!("{key} was imported and is lost")));
    }

    fn compare_batches(&mut self, picture: &Picture, findings: &mut Vec<String>) {
        for keys in std::mem::take(&mut self.batches) {
            let there =
                keys.iter().filter(|key| picture.memories.values().any(|seen| seen.born == **key)).count();
            if there != 0 && there != keys.len() {
                findings.push(format!("{there} of the batch {keys:?} are there"));
            }
        }
    }
}

impl Known {
    fn make(&mut self, wish: &Wish) {
        match wish {
            Wish::Revise(key) => self.key.clone_from(key),
            Wish::Forget => self.state = State::Trashed,
            Wish::Restore => self.state = State::Live,
            Wish::Purge => self.state = State::Purged,
        }
    }

    fn fits(&self, seen: Option<&Seen>) -> bool {
        match (self.state, seen) {
            (State::Purged, None) => true,
            (State::Purged, Some(_)) => false,
            (_, None) => self.born == Standing::Promised,
            (state, Some(seen)) => seen.key == self.key && seen.trashed == (state == State::Trashed),
        }
    }

    fn meet(&mut self, id: &str, seen: Option<&Seen>, when: When, findings: &mut Vec<String>) {
        if self.born == Standing::Promised && (seen.is_some() || when == When::AtTheEnd) {
            self.born = Standing::Confirmed;
        }
        let mut then = self.clone();
        let must = match self.wish.take() {
            None => false,
            Some((wish, standing)) => {
                then.make(&wish);
                let waits = standing == Standing::Promised;
                if waits && when == When::Between && !then.fits(seen) {
                    self.wish = Some((wish, standing));
                }
                waits && when == When::AtTheEnd
            }
        };
        if then.fits(seen) {
            (self.key, self.state) = (then.key, then.state);
        } else if must || !self.fits(seen) {
            let should = (&then.key, then.state, &self.key, self.state);
            findings.push(format!("{id} should be {should:?} and is {seen:?}"));
        }
    }
}

/// How something stands after what came of it.
fn standing(came: &Came<'_>) -> Standing {
    match came {
        Came::Died => Standing::Open,
        Came::Answer(Answer::Queued { .. }) => Standing::Promised,
        Came::Answer(Answer::Refused { .. }) => Standing::Refused,
        Came::Answer(Answer::Done | Answer::Stored { .. } | Answer::Found { .. } | Answer::Seen(_)) => {
            Standing::Confirmed
        }
    }
}

/// The same for what takes more than one step.
fn in_steps(came: &Came<'_>) -> Standing {
    match standing(came) {
        Standing::Refused => Standing::Open,
        standing => standing,
    }
}

fn compare_part(
    name: &str,
    expected: &BTreeMap<String, Standing>,
    found: &[String],
    when: When,
    findings: &mut Vec<String>,
) {
    for (key, standing) in expected {
        let count = found.iter().filter(|own| *own == key).count();
        let fits = match standing {
            Standing::Confirmed => count == 1,
            Standing::Promised => count == 1 || (count == 0 && when == When::Between),
            Standing::Open => count <= 1,
            Standing::Refused => count == 0,
        };
        if !fits {
            findings.push(format!("{name}: {key}, {standing:?}, is there {count} times"));
        }
    }
    let strangers = found.iter().filter(|key| !expected.contains_key(*key));
    findings.extend(strangers.map(|key| format!("{name}: nobody wrote {key}")));
}

/// What must hold once nothing waits: the queue is empty, and the audit log has every event once, in order.
fn compare_end(picture: &Picture, findings: &mut Vec<String>) {
    if picture.waiting > 0 || !picture.dead.is_empty() {
        findings.push(format!("{} calls wait, {:?} were given up", picture.waiting, picture.dead));
    }
    if picture.logged.windows(2).any(|pair| pair[0] >= pair[1]) {
        findings.push(format!("the audit log is out of order: {:?}", picture.logged));
    }
    let missing: Vec<u64> = (1..=picture.events).filter(|number| !picture.logged.contains(number)).collect();
    if !missing.is_empty() {
        findings.push(format!("the audit log lacks {missing:?} of {}", picture.events));
    }
}
