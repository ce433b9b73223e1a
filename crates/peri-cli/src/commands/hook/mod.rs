//! `peri hook`: what agents run on their events. It answers quickly, and whatever happens, it never fails or blocks them.
//!
//! A call is first put into the inbox, durably; then the agent is given what it should know. What was said is worked off
//! by a process of its own, which nobody waits for.

mod give;
mod inbox;
mod offers;
mod positions;
mod trouble;
mod turns;
mod waiting;
mod work;

use std::io::Read as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use peri_agents::Agent;
use peri_agents::hooks::{self, Call, OccasionKind, Received, TakesContext};
use perihelion::{Check, Timestamp, Verdict};

use crate::app::App;
use crate::cli::Global;
use crate::config::{self, Loaded};
use crate::error::CliError;
use crate::exit::Exit;
use crate::home;
use crate::output::Output;

/// An agent is answered within this time, or not at all.
const DEADLINE: Duration = Duration::from_millis(240);

/// For so long after that at most it is noted that the agent has what it was given.
const AFTERWARDS: Duration = Duration::from_millis(40);

/// Works off what waits, instead of answering an agent.
const WORK: &str = "work";

/// What an agent calls with.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Agents run this by themselves once `peri install` has told them to. It reads the event from \
    standard input, and prints what the agent should know. `peri hook work` works off what waits.\n\nExample:\n  peri hook claude-code SessionStart < event.json"
)]
pub(crate) struct Args {
    /// The agent, such as claude-code; or `work`
    agent: String,
    /// The event, as the agent calls it
    event: Option<String>,
    /// Anything else that an agent adds is passed over
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<String>,
}

/// What is needed to answer one call.
struct Job {
    agent: String,
    event: String,
    global: Global,
}

/// What is printed, and how to say that it was.
struct Answer {
    text: String,
    printed: Option<SyncSender<()>>,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if args.agent == WORK {
        return work::run(app);
    }
    let began = Instant::now();
    let job = Job { agent: args.agent, event: args.event.unwrap_or_default(), global: app.global.clone() };
    let (tell, answers) = sync_channel(1);
    let (finish, finished) = sync_channel::<()>(0);
    let spawned = std::thread::Builder::new().name("peri-hook".to_owned()).spawn(move || {
        job.serve(&tell);
        drop(finish);
    });
    if spawned.is_ok() {
        print(&answers, began, &mut app.out);
        // Closed when everything is noted; whatever is not by then is made up for later.
        let rest = (DEADLINE + AFTERWARDS).saturating_sub(began.elapsed());
        if finished.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
            tracing::debug!("the time is over; the rest is made up for");
        }
    }
    Ok(Exit::Done)
}

/// Prints the answer if it comes in time.
fn print(answers: &Receiver<Answer>, began: Instant, out: &mut Output) {
    let Ok(Answer { text, printed }) = answers.recv_timeout(DEADLINE.saturating_sub(began.elapsed())) else {
        return;
    };
    let is_printed = text.is_empty() || out.bytes(text.as_bytes()).and_then(|()| out.flush()).is_ok();
    if let Some(printed) = printed.filter(|_| is_printed)
        && printed.send(()).is_err()
    {
        tracing::debug!("nobody notes what was printed; it is given again");
    }
}

impl Job {
    /// Keeps the call, tells what to print, and notes that it was printed.
    fn serve(&self, answers: &SyncSender<Answer>) {
        let loaded = match self.loaded() {
            Ok(loaded) => loaded,
            Err(_) => return,
        };
        let folder = loaded.home.folder.clone();
        if let Err(error) = self.serve_with(loaded, answers) {
            trouble::note(&folder, &format!("{} {}", self.agent, self.event), error.as_ref());
        }
    }

    fn serve_with(
        &self,
        loaded: Loaded,
        answers: &SyncSender<Answer>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let agent: Agent = self.agent.parse()?;
        let Some(call) = self.call(agent)? else { return Ok(()) };
        let kept = inbox::keep(&loaded, &call);
        let wakes = matches!(
            call.occasion.kind(),
            OccasionKind::SessionStart
                | OccasionKind::Stop
                | OccasionKind::BeforeCompaction
                | OccasionKind::SessionEnd
        );
        if wakes && kept.is_ok() {
            // If it cannot be begun, the next hook tries again; the agent is given its context all the same.
            if let Err(error) = work::begin(&self.global, &loaded) {
                trouble::note(&loaded.home.folder, "beginning to work", &error);
            }
        }
        if hooks::takes_context(agent, call.occasion.kind()) == TakesContext::Yes {
            give::give(&loaded, &call, answers)?;
        }
        kept.map(drop).map_err(Into::into)
    }

    /// What the agent says; none if it is an event of which we know nothing.
    fn call(&self, agent: Agent) -> Result<Option<Call>, Box<dyn std::error::Error>> {
        let mut input = Vec::new();
        std::io::stdin().lock().take(hooks::INPUT_BYTES_MAX as u64 + 1).read_to_end(&mut input)?;
        let folder = std::env::current_dir()?;
        let project = std::env::var_os("CLAUDE_PROJECT_DIR").map(std::path::PathBuf::from);
        let received = Received {
            agent,
            event: &self.event,
            input: &input,
            project: project.as_deref(),
            folder: &folder,
            at: Timestamp::now(),
        };
        match hooks::read(&received) {
            Ok(call) => Ok(Some(call)),
            // What we know nothing of, and what another agent runs on behalf of this one and tells us itself.
            Err(hooks::HookError::UnknownEvent { .. } | hooks::HookError::OtherAgent { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn loaded(&self) -> Result<Loaded, CliError> {
        loaded(&self.global)
    }
}

/// What a person should know about the hooks; nothing where no agent ever ran one.
pub(crate) fn check(home: &Path) -> Option<Check> {
    let inbox = inbox::at(home);
    if !home.join(inbox::FOLDER).is_dir() {
        return None;
    }
    let (waiting, aside) = (inbox.len().unwrap_or(0), inbox.aside_len().unwrap_or(0));
    let latest = trouble::latest(home);
    let (verdict, remedy) = match (&latest, aside) {
        (None, 0) => (Verdict::Ok, None),
        _ => (
            Verdict::Warning,
            Some("agents were not held up; look at logs/hooks.log and hooks/inbox/aside".to_owned()),
        ),
    };
    let mut detail = format!("{waiting} calls wait");
    if aside > 0 {
        detail.push_str(&format!(", {aside} could not be worked off"));
    }
    if let Some(latest) = latest {
        detail.push_str(&format!("; last trouble: {latest}"));
    }
    Some(Check { name: "hooks", verdict, detail, remedy })
}

/// The settings, without a word to anybody.
fn loaded(global: &Global) -> Result<Loaded, CliError> {
    let home = home::find(global.home.as_ref())?;
    let namespace = match &global.namespace[..] {
        [perihelion::Scope::Exact(namespace)] => Some(namespace.to_string()),
        _ => None,
    };
    Ok(config::load(home, global.config.as_deref(), namespace)?)
}
