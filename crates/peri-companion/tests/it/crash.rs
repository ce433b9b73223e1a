//! Breaks at every moment, after which the end is the same as without one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use peri_companion::{Rules, Settings, Stepped, When};
use peri_notes::{
    Collection, Draft, Fate, FileSettings, FileShelf, Key, MemoryShelf, NotesError, Priority, Shelf, Step,
    Watch,
};

use crate::shelves::{Break, Breaking};
use crate::support::*;

/// What is said, turn by turn.
const TURNS: [&[&str]; 3] = [
    &[
        "We decided to use MySQL for the orders database.",
        "앞으로 항상 한국어로 답해줘.",
        "提交之前必须先跑测试。",
    ],
    &[
        "We moved the orders database from MySQL to Postgres.",
        "I prefer tabs over spaces.",
        "My name is Dana.",
    ],
    &[
        "We still need to write the release notes.",
        "절대 금요일에는 배포하지 마.",
        "I always want short answers.",
    ],
];

/// So low that every step is made.
pub fn settings() -> Settings {
    Settings {
        observe_tokens_min: 20,
        reflect_tokens: 60,
        reflect_target_tokens: 40,
        promote_tokens: 20,
        compact_tokens: 45,
        compact_target_tokens: 40,
        ..Settings::default()
    }
}

/// The digest is condensed because of this.
pub fn prepare(shelf: Arc<dyn Shelf>) {
    let desk = desk(shelf);
    let add = |digest: &mut peri_notes::Digest, now| {
        for text in ["The team eats at noon on most days.", "The office has two floors and a garden."] {
            digest.sheet.add(Draft::new(Priority::Low, text), now).unwrap();
        }
    };
    desk.notes().update_digest(&team(), add).unwrap();
}

pub fn desk(shelf: Arc<dyn Shelf>) -> Desk {
    Desk::new(shelf, Arc::new(Rules::default()), settings())
}

/// Finishes what was begun and tells the rest of the story, from a turn on, until something breaks. A turn that was not
/// confirmed is told again.
pub fn tell(desk: &Desk, next: &mut usize) -> Result<Stepped, NotesError> {
    desk.companion.step(&team(), &desk.session, When::Due)?;
    while let Some(texts) = TURNS.get(*next) {
        let messages: Vec<_> = texts.iter().map(|text| user(text)).collect();
        drop(desk.companion.keep(&team(), &desk.session, &messages, &["점심은 열두 시다.".to_owned()])?);
        *next += 1;
        desk.companion.step(&team(), &desk.session, When::Due)?;
    }
    desk.companion.step(&team(), &desk.session, When::Now)
}

/// Everything that is kept.
pub fn held(shelf: &dyn Shelf) -> BTreeMap<Key, String> {
    let mut held = BTreeMap::new();
    for collection in Collection::ALL {
        for key in shelf.list(&team(), *collection).unwrap() {
            let text = match collection.shape() {
                peri_notes::Shape::Document => shelf.read(&team(), &key).unwrap().unwrap().text,
                peri_notes::Shape::Log => shelf.lines(&team(), &key).unwrap().join("\n"),
            };
            held.insert(key, text);
        }
    }
    held
}

/// What is kept at the end if nothing breaks.
pub fn unbroken() -> BTreeMap<Key, String> {
    let shelf = Arc::new(MemoryShelf::default());
    prepare(Arc::clone(&shelf) as Arc<dyn Shelf>);
    tell(&desk(Arc::clone(&shelf) as Arc<dyn Shelf>), &mut 0).unwrap();
    held(shelf.as_ref())
}

#[test]
fn every_step_is_made_in_the_story_that_is_broken_off() {
    let held = unbroken();
    let has = |collection| held.keys().any(|key| key.collection() == collection);
    assert!(has(Collection::Dropped) && has(Collection::Replaced) && has(Collection::Archive), "{held:#?}");
    assert!(!has(Collection::Pending) && !has(Collection::Trouble));
    let meta = held.iter().find(|(key, _)| key.collection() == Collection::Meta).unwrap().1;
    assert!(meta.contains("\"observations\": 3") && !meta.contains("\"reflections\": 0"), "{meta}");
    let digest = held.iter().find(|(key, _)| key.collection() == Collection::PersistentMeta).unwrap().1;
    assert!(digest.contains("compacted_at"), "{digest}");
}

#[test]
fn a_break_at_any_call_of_the_shelf_changes_nothing_in_the_end() {
    let wanted = unbroken();
    for how in [Break::Before, Break::After] {
        for at in 0.. {
            let shelf = Arc::new(MemoryShelf::default());
            prepare(Arc::clone(&shelf) as Arc<dyn Shelf>);
            let breaking = Arc::new(Breaking::new(&shelf, at, how));
            let mut next = 0;
            let told = tell(&desk(Arc::clone(&breaking) as Arc<dyn Shelf>), &mut next);
            assert_eq!(told.is_err(), breaking.is_broken(), "{told:?}");
            tell(&desk(Arc::clone(&shelf) as Arc<dyn Shelf>), &mut next).unwrap();
            assert_eq!(held(shelf.as_ref()), wanted, "broken off at call {at}, {how:?}");
            if !breaking.is_broken() {
                assert!(at > 100, "only {at} calls");
                break;
            }
        }
    }
}

/// Cuts the power at a step on the disk.
struct Cut {
    at: usize,
    step: AtomicUsize,
}

impl Watch for Cut {
    fn before(&self, _: Step, _: &Path) -> Fate {
        match self.step.fetch_add(1, Ordering::SeqCst).cmp(&self.at) {
            std::cmp::Ordering::Less => Fate::Go,
            std::cmp::Ordering::Equal => Fate::Half,
            std::cmp::Ordering::Greater => Fate::Fail,
        }
    }
}

#[test]
fn a_power_cut_at_steps_on_the_disk_changes_nothing_in_the_end() {
    /// Every one of them takes minutes; this one meets all sorts.
    const STRIDE: usize = 7;
    let wanted = unbroken();
    for at in (0..).step_by(STRIDE) {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("notes");
        let whole = || Arc::new(FileShelf::new(&folder, FileSettings::default()));
        prepare(whole());
        let cut = Arc::new(Cut { at, step: AtomicUsize::new(0) });
        let watched =
            FileShelf::watched(&folder, FileSettings::default(), Arc::clone(&cut) as Arc<dyn Watch>);
        let mut next = 0;
        let told = tell(&desk(Arc::new(watched)), &mut next);
        let is_over = cut.step.load(Ordering::SeqCst) <= at;
        assert!(told.is_ok() || !is_over, "{told:?}");
        tell(&desk(whole()), &mut next).unwrap();
        assert_eq!(held(whole().as_ref()), wanted, "cut at step {at}");
        if is_over {
            assert!(at > 100, "only {at} steps");
            break;
        }
    }
}
