//! What sessions propose comes into the digest.

use std::sync::Arc;

use peri_companion::{Event, Rules, Settings, Thinker, When};
use peri_notes::{Candidate, MemoryShelf, Origin, Priority};

use crate::scripted;
use crate::server::Scripted;
use crate::support::*;

fn candidate(text: &str, kind: &str) -> Candidate {
    Candidate {
        priority: Priority::High,
        text: text.to_owned(),
        at: at(START),
        items: vec!["n7".parse().unwrap()],
        kind: Some(kind.to_owned()),
    }
}

#[test]
fn candidates_of_all_sessions_are_considered_once_there_are_enough() {
    let thinkers: [Arc<dyn Thinker>; 2] =
        [Arc::new(Rules::default()), Arc::new(Scripted::new(&clock(), scripted::answer))];
    for thinker in thinkers {
        let settings = Settings { promote_tokens: 20, ..Settings::default() };
        let desk = Desk::new(Arc::new(MemoryShelf::default()), thinker, settings);
        let propose = |name: &str, text: &str, kind: &str| {
            desk.notes().append_candidates(&team(), &session(name), &[candidate(text, kind)]).unwrap();
        };
        propose("가", "사용자는 항상 한국어로 답하기를 원한다.", "preference");
        assert_eq!(desk.step(When::Due), [], "there are too few");
        propose("나", "提交之前必须先跑测试。", "constraint");
        propose("다", "User prefers tabs over spaces.", "preference");
        let events = desk.step(When::Due);
        assert!(matches!(events[..], [Event::Promoted { considered: 3, promoted: 3, .. }]), "{events:?}");
        let digest = desk.digest();
        assert_eq!(digest.len(), 3);
        assert!(
            matches!(&digest[0].origins[..], [Origin::Note { session, .. }] if session.as_str().chars().count() == 1)
        );
        assert!(desk.notes().all_candidates(&team()).unwrap().is_empty());
        assert_eq!(desk.step(When::Due), []);
    }
}

#[test]
fn by_rules_what_passes_is_considered_and_left_out() {
    let settings = Settings { promote_tokens: 5, ..Settings::default() };
    let desk = Desk::ruled(settings);
    let passing = [
        candidate("We still need to write the release notes.", "open task"),
        candidate("이번 주 회의는 목요일이다.", "decision"),
        candidate("no kind of thing", "nonsense"),
    ];
    desk.notes().append_candidates(&team(), &session("가"), &passing).unwrap();
    let events = desk.step(When::Due);
    assert!(matches!(events[..], [Event::Promoted { considered: 3, promoted: 0, .. }]), "{events:?}");
    assert!(desk.digest().is_empty());
    assert!(desk.notes().all_candidates(&team()).unwrap().is_empty());
}

#[test]
fn many_candidates_are_considered_in_parts_and_each_once() {
    let settings = Settings { promote_tokens: 1, promote_tokens_max: 40, ..Settings::default() };
    let desk = Desk::ruled(settings);
    for number in 0..12 {
        let text = format!("User prefers colour number {} in room {}.", number * 7919, number * 104_729);
        let own = [candidate(&text, "preference")];
        desk.notes().append_candidates(&team(), &session(&format!("방 {}", number % 4)), &own).unwrap();
    }
    let events = desk.step(When::Due);
    let considered = |event: &Event| match event {
        Event::Promoted { considered, .. } => *considered,
        _ => 0,
    };
    assert!(events.len() > 3, "{events:?}");
    assert_eq!(events.iter().map(considered).sum::<usize>(), 12);
    assert!(desk.notes().all_candidates(&team()).unwrap().is_empty());
}

#[test]
fn nothing_of_one_namespace_is_promoted_in_another() {
    let settings = Settings { promote_tokens: 1, ..Settings::default() };
    let desk = Desk::ruled(settings);
    let own = [candidate("User prefers tabs over spaces.", "preference")];
    desk.notes().append_candidates(&"other".parse().unwrap(), &session("가"), &own).unwrap();
    assert_eq!(desk.step(When::Due), []);
    assert!(desk.digest().is_empty());
}
