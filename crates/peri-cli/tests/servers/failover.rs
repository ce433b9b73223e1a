//! A server that dies in the middle of reads and comes back in the same place, as after a failover.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use perihelion::{Perihelion, Recall, Remember};

use crate::database::{Away, Database, engine, until};

const READERS: u64 = 3;

fn finds(engine: &Perihelion) -> bool {
    let recalled = engine.recall(&Recall::new("where does the heron live?")).unwrap();
    assert!(
        !recalled.hits.is_empty() || !recalled.degraded.is_empty(),
        "nothing comes back without a reason"
    );
    !recalled.hits.is_empty()
}

fn check_failover(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), &url);
    engine.remember(Remember::new("The heron lives by the lake")).unwrap();
    let (over, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    finds(&engine);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..2 {
            let before = asked.load(Ordering::Relaxed);
            until("some answers", || asked.load(Ordering::Relaxed) > before + 2 * READERS);
            server.leave(Away::Killed);
            until("an answer without the server", || !finds(&engine));
            server.come_back();
            until("an answer with the server", || finds(&engine));
        }
        over.store(true, Ordering::Relaxed);
    });
    engine.close().unwrap();
}

#[test]
fn recalls_recover_by_themselves_when_postgresql_dies_and_comes_back() {
    check_failover(Database::postgres());
}

#[test]
fn recalls_recover_by_themselves_when_mariadb_dies_and_comes_back() {
    check_failover(Database::mariadb());
}
