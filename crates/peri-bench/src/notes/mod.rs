//! `peri-bench notes`: what notes of conversations bring to recall, and how well the rules note what was labelled.
//!
//! Every conversation is heard as an agent's sessions are, three times over: its turns become memories, its notes do, or
//! both do. The same questions are asked each time, and what is found counts as the turns it was made from.

mod answer;
mod heard;
mod labelled;
mod table;

use std::path::PathBuf;

use clap::ValueEnum;
use perihelion::EngineChoice;

use crate::conversations;
use crate::{EngineArguments, Outcome};
use answer::{Answer, as_one};
use heard::{Heard, Keeping};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// A folder of conversations, or a single one.
    #[arg(long, required_unless_present = "labelled")]
    data: Option<PathBuf>,
    /// At most so many of the conversations.
    #[arg(long)]
    limit: Option<usize>,
    /// Who the speakers of a conversation are to the engine.
    #[arg(long, value_enum, default_value_t = Roles::Pair)]
    roles: Roles,
    /// How well the rules note what is labelled in this file, instead.
    #[arg(long, num_args = 0..=1, default_missing_value = labelled::HELD_OUT, conflicts_with = "data")]
    labelled: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Who the speakers of a conversation are to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Roles {
    /// The first one is the user, everybody else the assistant.
    Pair,
    /// Everybody is the user.
    Users,
}

/// One way to keep conversations, and what came of it.
pub(crate) struct Kept {
    keeping: Keeping,
    answers: Vec<Answer>,
    memories: usize,
    notes: usize,
    turns: usize,
}

/// Measures what the plan asks for.
pub(crate) fn run(plan: Plan) -> Outcome<()> {
    if let Some(file) = &plan.labelled {
        return labelled::run(file);
    }
    let data = plan.data.ok_or("there is no folder of conversations")?;
    let mut folders = conversations::folders(&data)?;
    folders.truncate(plan.limit.unwrap_or(usize::MAX));
    let engine = plan.engine.choice();
    println!("{}, {} conversations\n", data.display(), folders.len());
    let kept = Keeping::ALL
        .into_iter()
        .map(|keeping| keep(keeping, &folders, plan.roles, &engine))
        .collect::<Outcome<Vec<_>>>()?;
    table::print(&kept);
    Ok(())
}

/// Hears all conversations and asks their questions.
fn keep(keeping: Keeping, folders: &[PathBuf], roles: Roles, engine: &EngineChoice) -> Outcome<Kept> {
    let mut kept = Kept { keeping, answers: Vec::new(), memories: 0, notes: 0, turns: 0 };
    for folder in folders {
        let heard = Heard::hear(conversations::read(folder)?, keeping, roles, engine.clone())?;
        kept.turns += heard.turns();
        kept.notes += heard.notes();
        kept.memories += heard.memories()?;
        kept.answers.extend(heard.ask()?);
    }
    Ok(kept)
}

impl Kept {
    /// The answers if a memory that says nothing but what those before it say is passed over.
    fn as_one(&self) -> Vec<Answer> {
        let one = |answer: &Answer| Answer { found: as_one(&answer.found), ..answer.clone() };
        self.answers.iter().map(one).collect()
    }
}
