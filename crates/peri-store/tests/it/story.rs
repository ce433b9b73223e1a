//! One memory's life, told against the trait so that every backend can run it.

use std::time::Duration;

use peri_store::{Embedding, ListQuery, Revision, StoreError, Trashed, Usage, Write, Written};
use peri_types::{Filter, Importance, Kind, MemoryId, Scope};

use crate::support::{at, keep, memory, ns, open, remember, space, vector};

fn everywhere() -> Scope {
    Scope::All
}

#[test]
fn what_was_stored_comes_back_whole() {
    let (_folder, store) = open();
    let mut given = memory("team/a", "김민수는 서울에 산다 🏙");
    given.facets.tags = vec!["home".into(), "people".into()];
    given.facets.aliases = vec!["minsu".into()];
    given.facets.session = Some("s1".into());
    given.facets.speaker = Some("Ana".into());
    given.facets.source = Some("chat".into());
    given.facets.occurred_at = Some(at(-100));
    given.facets.expires_at = Some(at(100));
    given.facets.pinned = true;
    given.facets.metadata.insert("n".into(), 3.into());
    given.importance = Importance::new(0.7).unwrap();
    let written = store.write(vec![remember(given.clone(), Embedding::Ready(vector(1.0)))]).unwrap();
    let Written::Stored(stored) = &written[0] else { panic!("{written:?}") };
    let read = store.get(&everywhere(), &[given.id]).unwrap().remove(0);
    assert_eq!(**stored, read);
    given.change = read.change;
    given.space = Some(space());
    assert_eq!(given, read);
}

#[test]
fn the_same_statement_is_merged_and_only_within_its_namespace() {
    let (_folder, store) = open();
    let first = keep(&*store, "a", "tea over coffee");
    let mut again = memory("a", "tea over coffee");
    again.facets.tags = vec!["drinks".into()];
    again.importance = Importance::new(0.9).unwrap();
    let written = store.write(vec![remember(again, Embedding::Pending)]).unwrap();
    let Written::Merged(merged) = &written[0] else { panic!("{written:?}") };
    assert_eq!(merged.id, first.id);
    assert_eq!(merged.facets.tags, ["drinks"]);
    assert!(merged.change > first.change && merged.space == Some(space()));
    let unchanged = store.write(vec![remember(memory("a", "tea over coffee"), Embedding::Pending)]).unwrap();
    assert_eq!(unchanged, written, "a merge that brings nothing new is no change");
    let other = keep(&*store, "b", "tea over coffee");
    assert_ne!(other.id, first.id);
    let mut said_later = memory("a", "tea over coffee");
    said_later.facets.session = Some("s2".into());
    let written = store.write(vec![remember(said_later, Embedding::Pending)]).unwrap();
    assert!(matches!(written[0], Written::Stored(_)), "the same words in a conversation are another event");
}

#[test]
fn a_batch_is_kept_whole_or_not_at_all() {
    let (_folder, store) = open();
    let good = memory("a", "one");
    let bad = Write::Forget { scope: everywhere(), id: MemoryId::generate(at(0)), at: at(1) };
    let error = store.write(vec![remember(good.clone(), Embedding::Pending), bad]).unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    assert!(store.get(&everywhere(), &[good.id]).unwrap().is_empty());
    keep(&*store, "a", "one");
}

#[test]
fn an_id_is_not_reused_for_other_content() {
    let (_folder, store) = open();
    let first = keep(&*store, "a", "one");
    let mut second = memory("a", "two");
    second.id = first.id;
    let error = store.write(vec![remember(second, Embedding::Pending)]).unwrap_err();
    assert!(matches!(error, StoreError::IdTaken { .. }), "{error}");
}

#[test]
fn revising_keeps_what_was_said_before() {
    let (_folder, store) = open();
    let first = keep(&*store, "a", "lives in Paris");
    let revise = |content: &str, expected_version, second| Write::Revise {
        scope: everywhere(),
        id: first.id,
        revision: Box::new(Revision {
            content: Some((content.into(), Embedding::Ready(vector(0.1)))),
            kind: Some(Kind::Observation),
            ..Revision::default()
        }),
        expected_version,
        at: at(second),
    };
    store.write(vec![revise("lives in Rome", Some(1), 10)]).unwrap();
    store.write(vec![revise("lives in Oslo", None, 20)]).unwrap();
    let error = store.write(vec![revise("lives in Bonn", Some(1), 30)]).unwrap_err();
    assert!(matches!(error, StoreError::VersionConflict { found: 3, .. }), "{error}");
    let now = store.get(&everywhere(), &[first.id]).unwrap().remove(0);
    assert_eq!((now.content.as_str(), now.version, now.kind), ("lives in Oslo", 3, Kind::Observation));
    let versions = store.versions(&ns("a"), first.id).unwrap();
    let told: Vec<_> = versions.iter().map(|v| (v.version, v.content.as_str(), v.since, v.until)).collect();
    assert_eq!(told, [(1, "lives in Paris", at(0), at(10)), (2, "lives in Rome", at(10), at(20))]);
    let twin = keep(&*store, "a", "lives in Paris");
    let error = store.write(vec![revise("lives in Paris", None, 40)]).unwrap_err();
    assert!(matches!(error, StoreError::Duplicate { twin: id, .. } if id == twin.id), "{error}");
}

#[test]
fn forgetting_restoring_and_purging() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    let id = one.id;
    let scope = everywhere;
    let purge = || Write::Purge { scope: scope(), id, at: at(9) };
    assert!(matches!(store.write(vec![purge()]).unwrap_err(), StoreError::NotTrashed { .. }));
    store.write(vec![Write::Forget { scope: scope(), id, at: at(5) }]).unwrap();
    let trash = ListQuery { trashed: Trashed::Only, ..ListQuery::default() };
    assert_eq!(store.list(&trash).unwrap().memories[0].trashed_at, Some(at(5)));
    assert!(store.list(&ListQuery::default()).unwrap().memories.is_empty());
    // While it lies in the trash the same may be said anew, and then it cannot come back beside it.
    let twin = keep(&*store, "a", "one");
    let restore = || Write::Restore { scope: scope(), id, at: at(6) };
    assert!(matches!(store.write(vec![restore()]).unwrap_err(), StoreError::Duplicate { .. }));
    store.write(vec![Write::Forget { scope: scope(), id: twin.id, at: at(7) }]).unwrap();
    store.write(vec![restore()]).unwrap();
    assert_eq!(store.list(&ListQuery::default()).unwrap().memories[0].id, id);
    let purged = store.write(vec![Write::PurgeTrashed { scope: scope(), before: at(7), at: at(9) }]).unwrap();
    assert_eq!(purged, [Written::Purged(0)], "what was trashed at the very time stays");
    let purged = store.write(vec![Write::PurgeTrashed { scope: scope(), before: at(8), at: at(9) }]).unwrap();
    assert_eq!(purged, [Written::Purged(1)]);
    assert!(store.get(&scope(), &[twin.id]).unwrap().is_empty());
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn what_was_superseded_is_current_again_while_its_successor_is_away() {
    let (_folder, store) = open();
    let (old, new) = (keep(&*store, "a", "lives in Paris"), keep(&*store, "a", "lives in Rome"));
    let revision = Box::new(Revision { superseded_by: Some(Some(new.id)), ..Revision::default() });
    let scope = everywhere;
    let supersede = Write::Revise { scope: scope(), id: old.id, revision, expected_version: None, at: at(1) };
    store.write(vec![supersede]).unwrap();
    let successor = || store.get(&scope(), &[old.id]).unwrap().remove(0).facets.superseded_by;
    let mut head = store.head(&ns("a")).unwrap();
    let mut check = |write: Write, expected: Option<MemoryId>| {
        store.write(vec![write]).unwrap();
        assert_eq!(successor(), expected);
        let told = store.changes(&ns("a"), None, head, 10).unwrap();
        let hears = |change: &peri_store::Change| matches!(change, peri_store::Change::Put { memory, .. } if memory.id == old.id);
        assert!(told.iter().any(hears), "indexes hear of it");
        head = store.head(&ns("a")).unwrap();
    };
    check(Write::Forget { scope: scope(), id: new.id, at: at(2) }, None);
    check(Write::Restore { scope: scope(), id: new.id, at: at(3) }, Some(new.id));
    check(Write::Forget { scope: scope(), id: new.id, at: at(4) }, None);
    check(Write::Purge { scope: scope(), id: new.id, at: at(9) }, None);
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn the_last_moment_there_is_can_be_stored_and_read() {
    let (_folder, store) = open();
    let mut one = memory("a", "one");
    one.facets.expires_at = Some(peri_types::Timestamp::MAX);
    store.write(vec![remember(one.clone(), Embedding::Pending)]).unwrap();
    assert_eq!(store.get(&everywhere(), &[one.id]).unwrap().len(), 1);
}

#[test]
fn scopes_keep_namespaces_apart() {
    let (_folder, store) = open();
    let own = keep(&*store, "team/a", "one");
    for (scope, found) in [("team/a", 1), ("team/*", 1), ("*", 1), ("team/b", 0), ("team", 0), ("tea/*", 0)] {
        let scope: Scope = scope.parse().unwrap();
        assert_eq!(store.get(&scope, &[own.id]).unwrap().len(), found, "{scope}");
        let forget = Write::Revise {
            scope: scope.clone(),
            id: own.id,
            revision: Box::new(Revision { pinned: Some(true), ..Revision::default() }),
            expected_version: None,
            at: at(1),
        };
        assert_eq!(store.write(vec![forget]).is_ok(), found == 1, "{scope}");
        assert_eq!(store.list(&ListQuery { scope, ..ListQuery::default() }).unwrap().memories.len(), found);
    }
}

#[test]
fn lists_filter_as_the_definition_says_and_page_without_gaps() {
    let (_folder, store) = open();
    for i in 0..40_i64 {
        let mut one = memory("a", &format!("memory {i}"));
        one.kind = Kind::ALL[(i % 3) as usize];
        one.facets.tags = (0..i % 4).map(|tag| format!("t{tag}")).collect();
        one.facets.session = (i % 2 == 0).then(|| format!("s{}", i % 5));
        one.facets.speaker = (i % 5 == 0).then(|| "Ana".into());
        one.facets.occurred_at = (i % 3 == 0).then(|| at(i * 10));
        one.facets.pinned = i % 7 == 0;
        store.write(vec![remember(one, Embedding::Pending)]).unwrap();
    }
    let all = store.list(&ListQuery::default()).unwrap().memories;
    let filters = [
        Filter::default(),
        Filter { kinds: vec![Kind::Fact, Kind::Decision], ..Filter::default() },
        Filter { tags: vec!["t0".into(), "t1".into()], ..Filter::default() },
        Filter { since: Some(at(90)), until: Some(at(210)), ..Filter::default() },
        Filter {
            since: Some(at(90) + jiff::SignedDuration::from_nanos(1)),
            until: Some(at(210) + jiff::SignedDuration::from_nanos(1)),
            ..Filter::default()
        },
        Filter { session: Some("s2".into()), pinned: Some(false), ..Filter::default() },
        Filter { speaker: Some("Ana".into()), ..Filter::default() },
    ];
    for filter in filters {
        let wanted: Vec<_> =
            all.iter().filter(|memory| filter.matches(memory)).map(|memory| memory.id).collect();
        let mut query = ListQuery { filter, limit: 3, ..ListQuery::default() };
        let mut found = Vec::new();
        loop {
            let page = store.list(&query).unwrap();
            found.extend(page.memories.iter().map(|memory| memory.id));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        assert_eq!(found, wanted, "{:?}", query.filter);
    }
}

#[test]
fn only_one_holds_a_lease_until_it_runs_out() {
    let (_folder, store) = open();
    let minute = Duration::from_secs(60);
    assert!(store.acquire_lease("sweep", "one", at(0), minute).unwrap());
    assert!(!store.acquire_lease("sweep", "two", at(59), minute).unwrap());
    assert!(store.acquire_lease("sweep", "one", at(59), minute).unwrap(), "its holder may renew it");
    assert!(!store.acquire_lease("sweep", "two", at(118), minute).unwrap());
    assert!(store.acquire_lease("sweep", "two", at(119), minute).unwrap());
    store.release_lease("sweep", "one").unwrap();
    assert!(!store.acquire_lease("sweep", "one", at(120), minute).unwrap());
    store.release_lease("sweep", "two").unwrap();
    assert!(store.acquire_lease("sweep", "one", at(120), minute).unwrap());
}

#[test]
fn usage_adds_up_and_is_no_change() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    let used = |recalls, second| Usage { namespace: ns("a"), id: one.id, recalls, last_at: at(second) };
    store.record_usage(&[used(2, 10), used(1, 5)], &[], &[]).unwrap();
    assert_eq!(store.usage(&ns("a"), one.id).unwrap(), Some((3, at(10))));
    assert_eq!(store.head(&ns("a")).unwrap(), one.change);
}
