//! Growing to a size: most in batches, the last ones one by one.

use std::fs;
use std::path::Path;

use perihelion::{Perihelion, Recall, Remember};

use super::One;
use super::spent::{Spent, spent};
use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::figures::{Figures, Latency};
use crate::speed::questions;

const BATCH: usize = 512;
const ONE_BY_ONE: usize = 200;
/// The same at every size: a larger store begins with the memories of a smaller one.
const SEED: u64 = 7;

/// Fills the folder and leaves questions beside it.
pub(super) fn measure(one: &One) -> Outcome<Figures> {
    let mut figures = Figures::new();
    let mut corpus = Corpus::new(SEED);
    drop(corpus.take(one.before));
    in_batches(one, &mut corpus, &mut figures)?;
    one_by_one(one, &mut corpus, &mut figures)?;
    let questions = questions::ask(&mut corpus, one.queries);
    fs::write(one.questions(), serde_json::to_string(&questions)?)?;
    let database = fs::metadata(one.folder.join(Perihelion::DATABASE)).map_or(0, |file| file.len()) as f64;
    figures.insert("database_mb".to_owned(), database / 1e6);
    figures.insert("index_mb".to_owned(), bytes_in(&one.folder.join("index"))? / 1e6);
    Ok(figures)
}

/// All but the last, then the index and the chores, each as a share of a memory.
fn in_batches(one: &One, corpus: &mut Corpus, figures: &mut Figures) -> Outcome<()> {
    let engine = Perihelion::open(one.filling())?;
    let count = one.size - one.before - ONE_BY_ONE;
    let (mut left, mut all) = (count, Spent::NOTHING);
    while left > 0 {
        let batch = corpus.take(left.min(BATCH));
        left -= batch.len();
        let (took, receipts) = spent(|| engine.remember_all(batch));
        receipts?;
        all = all.and(took);
    }
    all.enter(figures, "batch", count);
    let (took, recalled) = spent(|| engine.recall(&Recall::new("What was decided about the house?")));
    recalled?;
    took.enter(figures, "enter", count);
    let (took, done) = spent(|| engine.maintain());
    done?;
    took.enter(figures, "chores", count);
    Ok(engine.close()?)
}

/// The last ones, each linked and compared with what is there.
fn one_by_one(one: &One, corpus: &mut Corpus, figures: &mut Figures) -> Outcome<()> {
    let engine = Perihelion::open(one.options())?;
    // The index is read before, as it is in a program that has been running for a while.
    engine.remember(corpus.take(1).remove(0))?;
    let requests: Vec<Remember> = corpus.take(ONE_BY_ONE - 1);
    let mut times = Vec::with_capacity(requests.len());
    let mut all = Spent::NOTHING;
    for request in requests {
        let (took, receipt) = spent(|| engine.remember(request));
        receipt?;
        times.push(took.wall_us);
        all = all.and(took);
    }
    all.enter(figures, "remember", ONE_BY_ONE - 1);
    figures.insert("remember_p50_us".to_owned(), Latency::of(times).p50);
    engine.maintain()?;
    Ok(engine.close()?)
}

fn bytes_in(folder: &Path) -> Outcome<f64> {
    let mut bytes = 0;
    for file in fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes as f64)
}
