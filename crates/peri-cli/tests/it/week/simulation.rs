//! The week as it happens: agents that run hooks, keep their records, lose their contexts and go on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use peri_agents::Agent;
use peri_agents::hooks::{OccasionKind, name_of};
use serde_json::{Value, json};

use super::clutter;
use super::machine::{Death, End, HookCall, HookRun, Kills, Machine};
use super::record::Transcript;
use super::story::{Beside, Question, Record, Session, Step};

/// Between two things that are said.
const PAUSE: SignedDuration = SignedDuration::from_secs(41);

/// Everything that happened.
pub(super) struct Week {
    pub(super) machine: Machine,
    pub(super) places: BTreeMap<String, PathBuf>,
    pub(super) said: Vec<Said>,
    pub(super) given: Vec<Given>,
    pub(super) asked: Vec<(Question, Found)>,
    pub(super) sessions: usize,
    /// Where the secret was seen while hooks ran.
    pub(super) secret_seen: Vec<String>,
    /// Another program that writes to the store.
    lock: Option<rusqlite::Connection>,
}

/// Whether the agent was given the answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
    /// No, but a hook that would have given it was killed or had no time.
    Missed,
}

/// Something that was said.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) place: String,
    pub(super) session: String,
    pub(super) actor: &'static str,
    pub(super) text: String,
    /// Whether a hook that ended well told of it.
    pub(super) is_acknowledged: bool,
}

/// Something that an agent was given.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) place: String,
    pub(super) session: String,
    /// Which context of the session: another one begins when it loses the one before.
    pub(super) window: usize,
    pub(super) text: String,
    /// Whether the hook had the time to note that it gave it.
    pub(super) is_noted: bool,
}

/// An agent at work.
struct Seat<'a> {
    session: &'a Session,
    name: String,
    folder: PathBuf,
    transcript: Option<Transcript>,
    window: usize,
    /// Whether every hook had the time to give what it had to in this context.
    is_whole: bool,
    at: Timestamp,
    next: usize,
    /// What was said since a hook last read the record.
    unread: Vec<usize>,
    is_over: bool,
}

impl Week {
    /// A machine with a few projects, and a folder that is none.
    pub(super) fn new(seed: u64, kills: Kills) -> Self {
        let machine = Machine::new(seed, kills);
        let mut places = BTreeMap::new();
        for place in ["harbor", "lantern", "someone"] {
            places.insert(place.to_owned(), machine.folder(place));
        }
        for project in ["harbor", "lantern"] {
            std::fs::create_dir_all(places[project].join(".git")).unwrap();
            std::fs::create_dir_all(places[project].join("src/deep")).unwrap();
        }
        machine.folder("records");
        let (said, given, asked) = (Vec::new(), Vec::new(), Vec::new());
        Self { machine, places, said, given, asked, sessions: 0, secret_seen: Vec::new(), lock: None }
    }

    /// Lives through the sessions.
    pub(super) fn live(&mut self, sessions: &[Session]) {
        let mut first = 0;
        while first < sessions.len() {
            let beside = |session: &&Session| session.beside == Beside::TheOneBefore;
            let group = 1 + sessions[first + 1..].iter().take_while(beside).count();
            self.run_together(&sessions[first..first + group]);
            first += group;
            // The night, or a meal.
            self.machine.settle();
        }
    }

    /// Runs sessions at the same time: they begin at one moment, and take turns from there on.
    fn run_together(&mut self, sessions: &[Session]) {
        let mut seats: Vec<Seat<'_>> = sessions.iter().map(|session| self.seat(session)).collect();
        self.sessions += seats.len();
        self.begin_together(&mut seats);
        while seats.iter().any(|seat| !seat.is_over) {
            for seat in seats.iter_mut().filter(|seat| !seat.is_over) {
                self.take_turn(seat);
            }
        }
    }

    fn seat<'a>(&self, session: &'a Session) -> Seat<'a> {
        let root = &self.places[&session.place];
        // Agents are begun anywhere below the folder of a project.
        let deep = root.join("src/deep");
        let folder = if session.name.ends_with("-deep") { deep } else { root.clone() };
        let mut seat = Seat {
            session,
            name: session.name.clone(),
            folder,
            transcript: None,
            window: 0,
            is_whole: true,
            at: session.at,
            next: 0,
            unread: Vec::new(),
            is_over: false,
        };
        seat.transcript = self.record_of(&seat);
        seat
    }

    fn record_of(&self, seat: &Seat<'_>) -> Option<Transcript> {
        let is_kept = seat.session.record == Record::Kept && seat.session.agent != Agent::Windsurf;
        let path = self.machine.folder("records").join(format!("{}.jsonl", seat.name));
        is_kept.then(|| Transcript::new(seat.session.agent, path))
    }

    fn begin_together(&mut self, seats: &mut [Seat<'_>]) {
        if let [seat] = seats {
            self.run(seat, OccasionKind::SessionStart, json!({"source": "startup"}));
            return;
        }
        let calls: Vec<HookCall> = seats
            .iter()
            .filter_map(|seat| seat.call(OccasionKind::SessionStart, json!({"source": "startup"})))
            .collect();
        assert_eq!(calls.len(), seats.len(), "agents that run beside others tell when they begin");
        let runs = self.machine.hooks(&calls);
        for (seat, run) in seats.iter_mut().zip(runs) {
            self.note(seat, &run);
        }
    }

    /// Everything up to and with the next answer of the agent.
    fn take_turn(&mut self, seat: &mut Seat<'_>) {
        loop {
            let Some(step) = seat.session.steps.get(seat.next) else {
                if self.run(seat, OccasionKind::SessionEnd, json!({"reason": "exit"})).is_none() {
                    self.fall_silent(seat);
                }
                seat.is_over = true;
                return;
            };
            seat.next += 1;
            let following = seat.session.steps.get(seat.next);
            let goes_on = matches!(following, Some(Step::Assistant(_) | Step::Tool { .. }));
            self.take_step(seat, step);
            let is_answer = matches!(step, Step::Assistant(_) | Step::Tool { .. }) && !goes_on;
            if is_answer {
                self.stop(seat);
            }
            if is_answer || seat.is_over {
                return;
            }
        }
    }

    /// An agent that never tells when it ends: what half an hour of silence would do is done at once.
    fn fall_silent(&mut self, seat: &Seat<'_>) {
        self.machine.settle();
        let namespace = self.namespace(&seat.session.place);
        self.machine.json(&["-n", &namespace, "session", "observe", &seat.name]);
    }

    fn take_step(&mut self, seat: &mut Seat<'_>, step: &Step) {
        seat.at += PAUSE;
        match step {
            Step::User(text) => self.user(seat, &clutter::filled(text)),
            Step::Assistant(text) => self.assistant(seat, &clutter::filled(text)),
            Step::Tool { command, lines } => {
                if let Some(transcript) = &mut seat.transcript {
                    transcript.tool(command, &clutter::log(*lines), seat.at);
                }
            }
            Step::Ask(question) => {
                self.user(seat, &question.text);
                let is_answered =
                    self.lines_of(&seat.name, seat.window).any(|line| question.is_answered_by(line));
                let found = match (is_answered, seat.is_whole) {
                    (true, _) => Found::Yes,
                    (false, true) => Found::No,
                    (false, false) => Found::Missed,
                };
                self.asked.push((question.clone(), found));
            }
            Step::Compact => self.compact(seat),
            Step::Clear => self.clear(seat),
            Step::Resume => {
                self.run(seat, OccasionKind::SessionStart, json!({"source": "resume"}));
            }
            Step::Lock => self.lock(),
            Step::Unlock => self.lock = None,
            Step::Abandon => seat.is_over = true,
        }
    }

    /// What the agent of a session was given in one of its contexts.
    pub(super) fn lines_of(&self, session: &str, window: usize) -> impl Iterator<Item = &str> {
        let own = move |given: &&Given| given.session == session && given.window == window;
        self.given.iter().filter(own).flat_map(|given| given.text.lines())
    }

    fn user(&mut self, seat: &mut Seat<'_>, text: &str) {
        let run = self.run(seat, OccasionKind::Prompt, json!({ "prompt": text }));
        let is_told = run.is_some_and(|run| run.is_acknowledged());
        self.say(seat, "user", text, is_told);
        if let Some(transcript) = &mut seat.transcript {
            transcript.user(text, seat.at);
        }
    }

    fn assistant(&mut self, seat: &mut Seat<'_>, text: &str) {
        self.say(seat, "assistant", text, false);
        if let Some(transcript) = &mut seat.transcript {
            transcript.assistant(text, seat.at);
        }
    }

    /// Notes that something was said. Of those who keep a record, it is told with the next reading of it.
    fn say(&mut self, seat: &mut Seat<'_>, actor: &'static str, text: &str, is_told: bool) {
        seat.unread.push(self.said.len());
        self.said.push(Said {
            place: seat.session.place.clone(),
            session: seat.name.clone(),
            actor,
            text: text.to_owned(),
            is_acknowledged: is_told && seat.transcript.is_none(),
        });
    }

    fn stop(&mut self, seat: &mut Seat<'_>) {
        let answer =
            seat.unread.iter().rev().map(|at| &self.said[*at]).find(|said| said.actor == "assistant");
        let answer = answer.map(|said| said.text.clone());
        self.run(seat, OccasionKind::Stop, json!({ "answer": answer }));
    }

    fn compact(&mut self, seat: &mut Seat<'_>) {
        self.run(seat, OccasionKind::BeforeCompaction, json!({"trigger": "auto"}));
        // The summary takes a while.
        self.machine.settle();
        (seat.window, seat.is_whole) = (seat.window + 1, true);
        if let Some(transcript) = &mut seat.transcript {
            transcript.compacted(seat.at);
        }
        if matches!(seat.session.agent, Agent::ClaudeCode | Agent::Codex) {
            self.run(seat, OccasionKind::SessionStart, json!({"source": "compact"}));
        }
    }

    fn clear(&mut self, seat: &mut Seat<'_>) {
        self.run(seat, OccasionKind::SessionEnd, json!({"reason": "clear"}));
        seat.name.push_str("-cleared");
        (seat.window, seat.is_whole, seat.unread) = (0, true, Vec::new());
        seat.transcript = self.record_of(seat);
        self.run(seat, OccasionKind::SessionStart, json!({"source": "clear"}));
    }

    fn lock(&mut self) {
        let store = rusqlite::Connection::open(self.machine.home().join("perihelion.db")).unwrap();
        store.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
        store.execute_batch("BEGIN IMMEDIATE").unwrap();
        self.lock = Some(store);
    }

    /// Runs a hook, unless the agent has none for it. What only a prompt or an answer lost is not told again; whoever
    /// loses more begins again.
    fn run(&mut self, seat: &mut Seat<'_>, occasion: OccasionKind, more: Value) -> Option<HookRun> {
        let call = seat.call(occasion, more)?;
        // Whoever works something off waits for a store that is locked, and would have to be waited for.
        let is_free = occasion == OccasionKind::Stop && self.lock.is_none();
        let mut run = if is_free && self.machine.kills_worker() {
            self.machine.hook_and_killed_worker(&call)
        } else {
            let death = self.machine.death();
            self.machine.hook(&call, death)
        };
        if call.input.to_string().contains(&clutter::secret()) {
            self.secret_seen.extend(self.secret_in_files());
        }
        let goes_on = matches!(occasion, OccasionKind::Prompt | OccasionKind::Stop);
        if run.end == End::Killed && !goes_on {
            run = self.machine.hook(&call, Death::None);
        }
        self.note(seat, &run);
        Some(run)
    }

    /// Notes what a hook gave, and what it acknowledged.
    fn note(&mut self, seat: &mut Seat<'_>, run: &HookRun) {
        if let Some(text) = run.shown() {
            if let Some(transcript) = &mut seat.transcript {
                transcript.given(&text, seat.at);
            }
            self.given.push(Given {
                place: seat.session.place.clone(),
                session: seat.name.clone(),
                window: seat.window,
                text,
                is_noted: run.is_acknowledged(),
            });
        }
        let reads = !matches!(run.occasion, OccasionKind::SessionStart | OccasionKind::Prompt);
        if !reads {
            seat.is_whole &= run.is_acknowledged();
            return;
        }
        let unread = std::mem::take(&mut seat.unread);
        if !run.is_acknowledged() {
            // A later hook reads the record; without one, what was not told is gone.
            seat.unread = if seat.transcript.is_some() { unread } else { Vec::new() };
            return;
        }
        let is_told = |said: &Said| seat.transcript.is_some() || said.actor == "assistant";
        for at in unread {
            let said = &mut self.said[at];
            said.is_acknowledged = said.is_acknowledged || is_told(said);
        }
    }
}

impl Seat<'_> {
    /// What the agent says to its hook; none if it has none for this.
    fn call(&self, occasion: OccasionKind, more: Value) -> Option<HookCall> {
        let agent = self.session.agent;
        let event = name_of(agent, occasion)?;
        let path = self.transcript.as_ref().map(|transcript| transcript.path().to_owned());
        let input = match agent {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini => json!({
                "session_id": self.name, "transcript_path": path, "cwd": self.folder, "hook_event_name": event,
                "source": more["source"], "trigger": more["trigger"], "reason": more["reason"],
                "prompt": more["prompt"], "last_assistant_message": more["answer"], "prompt_response": more["answer"],
            }),
            Agent::Cursor => json!({
                "conversation_id": self.name, "generation_id": format!("turn-{}", self.next),
                "hook_event_name": event, "workspace_roots": [self.folder], "transcript_path": path,
                "trigger": more["trigger"], "reason": more["reason"], "prompt": more["prompt"], "text": more["answer"],
            }),
            Agent::Windsurf => json!({
                "agent_action_name": event, "trajectory_id": self.name, "execution_id": self.next,
                "tool_info": {"user_prompt": more["prompt"], "response": more["answer"]},
            }),
            Agent::VsCode => json!({
                "hookEventName": event, "sessionId": self.name, "transcript_path": path, "cwd": self.folder,
                "timestamp": self.at, "source": more["source"], "prompt": more["prompt"],
            }),
        };
        Some(HookCall { agent, occasion, input, folder: self.folder.clone() })
    }
}
