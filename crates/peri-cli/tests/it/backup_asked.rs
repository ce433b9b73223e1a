//! Backups that somebody asks a server for: one at a time, and given up when the server ends.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use perihelion::{Chores, Options, Perihelion};
use serde_json::{Value, json};

use super::served::{Answer, Served};
use super::support::{Peri, text};

fn furnished() -> Peri {
    let peri = Peri::new();
    peri.remember(&["김민수는 부산으로 이사한다"]);
    peri.remember(&["王芳喜欢在周末拍照"]);
    peri
}

/// A bucket that never answers, and a folder whose backups go there.
fn silent(settings: &str) -> (TcpListener, Peri) {
    let bucket = TcpListener::bind("127.0.0.1:0").unwrap();
    let peri =
        furnished().with("AWS_ACCESS_KEY_ID", "somebody").with("AWS_SECRET_ACCESS_KEY", "nobody knows");
    let endpoint = format!("http://{}", bucket.local_addr().unwrap());
    peri.configure(&format!(
        "[backup]\nto = \"s3://memories/x\"\nendpoint = \"{endpoint}\"\nregion = \"eu\"\n{settings}"
    ));
    (bucket, peri)
}

/// Waits until the bucket is asked something.
fn asked(bucket: &TcpListener) -> TcpStream {
    let (mut asked, _) = bucket.accept().unwrap();
    asked.read_exact(&mut [0; 16]).unwrap();
    asked
}

/// Answers the next question as a bucket does in which there is nothing.
fn say_empty(bucket: &TcpListener) {
    let mut asked = asked(bucket);
    let list = "<ListBucketResult><Name>memories</Name><IsTruncated>false</IsTruncated></ListBucketResult>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nConnection: close";
    write!(asked, "{head}\r\nContent-Length: {}\r\n\r\n{list}", list.len()).unwrap();
}

fn create(served: &Served) -> Answer {
    served.post("/v1/backups", &json!({}))
}

fn told(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn a_backup_that_a_server_was_asked_for_is_in_every_list_and_whole() {
    let peri = furnished();
    peri.configure("[backup]\ninterval_hours = 876\n");
    peri.ok(&["backup", "create"]);
    let served = Served::start(&peri);
    let made = told(&create(&served));
    assert_eq!(made["memories"], 2, "{made}");
    let listed = peri.json(&["backup", "list"]);
    let newest = listed["backups"].as_array().unwrap().last().unwrap();
    assert_eq!((&newest["name"], &newest["stored_bytes"]), (&made["name"], &made["bytes"]));
    let seen = told(&served.get("/v1/backups"));
    assert_eq!((&seen["place"], &seen["scheduled"]), (&listed["place"], &json!(true)));
    assert_eq!(seen["backups"].as_array().unwrap().len(), 2);
    let first = &seen["backups"][0];
    assert_eq!((&first["name"], &first["bytes"]), (&made["name"], &made["bytes"]), "the latest first");
    assert_eq!((&first["memories"], &first["change"]), (&json!(2), &newest["change"]));
    assert_eq!(first["before_restore"], false);
    let span = |value: &Value| value.as_str().unwrap().parse::<perihelion::Timestamp>().unwrap();
    assert_eq!(span(&seen["next_at"]).duration_since(span(&first["at"])).as_hours(), 876);
    assert_eq!(served.end().code, Some(0));
    assert!(peri.ok(&["backup", "verify", &text(&made["name"])]).starts_with("whole "));
    let events = peri.ok(&["logs"]);
    assert!(events.contains(&text(&made["name"])), "it is told: {events}");
}

#[test]
fn a_damaged_backup_is_listed_without_what_nobody_knows_of_it() {
    let peri = furnished();
    let name = text(&peri.json(&["backup", "create"])["name"]);
    std::fs::write(peri.home().join("backups").join(&name).join("manifest.json"), "{").unwrap();
    let served = Served::start(&peri);
    let seen = told(&served.get("/v1/backups"));
    let one = &seen["backups"][0];
    assert_eq!((&one["name"], &one["memories"], &one["bytes"]), (&json!(name), &Value::Null, &Value::Null));
    assert!(one["change"].as_u64().unwrap() > 0, "its name tells: {one}");
    assert_eq!((&seen["scheduled"], &seen["next_at"]), (&json!(false), &Value::Null));
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn while_another_process_makes_one_none_is_begun() {
    let peri = furnished();
    let served = Served::start(&peri);
    let options = Options { chores: Chores::ByHand, ..Options::at(peri.home()) };
    let other = Perihelion::open(options).unwrap();
    assert!(other.take_on_backups(Duration::from_secs(600)).unwrap());
    let refused = create(&served);
    assert!(refused.status == 409 && refused.body.contains("nothing was begun"), "{refused:?}");
    assert_eq!(peri.json(&["backup", "list"])["backups"], json!([]));
    other.leave_backups().unwrap();
    told(&create(&served));
    assert!(other.take_on_backups(Duration::from_secs(600)).unwrap(), "it was left to whoever comes next");
    drop(other);
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn while_the_server_makes_one_by_itself_none_is_begun() {
    let (bucket, peri) = silent("interval_hours = 1\n");
    let served = Served::start(&peri);
    say_empty(&bucket);
    let _open = asked(&bucket);
    let refused = create(&served);
    assert!(refused.status == 409 && refused.body.contains("this server"), "{refused:?}");
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn a_server_that_ends_gives_up_the_backup_that_it_was_asked_for_and_says_so() {
    let (bucket, peri) = silent("");
    let served = Served::start(&peri);
    let under_way = served.begin("POST", "/v1/backups", &[], 0);
    let _open = asked(&bucket);
    served.terminate();
    let given_up = under_way.answer();
    assert!(given_up.status == 503 && given_up.body.contains("given up"), "{given_up:?}");
    let (ended, _) = served.wait();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}
