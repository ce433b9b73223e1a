//! A server that goes away under load and comes back.

mod calls;

use crate::database::{Away, Database, engine, store, until};
use crate::load::{check, run, wait_until_made};

/// Calls before the server goes, while it is away, and when it is back.
const BEFORE: u64 = 40;
const MEANWHILE: u64 = 80;
const AFTER: u64 = 40;

fn check_outage(server: Option<Database>, away: Away) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), &url);
    assert!(engine.health().healthy, "{:?}", engine.health());
    let told = run(&engine, |turnstile| {
        turnstile.let_through(BEFORE + MEANWHILE);
        turnstile.wait_for(BEFORE);
        server.leave(away);
        turnstile.wait_for_all();
        let health = engine.health();
        assert!(!health.healthy && !health.store_reachable, "{health:?}");
        assert!(health.queue.writes > 0 && health.queue.oldest_write_at.is_some(), "{health:?}");
        assert!(health.problems.iter().any(|problem| problem.contains("cannot be reached")), "{health:?}");
        turnstile.let_through(AFTER);
        server.come_back();
        turnstile.wait_for_all();
        wait_until_made(&engine);
    });
    until("good health", || engine.health().healthy);
    let health = engine.health();
    assert_eq!((health.queue.writes, health.queue.dead_writes), (0, 0), "{health:?}");
    assert!(health.queue.replayed_writes > 0 && health.store_reachable, "{health:?}");
    assert!(told.iter().map(|told| told.queued).sum::<u64>() > 0);
    assert!(told.iter().map(|told| told.degraded).sum::<u64>() > 0, "recalls say that nothing took part");
    check(&told, &store(&url));
    engine.close().unwrap();
}

#[test]
fn a_postgresql_that_is_stopped_under_load_loses_and_doubles_nothing() {
    check_outage(Database::postgres(), Away::Stopped);
}

#[test]
fn a_postgresql_that_is_killed_under_load_loses_and_doubles_nothing() {
    check_outage(Database::postgres(), Away::Killed);
}

#[test]
fn a_postgresql_that_hangs_under_load_loses_and_doubles_nothing_and_holds_nobody_up() {
    check_outage(Database::postgres(), Away::Hung);
}

#[test]
fn a_mariadb_that_is_stopped_under_load_loses_and_doubles_nothing() {
    check_outage(Database::mariadb(), Away::Stopped);
}

#[test]
fn a_mariadb_that_is_killed_under_load_loses_and_doubles_nothing() {
    check_outage(Database::mariadb(), Away::Killed);
}

#[test]
fn a_mariadb_that_hangs_under_load_loses_and_doubles_nothing_and_holds_nobody_up() {
    check_outage(Database::mariadb(), Away::Hung);
}
