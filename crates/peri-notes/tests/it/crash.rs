//! Power cuts after every step, and processes that are killed in between.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use peri_notes::{
    Change, Collection, Commit, Fate, FileSettings, FileShelf, Key, Shelf, ShelfError, Step, Watch,
};
use proptest::prelude::*;

use crate::support::*;

/// What a namespace holds, documents and logs.
type Held = BTreeMap<Key, String>;

fn held(shelf: &dyn Shelf) -> Held {
    let mut held = Held::new();
    for collection in Collection::ALL {
        for key in shelf.list(&team(), *collection).unwrap() {
            let text = shelf.read(&team(), &key).unwrap().unwrap().text;
            held.insert(key, text);
        }
    }
    held
}

/// Breaks off at a step, counted from zero.
struct Breaker {
    at: usize,
    how: Fate,
    after: After,
    step: AtomicUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// Nothing happens any more: the power is gone.
    Dead,
    /// That one step failed, and all others work.
    Alive,
}

impl Watch for Breaker {
    fn before(&self, _: Step, _: &Path) -> Fate {
        let step = self.step.fetch_add(1, Ordering::SeqCst);
        match step.cmp(&self.at) {
            std::cmp::Ordering::Less => Fate::Go,
            std::cmp::Ordering::Equal => self.how,
            std::cmp::Ordering::Greater if self.after == After::Alive => Fate::Go,
            std::cmp::Ordering::Greater => Fate::Fail,
        }
    }
}

fn broken(root: &Path, at: usize, how: Fate, after: After) -> (FileShelf, Arc<Breaker>) {
    let watch = Arc::new(Breaker { at, how, after, step: AtomicUsize::new(0) });
    let settings = FileSettings::default();
    (FileShelf::watched(root.join("notes"), settings, Arc::clone(&watch) as Arc<dyn Watch>), watch)
}

fn key(collection: Collection, name: &str) -> Key {
    Key::named(collection, name).unwrap()
}

fn put(collection: Collection, name: &str, text: &str) -> Change {
    Change::Put { key: key(collection, name), text: text.to_owned() }
}

fn append(collection: Collection, name: &str, lines: &[&str]) -> Change {
    Change::Append {
        key: key(collection, name),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    }
}

/// What is there before, and what is changed: every sort of change, in new and in old files and folders.
fn example() -> (Vec<Change>, Vec<Change>) {
    let long = "긴 이름 ".repeat(40);
    let before = vec![
        put(Collection::Observations, "회의", "옛 기록\n"),
        put(Collection::Inject, "회의", ""),
        append(Collection::Pending, "회의", &["{\"하나\":1}", "{\"둘\":2}"]),
        append(Collection::Conversations, "회의", &["{}"]),
    ];
    let changes = vec![
        put(Collection::Observations, "회의", "새 기록 新记录\n"),
        Change::Remove { key: key(Collection::Inject, "회의") },
        Change::Clear { key: key(Collection::Pending, "회의") },
        append(Collection::Pending, "회의", &["{\"셋\":3}"]),
        append(Collection::Conversations, "회의", &["{\"말\":\"넷\"}", "{}"]),
        append(Collection::Candidates, &long, &["{\"후보\":\"다섯\"}"]),
        put(Collection::Archive, "recent_1", "# 보관\n"),
    ];
    (before, changes)
}

/// What is held before and after.
fn ends(before: &[Change], changes: &[Change]) -> (Held, Held) {
    let root = tempfile::tempdir().unwrap();
    let shelf = patient(root.path());
    assert_eq!(shelf.commit(&team(), before, &[]).unwrap(), Commit::Done);
    let old = held(&shelf);
    assert_eq!(shelf.commit(&team(), changes, &[]).unwrap(), Commit::Done);
    (old, held(&shelf))
}

/// Commits with a break at one step. Answers whether the step was reached.
fn check(
    before: &[Change],
    changes: &[Change],
    (old, new): &(Held, Held),
    cut: (usize, Fate, After),
) -> bool {
    let root = tempfile::tempdir().unwrap();
    let (at, how, after) = cut;
    assert_eq!(patient(root.path()).commit(&team(), before, &[]).unwrap(), Commit::Done);
    let (shelf, watch) = broken(root.path(), at, how, after);
    let answer = shelf.commit(&team(), changes, &[]);
    let reached = watch.step.load(Ordering::SeqCst) > at;
    drop(shelf);
    let found = held(&patient(root.path()));
    assert!(found == *old || found == *new, "half of it at {cut:?}: {found:?}");
    match answer {
        Ok(Commit::Done) => assert_eq!(found, *new, "it was promised at {cut:?}"),
        Ok(Commit::Stale) => panic!("nothing was expected"),
        Err(_) if after == After::Alive => assert_eq!(found, *old, "it was denied at {cut:?}"),
        Err(error) => assert!(matches!(error, ShelfError::Disk { .. }), "{error}"),
    }
    let rest = left_over(root.path());
    assert!(rest.iter().all(|path| path.extension().is_some_and(|end| end == "part")), "{rest:?}");
    let again = patient(root.path()).commit(&team(), &[put(Collection::Meta, "next", "next")], &[]);
    assert_eq!(again.unwrap(), Commit::Done, "others go on");
    reached
}

#[test]
fn whichever_step_is_the_last_all_changes_are_made_or_none() {
    let (before, changes) = example();
    let ends = ends(&before, &changes);
    let mut steps = 0;
    for after in [After::Dead, After::Alive] {
        for how in [Fate::Fail, Fate::Half] {
            steps = (0..).take_while(|at| check(&before, &changes, &ends, (*at, how, after))).count();
        }
    }
    assert!(steps > 30, "only {steps} steps were watched");
}

#[test]
fn whoever_finishes_may_be_broken_off_at_any_step_too() {
    let (before, changes) = example();
    let (old, new) = ends(&before, &changes);
    let begin = |root: &Path, at: usize| {
        assert_eq!(patient(root).commit(&team(), &before, &[]).unwrap(), Commit::Done);
        let answer = broken(root, at, Fate::Half, After::Dead).0.commit(&team(), &changes, &[]);
        answer.is_ok()
    };
    let decided = (0..).find(|at| begin(tempfile::tempdir().unwrap().path(), *at)).unwrap();
    let mut longest = 0;
    for first in [decided, decided + 4, decided + 9, decided + 14] {
        for second in 0.. {
            let root = tempfile::tempdir().unwrap();
            assert!(begin(root.path(), first));
            let (shelf, watch) = broken(root.path(), second, Fate::Half, After::Dead);
            let read = shelf.read(&team(), &key(Collection::Observations, "회의"));
            drop(shelf);
            assert_eq!(held(&patient(root.path())), new, "broken off at {first} and at {second}");
            if watch.step.load(Ordering::SeqCst) <= second {
                assert_eq!(read.unwrap().unwrap().text, new[&key(Collection::Observations, "회의")]);
                longest = longest.max(second);
                break;
            }
        }
    }
    assert!(longest > 20 && old != new, "{longest} steps");
}

/// Any change of a few keys.
fn any_change() -> impl Strategy<Value = Change> {
    let documents =
        prop_oneof![Just(Collection::Observations), Just(Collection::Inject), Just(Collection::Archive)];
    let logs = prop_oneof![Just(Collection::Pending), Just(Collection::Candidates)];
    let name = prop_oneof![Just("가"), Just("b"), Just("B/..")];
    let lines = proptest::collection::vec("[a-z가-힣一-龥]{1,9}", 0..4);
    prop_oneof![
        (documents.clone(), name.clone(), "[a-z가-힣\n]{0,20}")
            .prop_map(|(collection, name, text)| put(collection, name, &text)),
        (documents, name.clone()).prop_map(|(own, name)| Change::Remove { key: key(own, name) }),
        (logs.clone(), name.clone(), lines)
            .prop_map(|(own, name, lines)| Change::Append { key: key(own, name), lines }),
        (logs, name).prop_map(|(own, name)| Change::Clear { key: key(own, name) }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_changes_survive_any_break(
        before in proptest::collection::vec(any_change(), 0..5),
        changes in proptest::collection::vec(any_change(), 1..6),
        at in 0_usize..60,
        how in prop_oneof![Just(Fate::Fail), Just(Fate::Half)],
        after in prop_oneof![Just(After::Dead), Just(After::Alive)],
    ) {
        let ends = ends(&before, &changes);
        check(&before, &changes, &ends, (at, how, after));
    }
}

/// Names the folder, the role and the step of the process to be.
const ROLE: &str = "PERI_NOTES_TEST_ROLE";
const MARK: &str = "@@ ";

/// Tells at which step it is and waits, for ever if nobody answers.
struct Waiter {
    at: usize,
    step: AtomicUsize,
}

/// A shelf that stops before a step on the disk, counted from zero.
pub fn waiting(root: &Path, at: usize) -> FileShelf {
    let watch = Arc::new(Waiter { at, step: AtomicUsize::new(0) });
    FileShelf::watched(root.join("notes"), FileSettings::default(), watch)
}

impl Watch for Waiter {
    fn before(&self, step: Step, _: &Path) -> Fate {
        if self.step.fetch_add(1, Ordering::SeqCst) == self.at {
            tell(&format!("{step:?}"));
            std::io::stdin().read_exact(&mut [0]).ok();
        }
        Fate::Go
    }
}

pub fn tell(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

/// The child: changes what it is told to, or takes what nobody was given yet.
#[test]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (role, root) = role.split_once('=').unwrap();
    let root = Path::new(root);
    if let Some(at) = role.strip_prefix("hook ") {
        return crate::lending::hook(root, at.parse().unwrap());
    }
    if let Ok(at) = role.parse() {
        assert_eq!(waiting(root, at).commit(&team(), &example().1, &[]).unwrap(), Commit::Done);
        return tell("done");
    }
    let notes = notes(patient(root));
    tell("ready");
    std::io::stdin().read_exact(&mut [0]).unwrap();
    let taken = take_undelivered(&notes, &format!("{}", std::process::id()));
    tell(&taken.map_or_else(|| "nothing".to_owned(), |over| over.items[0].text.clone()));
}

pub fn start(role: &str, root: &Path) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["crash::worker", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{role}={}", root.display()));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

pub fn hear(output: &mut BufReader<std::process::ChildStdout>) -> String {
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0, "it tells something before it ends");
        if let Some((_, told)) = line.trim_end().split_once(MARK) {
            return told.to_owned();
        }
    }
}

#[test]
fn a_process_that_is_killed_at_any_step_has_changed_all_or_nothing() {
    let (before, changes) = example();
    let (old, new) = ends(&before, &changes);
    let (mut olds, mut news) = (0, 0);
    for at in 0.. {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(patient(root.path()).commit(&team(), &before, &[]).unwrap(), Commit::Done);
        let (mut child, mut output) = start(&at.to_string(), root.path());
        let told = hear(&mut output);
        child.kill().unwrap();
        child.wait().unwrap();
        let found = held(&patient(root.path()));
        if told == "done" {
            assert_eq!(found, new);
            break;
        }
        assert!(found == old || found == new, "killed before step {at}, {told}: {found:?}");
        if found == old { olds += 1 } else { news += 1 }
    }
    assert!(olds > 5 && news > 15, "killed {olds} times before it was decided and {news} times after");
}

#[test]
fn of_ten_processes_that_ask_at_once_one_is_given_the_notes() {
    let root = tempfile::tempdir().unwrap();
    let own = notes(patient(root.path()));
    own.update(&team(), &session("어제"), |record, now| {
        record.sheet.add(peri_notes::Draft::new(peri_notes::Priority::High, "하나뿐"), now);
    })
    .unwrap();
    let mut children: Vec<_> = (0..10).map(|_| start("take", root.path())).collect();
    children.iter_mut().for_each(|(_, output)| assert_eq!(hear(output), "ready"));
    for (child, _) in &mut children {
        child.stdin.take().unwrap().write_all(b"\n").unwrap();
    }
    let mut told: Vec<String> = children.iter_mut().map(|(_, output)| hear(output)).collect();
    for (mut child, mut output) in children {
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    told.sort();
    assert_eq!(told[..9], ["nothing"; 9]);
    assert_eq!(told[9], "하나뿐");
}
