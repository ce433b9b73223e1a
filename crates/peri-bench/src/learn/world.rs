//! Conversations in an engine whose query vectors can be adapted.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use peri_learn::adapt::Adapter;
use peri_store::{SqliteSettings, SqliteStore};
use perihelion::embed::{EmbedError, Engine, Reading, StaticEngine};
use perihelion::{Chores, MemoryId, Namespace, Options, Perihelion, Recall, Scope, SpaceId};
use tempfile::TempDir;

use crate::Outcome;
use crate::conversations;

/// How many results are shown.
pub(super) const SHOWN: usize = 10;

/// The bundled engine, with an adapter for whatever is embedded alone, as questions are.
struct Lens {
    inner: StaticEngine,
    adapter: RwLock<Option<Adapter>>,
    /// The last lone text's vector, before it was adapted.
    plain: RwLock<Option<Vec<f32>>>,
}

impl Engine for Lens {
    fn space(&self) -> &SpaceId {
        self.inner.space()
    }

    fn reading(&self) -> Reading {
        self.inner.reading()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let mut vectors = self.inner.embed(texts)?;
        if let [vector] = &mut vectors[..] {
            self.plain.write().unwrap_or_else(PoisonError::into_inner).clone_from(vector);
            let adapter = self.adapter.read().unwrap_or_else(PoisonError::into_inner);
            if let (Some(adapter), Some(vector)) = (&*adapter, vector) {
                adapter.adapt(vector);
            }
        }
        Ok(vectors)
    }
}

/// A conversation with the vectors of its memories and questions.
pub(super) struct Talk {
    pub(super) name: String,
    pub(super) namespace: Namespace,
    pub(super) memories: Vec<Vec<f32>>,
    places: HashMap<MemoryId, usize>,
    pub(super) questions: Vec<Asked>,
}

/// A question that has a vector, and which memories answer it.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) text: String,
    pub(super) vector: Vec<f32>,
    pub(super) gold: Vec<usize>,
}

/// The engine and its conversations.
pub(super) struct World {
    pub(super) engine: Perihelion,
    lens: Arc<Lens>,
    pub(super) talks: Vec<Talk>,
    _folder: TempDir,
}

impl World {
    /// Tells an engine all conversations, and opens it again behind a lens.
    pub(super) fn open(data: &Path) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
        let plain = Perihelion::open(options.clone())?;
        let folders = conversations::folders(data)?;
        let told: Vec<_> =
            folders.iter().map(|folder| conversations::tell(&plain, folder, &[])).collect::<Outcome<_>>()?;
        plain.maintain()?;
        drop(plain);
        let lens =
            Lens { inner: StaticEngine::bundled()?, adapter: RwLock::new(None), plain: RwLock::new(None) };
        let lens = Arc::new(lens);
        let settings = SqliteSettings { busy_timeout: options.busy_timeout, ..SqliteSettings::default() };
        let store = Arc::new(SqliteStore::open(&folder.path().join(Perihelion::DATABASE), &settings)?);
        let engine = Perihelion::with_engine(options, store, Some(Arc::clone(&lens) as Arc<dyn Engine>))?;
        let mut world = Self { engine, lens, talks: Vec::new(), _folder: folder };
        for (folder, told) in folders.iter().zip(told) {
            let talk = world.talk(folder, told)?;
            world.talks.push(talk);
        }
        Ok(world)
    }

    fn talk(&self, folder: &Path, told: conversations::Conversation) -> Outcome<Talk> {
        let script = conversations::read(folder)?;
        let texts: Vec<&str> = script.turns.iter().map(|turn| turn.text.as_str()).collect();
        let vectors = self.lens.inner.embed(&texts)?;
        let (mut memories, mut places) = (Vec::new(), HashMap::new());
        for (turn, vector) in script.turns.iter().zip(vectors) {
            let id = told.memories[&turn.id];
            if let (Some(vector), false) = (vector, places.contains_key(&id)) {
                places.insert(id, memories.len());
                memories.push(vector);
            }
        }
        let mut talk =
            Talk { name: told.name, namespace: told.namespace, memories, places, questions: Vec::new() };
        for question in told.questions {
            let gold = question.gold.iter().filter_map(|id| told.memories.get(id));
            let gold = gold.filter_map(|id| talk.places.get(id)).copied().collect();
            let asked = self.asked(&talk, question.text, gold)?;
            talk.questions.extend(asked);
        }
        Ok(talk)
    }

    /// A question as the engine reads it; `None` if it has no vector or no answer.
    pub(super) fn asked(&self, talk: &Talk, text: String, mut gold: Vec<usize>) -> Outcome<Option<Asked>> {
        gold.sort_unstable();
        gold.dedup();
        self.ask(talk, &text)?;
        let vector = self.lens.plain.read().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(vector.filter(|_| !gold.is_empty()).map(|vector| Asked { text, vector, gold }))
    }

    /// What the whole recall finds, the best first, with the adapter that is in use.
    pub(super) fn ask(&self, talk: &Talk, text: &str) -> Outcome<Vec<usize>> {
        let found = self.engine.search(&talk.request(text))?;
        Ok(found.hits.iter().filter_map(|hit| talk.place(hit.memory.id)).collect())
    }

    /// Looks through an adapter from now on, or through none.
    pub(super) fn wear(&self, adapter: Option<&Adapter>) {
        *self.lens.adapter.write().unwrap_or_else(PoisonError::into_inner) = adapter.cloned();
    }

    pub(super) fn space(&self) -> &SpaceId {
        self.lens.inner.space()
    }
}

impl Talk {
    pub(super) fn request(&self, text: &str) -> Recall {
        Recall::new(text).in_scope(Scope::Exact(self.namespace.clone())).limit(SHOWN)
    }

    /// Where a memory's vector is.
    pub(super) fn place(&self, id: MemoryId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// The memories by meaning alone, the best first.
    pub(super) fn nearest(&self, query: &[f32]) -> Vec<usize> {
        let cosines: Vec<f32> = self.memories.iter().map(|memory| dot(memory, query)).collect();
        order(&cosines)
    }
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Places in the order of their scores, the largest first.
pub(super) fn order(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}
