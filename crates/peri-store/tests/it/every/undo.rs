//! Promotions that are undone.

use peri_store::{Lapsed, Matters, Store, StoreError, Trashed, Write, Written};
use peri_types::{Happening, Layer, Memory, MemoryId, Scope};

use super::{
    events, expiring, forget, get, important, make, nobody, of_layer, store_it, told_after, under_key,
    vector_of,
};
use crate::support::{at, keep, ns, open};

fn promote(store: &dyn Store, sources: &[&Memory], to: Layer) -> Memory {
    let sources = sources.iter().map(|source| source.id).collect();
    match make(store, Write::Promote { namespace: ns("a"), sources, to, at: at(60) }) {
        Written::Promoted(Some(promoted)) => *promoted,
        other => panic!("not promoted: {other:?}"),
    }
}

fn undo(scope: Scope, id: MemoryId) -> Write {
    Write::UndoPromotion { scope, id, working_until: Some(at(500)), at: at(70) }
}

#[test]
fn what_was_promoted_stands_for_itself_again_and_is_not_promoted_once_more() {
    let (_house, store) = open();
    let held = important(under_key(Some("대화"), "목표", "이사한다", 10), 0.9);
    let held = store_it(&*store, expiring(held, 100), 0.25);
    let plain = store_it(&*store, of_layer(Layer::Episodic, Some("대화"), "만났다", 20), 0.75);
    let promoted = promote(&*store, &[&held, &plain], Layer::LongTerm);
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store).len());

    let Written::PromotionUndone(back) = make(&*store, undo(Scope::All, promoted.id)) else { panic!() };
    let mut expected = vec![held.clone(), plain.clone()];
    expected.sort_by_key(|memory| memory.id);
    for (memory, told) in expected.iter_mut().zip(&back) {
        (memory.updated_at, memory.change) = (at(70), told.change);
        memory.facets.promotion_undone = true;
        if memory.layer == Layer::Working {
            memory.facets.expires_at = Some(at(500));
        }
        assert!(told.change > head);
    }
    assert_eq!(back, expected);
    let ids: Vec<_> = expected.iter().map(|memory| memory.id).collect();
    assert_eq!(store.get(&Scope::All, &ids).unwrap(), expected);
    assert_eq!(get(&*store, promoted.id).unwrap().trashed_at, Some(at(70)));
    assert_eq!(store.all_edges(&ns("a")).unwrap(), []);
    assert_eq!(store.working_value(&ns("a"), Some("대화"), "목표").unwrap().map(|one| one.id), Some(held.id));
    assert_eq!(vector_of(&*store, &plain), Some(crate::support::vector(0.75).values));
    let what = Happening::PromotionUndone { id: promoted.id, sources: ids };
    assert_eq!(told_after(&*store, before), [(at(70), what)]);

    let matters = Some(Matters { importance_min: 0.0, recalls_min: 0 });
    let lapse = Write::Lapse { now: at(500), matters, limit: 9 };
    assert_eq!(make(&*store, lapse), Written::Lapsed(Lapsed { gone: 1, trashed: 0, promoted: 0 }));
    assert_eq!(get(&*store, held.id), None);
}

#[test]
fn what_was_not_promoted_or_is_gone_cannot_be_undone_and_nothing_changes() {
    let (_house, store) = open();
    let [source, other] =
        ["하나", "둘"].map(|text| store_it(&*store, of_layer(Layer::Episodic, None, text, 10), 0.5));
    let lasting = keep(&*store, "a", "lasting");
    let promoted = promote(&*store, &[&source], Layer::LongTerm);
    let trashed = promote(&*store, &[&other], Layer::LongTerm);
    store.write(vec![forget(&trashed, 61)]).unwrap();
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store));
    for id in [lasting.id, source.id, trashed.id] {
        let error = store.write(vec![undo(Scope::All, id)]).unwrap_err();
        assert!(matches!(error, StoreError::NotPromoted { id: told } if told == id), "{error}");
    }
    for (scope, id) in
        [(Scope::Exact(ns("b")), promoted.id), (Scope::Under(ns("a/b")), promoted.id), (Scope::All, nobody())]
    {
        let error = store.write(vec![undo(scope, id)]).unwrap_err();
        assert!(matches!(error, StoreError::NotFound { id: told } if told == id), "{error}");
    }
    assert_eq!((store.head(&ns("a")).unwrap(), events(&*store)), (head, before));
    assert_eq!(get(&*store, promoted.id), Some(promoted));
}

#[test]
fn a_memory_that_was_there_before_stays_when_what_it_stands_for_comes_back() {
    let (_house, store) = open();
    let held = store_it(&*store, under_key(None, "결정", "금요일", 10), 0.25);
    let twin = store_it(&*store, of_layer(Layer::LongTerm, None, "금요일", 20), 0.5);
    assert_eq!(promote(&*store, &[&held], Layer::Episodic).id, twin.id);
    let Written::PromotionUndone(back) = make(&*store, undo(Scope::Exact(ns("a")), twin.id)) else {
        panic!()
    };
    assert_eq!(back.iter().map(|memory| memory.id).collect::<Vec<_>>(), [held.id]);
    assert_eq!(get(&*store, twin.id).unwrap().trashed_at, None);
    assert_eq!(store.all_edges(&ns("a")).unwrap(), []);
    assert_eq!(store.stats(&Scope::All).unwrap()[0].memories, 2);
}

#[test]
fn what_somebody_put_in_its_place_meanwhile_keeps_a_source_away() {
    let (_house, store) = open();
    let held = store_it(&*store, under_key(Some("대화"), "목표", "이사한다", 10), 0.25);
    let promoted = promote(&*store, &[&held], Layer::Episodic);
    let meanwhile = store_it(&*store, under_key(Some("대화"), "목표", "남는다", 65), 0.5);
    let (head, before) = (store.head(&ns("a")).unwrap(), events(&*store));
    let error = store.write(vec![undo(Scope::All, promoted.id)]).unwrap_err();
    assert!(matches!(&error, StoreError::Duplicate { twin, .. } if *twin == meanwhile.id), "{error}");
    assert_eq!((store.head(&ns("a")).unwrap(), events(&*store)), (head, before));
    assert_eq!(get(&*store, promoted.id), Some(promoted), "nothing of it was done");
    let trash = peri_store::ListQuery { trashed: Trashed::Only, ..peri_store::ListQuery::default() };
    assert_eq!(store.list(&trash).unwrap().memories, []);
}
