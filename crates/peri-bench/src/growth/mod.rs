//! `peri-bench growth`: what each thing costs as one namespace grows, and by which factor from size to size.
//!
//! One store grows from the first size to the last. At each size a process of its own fills it, some start and recall
//! once, and one recalls at length. Beside the time on the wall stands the time on processors, which says something on
//! a machine that others use too.

mod fill;
mod read;
mod spent;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use perihelion::{Chores, Options, Recall};
use serde_json::json;

use crate::Outcome;
use crate::speed::figures::{self, Figures};
use crate::speed::machine;

/// The memories that come one by one at the end of each size must fit into what it adds.
const ADDED_MIN: usize = 500;
/// So many processes start and recall once.
const STARTS: usize = 3;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Numbers of memories, ascending.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
    sizes: Vec<usize>,
    /// Distinct questions.
    #[arg(long, default_value_t = 200)]
    queries: usize,
    /// Up to this size the chores look for the links of every memory that came in a batch; beyond it they do not, since
    /// that takes long. Memories that come one by one are always linked.
    #[arg(long, default_value_t = 100_000)]
    links_up_to: usize,
    /// Where to leave the store; otherwise it is deleted.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Also write the figures to this file, after every size.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// One stage of one size, measured in this process.
#[derive(clap::Args, Clone)]
pub(crate) struct One {
    #[arg(long, value_enum)]
    stage: Stage,
    /// How many memories there are already.
    #[arg(long)]
    before: usize,
    #[arg(long)]
    size: usize,
    #[arg(long)]
    queries: usize,
    #[arg(long)]
    links_up_to: usize,
    #[arg(long)]
    folder: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// Grow to the size.
    Fill,
    /// Open and recall once.
    Start,
    /// Recall at length.
    Read,
}

/// Measures every size and prints the table.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let mut before = 0;
    for size in &plan.sizes {
        if *size < before + ADDED_MIN {
            return Err(format!("{size} memories after {before}: each size adds at least {ADDED_MIN}").into());
        }
        before = *size;
    }
    let machine = machine::describe();
    println!("{machine}\n");
    let temporary = tempfile::tempdir()?;
    let folder = plan.keep.clone().unwrap_or_else(|| temporary.path().join("store"));
    if folder.exists() {
        return Err(format!("{} is in the way", folder.display()).into());
    }
    let (mut sizes, mut before) = (Vec::new(), 0);
    for size in &plan.sizes {
        sizes.push((*size, measure_size(plan, before, *size, &folder)?));
        eprintln!("{size} memories measured");
        before = *size;
        if let Some(file) = &plan.json {
            let rows = sizes.iter().map(|(size, figures)| json!({"memories": size, "figures": figures}));
            let rows: Vec<_> = rows.collect();
            let document = json!({
                "machine": machine, "queries": plan.queries, "links_up_to": plan.links_up_to, "sizes": rows,
            });
            fs::write(file, serde_json::to_string_pretty(&document)?)?;
        }
    }
    table::print(&sizes);
    Ok(())
}

fn measure_size(plan: &Plan, before: usize, size: usize, folder: &Path) -> Outcome<Figures> {
    let (queries, links_up_to, folder) = (plan.queries, plan.links_up_to, folder.to_path_buf());
    let one = One { stage: Stage::Fill, before, size, queries, links_up_to, folder };
    let mut figures = child(&one, "fill")?;
    let starts = (0..STARTS).map(|_| child(&one, "start")).collect::<Outcome<Vec<_>>>()?;
    figures.extend(middle(&starts));
    figures.extend(child(&one, "read")?);
    Ok(figures)
}

/// The middle value of each figure.
fn middle(rounds: &[Figures]) -> Figures {
    let names = rounds.first().into_iter().flat_map(|first| first.keys());
    let of = |name: &String| {
        let mut values: Vec<f64> = rounds.iter().filter_map(|round| round.get(name).copied()).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).map(|value| (name.clone(), *value))
    };
    names.filter_map(of).collect()
}

fn child(one: &One, stage: &str) -> Outcome<Figures> {
    figures::from_child(one.arguments(stage), &format!("{} memories, {stage}", one.size))
}

/// Measures one stage and prints its figures as JSON.
pub(crate) fn run_one(one: &One) -> Outcome<()> {
    let figures = match one.stage {
        Stage::Fill => fill::measure(one)?,
        Stage::Start => read::start(one)?,
        Stage::Read => read::measure(one)?,
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

impl One {
    /// Chores are done when the measurement says so, not beside it.
    fn options(&self) -> Options {
        Options { chores: Chores::ByHand, ..Options::at(&self.folder) }
    }

    /// The options to fill with: without looking for links where that would take too long.
    fn filling(&self) -> Options {
        let mut options = self.options();
        if self.size > self.links_up_to {
            options.graph.auto_link = false;
            options.consolidation.merge = false;
            options.consolidation.supersede = false;
        }
        options
    }

    fn questions(&self) -> PathBuf {
        self.folder.join("questions.json")
    }

    fn recalls(&self) -> Outcome<Vec<Recall>> {
        let questions: Vec<String> = serde_json::from_str(&fs::read_to_string(self.questions())?)?;
        Ok(questions.iter().map(|text| Recall::new(text).limit(10)).collect())
    }

    fn arguments(&self, stage: &str) -> Vec<String> {
        let mut arguments = vec!["growth-one".to_owned(), "--stage".to_owned(), stage.to_owned()];
        for (name, value) in [
            ("--before", self.before),
            ("--size", self.size),
            ("--queries", self.queries),
            ("--links-up-to", self.links_up_to),
        ] {
            arguments.extend([name.to_owned(), value.to_string()]);
        }
        arguments.extend(["--folder".to_owned(), self.folder.to_string_lossy().into_owned()]);
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_starts_the_middle_figures_count() {
        let round = |value: f64| Figures::from([("open_us".to_owned(), value)]);
        let rounds = [round(9.0), round(2.0), round(3.0)];
        assert_eq!(middle(&rounds), round(3.0));
        assert!(middle(&[]).is_empty());
    }
}
