//! `peri-bench quality`: the fraction of gold memories among the first five and ten results.

use std::collections::BTreeMap;
use std::path::PathBuf;

use perihelion::{
    Address, Chores, EngineChoice, MemoryId, Options, Perihelion, Recall, RecallSettings, Scope,
    SearchSettings, ServerSettings, Stage, Stages, StoreChoice,
};

use crate::conversations::{self, Conversation};
use crate::{Blank, Outcome};

/// What to measure.
pub(crate) struct Plan {
    pub(crate) data: PathBuf,
    pub(crate) engine: EngineChoice,
    pub(crate) stages: bool,
    pub(crate) blank: Vec<Blank>,
    pub(crate) calibration: bool,
    pub(crate) foreign: bool,
    pub(crate) score_min: f32,
    pub(crate) store: Option<String>,
    pub(crate) search: Search,
}

/// Where namespaces are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    InMemory,
    InDatabase,
}

/// Recall summed over questions.
#[derive(Clone, Copy, Default)]
struct Tally {
    questions: usize,
    at_5: f64,
    at_10: f64,
    returned: usize,
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let recall = RecallSettings { score_min: plan.score_min, ..RecallSettings::default() };
    let in_database_from = if plan.search == Search::InDatabase { 0 } else { u64::MAX };
    let options = Options {
        engine: plan.engine.clone(),
        chores: Chores::ByHand,
        recall,
        search: SearchSettings { in_database_from },
        store: store_of(plan)?,
        ..Options::at(folder.path())
    };
    let engine = Perihelion::open(options)?;
    let told = conversations::folders(&plan.data)?;
    let told: Vec<_> = told
        .iter()
        .map(|folder| conversations::tell(&engine, folder, &plan.blank))
        .collect::<Outcome<_>>()?;
    // So that the memories are linked and in orbit, as they are in use.
    engine.maintain()?;
    let space = engine.space().map_or_else(|| "no engine".to_owned(), |space| space.to_string());
    println!("{} with {space}\n", plan.data.display());
    let (sets, categories) = measure(&engine, &told, Stages::ALL)?;
    print_table("set", &sets);
    print_table("category", &categories);
    if plan.calibration {
        print_calibration(&engine, &told)?;
    }
    if plan.foreign {
        print_foreign(&engine, &told)?;
    }
    if plan.stages {
        print_table("stages", &by_stage(&engine, &told)?);
    }
    Ok(())
}

fn store_of(plan: &Plan) -> Outcome<StoreChoice> {
    Ok(match &plan.store {
        Some(url) => {
            StoreChoice::Server { address: Address::parse(url)?, settings: ServerSettings::default() }
        }
        None => StoreChoice::Embedded,
    })
}

type Rows = Vec<(String, Tally)>;

fn measure(engine: &Perihelion, told: &[Conversation], stages: Stages) -> Outcome<(Rows, Rows)> {
    let (mut sets, mut categories) = (Vec::new(), BTreeMap::<String, Tally>::new());
    let mut total = Tally::default();
    for conversation in told {
        let mut set = Tally::default();
        for question in &conversation.questions {
            let mut request =
                Recall::new(&question.text).in_scope(Scope::Exact(conversation.namespace.clone())).limit(10);
            request.stages = Some(stages);
            let found: Vec<_> = engine.recall(&request)?.hits.iter().map(|hit| hit.memory.id).collect();
            let gold: Vec<_> =
                question.gold.iter().filter_map(|id| conversation.memories.get(id)).copied().collect();
            for tally in [&mut set, &mut total, categories.entry(question.category.clone()).or_default()] {
                tally.add(&found, &gold);
            }
        }
        sets.push((conversation.name.clone(), set));
    }
    sets.push(("all".to_owned(), total));
    Ok((sets, categories.into_iter().collect()))
}

/// How many of the results with a score about so high belong to the answer.
fn print_calibration(engine: &Perihelion, told: &[Conversation]) -> Outcome<()> {
    let mut bins = [(0_usize, 0_usize); 10];
    for conversation in told {
        for question in &conversation.questions {
            let request =
                Recall::new(&question.text).in_scope(Scope::Exact(conversation.namespace.clone())).limit(10);
            for hit in engine.recall(&request)?.hits {
                let is_gold =
                    question.gold.iter().any(|id| conversation.memories.get(id) == Some(&hit.memory.id));
                let bin = &mut bins[((hit.score * 10.0) as usize).min(9)];
                *bin = (bin.0 + 1, bin.1 + usize::from(is_gold));
            }
        }
    }
    println!("score      results    right");
    for (at, (results, right)) in bins.iter().enumerate() {
        let share = *right as f64 / (*results).max(1) as f64;
        println!(".{at} to .{}  {results:>8}    {share:.3}", at + 1);
    }
    println!();
    Ok(())
}

/// What comes back when a conversation is asked its own questions, and when it is asked another's.
fn print_foreign(engine: &Perihelion, told: &[Conversation]) -> Outcome<()> {
    println!("questions    empty  results  first score");
    for (name, step) in [("own", 0), ("another's", 1)] {
        let (mut asked, mut empty, mut results, mut score) = (0_usize, 0_usize, 0_usize, 0.0);
        for (at, conversation) in told.iter().enumerate() {
            for question in &told[(at + step) % told.len()].questions {
                let scope = Scope::Exact(conversation.namespace.clone());
                let hits = engine.recall(&Recall::new(&question.text).in_scope(scope).limit(10))?.hits;
                asked += 1;
                empty += usize::from(hits.is_empty());
                results += hits.len();
                score += hits.first().map_or(0.0, |hit| f64::from(hit.score));
            }
        }
        let n = asked.max(1) as f64;
        println!("{name:<12} {:.3}  {:>7.1}        {:.3}", empty as f64 / n, results as f64 / n, score / n);
    }
    println!();
    Ok(())
}

/// All stages, then all but one.
fn by_stage(engine: &Perihelion, told: &[Conversation]) -> Outcome<Rows> {
    let mut rows = Vec::new();
    let all = std::iter::once(("all stages".to_owned(), Stages::ALL));
    let fewer = Stage::ALL.into_iter().map(|stage| (format!("without {stage}"), Stages::ALL.without(stage)));
    for (name, stages) in all.chain(fewer) {
        let (mut sets, _) = measure(engine, told, stages)?;
        rows.extend(sets.pop().map(|(_, total)| (name, total)));
    }
    Ok(rows)
}

impl Tally {
    fn add(&mut self, found: &[MemoryId], gold: &[MemoryId]) {
        let share = |k: usize| {
            let hits = gold.iter().filter(|id| found.iter().take(k).any(|found| found == *id)).count();
            hits as f64 / gold.len().max(1) as f64
        };
        self.questions += 1;
        self.returned += found.len();
        self.at_5 += share(5);
        self.at_10 += share(10);
    }
}

fn print_table(heading: &str, rows: &Rows) {
    println!("{heading:<36} questions    R@5   R@10  results");
    for (name, tally) in rows {
        let n = tally.questions.max(1) as f64;
        let (at_5, at_10, returned) = (tally.at_5 / n, tally.at_10 / n, tally.returned as f64 / n);
        println!("{name:<36} {:>9}  {at_5:.3}  {at_10:.3}  {returned:>7.1}", tally.questions);
    }
    println!();
}
