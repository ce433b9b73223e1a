//! A store in use: memories with links, questions that were judged, tasks that were done, a vault and a workspace.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use jiff::SignedDuration;
use peri_vault::Vault;
use peri_workers::{WorkerManager, WorkersSettings};
use perihelion::{Chores, Clock, MemoryId, Namespace, Options, Perihelion, Recall, Scope, Timestamp};
use tempfile::TempDir;

use super::food::Food;
use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::questions;

const BATCH: usize = 500;
const QUESTIONS: usize = 500;
const LIMIT: usize = 10;

/// The memories come in over so many days: what was said in conversations is kept for thirty.
const DAYS: i64 = 20;

/// What there is beside memories.
const TRAJECTORIES: usize = 1000;
const TURNS: usize = 200;
const JUDGED: usize = 200;

/// A store in use, and what is asked of it.
pub(super) struct Store {
    pub(super) engine: Arc<Perihelion>,
    pub(super) asked: Vec<Recall>,
    /// A copy that may be changed.
    pub(super) workspace: Option<PathBuf>,
    ids: Vec<MemoryId>,
    vault: Arc<Vault>,
    _folder: TempDir,
}

impl Store {
    /// Fills a store, and says what fills it further.
    pub(super) fn fill(memories: usize, workspace: &Path) -> Outcome<(Self, Food)> {
        let folder = tempfile::tempdir()?;
        let clock = Clock::manual("2026-01-01T00:00:00Z".parse::<Timestamp>()?);
        let data = folder.path().join("data");
        let options = Options { chores: Chores::ByHand, clock: clock.clone(), ..Options::at(&data) };
        let engine = Arc::new(Perihelion::open(options)?);
        let mut corpus = Corpus::new(7);
        let mut ids = Vec::with_capacity(memories);
        while ids.len() < memories {
            let count = BATCH.min(memories - ids.len());
            ids.extend(engine.remember_all(corpus.take(count))?.into_iter().map(|receipt| receipt.id));
            clock.advance(SignedDuration::from_hours(
                DAYS * 24 * i64::try_from(count)? / i64::try_from(memories)?,
            ));
        }
        let asked = questions::ask(&mut corpus, QUESTIONS);
        let asked = asked.iter().map(|text| Recall::new(text).limit(LIMIT)).collect();
        let vault = Arc::new(Vault::new(data.join("vault"), Namespace::default()));
        vault.create()?;
        let workspace = copy(workspace, &folder.path().join("workspace"))?;
        let store = Self { engine, asked, workspace: workspace.clone(), ids, vault, _folder: folder };
        let mut food = Food::new(corpus, clock, workspace);
        food.trajectories(&store, TRAJECTORIES)?;
        food.turns(&store, TURNS)?;
        store.engine.maintain()?;
        food.judgements(&store, JUDGED)?;
        store.engine.maintain()?;
        Ok((store, food))
    }

    pub(super) fn manager(&self, settings: WorkersSettings) -> WorkerManager {
        WorkerManager::new(Arc::clone(&self.engine), Some(Arc::clone(&self.vault)), settings)
    }

    /// What is in it, in words.
    pub(super) fn describe(&self) -> Outcome<String> {
        let memories = self.engine.stats(&Scope::All)?.memories;
        let mut links = 0;
        for id in &self.ids {
            // Each is met from both of its ends.
            let of = self.engine.edges(&Scope::All, *id)?;
            links += of.iter().filter(|edge| edge.source == *id).count();
        }
        let workspace = if self.workspace.is_some() { "a copy of the workspace" } else { "no workspace" };
        Ok(format!(
            "{memories} memories, {links} links, {TRAJECTORIES} trajectories, {TURNS} turns, {JUDGED} judged questions, {workspace}",
        ))
    }
}

/// Copies a checkout with its history; none if it is not one.
fn copy(workspace: &Path, to: &Path) -> Outcome<Option<PathBuf>> {
    if !workspace.join(".git").exists() {
        return Ok(None);
    }
    let done = Command::new("git").args(["clone", "--quiet", "--local"]).arg(workspace).arg(to).status()?;
    if done.success() {
        Ok(Some(to.to_owned()))
    } else {
        Err("the workspace cannot be copied with git".into())
    }
}
