//! Calls of hooks that wait, and processes that are killed over them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use peri_agents::Agent;
use peri_agents::hooks::{Call, CallId, Claim, Inbox, InboxError, Left, Occasion};
use proptest::prelude::*;

fn now() -> Timestamp {
    "2026-11-16T17:30:00Z".parse().unwrap()
}

fn call(text: &str, seconds: i64) -> Call {
    Call {
        agent: Agent::ClaudeCode,
        occasion: Occasion::Prompt { text: text.to_owned() },
        session: "회의".to_owned(),
        folder: "/집/项目".into(),
        transcript: None,
        at: now() + SignedDuration::from_secs(seconds),
    }
}

fn text_of(call: &Call) -> &str {
    match &call.occasion {
        Occasion::Prompt { text } => text,
        other => panic!("{other:?} was never put"),
    }
}

#[track_caller]
fn claim(inbox: &Inbox) -> Claim {
    inbox.claim().unwrap().expect("nobody else has it")
}

/// Works everything off and answers what it was.
fn drain(inbox: &Inbox) -> Vec<(CallId, Call)> {
    let mut claim = claim(inbox);
    let mut calls = Vec::new();
    while let Some((id, call)) = claim.next_call().unwrap() {
        claim.done(&id).unwrap();
        calls.push((id, call));
    }
    calls
}

fn texts(calls: &[(CallId, Call)]) -> Vec<&str> {
    calls.iter().map(|(_, call)| text_of(call)).collect()
}

/// The files in a folder, without those of the inbox itself.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "lock" && name != "aside").collect();
    names.sort();
    names
}

#[test]
fn calls_come_back_whole_and_in_the_order_of_their_times() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path().join("새/폴더"));
    assert!(inbox.is_empty().unwrap());
    assert!(inbox.claim().unwrap().is_none(), "there is nothing to work off");
    let put = [call("셋", 9), call("하나", -9), call("둘", 0), call("이른", -99_999_999_999)];
    let ids: Vec<CallId> = put.iter().map(|call| inbox.put(call).unwrap()).collect();
    assert_eq!(inbox.len().unwrap(), 4);
    let drained = drain(&inbox);
    assert_eq!(texts(&drained), ["이른", "하나", "둘", "셋"]);
    assert_eq!(drained[3], (ids[0].clone(), put[0].clone()));
    assert!(inbox.is_empty().unwrap() && drain(&inbox).is_empty(), "what is done never comes back");
}

#[test]
fn calls_of_one_moment_stay_in_the_order_in_which_they_were_put() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    let names: Vec<String> = (0..30).map(|number| format!("{number}번")).collect();
    for name in &names {
        inbox.put(&call(name, 0)).unwrap();
    }
    assert_eq!(texts(&drain(&inbox)), names);
}

#[test]
fn one_works_off_at_a_time_and_what_is_not_done_is_given_to_the_next() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    inbox.put(&call("하나", 0)).unwrap();
    inbox.put(&call("둘", 1)).unwrap();
    let mut first = claim(&inbox);
    assert!(inbox.claim().unwrap().is_none());
    assert_eq!(text_of(&first.next_call().unwrap().unwrap().1), "하나");
    let (second, _) = first.next_call().unwrap().unwrap();
    first.done(&second).unwrap();
    first.done(&second).unwrap();
    assert!(first.next_call().unwrap().is_none(), "each is given once");
    drop(first);
    assert_eq!(texts(&drain(&inbox)), ["하나"]);
}

#[test]
fn what_comes_while_others_are_worked_off_is_not_forgotten() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    inbox.put(&call("하나", 0)).unwrap();
    let mut own = claim(&inbox);
    let (id, _) = own.next_call().unwrap().unwrap();
    inbox.put(&call("둘", 1)).unwrap();
    assert_eq!(text_of(&own.next_call().unwrap().unwrap().1), "둘");
    own.done(&id).unwrap();
    assert!(own.next_call().unwrap().is_none());
    inbox.put(&call("셋", 2)).unwrap();
    assert_eq!(own.close().unwrap(), Left::Calls);
    let mut own = claim(&inbox);
    while own.next_call().unwrap().is_some() {}
    assert_eq!(own.close().unwrap(), Left::Nothing, "what was given and not done waits for another time");
    assert_eq!(inbox.len().unwrap(), 2);
}

#[test]
fn what_can_never_be_done_is_put_aside_with_the_reason() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    let put = call("이상한 것", 0);
    let id = inbox.put(&put).unwrap();
    let mut own = claim(&inbox);
    own.next_call().unwrap().unwrap();
    own.aside(&id, "이 프로젝트는 이제 없다").unwrap();
    own.aside(&id, "again").unwrap();
    drop(own);
    assert_eq!((inbox.len().unwrap(), inbox.aside_len().unwrap()), (0, 1));
    let aside = root.path().join("aside");
    let kept = std::fs::read(aside.join(format!("{id}.json"))).unwrap();
    assert_eq!(serde_json::from_slice::<Call>(&kept).unwrap(), put);
    let why = std::fs::read_to_string(aside.join(format!("{id}.json.why"))).unwrap();
    assert_eq!(why, "이 프로젝트는 이제 없다\n");
}

#[test]
fn what_is_damaged_or_not_ours_is_put_aside_and_holds_nobody_up() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    let inbox = Inbox::at(folder);
    let ids: Vec<CallId> = (0..7).map(|number| inbox.put(&call("x", number)).unwrap()).collect();
    let path = |at: usize| folder.join(format!("{}.json", ids[at]));
    let whole = std::fs::read(path(0)).unwrap();
    std::fs::write(path(0), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(path(1), b"").unwrap();
    std::fs::write(path(2), b"\xFF\xFE").unwrap();
    std::fs::File::create(path(3)).unwrap().set_len(17 << 20).unwrap();
    std::fs::remove_file(path(4)).unwrap();
    std::fs::create_dir(path(4)).unwrap();
    std::fs::write(path(5), String::from_utf8(whole).unwrap().replace("회의", " ")).unwrap();
    std::fs::write(folder.join("메모.txt"), "나의 것").unwrap();
    std::fs::write(folder.join(".DS_Store"), "").unwrap();
    assert_eq!(texts(&drain(&inbox)).len(), 1, "the one that is whole");
    assert_eq!(inbox.aside_len().unwrap(), 7);
    assert_eq!(files(folder), [".DS_Store"]);
    let why = |name: &str| std::fs::read_to_string(folder.join("aside").join(format!("{name}.why"))).unwrap();
    assert!(why(&format!("{}.json", ids[0])).contains("damaged"));
    assert!(why(&format!("{}.json", ids[3])).contains("longer"));
    assert!(why("메모.txt").contains("not the call of a hook"));
    assert_eq!(std::fs::read_to_string(folder.join("aside/메모.txt")).unwrap(), "나의 것");
    std::fs::write(folder.join("메모.txt"), "둘째").unwrap();
    drain(&inbox);
    assert_eq!(
        std::fs::read_to_string(folder.join("aside/메모.txt")).unwrap(),
        "나의 것",
        "nothing is written over"
    );
    assert_eq!(std::fs::read_to_string(folder.join("aside/1-메모.txt")).unwrap(), "둘째");
}

#[test]
fn a_call_of_a_newer_version_waits_for_it() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    let id = inbox.put(&call("나중", 0)).unwrap();
    inbox.put(&call("지금", 1)).unwrap();
    let path = root.path().join(format!("{id}.json"));
    let text = std::fs::read_to_string(&path).unwrap().replace("\"version\":1", "\"version\":2");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(texts(&drain(&inbox)), ["지금"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!((inbox.len().unwrap(), inbox.aside_len().unwrap()), (1, 0));
}

#[test]
fn a_full_inbox_refuses_and_loses_nothing() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path()).holding(2);
    inbox.put(&call("하나", 0)).unwrap();
    inbox.put(&call("둘", 1)).unwrap();
    let error = inbox.put(&call("셋", 2)).unwrap_err();
    assert!(matches!(error, InboxError::Full { waiting: 2, .. }), "{error}");
    assert!(error.to_string().contains("nothing that waits is lost"));
    assert_eq!(texts(&drain(&inbox)), ["하나", "둘"]);
    inbox.put(&call("셋", 2)).unwrap();
    assert_eq!(files(root.path()).len(), 1, "and nothing stays behind");
}

#[test]
fn what_was_half_written_is_no_call_and_goes_when_it_is_old() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    let id = inbox.put(&call("하나", 0)).unwrap();
    let part = root.path().join(format!("{}0.part", &id.as_str()[..id.as_str().len() - 1]));
    std::fs::write(&part, "{\"vers").unwrap();
    assert_eq!(inbox.len().unwrap(), 1);
    assert_eq!(drain(&inbox).len(), 1);
    assert!(part.exists(), "somebody may be writing it");
    let long_ago = SystemTime::now() - Duration::from_secs(25 * 60 * 60);
    std::fs::File::options().write(true).open(&part).unwrap().set_modified(long_ago).unwrap();
    drain(&inbox);
    assert!(!part.exists() && inbox.aside_len().unwrap() == 0);
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_reads_calls() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("inbox");
    let id = Inbox::at(&folder).put(&call("비밀", 0)).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o077;
    assert_eq!(mode(&folder), 0);
    assert_eq!(mode(&folder.join(format!("{id}.json"))), 0);
}

#[test]
fn an_inbox_that_cannot_be_written_says_where() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("file"), "").unwrap();
    let error = Inbox::at(root.path().join("file/inbox")).put(&call("x", 0)).unwrap_err();
    assert!(matches!(&error, InboxError::Disk { .. }) && error.to_string().contains("file"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_files_in_the_folder_hold_nobody_up(
        names in proptest::collection::vec("[a-z가-힣0-9.\\-]{1,30}", 0..6),
        bytes in proptest::collection::vec(any::<u8>(), 0..100),
    ) {
        let root = tempfile::tempdir().unwrap();
        let inbox = Inbox::at(root.path());
        let id = inbox.put(&call("나", 0)).unwrap();
        let other = id.as_str().replace(|c: char| c.is_ascii_digit(), "7");
        for name in names.iter().map(String::as_str).chain([format!("{other}.json").as_str()]) {
            if ![".", "..", "lock", "aside"].contains(&name) {
                std::fs::write(root.path().join(name), &bytes).unwrap();
            }
        }
        let drained = drain(&inbox);
        prop_assert_eq!(texts(&drained), ["나"]);
        prop_assert!(inbox.is_empty().unwrap());
    }
}

/// Names the part of a child and its folder.
const ROLE: &str = "PERI_AGENTS_TEST_ROLE";
const MARK: &str = "@@ ";

fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

/// The child: puts calls for ever, works them off, or holds the claim until it is killed.
#[test]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (role, folder) = role.split_once('=').unwrap();
    let inbox = Inbox::at(folder);
    match role {
        "put" => {
            for number in 0.. {
                let id = inbox.put(&call(&format!("{}번", std::process::id()), number)).unwrap();
                tell(id.as_str());
            }
        }
        "work" => {
            let mut claim = claim(&inbox);
            while let Some((id, _)) = claim.next_call().unwrap() {
                tell(&format!("begun {id}"));
                claim.done(&id).unwrap();
                tell(&format!("done {id}"));
            }
        }
        _ => {
            let _claim = claim(&inbox);
            tell("held");
            std::io::stdin().read_exact(&mut [0]).ok();
        }
    }
}

fn start(role: &str, folder: &Path) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["worker", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{role}={}", folder.display()));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// The next thing that a child tells; none if it is no more.
fn hear(output: &mut BufReader<ChildStdout>) -> Option<String> {
    loop {
        let mut line = String::new();
        // What was cut off was never told.
        if output.read_line(&mut line).unwrap() == 0 || !line.ends_with('\n') {
            return None;
        }
        if let Some((_, told)) = line.trim_end().split_once(MARK) {
            return Some(told.to_owned());
        }
    }
}

/// Kills a child after it told so much, and answers all that it told.
fn kill_after(count: usize, (mut child, mut output): (Child, BufReader<ChildStdout>)) -> Vec<String> {
    let mut told: Vec<String> = std::iter::from_fn(|| hear(&mut output)).take(count).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    told.extend(std::iter::from_fn(|| hear(&mut output)));
    told
}

#[test]
fn the_claim_of_a_process_that_is_killed_is_free() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    inbox.put(&call("하나", 0)).unwrap();
    let (mut child, mut output) = start("hold", root.path());
    assert_eq!(hear(&mut output).as_deref(), Some("held"));
    assert!(inbox.claim().unwrap().is_none(), "another process has it");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(texts(&drain(&inbox)), ["하나"]);
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_done_comes_back_whoever_is_killed() {
    let root = tempfile::tempdir().unwrap();
    let inbox = Inbox::at(root.path());
    let (mut acknowledged, mut begun, mut done) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for round in 0..25 {
        let putters = [start("put", root.path()), start("put", root.path())];
        for (number, putter) in putters.into_iter().enumerate() {
            acknowledged.extend(kill_after((round * 3 + number * 2) % 11, putter));
        }
        if inbox.len().unwrap() > 0 {
            let told = kill_after(round % 13, start("work", root.path()));
            for id in told.iter().filter_map(|told| told.strip_prefix("done ")) {
                assert!(done.insert(id.to_owned()), "{id} was done twice");
            }
            // Whoever is killed may have done what it had begun, and never told.
            let last = told.last().and_then(|told| told.strip_prefix("begun "));
            begun.extend(last.map(str::to_owned));
        }
    }
    let rest = drain(&inbox);
    assert!(rest.iter().map(|(id, _)| id).is_sorted(), "in the order of time");
    for (id, call) in &rest {
        assert!(done.insert(id.to_string()), "{id} came back");
        assert!(text_of(call).ends_with('번'), "{id} is whole");
    }
    let lost: Vec<&String> = acknowledged.difference(&done).filter(|id| !begun.contains(*id)).collect();
    assert!(lost.is_empty(), "{lost:?} were acknowledged and are lost");
    assert!(acknowledged.len() > 100 && done.len() > 100, "{} and {}", acknowledged.len(), done.len());
    assert_eq!(inbox.aside_len().unwrap(), 0, "nobody who is killed leaves half a call");
}
