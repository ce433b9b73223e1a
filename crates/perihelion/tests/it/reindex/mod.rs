//! Moving to another space: the old one answers until the new one is complete, and nobody mixes them.

mod failing;
mod following;
mod model;
mod prepared;
mod resuming;

use perihelion::{
    EngineChoice, ErrorKind, OldVectors, Pace, ReindexEnding, ReindexEngine, ReindexRequest, Remember,
    Revise, Scope, Stage, Trashed, Verdict,
};

use crate::support::{all, ask, contents, finds, keep, kind_of, ns, scope};
use model::{Model, reindex, request, statement, with};

const CELLAR: &str = "the zorblat stands in the cellar";

#[test]
fn the_old_space_answers_until_the_new_one_is_complete_and_then_the_new_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    keep(&old, CELLAR);
    old.remember_all((0..60).map(|number| Remember::new(statement(4 * number + 1))).collect()).unwrap();
    let new = with(folder.path(), &second);
    let mut looks = 0;
    let done = new
        .reindex(&request(), &mut |_| {
            looks += 1;
            for engine in [&old, &with(folder.path(), &first)] {
                let recalled = ask(engine, "quimpex");
                assert_eq!(contents(&recalled), [CELLAR], "by its meaning, at look {looks}");
                assert!(recalled.degraded.is_empty());
            }
            assert_eq!(ask(&new, "zorblat").degraded.len(), 1, "the new one does not answer yet");
            Pace::GoOn
        })
        .unwrap();
    assert!(looks > 8, "{looks}");
    assert_eq!((done.ending, done.embedded, done.failed), (ReindexEnding::Switched, 61, 0));
    assert_eq!((done.from, done.to), (Some(first_space()), new.space()));

    let recalled = ask(&new, "quimpex");
    assert_eq!(contents(&recalled), [CELLAR], "the new one knows it by its meaning");
    assert!(recalled.degraded.is_empty());
    assert!(recalled.hits[0].explanation.parts.iter().any(|part| part.stage == Stage::Meaning));
    assert!(all(&new, Trashed::Without).iter().all(|memory| memory.space == new.space()));
    assert!(new.doctor().iter().all(|check| check.verdict == Verdict::Ok), "{:?}", new.doctor());

    let recalled = ask(&old, "zorblat in the cellar");
    assert!(contents(&recalled).contains(&CELLAR), "whoever cannot start the new one goes on by words");
    assert!(recalled.degraded[0].contains("second/8"), "{:?}", recalled.degraded);
    assert!(ask(&old, "quimpex").hits.is_empty(), "and never with vectors of another space");
}

fn first_space() -> perihelion::SpaceId {
    perihelion::SpaceId { model: "first".to_owned(), dimensions: 8 }
}

#[test]
fn what_others_write_meanwhile_is_there_afterwards_with_its_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    let ids: Vec<_> = (0..64).map(|number| keep(&old, &statement(number))).collect();
    let new = with(folder.path(), &second);
    let mut look = 0;
    let done = new
        .reindex(&request(), &mut |_| {
            if look < 8 {
                keep(&old, &statement(1000 + look));
                let content = Some(format!("{} revised{look}x", model::CONCEPTS[3][0]));
                old.revise(&Scope::All, ids[8 * look], Revise { content, ..Revise::default() }).unwrap();
                old.forget(&Scope::All, ids[8 * look + 1]).unwrap();
                if look % 2 == 0 {
                    old.purge(&Scope::All, ids[8 * look + 1]).unwrap();
                }
                old.maintain().unwrap();
            }
            look += 1;
            Pace::GoOn
        })
        .unwrap();
    assert_eq!(done.ending, ReindexEnding::Switched);
    let (there, trashed) = (all(&new, Trashed::Without), all(&new, Trashed::Only));
    assert_eq!((there.len(), trashed.len()), (64 - 8 + 8, 4));
    for memory in there.iter().chain(&trashed) {
        assert_eq!(memory.space, new.space(), "{}", memory.content);
    }
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 0);
    let restored = new.restore(&Scope::All, trashed[0].id).unwrap();
    assert_eq!(restored.space, new.space(), "what comes back from the trash has its meaning");
    let all_of_last = perihelion::Recall::new("wilmagon").limit(100);
    let found = new.recall(&all_of_last).unwrap();
    assert!(
        (0..8)
            .all(|look| contents(&found).iter().any(|content| content.ends_with(&format!("revised{look}x"))))
    );
}

#[test]
fn of_two_at_once_one_is_told_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    (0..20).for_each(|number| {
        keep(&old, &statement(number));
    });
    let (new, other) = (with(folder.path(), &second), with(folder.path(), &second));
    let mut refused = Vec::new();
    let done = new
        .reindex(&request(), &mut |_| {
            refused.push(kind_of(other.reindex(&request(), &mut |_| Pace::GoOn)));
            Pace::GoOn
        })
        .unwrap();
    assert_eq!(done.ending, ReindexEnding::Switched);
    assert!(refused.iter().all(|kind| *kind == Some(ErrorKind::Busy)), "{refused:?}");
    assert_eq!(reindex(&other).ending, ReindexEnding::Current, "then there is nothing left to do");
}

#[test]
fn one_namespace_can_be_done_first_and_answers_with_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    keep(&old, CELLAR);
    old.remember(Remember::new("the zorblat of the team").in_namespace(ns("team/하나"))).unwrap();
    let new = with(folder.path(), &second);
    let only = ReindexRequest { scope: scope("team/*"), ..request() };
    let done = new.reindex(&only, &mut |_| Pace::GoOn).unwrap();
    assert_eq!((done.ending, done.embedded), (ReindexEnding::OthersLeft, 1));
    assert!(finds(&old, "quimpex", CELLAR), "the old space answers");
    second.asked();
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded), (ReindexEnding::Switched, 1));
    assert_eq!(second.asked(), 1, "what was done is not done again");
}

#[test]
fn texts_that_the_new_model_does_not_know_are_asked_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    let (korean, chinese) = ("회의는 화요일에 있다", "会议在星期二");
    for content in [korean, chinese, CELLAR] {
        keep(&old, content);
    }
    let new = with(folder.path(), &second);
    let stopped = new.reindex(&ReindexRequest { batch: 2, ..request() }, &mut |now| {
        if now.done > 0 { Pace::Stop } else { Pace::GoOn }
    });
    assert_eq!(stopped.unwrap().ending, ReindexEnding::Stopped);
    assert_eq!(second.asked(), 2);
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded + done.without), (ReindexEnding::Switched, 1));
    assert_eq!(second.asked(), 1);
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 0, "none waits for what will not come");
    assert!(finds(&new, "화요일 회의", korean) && finds(&new, "会议", chinese));
    assert!(new.doctor().iter().all(|check| check.verdict == Verdict::Ok), "{:?}", new.doctor());
}

#[test]
fn the_way_back_is_short_until_the_old_vectors_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    (0..30).for_each(|number| {
        keep(&old, &statement(number));
    });
    let new = with(folder.path(), &second);
    let done = reindex(&new);
    let held = |done: &perihelion::Reindexed| -> Vec<(String, u64, u64)> {
        done.spaces.iter().map(|one| (one.space.model.clone(), one.vectors, one.bytes)).collect()
    };
    assert_eq!(held(&done), [("first".to_owned(), 30, 480), ("second".to_owned(), 30, 480)]);
    keep(&new, &statement(30));
    first.asked();
    let back = reindex(&old);
    assert_eq!((back.ending, back.embedded), (ReindexEnding::Switched, 1), "only what came since");
    assert_eq!(first.asked(), 1);
    assert_eq!(ask(&old, "quimpex").hits.len(), 8);
    let drop_old = ReindexRequest { old: OldVectors::Dropped, ..request() };
    let done = old.reindex(&drop_old, &mut |_| Pace::GoOn).unwrap();
    assert_eq!((done.ending, done.dropped), (ReindexEnding::Current, 31));
    assert_eq!(held(&done), [("first".to_owned(), 31, 496)]);
}

#[test]
fn vectors_of_the_space_before_the_last_go_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let models = [Model::new("first", 0), Model::new("second", 1), Model::new("third", 2)];
    keep(&with(folder.path(), &models[0]), CELLAR);
    reindex(&with(folder.path(), &models[1]));
    let done = reindex(&with(folder.path(), &models[2]));
    let left: Vec<_> = done.spaces.iter().map(|one| one.space.model.as_str()).collect();
    assert_eq!((left, done.dropped), (vec!["second", "third"], 1));
}

#[test]
fn an_index_that_was_saved_before_does_not_hide_vectors_that_were_made_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    first.refuse("fendrilo");
    let late = keep(&old, "the fendrilo came late");
    old.remember_all((0..200).map(|number| Remember::new(statement(4 * number))).collect()).unwrap();
    ask(&old, "zorblat");
    old.close().unwrap();
    assert_eq!(crate::support::snapshots(folder.path()).len(), 1, "the case needs a saved index");
    let new = with(folder.path(), &second);
    reindex(&new);
    first.mend();
    let old = with(folder.path(), &first);
    assert_eq!(reindex(&old).ending, ReindexEnding::Switched);
    old.close().unwrap();
    let old = with(folder.path(), &first);
    assert_eq!(ask(&old, "maskora").hits[0].memory.id, late);
}

#[test]
fn without_a_model_words_answer_and_the_bundled_one_comes_back_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, other) = (crate::support::open(folder.path()), crate::support::open(folder.path()));
    let tea = "Ana prefers tea over coffee";
    keep(&engine, tea);
    assert!(finds(&other, "what does Ana like to drink?", tea));
    let to = |choice| ReindexRequest { engine: ReindexEngine::Choice(choice), ..request() };
    let done = engine.reindex(&to(EngineChoice::Off), &mut |_| Pace::GoOn).unwrap();
    assert_eq!((done.ending, done.to), (ReindexEnding::Switched, None));
    for engine in [&engine, &other, &crate::support::open(folder.path())] {
        assert_eq!(engine.space(), None);
        let recalled = ask(engine, "tea");
        assert_eq!(contents(&recalled), [tea], "by its words");
        assert!(recalled.degraded.is_empty(), "that was chosen");
    }
    let done = other.reindex(&ReindexRequest::default(), &mut |_| Pace::GoOn).unwrap();
    assert_eq!(done.ending, ReindexEnding::Current, "what was chosen is what is gone on with");
    let done = other.reindex(&to(EngineChoice::Bundled), &mut |_| Pace::GoOn).unwrap();
    assert_eq!((done.ending, done.embedded), (ReindexEnding::Switched, 0), "the vectors were kept");
    assert!(finds(&engine, "what does Ana like to drink?", tea));
}
