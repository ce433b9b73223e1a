//! Several hands on one store.

use std::sync::Arc;
use std::thread;

use peri_store::ListQuery;
use peri_types::Scope;

use crate::support::{keep, open};

#[test]
fn what_was_kept_is_there_after_opening_again() {
    let (folder, store) = open();
    let kept = keep(&*store, "a", "one");
    drop(store);
    let store = folder.open();
    assert_eq!(store.get(&Scope::All, &[kept.id]).unwrap(), [kept]);
}

#[test]
fn many_threads_and_handles_write_without_losing_or_doubling() {
    let (folder, store) = open();
    let (first, second) = (Arc::new(store), Arc::new(folder.open()));
    let threads: Vec<_> = (0..8)
        .map(|worker| {
            let store = Arc::clone(if worker % 2 == 0 { &first } else { &second });
            thread::spawn(move || {
                for i in 0..25 {
                    keep(&**store, "a", &format!("worker {worker} memory {i}"));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let all = second.list(&ListQuery { limit: 1000, ..ListQuery::default() }).unwrap().memories;
    assert_eq!(all.len(), 200);
    let mut changes: Vec<_> = all.iter().map(|memory| memory.change).collect();
    changes.sort();
    changes.dedup();
    assert_eq!(changes.len(), 200, "every write has a number of its own");
}
