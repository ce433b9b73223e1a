//! How long adapting one query takes.

use std::hint::black_box;
use std::time::Instant;

use peri_learn::adapt::Adapter;
use perihelion::SpaceId;

use super::chance::Chance;
use crate::Outcome;

/// How many queries are adapted.
const QUERIES: usize = 20_000;

pub(super) fn run() -> Outcome<()> {
    println!("adapting one query, microseconds of {QUERIES}: median, p99");
    for (dimensions, rank) in [(256, 16), (384, 16), (256, 32), (384, 32), (256, 64), (384, 64)] {
        let mut chance = Chance::new(5);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| chance.share() as f32 - 0.5).collect() };
        let space = SpaceId { model: "bench".to_owned(), dimensions };
        let size = rank * dimensions as usize;
        let adapter = Adapter::of(space, rank, numbers(size), numbers(size))?;
        let mut query = numbers(dimensions as usize);
        let mut times: Vec<f64> = (0..QUERIES)
            .map(|_| {
                let started = Instant::now();
                adapter.adapt(black_box(&mut query));
                started.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (median, p99) = (times[QUERIES / 2], times[QUERIES * 99 / 100]);
        println!("{dimensions:>4} dimensions, rank {rank:>2}: {median:>6.1} {p99:>6.1}");
    }
    Ok(())
}
