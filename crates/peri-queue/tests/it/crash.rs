//! Processes that are killed while they push and deliver.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use peri_queue::Queues;

use crate::support::*;

/// Names the folder and the number of the process to be.
const ROLE: &str = "PERI_QUEUE_TEST_ROLE";
const MARK: &str = "@@ ";
const KILLS: u64 = 40;

/// The child: takes over what is there, then pushes and delivers until it is killed, and tells each of both.
#[test]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (number, folder) = role.split_once('=').unwrap();
    let number: u64 = number.parse().unwrap();
    let queues = Queues::new(folder, small());
    queues.adopt().unwrap();
    for step in 0_u64.. {
        let pushed = number * 1_000_000 + step;
        queues.push(id(pushed), at(pushed as i64), payload(pushed)).unwrap();
        tell(&format!("pushed {pushed}"));
        if (step + number).is_multiple_of(3) {
            let queue = queues.first().unwrap();
            let batch = queue.peek(2, usize::MAX).unwrap();
            for record in &batch {
                assert_eq!(&*record.payload, payload(number_of(record.id)));
                tell(&format!("delivering {}", number_of(record.id)));
            }
            queue.done(&batch.iter().map(|record| record.number).collect::<Vec<_>>()).unwrap();
            batch.iter().for_each(|record| tell(&format!("done {}", number_of(record.id))));
        }
    }
}

fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

fn start(number: u64, folder: &Path) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["crash::worker", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{number}={}", folder.display()));
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// What the child tells next; none once it is gone.
fn hear(output: &mut BufReader<ChildStdout>) -> Option<(String, u64)> {
    loop {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        if !line.ends_with('\n') {
            return None;
        }
        if let Some((_, told)) = line.trim_end().split_once(MARK) {
            let (what, number) = told.split_once(' ').unwrap();
            return Some((what.to_owned(), number.parse().unwrap()));
        }
    }
}

#[test]
fn what_was_pushed_survives_kill_9_and_what_was_done_is_not_delivered_again() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("queue");
    let (mut pushed, mut delivering, mut done) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for number in 1..=KILLS {
        let (mut child, mut output) = start(number, &folder);
        let lives = 3 + (number * 7) % 23;
        let mut told: Vec<_> =
            (0..lives).map(|_| hear(&mut output).expect("it lives until it is killed")).collect();
        child.kill().unwrap();
        told.extend(std::iter::from_fn(|| hear(&mut output)));
        assert!(!child.wait().unwrap().success(), "killed, not ended");
        for (what, number) in told {
            match what.as_str() {
                "pushed" => assert!(pushed.insert(number)),
                "delivering" => {
                    assert!(!done.contains(&number), "{number} was delivered after it was done");
                    delivering.insert(number);
                }
                _ => assert!(done.insert(number)),
            }
        }
    }
    let queues = Queues::new(&folder, small());
    queues.adopt().unwrap();
    let left: Vec<u64> = queues.list(usize::MAX).unwrap().iter().map(|one| number_of(one.id)).collect();
    assert!(left.is_sorted(), "processes pushed one after the other");
    let left: BTreeSet<u64> = left.into_iter().collect();
    for number in &pushed {
        let kept = left.contains(number);
        assert!(kept || delivering.contains(number), "{number} is lost");
        assert!(!(kept && done.contains(number)), "{number} would be delivered again");
    }
    assert!(!left.is_empty() && !done.is_empty(), "{} left, {} done", left.len(), done.len());
    assert_eq!(queues.stats().damaged, 0);
    assert!(queues.take_reports().iter().all(|report| report.contains("cut away")));
}
