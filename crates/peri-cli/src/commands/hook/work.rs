//! Working off what agents told: what was said is heard, what was done is recorded, sessions begin and end. One process
//! at a time does so.

use std::path::Path;
use std::process::{Command, Stdio};

use peri_agents::Agent;
use peri_agents::hooks::transcript::{self, Form, Limits, Reading, Role, TranscriptError};
use peri_agents::hooks::{Call, CallId, Claim, InboxError, Left, Occasion};
use perihelion::{Error, ErrorKind, Hear, Namespace, Observe, Perihelion, Said, SaidBy};

use super::turns::{Recorder, Stage};
use super::waiting::{self, Waiting};
use super::{inbox, positions, trouble};
use crate::app::App;
use crate::cli::Global;
use crate::config::Loaded;
use crate::error::CliError;
use crate::exit::Exit;

/// What becomes of a call.
enum Fate {
    /// It is done.
    Done,
    /// It cannot be done now; those after it wait with it.
    Waits(Error),
    /// It can never be done.
    Never(String),
}

/// Begins a process that works off what waits, and does not wait for it.
pub(super) fn begin(global: &Global, loaded: &Loaded) -> std::io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--home").arg(&loaded.home.folder);
    if let Some(config) = &global.config {
        command.arg("--config").arg(config);
    }
    if let [namespace] = &global.namespace[..] {
        command.arg("--namespace").arg(namespace.to_string());
    }
    command.args(["hook", super::WORK]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map(drop)
}

/// Works off what waits. If another process is at it, there is nothing to do.
pub(super) fn run(app: &mut App) -> Result<Exit, CliError> {
    let loaded = app.config()?;
    let home = loaded.home.folder.clone();
    loop {
        let inbox = inbox::at(&home).sealed(loaded.config.seal());
        let refused =
            |error: InboxError| CliError::input(error.to_string(), "look at the folder and the disk");
        let Some(mut claim) = inbox.claim().map_err(refused)? else { return Ok(Exit::Done) };
        if inbox.is_empty().map_err(refused)? {
            return Ok(Exit::Done);
        }
        let engine = Perihelion::open(loaded.config.options(&home))?;
        let outcome = work_off(&loaded, &engine, &mut claim);
        // Chores first: whoever comes meanwhile leaves the work to this process.
        if let Err(error) = engine.close() {
            trouble::note(&home, "closing", &error);
        }
        match claim.close().map_err(refused)? {
            Left::Nothing => return Ok(Exit::Done),
            Left::Calls if outcome == Outcome::Waits => return Ok(Exit::Done),
            Left::Calls => {}
        }
    }
}

/// Whether something is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    Waits,
}

fn work_off(loaded: &Loaded, engine: &Perihelion, claim: &mut Claim) -> Outcome {
    let home = &loaded.home.folder;
    loop {
        let (id, call) = match claim.next_call() {
            Ok(Some(next)) => next,
            Ok(None) => return Outcome::Done,
            Err(error) => {
                trouble::note(home, "inbox", &error);
                return Outcome::Waits;
            }
        };
        let done = match handle(loaded, engine, &id, &call) {
            Fate::Done => claim.done(&id),
            Fate::Never(why) => claim.aside(&id, &why),
            Fate::Waits(error) => {
                trouble::note(home, "a call waits", &error);
                return Outcome::Waits;
            }
        };
        if let Err(error) = done {
            trouble::note(home, "inbox", &error);
            return Outcome::Waits;
        }
    }
}

fn handle(loaded: &Loaded, engine: &Perihelion, id: &CallId, call: &Call) -> Fate {
    let namespace = match inbox::namespace_of(loaded, call) {
        Ok(namespace) => namespace,
        Err(why) => return Fate::Never(why),
    };
    let home = &loaded.home.folder;
    let desk = Desk { engine, call, namespace, home, inbox: home.join(inbox::FOLDER) };
    match desk.handle(id) {
        Ok(()) | Err(Error::Queued) => Fate::Done,
        Err(error) if error.kind() == ErrorKind::InvalidInput => Fate::Never(error.to_string()),
        Err(error) => Fate::Waits(error),
    }
}

/// One call and what it is worked off with.
struct Desk<'a> {
    engine: &'a Perihelion,
    call: &'a Call,
    namespace: Namespace,
    home: &'a Path,
    inbox: std::path::PathBuf,
}

impl Desk<'_> {
    fn handle(&self, id: &CallId) -> Result<(), Error> {
        let (engine, namespace, session) = (self.engine, &self.namespace, &self.call.session);
        match &self.call.occasion {
            Occasion::SessionStart { .. } => {
                engine.start_session(namespace, session)?;
                self.recorder().record_silent(self.call.at)
            }
            Occasion::Prompt { text } => self.hear_prompt(text),
            Occasion::Stop { answer } => {
                self.hear_transcript(answer.as_deref(), Observe::Due)?;
                self.record_turns(Stage::GoesOn)
            }
            Occasion::BeforeCompaction => {
                self.hear_transcript(None, Observe::Now)?;
                self.record_turns(Stage::GoesOn)?;
                if tells_when_compacted(self.call.agent) {
                    return Ok(());
                }
                engine.ask_for_notes(namespace, session, id.as_str())
            }
            Occasion::SessionEnd => {
                self.hear_transcript(None, Observe::Now)?;
                self.record_turns(Stage::Over)?;
                match engine.end_session(namespace, session) {
                    // A session that nobody began has no end either.
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                    outcome => outcome.map(drop),
                }
            }
        }
    }

    fn recorder(&self) -> Recorder<'_> {
        Recorder { engine: self.engine, inbox: &self.inbox, home: self.home, limits: LIMITS }
    }

    /// Records what the agent did, as far as it is known how it ended.
    fn record_turns(&self, stage: Stage) -> Result<(), Error> {
        match self.transcript() {
            Some(path) => self.recorder().record(self.call, (&self.namespace, path), stage),
            None => Ok(()),
        }
    }

    /// Where the agent records what is said; none if what it records cannot be read.
    fn transcript(&self) -> Option<&Path> {
        let is_known = |path: &&Path| transcript::form(self.call.agent, path) == Form::Known;
        self.call.transcript.as_deref().filter(is_known)
    }

    /// A transcript tells what the user said, with the agent's own time and id. Until there is one, the prompt waits.
    fn hear_prompt(&self, text: &str) -> Result<(), Error> {
        match self.transcript() {
            Some(path) if path.is_file() => Ok(()),
            Some(path) => {
                let prompt = Waiting { text: text.to_owned(), at: self.call.at };
                waiting::keep(&self.inbox, path, prompt, self.engine.seal())
                    .map_err(|source| Error::Folder { path: self.inbox.clone(), source })
            }
            None => self.hear(vec![self.said(SaidBy::User, text)], Observe::Later),
        }
    }

    /// Hears what the transcript has since the last time; without one, what the agent told.
    fn hear_transcript(&self, answer: Option<&str>, observe: Observe) -> Result<(), Error> {
        match self.transcript() {
            Some(path) if path.is_file() => self.hear_record(path, answer, observe)?,
            path => self.hear_told(path, answer, observe)?,
        }
        if let Some(path) = self.transcript()
            && let Err(error) = waiting::clear(&self.inbox, path)
        {
            tracing::warn!(%error, "prompts that were heard still wait for their transcript");
        }
        Ok(())
    }

    /// Hears what the agent told, with the prompts for which no transcript came.
    fn hear_told(&self, path: Option<&Path>, answer: Option<&str>, observe: Observe) -> Result<(), Error> {
        let prompts = path.map(|path| waiting::of(&self.inbox, path, self.engine.seal())).unwrap_or_default();
        let prompts = prompts.into_iter().map(|own| Said::new(SaidBy::User, own.text, own.at));
        let answer = answer.map(|text| self.said(SaidBy::Assistant, text));
        self.hear(prompts.chain(answer).collect(), observe)
    }

    /// Hears what the transcript has since the last time.
    fn hear_record(&self, path: &Path, answer: Option<&str>, observe: Observe) -> Result<(), Error> {
        let mut from = positions::of(&self.inbox, path);
        loop {
            let (agent, at, limits) = (self.call.agent, self.call.at, LIMITS);
            let heard = match transcript::read(&Reading { agent, path, from, at, limits }) {
                Ok(heard) => heard,
                Err(TranscriptError::UnknownForm { .. } | TranscriptError::Missing { .. }) => {
                    return self.hear_told(Some(path), answer, observe);
                }
                Err(error @ TranscriptError::Disk { .. }) => {
                    return Err(Error::Folder {
                        path: path.to_owned(),
                        source: std::io::Error::other(error.to_string()),
                    });
                }
            };
            let messages = heard.messages.iter().map(|said| Said {
                role: match said.role {
                    Role::User => SaidBy::User,
                    Role::Assistant => SaidBy::Assistant,
                },
                text: said.text.clone(),
                at: Some(said.at),
            });
            self.hear(messages.collect(), observe)?;
            let is_end = heard.next <= from || heard.messages.len() < LIMITS.messages_max;
            if let Err(error) = positions::keep(&self.inbox, path, heard.next) {
                tracing::warn!(%error, "how far a transcript was read is not kept; it is read again");
            }
            if is_end {
                return Ok(());
            }
            from = heard.next;
        }
    }

    fn said(&self, role: SaidBy, text: &str) -> Said {
        Said::new(role, text, self.call.at)
    }

    fn hear(&self, messages: Vec<Said>, observe: Observe) -> Result<(), Error> {
        let heard = Hear {
            namespace: self.namespace.clone(),
            session: self.call.session.clone(),
            messages,
            ..Hear::default()
        };
        self.engine.hear(heard, observe).map(drop)
    }
}

/// Whether an agent runs a hook once its context was made smaller, which then gives it its notes.
fn tells_when_compacted(agent: Agent) -> bool {
    matches!(agent, Agent::ClaudeCode | Agent::Codex)
}

/// How much of a transcript is heard at once: no more than is remembered as heard before.
const LIMITS: Limits =
    Limits { line_bytes_max: 8 << 20, bytes_max: 64 << 20, messages_max: 200, text_bytes_max: 256 << 10 };
