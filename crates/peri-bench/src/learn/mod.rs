//! `peri-bench learn`: what an adapter of queries learns from feedback, and what it does to questions it has not seen.
//!
//! Each conversation's questions are split in two halves, every other one. Feedback on one half teaches an adapter; the
//! other half, and other conversations, show what it is worth. Both halves take both parts.

mod alternatives;
mod chance;
mod feedback;
mod figures;
mod jargon;
mod speed;
mod tasks;
mod world;

use std::path::PathBuf;

use peri_learn::adapt::Mode;

use crate::Outcome;
use feedback::{Learned, hear, learn_anew};
use figures::{Figures, changes, heading, measure, print, print_changes};
use world::{Asked, Talk, World};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// A folder of conversations.
    #[arg(long)]
    data: PathBuf,
    /// How to learn: real-time, balanced, research or edge; all of them if left out.
    #[arg(long)]
    mode: Option<Mode>,
    /// Conversations that settings were chosen on, which are not reported.
    #[arg(long, value_delimiter = ',', default_value = "conv-26,conv-30")]
    chosen_on: Vec<String>,
    /// Report those instead, for choosing settings.
    #[arg(long)]
    choosing: bool,
    /// Measure re-ranking by attention and by hyperbolic distance instead.
    #[arg(long)]
    alternatives: bool,
}

impl Plan {
    fn reports(&self, talk: &Talk) -> bool {
        self.chosen_on.contains(&talk.name) == self.choosing
    }
}

/// How often feedback is wrong in the noisy runs.
const WRONG: f64 = 0.1;

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    speed::run()?;
    let world = World::open(&plan.data)?;
    let talks: Vec<&Talk> = world.talks.iter().filter(|talk| plan.reports(talk)).collect();
    let names: Vec<&str> = talks.iter().map(|talk| talk.name.as_str()).collect();
    println!("reported: {}", names.join(", "));
    if plan.alternatives {
        return alternatives::run(&world, plan);
    }
    let modes = plan.mode.map_or_else(|| Mode::ALL.to_vec(), |mode| vec![mode]);
    for (at, mode) in modes.iter().enumerate() {
        own_and_others(&world, &talks, *mode, 0.0)?;
        if *mode == Mode::Balanced || at + 1 == modes.len() {
            own_and_others(&world, &talks, *mode, WRONG)?;
        }
    }
    let mode = plan.mode.unwrap_or_default();
    jargon::run(&world, &talks, mode)?;
    tasks::run(&world, &talks, mode)
}

/// The questions to learn from and the questions to be measured on.
fn halves(questions: &[Asked], first: usize) -> (Vec<Asked>, Vec<Asked>) {
    let half = |from: usize| questions.iter().skip(from).step_by(2).cloned().collect();
    (half(first), half(1 - first))
}

fn own_and_others(world: &World, talks: &[&Talk], mode: Mode, wrong: f64) -> Outcome<()> {
    let mut tally = Tally::default();
    for talk in talks {
        for first in [0, 1] {
            let (taught, unseen) = halves(&talk.questions, first);
            let learned = learn_anew(world, talk, &hear(world, talk, &taught, wrong)?, mode)?;
            tally.add(world, talk, &unseen, learned.as_ref())?;
            let Some(learned) = learned else { continue };
            for other in talks.iter().filter(|other| other.name != talk.name) {
                let (unseen, _) = halves(&other.questions, first);
                let before = measure(world, other, &unseen, None)?;
                let after = measure(world, other, &unseen, Some(&learned.lesson.adapter))?;
                tally.others.extend(changes(&before, &after));
            }
        }
    }
    heading(&format!("{mode}, {:.0} % of the feedback wrong", 100.0 * wrong));
    tally.report();
    print_changes("change, other conversations", &tally.others);
    Ok(())
}

/// The gates, in the order of [`Learned::taken`].
const GATES: [&str; 3] = ["gate by meaning", "gate by meaning, whole no worse", "gate by the whole recall"];

/// What is summed over conversations and halves.
#[derive(Default)]
struct Tally {
    before: Vec<Figures>,
    after: Vec<Figures>,
    /// With the adapter only where each gate takes it.
    gated: [Vec<Figures>; 3],
    taken: [usize; 3],
    rounds: usize,
    others: Vec<Figures>,
}

impl Tally {
    fn add(
        &mut self,
        world: &World,
        talk: &Talk,
        unseen: &[Asked],
        learned: Option<&Learned>,
    ) -> Outcome<()> {
        let before = measure(world, talk, unseen, None)?;
        let after = match learned {
            Some(learned) => measure(world, talk, unseen, Some(&learned.lesson.adapter))?,
            None => before.clone(),
        };
        let taken = learned.map_or([false; 3], |learned| learned.taken);
        for (gate, is_taken) in taken.into_iter().enumerate() {
            self.taken[gate] += usize::from(is_taken);
            self.gated[gate].extend(if is_taken { &after } else { &before });
        }
        self.rounds += 1;
        self.before.extend(before);
        self.after.extend(after);
        Ok(())
    }

    fn report(&self) {
        print("before", &self.before);
        print("after", &self.after);
        print_changes("change, unseen half", &changes(&self.before, &self.after));
        for ((name, gated), taken) in GATES.into_iter().zip(&self.gated).zip(self.taken) {
            let name = format!("{name} ({taken}/{})", self.rounds);
            print_changes(&name, &changes(&self.before, gated));
        }
    }
}
