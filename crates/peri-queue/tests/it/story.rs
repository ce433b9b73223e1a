//! The life of a record.

use peri_queue::{Fate, Queue, QueueError, QueueSettings, Severity};

use crate::support::*;

#[test]
fn records_come_out_in_the_order_they_went_in_whatever_memory_and_files_hold() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..40).for_each(|number| push(&queue, number));
    assert!(segments(queue.folder()).len() > 5, "forty records need several files");
    let mut seen = Vec::new();
    while !queue.is_empty() {
        let batch = queue.peek(2, usize::MAX).unwrap();
        assert!((1..=2).contains(&batch.len()));
        for record in &batch {
            assert_eq!(&*record.payload, payload(number_of(record.id)));
            seen.push(number_of(record.id));
        }
        queue.done(&batch.iter().map(|record| record.number).collect::<Vec<_>>()).unwrap();
    }
    assert_eq!(seen, (0..40).collect::<Vec<_>>());
    assert!(segments(queue.folder()).is_empty(), "files of which nothing waits are gone");
    let folder = queue.folder().to_owned();
    queue.close().unwrap();
    assert!(!folder.exists(), "and so is the folder of a queue that was closed");
}

#[test]
fn a_batch_is_bounded_in_bytes_but_never_empty() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), QueueSettings::default());
    (0..3).for_each(|number| queue.push(id(number), at(0), "x".repeat(100)).unwrap());
    for (bytes, count) in [(1, 1), (199, 1), (200, 2), (10_000, 3)] {
        assert_eq!(queue.peek(10, bytes).unwrap().len(), count, "{bytes} bytes");
    }
}

#[test]
fn what_waits_what_is_done_and_what_is_dead_survive_a_restart() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..20).for_each(|number| push(&queue, number));
    let batch = queue.peek(2, usize::MAX).unwrap();
    queue.done(&[batch[0].number, batch[1].number]).unwrap();
    assert_eq!(queue.failed(first(&queue), failure(Severity::Final), at(5)).unwrap(), Fate::Dead);
    queue.drop_one(id(9)).unwrap();
    let before = queue.stats();
    let queue = reopen(queue, small());
    assert_eq!(waiting(&queue), [3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    assert_eq!(dead(&queue), [2]);
    assert_eq!(queue.stats(), before);
    assert_eq!(queue.take_reports(), [""; 0]);
    let letter = &queue.dead_letters(1).unwrap()[0];
    assert_eq!((letter.payload.as_str(), letter.attempts, letter.died_at), (&*payload(2), 1, at(5)));
    assert_eq!(letter.reason, "데이터베이스가 응답하지 않는다");
}

#[test]
fn a_failure_that_passes_holds_up_all_others_and_never_ends_among_the_dead_letters() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..2).for_each(|number| push(&queue, number));
    let mut now = at(0);
    for attempt in 1..500 {
        let Fate::Waits { until } = queue.failed(first(&queue), failure(Severity::Passing), now).unwrap()
        else {
            panic!("dead after {attempt} attempts");
        };
        assert!(until >= now && until.duration_since(now).as_millis() <= 60_000);
        assert_eq!((queue.next_try(), queue.stats().attempts), (Some(until), attempt));
        now = until;
    }
    assert_eq!(waiting(&queue), [0, 1]);
    let listed = &queue.list(2).unwrap();
    assert_eq!((listed[0].attempts, listed[1].attempts), (499, 0));
    let reopened = reopen(queue, small());
    assert_eq!(reopened.stats().attempts, 499, "a restart goes on where it was");
    reopened.hurry();
    assert_eq!(reopened.next_try(), None);
    reopened.done(&[first(&reopened)]).unwrap();
    assert_eq!((reopened.stats().attempts, reopened.next_try()), (0, None), "the next one begins anew");
}

#[test]
fn attempts_are_bounded_where_nobody_can_say_whether_a_failure_passes_or_a_bound_is_set() {
    let bounded = QueueSettings { attempts_max: Some(5), ..small() };
    for (severity, settings, attempts) in
        [(Severity::Unclear, small(), 3), (Severity::Passing, bounded, 5), (Severity::Final, small(), 1)]
    {
        let root = tempfile::tempdir().unwrap();
        let queue = create(root.path(), settings);
        (0..2).for_each(|number| push(&queue, number));
        for attempt in 1..=attempts {
            let fate = queue.failed(first(&queue), failure(severity), at(0)).unwrap();
            assert_eq!(fate == Fate::Dead, attempt == attempts, "{severity:?} {attempt}");
        }
        assert_eq!((waiting(&queue), dead(&queue)), (vec![1], vec![0]));
        assert_eq!(queue.dead_letters(1).unwrap()[0].attempts, attempts);
    }
}

#[test]
fn a_dead_letter_that_gets_another_chance_goes_to_the_end_and_keeps_its_id() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..4).for_each(|number| push(&queue, number));
    for _ in 0..2 {
        queue.failed(first(&queue), failure(Severity::Final), at(0)).unwrap();
    }
    queue.replay(id(1)).unwrap();
    assert_eq!((waiting(&queue), dead(&queue)), (vec![2, 3, 1], vec![0]));
    assert_eq!(queue.replay_all().unwrap(), 1);
    let queue = reopen(queue, small());
    assert_eq!((waiting(&queue), dead(&queue)), (vec![2, 3, 1, 0], vec![]));
    assert_eq!(queue.list(9).unwrap()[2].at, at(1), "when it was first pushed is kept");
    assert!(matches!(queue.replay(id(1)), Err(QueueError::NoRecord { .. })), "it waits already");
}

#[test]
fn a_crash_while_a_dead_letter_is_put_back_leaves_it_in_one_place() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), QueueSettings::default());
    (0..3).for_each(|number| push(&queue, number));
    queue.failed(first(&queue), failure(Severity::Final), at(0)).unwrap();
    let letters = queue.folder().join("dead.jsonl");
    let before = std::fs::read(&letters).unwrap();
    queue.replay(id(0)).unwrap();
    // As if the power had gone before the dead letter was let go...
    std::fs::write(&letters, &before).unwrap();
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!((waiting(&queue), dead(&queue)), (vec![1, 2, 0], vec![]));
    // ...and before one that died was marked as no longer waiting.
    let marks = queue.folder().join("00000001.done");
    let unmarked = std::fs::read(&marks).unwrap_or_default();
    queue.failed(first(&queue), failure(Severity::Final), at(0)).unwrap();
    std::fs::write(&marks, unmarked).unwrap();
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!((waiting(&queue), dead(&queue)), (vec![2, 0], vec![1]));
}

#[test]
fn dropping_takes_what_waits_and_what_is_dead_and_refuses_what_is_neither() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..20).for_each(|number| push(&queue, number));
    for _ in 0..2 {
        queue.failed(first(&queue), failure(Severity::Final), at(0)).unwrap();
    }
    for number in [2, 19, 0] {
        queue.drop_one(id(number)).unwrap();
        assert!(matches!(queue.drop_one(id(number)), Err(QueueError::NoRecord { .. })));
    }
    assert_eq!((waiting(&queue), dead(&queue)), ((3..19).collect(), vec![1]));
    assert_eq!((queue.drop_waiting().unwrap(), queue.drop_dead().unwrap()), (16, 1));
    assert_eq!((queue.stats().depth, queue.stats().bytes, queue.stats().dead), (0, 0, 0));
    push(&queue, 99);
    assert_eq!(waiting(&reopen(queue, small())), [99]);
}

#[test]
fn many_threads_push_at_once_and_nothing_is_lost_or_doubled() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), QueueSettings { segment_bytes: 5_000, ..small() });
    let delivered = std::thread::scope(|threads| {
        let pushers: Vec<_> = (0..8_u64)
            .map(|thread| {
                let queue = &queue;
                threads.spawn(move || (0..50).for_each(|step| push(queue, thread * 1000 + step)))
            })
            .collect();
        let delivered = deliver(&queue, || pushers.iter().all(|pusher| pusher.is_finished()));
        pushers.into_iter().for_each(|pusher| pusher.join().unwrap());
        delivered
    });
    let mut sorted = delivered.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..8).flat_map(|thread| (0..50).map(move |n| thread * 1000 + n)).collect::<Vec<_>>());
    for thread in 0..8 {
        let own: Vec<_> = delivered.iter().filter(|number| **number / 1000 == thread).collect();
        assert!(own.is_sorted(), "what one thread pushed stays in its order");
    }
}

/// Delivers until nothing is left and nobody pushes any more.
fn deliver(queue: &Queue, finished: impl Fn() -> bool) -> Vec<u64> {
    let mut delivered = Vec::new();
    loop {
        let last = finished();
        let batch = queue.peek(7, usize::MAX).unwrap();
        if batch.is_empty() && last {
            return delivered;
        }
        delivered.extend(batch.iter().map(|record| number_of(record.id)));
        queue.done(&batch.iter().map(|record| record.number).collect::<Vec<_>>()).unwrap();
    }
}
