//! Remembering: one by one, from many threads, in batches.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use perihelion::{Perihelion, Recall, Remember};

use super::corpus::Corpus;
use super::figures::{Figures, ROUNDS, latency, median, per_second, timed};
use super::{One, questions};
use crate::Outcome;

const BATCH: usize = 512;
const ONE_BY_ONE: usize = 100;
const THREADS: usize = 8;
const PER_THREAD: usize = 16;
/// The rest of the memories come in batches, before.
const BESIDE_BATCHES: usize = ROUNDS * (ONE_BY_ONE + THREADS * PER_THREAD);

/// Fills the folder and leaves the questions beside it.
pub(super) fn measure(one: &One) -> Outcome<Figures> {
    let mut figures = Figures::new();
    figures.insert("disk_flush_us".to_owned(), flush(&one.folder)?);
    let engine = Perihelion::open(one.options())?;
    let mut corpus = Corpus::new(one.size as u64);
    figures.insert("remember_batch_per_s".to_owned(), batches(&engine, &mut corpus, one.size)?);
    one_by_one(&engine, &mut corpus, &mut figures)?;
    let many = median(ROUNDS, || threads(&engine, &mut corpus))?;
    figures.insert(format!("remember_{THREADS}_threads_per_s"), many);
    let questions = questions::ask(&mut corpus, one.queries);
    fs::write(one.questions(), serde_json::to_string(&questions)?)?;
    drop(corpus);
    index(&engine, &questions, &mut figures)?;
    engine.close()?;
    disk(one, &mut figures)?;
    Ok(figures)
}

/// What a commit waits for at least: the time to append to a file and flush it.
fn flush(folder: &Path) -> Outcome<f64> {
    fs::create_dir_all(folder)?;
    let path = folder.join("flush.tmp");
    let mut file = fs::File::create(&path)?;
    let time = latency(|| {
        let mut append = || -> std::io::Result<()> {
            file.write_all(&[7; 4096])?;
            file.sync_data()
        };
        (0..50)
            .map(|_| {
                let (time, done) = timed(&mut append);
                done.map(|()| time).map_err(Into::into)
            })
            .collect()
    })?;
    fs::remove_file(path)?;
    Ok(time.p50)
}

fn batches(engine: &Perihelion, corpus: &mut Corpus, size: usize) -> Outcome<f64> {
    let mut left = size.saturating_sub(BESIDE_BATCHES);
    let (mut count, mut spent) = (0, 0.0);
    while left > 0 {
        let batch = corpus.take(left.min(BATCH));
        left -= batch.len();
        count += batch.len();
        let (time, receipts) = timed(|| engine.remember_all(batch));
        receipts?;
        spent += time;
    }
    Ok(per_second(count, spent))
}

fn one_by_one(engine: &Perihelion, corpus: &mut Corpus, figures: &mut Figures) -> Outcome<()> {
    let time = latency(|| remember_each(engine, corpus.take(ONE_BY_ONE)))?;
    time.enter(figures, "remember");
    figures.insert("remember_per_s".to_owned(), 1e6 / time.mean);
    Ok(())
}

fn remember_each(engine: &Perihelion, requests: Vec<Remember>) -> Outcome<Vec<f64>> {
    let mut times = Vec::with_capacity(requests.len());
    for request in requests {
        let (time, receipt) = timed(|| engine.remember(request));
        receipt?;
        times.push(time);
    }
    Ok(times)
}

fn threads(engine: &Perihelion, corpus: &mut Corpus) -> Outcome<f64> {
    let shares: Vec<Vec<Remember>> = (0..THREADS).map(|_| corpus.take(PER_THREAD)).collect();
    let remember = |requests: Vec<Remember>| -> Result<(), perihelion::Error> {
        requests.into_iter().try_for_each(|request| engine.remember(request).map(|_| ()))
    };
    let (time, done) = timed(|| {
        std::thread::scope(|scope| {
            let running: Vec<_> =
                shares.into_iter().map(|requests| scope.spawn(|| remember(requests))).collect();
            running
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a thread that remembers does not panic"))
        })
    });
    done?;
    Ok(per_second(THREADS * PER_THREAD, time))
}

/// The first recall enters everything into the index; the chores then link the graph and save both.
fn index(engine: &Perihelion, questions: &[String], figures: &mut Figures) -> Outcome<()> {
    let question = Recall::new(questions.first().ok_or("there are no questions")?);
    let (first, recalled) = timed(|| engine.recall(&question));
    recalled?;
    let (chores, done) = timed(|| engine.maintain());
    done?;
    figures.insert("index_s".to_owned(), first / 1e6);
    figures.insert("chores_s".to_owned(), chores / 1e6);
    Ok(())
}

/// The closed engine has moved its log into the database.
fn disk(one: &One, figures: &mut Figures) -> Outcome<()> {
    // On a server there is no such file.
    let database = fs::metadata(one.folder.join(Perihelion::DATABASE)).map_or(0, |file| file.len()) as f64;
    let index = index_bytes(&one.index())?;
    figures.insert("database_mb".to_owned(), database / 1e6);
    figures.insert("index_mb".to_owned(), index / 1e6);
    figures.insert("database_bytes_per_memory".to_owned(), database / one.size as f64);
    figures.insert("index_bytes_per_memory".to_owned(), index / one.size as f64);
    Ok(())
}

fn index_bytes(folder: &Path) -> Outcome<f64> {
    let mut bytes = 0;
    for file in fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes as f64)
}
