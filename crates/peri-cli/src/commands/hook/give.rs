//! What an agent is given: within the time it has, and once.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use peri_agents::hooks::{self, Call, Occasion, Start};
use perihelion::{Awaited, Chores, ContextRequest, Deadlines, Moment, Perihelion};

use super::{Answer, inbox, offers};
use crate::config::Loaded;

/// Nobody else is given the same for so long, in case this process is ended before it can say what became of it.
const LEASE: Duration = Duration::from_secs(30);

/// Others are waited for no longer than this: whoever writes, a database server, a server that embeds.
const PATIENCE: Duration = Duration::from_millis(100);

/// Gives the agent what it should know, and notes that it has it once it was printed.
pub(super) fn give(
    loaded: &Loaded,
    call: &Call,
    answers: &SyncSender<Answer>,
) -> Result<(), Box<dyn std::error::Error>> {
    let Some(request) = request(loaded, call)? else { return Ok(()) };
    let mut options = loaded.config.options(&loaded.home.folder);
    options.chores = Chores::ByHand;
    options.busy_timeout = PATIENCE;
    options.notes.lock_wait = PATIENCE;
    options.deadlines = Deadlines { read: PATIENCE, write: PATIENCE };
    options.deadlines.begin(Awaited::Answer);
    let engine = Perihelion::open(options)?;
    let context = engine.context(&request)?;
    let text = hooks::answer(call.agent, &call.occasion, &context.text);
    let (printed, is_printed) = sync_channel(0);
    answers.send(Answer { text, printed: Some(printed) })?;
    // Nobody says so if it came too late; then it is given again.
    if is_printed.recv().is_ok() {
        if let (Occasion::Prompt { text }, Some(transcript)) = (&call.occasion, &call.transcript) {
            offers::keep(&loaded.home.folder.join(inbox::FOLDER), transcript, text, &context)?;
        }
        engine.confirm_context(&request.namespace, &call.session, &context)?;
    }
    engine.leave();
    Ok(())
}

/// What the agent is to be given on this occasion; none if nothing.
fn request(loaded: &Loaded, call: &Call) -> Result<Option<ContextRequest>, String> {
    let namespace = inbox::namespace_of(loaded, call)?;
    let mut request = ContextRequest::new(namespace).in_session(&call.session).once(LEASE);
    request.occasion = Some(format!("{} {}", call.agent, call.at));
    request.chars_max = Some(hooks::CONTEXT_CHARS_MAX);
    let request = match &call.occasion {
        Occasion::SessionStart { reason: Start::New | Start::Cleared } => request.at(Moment::Start),
        Occasion::SessionStart { reason: Start::Compacted } => request.at(Moment::Compacted),
        Occasion::SessionStart { reason: Start::Resumed } => request.at(Moment::Resumed),
        Occasion::Prompt { text } => {
            let query: String = text.chars().take(QUERY_CHARS_MAX).collect();
            request.at(Moment::Prompt).about(query)
        }
        Occasion::Stop { .. } | Occasion::BeforeCompaction | Occasion::SessionEnd => return Ok(None),
    };
    Ok(Some(request))
}

/// Of a prompt so much is asked for: what follows is mostly logs and code.
const QUERY_CHARS_MAX: usize = 2_000;
