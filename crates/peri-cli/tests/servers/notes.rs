//! Notes in a database: shared by several machines, and waiting out its absence.

use std::time::Duration;

use perihelion::{ContextRequest, Hear, HeardOutcome, Moment, Namespace, Observe, Perihelion, Said, SaidBy};

use crate::database::{Away, Database, engine, program, until};

fn decided(what: &str, minute: u8) -> Hear {
    let at = format!("2026-03-02T09:{minute:02}:00Z").parse().unwrap();
    Hear {
        session: "월요일".to_owned(),
        messages: vec![Said::new(SaidBy::User, format!("We decided to use {what}."), at)],
        ..Hear::default()
    }
}

fn noted(engine: &Perihelion) -> Vec<String> {
    let notes = engine.session_notes(&Namespace::default(), "월요일").unwrap();
    notes.map(|notes| notes.notes.into_iter().map(|note| note.text).collect()).unwrap_or_default()
}

fn start(session: &str) -> ContextRequest {
    let request = ContextRequest::new(Namespace::default()).in_session(session).at(Moment::Start);
    request.once(Duration::from_secs(60))
}

fn check_notes(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let url = server.fresh();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [here, there] = [&folders[0], &folders[1]].map(|folder| engine(folder.path(), &url));
    assert_eq!(
        here.hear(decided("PostgreSQL for billing", 1), Observe::Now).unwrap().outcome,
        HeardOutcome::Kept
    );
    assert_eq!(noted(&there).len(), 1, "another machine sees the notes");
    assert!(!folders[0].path().join("notes").exists(), "nothing of them is on this machine");
    // Two machines ask at once: one is given the notes.
    let given: Vec<bool> = std::thread::scope(|scope| {
        let ask = |engine: &Perihelion, session: &str| {
            let context = engine.context(&start(session)).unwrap();
            engine.confirm_context(&Namespace::default(), session, &context).unwrap();
            context.text.contains("<earlier-session>")
        };
        let [one, other] =
            [(&here, "a"), (&there, "b")].map(|(engine, name)| scope.spawn(move || ask(engine, name)));
        [one, other].map(|asked| asked.join().unwrap()).to_vec()
    });
    assert_eq!(given.iter().filter(|given| **given).count(), 1, "{given:?}");
    server.leave(Away::Stopped);
    let waits = decided("Rust for the importer", 2);
    assert_eq!(here.hear(waits.clone(), Observe::Now).unwrap().outcome, HeardOutcome::Queued);
    assert_eq!(here.hear(waits, Observe::Now).unwrap().outcome, HeardOutcome::Queued, "told twice");
    let context = here.context(&start("c")).unwrap();
    assert!(context.text.is_empty() && !context.degraded.is_empty(), "{context:?}");
    server.come_back();
    until("the queue to be worked off", || here.health().queue.writes == 0 && here.health().healthy);
    until("notes of what waited", || {
        here.observe(&Namespace::default(), "월요일").is_ok() && noted(&here).len() == 2
    });
    assert!(noted(&there).iter().any(|note| note.contains("Rust")), "{:?}", noted(&there));
    [here, there].into_iter().for_each(|engine| engine.close().unwrap());
}

#[test]
fn notes_on_postgresql_are_shared_given_once_and_wait_out_an_outage() {
    check_notes(Database::postgres());
}

#[test]
fn notes_on_mariadb_are_shared_given_once_and_wait_out_an_outage() {
    check_notes(Database::mariadb());
}

/// What an agent tells while the database is away is on this machine, and in the notes later; the agent never notices.
#[test]
fn hooks_go_on_while_the_database_is_away() {
    let Some(mut server) = Database::postgres() else { return };
    let peri = program(&server.fresh());
    let folder = tempfile::tempdir().unwrap();
    let transcript = folder.path().join("conversation.jsonl");
    let call = |event: &str, more: serde_json::Value| {
        let mut call = serde_json::json!({
            "session_id": "s", "cwd": folder.path(), "transcript_path": transcript, "hook_event_name": event,
        });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let ran = peri.run_with(&["hook", "claude-code", event], call.to_string().as_bytes());
        assert_eq!(ran.code, 0, "{event}: {ran:?}");
        ran.out
    };
    call("SessionStart", serde_json::json!({ "source": "startup" }));
    server.leave(Away::Stopped);
    let line = serde_json::json!({
        "type": "user", "uuid": "1", "timestamp": "2026-03-02T09:00:00Z", "sessionId": "s",
        "message": { "role": "user", "content": "We decided to call the release Heron." },
    });
    std::fs::write(&transcript, format!("{line}\n")).unwrap();
    assert_eq!(call("UserPromptSubmit", serde_json::json!({ "prompt": "what is it called?" })), "");
    call("Stop", serde_json::json!({}));
    call("SessionEnd", serde_json::json!({ "reason": "exit" }));
    server.come_back();
    until("what was said to be noted", || {
        peri.run(&["hook", "work"]);
        peri.run(&["maintain"]);
        peri.run(&["recall", "-n", "*", "what is the release called?", "--json"]).out.contains("Heron")
    });
}
