//! Engines that a program prepared: they may be away for a while, and only their own program starts them.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use perihelion::embed::{EmbedError, Engine};
use perihelion::{
    EngineChoice, ErrorKind, Meaning, Options, Pace, Perihelion, PreparedEngine, ReindexEnding,
    ReindexRequest, Remember, Scope, SpaceId, Verdict,
};

use super::model::{Model, reindex};
use crate::support::{ask, contents, finds, keep, kind_of, open, options};

const CELLAR: &str = "the zorblat stands in the cellar";

/// A preparation of a model, and what it was started with.
struct Preparation {
    starts: Arc<AtomicU64>,
    known: Arc<Mutex<Option<SpaceId>>>,
    engine: PreparedEngine,
}

fn prepared(name: &str, model: &Arc<Model>) -> Preparation {
    let (starts, known): (Arc<AtomicU64>, Arc<Mutex<_>>) = Default::default();
    let (counted, told, model) = (Arc::clone(&starts), Arc::clone(&known), Arc::clone(model));
    let space = model.space().model.clone();
    let engine = PreparedEngine::new(name, move |known: Option<&SpaceId>| {
        counted.fetch_add(1, Ordering::SeqCst);
        *told.lock().unwrap() = known.cloned();
        Ok(Arc::clone(&model) as Arc<dyn Engine>)
    });
    Preparation { starts, known, engine: engine.of_model(space) }
}

fn with(folder: &Path, engine: PreparedEngine) -> Perihelion {
    Perihelion::open(Options { engine: EngineChoice::Prepared(engine), ..options(folder) }).unwrap()
}

#[test]
fn while_it_is_away_memories_are_kept_and_told_of_and_get_their_vectors_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::new("remote", 0);
    let engine = with(folder.path(), prepared("remote at A", &model).engine);
    keep(&engine, "the fendrilo sleeps");

    model.refuse("");
    let receipt = engine.remember(Remember::new(CELLAR)).unwrap();
    assert_eq!(receipt.meaning, Meaning::Pending);
    let recalled = ask(&engine, "zorblat");
    assert_eq!(contents(&recalled), [CELLAR], "by its words");
    assert!(recalled.degraded.iter().any(|why| why.contains("only words were searched")), "{recalled:?}");
    let doctor = engine.doctor();
    let check = doctor.iter().find(|check| check.name == "engine").unwrap();
    assert_eq!(check.verdict, Verdict::Warning, "{check:?}");

    model.mend();
    engine.maintain().unwrap();
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 0);
    let recalled = ask(&engine, "quimpex");
    assert_eq!((contents(&recalled), recalled.degraded.len()), (vec![CELLAR], 0), "by its meaning");
    let doctor = engine.doctor();
    let check = doctor.iter().find(|check| check.name == "engine").unwrap();
    assert_eq!((check.verdict, &check.detail[..]), (Verdict::Ok, "remote at A answers"));
}

#[test]
fn a_store_starts_no_engine_that_the_settings_do_not_name() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::new("remote", 0);
    keep(&with(folder.path(), prepared("remote at A", &model).engine), CELLAR);
    model.asked();
    let engine = open(folder.path());
    let recalled = ask(&engine, "zorblat in the cellar");
    assert_eq!(contents(&recalled), [CELLAR]);
    let why = &recalled.degraded[0];
    assert!(why.contains("remote at A, which the settings do not name here"), "{why}");
    assert!(why.contains("`peri reindex` moves them to the bundled engine"), "{why}");
    assert_eq!(reindex(&engine).ending, ReindexEnding::Switched);
    assert_eq!(model.asked(), 0);
}

#[test]
fn the_same_model_at_another_address_goes_on_in_its_space() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::new("remote", 0);
    let first = prepared("remote at A", &model);
    keep(&with(folder.path(), first.engine.clone()), CELLAR);
    assert_eq!((first.starts.load(Ordering::SeqCst), first.known.lock().unwrap().clone()), (1, None));

    let second = prepared("remote at B, or else the model in 폴더", &model);
    let engine = with(folder.path(), second.engine.clone());
    assert_eq!(second.known.lock().unwrap().as_ref(), Some(model.space()), "it is told how long vectors are");
    let recalled = ask(&engine, "quimpex");
    assert_eq!((contents(&recalled), recalled.degraded.len()), (vec![CELLAR], 0));
    assert!(!engine.spaces().unwrap().asked_otherwise);
    assert_eq!(reindex(&engine).ending, ReindexEnding::Current);
}

#[test]
fn memories_of_another_space_answer_as_before_until_they_are_moved() {
    let folder = tempfile::tempdir().unwrap();
    let tea = "Ana prefers tea over coffee";
    keep(&open(folder.path()), tea);
    let model = Model::new("remote", 0);
    let preparation = prepared("remote at A", &model);
    let engine = with(folder.path(), preparation.engine.clone());
    assert!(finds(&engine, "what does Ana like to drink?", tea));
    assert_eq!(preparation.starts.load(Ordering::SeqCst), 0, "nobody is asked before that");
    assert!(
        engine.health().warnings.iter().any(|warning| warning.contains("remote at A: run `peri reindex`"))
    );
    assert_eq!(reindex(&engine).to.as_ref(), Some(model.space()));
    assert_eq!(engine.space().as_ref(), Some(model.space()));
}

#[test]
fn one_that_does_not_start_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let failing =
        PreparedEngine::new("nothing at all", |_| Err(EmbedError::NotFinite { model: "remote".to_owned() }));
    let choice = EngineChoice::Prepared(failing.clone());
    let opened = Perihelion::open(Options { engine: choice.clone(), ..options(folder.path()) });
    assert_eq!(kind_of(opened), Some(ErrorKind::Unavailable));

    let engine = open(folder.path());
    keep(&engine, "Ana prefers tea over coffee");
    let before = engine.spaces().unwrap();
    let request =
        ReindexRequest { engine: perihelion::ReindexEngine::Choice(choice), ..ReindexRequest::default() };
    assert_eq!(kind_of(engine.reindex(&request, &mut |_| Pace::GoOn)), Some(ErrorKind::Unavailable));
    assert_eq!(engine.spaces().unwrap(), before);
}

#[test]
fn whoever_chose_it_instead_of_the_settings_is_not_moved_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::new("remote", 0);
    let engine = open(folder.path());
    keep(&engine, CELLAR);
    let choice = EngineChoice::Prepared(prepared("remote at A", &model).engine);
    let request =
        ReindexRequest { engine: perihelion::ReindexEngine::Choice(choice), ..ReindexRequest::default() };
    assert_eq!(engine.reindex(&request, &mut |_| Pace::GoOn).unwrap().ending, ReindexEnding::Switched);
    let later = open(folder.path());
    let moved = reindex(&later);
    assert_eq!(moved.to, later.space());
    assert!(moved.to.unwrap().model.starts_with("static"), "to what the settings name");
}
