//! Processes that share a day's tokens and are killed at any moment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use jiff::civil::Date;
use peri_llm::{Ledger, Outcome, ReserveError};

use crate::ledger::wanted;
use crate::support::at;

/// Names the folder and the number of the process to be.
const ROLE: &str = "PERI_LLM_TEST_ROLE";
const MARK: &str = "@@ ";
const CAP: u64 = 30_000;

/// The child: reserves, tells what the model charges for it, and settles, until nothing is left or it is killed.
#[test]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (number, folder) = role.split_once('=').unwrap();
    let number: u64 = number.parse().unwrap();
    let ledger = Ledger::new(folder);
    let now = at("2026-03-02T14:00:00Z");
    for step in 0_u64.. {
        let tokens = 20 + (number * 31 + step * 17) % 150;
        let hold = match ledger.reserve(now, &wanted(tokens, CAP)) {
            Ok(hold) => hold,
            Err(ReserveError::CapReached { .. }) => return tell("full"),
            Err(error) => panic!("{error}"),
        };
        let used = tokens - step % 20;
        tell(&format!("charged {used}"));
        ledger.settle(now, hold, used).unwrap();
    }
}

fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

fn start(number: u64, folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["crash::worker", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{number}={}", folder.display()));
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// Listens to a child, kills it after so many charges, and gives the sum of all that it was charged.
fn listen(mut child: Child, charges: usize) -> u64 {
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut heard = 0;
    let mut sum = 0;
    for line in output.lines() {
        let line = line.unwrap();
        let Some((_, told)) = line.split_once(MARK) else { continue };
        let Some(tokens) = told.strip_prefix("charged ") else { continue };
        sum += tokens.parse::<u64>().unwrap();
        heard += 1;
        if heard == charges {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    sum
}

#[test]
fn processes_that_are_killed_in_between_never_spend_more_than_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let day: Date = "2026-03-02".parse().unwrap();
    let ledger = Ledger::new(folder.path());
    let mut charged = 0;
    for round in 0..8_u64 {
        charged += std::thread::scope(|scope| {
            let children: Vec<_> = (0..3_u64)
                .map(|number| {
                    let child = start(round * 3 + number, folder.path());
                    // In the last round nobody is killed, so that the limit is reached.
                    let charges =
                        if round == 7 { usize::MAX } else { 3 + (round * 5 + number * 7) as usize % 11 };
                    scope.spawn(move || listen(child, charges))
                })
                .collect();
            children.into_iter().map(|child| child.join().unwrap()).sum::<u64>()
        });
        let spent = ledger.spent(day).unwrap();
        assert!(charged <= spent && spent <= CAP, "{charged} <= {spent} <= {CAP}");
    }
    assert!(ledger.spent(day).unwrap() > CAP - 170, "the limit was reached");
    let calls = ledger.calls(at("2026-03-02T00:00:00Z"), usize::MAX).unwrap();
    assert!(calls.iter().all(|call| call.outcome == Outcome::Unfinished && call.purpose == "시험"));
}
