//! A model that knows a few invented words, in a space of its own, and fails on demand.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use peri_store::{SqliteSettings, SqliteStore, Store};
use perihelion::embed::{EmbedError, Engine};
use perihelion::{Options, Pace, Perihelion, ReindexRequest, Reindexed, SpaceId};

use crate::support::options;

/// Words of one row mean the same to every model; nobody else knows them.
pub const CONCEPTS: [[&str; 2]; 4] =
    [["zorblat", "quimpex"], ["fendrilo", "maskora"], ["tulvane", "obrintho"], ["kestrupa", "wilmagon"]];

/// Puts each concept on an axis of its own, another one than other models do. Knows no Korean.
pub struct Model {
    space: SpaceId,
    shift: usize,
    /// Texts with this in them are refused; all of them if it is empty.
    refused: Mutex<Option<&'static str>>,
    asked: AtomicU64,
}

impl Model {
    pub fn new(name: &str, shift: usize) -> Arc<Self> {
        let space = SpaceId { model: name.to_owned(), dimensions: 8 };
        Arc::new(Self { space, shift, refused: Mutex::default(), asked: AtomicU64::new(0) })
    }

    pub fn refuse(&self, texts: &'static str) {
        *self.refused.lock().unwrap() = Some(texts);
    }

    pub fn mend(&self) {
        *self.refused.lock().unwrap() = None;
    }

    /// How many texts it was asked for since the last time.
    pub fn asked(&self) -> u64 {
        self.asked.swap(0, Ordering::Relaxed)
    }

    fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let concept = CONCEPTS.iter().position(|words| words.iter().any(|word| text.contains(word)))?;
        let mut values = vec![0.0; 8];
        values[(concept + self.shift) % CONCEPTS.len()] = 1.0;
        Some(values)
    }
}

impl Engine for Model {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        self.asked.fetch_add(texts.len() as u64, Ordering::Relaxed);
        if let Some(refused) = *self.refused.lock().unwrap()
            && texts.iter().any(|text| text.contains(refused))
        {
            return Err(EmbedError::NotFinite { model: self.space.model.clone() });
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

pub fn store(folder: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap())
}

/// An engine on a folder that brings a model along.
pub fn with(folder: &Path, model: &Arc<Model>) -> Perihelion {
    with_options(options(folder), model)
}

pub fn with_options(options: Options, model: &Arc<Model>) -> Perihelion {
    let store = store(&options.folder);
    Perihelion::with_engine(options, store, Some(model.clone())).unwrap()
}

/// Small batches, so that there is something between them.
pub fn request() -> ReindexRequest {
    ReindexRequest { batch: 8, ..ReindexRequest::default() }
}

pub fn reindex(engine: &Perihelion) -> Reindexed {
    engine.reindex(&request(), &mut |_| Pace::GoOn).unwrap()
}

/// The statement that a number stands for.
pub fn statement(number: usize) -> String {
    format!("{} number{number}x", CONCEPTS[number % 4][0])
}
