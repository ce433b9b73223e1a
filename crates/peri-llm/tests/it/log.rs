//! What is remembered of calls.

use jiff::SignedDuration;
use peri_llm::{Call, KeptTexts, Ledger, Outcome, PromptFile, Prompts, Provider, Request};
use uuid::Uuid;

use crate::ledger::wanted;
use crate::server::{complains, says};
use crate::support::*;

fn calls(desk: &Desk) -> Vec<Call> {
    desk.client.ledger().calls(at("2026-03-01T00:00:00Z"), 100).unwrap()
}

#[test]
fn every_call_is_recorded_with_purpose_tokens_duration_and_outcome() {
    let desk =
        desk(vec![complains(503, "SECRET TEXT"), says("네"), complains(401, "SECRET TEXT"), says("garbage")]);
    desk.client.ask(&Request { purpose: "observe".to_owned(), ..words() }).unwrap();
    desk.clock.advance(SignedDuration::from_secs(5));
    desk.client.ask(&Request { purpose: "reflect".to_owned(), ..words() }).unwrap_err();
    desk.clock.advance(SignedDuration::from_secs(5));
    desk.client.ask(&Request { purpose: "promote".to_owned(), ..structured() }).unwrap_err();
    let calls = calls(&desk);
    let told: Vec<_> =
        calls.iter().map(|call| (call.purpose.as_str(), call.outcome, call.attempts)).collect();
    let expected =
        [("promote", Outcome::Failed, 1), ("reflect", Outcome::Failed, 1), ("observe", Outcome::Ok, 2)];
    assert_eq!(told, expected, "the latest first");
    let [promote, reflect, observe] = &calls[..] else { panic!("{calls:?}") };
    assert_eq!((observe.tokens_in, observe.tokens_out, observe.tokens_spent), (150, 20, 170));
    assert_eq!((observe.model.as_str(), observe.at), ("small-1", at("2026-03-02T14:00:00Z")));
    assert_eq!(u128::from(observe.duration_ms), desk.pace.waits()[0].as_millis());
    assert_eq!(reflect.why.as_deref(), Some("status 401"));
    assert_eq!((reflect.tokens_spent, promote.tokens_spent), (0, 170));
    assert!(promote.why.as_deref().unwrap().contains("no JSON"), "{promote:?}");
}

#[test]
fn texts_are_kept_only_if_that_is_wanted() {
    for kept in [KeptTexts::None, KeptTexts::All] {
        let desk =
            desk_with(Provider::OpenAi, vec![says("극비 답변")], |settings| settings.kept_texts = kept);
        desk.client.ask(&words()).unwrap();
        let file = std::fs::read_to_string(desk.folder.path().join("llm/2026-03-02.jsonl")).unwrap();
        let has = file.contains("극비 답변") && file.contains("서울 회의");
        assert_eq!(has, kept == KeptTexts::All, "{file}");
        let texts = calls(&desk)[0].texts.clone();
        assert_eq!(texts.and_then(|texts| texts.answer).is_some(), kept == KeptTexts::All);
    }
}

#[test]
fn the_prompt_and_what_overrides_it_are_named() {
    let desk = desk(vec![says("네")]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("observer.md"), "내 지시: {{notes}}").unwrap();
    let built_in = [PromptFile { name: "observer", version: 3, text: "Note: {{notes}}" }];
    let prompts = Prompts::load(&built_in, Some(folder.path())).unwrap();
    let prompt = prompts.get("observer").unwrap();
    desk.client.ask(&Request { prompt: Some(prompt.stamp().clone()), ..words() }).unwrap();
    assert_eq!(calls(&desk)[0].prompt.as_ref(), Some(prompt.stamp()));
    let file = std::fs::read_to_string(desk.folder.path().join("llm/2026-03-02.jsonl")).unwrap();
    assert!(file.contains("observer.md"), "{file}");
}

#[test]
fn calls_are_read_back_since_then_at_most_so_many_and_over_midnight_once() {
    let desk = desk(vec![complains(500, "oops"), says("네")]);
    desk.clock.advance(SignedDuration::from_hours(10) - SignedDuration::from_millis(100));
    desk.client.ask(&words()).unwrap();
    desk.client.ask(&words()).unwrap();
    desk.clock.advance(SignedDuration::from_hours(48));
    desk.client.ask(&words()).unwrap();
    let ledger = desk.client.ledger();
    let all = calls(&desk);
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!((all[2].attempts, all[2].outcome), (2, Outcome::Ok), "tried before midnight and after");
    assert_eq!(ledger.calls(all[1].at, 100).unwrap().len(), 2);
    assert_eq!(ledger.calls(all[2].at, 1).unwrap(), all[..1]);
    assert_eq!(ledger.calls(all[2].at, 2).unwrap(), all[..2]);
    assert!(ledger.calls(at("2026-04-01T00:00:00Z"), 100).unwrap().is_empty());
}

#[test]
fn a_call_whose_process_died_is_shown_as_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::new(folder.path().join("none yet"));
    assert_eq!(ledger.calls(at("2026-03-01T00:00:00Z"), 9), Ok(Vec::new()));
    let call = Uuid::now_v7();
    for tokens in [100, 200] {
        let wanted = peri_llm::Wanted { call, ..wanted(tokens, 1000) };
        drop(ledger.reserve(at("2026-03-02T14:00:00Z"), &wanted).unwrap());
    }
    let calls = ledger.calls(at("2026-03-01T00:00:00Z"), 9).unwrap();
    let [only] = &calls[..] else { panic!("{calls:?}") };
    assert_eq!((only.outcome, only.attempts, only.tokens_spent), (Outcome::Unfinished, 2, 300));
}
