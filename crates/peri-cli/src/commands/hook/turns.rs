//! What agents did, recorded turn by turn.
//!
//! How a turn ended shows in what the user says next, so a turn is recorded once there is a next prompt, or once its
//! session is over. Until then nothing of it is kept but where it begins in the agent's own record: whoever is killed in
//! between has lost nothing, and a turn that is read again has the same id and is recorded once.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use peri_agents::Agent;
use peri_agents::hooks::Call;
use peri_agents::hooks::transcript::{self, Deed, DeedResult, Limits, Reading, Rest, TranscriptError, Turn};
use perihelion::{
    AgentTurn, Delegated, Error, ErrorKind, Namespace, Perihelion, Timestamp, TrajectoryStep, TurnEnd,
};
use serde::{Deserialize, Serialize};

use super::{offers, positions, trouble};

/// A session that told nothing for so long is over, whether or not its agent said so.
const SILENCE: SignedDuration = SignedDuration::from_hours(24);

/// What the file about the turns of a transcript ends with.
const EXTENSION: &str = "turns";

/// Whether the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    GoesOn,
    Over,
}

/// How far the turns of a transcript were recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Progress {
    agent: Agent,
    path: PathBuf,
    session: String,
    namespace: Namespace,
    folder: PathBuf,
    /// Where the first turn begins that was not recorded.
    from: u64,
    /// When the transcript was first met: the time of prompts whose record has none.
    began: Timestamp,
    /// When the session last told something.
    seen: Timestamp,
    stage: Stage,
}

/// What turns are recorded with.
pub(super) struct Recorder<'a> {
    pub(super) engine: &'a Perihelion,
    /// Where hooks keep what they have to know.
    pub(super) inbox: &'a Path,
    /// The data folder.
    pub(super) home: &'a Path,
    pub(super) limits: Limits,
}

impl Recorder<'_> {
    /// Records the turns of a session that are over; with the session, its last one too.
    pub(super) fn record(
        &self,
        call: &Call,
        (namespace, path): (&Namespace, &Path),
        stage: Stage,
    ) -> Result<(), Error> {
        let known = of(self.inbox, path);
        self.advance(Progress {
            agent: call.agent,
            path: path.to_owned(),
            session: call.session.clone(),
            namespace: namespace.clone(),
            folder: call.folder.clone(),
            from: known.as_ref().map_or(0, |known| known.from),
            began: known.map_or(call.at, |known| known.began),
            seen: call.at,
            stage,
        })
    }

    /// Records the last turns of sessions that nobody ended.
    pub(super) fn record_silent(&self, now: Timestamp) -> Result<(), Error> {
        for progress in open_ones(self.inbox) {
            if now.duration_since(progress.seen) >= SILENCE {
                self.advance(Progress { stage: Stage::Over, ..progress })?;
            }
        }
        Ok(())
    }

    fn advance(&self, mut progress: Progress) -> Result<(), Error> {
        // When it began is part of ids, and has to be on the disk before the first one is.
        self.keep(&progress)?;
        let offers = offers::of(self.inbox, &progress.path);
        loop {
            let (agent, path, from, at) = (progress.agent, &progress.path, progress.from, progress.began);
            let read = match transcript::turns(&Reading { agent, path, from, at, limits: self.limits }) {
                Ok(read) => read,
                Err(TranscriptError::UnknownForm { .. } | TranscriptError::Missing { .. }) => return Ok(()),
                Err(error @ TranscriptError::Disk { .. }) => {
                    let source = std::io::Error::other(error.to_string());
                    return Err(Error::Folder { path: progress.path, source });
                }
            };
            let ends_here = read.rest == Rest::None && progress.stage == Stage::Over;
            let nexts = read.turns.iter().skip(1).map(Some).chain([None]);
            for (turn, next) in read.turns.iter().zip(nexts) {
                if next.is_some() || ends_here {
                    let offered = offers.with(&turn.prompt);
                    let next = next.map(|next| next.prompt.clone());
                    self.record_turn(AgentTurn { offered, next, ..told(&progress, turn) })?;
                }
            }
            let open = read.turns.last().filter(|_| !ends_here).map(|turn| turn.offset);
            progress.from = open.unwrap_or(read.next);
            self.keep(&progress)?;
            if read.rest == Rest::None {
                break;
            }
        }
        if progress.stage == Stage::Over
            && let Err(error) = offers::clear(self.inbox, &progress.path)
        {
            tracing::warn!(%error, "what was offered in a session that is over stays");
        }
        Ok(())
    }

    /// Records a turn. One that can never be recorded is noted and passed over.
    fn record_turn(&self, turn: AgentTurn) -> Result<(), Error> {
        match self.engine.record_agent_turn(turn) {
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                trouble::note(self.home, "a turn was not recorded", &error);
                Ok(())
            }
            outcome => outcome.map(drop),
        }
    }

    fn keep(&self, progress: &Progress) -> Result<(), Error> {
        keep(self.inbox, progress).map_err(|source| Error::Folder { path: self.inbox.to_owned(), source })
    }
}

/// A turn as the engine is told of it.
fn told(progress: &Progress, turn: &Turn) -> AgentTurn {
    // Without times of their own, prompts are told apart by where they stand; a line has more than a hundred bytes.
    let place =
        SignedDuration::from_micros(i64::try_from(turn.offset.saturating_mul(10)).unwrap_or(i64::MAX));
    let made_up = progress.began.checked_add(place).unwrap_or(progress.began);
    let step = |deed: &Deed| step(&progress.folder, deed);
    let delegated = turn.deeds.iter().enumerate().filter_map(|(number, deed)| {
        let delegation = deed.delegation.clone()?;
        let key = (turn.left_out + number).to_string();
        Some(Delegated { key, agent: delegation.agent, task: delegation.task, step: step(deed) })
    });
    AgentTurn {
        namespace: progress.namespace.clone(),
        session: progress.session.clone(),
        key: turn.id.clone().unwrap_or_else(|| format!("at {}", turn.offset)),
        task: turn.prompt.clone(),
        at: turn.at.unwrap_or(made_up),
        ended_at: turn.ended_at,
        steps: turn.deeds.iter().map(step).collect(),
        end: match turn.end {
            transcript::TurnEnd::Finished => TurnEnd::Finished,
            transcript::TurnEnd::Interrupted => TurnEnd::Interrupted,
            transcript::TurnEnd::Failed => TurnEnd::Failed,
        },
        next: None,
        offered: Vec::new(),
        delegated: delegated.collect(),
    }
}

/// A deed as a step; paths in the agent's folder are told from there.
fn step(folder: &Path, deed: &Deed) -> TrajectoryStep {
    let folder = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
    TrajectoryStep {
        input: if folder.len() > 1 { deed.text().replace(&folder, "") } else { deed.text() },
        output: deed.output.clone(),
        duration_ms: deed.duration_ms.unwrap_or(0),
        confidence: if deed.result == DeedResult::Failed { 0.0 } else { 1.0 },
    }
}

/// How far a transcript's turns were recorded; none if that is not known.
fn of(inbox: &Path, transcript: &Path) -> Option<Progress> {
    read(&file(inbox, transcript)).filter(|known| known.path == transcript)
}

fn read(file: &Path) -> Option<Progress> {
    serde_json::from_slice(&peri_private::read(file).ok()?).ok()
}

/// Every session that goes on as far as anybody knows.
fn open_ones(inbox: &Path) -> Vec<Progress> {
    let folder = file(inbox, Path::new("")).parent().map(Path::to_owned);
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let of_turns = paths.filter(|path| path.extension().is_some_and(|own| own == EXTENSION));
    of_turns.filter_map(|path| read(&path)).filter(|known| known.stage == Stage::GoesOn).collect()
}

fn keep(inbox: &Path, progress: &Progress) -> std::io::Result<()> {
    let target = file(inbox, &progress.path);
    if let Some(folder) = target.parent() {
        peri_private::create_folder(folder)?;
    }
    let beside = target.with_extension("turns-new");
    let mut written = peri_private::create(&beside)?;
    written.write_all(&serde_json::to_vec(progress)?)?;
    written.sync_all()?;
    std::fs::rename(beside, target)
}

fn file(inbox: &Path, transcript: &Path) -> PathBuf {
    positions::file(inbox, transcript).with_extension(EXTENSION)
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
