//! What encryption costs: the same memories and questions on a plain folder and on an encrypted one, in one run.
//!
//! ```sh
//! cargo run --release -p perihelion --features encryption --example encryption_cost
//! valgrind --tool=callgrind target/release/examples/encryption_cost plain
//! ```
//!
//! With `plain` or `encrypted` it does that part alone, for counting instructions.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use perihelion::{EncryptionKey, Options, Perihelion, Recall, Remember};

const MEMORIES: usize = 300;
const QUESTIONS: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = EncryptionKey::generate()?;
    match std::env::args().nth(1).as_deref() {
        Some("plain") => drop(run(None)?),
        Some("encrypted") => drop(run(Some(key))?),
        _ => {
            let (plain, encrypted) = (run(None)?, run(Some(key))?);
            for (what, plain, encrypted) in [
                ("remember", plain.0, encrypted.0),
                ("open and first recall", plain.1, encrypted.1),
                ("recall", plain.2, encrypted.2),
            ] {
                let ratio = encrypted.as_secs_f64() / plain.as_secs_f64();
                println!("{what:24} plain {plain:>10.1?}  encrypted {encrypted:>10.1?}  ratio {ratio:.2}");
            }
        }
    }
    Ok(())
}

/// How long one remember takes, opening with the first recall, and one recall after that.
fn run(key: Option<EncryptionKey>) -> Result<(Duration, Duration, Duration), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mut options = Options::at(folder.path());
    options.encryption = key;
    let engine = Perihelion::open(options.clone())?;
    let began = Instant::now();
    for number in 0..MEMORIES {
        engine.remember(Remember::new(format!(
            "note {number}: the {} orbits at {} degrees",
            moon(number),
            number % 90
        )))?;
    }
    let remember = began.elapsed() / MEMORIES as u32;
    engine.close()?;
    let began = Instant::now();
    let engine = Perihelion::open(options)?;
    engine.recall(&Recall::new("where does Ganymede orbit"))?;
    let first = began.elapsed();
    let began = Instant::now();
    for number in 0..QUESTIONS {
        engine.recall(&Recall::new(format!("where does {} orbit, at {number} degrees", moon(number))))?;
    }
    let recall = began.elapsed() / QUESTIONS as u32;
    engine.close()?;
    Ok((remember, first, recall))
}

fn moon(number: usize) -> &'static str {
    ["Ganymede", "Callisto", "Europa", "Io", "Titan", "Rhea", "Triton"][number % 7]
}
