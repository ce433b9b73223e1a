//! What agents do becomes trajectories, each once, whoever is killed at it.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use peri_agents::Agent;
use peri_agents::hooks::{OccasionKind, name_of};
use perihelion::{Chores, Options, Order, Perihelion, Scope, TaskOutcome, Trajectory, TrajectoryQuery};
use serde_json::{Value, json};

use super::machine::{Death, HookCall, Kills, Machine};
use super::record::Transcript;

/// What is asked, what is done, and how it must be judged: by what is said next.
const TURNS: [(&str, &[&str], Option<TaskOutcome>); 6] = [
    ("fix the login test", &["edit login", "cargo test login"], Some(TaskOutcome::Partial)),
    ("still fails", &["cargo test login", "edit session"], Some(TaskOutcome::Success)),
    ("고마워. 이제 문서도 써 줘", &["edit docs"], Some(TaskOutcome::Partial)),
    ("아니, 한국어로 써 줘", &["edit docs again"], Some(TaskOutcome::Success)),
    ("what is a token?", &[], None),
    ("现在提交", &["git commit"], Some(TaskOutcome::Success)),
];

/// So often a hook is run that had no time to take in what it was told.
const ATTEMPTS_MAX: usize = 20;

fn call(
    agent: Agent,
    machine: &Machine,
    transcript: &Transcript,
    occasion: OccasionKind,
    prompt: &str,
) -> HookCall {
    let folder = machine.folder("project");
    let input = json!({
        "session_id": format!("session of {agent}"), "transcript_path": transcript.path(), "cwd": folder,
        "hook_event_name": name_of(agent, occasion), "prompt": prompt, "reason": "exit",
    });
    HookCall { agent, occasion, input, folder }
}

/// A session in which every worker that the agent's hooks begin is killed.
fn live(machine: &mut Machine, agent: Agent) {
    let path = machine.folder("records").join(format!("{agent}.jsonl"));
    let mut transcript = Transcript::new(agent, path);
    let mut at: Timestamp = "2026-11-16T09:00:00Z".parse().unwrap();
    for (prompt, deeds, _) in TURNS {
        let asked = call(agent, machine, &transcript, OccasionKind::Prompt, prompt);
        machine.hook(&asked, Death::None);
        transcript.user(prompt, at);
        for deed in deeds {
            at += SignedDuration::from_secs(7);
            transcript.tool(deed, "fine", at);
        }
        at += SignedDuration::from_secs(7);
        transcript.assistant("Done.", at);
        let stopped = call(agent, machine, &transcript, OccasionKind::Stop, "");
        machine.hook_and_killed_worker(&stopped);
    }
    let ended = call(agent, machine, &transcript, OccasionKind::SessionEnd, "");
    let is_told = (0..ATTEMPTS_MAX).any(|_| machine.hook_and_killed_worker(&ended).is_acknowledged());
    assert!(is_told, "no hook had the time to take in that a session is over: {}", machine.log());
}

fn recorded(machine: &Machine) -> Vec<Trajectory> {
    let mut options = Options::at(machine.home());
    options.chores = Chores::ByHand;
    let engine = Perihelion::open(options).unwrap();
    let query = TrajectoryQuery {
        scope: Scope::All,
        order: Order::OldestFirst,
        limit: 1000,
        ..TrajectoryQuery::default()
    };
    engine.trajectories(&query).unwrap().trajectories
}

#[test]
fn what_agents_did_is_recorded_once_with_how_it_ended_whoever_is_killed_at_it() {
    let agents = [Agent::ClaudeCode, Agent::Codex, Agent::Gemini];
    let mut machine = Machine::new(super::SEED, Kills::Many);
    for agent in agents {
        live(&mut machine, agent);
    }
    machine.settle();
    let mut sessions: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for one in recorded(&machine) {
        assert_eq!((one.agent, one.steps.is_empty()), (None, false));
        let steps: Vec<_> = one.steps.iter().map(|step| step.output.clone()).collect();
        let told = json!([one.task, one.outcome, steps]);
        sessions.entry(one.session.unwrap()).or_default().push(told);
    }
    let done = TURNS.iter().filter_map(|(task, deeds, outcome)| Some((task, deeds, (*outcome)?)));
    let expected: Vec<Value> =
        done.map(|(task, deeds, outcome)| json!([task, outcome, vec!["fine"; deeds.len()]])).collect();
    assert_eq!(sessions.len(), agents.len());
    for (session, told) in sessions {
        assert_eq!(told, expected, "{session}");
    }
    assert!(machine.workers_killed > 0, "somebody must have been killed, or this test shows nothing");
}
