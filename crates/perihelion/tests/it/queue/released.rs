//! Queue files of earlier releases are made like those of this one.

use std::path::Path;

use perihelion::{JournalQuery, MemoryId, Options, Perihelion, QueueSettings, Remember, Scope, Trashed};

use crate::support::{all, options};

/// Queues that the release before calls could wait as a whole has left behind, one of each of six processes.
const LEFT_BEHIND: [(&str, &str); 6] = [
    (
        "01a1e4c9-d0eb-7494-a0fd-876bb5234418",
        include_str!("released/01a1e4c9-d0eb-7494-a0fd-876bb5234418.jsonl"),
    ),
    (
        "01a1e4c9-d1f5-705a-93f3-4f6d3a1fff23",
        include_str!("released/01a1e4c9-d1f5-705a-93f3-4f6d3a1fff23.jsonl"),
    ),
    (
        "01a1e4c9-d312-7736-9189-61e8f1c7d9b3",
        include_str!("released/01a1e4c9-d312-7736-9189-61e8f1c7d9b3.jsonl"),
    ),
    (
        "01a1e4c9-d41b-74f6-9625-5a9a4b703aa2",
        include_str!("released/01a1e4c9-d41b-74f6-9625-5a9a4b703aa2.jsonl"),
    ),
    (
        "01a1e4c9-d536-737c-b190-68840f592fc3",
        include_str!("released/01a1e4c9-d536-737c-b190-68840f592fc3.jsonl"),
    ),
    (
        "01a1e4c9-d654-7781-9774-d9454212dca1",
        include_str!("released/01a1e4c9-d654-7781-9774-d9454212dca1.jsonl"),
    ),
];

/// The memories that they change.
const HERON: &str = "01a1e4c9-8e70-775b-ba84-056b083a7646";
const STORK: &str = "01a1e4c9-8ec9-7182-9403-c623b95bac3a";

fn open(folder: &Path) -> Perihelion {
    Perihelion::open(Options { queue: QueueSettings::default(), ..options(folder) }).unwrap()
}

#[test]
fn what_the_release_before_left_behind_is_made_once_and_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let [heron, stork]: [MemoryId; 2] = [HERON, STORK].map(|id| id.parse().unwrap());
    for (id, content) in [(heron, "a heron by the lake"), (stork, "a stork on the roof")] {
        engine.remember(Remember { id: Some(id), ..Remember::new(content) }).unwrap();
    }
    engine.close().unwrap();
    for (process, lines) in LEFT_BEHIND {
        let own = folder.path().join("queue").join(process);
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("00000001.jsonl"), lines).unwrap();
    }
    let engine = open(folder.path());
    engine.maintain().unwrap();
    let status = engine.queue_status().unwrap();
    assert_eq!((status.depth, status.dead, status.damaged, status.replayed), (0, 0, 0, 6));
    let contents =
        |trashed| -> Vec<String> { all(&engine, trashed).into_iter().map(|memory| memory.content).collect() };
    assert_eq!(contents(Trashed::Without), ["a grey heron by the lake", "지수는 제주도로 이사했다"]);
    assert_eq!(contents(Trashed::Only), ["a stork on the roof"]);
    assert_eq!(engine.sessions(&Scope::All, 10).unwrap()[0].name, "standup");
    let journal = JournalQuery { limit: 10, ..JournalQuery::default() };
    let told: Vec<_> =
        engine.journal(&journal).unwrap().entries.into_iter().map(|entry| entry.text).collect();
    assert_eq!(told, ["李娜到了"]);
    engine.restore(&Scope::All, stork).unwrap();
    assert!(engine.edges(&Scope::All, heron).unwrap().iter().any(|edge| edge.target == stork));
}
