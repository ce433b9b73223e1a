//! Somebody else acts in the middle of an operation, at every moment there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use peri_notes::{
    Asked, Candidate, Change, Cleared, Collection, Commit, Draft, Expected, Key, MemoryShelf, Message, Notes,
    NotesError, Priority, Record, Revised, Revision, Shelf, ShelfError, Speaker, Text, Wanted,
};
use peri_types::{Clock, Namespace, Timestamp};

use crate::support::{LEASE, add, session, take, take_new, take_undelivered, team};

/// A shelf on which somebody else acts before a call, counted from zero, or before each commit.
struct Meddled {
    shelf: Arc<MemoryShelf>,
    at: Moment,
    calls: AtomicUsize,
    act: Box<Act>,
}

type Act = dyn Fn(&Arc<MemoryShelf>) + Send + Sync;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Call(usize),
    EachCommit,
}

impl Meddled {
    fn call(&self) -> &MemoryShelf {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if self.at == Moment::Call(number) {
            (self.act)(&self.shelf);
        }
        &self.shelf
    }
}

impl Shelf for Meddled {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        self.call().read(namespace, key)
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        self.call().lines(namespace, key)
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        self.call().list(namespace, collection)
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        self.call().namespaces()
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        if self.at == Moment::EachCommit {
            (self.act)(&self.shelf);
        }
        self.call().commit(namespace, changes, expected)
    }
}

fn plain(shelf: &Arc<MemoryShelf>) -> Notes {
    on(Arc::clone(shelf) as Arc<dyn Shelf>)
}

fn on(shelf: Arc<dyn Shelf>) -> Notes {
    let clock = Clock::manual("2026-02-10T09:00:00Z".parse().unwrap());
    Notes::new(shelf, clock, |text: &str| text.chars().count())
}

/// Lets somebody else act before each call that an operation makes in turn, and looks at what comes of it. What the
/// two answer is given to the check, theirs first.
fn at_every_moment<T: Send + 'static>(
    ours: impl Fn(&Notes) -> T,
    theirs: impl Fn(&Notes) -> T + Send + Sync + Copy + 'static,
    check: impl Fn(&Notes, [T; 2]),
) {
    at_every_moment_on_the_shelf(ours, move |shelf| theirs(&plain(shelf)), check);
}

/// The same with somebody who need not use the notes as they are meant to be used.
fn at_every_moment_on_the_shelf<T: Send + 'static>(
    ours: impl Fn(&Notes) -> T,
    theirs: impl Fn(&Arc<MemoryShelf>) -> T + Send + Sync + Copy + 'static,
    check: impl Fn(&Notes, [T; 2]),
) {
    for number in 0.. {
        let shelf = Arc::new(MemoryShelf::default());
        begin(&plain(&shelf));
        let answer: Arc<Mutex<Option<T>>> = Arc::default();
        let told = Arc::clone(&answer);
        let act = Box::new(move |shelf: &Arc<MemoryShelf>| *told.lock() = Some(theirs(shelf)));
        let (at, calls) = (Moment::Call(number), AtomicUsize::new(0));
        let own = ours(&on(Arc::new(Meddled { shelf: Arc::clone(&shelf), at, calls, act })));
        let Some(their) = answer.lock().take() else {
            assert!(number > 1, "there was no moment in between");
            return;
        };
        check(&plain(&shelf), [their, own]);
    }
}

/// What is there at the beginning.
fn begin(notes: &Notes) {
    let (own, session) = (team(), session("s"));
    notes.update(&own, &session, |record, now| add(&mut record.sheet, "하나", now)).unwrap();
    notes.append_pending(&own, &session, &[said("一")]).unwrap();
    notes.raise_inject_flag(&own, &session, "1").unwrap();
    let candidate = Candidate {
        priority: Priority::High,
        text: "항상 한국어로".to_owned(),
        at: Timestamp::UNIX_EPOCH,
        items: Vec::new(),
        kind: None,
    };
    notes.append_candidates(&own, &session, &[candidate]).unwrap();
}

fn said(text: &str) -> Message {
    Message::new(Speaker::User, text, Timestamp::UNIX_EPOCH)
}

fn note(notes: &Notes, text: &str) {
    notes.update(&team(), &session("s"), |record, now| add(&mut record.sheet, text, now)).unwrap();
}

fn texts(notes: &Notes) -> Vec<String> {
    let record = notes.record(&team(), &session("s")).unwrap().unwrap();
    record.sheet.items().map(|item| item.text.clone()).collect()
}

fn new(notes: &Notes) -> Vec<String> {
    take_new(notes, "s").into_iter().map(|item| item.text).collect()
}

#[test]
fn both_changes_of_a_record_are_made() {
    let check = |notes: &Notes, _| assert_eq!(texts(notes), ["하나", "남의 것", "내 것"]);
    at_every_moment(|notes| note(notes, "내 것"), |notes| note(notes, "남의 것"), check);
}

#[test]
fn what_one_took_the_other_does_not_take() {
    at_every_moment(new, new, |_, taken| assert_eq!(taken.concat(), ["하나"]));
    let undelivered = |notes: &Notes| take_undelivered(notes, "me");
    at_every_moment(undelivered, undelivered, |_, taken| assert_eq!(taken.iter().flatten().count(), 1));
    let own = |notes: &Notes| take(notes, "s", Wanted::NOTHING.with_own()).and_then(|loan| loan.own);
    at_every_moment(own, own, |_, taken| assert_eq!(taken.iter().flatten().count(), 1));
}

#[test]
fn what_is_lent_to_one_session_is_not_lent_to_another() {
    fn lend(notes: &Notes, name: &str) -> Option<peri_notes::Handover> {
        let wanted = Wanted::NOTHING.with_handover();
        notes.lend(&team(), &session(name), wanted, LEASE).unwrap().handover
    }
    at_every_moment(
        |notes| lend(notes, "me"),
        |notes| lend(notes, "you"),
        |_, lent| assert_eq!(lent.iter().flatten().count(), 1),
    );
}

#[test]
fn a_beginning_while_the_digest_is_given_is_never_passed_over() {
    let wanted = Wanted::NOTHING.with_digest();
    let give = |notes: &Notes| {
        notes.update_digest(&team(), |digest, now| add(&mut digest.sheet, "요약", now)).unwrap();
        take(notes, "s", wanted).is_some_and(|loan| loan.digest.is_some())
    };
    let begin = |notes: &Notes| notes.begin(&team(), &session("s"), None, "비움").unwrap() == Asked::First;
    at_every_moment(give, begin, |notes, [_, was_given]| {
        // It began before the digest was given, or it is given again.
        let is_due = take(notes, "s", wanted).is_some_and(|loan| loan.digest.is_some());
        assert!(was_given || is_due);
        assert!(take(notes, "s", wanted).unwrap().is_empty());
    });
}

#[test]
fn notes_that_come_while_others_are_taken_are_taken_then_or_later() {
    let come = |notes: &Notes| {
        note(notes, "둘");
        Vec::new()
    };
    at_every_moment(new, come, |notes, [_, taken]| assert_eq!([taken, new(notes)].concat(), ["하나", "둘"]));
    let undelivered = |notes: &Notes| {
        let over = take_undelivered(notes, "me");
        over.map(|over| over.items.into_iter().map(|item| item.text).collect()).unwrap_or_default()
    };
    at_every_moment(undelivered, come, |notes, [_, taken]| {
        assert_eq!([taken, undelivered(notes)].concat(), ["하나", "둘"]);
    });
}

#[test]
fn what_people_write_while_notes_are_taken_is_taken_then_or_later() {
    let edit = |shelf: &Arc<MemoryShelf>| {
        let key = Key::new(Collection::Observations, &session("s"));
        let text =
            shelf.read(&team(), &key).unwrap().unwrap().text.replace("하나", "하나, 고침") + "- 손으로\n";
        assert_eq!(shelf.commit(&team(), &[Change::Put { key, text }], &[]).unwrap(), Commit::Done);
        Vec::new()
    };
    at_every_moment_on_the_shelf(new, edit, |notes, [_, taken]| {
        let all = [taken, new(notes)].concat();
        assert!(all.len() == 2 && all[0].starts_with("하나") && all[1] == "손으로", "{all:?}");
        assert_eq!(texts(notes), ["하나, 고침", "손으로"], "the edit is there");
    });
    let change = |notes: &Notes| {
        note(notes, "내 것");
        Vec::new()
    };
    at_every_moment_on_the_shelf(change, edit, |notes, _: [Vec<String>; 2]| {
        let mut all = texts(notes);
        all.sort();
        assert_eq!(all, ["내 것", "손으로", "하나, 고침"], "both are there");
    });
}

fn clear(notes: &Notes) -> Cleared {
    let mark = notes.pending(&team(), &session("s")).unwrap().mark;
    notes.clear_pending(&team(), &session("s"), &mark).unwrap()
}

#[test]
fn messages_that_come_while_others_are_cleared_stay_unless_they_were_read_too() {
    let come = |notes: &Notes| {
        notes.append_pending(&team(), &session("s"), &[said("二")]).unwrap();
        Cleared::Done
    };
    let read_first = |notes: &Notes| {
        let batch = notes.pending(&team(), &session("s")).unwrap();
        assert_eq!(notes.clear_pending(&team(), &session("s"), &batch.mark).unwrap(), Cleared::Done);
        batch.entries
    };
    at_every_moment(
        read_first,
        move |notes| {
            assert_eq!(come(notes), Cleared::Done);
            Vec::new()
        },
        |notes, [_, read]| {
            let left = notes.pending(&team(), &session("s")).unwrap().entries;
            assert_eq!([read, left].concat(), [said("一"), said("二")]);
        },
    );
    // As many messages as before, but others.
    at_every_moment(
        clear,
        move |notes| {
            assert_eq!(clear(notes), Cleared::Done);
            come(notes)
        },
        |notes, [_, own]| {
            let left = notes.pending(&team(), &session("s")).unwrap().entries;
            assert_eq!(left.len(), usize::from(own == Cleared::Already), "what was not read is not cleared");
        },
    );
}

#[test]
fn of_two_who_observed_the_same_messages_one_is_saved() {
    let mark = || peri_notes::Mark::of(&[serde_json::to_string(&said("一")).unwrap()]);
    let revise = move |notes: &Notes| {
        let drafts = vec![Draft::new(Priority::Low, "새것")];
        let revision = Revision { drafts, observed: Some(mark()), ..Revision::default() };
        notes.revise(&team(), &session("s"), &revision).unwrap()
    };
    at_every_moment(revise, revise, |notes, revised| {
        assert!(matches!(revised, [Revised::Saved(_), Revised::AlreadyObserved]));
        assert_eq!(texts(notes), ["하나", "새것"]);
    });
}

#[test]
fn candidates_that_somebody_else_considered_are_not_promoted_twice() {
    let promote = |notes: &Notes| {
        let all = notes.all_candidates(&team()).unwrap();
        notes
            .promote(&team(), &all, |digest, now| {
                for candidate in all.sessions.iter().flat_map(|own| &own.candidates) {
                    add(&mut digest.sheet, &candidate.text, now);
                }
            })
            .unwrap()
    };
    at_every_moment(promote, promote, |notes, _| {
        assert_eq!(notes.digest(&team()).unwrap().sheet.items().count(), 1);
        assert!(notes.all_candidates(&team()).unwrap().is_empty());
    });
}

#[test]
fn a_digest_is_read_whole() {
    let rewrite = |notes: &Notes| {
        let change = |digest: &mut peri_notes::Digest, now| {
            digest.sheet.add(Draft::new(Priority::Low, "둘"), now);
        };
        notes.update_digest(&team(), change).unwrap()
    };
    at_every_moment(
        |notes| notes.digest(&team()).unwrap(),
        rewrite,
        |_, [_, read]| assert!(read.sheet.items().all(|item| item.source == peri_notes::Source::Observer)),
    );
}

#[test]
fn whoever_is_never_the_fastest_gives_up_with_advice() {
    let act = Box::new(|shelf: &Arc<MemoryShelf>| {
        let one_more = |record: &mut Record, _| record.observations += 1;
        plain(shelf).update(&team(), &session("s"), one_more).unwrap();
    });
    let shelf = Arc::new(MemoryShelf::default());
    let notes = on(Arc::new(Meddled { shelf, at: Moment::EachCommit, calls: AtomicUsize::new(0), act }));
    let change = |record: &mut Record, now| add(&mut record.sheet, "하나", now);
    let error = notes.update(&team(), &session("s"), change).unwrap_err();
    assert!(matches!(error, NotesError::Contended { .. }), "{error}");
    assert!(error.to_string().contains("try again"), "{error}");
}
