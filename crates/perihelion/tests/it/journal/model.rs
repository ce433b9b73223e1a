//! Memory and store read as one, against a plain list of everything that was ever appended.

use perihelion::{JournalEntry, NewEntry, Timestamp};
use proptest::prelude::*;

use super::{gone, on_faulty, recent};

#[derive(Debug, Clone)]
enum Step {
    Append { session: u8, second: i64 },
    AppendMany(u8),
    Break,
    Queue,
    Mend,
    Deliver,
    Chores,
    Read { session: Option<u8>, limit: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3u8, 0..20i64).prop_map(|(session, second)| Step::Append { session, second }),
        1 => (1..5u8).prop_map(Step::AppendMany),
        1 => Just(Step::Break),
        1 => Just(Step::Queue),
        1 => Just(Step::Mend),
        1 => Just(Step::Deliver),
        1 => Just(Step::Chores),
        3 => (prop::option::of(0..3u8), 1..12usize).prop_map(|(session, limit)| Step::Read { session, limit }),
    ];
    prop::collection::vec(step, 1..40)
}

fn new(session: u8, second: i64, number: usize) -> NewEntry {
    NewEntry {
        session: Some(format!("모임 {session}")),
        at: Timestamp::from_second(1_772_600_000 + second).ok(),
        ..NewEntry::new(format!("{number}"))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn memory_and_store_read_as_one_have_neither_gaps_nor_repetitions(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let (engine, store) = on_faulty(folder.path());
        let mut model: Vec<JournalEntry> = Vec::new();
        let note = |engine: &perihelion::Perihelion, all: Vec<NewEntry>, model: &mut Vec<JournalEntry>| {
            let appended = match engine.append_all(all) {
                Ok(appended) => appended,
                Err(error) => {
                    assert_eq!(error.kind(), perihelion::ErrorKind::NotKept);
                    return;
                }
            };
            for appended in appended {
                let entry = engine.journal_entry(&perihelion::Scope::All, appended.id).unwrap();
                model.push(entry);
            }
        };
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Append { session, second } => note(&engine, vec![new(session, second, number)], &mut model),
                Step::AppendMany(count) => {
                    let all = (0..count).map(|one| new(one % 3, i64::from(one) * 3, number)).collect();
                    note(&engine, all, &mut model);
                }
                // Writes fail and reads work: a full disk. What cannot be read at all is told apart elsewhere.
                Step::Break => store.break_down("write", gone()),
                Step::Queue => store.queue_writes(),
                Step::Mend => store.mend(),
                Step::Deliver => store.deliver(),
                Step::Chores => drop(engine.maintain()),
                Step::Read { session, limit } => {
                    let session = session.map(|session| format!("모임 {session}"));
                    let mut expected: Vec<_> = model
                        .iter()
                        .filter(|entry| session.is_none() || entry.session == session)
                        .cloned()
                        .collect();
                    expected.sort_by_key(|entry| std::cmp::Reverse(entry.position()));
                    expected.truncate(limit);
                    let told = recent(&engine, session.as_deref(), limit);
                    prop_assert_eq!(told.entries, expected);
                    prop_assert_eq!(told.missing, None);
                }
            }
        }
        // In the end everything is in the store, once.
        store.mend();
        store.deliver();
        engine.maintain().unwrap();
        let query = perihelion::JournalQuery { limit: 1000, ..Default::default() };
        let mut stored = engine.journal(&query).unwrap().entries;
        stored.reverse();
        model.sort_by_key(JournalEntry::position);
        prop_assert_eq!(stored, model);
        prop_assert_eq!(engine.health().journal, perihelion::JournalHealth::default());
    }
}
