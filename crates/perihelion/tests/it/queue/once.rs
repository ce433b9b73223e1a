//! Requests that are named, made while the store is away: sent again, also to a process that knows nothing of the first, they
//! are made once.

use peri_store::Store;
use perihelion::{
    Claim, Error, Feedback, JournalQuery, Namespace, NewEntry, NewTrajectory, Scope, TaskOutcome,
    TrajectoryQuery, digest_of,
};

use super::World;
use crate::support::keep;

fn claim(key: &str) -> Claim {
    Claim {
        caller: "local".to_owned(),
        key: key.to_owned(),
        digest: digest_of(&[key.as_bytes()]),
        made: None,
    }
}

#[test]
fn what_is_sent_twice_while_the_store_is_away_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let result = keep(&world.engine, "a result to judge");
    world.cut_off();
    let judged = Feedback { query: "what".to_owned(), used: vec![result], ..Feedback::default() };
    for _ in 0..2 {
        let entry = NewEntry::new("written down once");
        world.engine.append_all_once(Some(&claim("journal")), vec![entry]).unwrap();
        let task = NewTrajectory::new("once", TaskOutcome::Success);
        world.engine.record_trajectory_once(Some(&claim("trajectory")), task).unwrap();
        let waits = world.engine.feedback_once(Some(&claim("feedback")), &Scope::All, &judged);
        assert!(matches!(waits, Err(Error::Queued)), "{waits:?}");
    }
    assert_eq!(world.depth(), 6);
    world.come_back();
    assert_eq!((world.depth(), world.engine.queue_status().unwrap().dead), (0, 0));
    assert_eq!(world.engine.journal(&JournalQuery::default()).unwrap().entries.len(), 1);
    assert_eq!(world.engine.trajectories(&TrajectoryQuery::default()).unwrap().trajectories.len(), 1);
    assert_eq!(world.store.feedback(&Namespace::default(), 9).unwrap().len(), 1);

    // Whoever asks once more is told that it was made, and what it came to.
    let kept = world.engine.kept_answer("local", "journal").unwrap().unwrap();
    let again = Claim { made: Some(kept.body), ..claim("journal") };
    let receipts =
        world.engine.append_all_once(Some(&again), vec![NewEntry::new("written down once")]).unwrap();
    assert_eq!(world.engine.journal(&JournalQuery::default()).unwrap().entries[0].id, receipts[0].id);
    let unaware = world.engine.append_all_once(Some(&claim("journal")), vec![NewEntry::new("once")]);
    assert!(matches!(unaware, Err(Error::MadeBefore)), "{unaware:?}");
    assert_eq!(world.engine.journal(&JournalQuery::default()).unwrap().entries.len(), 1);
}
