//! Recalling: warm, filtered, from two threads, in parts; and what it keeps in memory.

use perihelion::embed::{Engine as _, StaticEngine};
use perihelion::{Perihelion, Recall, Stage, Stages};

use super::corpus::{COMMON_TAG, RARE_TAG};
use super::figures::{Figures, ROUNDS, latency, median, per_second, timed};
use super::{One, cold, machine};
use crate::Outcome;

const LIMIT: usize = 10;
const THREADS: usize = 2;

/// Measures everything that leaves the memories as they are, then what adds some.
pub(super) fn measure(one: &One) -> Outcome<Figures> {
    let mut figures = Figures::new();
    let questions: Vec<String> = serde_json::from_str(&std::fs::read_to_string(one.questions())?)?;
    let plain: Vec<Recall> = questions.iter().map(|text| Recall::new(text).limit(LIMIT)).collect();
    {
        let engine = Perihelion::open(one.options())?;
        let hits = recall_all(&engine, &plain)?.1;
        figures.insert("results_per_recall".to_owned(), hits as f64 / plain.len() as f64);
        warm(&engine, "recall", &plain, &mut figures)?;
        on_processor(&engine, &plain, &mut figures)?;
        machine::memory(&mut figures)?;
        filtered(&engine, &plain, &mut figures)?;
        let many = median(ROUNDS, || threads(&engine, &plain))?;
        figures.insert(format!("recall_{THREADS}_threads_per_s"), many);
        parts(&engine, &plain, &mut figures)?;
    }
    cold::measure(one, &plain, &mut figures)?;
    Ok(figures)
}

/// How long each took, and how many results they gave together.
fn recall_all(engine: &Perihelion, requests: &[Recall]) -> Outcome<(Vec<f64>, usize)> {
    let (mut times, mut hits) = (Vec::with_capacity(requests.len()), 0);
    for request in requests {
        let (time, recalled) = timed(|| engine.recall(request));
        hits += recalled?.hits.len();
        times.push(time);
    }
    Ok((times, hits))
}

fn warm(engine: &Perihelion, name: &str, requests: &[Recall], figures: &mut Figures) -> Outcome<()> {
    latency(|| Ok(recall_all(engine, requests)?.0))?.enter(figures, name);
    Ok(())
}

/// What a recall costs whoever else uses the machine.
fn on_processor(engine: &Perihelion, requests: &[Recall], figures: &mut Figures) -> Outcome<()> {
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let before = machine::processor_micros();
        recall_all(engine, requests)?;
        rounds.extend(before.zip(machine::processor_micros()).map(|(before, after)| after - before));
    }
    rounds.sort_by(f64::total_cmp);
    if let Some(spent) = rounds.get(rounds.len() / 2) {
        figures.insert("recall_processor_us".to_owned(), spent / requests.len() as f64);
    }
    Ok(())
}

fn filtered(engine: &Perihelion, plain: &[Recall], figures: &mut Figures) -> Outcome<()> {
    for (name, tag) in [("recall_of_1_percent", RARE_TAG), ("recall_of_10_percent", COMMON_TAG)] {
        let mut requests = plain.to_vec();
        requests.iter_mut().for_each(|request| request.filter.tags = vec![tag.to_owned()]);
        warm(engine, name, &requests, figures)?;
    }
    Ok(())
}

fn threads(engine: &Perihelion, requests: &[Recall]) -> Outcome<f64> {
    let share = requests.len().div_ceil(THREADS);
    let recall = |requests: &[Recall]| -> Result<(), perihelion::Error> {
        requests.iter().try_for_each(|request| engine.recall(request).map(|_| ()))
    };
    let (time, done) = timed(|| {
        std::thread::scope(|scope| {
            let running: Vec<_> = requests.chunks(share).map(|share| scope.spawn(|| recall(share))).collect();
            running
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a thread that recalls does not panic"))
        })
    });
    done?;
    Ok(per_second(requests.len(), time))
}

/// What can be told apart from outside: the embedding by itself, and recall without some of its stages.
fn parts(engine: &Perihelion, plain: &[Recall], figures: &mut Figures) -> Outcome<()> {
    let table = StaticEngine::bundled()?;
    let embed = |request: &Recall| {
        let (time, vectors) = timed(|| table.embed(&[&request.query]));
        vectors.map(|_| time).map_err(Into::into)
    };
    latency(|| plain.iter().map(embed).collect())?.enter(figures, "embed");
    let without = |stages: &[Stage]| stages.iter().fold(Stages::ALL, |all, stage| all.without(*stage));
    let ways = [
        ("recall_without_meaning", without(&[Stage::Meaning])),
        ("recall_without_words", without(&[Stage::Words])),
        ("recall_without_conversation", without(&[Stage::Neighbours, Stage::Session])),
    ];
    for (name, stages) in ways {
        let mut requests = plain.to_vec();
        requests.iter_mut().for_each(|request| request.stages = Some(stages));
        warm(engine, name, &requests, figures)?;
    }
    Ok(())
}
