//! What a finding says and where it comes from.

use jiff::civil::date;
use peri_observe::{FindingKind, Message, Priority, Role, observe};
use proptest::prelude::*;

use crate::support::{answered, findings, now, only, said};

#[test]
fn the_evidence_leads_back_to_the_sentence() {
    for text in [
        "Hi there!\n\nWe decided to use Postgres. Thanks.",
        "안녕하세요! 결제는 토스로 가기로 했어. 고마워.",
        "你好！我们决定用 Postgres。谢谢。",
    ] {
        let found = only(text);
        assert_eq!(found.kind, FindingKind::Decision);
        assert_eq!(found.evidence.message, 0);
        assert_eq!(&text[found.evidence.range.clone()], found.text);
    }
}

#[test]
fn messages_of_tools_are_never_read() {
    let message = Message { role: Role::Tool, text: "We decided to use Postgres.".to_owned(), at: now() };
    assert!(observe(&[message], &[], &[]).is_empty());
}

#[test]
fn what_is_no_statement_is_not_noted() {
    for text in [
        "Should we use Postgres?",
        "If we decided to use Postgres, we would have to migrate.",
        "```\nWe decided to use Postgres.\n```",
        "> We decided to use Postgres.",
        "They wrote \"we decided to use Postgres\" on the wall.",
        "haha we decided to eat cake lol",
        "2026-03-01T10:00:00Z ERROR we decided to abort",
        "Postgres를 쓰기로 했나요?",
        "ㅋㅋㅋ 케이크 먹기로 결정했어 ㅋㅋ",
        "我们是不是应该用 Postgres？",
        "哈哈哈我们决定吃蛋糕",
        "Let's do that.",
        "",
        "   \n\n ",
        "?!",
        "\u{0}\u{1}\u{2}",
    ] {
        assert!(findings(text).is_empty(), "{text:?}: {:#?}", findings(text));
    }
}

#[test]
fn secrets_are_never_noted() {
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    for text in [
        "Remember that my password is hunter2hunter2.".to_owned(),
        format!("We decided to use the token {token} for the deploy."),
        format!("배포에는 토큰 {token} 을 쓰기로 했어."),
        format!("我们决定用令牌 {token} 部署。"),
        "We agreed to always connect with postgres://ann:hunter2hunter2@db/app.".to_owned(),
    ] {
        for found in findings(&text) {
            assert!(!found.text.contains("hunter2") && !found.text.contains(&token), "{}", found.text);
        }
    }
}

#[test]
fn relative_days_become_dates() {
    for (text, day, words) in [
        ("The dentist appointment is tomorrow at 10.", date(2026, 3, 11), "tomorrow (2026-03-11)"),
        ("We have a call with the bank on Friday.", date(2026, 3, 13), "Friday (2026-03-13)"),
        ("내일 오후에 치과 예약 있어.", date(2026, 3, 11), "내일(2026-03-11)"),
        ("明天下午约了牙医。", date(2026, 3, 11), "明天(2026-03-11)"),
        ("Remind me to pay the rent next Monday.", date(2026, 3, 16), "next Monday (2026-03-16)"),
    ] {
        let found = only(text);
        assert_eq!(found.days.map(|days| days.first), Some(day), "{text}");
        assert!(found.text.contains(words), "{}", found.text);
    }
}

#[test]
fn the_speaker_is_made_clear() {
    for (text, expected) in [
        ("I prefer tabs.", "User prefers tabs."),
        ("My favourite editor is Helix.", "User's favourite editor is Helix."),
        ("나는 짧은 답변이 더 좋아.", "사용자: 나는 짧은 답변이 더 좋아."),
        ("我更喜欢简短的回答。", "用户：我更喜欢简短的回答。"),
        ("Never push to main.", "Never push to main."),
    ] {
        assert_eq!(only(text).text, expected);
    }
    let found = observe(&[answered("I've removed the old endpoints.")], &[], &[]);
    assert_eq!(found[0].text, "Assistant: I've removed the old endpoints.");
}

#[test]
fn a_pronoun_gets_its_noun_only_when_there_is_no_doubt() {
    let found = findings("The checkout API is slow today. It must stay below 200 ms.");
    assert!(
        found.iter().any(|one| one.text == "It (the checkout API) must stay below 200 ms."),
        "{found:#?}"
    );
    let found = findings("The gateway calls the cache. It must stay below 200 ms.");
    assert!(found.iter().any(|one| one.text == "It must stay below 200 ms."), "{found:#?}");
}

#[test]
fn rules_matter_more_than_what_was_done() {
    assert_eq!(only("Never push to main.").priority, Priority::High);
    assert_eq!(only("No, the port is 8443, not 8080.").priority, Priority::High);
    assert_eq!(only("I still need to renew my passport.").priority, Priority::Medium);
    assert_eq!(only("The rollback script is done.").priority, Priority::Low);
}

#[test]
fn an_announced_correction_is_made_by_the_next_sentence() {
    let found = only("You misunderstood me. The script reads from the standard input.");
    assert_eq!(found.kind, FindingKind::Correction);
    assert!(found.text.contains("standard input"));
}

#[test]
fn the_same_is_noted_once() {
    let found =
        observe(&[said("I prefer short answers."), said("As I said: I prefer short answers.")], &[], &[]);
    assert_eq!(found.len(), 1, "{found:#?}");
}

proptest! {
    #[test]
    fn any_text_is_read_without_failing(text in "\\PC{0,200}", more in "[ \\n`>\\-+@$%|#<.!?。？！a-zA-Z가-힣一-龥0-9:]{0,200}") {
        let messages = [said(&text), answered(&more), said(&format!("{more}\n{text}"))];
        for found in observe(&messages, &[], &[]) {
            let message = &messages[found.evidence.message].text;
            prop_assert!(message.get(found.evidence.range.clone()).is_some());
            prop_assert!((0.0..=1.0).contains(&found.confidence));
            prop_assert!(!found.text.is_empty());
        }
    }

    #[test]
    fn what_is_found_is_found_again(text in "(We decided to use [a-z]{3,8}|Never use [a-z]{3,8} here|[a-z ]{0,20})[.!?] ?(I prefer [a-z]{4,9} answers\\.)?") {
        prop_assert_eq!(findings(&text), findings(&text));
    }
}
