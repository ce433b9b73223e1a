//! How long a hook waits for its call to be kept: `cargo run --release -p peri-agents --example inbox_speed [FOLDER]`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use peri_agents::Agent;
use peri_agents::hooks::{Call, Inbox, Occasion};

const CALLS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let above = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = above.join(format!("inbox_speed-{}", std::process::id()));
    let inbox = Inbox::at(&folder);
    let call = Call {
        agent: Agent::ClaudeCode,
        occasion: Occasion::Prompt { text: "로그인을 고쳐 줘. ".repeat(40) },
        session: "speed".to_owned(),
        folder: "/project".into(),
        transcript: None,
        at: Timestamp::now(),
    };
    inbox.put(&call)?;
    let mut put = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begun = Instant::now();
        inbox.put(&call)?;
        put.push(begun.elapsed());
    }
    let mut done = Vec::with_capacity(CALLS);
    let mut claim = inbox.claim()?.ok_or("the inbox is claimed")?;
    while let Some((id, _)) = claim.next_call()? {
        let begun = Instant::now();
        claim.done(&id)?;
        done.push(begun.elapsed());
    }
    drop(claim);
    std::fs::remove_dir_all(&folder)?;
    report("put", &mut put);
    report("done", &mut done);
    Ok(())
}

fn report(what: &str, times: &mut [Duration]) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{what}: median {:?}, 95 of 100 within {:?}, longest {:?} of {}",
        at(50),
        at(95),
        at(100),
        times.len()
    );
}
