//! Several nodes on one database.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

use peri_store::{SqliteSettings, SqliteStore, Store};
use perihelion::{
    Address, Chores, ConsolidationSettings, Memory, MemoryId, Namespace, Options, Perihelion, Remember,
    Scope, StoreChoice, Timestamp, Zone,
};
use serde_json::{Value, json};

use crate::database::{Database, contents, impatient, memories, program, store, until};
use crate::served::Served;
use crate::support::Peri;

/// The leases of those chores that one node does for all: orbits, and links.
const CHORES: &str = "chores";
const LINKS: &str = "links";

/// Memories whose links are looked for: as many as one round of the chores takes, in several steps.
const STATEMENTS: usize = 900;

fn node(url: &str) -> Peri {
    program(url)
        .with("PERI_STORE_STATEMENT_TIMEOUT_MS", "20000")
        .with("PERI_STORE_BUSY_TIMEOUT_MS", "20000")
        .with("PERI_ORBIT_REORBIT_SECONDS", "3")
        .with("PERI_ORBIT_STEP_SECONDS", "1")
        .with("PERI_CONSOLIDATION_MERGE", "false")
        .with("PERI_CONSOLIDATION_SUPERSEDE", "false")
}

fn remember(served: &Served, content: &str) {
    let body = json!({ "content": content, "kind": "episode", "session": "nodes", "speaker": "Ana" });
    let answer = served.post("/v1/memories", &body);
    assert_eq!(answer.status, 201, "{answer:?}");
}

fn first_hit(served: &Served, query: &str) -> String {
    let answer = served.post("/v1/recall", &json!({ "query": query }));
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
    body["hits"][0]["memory"]["content"].as_str().unwrap_or_default().to_owned()
}

/// Starts two nodes at the same moment.
fn both(one: &Peri, other: &Peri) -> (Served, Served) {
    std::thread::scope(|scope| {
        let first = scope.spawn(|| Served::start(one));
        let second = Served::start(other);
        (first.join().unwrap(), second)
    })
}

fn check_sharing(server: Option<Database>) {
    let Some(server) = server else { return };
    let url = server.fresh();
    let (one, other) = (node(&url), node(&url));
    let (first, second) = both(&one, &other);
    remember(&first, "The heron lives by the lake");
    assert_eq!(first_hit(&second, "where does the heron live?"), "The heron lives by the lake");
    remember(&second, "지수는 제주도로 이사했다");
    assert_eq!(first_hit(&first, "지수는 어디로 이사했어?"), "지수는 제주도로 이사했다");
    std::thread::scope(|scope| {
        for (name, served) in [("first", &first), ("second", &second)] {
            for client in 0..2 {
                scope.spawn(move || {
                    for number in 0..20 {
                        remember(
                            served,
                            &format!("To the {name} node client {client} said sentence {number}"),
                        );
                    }
                });
            }
        }
    });
    let mut expected: Vec<String> =
        ["The heron lives by the lake", "지수는 제주도로 이사했다"].map(str::to_owned).into();
    for name in ["first", "second"] {
        for client in 0..2 {
            expected.extend(
                (0..20).map(|number| format!("To the {name} node client {client} said sentence {number}")),
            );
        }
    }
    expected.sort();
    assert_eq!(contents(&url), expected);
    let held = memories(&store(&url));
    let changes: BTreeSet<_> = held.iter().map(|memory| memory.change).collect();
    assert_eq!(changes.len(), held.len(), "no two changes have one number");
    assert_eq!((first.end().code, second.end().code), (Some(0), Some(0)));
}

#[test]
fn two_nodes_that_start_at_once_on_an_empty_postgresql_share_everything_at_once() {
    check_sharing(Database::postgres());
}

#[test]
fn two_nodes_that_start_at_once_on_an_empty_mariadb_share_everything_at_once() {
    check_sharing(Database::mariadb());
}

/// Statements of which some are close to each other, so that there are links to be found.
fn statement(number: usize) -> String {
    let animals = ["heron", "otter", "beaver", "kingfisher", "salmon", "dragonfly"];
    let places = ["lake", "river", "marsh", "pond", "brook"];
    let (animal, place) = (animals[number % animals.len()], places[number / 7 % places.len()]);
    format!(
        "In observation {number} a {animal} was seen near the {place} by the ranger of district {}",
        number % 11
    )
}

/// Who holds a lease now, if anybody does.
fn holder(store: &dyn Store, lease: &str) -> Option<String> {
    let lease = store.lease(lease).unwrap()?;
    (lease.expires_at > Timestamp::now()).then_some(lease.holder)
}

fn unlinked(store: &dyn Store) -> u64 {
    store.stats(&Scope::All).unwrap().iter().map(|stats| stats.unlinked).sum()
}

/// The links between contents that the chores found.
fn links(store: &dyn Store) -> BTreeSet<(String, String)> {
    let held: HashMap<MemoryId, Memory> =
        memories(store).into_iter().map(|memory| (memory.id, memory)).collect();
    let name = |id: &MemoryId| held.get(id).map_or_else(String::new, |memory| memory.content.clone());
    let edges = store.all_edges(&Namespace::default()).unwrap();
    edges.iter().map(|edge| (name(&edge.source), name(&edge.target))).collect()
}

/// How many memories each zone holds.
fn zones(store: &dyn Store) -> Vec<(Zone, u64)> {
    store.stats(&Scope::All).unwrap().into_iter().flat_map(|stats| stats.zones).collect()
}

/// An engine by hand that neither merges nor supersedes.
fn by_hand(options: Options) -> Perihelion {
    let consolidation =
        ConsolidationSettings { merge: false, supersede: false, ..ConsolidationSettings::default() };
    let mut options = Options { consolidation, chores: Chores::ByHand, ..options };
    options.orbit.step = Duration::from_secs(1);
    Perihelion::open(options).unwrap()
}

/// The links that one engine alone finds, on a store of its own.
fn links_alone(folder: &Path) -> BTreeSet<(String, String)> {
    let engine = by_hand(Options::at(folder));
    let told = (0..STATEMENTS).map(|number| Remember::new(statement(number)));
    engine.remember_all(told.collect()).unwrap();
    engine.maintain().unwrap();
    engine.close().unwrap();
    links(&SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap())
}

/// The numbers of the events in a node's audit log.
fn logged(home: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(home.join("logs/events.jsonl")).unwrap_or_default();
    let number = |line: &str| serde_json::from_str::<Value>(line).ok()?["number"].as_u64();
    text.lines().filter_map(number).collect()
}

fn check_takeover(server: Option<Database>) {
    let Some(server) = server else { return };
    let url = server.fresh();
    let (one, other) = (node(&url), node(&url));
    let tables = store(&url);
    let first = Served::start(&one);
    until("a node that does the chores", || holder(&tables, CHORES).is_some());
    let name_of_first = holder(&tables, CHORES);
    let second = Served::start(&other);
    let told: Vec<Value> = (0..STATEMENTS).map(|number| json!({ "content": statement(number) })).collect();
    let answer = first.post("/v1/memories/batch", &json!({ "memories": told }));
    assert_eq!(answer.status, 201, "{answer:?}");
    until("chores that are half done", || (1..STATEMENTS as u64).contains(&unlinked(&tables)));
    let at_it = holder(&tables, LINKS);
    assert!(at_it.is_some(), "one node looks for links");
    let (killed, survivor) = if at_it == name_of_first { (first, second) } else { (second, first) };
    // Dropping kills.
    drop(killed);
    assert!(unlinked(&tables) > 0, "it was killed amid its work");
    until("another node that looks for the rest", || {
        first_hit(&survivor, "who saw a heron?");
        unlinked(&tables) == 0
    });
    // Nobody asks it anything: it wakes when the lease of the dead one has run out.
    until("another node that does the chores", || {
        holder(&tables, CHORES).is_some_and(|now| Some(now) != at_it)
    });
    let settled = Timestamp::now();
    until("orbits that are settled by the other node", || {
        let stats = tables.stats(&Scope::All).unwrap();
        stats.iter().all(|stats| stats.settled_at.is_some_and(|at| at > settled))
    });
    let health: Value = serde_json::from_str(&survivor.get("/v1/health").body).unwrap();
    assert_eq!(
        (&health["healthy"], &health["scheduler"]["running"]),
        (&json!(true), &json!(true)),
        "{health}"
    );
    assert_eq!(survivor.end().code, Some(0));
    assert!(holder(&tables, CHORES).is_none(), "a node that ends gives the chores back");
    let alone = tempfile::tempdir().unwrap();
    assert!(!links(&tables).is_empty());
    assert_eq!(links(&tables), links_alone(alone.path()));
    let before = zones(&tables);
    let address = Address::parse(&url).unwrap();
    let store = StoreChoice::Server { address, settings: impatient() };
    let engine = by_hand(Options { store, ..Options::at(alone.path().join("third")) });
    engine.maintain().unwrap();
    engine.close().unwrap();
    assert_eq!(zones(&tables), before, "whoever comes finds the zones as they should be");
    let mut numbers: BTreeSet<u64> =
        [one.home(), other.home(), alone.path().join("third")].iter().flat_map(|home| logged(home)).collect();
    let waiting = tables.events(0, 100_000).unwrap();
    numbers.extend(waiting.events.iter().map(|event| event.number));
    let last = numbers.last().copied().unwrap();
    assert_eq!(numbers, (1..=last).collect(), "no event is lost");
}

#[test]
fn a_node_that_is_killed_amid_its_chores_on_postgresql_is_replaced() {
    check_takeover(Database::postgres());
}

#[test]
fn a_node_that_is_killed_amid_its_chores_on_mariadb_is_replaced() {
    check_takeover(Database::mariadb());
}
