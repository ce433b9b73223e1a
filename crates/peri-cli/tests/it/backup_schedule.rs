//! The backups that `peri serve` makes by itself, and how it ends while one is under way.

use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};

use peri_backup::Backups;
use perihelion::{Chores, Clock, Options, Perihelion};
use serde_json::Value;

use super::served::{Ended, Served};
use super::support::{Peri, text};

/// A folder with as many backups as asked for, of long ago.
fn furnished(backups: usize) -> Peri {
    let peri = Peri::new();
    peri.remember(&["김민수는 부산으로 이사한다"]);
    for day in 0..backups {
        let clock = Clock::manual(format!("2020-01-0{}T10:00:00Z", day + 1).parse().unwrap());
        let options = Options { chores: Chores::ByHand, clock, ..Options::at(peri.home()) };
        let engine = Perihelion::open(options).unwrap();
        Backups::beside(&peri.home()).create(&engine, &mut |_| {}).unwrap();
        engine.close().unwrap();
    }
    peri
}

/// The first event of a kind that the server tells of, after those that tell of certain backups.
fn event(served: &Served, kind: &str, old: &[String]) -> Value {
    let mut stream = TcpStream::connect(served.address()).unwrap();
    let head = format!("GET /v1/events/stream?after=0 HTTP/1.1\r\nhost: {}\r\n\r\n", served.address());
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        let Some(told) = line.strip_prefix("data:").and_then(|data| serde_json::from_str(data).ok()) else {
            continue;
        };
        let told: Value = told;
        if told["event"] == kind && !old.contains(&text(&told["backup"])) {
            return told;
        }
    }
    panic!("the events ended");
}

fn names(peri: &Peri) -> Vec<String> {
    let listed = peri.json(&["backup", "list"]);
    listed["backups"].as_array().unwrap().iter().map(|backup| text(&backup["name"])).collect()
}

fn check_end(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.log.contains("did not end in time"), "{ended:?}");
}

#[test]
fn a_server_makes_a_backup_that_is_due_and_prunes_and_not_again_after_a_restart() {
    let peri = furnished(3);
    peri.configure(
        "[backup]\ninterval_hours = 1\nkeep_last = 2\nkeep_daily = 0\nkeep_weekly = 0\nkeep_monthly = 0\n",
    );
    let old = names(&peri);
    assert_eq!(old.len(), 3);
    let served = Served::start(&peri);
    let made = text(&event(&served, "backed_up", &old)["backup"]);
    check_end(&served.end());
    assert_eq!(names(&peri), [old[2].clone(), made.clone()], "the newest two are kept");
    assert!(peri.ok(&["backup", "verify", &made]).starts_with("whole "));
    // It is not due again, so that a server which is asked to end has nothing under way.
    check_end(&Served::start(&peri).end());
    assert_eq!(names(&peri), [old[2].clone(), made]);
}

#[test]
fn a_server_without_an_interval_makes_no_backup() {
    let peri = furnished(0);
    check_end(&Served::start(&peri).end());
    assert_eq!(names(&peri), [] as [String; 0]);
}

#[test]
fn a_destination_that_cannot_be_written_is_told_in_the_log_and_as_an_event() {
    let peri = furnished(0);
    let file = peri.file("occupied", "no folder");
    peri.configure(&format!("[backup]\ninterval_hours = 1\nto = \"{file}/below\"\n"));
    let served = Served::start(&peri);
    let told = event(&served, "operation_failed", &[]);
    assert_eq!(told["operation"], "backup");
    assert!(text(&told["reason"]).contains("occupied"), "{told}");
    assert_eq!(served.get("/health/ready").status, 200, "it goes on serving");
    let ended = served.end();
    check_end(&ended);
    assert!(ended.log.contains("a backup failed and will be tried again"), "{}", ended.log);
    assert!(ended.log.contains("occupied"), "{}", ended.log);
}

#[test]
fn a_server_ends_although_the_bucket_of_a_backup_under_way_never_answers() {
    let bucket = TcpListener::bind("127.0.0.1:0").unwrap();
    let peri =
        furnished(0).with("AWS_ACCESS_KEY_ID", "somebody").with("AWS_SECRET_ACCESS_KEY", "nobody knows");
    peri.configure(&format!(
        "[backup]\ninterval_hours = 1\nto = \"s3://memories/x\"\nendpoint = \"http://{}\"\nregion = \"eu\"\n",
        bucket.local_addr().unwrap()
    ));
    let served = Served::start(&peri);
    // The backup is under way: its first question is asked, and nobody will answer.
    let (mut asked, _) = bucket.accept().unwrap();
    asked.read_exact(&mut [0; 16]).unwrap();
    let ended = served.end();
    check_end(&ended);
    assert!(ended.log.contains("a backup was given up"), "{}", ended.log);
    let events = peri.ok(&["logs"]);
    assert!(!events.contains("operation_failed"), "to end is no failure: {events}");
}
