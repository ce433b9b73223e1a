//! Models that cannot start or fail midway: the old space is left in place.

use perihelion::{
    EngineChoice, ErrorKind, Pace, ReindexEnding, ReindexEngine, ReindexRequest, Remember, Scope,
};

use super::model::{Model, reindex, request, statement, with};
use crate::support::{ask, contents, finds, keep, kind_of, open};

#[test]
fn a_model_that_cannot_start_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let tea = "Ana prefers tea over coffee";
    keep(&engine, tea);
    let before = engine.spaces().unwrap();
    let empty = tempfile::tempdir().unwrap();
    for model in [folder.path().join("없는 모델"), empty.path().to_owned()] {
        let choice = EngineChoice::Transformer { folder: model };
        let request = ReindexRequest { engine: ReindexEngine::Choice(choice), ..request() };
        let refused = engine.reindex(&request, &mut |_| Pace::GoOn);
        assert_eq!(kind_of(refused), Some(ErrorKind::Unavailable));
        assert_eq!(engine.spaces().unwrap(), before);
        assert!(finds(&engine, "what does Ana like to drink?", tea));
    }
    let again = engine.reindex(&request(), &mut |_| Pace::GoOn).unwrap();
    assert_eq!(again.ending, ReindexEnding::Current, "and nobody is held up");
}

#[test]
fn a_text_that_fails_is_told_and_holds_up_nobody_and_the_chores_try_again() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    old.remember_all((0..30).map(|number| Remember::new(statement(number))).collect()).unwrap();
    let poison = keep(&old, "poison in the tulvane");
    let new = with(folder.path(), &second);
    second.refuse("poison");
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded, done.failed), (ReindexEnding::Switched, 30, 1));
    assert_eq!(done.failures.iter().map(|one| one.id).collect::<Vec<_>>(), [poison]);
    assert!(done.failures[0].why.contains("second"), "{:?}", done.failures);
    assert_eq!(new.get(&Scope::All, poison).unwrap().space, None);
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 1);
    assert!(finds(&new, "poison", "poison in the tulvane"), "found by its words meanwhile");

    second.mend();
    new.maintain().unwrap();
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 0);
    assert_eq!(new.get(&Scope::All, poison).unwrap().space, new.space());
}

#[test]
fn too_many_failures_leave_the_old_space_in_place_and_what_was_embedded() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    old.remember_all((0..40).map(|number| Remember::new(statement(number))).collect()).unwrap();
    let new = with(folder.path(), &second);
    second.refuse("fendrilo");
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded, done.failed), (ReindexEnding::TooManyFailed, 30, 10));
    assert_eq!(done.failures.len(), 10);
    assert_eq!(ask(&old, "quimpex").hits.len(), 10, "the old space answers");
    assert!(ask(&old, "quimpex").degraded.is_empty());
    second.mend();
    second.asked();
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded, second.asked()), (ReindexEnding::Switched, 10, 10));
}

#[test]
fn a_model_that_fails_for_everything_is_given_up_soon() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    old.remember_all((0..500).map(|number| Remember::new(statement(number))).collect()).unwrap();
    let new = with(folder.path(), &second);
    second.refuse("");
    second.asked();
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded), (ReindexEnding::TooManyFailed, 0));
    assert!(second.asked() < 300, "it is not asked for every memory");
    assert_eq!(contents(&ask(&old, "quimpex")).len(), 10);
}

#[test]
fn the_only_memory_failing_is_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    keep(&old, &statement(0));
    let new = with(folder.path(), &second);
    second.refuse("");
    assert_eq!(reindex(&new).ending, ReindexEnding::TooManyFailed);
    assert!(finds(&old, "quimpex", &statement(0)));
}

#[test]
fn what_a_failing_engine_left_is_filled_in_by_reindexing_to_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let only = Model::new("only", 0);
    let engine = with(folder.path(), &only);
    only.refuse("");
    let ids: Vec<_> = (0..20).map(|number| keep(&engine, &statement(number))).collect();
    engine.forget(&Scope::All, ids[0]).unwrap();
    only.mend();
    let done = reindex(&engine);
    assert_eq!((done.ending, done.embedded), (ReindexEnding::Current, 20), "the trash included");
    assert_eq!(ask(&engine, "maskora").hits.len(), 5);
    let again = reindex(&engine);
    assert_eq!((again.ending, again.embedded), (ReindexEnding::Current, 0));
}
