//! Several processes, and several engines of one process, on one folder.

use std::collections::{BTreeMap, BTreeSet};

use perihelion::{MemoryId, Outcome, Perihelion, Remember, Revise, Scope, Trashed, Verdict};

use crate::support::{Worker, all, ask, contents, finds, keep, open, role, tell, worker_command};

const PROCESSES: usize = 8;
const OWN: usize = 30;
const SHARED: usize = 10;

/// Content that no other memory resembles: process and number are words of their own.
fn own_content(process: usize, number: usize) -> String {
    format!("process{process}x keeps item{number}y on shelf{}z", process * 100 + number)
}

fn shared_content(number: usize) -> String {
    format!("everybody knows shared{number}w")
}

/// The worker: does what its parent says, line by line, and answers each line.
#[test]
fn member() {
    let Some(folder) = role("processes::member") else { return };
    let engine = open(folder);
    for line in std::io::stdin().lines().map(Result::unwrap) {
        match line.split_once(' ').unwrap() {
            ("spree", process) => spree(&engine, process.parse().unwrap()),
            ("remember", content) => tell(keep(&engine, content)),
            ("knows", content) => tell(finds(&engine, content, content)),
            ("forget", id) => tell(engine.forget(&Scope::All, id.parse().unwrap()).unwrap().id),
            other => panic!("unknown order {other:?}"),
        }
    }
    engine.close().unwrap();
}

/// Writes own and shared statements and reads as it goes, as fast as it can.
fn spree(engine: &Perihelion, process: usize) {
    assert!(finds(engine, "who was here first?", "the parent was here first"));
    let mut told = Vec::new();
    for number in 0..OWN {
        let content = own_content(process, number);
        told.push((engine.remember(Remember::new(&content)).unwrap(), content.clone()));
        if number % 3 == 0 {
            let content = shared_content(number / 3);
            told.push((engine.remember(Remember::new(&content)).unwrap(), content));
        }
        if number % 5 == 0 {
            assert!(finds(engine, &content, &content), "own write is seen: {content}");
            engine.maintain().unwrap();
        }
    }
    for (receipt, content) in told {
        tell(format!("{} {:?} {content}", receipt.id, receipt.outcome));
    }
    tell("done");
}

#[test]
fn eight_processes_on_one_folder_lose_and_double_nothing_and_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    keep(&engine, "the parent was here first");
    let mut workers: Vec<_> =
        (0..PROCESSES).map(|_| Worker::start(worker_command("processes::member", folder.path()))).collect();
    for (process, worker) in workers.iter_mut().enumerate() {
        worker.send(&format!("spree {process}"));
    }
    let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut stored: BTreeMap<String, usize> = BTreeMap::new();
    for worker in &mut workers {
        loop {
            let line = worker.hear().expect("a worker died");
            if line == "done" {
                break;
            }
            let mut words = line.splitn(3, ' ');
            let (id, outcome, content) =
                (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            ids.entry(content.to_owned()).or_default().insert(id.to_owned());
            let count = stored.entry(content.to_owned()).or_default();
            *count += usize::from(outcome == format!("{:?}", Outcome::Stored));
        }
    }
    assert_eq!(ids.len(), PROCESSES * OWN + SHARED);
    assert!(ids.values().all(|ids| ids.len() == 1), "one statement has one id in every process");
    assert!(stored.values().all(|count| *count == 1), "stored once, merged by everybody else");
    let memories = all(&engine, Trashed::Without);
    let held: BTreeMap<_, _> = memories.iter().map(|memory| (memory.content.as_str(), memory.id)).collect();
    assert_eq!((memories.len(), held.len()), (ids.len() + 1, ids.len() + 1), "nothing lost, nothing doubled");
    for (content, told) in &ids {
        assert_eq!(told.first(), Some(&held[content.as_str()].to_string()), "{content}");
    }

    // Now that everybody has an index: what one writes, every other one knows at its next call.
    for (writer, word) in
        ["amber", "basil", "cedar", "dahlia", "elder", "fennel", "ginger", "hazel"].iter().enumerate()
    {
        let content = format!("fresh news about {word} from worker{writer}");
        let id = workers[writer].ask(&format!("remember {content}"));
        for (reader, worker) in workers.iter_mut().enumerate() {
            assert_eq!(worker.ask(&format!("knows {content}")), "true", "{reader} of {writer}");
        }
        let other = (writer + 3) % PROCESSES;
        assert_eq!(workers[other].ask(&format!("forget {id}")), id);
        for (reader, worker) in workers.iter_mut().enumerate() {
            assert_eq!(worker.ask(&format!("knows {content}")), "false", "{reader} of {writer}");
        }
        assert!(ask(&engine, &content).hits.iter().all(|hit| hit.memory.content != content));
    }
    workers.into_iter().for_each(|worker| drop(worker.finish()));
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
    }
}

#[test]
fn two_engines_of_one_process_see_each_others_changes_on_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (open(folder.path()), open(folder.path()));
    let mut hands = [&first, &second];
    for round in 0..3 {
        let [writer, reader] = hands;
        let content = format!("the watchword of round{round} is marzipan");
        let id = keep(writer, &content);
        assert!(finds(reader, "watchword marzipan", &content));
        let new = format!("the watchword of round{round} is nougat");
        writer.revise(&Scope::All, id, Revise { content: Some(new.clone()), ..Revise::default() }).unwrap();
        assert!(!contents(&ask(reader, "watchword marzipan")).contains(&content.as_str()));
        assert!(finds(reader, "watchword nougat", &new));
        reader.forget(&Scope::All, id).unwrap();
        assert!(ask(writer, "watchword nougat").hits.is_empty());
        writer.restore(&Scope::All, id).unwrap();
        assert!(finds(reader, "watchword nougat", &new));
        reader.forget(&Scope::All, id).unwrap();
        reader.purge(&Scope::All, id).unwrap();
        assert!(ask(writer, "watchword nougat").hits.is_empty());
        assert!(writer.get(&Scope::All, id).is_err());
        hands.reverse();
    }
}

#[test]
fn two_engines_of_one_process_save_their_indexes_without_spoiling_them() {
    let folder = tempfile::tempdir().unwrap();
    let batch = (0..400).map(|i| Remember::new(own_content(i / 50, i % 50)));
    open(folder.path()).remember_all(batch.collect()).unwrap();
    let engines: Vec<_> = (0..4).map(|_| open(folder.path())).collect();
    std::thread::scope(|threads| {
        for (number, engine) in engines.iter().enumerate() {
            threads.spawn(move || {
                for i in 0..5 {
                    let batch = (0..80).map(|j| Remember::new(own_content(100 + number, i * 80 + j)));
                    engine.remember_all(batch.collect()).unwrap();
                    ask(engine, "shelf");
                    engine.maintain().unwrap();
                }
            });
        }
    });
    let drafts = std::fs::read_dir(folder.path().join("index")).unwrap();
    let drafts = drafts.filter(|file| file.as_ref().unwrap().path().extension().unwrap() == "tmp").count();
    assert_eq!(drafts, 0, "no draft is left behind");
    let engine = open(folder.path());
    let content = own_content(102, 399);
    assert_eq!(ask(&engine, &content).hits[0].memory.content, content);
    assert_eq!(all(&engine, Trashed::Without).len(), 400 + 4 * 5 * 80);
}

#[test]
fn an_id_given_from_outside_is_stored_by_exactly_one_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let engines: Vec<_> = (0..4).map(|_| open(folder.path())).collect();
    let id = MemoryId::generate(perihelion::Timestamp::UNIX_EPOCH);
    let outcomes: Vec<_> = std::thread::scope(|threads| {
        let tries: Vec<_> = engines
            .iter()
            .enumerate()
            .map(|(number, engine)| {
                let content = format!("claim of engine {number}");
                threads.spawn(move || engine.remember(Remember { id: Some(id), ..Remember::new(content) }))
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(all(&engines[0], Trashed::Without).len(), 1);
}
