//! One memory in the place of another: supersession, merges that can be undone, and taking memories over.

use peri_store::{
    Adopted, Change, Embedding, Links, Merge, OnConflict, Revision, Store, StoreError, WholeMemory, Write,
    Written,
};
use peri_types::{EdgeType, Importance, Memory, MemoryId, Scope};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::{at, keep, memory, ns, open, remember, vector};

fn get(store: &dyn Store, id: MemoryId) -> Memory {
    store.get(&Scope::All, &[id]).unwrap().remove(0)
}

fn supersede(older: &Memory, newer: &Memory) -> Write {
    Write::Supersede { namespace: ns("a"), older: older.id, newer: newer.id, at: at(5) }
}

fn merge(survivor: MemoryId, absorbed: MemoryId, second: i64) -> Write {
    Write::Merge { namespace: ns("a"), survivor, absorbed, at: at(second) }
}

fn split(id: MemoryId) -> Write {
    Write::Split { scope: Scope::All, id, at: at(90) }
}

fn revise(id: MemoryId, revision: Revision) -> Write {
    let (scope, revision) = (Scope::All, Box::new(revision));
    Write::Revise { scope, id, revision, expected_version: None, at: at(30) }
}

#[test]
fn what_takes_a_place_is_linked_to_what_had_it_and_ends_its_validity() {
    let (_folder, store) = open();
    let old = keep(&*store, "a", "old");
    let mut new = memory("a", "new");
    new.created_at = at(100);
    store.write(vec![remember(new.clone(), Embedding::Pending)]).unwrap();
    assert_eq!(store.write(vec![supersede(&old, &new)]).unwrap(), [Written::Superseded(true)]);
    let read = get(&*store, old.id);
    assert_eq!((read.facets.superseded_by, read.facets.valid_until), (Some(new.id), Some(at(100))));
    let edges = store.edges_of(&ns("a"), old.id).unwrap();
    assert_eq!((edges.len(), edges[0].source, edges[0].edge_type), (1, new.id, EdgeType::Supersedes));
}

#[test]
fn a_replacement_of_what_is_gone_replaced_or_in_a_circle_is_skipped_and_changes_nothing() {
    let (_folder, store) = open();
    let [one, two, three, gone] = ["one", "two", "three", "gone"].map(|content| keep(&*store, "a", content));
    let elsewhere = keep(&*store, "b", "elsewhere");
    let forget = Write::Forget { scope: Scope::All, id: gone.id, at: at(1) };
    store.write(vec![supersede(&one, &two), forget]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    for (older, newer) in
        [(&one, &three), (&two, &one), (&two, &two), (&two, &gone), (&gone, &two), (&two, &elsewhere)]
    {
        let skipped = store.write(vec![supersede(older, newer)]).unwrap();
        assert_eq!(skipped, [Written::Superseded(false)], "{} by {}", older.content, newer.content);
        let skipped = store.write(vec![merge(newer.id, older.id, 1)]).unwrap();
        assert_eq!(skipped, [Written::Consolidated(None)], "{} into {}", older.content, newer.content);
    }
    assert_eq!(store.head(&ns("a")).unwrap(), head);
}

#[test]
fn a_successor_that_comes_back_hides_the_older_one_again_although_that_was_revised_meanwhile() {
    let (_folder, store) = open();
    let (old, new) = (keep(&*store, "a", "old"), keep(&*store, "a", "new"));
    let forget = Write::Forget { scope: Scope::All, id: new.id, at: at(10) };
    store.write(vec![supersede(&old, &new), forget]).unwrap();
    assert_eq!(get(&*store, old.id).facets.superseded_by, None);
    let content = Some(("old, revised".to_owned(), Embedding::Pending));
    store.write(vec![revise(old.id, Revision { content, ..Revision::default() })]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    store.write(vec![Write::Restore { scope: Scope::All, id: new.id, at: at(40) }]).unwrap();
    assert_eq!(get(&*store, old.id).facets.superseded_by, Some(new.id));
    let told = store.changes(&ns("a"), None, head, 10).unwrap();
    let told = told.iter().any(|change| matches!(change, Change::Put { memory, .. } if memory.id == old.id));
    assert!(told, "indexes must look at the older one again");
}

#[test]
fn a_circle_or_a_successor_that_is_not_there_is_refused_by_a_revision_that_changes_nothing() {
    let (_folder, store) = open();
    let [one, two, three] = ["one", "two", "three"].map(|content| keep(&*store, "a", content));
    let elsewhere = keep(&*store, "b", "elsewhere");
    store.write(vec![supersede(&one, &two), supersede(&two, &three)]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    let by = |newer: MemoryId| Revision { superseded_by: Some(Some(newer)), ..Revision::default() };
    for newer in [one.id, two.id, three.id] {
        let error = store.write(vec![revise(three.id, by(newer))]).unwrap_err();
        assert!(matches!(error, StoreError::Circular { .. }), "{error}");
    }
    for newer in [elsewhere.id, MemoryId::generate(at(0))] {
        let error = store.write(vec![revise(three.id, by(newer))]).unwrap_err();
        assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    }
    assert_eq!((store.head(&ns("a")).unwrap(), get(&*store, three.id).version), (head, 1));
}

#[test]
fn what_was_said_once_more_after_it_was_replaced_is_a_memory_of_its_own() {
    let (_folder, store) = open();
    let (old, new) = (keep(&*store, "a", "old"), keep(&*store, "a", "new"));
    store.write(vec![supersede(&old, &new)]).unwrap();
    let again = memory("a", "old");
    let written = store.write(vec![remember(again.clone(), Embedding::Pending)]).unwrap();
    assert!(matches!(&written[0], Written::Stored(stored) if stored.id == again.id), "{written:?}");
    assert_eq!(get(&*store, again.id).facets.superseded_by, None);
    assert_eq!(get(&*store, old.id).facets.superseded_by, Some(new.id));
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn what_was_merged_and_is_said_once_more_joins_the_one_that_stands_for_it() {
    let (_folder, store) = open();
    let (kept, aside) = (keep(&*store, "a", "kept"), keep(&*store, "a", "aside"));
    store.write(vec![merge(kept.id, aside.id, 1)]).unwrap();
    let mut again = memory("a", "aside");
    again.facets.tags = vec!["said again".into()];
    let written = store.write(vec![remember(again, Embedding::Pending)]).unwrap();
    assert!(matches!(&written[0], Written::Merged(twin) if twin.id == kept.id), "{written:?}");
    assert_eq!(get(&*store, kept.id).facets.tags, ["said again"]);
}

#[test]
fn a_survivor_that_is_purged_sets_what_it_absorbed_free() {
    let (_folder, store) = open();
    let (kept, aside) = (keep(&*store, "a", "kept"), keep(&*store, "a", "aside"));
    let (scope, id) = (Scope::All, kept.id);
    store
        .write(vec![
            merge(kept.id, aside.id, 1),
            Write::Forget { scope: scope.clone(), id, at: at(2) },
            Write::Purge { scope, id, at: at(3) },
        ])
        .unwrap();
    assert_eq!(get(&*store, aside.id).facets.superseded_by, None);
    assert!(store.merges(&ns("a"), aside.id).unwrap().is_empty());
    let error = store.write(vec![split(aside.id)]).unwrap_err();
    assert!(matches!(error, StoreError::NotMerged { .. }), "{error}");
}

/// A memory with labels, an importance and a pin of its own.
fn labelled(number: usize, (tags, importance, pinned): &Labels) -> Memory {
    let mut memory = memory("a", &format!("statement {number}"));
    memory.facets.tags = tags.iter().map(|tag| format!("tag {tag}")).collect();
    memory.facets.aliases = tags.iter().map(|tag| format!("alias {tag}")).collect();
    memory.importance = Importance::new(f64::from(*importance) / 4.0).unwrap();
    memory.facets.pinned = *pinned;
    memory
}

type Labels = (std::collections::BTreeSet<u8>, u8, bool);

fn labels() -> impl Strategy<Value = Labels> {
    (prop::collection::btree_set(0_u8..4, 0..3), 0_u8..=4, prop::bool::weighted(0.3))
}

/// What of a memory a merge touches.
fn touched(memory: &Memory) -> (Vec<String>, Vec<String>, Importance, bool, Option<MemoryId>) {
    let facets = &memory.facets;
    let sorted = |labels: &[String]| {
        let mut labels = labels.to_vec();
        labels.sort();
        labels
    };
    let (tags, aliases) = (sorted(&facets.tags), sorted(&facets.aliases));
    (tags, aliases, memory.importance, facets.pinned, facets.superseded_by)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(0x5EED), failure_persistence: None, ..ProptestConfig::default() })]

    /// In whichever order merges are undone, at every moment the survivor has what it would have if only those that
    /// are still merged had ever been, and in the end all are as they were.
    #[test]
    fn merges_into_one_memory_can_be_undone_in_any_order(
        all in prop::collection::vec(labels(), 2..6),
        order in prop::collection::vec(any::<prop::sample::Index>(), 5),
    ) {
        let (_folder, store) = open();
        let memories: Vec<Memory> = all.iter().enumerate().map(|(at, own)| labelled(at, own)).collect();
        for memory in &memories {
            store.write(vec![remember(memory.clone(), Embedding::Pending)]).unwrap();
        }
        let (survivor, mut merged) = (memories[0].clone(), memories[1..].to_vec());
        for (second, absorbed) in merged.iter().enumerate() {
            store.write(vec![merge(survivor.id, absorbed.id, second as i64)]).unwrap();
        }
        for at in &order {
            let mut expected = survivor.clone();
            for absorbed in &merged {
                let facets = &mut expected.facets;
                for (own, other) in [(&mut facets.tags, &absorbed.facets.tags),
                    (&mut facets.aliases, &absorbed.facets.aliases)] {
                    let missing: Vec<_> = other.iter().filter(|one| !own.contains(one)).cloned().collect();
                    own.extend(missing);
                }
                facets.pinned |= absorbed.facets.pinned;
                if absorbed.importance > expected.importance {
                    expected.importance = absorbed.importance;
                }
            }
            prop_assert_eq!(touched(&get(&*store, survivor.id)), touched(&expected));
            if merged.is_empty() {
                break;
            }
            let absorbed = merged.remove(at.index(merged.len()));
            store.write(vec![split(absorbed.id)]).unwrap();
            prop_assert_eq!(touched(&get(&*store, absorbed.id)), touched(&absorbed));
        }
        prop_assert_eq!(touched(&get(&*store, survivor.id)), touched(&survivor));
    }
}

#[test]
fn a_split_leaves_alone_what_somebody_revised_since_the_merge() {
    let (_folder, store) = open();
    let kept = keep(&*store, "a", "kept");
    let asides = [("one", 0.75), ("two", 1.0)].map(|(content, importance)| {
        let mut aside = memory("a", content);
        aside.facets.tags = vec!["theirs".into(), content.into()];
        aside.importance = Importance::new(importance).unwrap();
        store.write(vec![remember(aside.clone(), Embedding::Pending)]).unwrap();
        store.write(vec![merge(kept.id, aside.id, 1)]).unwrap();
        aside
    });
    let own = Importance::new(0.25).unwrap();
    let (importance, tags) = (Some(own), Some(vec!["mine".to_owned(), "one".to_owned()]));
    store.write(vec![revise(kept.id, Revision { importance, tags, ..Revision::default() })]).unwrap();
    for aside in asides {
        store.write(vec![split(aside.id)]).unwrap();
        let now = get(&*store, kept.id);
        assert_eq!((now.importance, now.facets.tags), (own, vec!["mine".to_owned()]));
    }
}

fn whole(memory: &Memory, merge: Option<Merge>) -> Box<WholeMemory> {
    let embedding = Embedding::Ready(vector(0.5));
    let (memory, versions) = (memory.clone(), Vec::new());
    Box::new(WholeMemory {
        memory,
        versions,
        recalls: 0,
        last_used_at: None,
        embedding,
        merge,
        links: Links::Sought,
    })
}

#[test]
fn replacing_by_an_import_keeps_merges_whichever_memory_comes_first() {
    let (_folder, store) = open();
    // The absorbed one is the older: a batch is looked at after it was stored.
    let (aside, kept) = (keep(&*store, "a", "aside"), keep(&*store, "a", "kept"));
    store.write(vec![merge(kept.id, aside.id, 1)]).unwrap();
    let merges = store.merges(&ns("a"), kept.id).unwrap();
    let on_conflict = OnConflict::Replace;
    for id in [aside.id, kept.id] {
        let memory = get(&*store, id);
        let own = merges.iter().find(|merge| merge.absorbed == id).cloned();
        let adopted = store.write(vec![Write::Adopt { whole: whole(&memory, own), on_conflict, at: at(9) }]);
        assert_eq!(adopted.unwrap(), [Written::Adopted(Adopted::Replaced)]);
    }
    assert_eq!(store.merges(&ns("a"), kept.id).unwrap(), merges);
    store.write(vec![split(aside.id)]).unwrap();
    assert_eq!(get(&*store, aside.id).facets.superseded_by, None);
}

#[test]
fn a_memory_taken_over_from_the_trash_shows_again_what_it_had_replaced() {
    let (_folder, store) = open();
    let (old, new) = (keep(&*store, "a", "old"), keep(&*store, "a", "new"));
    store.write(vec![supersede(&old, &new)]).unwrap();
    let head = store.head(&ns("a")).unwrap();
    let mut trashed = get(&*store, new.id);
    trashed.trashed_at = Some(at(8));
    let adopt = Write::Adopt { whole: whole(&trashed, None), on_conflict: OnConflict::Replace, at: at(9) };
    store.write(vec![adopt]).unwrap();
    let told = store.changes(&ns("a"), None, head, 10).unwrap();
    let current = told.iter().any(|change| {
        matches!(change, Change::Put { memory, .. } if memory.id == old.id && memory.facets.superseded_by.is_none())
    });
    assert!(current, "indexes must look at the older one again: {told:?}");
    let graph = store.edge_changes(&ns("a"), head).unwrap().sources;
    assert!(graph.iter().any(|source| source.source == new.id && source.edges.is_empty()), "{graph:?}");
}

#[test]
fn what_was_taken_over_lies_in_the_trash_here_since_it_came() {
    let (_folder, store) = open();
    let mut old = memory("a", "forgotten long ago");
    old.trashed_at = Some(at(8));
    let adopt = Write::Adopt { whole: whole(&old, None), on_conflict: OnConflict::Keep, at: at(1000) };
    store.write(vec![adopt]).unwrap();
    let purge = |second| Write::PurgeTrashed { scope: Scope::All, before: at(second), at: at(2000) };
    let in_trash = |second| peri_store::ListQuery {
        trashed: peri_store::Trashed::Only,
        trashed_before: Some(at(second)),
        ..Default::default()
    };
    assert!(store.list(&in_trash(1000)).unwrap().memories.is_empty());
    assert_eq!(store.write(vec![purge(1000)]).unwrap(), [Written::Purged(0)]);
    assert_eq!(get(&*store, old.id).trashed_at, Some(at(8)), "when it was forgotten is still known");
    assert_eq!(store.list(&in_trash(1001)).unwrap().memories.len(), 1);
    assert_eq!(store.write(vec![purge(1001)]).unwrap(), [Written::Purged(1)]);
}
