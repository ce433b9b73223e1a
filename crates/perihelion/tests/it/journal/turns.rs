use perihelion::{
    ErrorKind, JournalStatus, Kept, NewEntry, NewTurn, Scope, Timestamp, TurnId, TurnQuery, TurnUpdate,
};
use serde_json::json;

use super::{gone, on_faulty, said, texts};
use crate::support::{fresh, kind_of, ns, scope};

#[test]
fn a_turn_is_begun_told_of_and_finished_and_has_its_entries() {
    let (_folder, engine) = fresh();
    let input = engine.append(said("무엇을 할까?")).unwrap();
    let begun = engine
        .begin_turn(NewTurn {
            session: Some("아침".to_owned()), input: Some(input.id), ..NewTurn::default()
        })
        .unwrap();
    assert_eq!((begun.state, begun.turn.status, &begun.turn.plan), (Kept::Stored, None, &None));
    let id = begun.turn.id;
    engine.append(NewEntry { turn: Some(id), kind: Some("tool".to_owned()), ..said("tool ran") }).unwrap();
    let output = engine.append(NewEntry { turn: Some(id), ..said("完成了") }).unwrap();
    let calls = TurnUpdate { tool_calls: Some(vec![json!({ "tool": "search" })]), ..TurnUpdate::default() };
    assert_eq!(engine.update_turn(&Scope::All, id, calls).unwrap().turn.status, None, "it is open");
    let update = TurnUpdate {
        tool_results: Some(vec![json!({ "hits": 3 })]),
        plan: Some(json!(["search", "answer"])),
        output: Some(output.id),
        output_text: Some("完成了".to_owned()),
        ..TurnUpdate::default()
    };
    let finished = engine.finish_turn(&Scope::All, id, update).unwrap().turn;
    assert_eq!(finished.status, Some(JournalStatus::Ok));
    assert_eq!(finished.tool_calls, [json!({ "tool": "search" })], "what was told before stays");
    assert!(finished.finished_at.is_some() && finished.error.is_none());

    let found = engine.turn_with_entries(&Scope::All, id).unwrap();
    assert_eq!((found.turn, found.more), (finished, false));
    assert_eq!(texts(&found.entries), ["무엇을 할까?", "tool ran", "完成了"]);
    assert_eq!(kind_of(engine.turn(&scope("other"), id)), Some(ErrorKind::NotFound));
}

#[test]
fn an_error_makes_the_status_and_a_later_success_clears_it() {
    let (_folder, engine) = fresh();
    let id = engine.begin_turn(NewTurn::default()).unwrap().turn.id;
    let failed = TurnUpdate { error: Some("模型没有回答".to_owned()), ..TurnUpdate::default() };
    let turn = engine.finish_turn(&Scope::All, id, failed).unwrap().turn;
    assert_eq!(turn.status, Some(JournalStatus::Error));
    let turn = engine.finish_turn(&Scope::All, id, TurnUpdate::default()).unwrap().turn;
    assert_eq!((turn.status, turn.error), (Some(JournalStatus::Ok), None));
}

#[test]
fn beginning_a_turn_again_changes_nothing() {
    let (_folder, engine) = fresh();
    let id = engine.begin_turn(NewTurn::default()).unwrap().turn.id;
    engine.finish_turn(&Scope::All, id, TurnUpdate::default()).unwrap();
    let again = engine.begin_turn(NewTurn { id: Some(id), ..NewTurn::default() }).unwrap();
    assert_eq!(again.turn.status, Some(JournalStatus::Ok));
}

#[test]
fn turns_are_found_by_session_status_and_time() {
    let (_folder, engine) = fresh();
    let begin = |session: &str, second: i64| {
        let started_at = Timestamp::from_second(second).ok();
        let new = NewTurn { session: Some(session.to_owned()), started_at, ..NewTurn::default() };
        engine.begin_turn(new).unwrap().turn.id
    };
    let (first, second, third) = (begin("가", 10), begin("나", 20), begin("가", 30));
    let late = TurnUpdate { status: Some(JournalStatus::Timeout), ..TurnUpdate::default() };
    engine.update_turn(&Scope::All, second, late).unwrap();
    let ids = |query: TurnQuery| -> Vec<TurnId> {
        engine.turns(&query).unwrap().turns.into_iter().map(|turn| turn.id).collect()
    };
    let all = TurnQuery::default;
    assert_eq!(ids(all()), [third, second, first]);
    assert_eq!(ids(TurnQuery { session: Some("가".to_owned()), ..all() }), [third, first]);
    assert_eq!(ids(TurnQuery { status: Some(JournalStatus::Timeout), ..all() }), [second]);
    assert_eq!(ids(TurnQuery { since: Timestamp::from_second(20).ok(), ..all() }), [third, second]);
    let page = engine.turns(&TurnQuery { limit: 2, ..all() }).unwrap();
    assert_eq!(ids(TurnQuery { after: page.next, ..all() }), [first]);
    let stats = engine.journal_stats(&Scope::All).unwrap();
    assert_eq!((stats.turns, stats.turns_open), (3, 2));
}

#[test]
fn a_turn_goes_on_while_the_store_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, store) = on_faulty(folder.path());
    let id = engine.begin_turn(NewTurn { namespace: ns("team"), ..NewTurn::default() }).unwrap().turn.id;
    engine.append(NewEntry { turn: Some(id), namespace: ns("team"), ..said("stored") }).unwrap();
    store.queue_writes();
    let finished = engine.finish_turn(&Scope::All, id, TurnUpdate::default()).unwrap();
    assert_eq!(finished.state, Kept::Queued);
    store.break_down("*", gone());
    assert_eq!(engine.turn(&Scope::All, id).unwrap(), finished.turn);
    let found = engine.turn_with_entries(&scope("team"), id).unwrap();
    assert_eq!(texts(&found.entries), ["stored"]);
    let unknown = TurnId::generate(Timestamp::UNIX_EPOCH);
    assert_eq!(kind_of(engine.turn(&Scope::All, unknown)), Some(ErrorKind::Unavailable));
    store.mend();
    store.deliver();
    assert_eq!(engine.turns(&TurnQuery::default()).unwrap().turns, [finished.turn]);
}

#[test]
fn a_turn_that_cannot_be_kept_is_refused_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, store) = on_faulty(folder.path());
    let begun = engine.begin_turn(NewTurn::default()).unwrap().turn;
    store.break_down("write", gone());
    let refused = engine.finish_turn(&Scope::All, begun.id, TurnUpdate::default());
    assert_eq!(kind_of(refused), Some(ErrorKind::NotKept));
    assert_eq!(engine.turn(&Scope::All, begun.id).unwrap(), begun);
}

#[test]
fn malformed_turns_are_refused_and_secrets_are_taken_out() {
    let (_folder, engine) = fresh();
    let long = "字".repeat(100_000);
    let id = engine.begin_turn(NewTurn::default()).unwrap().turn.id;
    for (number, bad) in [
        TurnUpdate { error: Some("a\0b".to_owned()), ..TurnUpdate::default() },
        TurnUpdate { output_text: Some(long.clone()), ..TurnUpdate::default() },
        TurnUpdate { plan: Some(json!(long)), ..TurnUpdate::default() },
        TurnUpdate { tool_calls: Some(vec![json!(long)]), ..TurnUpdate::default() },
        TurnUpdate { tool_results: Some(vec![json!(long)]), ..TurnUpdate::default() },
    ]
    .into_iter()
    .enumerate()
    {
        let outcome = engine.update_turn(&Scope::All, id, bad);
        assert_eq!(kind_of(outcome), Some(ErrorKind::InvalidInput), "case {number}");
    }
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let update = TurnUpdate {
        plan: Some(json!({ "use": secret })),
        tool_calls: Some(vec![json!({ "arguments": { "token": secret } })]),
        tool_results: Some(vec![json!([secret])]),
        error: Some(format!("{secret} was refused")),
        ..TurnUpdate::default()
    };
    let receipt = engine.finish_turn(&Scope::All, id, update).unwrap();
    assert!(!serde_json::to_string(&receipt.turn).unwrap().contains(secret));
    assert!(!receipt.redacted.is_empty());
}
