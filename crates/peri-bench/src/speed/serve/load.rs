//! Many callers at once for a while, each waiting for its answer before it asks again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Connection;
use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::figures::{Latency, micros, per_second, timed};
use crate::speed::machine::process_micros;
use perihelion::{Perihelion, Recall, Remember};

/// Memories that a caller invents at once, between two requests.
const INVENTED: usize = 32;
/// How far apart the callers begin in the list of questions.
const APART: usize = 37;

/// Whatever a caller's thread hands back when it fails.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;
/// Asks once, and says how many microseconds that took.
pub(super) type Caller<'a> = Box<dyn FnMut() -> Result<f64, Failure> + Send + 'a>;

/// What one number of callers came to.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) per_second: f64,
    pub(super) latency: Latency,
    /// Microseconds that whoever answers was on a processor for each call, where the system tells.
    pub(super) processor: Option<f64>,
}

/// Lets all callers call until the time is over. The first failure ends it. `process` is the one that answers.
pub(super) fn run(process: u32, mut callers: Vec<Caller<'_>>, time: Duration) -> Outcome<Cell> {
    let (barrier, failed) = (Barrier::new(callers.len()), AtomicBool::new(false));
    let call = |caller: &mut Caller<'_>| -> Result<Vec<f64>, Failure> {
        barrier.wait();
        let (begun, mut times) = (Instant::now(), Vec::new());
        while begun.elapsed() < time && !failed.load(Ordering::Relaxed) {
            match caller() {
                Ok(time) => times.push(time),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(times)
    };
    let (begun, before) = (Instant::now(), process_micros(process));
    let times = std::thread::scope(|scope| {
        let running: Vec<_> = callers.iter_mut().map(|caller| scope.spawn(|| call(caller))).collect();
        let joined = running.into_iter().map(|thread| thread.join().map_err(|_| "a caller panicked")?);
        joined.collect::<Result<Vec<_>, Failure>>()
    });
    let spent = micros(begun.elapsed());
    let times = times.map_err(|error| error.to_string())?.concat();
    let processor = before.zip(process_micros(process)).map(|(before, after)| after - before);
    Ok(Cell {
        per_second: per_second(times.len(), spent),
        processor: processor.map(|spent| spent / times.len() as f64),
        latency: Latency::of(times),
    })
}

/// Callers that ask a server over a connection each. `asked` holds bodies.
pub(super) fn asking<'a>(
    connections: Vec<Connection>,
    path: &'static str,
    asked: &'a [Vec<u8>],
) -> Vec<Caller<'a>> {
    let caller = |(number, mut connection): (usize, Connection)| -> Caller<'a> {
        let mut asked = asked.iter().cycle().skip(number * APART);
        Box::new(move || {
            let body = asked.next().ok_or("there are no questions")?;
            let (time, answer) = timed(|| connection.post(path, &[], body));
            answer?.success()?;
            Ok(time)
        })
    };
    connections.into_iter().enumerate().map(caller).collect()
}

/// Callers that ask the engine.
pub(super) fn recalling<'a>(count: usize, engine: &'a Perihelion, asked: &'a [Recall]) -> Vec<Caller<'a>> {
    let caller = |number: usize| -> Caller<'a> {
        let mut asked = asked.iter().cycle().skip(number * APART);
        Box::new(move || {
            let request = asked.next().ok_or("there are no questions")?;
            let (time, recalled) = timed(|| engine.recall(request));
            recalled?;
            Ok(time)
        })
    };
    (0..count).map(caller).collect()
}

/// Callers that have a server remember what no other has told it.
pub(super) fn telling(connections: Vec<Connection>, corpus: &Mutex<Corpus>) -> Vec<Caller<'_>> {
    let caller = |mut connection: Connection| -> Caller<'_> {
        let mut invented = Vec::new();
        Box::new(move || {
            let body = body(&next(&mut invented, corpus)?)?;
            let (time, answer) = timed(|| connection.post("/v1/memories", &[], &body));
            answer?.success()?;
            Ok(time)
        })
    };
    connections.into_iter().map(caller).collect()
}

/// Callers that have the engine remember.
pub(super) fn remembering<'a>(
    count: usize,
    engine: &'a Perihelion,
    corpus: &'a Mutex<Corpus>,
) -> Vec<Caller<'a>> {
    let caller = |_| -> Caller<'a> {
        let mut invented = Vec::new();
        Box::new(move || {
            let request = next(&mut invented, corpus)?;
            let (time, receipt) = timed(|| engine.remember(request));
            receipt?;
            Ok(time)
        })
    };
    (0..count).map(caller).collect()
}

fn next(invented: &mut Vec<Remember>, corpus: &Mutex<Corpus>) -> Result<Remember, Failure> {
    if invented.is_empty() {
        *invented = corpus.lock().map_err(|_| "another caller panicked")?.take(INVENTED);
        invented.reverse();
    }
    Ok(invented.pop().ok_or("nothing was invented")?)
}

/// What the server is sent for a memory.
fn body(request: &Remember) -> serde_json::Result<Vec<u8>> {
    let facets = &request.facets;
    serde_json::to_vec(&json!({
        "content": request.content,
        "kind": request.kind,
        "layer": request.layer,
        "tags": facets.tags,
        "session": facets.session,
        "speaker": facets.speaker,
        "occurred_at": facets.occurred_at,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_ends_the_run_and_is_told() {
        let fine = || -> Caller<'static> { Box::new(|| Ok(1.0)) };
        let mut left = 3;
        let failing = Box::new(move || {
            left -= 1;
            if left == 0 { Err("the third went wrong".into()) } else { Ok(1.0) }
        });
        let outcome = run(std::process::id(), vec![fine(), failing, fine()], Duration::from_secs(3600));
        assert_eq!(outcome.err().map(|error| error.to_string()).as_deref(), Some("the third went wrong"));
    }
}
