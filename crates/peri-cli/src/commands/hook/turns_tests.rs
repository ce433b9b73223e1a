use perihelion::{Chores, NewPattern, Options, Order, Scope, TaskOutcome, Trajectory, TrajectoryQuery};
use serde_json::json;

use super::*;

struct Room {
    folder: tempfile::TempDir,
    engine: Perihelion,
    transcript: PathBuf,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::at(folder.path().join("data"));
        options.chores = Chores::ByHand;
        let engine = Perihelion::open(options).unwrap();
        let transcript = folder.path().join("기록.jsonl");
        Self { folder, engine, transcript }
    }

    fn write(&self, lines: &[serde_json::Value]) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.transcript).unwrap();
        lines.iter().for_each(|line| writeln!(file, "{line}").unwrap());
    }

    fn recorder(&self) -> Recorder<'_> {
        let limits = Limits { messages_max: 2, ..Limits::default() };
        Recorder { engine: &self.engine, inbox: self.folder.path(), home: self.folder.path(), limits }
    }

    fn record(&self, agent: Agent, stage: Stage) {
        let call = Call {
            agent,
            occasion: peri_agents::hooks::Occasion::Stop { answer: None },
            session: "세션".to_owned(),
            folder: "/집/项目".into(),
            transcript: Some(self.transcript.clone()),
            at: at(0),
        };
        self.recorder().record(&call, (&Namespace::default(), &self.transcript), stage).unwrap();
    }

    fn trajectories(&self) -> Vec<Trajectory> {
        let query = TrajectoryQuery {
            scope: Scope::All,
            order: Order::OldestFirst,
            limit: 100,
            ..TrajectoryQuery::default()
        };
        self.engine.trajectories(&query).unwrap().trajectories
    }
}

fn at(minute: i8) -> Timestamp {
    format!("2026-11-16T09:{minute:02}:00Z").parse().unwrap()
}

fn asks(minute: i8, text: &str) -> serde_json::Value {
    json!({"type": "user", "uuid": format!("u{minute}"), "timestamp": at(minute), "message": {"content": text}})
}

fn does(minute: i8, tool: &str, input: serde_json::Value) -> serde_json::Value {
    json!({"type": "assistant", "timestamp": at(minute), "uuid": format!("a{minute}"), "message": {
        "id": format!("m{minute}"), "content": [{"type": "tool_use", "id": format!("t{minute}"), "name": tool, "input": input}]}})
}

fn comes_to(minute: i8, call: i8, output: &str, is_error: bool) -> serde_json::Value {
    json!({"type": "user", "uuid": format!("r{minute}"), "timestamp": at(minute), "message": {"content": [
        {"type": "tool_result", "tool_use_id": format!("t{call}"), "content": output, "is_error": is_error}]}})
}

#[test]
fn a_turn_is_recorded_once_it_is_known_how_it_ended_and_never_twice() {
    let room = Room::new();
    room.write(&[
        asks(1, "로그인 시험을 고쳐 줘"),
        does(2, "Edit", json!({"file_path": "/집/项目/src/login.rs"})),
        comes_to(3, 2, "ok", false),
        does(4, "Bash", json!({"command": "cargo test"})),
        comes_to(5, 4, "token sk-ant-api03-0123456789012345678901234567890123456789", false),
    ]);
    room.record(Agent::ClaudeCode, Stage::GoesOn);
    assert_eq!(room.trajectories(), [], "it is not known yet how it ended");
    room.write(&[
        asks(6, "还是失败"),
        does(7, "Bash", json!({"command": "cargo test"})),
        comes_to(8, 7, "no", true),
    ]);
    room.record(Agent::ClaudeCode, Stage::GoesOn);
    room.record(Agent::ClaudeCode, Stage::GoesOn);
    room.write(&[asks(9, "무슨 뜻이야?"), asks(10, "고마워"), does(11, "Read", json!({"path": "a.md"}))]);
    room.record(Agent::ClaudeCode, Stage::Over);
    room.record(Agent::ClaudeCode, Stage::Over);
    // Whoever lost where they were begins anew.
    std::fs::remove_file(file(room.folder.path(), &room.transcript)).unwrap();
    room.record(Agent::ClaudeCode, Stage::Over);
    let all = room.trajectories();
    let told: Vec<_> = all.iter().map(|one| (one.task.as_str(), one.outcome)).collect();
    let expected = [
        ("로그인 시험을 고쳐 줘", TaskOutcome::Partial),
        ("还是失败", TaskOutcome::Partial),
        ("고마워", TaskOutcome::Success),
    ];
    assert_eq!(told, expected, "and nothing of a turn in which nothing was done");
    let steps: Vec<_> = all[0].steps.iter().map(|step| (step.input.as_str(), step.duration_ms)).collect();
    assert_eq!(steps, [("Edit: src/login.rs", 60_000), ("Bash: cargo test", 60_000)]);
    assert!(!all[0].steps[1].output.contains("sk-ant"), "{}", all[0].steps[1].output);
    assert_eq!((all[0].agent.as_deref(), all[0].session.as_deref()), (None, Some("세션")));
    assert_eq!((all[0].duration_ms, all[0].at), (240_000, at(5)));
}

#[test]
fn a_turn_that_broke_off_has_failed_whatever_is_said_next() {
    let room = Room::new();
    room.write(&[
        asks(1, "deploy it"),
        does(2, "Bash", json!({"command": "./deploy"})),
        asks(3, "[Request interrupted by user for tool use]"),
        asks(4, "thanks"),
    ]);
    room.record(Agent::ClaudeCode, Stage::GoesOn);
    assert_eq!(room.trajectories()[0].outcome, TaskOutcome::Failure);
}

#[test]
fn what_another_agent_was_asked_is_recorded_as_its_task() {
    let room = Room::new();
    let asked =
        json!({"subagent_type": "tester", "prompt": "결제 시험을 돌려 줘", "description": "run tests"});
    room.write(&[asks(1, "결제를 고쳐 줘"), does(2, "Task", asked), comes_to(3, 2, "통과", false)]);
    room.record(Agent::ClaudeCode, Stage::Over);
    let told: Vec<_> = room.trajectories().into_iter().map(|one| (one.task, one.agent)).collect();
    assert!(told.contains(&("결제를 고쳐 줘".to_owned(), None)), "{told:?}");
    assert!(told.contains(&("결제 시험을 돌려 줘".to_owned(), Some("tester".to_owned()))), "{told:?}");
    assert_eq!(told.len(), 2);
}

#[test]
fn a_pattern_counts_as_followed_if_it_was_given_for_the_prompt_and_its_steps_occur() {
    let room = Room::new();
    let store = |strategy: &str| room.engine.store_pattern(NewPattern::new(strategy)).unwrap().pattern.id;
    let followed = store("For tasks about login: `Edit: src/login.rs`, then `Bash: cargo test`");
    let ignored = store("배포는 `Bash: ./deploy staging` 으로 한다");
    let not_given = store("always finish work with the command `cargo test` and nothing else at all");
    let context = room
        .engine
        .context(
            &perihelion::ContextRequest::new(Namespace::default())
                .about("fix the login with `Edit: src/login.rs`"),
        )
        .unwrap();
    offers::keep(room.folder.path(), &room.transcript, "fix the login", &context).unwrap();
    let offered = offers::of(room.folder.path(), &room.transcript).with("fix the login");
    assert!(offered.contains(&followed), "{context:?}");
    room.write(&[
        asks(1, "fix the login"),
        does(2, "Edit", json!({"file_path": "/집/项目/src/login.rs"})),
        does(3, "Bash", json!({"command": "cargo test"})),
        asks(4, "and now the docs"),
        does(5, "Edit", json!({"file_path": "/집/项目/src/login.rs"})),
        does(6, "Bash", json!({"command": "cargo test"})),
    ]);
    room.record(Agent::ClaudeCode, Stage::Over);
    let all = room.trajectories();
    assert!(all[0].patterns.contains(&followed) && !all[0].patterns.contains(&ignored), "{:?}", all[0]);
    assert_eq!(all[1].patterns, [], "it was not given for this one; nor was {not_given}");
}

#[test]
fn prompts_without_times_and_names_keep_their_order_and_are_recorded_once() {
    let room = Room::new();
    let asks = |text: &str| json!({"role": "user", "message": {"content": format!("<user_query>{text}</user_query>")}});
    let does = |name: &str| json!({"role": "assistant", "message": {"content": [{"type": "tool_use", "name": name, "input": {"path": "a.tsx"}}]}});
    room.write(&[asks("하나"), does("Write"), asks("둘"), does("Write"), asks("三"), does("Read")]);
    room.record(Agent::Cursor, Stage::GoesOn);
    room.record(Agent::Cursor, Stage::Over);
    room.record(Agent::Cursor, Stage::Over);
    let tasks: Vec<_> = room.trajectories().into_iter().map(|one| one.task).collect();
    assert_eq!(tasks, ["하나", "둘", "三"]);
}

#[test]
fn a_session_that_nobody_ended_is_over_after_a_day() {
    let room = Room::new();
    room.write(&[asks(1, "정리해 줘"), does(2, "Bash", json!({"command": "cargo fmt"}))]);
    room.record(Agent::ClaudeCode, Stage::GoesOn);
    let later = |hours: i64| at(0).checked_add(SignedDuration::from_hours(hours)).unwrap();
    room.recorder().record_silent(later(23)).unwrap();
    assert_eq!(room.trajectories().len(), 0);
    room.recorder().record_silent(later(25)).unwrap();
    room.recorder().record_silent(later(50)).unwrap();
    assert_eq!(room.trajectories().len(), 1);
}

#[test]
fn a_record_cut_at_any_line_and_recorded_in_parts_gives_the_same() {
    let lines = [
        asks(1, "하나"),
        does(2, "Bash", json!({"command": "a"})),
        comes_to(3, 2, "x", true),
        asks(4, "不对"),
        does(5, "Bash", json!({"command": "b"})),
        asks(6, "셋"),
        does(7, "Bash", json!({"command": "c"})),
        comes_to(8, 7, "y", false),
    ];
    let whole = Room::new();
    whole.write(&lines);
    whole.record(Agent::ClaudeCode, Stage::Over);
    for cut in 0..=lines.len() {
        let parts = Room::new();
        parts.write(&lines[..cut]);
        parts.record(Agent::ClaudeCode, Stage::GoesOn);
        parts.write(&lines[cut..]);
        parts.record(Agent::ClaudeCode, Stage::Over);
        assert_eq!(parts.trajectories(), whole.trajectories(), "cut at {cut}");
    }
}
