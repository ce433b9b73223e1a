//! Several engines on one store: of each chore, one does it, and whoever dies at it is replaced.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use peri_embed::{EmbedError, Engine};
use peri_store::{SqliteSettings, SqliteStore, Store};
use peri_types::{Clock, Scope, SpaceId, Timestamp};
use tempfile::TempDir;

use super::turns::HELD;
use super::{Afterwards, CHORES_LEASE, Turn, VECTORS_LEASE};
use crate::{Chores, Options, Perihelion, Remember, SetWork};

/// Takes any text once there was a first failure for each.
struct Reluctant {
    space: SpaceId,
    refused: u64,
    asked: AtomicU64,
}

impl Engine for Reluctant {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        if self.asked.fetch_add(1, Ordering::SeqCst) < self.refused {
            return Err(EmbedError::NotFinite { model: self.space.model.clone() });
        }
        Ok(vec![Some(vec![1.0, 0.0]); texts.len()])
    }
}

fn reluctant(refused: u64) -> Arc<Reluctant> {
    let space = SpaceId { model: "reluctant".into(), dimensions: 2 };
    Arc::new(Reluctant { space, refused, asked: AtomicU64::new(0) })
}

struct Bench {
    folder: TempDir,
    clock: Clock,
    store: Arc<SqliteStore>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Perihelion::DATABASE);
        let store = Arc::new(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
        Self { folder, clock: Clock::manual("2026-05-01T12:00:00Z".parse().unwrap()), store }
    }

    fn options(&self, folder: &Path) -> Options {
        Options { chores: Chores::ByHand, clock: self.clock.clone(), ..Options::at(folder) }
    }

    /// An engine by hand that brings a model along.
    fn with(&self, model: &Arc<Reluctant>) -> Perihelion {
        let own = Some(Arc::clone(model) as Arc<dyn Engine>);
        Perihelion::with_engine(self.options(self.folder.path()), self.store.clone(), own).unwrap()
    }

    /// An engine that stays.
    fn staying(&self) -> Perihelion {
        let options = Options { chores: Chores::Background, ..self.options(self.folder.path()) };
        Perihelion::on_store(options, self.store.clone()).unwrap()
    }

    fn advance(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    fn expires_at(&self, lease: &str) -> Option<Timestamp> {
        self.store.lease(lease).unwrap().map(|lease| lease.expires_at)
    }

    fn unembedded(&self) -> u64 {
        self.store.stats(&Scope::All).unwrap().iter().map(|stats| stats.unembedded).sum()
    }
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    at + SignedDuration::try_from(by).unwrap()
}

#[test]
fn of_two_engines_one_gives_late_memories_their_vectors() {
    let bench = Bench::new();
    let (model, other_model) = (reluctant(2), reluctant(0));
    let (one, other) = (bench.with(&model), bench.with(&other_model));
    for content in ["왜가리는 호숫가에 산다", "李娜喜欢喝茶"] {
        one.remember(Remember::new(content)).unwrap();
    }
    assert_eq!(bench.unembedded(), 2);
    let turn = one.core.in_turn(VECTORS_LEASE, Afterwards::GivenBack, &|| true, |go_on| {
        let until = later(bench.clock.now(), HELD);
        assert_eq!(other.core.round(&|| true)?, Some(until), "the other looks again when the lease runs out");
        assert_eq!((bench.unembedded(), other_model.asked.load(Ordering::SeqCst)), (2, 0));
        one.core.backfill(go_on)
    });
    assert_eq!(turn.unwrap(), Turn::Done);
    assert_eq!((bench.unembedded(), bench.expires_at(VECTORS_LEASE)), (0, None));
    other.core.round(&|| true).unwrap();
    assert_eq!(other_model.asked.load(Ordering::SeqCst), 0, "nothing was left for it");
}

#[test]
fn whoever_died_over_vectors_is_replaced_when_the_lease_has_run_out() {
    let bench = Bench::new();
    let one = bench.with(&reluctant(1));
    one.remember(Remember::new("The heron lives by the lake")).unwrap();
    assert!(bench.store.acquire_lease(VECTORS_LEASE, "dead", bench.clock.now(), HELD).unwrap());
    bench.advance(14);
    one.core.round(&|| true).unwrap();
    assert_eq!(bench.unembedded(), 1);
    bench.advance(1);
    one.core.round(&|| true).unwrap();
    assert_eq!(bench.unembedded(), 0);
}

#[test]
fn what_has_expired_is_swept_by_one_engine_and_by_another_when_that_one_died() {
    let bench = Bench::new();
    let engine = bench.with(&reluctant(0));
    engine.work_set(SetWork::new("초안", "지수는 제주도로 이사했다")).unwrap();
    bench.advance(24 * 60 * 60);
    let now = bench.clock.now();
    assert!(bench.store.acquire_lease("sweep", "another", now, HELD).unwrap());
    assert_eq!(engine.core.round(&|| true).unwrap(), Some(later(now, HELD)));
    assert!(bench.store.has_lapsed(now).unwrap(), "the other is at it");
    bench.advance(15);
    let due = later(bench.clock.now(), engine.options().layers.working.sweep_interval);
    assert_eq!(engine.core.round(&|| true).unwrap(), Some(due));
    assert!(!bench.store.has_lapsed(bench.clock.now()).unwrap());
    assert_eq!(bench.expires_at("sweep"), None, "it is given back");
}

#[test]
fn the_chores_are_kept_until_they_are_due_again_and_others_wake_when_that_has_run_out() {
    let bench = Bench::new();
    let engine = bench.staying();
    let interval = engine.options().reorbit_interval;
    assert!(bench.store.acquire_lease(CHORES_LEASE, "dead", bench.clock.now(), HELD).unwrap());
    let until = bench.expires_at(CHORES_LEASE).unwrap();
    assert_eq!(engine.core.reorbit_if_due(&|| true).unwrap(), Some(until));
    bench.advance(15);
    let due = later(bench.clock.now(), interval);
    assert_eq!(engine.core.reorbit_if_due(&|| true).unwrap(), Some(due));
    assert_eq!(bench.expires_at(CHORES_LEASE), Some(later(due, HELD)));
    let other = bench.staying();
    assert_eq!(other.core.reorbit_if_due(&|| true).unwrap(), Some(later(due, HELD)));
    engine.close().unwrap();
    assert_eq!(bench.expires_at(CHORES_LEASE), None, "whoever leaves gives them back");
}

#[test]
fn a_chore_that_fails_leaves_its_lease_to_others() {
    let bench = Bench::new();
    let engine = bench.with(&reluctant(0));
    for afterwards in [Afterwards::GivenBack, Afterwards::KeptUntil(Timestamp::MAX)] {
        let failed = engine.core.in_turn("some", afterwards, &|| true, |_| {
            assert!(bench.expires_at("some").is_some());
            Err(crate::Error::Store(peri_store::StoreError::Closed))
        });
        assert!(failed.is_err());
        assert_eq!(bench.expires_at("some"), None);
    }
}

#[test]
fn a_lease_is_renewed_as_long_as_its_chore_runs_and_a_chore_that_lost_it_is_told() {
    let bench = Bench::new();
    let engine = bench.with(&reluctant(0));
    let soon = Duration::from_millis(20);
    let until = |what: &dyn Fn() -> bool| {
        // Far longer than it takes: nobody may wait for ever for a thread that died.
        let deadline = Instant::now() + Duration::from_secs(120);
        while !what() {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
    };
    let chore = |go_on: &dyn Fn() -> bool| {
        for _ in 0..3 {
            bench.advance(10);
            let expected = Some(later(bench.clock.now(), HELD));
            until(&|| bench.expires_at("some") == expected);
        }
        assert!(go_on());
        let holder = bench.store.lease("some").unwrap().unwrap().holder;
        until(&|| {
            bench.store.release_lease("some", &holder).unwrap();
            bench.store.acquire_lease("some", "another", bench.clock.now(), HELD).unwrap()
        });
        until(&|| !go_on());
        Ok(())
    };
    engine.core.renewing("some", soon, &|| true, chore).unwrap();
    assert_eq!(bench.store.lease("some").unwrap().unwrap().holder, "another");
}

#[test]
fn whoever_exports_leaves_the_orbits_to_the_next_program_and_whoever_does_not_settles_them() {
    let bench = Bench::new();
    let open = || Perihelion::open(bench.options(bench.folder.path())).unwrap();
    let engine = open();
    engine.remember(Remember::new("도자기를 굽는 날은 일요일이다")).unwrap();
    engine.leave();
    bench.advance(2 * 24 * 3600);
    let unsettled = || bench.store.unsettled(bench.clock.now()).unwrap().len();
    assert_eq!(unsettled(), 1);
    let engine = open();
    engine.export(Scope::All, &mut Vec::new()).unwrap();
    engine.close().unwrap();
    assert_eq!(unsettled(), 1, "an export does with as much memory as it needs itself");
    open().close().unwrap();
    let minute = bench.clock.now() - SignedDuration::from_secs(60);
    assert_eq!(bench.store.unsettled(minute).unwrap(), []);
}
