//! Hooks that are killed while they give notes to their agents. What a killed hook printed is thrown away.

use std::path::Path;
use std::sync::Arc;

use jiff::SignedDuration;
use peri_notes::{Confirmed, Draft, Loan, Notes, Priority, Wanted};
use peri_types::Clock;

use crate::crash::{hear, start, tell, waiting};
use crate::support::*;

const PRINTED: &str = "printed";

/// A hook of the session "me": takes what there is, prints it, and tells that it did.
pub fn hook(root: &Path, at: usize) {
    let notes = notes(waiting(root, at));
    let loan = notes.lend(&team(), &session("me"), Wanted::ALL, LEASE).unwrap();
    tell(PRINTED);
    assert_eq!(notes.confirm(&team(), &session("me"), &loan.id, &words()).unwrap(), Confirmed::Done);
    tell("done");
}

fn words() -> Vec<String> {
    vec!["기억에서 온 말 一".to_owned()]
}

/// A digest, a new note of "me" with the flag up, and a note of another session.
fn prepare(root: &Path) {
    let notes = notes(patient(root));
    for (name, text) in [("어제", "남의 것"), ("me", "내 것")] {
        notes.update(&team(), &session(name), |record, now| add(&mut record.sheet, text, now)).unwrap();
    }
    notes
        .update_digest(&team(), |digest, now| {
            digest.sheet.add(Draft::new(Priority::High, "요약"), now);
        })
        .unwrap();
    notes.raise_inject_flag(&team(), &session("me"), "1").unwrap();
}

/// What a hook that was killed before a step on the disk had done by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Killed {
    BeforeItPrinted,
    AfterItPrinted,
    /// It was done before that step.
    Never,
}

/// Starts a hook and kills it before a step.
fn killed(root: &Path, at: usize) -> Killed {
    let (mut child, mut output) = start(&format!("hook {at}"), root);
    let mut told = Killed::BeforeItPrinted;
    loop {
        match hear(&mut output).as_str() {
            PRINTED => told = Killed::AfterItPrinted,
            "done" => {
                told = Killed::Never;
                break;
            }
            _step => break,
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    told
}

/// Notes that come after a hook that was killed, and their clock.
fn later(root: &Path) -> (Notes, Clock) {
    let clock = Clock::manual("2026-02-10T09:00:00Z".parse().unwrap());
    let notes = Notes::new(Arc::new(patient(root)), clock.clone(), |text: &str| text.chars().count());
    (notes, clock)
}

fn lend(notes: &Notes, name: &str) -> Loan {
    notes.lend(&team(), &session(name), Wanted::ALL, LEASE).unwrap()
}

fn given(loan: &Loan) -> [bool; 3] {
    [loan.digest.is_some(), loan.own.is_some(), loan.handover.is_some()]
}

/// Lets a hook be killed before every step there is, and looks at what comes of it: the check answers whether it was
/// given to the session of the hook before.
fn kill_everywhere(check: impl Fn(&Path) -> bool) {
    let (mut lost, mut kept) = (0, 0);
    for at in 0.. {
        let root = tempfile::tempdir().unwrap();
        prepare(root.path());
        let killed = killed(root.path(), at);
        let was_given = check(root.path());
        match killed {
            Killed::BeforeItPrinted => assert!(!was_given, "killed at {at}: nothing was printed"),
            Killed::AfterItPrinted => {}
            Killed::Never => {
                assert!(was_given);
                break;
            }
        }
        if was_given { kept += 1 } else { lost += 1 }
    }
    assert!(lost > 10 && kept > 5, "{lost} loans came back, and {kept} were confirmed");
}

#[test]
fn what_a_killed_hook_was_lent_its_session_is_lent_again_at_once() {
    kill_everywhere(|root| {
        let (notes, _) = later(root);
        let loan = lend(&notes, "me");
        let was_given = given(&loan) == [false; 3];
        assert!(was_given || given(&loan) == [true; 3], "half of it: {:?}", given(&loan));
        let handed = notes.handed_out(&team(), &session("me")).unwrap().entries;
        assert_eq!(handed.len(), usize::from(was_given), "the loop guard knows it with the rest");
        assert_eq!(notes.confirm(&team(), &session("me"), &loan.id, &words()).unwrap(), Confirmed::Done);
        assert_eq!(notes.handed_out(&team(), &session("me")).unwrap().entries.len(), 1);
        assert_eq!(given(&lend(&notes, "me")), [false; 3], "once");
        was_given
    });
}

#[test]
fn what_a_killed_hook_was_lent_another_session_is_lent_when_the_lease_is_over() {
    kill_everywhere(|root| {
        let (notes, clock) = later(root);
        // Of the other session only: whose hook was killed has notes too, and they were observed last.
        let of_yesterday =
            |loan: &Loan| loan.handover.as_ref().is_some_and(|over| over.session == session("어제"));
        let own = take_undelivered(&notes, "you").unwrap();
        let before = if own.session == session("me") { take_undelivered(&notes, "you") } else { Some(own) };
        clock.advance(SignedDuration::try_from(LEASE).unwrap());
        let after = lend(&notes, "you");
        let is_lent_again = of_yesterday(&after);
        assert!(before.is_none() || !is_lent_again, "given twice");
        assert_eq!(notes.confirm(&team(), &session("you"), &after.id, &[]).unwrap(), Confirmed::Done);
        let rest = lend(&notes, "me");
        assert!(!of_yesterday(&rest), "given to two sessions");
        let was_given = before.is_none() && !is_lent_again;
        assert_eq!(given(&rest), [!was_given, !was_given, false]);
        was_given
    });
}
