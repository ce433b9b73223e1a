//! The account of tokens by itself: any mixture of reservations, settlements, torn lines and threads.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use jiff::civil::Date;
use peri_llm::{Hold, Ledger, ReserveError, Wanted};
use proptest::prelude::*;
use uuid::Uuid;

use crate::support::at;

pub fn wanted(tokens: u64, tokens_per_day: u64) -> Wanted<'static> {
    Wanted { call: Uuid::now_v7(), purpose: "시험", model: "small", tokens, tokens_per_day }
}

fn day() -> Date {
    "2026-03-02".parse().unwrap()
}

fn now() -> jiff::Timestamp {
    at("2026-03-02T14:00:00Z")
}

fn tear(folder: &Path, bytes: &[u8]) {
    let path = folder.join("2026-03-02.jsonl");
    OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[derive(Debug, Clone)]
enum Deed {
    Reserve { ledger: usize, tokens: u64 },
    Settle { ledger: usize, hold: usize, share: f64 },
    Forget { hold: usize },
    Reopen { ledger: usize },
    Tear { bytes: Vec<u8> },
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..3_usize, 0..400_u64).prop_map(|(ledger, tokens)| Deed::Reserve { ledger, tokens }),
        3 => (0..3_usize, 0..9_usize, 0.0..=1.0_f64)
            .prop_map(|(ledger, hold, share)| Deed::Settle { ledger, hold, share }),
        1 => (0..9_usize).prop_map(|hold| Deed::Forget { hold }),
        1 => (0..3_usize).prop_map(|ledger| Deed::Reopen { ledger }),
        1 => prop_oneof![
            Just(b"{\"kind\":\"settled\",\"id\":\"0".to_vec()),
            Just(b"garbage\n\xff\xfe\n".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ].prop_map(|bytes| Deed::Tear { bytes }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_sum_is_always_known_and_never_above_what_is_allowed(deeds in proptest::collection::vec(deed(), 0..40)) {
        const CAP: u64 = 1000;
        let folder = tempfile::tempdir().unwrap();
        let mut ledgers: Vec<_> = (0..3).map(|_| Ledger::new(folder.path())).collect();
        let mut holds: Vec<Hold> = Vec::new();
        let mut expected = 0;
        for deed in deeds {
            match deed {
                Deed::Reserve { ledger, tokens } => match ledgers[ledger].reserve(now(), &wanted(tokens, CAP)) {
                    Ok(hold) => {
                        expected += tokens;
                        holds.push(hold);
                    }
                    Err(ReserveError::CapReached { spent, .. }) => {
                        prop_assert_eq!(spent, expected);
                        prop_assert!(expected + tokens > CAP);
                    }
                    Err(error) => panic!("{error}"),
                },
                Deed::Settle { ledger, hold, share } if hold < holds.len() => {
                    let hold = holds.remove(hold);
                    let tokens = (hold.tokens() as f64 * share) as u64;
                    expected -= hold.tokens() - tokens;
                    ledgers[ledger].settle(now(), hold, tokens).unwrap();
                }
                Deed::Forget { hold } if hold < holds.len() => drop(holds.remove(hold)),
                Deed::Settle { .. } | Deed::Forget { .. } => {}
                Deed::Reopen { ledger } => ledgers[ledger] = Ledger::new(folder.path()),
                Deed::Tear { bytes } => tear(folder.path(), &bytes),
            }
            prop_assert_eq!(ledgers[0].spent(day()).unwrap(), expected);
            prop_assert!(expected <= CAP);
        }
    }
}

#[test]
fn threads_with_ledgers_of_their_own_share_one_limit() {
    const CAP: u64 = 10_000;
    let folder = tempfile::tempdir().unwrap();
    let billed: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4_u64)
            .map(|number| {
                let folder = folder.path();
                scope.spawn(move || {
                    let ledger = Ledger::new(folder);
                    let mut billed = 0;
                    for step in 0..40 {
                        let tokens = 50 + (number * 37 + step * 11) % 200;
                        let Ok(hold) = ledger.reserve(now(), &wanted(tokens, CAP)) else { continue };
                        let used = tokens - step % 50;
                        billed += used;
                        ledger.settle(now(), hold, used).unwrap();
                    }
                    billed
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(Ledger::new(folder.path()).spent(day()), Ok(billed));
    assert!(billed <= CAP && billed > CAP - 250, "{billed}");
}

#[test]
fn a_settlement_counts_once_and_only_for_a_reservation_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::new(folder.path());
    let hold = ledger.reserve(now(), &wanted(100, 1000)).unwrap();
    ledger.settle(now(), hold, 40).unwrap();
    let path = folder.path().join("2026-03-02.jsonl");
    let settled = std::fs::read_to_string(&path).unwrap().lines().last().unwrap().to_owned() + "\n";
    tear(folder.path(), settled.as_bytes());
    let id = Uuid::now_v7();
    let invented = format!(r#"{{"kind":"settled","id":"{id}","at":"2026-03-02T14:00:00Z","tokens":900}}"#);
    tear(folder.path(), format!("{invented}\n").as_bytes());
    assert_eq!(ledger.spent(day()), Ok(40));
    let negative = settled.replace("\"tokens\":40", "\"tokens\":-40");
    tear(folder.path(), negative.as_bytes());
    assert_eq!(ledger.spent(day()), Ok(40));
}

#[test]
fn enormous_numbers_do_not_wrap_around() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::new(folder.path());
    let hold = ledger.reserve(now(), &wanted(u64::MAX, u64::MAX)).unwrap();
    assert!(ledger.reserve(now(), &wanted(1, u64::MAX)).is_err());
    ledger.settle(now(), hold, u64::MAX).unwrap();
    assert_eq!(ledger.spent(day()), Ok(u64::MAX));
    assert!(ledger.reserve(now(), &wanted(1, u64::MAX)).is_err());
}

#[test]
fn an_account_that_was_cleared_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::new(folder.path());
    drop(ledger.reserve(now(), &wanted(1000, 1000)).unwrap());
    std::fs::remove_file(folder.path().join("2026-03-02.jsonl")).unwrap();
    assert!(ledger.reserve(now(), &wanted(1000, 1000)).is_ok());
}

#[test]
fn of_several_who_want_the_last_tokens_at_once_one_gets_them() {
    for _ in 0..30 {
        let folder = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(4);
        let got: usize = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| {
                scope.spawn(|| {
                    let ledger = Ledger::new(folder.path());
                    start.wait();
                    usize::from(ledger.reserve(now(), &wanted(100, 199)).is_ok())
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(got, 1);
    }
}
