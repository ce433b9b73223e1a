//! The labelled tasks, with their vectors.

use std::fs;
use std::path::Path;

use peri_embed::{Engine, StaticEngine};
use peri_learn::route::{Router, Task};
use peri_types::{SpaceId, TaskOutcome};
use serde::Deserialize;

use crate::Outcome;

/// One line of the set.
#[derive(Debug, Clone, Deserialize)]
struct Line {
    topic: String,
    split: String,
    language: String,
    agent: String,
    text: String,
}

/// A task and who should take it.
#[derive(Debug, Clone)]
pub(super) struct Labelled {
    pub topic: String,
    pub language: String,
    pub agent: String,
    pub text: String,
    vector: Option<Vec<f32>>,
}

/// The set in its parts, in the order of the files.
pub(super) struct Set {
    pub train: Vec<Labelled>,
    pub test: Vec<Labelled>,
    pub later: Vec<Labelled>,
    pub space: SpaceId,
}

impl Set {
    /// Reads `tasks.jsonl` and `later.jsonl` of a folder. Vectors are those of the bundled engine, where it has one.
    pub(super) fn read(folder: &Path, has_vectors: bool) -> Outcome<Self> {
        let engine = StaticEngine::bundled()?;
        let mut set =
            Self { train: Vec::new(), test: Vec::new(), later: Vec::new(), space: engine.space().clone() };
        for line in lines(&folder.join("tasks.jsonl"))?.into_iter().chain(lines(&folder.join("later.jsonl"))?)
        {
            let vector = if has_vectors { engine.embed(&[&line.text])?.pop().flatten() } else { None };
            let part = match line.split.as_str() {
                "train" => &mut set.train,
                "test" => &mut set.test,
                "later" => &mut set.later,
                other => return Err(format!("unknown split {other:?} in {}", folder.display()).into()),
            };
            let Line { topic, language, agent, text, .. } = line;
            part.push(Labelled { topic, language, agent, text, vector });
        }
        Ok(set)
    }

    pub(super) fn task<'a>(&'a self, of: &'a Labelled) -> Task<'a> {
        let task = Task::of(&of.text);
        of.vector.as_deref().map_or(task, |vector| task.with_vector(vector, &self.space))
    }

    /// Tells the router who was right.
    pub(super) fn teach(&self, router: &mut Router, of: &Labelled) -> Outcome<()> {
        Ok(router.learn(&self.task(of), &of.agent, TaskOutcome::Success)?)
    }
}

fn lines(path: &Path) -> Outcome<Vec<Line>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", path.display(), at + 1).into())
    });
    parsed.collect()
}
