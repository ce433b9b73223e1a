//! What was made and whose answer was not kept, as when the server is killed in between, is not made again, and neither is
//! what another server of the folder is asked at the same time.

use std::sync::Arc;

use perihelion::{Chores, JournalQuery, Options, Perihelion, TrajectoryQuery};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{House, settings};

/// The requests that would double, each with what it is asked.
fn requests(house: &House) -> [(&'static str, Value); 4] {
    let result = house.keep("default", "a result to judge");
    [
        ("/v1/journal", json!({"entries": [{"text": "written down once"}, {"text": "together"}]})),
        ("/v1/turns", json!({"metadata": {"of": "a turn"}})),
        ("/v1/trajectories", json!({"task": "once", "outcome": "success"})),
        ("/v1/feedback", json!({"query": "once", "used": [result]})),
    ]
}

/// How much of each there is.
fn counts(engine: &Perihelion, database: &std::path::Path) -> [usize; 4] {
    let entries = engine.journal(&JournalQuery::default()).unwrap().entries.len();
    let turns = engine.turns(&perihelion::TurnQuery::default()).unwrap().turns.len();
    let trajectories = engine.trajectories(&TrajectoryQuery::default()).unwrap().trajectories.len();
    let count = |row: &rusqlite::Row<'_>| row.get(0);
    let feedback = Connection::open(database).unwrap().query_row("SELECT count(*) FROM feedback", [], count);
    [entries, turns, trajectories, feedback.unwrap()]
}

#[tokio::test]
async fn what_was_made_and_not_answered_is_answered_as_the_first_time() {
    let house = House::open().await;
    let requests = requests(&house);
    let (folder, engine) = house.stop().await;
    let database = folder.path().join("perihelion.db");
    let never = "CREATE TRIGGER killed BEFORE INSERT ON answers WHEN NEW.status <> 0
        BEGIN SELECT raise(ABORT, 'killed before the answer was kept'); END";
    Connection::open(&database).unwrap().execute_batch(never).unwrap();
    let house = House::serve(folder, engine, settings());
    let mut firsts = Vec::new();
    for (path, body) in &requests {
        let first = house.post(path, body).header("idempotency-key", &path[4..]).send().await;
        assert!([200, 201].contains(&first.status), "{path}: {}", first.text());
        firsts.push((first.status, first.body));
    }
    let made = counts(&house.engine, &database);
    assert_eq!(made, [2, 1, 1, 1]);

    Connection::open(&database).unwrap().execute_batch("DROP TRIGGER killed").unwrap();
    // The second time the answer itself is kept.
    for _ in 0..2 {
        for ((path, body), first) in requests.iter().zip(&firsts) {
            let again = house.post(path, body).header("idempotency-key", &path[4..]).send().await;
            assert_eq!(again.header("idempotency-replayed"), "true", "{path}");
            assert_eq!(&(again.status, again.body), first, "{path}");
        }
    }
    assert_eq!(counts(&house.engine, &database), made);
    let other = json!({"entries": [{"text": "something else"}]});
    let other = house.post("/v1/journal", &other).header("idempotency-key", "journal").send().await;
    other.problem(422, "idempotency-key-reused");
}

#[tokio::test]
async fn what_two_servers_of_a_folder_are_asked_at_once_is_made_once() {
    let one = House::open().await;
    let requests = requests(&one);
    let (folder, engine) = one.stop().await;
    let path = folder.path().to_owned();
    let other = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(&path) }).unwrap();
    let one = House::serve(folder, engine, settings());
    let other = House::serve(TempDir::new().unwrap(), Arc::new(other), settings());
    for (route, body) in &requests {
        let ask = |number: usize| {
            let house = if number.is_multiple_of(2) { &one } else { &other };
            tokio::spawn(house.post(route, body).header("idempotency-key", &route[4..]).send())
        };
        let asked: Vec<_> = (0..16).map(ask).collect();
        let mut answers = Vec::new();
        for answer in asked {
            let answer = answer.await.unwrap();
            match answer.status {
                200 | 201 => answers.push(answer.body),
                _ => drop(answer.problem(409, "under-way")),
            }
        }
        assert!(
            !answers.is_empty() && answers.iter().all(|body| *body == answers[0]),
            "{route}: {answers:?}"
        );
    }
    assert_eq!(counts(&one.engine, &path.join("perihelion.db")), [2, 1, 1, 1]);
}
