//! Several processes, each with a queue of its own.

use peri_queue::{QueueError, QueueSettings, Queues, Severity};

use crate::support::*;

fn queues(root: &std::path::Path) -> Queues {
    Queues::new(root.join("queue"), QueueSettings::default())
}

fn held(queues: &Queues) -> Vec<u64> {
    queues.list(usize::MAX).unwrap().iter().map(|record| number_of(record.id)).collect()
}

#[test]
fn who_never_queues_leaves_no_trace() {
    let root = tempfile::tempdir().unwrap();
    let queues = queues(root.path());
    assert_eq!((queues.adopt().unwrap(), queues.depth(), queues.stats().depth), (0, 0, 0));
    queues.close().unwrap();
    assert!(!root.path().join("queue").exists());
}

#[test]
fn the_queues_of_processes_that_are_gone_are_taken_over_the_oldest_first_and_those_of_others_are_not() {
    let root = tempfile::tempdir().unwrap();
    let [one, two, three] = [queues(root.path()), queues(root.path()), queues(root.path())];
    for (time, queues) in [(1000, &one), (2000, &two), (3000, &three)] {
        for number in time..time + 3 {
            queues.push(id(number), at(number as i64), payload(number)).unwrap();
        }
    }
    let next = queues(root.path());
    assert_eq!(next.adopt().unwrap(), 0, "all of them are running");
    drop((one, two));
    assert_eq!(next.adopt().unwrap(), 6);
    next.push(id(4000), at(4000), "own").unwrap();
    assert_eq!(held(&next), [1000, 1001, 1002, 2000, 2001, 2002, 4000]);
    assert_eq!(next.adopt().unwrap(), 0, "once is enough");
    assert_eq!(next.first().unwrap().list(1).unwrap()[0].id, id(1000));
    let (seen, _, stats) = next.look(usize::MAX).unwrap();
    let seen: Vec<_> = seen.iter().map(|record| number_of(record.id)).collect();
    assert_eq!(seen, [1000, 1001, 1002, 2000, 2001, 2002, 3000, 3001, 3002, 4000]);
    assert_eq!((stats.depth, stats.oldest_at), (10, Some(at(1000))));
    assert!(matches!(next.drop_one(id(3000)), Err(QueueError::HeldElsewhere { .. })));
    assert!(matches!(next.drop_one(id(5)), Err(QueueError::NoRecord { .. })));
}

#[test]
fn whoever_looks_from_outside_sees_what_fails_and_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let queues = queues(root.path());
    (0..3).for_each(|number| queues.push(id(number), at(number as i64), payload(number)).unwrap());
    let queue = queues.first().unwrap();
    queue.failed(first(&queue), failure(Severity::Final), at(3)).unwrap();
    queue.failed(first(&queue), failure(Severity::Passing), at(4)).unwrap();
    let outside = Queues::new(queues.root(), QueueSettings::default());
    for looking in [&outside, &queues, &outside] {
        let (records, letters, stats) = looking.look(1).unwrap();
        assert_eq!((records.len(), records[0].id, records[0].attempts), (1, id(1), 1));
        assert_eq!((letters.len(), letters[0].id), (1, id(0)));
        assert_eq!(stats, queues.stats());
    }
    assert_eq!((queues.replay_all().unwrap(), held(&queues)), (1, vec![1, 2, 0]));
}

#[test]
fn closing_leaves_what_waits_to_the_next_process_and_removes_what_is_empty() {
    let root = tempfile::tempdir().unwrap();
    let one = queues(root.path());
    one.push(id(1), at(1), payload(1)).unwrap();
    one.close().unwrap();
    let next = queues(root.path());
    assert_eq!(next.adopt().unwrap(), 1);
    let queue = next.first().unwrap();
    queue.done(&[first(&queue)]).unwrap();
    drop(queue);
    next.close().unwrap();
    assert_eq!(std::fs::read_dir(root.path().join("queue")).unwrap().count(), 0);
}
