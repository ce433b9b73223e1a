//! Which engine a process works with: the store's, whatever the settings name, and it is told what to do about it.

use perihelion::{
    EngineChoice, Options, Pace, Perihelion, ReindexEnding, ReindexEngine, ReindexRequest, Scope, Verdict,
};

use super::model::{Model, reindex, request, with};
use crate::support::{ask, contents, finds, keep, open, options};

const TEA: &str = "Ana prefers tea over coffee";
const DRINK: &str = "what does Ana like to drink?";

fn vectors(engine: &Perihelion) -> (Verdict, String) {
    let check = engine.doctor().into_iter().find(|check| check.name == "vectors").unwrap();
    (check.verdict, check.detail)
}

#[test]
fn settings_that_name_another_engine_lose_no_meaning_and_it_is_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    keep(&open(folder.path()), TEA);
    let engine = EngineChoice::Transformer { folder: folder.path().join("models/새로운") };
    let engine = Perihelion::open(Options { engine, ..options(folder.path()) }).unwrap();
    let recalled = ask(&engine, DRINK);
    assert_eq!(contents(&recalled), [TEA], "the old engine still answers");
    assert!(recalled.degraded.is_empty());
    let (verdict, detail) = vectors(&engine);
    assert_eq!(verdict, Verdict::Warning);
    assert!(detail.contains("1 memories are in the space") && detail.contains("peri reindex"), "{detail}");
    assert!(detail.contains("models/새로운"), "{detail}");
    assert!(engine.health().warnings.iter().any(|warning| warning.contains("peri reindex")));
    assert!(engine.spaces().unwrap().asked_otherwise);
    keep(&engine, "The staging server is called Ganymede");
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 0, "new ones go where the others are");
}

#[test]
fn what_was_chosen_instead_of_the_settings_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let brought = Model::new("brought", 0);
    keep(&with(folder.path(), &brought), "the zorblat drinks tea");
    let engine = with(folder.path(), &brought);
    let to = ReindexRequest { engine: ReindexEngine::Choice(EngineChoice::Bundled), ..request() };
    assert_eq!(engine.reindex(&to, &mut |_| Pace::GoOn).unwrap().ending, ReindexEnding::Switched);
    for engine in [engine, with(folder.path(), &brought), open(folder.path())] {
        let (verdict, detail) = vectors(&engine);
        assert_eq!(verdict, Verdict::Ok, "{detail}");
        assert!(!engine.spaces().unwrap().asked_otherwise);
        assert!(ask(&engine, "who drinks tea?").degraded.is_empty());
        assert!(engine.health().warnings.iter().all(|warning| !warning.contains("reindex")));
        assert_eq!(reindex(&engine).ending, ReindexEnding::Current, "and asking again changes nothing");
    }
    let third = with(folder.path(), &Model::new("third", 1));
    assert_eq!(vectors(&third).0, Verdict::Warning, "settings that were changed since are told of");
}

#[test]
fn a_store_without_vectors_takes_whichever_engine_comes() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let one = with(folder.path(), &first);
    let korean = "회의는 화요일에 있다";
    keep(&one, korean);
    assert_eq!(one.stats(&Scope::All).unwrap().unembedded, 0);
    let other = with(folder.path(), &second);
    assert_eq!(other.space().unwrap().model, "second");
    assert_eq!(other.stats(&Scope::All).unwrap().unembedded, 1, "another engine may know the language");
    assert_eq!(vectors(&other).0, Verdict::Warning);
    other.maintain().unwrap();
    assert_eq!(vectors(&other).0, Verdict::Ok);
    assert!(finds(&one, "화요일", korean), "the first goes on by words");
    keep(&other, "the zorblat stands in the cellar");
    let again = with(folder.path(), &first);
    assert_eq!(again.space(), None, "now there is something to lose");
}

#[test]
fn a_folder_that_can_only_be_asked_by_words_keeps_new_memories_waiting_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let brought = Model::new("brought", 0);
    keep(&with(folder.path(), &brought), "the zorblat stands in the cellar");
    let plain = open(folder.path());
    let new = "the fendrilo stands in the garage";
    keep(&plain, new);
    plain.maintain().unwrap();
    let recalled = ask(&plain, "fendrilo");
    assert_eq!(contents(&recalled), [new]);
    assert!(recalled.degraded[0].contains("brought/8"), "{:?}", recalled.degraded);
    assert!(recalled.degraded[0].contains("the bundled engine"), "{:?}", recalled.degraded);
    let engine = with(folder.path(), &brought);
    engine.maintain().unwrap();
    assert!(finds(&engine, "maskora", new));
    assert_eq!(reindex(&plain).ending, ReindexEnding::Switched);
    assert!(ask(&plain, "fendrilo").degraded.is_empty());
}

#[test]
fn switched_off_by_the_settings_stays_off() {
    let folder = tempfile::tempdir().unwrap();
    keep(&open(folder.path()), TEA);
    let off = Perihelion::open(Options { engine: EngineChoice::Off, ..options(folder.path()) }).unwrap();
    assert_eq!(off.space(), None);
    let recalled = ask(&off, "tea");
    assert_eq!(contents(&recalled), [TEA]);
    assert!(recalled.degraded.is_empty());
    assert!(off.health().warnings.iter().all(|warning| !warning.contains("reindex")));
}
