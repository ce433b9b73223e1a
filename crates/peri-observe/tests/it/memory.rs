//! What is known and what was handed out is not learned again.

use peri_observe::{FindingKind, ItemState, observe};

use crate::support::{answered, item, said};

#[test]
fn what_is_known_is_not_found_again() {
    for (known, text) in [
        ("User prefers short answers.", "I prefer short answers."),
        ("Never push directly to the main branch.", "Never push to the main branch directly!"),
        ("사용자: 나는 짧은 답변이 더 좋아.", "나는 짧은 답변이 더 좋아!"),
        ("我们决定用 Postgres 存储账单。", "我们决定用Postgres存储账单"),
    ] {
        let known = [item("a", FindingKind::Preference, known)];
        assert_eq!(observe(&[said(text)], &known, &[]), [], "{text}");
    }
}

#[test]
fn what_differs_in_a_number_or_a_denial_is_new() {
    for (known, text) in [
        ("Responses must stay below 200 ms.", "Responses must stay below 500 ms."),
        ("Always push to the main branch.", "Never push to the main branch."),
        ("회의실은 반드시 4층을 써야 합니다.", "회의실은 반드시 5층을 써야 합니다."),
    ] {
        let known = [item("a", FindingKind::Constraint, known)];
        assert_eq!(observe(&[said(text)], &known, &[]).len(), 1, "{text}");
    }
}

#[test]
fn what_was_noted_is_not_noted_again_when_it_is_read_again() {
    let data = include_str!("../../data/development.jsonl");
    for line in data.lines() {
        let labelled: serde_json::Value =
            serde_json::from_str(line).expect("a line of the labelled set is valid");
        let message = said(labelled["text"].as_str().expect("a labelled message holds a text"));
        let found = observe(std::slice::from_ref(&message), &[], &[]);
        let known: Vec<_> = found.iter().map(|one| item("a", one.kind, &one.text)).collect();
        assert_eq!(observe(std::slice::from_ref(&message), &known, &[]), [], "{line}");
        let handed_out: Vec<String> = found.into_iter().map(|one| one.text).collect();
        assert_eq!(observe(&[message], &[], &handed_out), [], "{line}");
    }
}

#[test]
fn a_superseded_item_does_not_hide_its_return() {
    let mut known = item("a", FindingKind::Decision, "We decided to use Postgres for billing.");
    known.state = ItemState::Superseded;
    assert_eq!(observe(&[said("We decided to use Postgres for billing.")], &[known], &[]).len(), 1);
}

#[test]
fn what_was_handed_out_and_is_echoed_is_not_learned_again() {
    let handed_out = [
        "- 🔴 User prefers short answers.\n- 🟡 We decided to use Postgres for the billing service (2026-01-02).".to_owned(),
        "배포는 매주 수요일에만 하기로 정했다.".to_owned(),
    ];
    for message in [
        answered("As agreed, we decided to use Postgres for the billing service."),
        said("I prefer short answers."),
        answered("We agreed on Postgres for billing."),
        answered("배포는 매주 수요일에만 하기로 정했습니다."),
    ] {
        assert_eq!(observe(std::slice::from_ref(&message), &[], &handed_out), [], "{}", message.text);
    }
}

#[test]
fn that_a_handed_out_task_is_done_is_learned() {
    let handed_out = ["- 🟡 Write the rollback script.".to_owned()];
    assert_eq!(observe(&[said("The rollback script is done.")], &[], &handed_out).len(), 1);
    let handed_out = ["- 🟢 The rollback script is done.".to_owned()];
    assert_eq!(observe(&[answered("The rollback script is done.")], &[], &handed_out), []);
}

#[test]
fn news_about_what_was_handed_out_is_learned() {
    let handed_out = ["We decided to use Postgres for the billing service.".to_owned()];
    for text in [
        "We decided to use MySQL for the billing service.",
        "We no longer use Postgres for the billing service.",
    ] {
        assert_eq!(observe(&[said(text)], &[], &handed_out).len(), 1, "{text}");
    }
}
