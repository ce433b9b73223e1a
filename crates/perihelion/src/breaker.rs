//! What hangs, known to every process of a data folder, so that not each of them waits for it anew.
//!
//! A process that waited in vain says so in a small file beside the saved indexes. Until the time that it names, others go
//! on without what hangs; then one of them tries again, and the others wait for what it finds. The file is derived like
//! everything in its folder: without it each process finds out by itself.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_types::{Clock, Timestamp};
use serde::{Deserialize, Serialize};

/// The file in the folder of the indexes, and the one that is locked while it changes.
const FILE: &str = "hung.json";
const LOCK: &str = "hung.lock";

/// After the first wait in vain others go on without for so long, after each further one for twice as long...
const PAUSE_MIN: Duration = Duration::from_secs(2);
/// ...but never longer than this.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// A process that stays looks into the file this often.
const LOOKED_AT: Duration = Duration::from_millis(250);

/// Whoever changes the file holds its lock for less than a millisecond, unless it was stopped amid that.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(1);

/// What can hang, and where that is: elsewhere another one may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party<'a> {
    /// The server that holds the database.
    Store(&'a str),
    /// Another process that holds the lock of those who write.
    Writer(&'a str),
    /// The server that embeds.
    Embedding(&'a str),
}

impl Party<'_> {
    /// What it is called in the file.
    fn key(self) -> String {
        match self {
            Self::Store(place) => format!("store {place}"),
            Self::Writer(place) => format!("writer {place}"),
            Self::Embedding(name) => format!("embedding {name}"),
        }
    }
}

/// Since when something hangs, and until when nobody waits for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hung {
    pub(crate) since: Timestamp,
    pub(crate) until: Timestamp,
    /// How often was waited in vain.
    pub(crate) times: u32,
    pub(crate) why: String,
}

/// Whether something is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// As ever.
    Freely,
    /// To find out whether it answers again.
    OnTrial,
    /// Not now.
    Not(Hung),
}

/// Keeps what hangs.
#[derive(Debug)]
pub(crate) struct Breaker {
    folder: PathBuf,
    clock: Clock,
    known: Mutex<Known>,
}

type Parties = BTreeMap<String, Hung>;

#[derive(Debug, Default)]
struct Known {
    parties: Parties,
    looked: Option<Instant>,
}

impl Breaker {
    /// The one of all processes on a data folder.
    pub(crate) fn of(data: &Path, clock: Clock) -> Self {
        Self { folder: data.join("index"), clock, known: Mutex::default() }
    }

    /// Whether something is waited for now. Of all that ask once it is due again, one tries.
    pub(crate) fn admit(&self, party: Party<'_>) -> Admission {
        let mut known = self.looked_at();
        if known.parties.is_empty() {
            return Admission::Freely;
        }
        let key = party.key();
        let Some(hung) = known.parties.get(&key) else { return Admission::Freely };
        if self.is_ahead(hung.until) {
            return Admission::Not(hung.clone());
        }
        let hung = hung.clone();
        let claimed = self.change(&mut known, |parties| match parties.get_mut(&key) {
            Some(hung) if !self.is_ahead(hung.until) => {
                hung.until = self.after(hung.times);
                true
            }
            _ => false,
        });
        if claimed { Admission::OnTrial } else { Admission::Not(hung) }
    }

    /// Since when something hangs, if it does.
    pub(crate) fn known(&self, party: Party<'_>) -> Option<Hung> {
        self.looked_at().parties.get(&party.key()).cloned()
    }

    /// All that hangs, by what it is called.
    pub(crate) fn all(&self) -> Vec<(String, Hung)> {
        self.looked_at().parties.clone().into_iter().collect()
    }

    /// Notes that somebody waited in vain.
    pub(crate) fn hung(&self, party: Party<'_>, why: &str) {
        let mut known = self.looked_at();
        self.change(&mut known, |parties| {
            let now = self.clock.now();
            let hung = parties.entry(party.key()).or_insert_with(|| {
                tracing::info!(
                    ?party,
                    why,
                    "it does not answer; nobody waits for it until it is tried again"
                );
                Hung { since: now, until: now, times: 0, why: String::new() }
            });
            hung.times = hung.times.saturating_add(1);
            (hung.until, hung.why) = (self.after(hung.times), why.to_owned());
            true
        });
    }

    /// Notes that something answered.
    pub(crate) fn answered(&self, party: Party<'_>) {
        let mut known = self.looked_at();
        if known.parties.is_empty() {
            return;
        }
        let key = party.key();
        if known.parties.contains_key(&key) {
            tracing::info!(?party, "it answers again");
            self.change(&mut known, |parties| parties.remove(&key).is_some());
        }
    }

    /// What is known, as far as the file has it or somebody of this process said so.
    fn looked_at(&self) -> parking_lot::MutexGuard<'_, Known> {
        let mut known = self.known.lock();
        if known.looked.is_none_or(|looked| looked.elapsed() >= LOOKED_AT) {
            known.looked = Some(Instant::now());
            match self.read() {
                Ok(parties) => known.parties = parties,
                Err(error) => tracing::debug!(%error, "what hangs cannot be read"),
            }
        }
        known
    }

    /// Changes the file while nobody else does. If it cannot be written, this process alone knows.
    fn change(&self, known: &mut Known, change: impl FnOnce(&mut Parties) -> bool) -> bool {
        let lock = self.lock();
        if lock.is_some()
            && let Ok(parties) = self.read()
        {
            known.parties = parties;
        }
        let changed = change(&mut known.parties);
        if changed
            && lock.is_some()
            && let Err(error) = self.write(&known.parties)
        {
            tracing::debug!(%error, "what hangs cannot be told to other processes");
        }
        changed
    }

    fn lock(&self) -> Option<File> {
        let path = self.folder.join(LOCK);
        let opened = peri_private::create_folder(&self.folder)
            .and_then(|()| peri_private::file(&path).write(true).create(true).truncate(false).open(&path));
        let file = opened.ok()?;
        for _ in 0..LOCK_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(_)) => return None,
            }
        }
        None
    }

    /// What the file says; one that makes no sense says nothing.
    fn read(&self) -> io::Result<Parties> {
        match peri_private::read(self.folder.join(FILE)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Parties::new()),
            Err(error) => Err(error),
        }
    }

    /// Writes it beside and puts it in place, so that nobody reads half of it.
    fn write(&self, parties: &Parties) -> io::Result<()> {
        let file = self.folder.join(FILE);
        if parties.is_empty() {
            return std::fs::remove_file(file);
        }
        let draft = self.folder.join(format!("hung.{}.tmp", std::process::id()));
        peri_private::write(&draft, &serde_json::to_vec(parties)?)?;
        std::fs::rename(&draft, &file)
    }

    /// Until when nobody waits after so many waits in vain.
    fn after(&self, times: u32) -> Timestamp {
        let pause = PAUSE_MIN.saturating_mul(1 << times.saturating_sub(1).min(8)).min(PAUSE_MAX);
        self.clock.now().checked_add(pause).unwrap_or(Timestamp::MAX)
    }

    /// Whether a pause is not over. None is longer than the longest: a clock that was ahead holds nobody up.
    fn is_ahead(&self, until: Timestamp) -> bool {
        let now = self.clock.now();
        let longest = SignedDuration::try_from(PAUSE_MAX).unwrap_or(SignedDuration::MAX);
        now < until && until.duration_since(now) <= longest
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn second(seconds: i64) -> SignedDuration {
        SignedDuration::from_secs(seconds)
    }

    /// Two processes on one folder.
    fn two() -> (tempfile::TempDir, Clock, Breaker, Breaker) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual("2026-03-02T14:00:00Z".parse().unwrap());
        let one = Breaker::of(folder.path(), clock.clone());
        let other = Breaker::of(folder.path(), clock.clone());
        (folder, clock, one, other)
    }

    #[test]
    fn what_one_process_waited_for_in_vain_no_other_waits_for() {
        let (folder, clock, one, other) = two();
        assert_eq!(one.admit(Party::Embedding("a")), Admission::Freely);
        assert!(!folder.path().join("index").exists(), "where all is well nothing is written");
        one.hung(Party::Embedding("a"), "it took too long");
        let Admission::Not(hung) = other.admit(Party::Embedding("a")) else { panic!("it waits") };
        assert_eq!((hung.times, hung.why.as_str(), hung.since), (1, "it took too long", clock.now()));
        for other_one in [Party::Store("a"), Party::Writer("a"), Party::Embedding("b")] {
            assert_eq!(other.admit(other_one), Admission::Freely, "{other_one:?} is not concerned");
        }
    }

    #[test]
    fn one_process_tries_again_and_the_others_wait_for_what_it_finds() {
        let (folder, clock, one, other) = two();
        one.hung(Party::Store("a"), "it hangs");
        clock.advance(second(2));
        assert_eq!(other.admit(Party::Store("a")), Admission::OnTrial);
        let third = Breaker::of(folder.path(), clock.clone());
        assert!(matches!(third.admit(Party::Store("a")), Admission::Not(_)));
        other.hung(Party::Store("a"), "it still hangs");
        clock.advance(second(3));
        let fourth = Breaker::of(folder.path(), clock.clone());
        assert!(matches!(fourth.admit(Party::Store("a")), Admission::Not(_)), "the pauses grow");
        clock.advance(second(1));
        assert_eq!(fourth.admit(Party::Store("a")), Admission::OnTrial);
        fourth.answered(Party::Store("a"));
        assert!(!folder.path().join("index").join(FILE).exists());
        assert_eq!(Breaker::of(folder.path(), clock).admit(Party::Store("a")), Admission::Freely);
    }

    #[test]
    fn who_tries_and_is_killed_leaves_the_next_try_to_another() {
        let (folder, clock, one, other) = two();
        one.hung(Party::Store("a"), "it hangs");
        clock.advance(second(2));
        assert_eq!(other.admit(Party::Store("a")), Admission::OnTrial);
        drop(other);
        clock.advance(second(2));
        assert_eq!(Breaker::of(folder.path(), clock).admit(Party::Store("a")), Admission::OnTrial);
    }

    #[test]
    fn a_clock_that_was_ahead_holds_nobody_up() {
        let (folder, clock, one, _) = two();
        clock.advance(second(100_000));
        one.hung(Party::Store("a"), "it hangs");
        let behind = Clock::manual("2026-03-02T14:00:00Z".parse().unwrap());
        assert_eq!(Breaker::of(folder.path(), behind).admit(Party::Store("a")), Admission::OnTrial);
    }

    #[test]
    fn a_damaged_file_and_a_folder_that_cannot_be_written_stop_nobody() {
        let (folder, clock, one, _) = two();
        one.hung(Party::Store("a"), "it hangs");
        std::fs::write(folder.path().join("index").join(FILE), "{half").unwrap();
        assert_eq!(Breaker::of(folder.path(), clock.clone()).admit(Party::Store("a")), Admission::Freely);
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let nowhere = Breaker::of(&file, clock);
        nowhere.hung(Party::Store("a"), "it hangs");
        assert!(matches!(nowhere.admit(Party::Store("a")), Admission::Not(_)), "this process knows");
    }
}
