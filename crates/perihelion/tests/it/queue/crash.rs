//! A process that is killed while its writes wait.

use perihelion::{Namespace, Remember, Scope, Trashed};

use super::wanted::{edge, entity, queued};
use super::{World, queue_one};
use crate::support::{Worker, all, open, options, role, tell, worker_command};

/// The child: its store is away, so all it remembers waits, until it is killed.
#[test]
fn writer() {
    let Some(folder) = role("queue::crash::writer") else { return };
    let world = World::new(folder.as_ref());
    world.cut_off();
    for number in 0_u64.. {
        let content = format!("the ledger holds entry {number} of process {}", std::process::id());
        let id = queue_one(&world.engine, &content);
        tell(format!("{id} {content}"));
    }
}

/// The child: every call that it makes reads first, so that all wait as a whole, until it is killed.
#[test]
fn caller() {
    let Some(folder) = role("queue::crash::caller") else { return };
    let world = World::new(folder.as_ref());
    world.cut_off();
    for number in 0_u64.. {
        let name = format!("지수 {number} of process {}", std::process::id());
        let [from, to] = ["at the lake", "on the roof"]
            .map(|place| queue_one(&world.engine, &format!("{name} is {place}")));
        queued(world.engine.link(&Scope::All, &edge(from, to)));
        queued(world.engine.create_entities(&Namespace::default(), vec![entity(&name, &["喜欢喝茶"])]));
        tell(format!("{from} {to} {name}"));
    }
}

#[test]
fn calls_that_wait_as_a_whole_survive_kill_9_and_are_made_once_by_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for kill in 1..=4 {
        let mut worker = Worker::start(worker_command("queue::crash::caller", folder.path()));
        told.extend((0..kill * 2).map(|_| worker.hear().expect("it lives until it is killed")));
        worker.child.kill().unwrap();
        told.extend(std::iter::from_fn(|| worker.hear()));
        assert!(!worker.child.wait().unwrap().success(), "killed, not ended");
    }
    let with_queue = perihelion::Options { queue: Default::default(), ..options(folder.path()) };
    for _ in 0..2 {
        let engine = perihelion::Perihelion::open(with_queue.clone()).unwrap();
        engine.maintain().unwrap();
        let status = engine.queue_status().unwrap();
        assert_eq!((status.depth, status.dead), (0, 0));
        engine.close().unwrap();
    }
    let engine = open(folder.path());
    let known = engine.read_graph(&Namespace::default()).unwrap().entities;
    for line in &told {
        let mut words = line.splitn(3, ' ');
        let [from, to] = [(); 2].map(|()| words.next().unwrap().parse().unwrap());
        let edges = engine.edges(&Scope::All, from).unwrap();
        assert_eq!(edges.iter().filter(|own| own.target == to).count(), 1, "{line}");
        let expected = entity(words.next().unwrap(), &["喜欢喝茶"]);
        assert_eq!(known.iter().filter(|own| **own == expected).count(), 1, "{line}");
    }
}

#[test]
fn what_was_queued_survives_kill_9_and_is_made_once_by_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for kill in 1..=12 {
        let mut worker = Worker::start(worker_command("queue::crash::writer", folder.path()));
        told.extend((0..kill * 3).map(|_| worker.hear().expect("it lives until it is killed")));
        worker.child.kill().unwrap();
        told.extend(std::iter::from_fn(|| worker.hear()));
        assert!(!worker.child.wait().unwrap().success(), "killed, not ended");
    }
    let with_queue = perihelion::Options { queue: Default::default(), ..options(folder.path()) };
    for _ in 0..2 {
        let engine = perihelion::Perihelion::open(with_queue.clone()).unwrap();
        engine.maintain().unwrap();
        assert_eq!(engine.queue_status().unwrap().depth, 0);
        engine.close().unwrap();
    }
    let engine = open(folder.path());
    let held: Vec<String> = all(&engine, Trashed::Without)
        .into_iter()
        .map(|memory| format!("{} {}", memory.id, memory.content))
        .collect();
    for line in &told {
        assert_eq!(held.iter().filter(|own| *own == line).count(), 1, "{line}");
    }
    // At most one of each process was queued and killed before it could tell.
    assert!(held.len() <= told.len() + 12, "{} held, {} told", held.len(), told.len());
    drop(engine.remember(Remember::new("and life goes on")).unwrap());
}
