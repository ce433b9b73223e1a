//! A server that is killed while commits are under way, so that nobody knows whether they were made.

use crate::database::{Away, Database, engine, store};
use crate::load::{check, run, wait_until_made};

const KILLS: u64 = 10;
/// Calls between two kills.
const CALLS: u64 = 24;

/// Numbers that look drawn by lot and are the same each time.
struct Lots(u64);

impl Lots {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn check_kills(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path(), &url);
    let mut lots = Lots(7);
    let told = run(&engine, |turnstile| {
        for kill in 0..KILLS {
            turnstile.let_through(CALLS);
            turnstile.wait_for(kill * CALLS + 1 + lots.below(CALLS / 2));
            server.leave(Away::Killed);
            server.come_back();
            // Only what goes straight to the server can be cut off in its commit.
            turnstile.wait_for_all();
            wait_until_made(&engine);
        }
    });
    check(&told, &store(&url));
    engine.close().unwrap();
}

#[test]
fn a_postgresql_that_is_killed_ten_times_while_it_commits_loses_and_doubles_nothing() {
    check_kills(Database::postgres());
}

#[test]
fn a_mariadb_that_is_killed_ten_times_while_it_commits_loses_and_doubles_nothing() {
    check_kills(Database::mariadb());
}
