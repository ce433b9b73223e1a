//! Statements that say the same in other words are merged, and can be split again; contradictions are told.

use std::collections::BTreeSet;

use perihelion::{
    ConsolidationSettings, EdgeType, ErrorKind, Importance, Memory, MemoryId, Options, Outcome, Perihelion,
    Recall, Receipt, Remember, Scope, Trashed,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::support::{all, ask, contents, fresh, keep, kind_of, ns, open, options, scope};

/// The same in other words, and a question that it answers.
const SAME: [(&str, &str, &str); 5] = [
    ("Ana prefers tea over coffee.", "Ana prefers tea to coffee", "what does Ana prefer?"),
    ("The API runs on port 8080", "API runs on port 8080", "on which port does the API run?"),
    ("Maya has two cats and a dog.", "Maya has a dog and two cats.", "which pets has Maya?"),
    ("API는 8080 포트에서 실행된다.", "API는 8080 포트에서 실행됩니다", "API 포트"),
    ("发布定在3月3日。", "发布定在3月3号", "发布定在哪天"),
];

/// All of these say the same.
const DEPLOYS: [&str; 4] =
    ["We deploy on Mondays.", "On Mondays we deploy.", "we deploy on mondays!", "On Mondays, we deploy"];

fn seen(engine: &Perihelion) -> BTreeSet<MemoryId> {
    let current = all(engine, Trashed::Without).into_iter().filter(|one| one.facets.superseded_by.is_none());
    current.map(|memory| memory.id).collect()
}

fn get(engine: &Perihelion, id: MemoryId) -> Memory {
    engine.get(&Scope::All, id).unwrap()
}

fn tell(engine: &Perihelion, content: &str) -> Receipt {
    engine.remember(Remember::new(content)).unwrap()
}

/// A memory as it was, but for the marks of having been touched.
fn untouched(mut memory: Memory) -> Memory {
    memory.change = perihelion::ChangeNumber(0);
    memory.updated_at = memory.created_at;
    memory
}

#[test]
fn the_same_in_other_words_becomes_one_memory_and_the_receipt_names_both() {
    for (first, again, question) in SAME {
        let (_folder, engine) = fresh();
        let kept = keep(&engine, first);
        let receipt = tell(&engine, again);
        assert_eq!((receipt.outcome, receipt.id), (Outcome::Merged, kept), "{again}");
        let absorbed = receipt.absorbed.unwrap();
        assert_eq!(get(&engine, absorbed).content, again, "what was said is kept");
        assert_eq!(get(&engine, absorbed).facets.superseded_by, Some(kept));
        assert_eq!(contents(&ask(&engine, question)), [first]);
        let history = engine.history(&Scope::All, kept).unwrap();
        assert_eq!((history.merges.len(), history.merges[0].absorbed), (1, absorbed));
        assert!(history.replaces.is_empty(), "it took nothing's place");
    }
}

#[test]
fn a_split_makes_both_what_they_were() {
    let (_folder, engine) = fresh();
    let (first, again, question) = SAME[0];
    let kept = engine.remember(Remember::new(first).tags(["drinks"])).unwrap().id;
    let before = untouched(get(&engine, kept));
    let mut other = Remember::new(again).tags(["drinks", "people"]);
    other.importance = Some(Importance::new(0.9).unwrap());
    other.facets.aliases = vec!["Anuschka".into()];
    other.facets.pinned = true;
    let absorbed = engine.remember(other).unwrap().absorbed.unwrap();
    let both = get(&engine, kept);
    assert_eq!((both.facets.tags.len(), both.facets.pinned), (2, true));
    assert_eq!((both.importance.value(), both.facets.aliases.len()), (0.9, 1));
    let split = engine.split(&Scope::All, absorbed).unwrap();
    assert_eq!((split.id, split.facets.superseded_by), (absorbed, None));
    assert_eq!((split.content.as_str(), split.facets.tags.len()), (again, 2));
    assert_eq!(untouched(get(&engine, kept)), before);
    assert_eq!(ask(&engine, question).hits.len(), 2);
    assert_eq!(kind_of(engine.split(&Scope::All, absorbed)), Some(ErrorKind::Conflict));
    assert_eq!(kind_of(engine.split(&scope("other"), absorbed)), Some(ErrorKind::NotFound));
    assert!(
        engine.edges(&Scope::All, kept).unwrap().iter().all(|edge| edge.edge_type == EdgeType::RelatedTo)
    );
}

proptest! {
    #![proptest_config(Config {
        cases: 16,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn several_merges_into_one_memory_are_split_in_any_order(
        told in prop::collection::vec((prop::collection::btree_set(0_u8..3, 0..3), 0_u8..=4, any::<bool>()), 4),
        order in Just(vec![1_usize, 2, 3]).prop_shuffle(),
    ) {
        let (_folder, engine) = fresh();
        let remember = |at: usize| {
            let (tags, importance, pinned) = &told[at];
            let mut request = Remember::new(DEPLOYS[at]).tags(tags.iter().map(|tag| format!("tag {tag}")));
            request.importance = Some(Importance::new(f64::from(*importance) / 4.0).unwrap());
            request.facets.pinned = *pinned;
            engine.remember(request).unwrap()
        };
        let survivor = remember(0).id;
        let before = untouched(get(&engine, survivor));
        let mut ids = vec![survivor];
        for at in 1..DEPLOYS.len() {
            let receipt = remember(at);
            prop_assert_eq!(receipt.id, survivor);
            ids.push(receipt.absorbed.unwrap());
        }
        let mut expected = BTreeSet::from([survivor]);
        for at in order {
            prop_assert_eq!(&seen(&engine), &expected);
            let split = engine.split(&Scope::All, ids[at]).unwrap();
            let tags: Vec<_> = told[at].0.iter().map(|tag| format!("tag {tag}")).collect();
            prop_assert_eq!((split.facets.tags, split.facets.pinned), (tags, told[at].2));
            expected.insert(ids[at]);
        }
        prop_assert_eq!(&seen(&engine), &expected);
        prop_assert_eq!(untouched(get(&engine, survivor)), before);
        prop_assert_eq!(ask(&engine, "when do we deploy?").hits.len(), DEPLOYS.len());
    }
}

#[test]
fn turns_of_a_conversation_are_never_merged() {
    let (_folder, engine) = fresh();
    let (first, again, _) = SAME[0];
    let turn = |content, session, speaker| Remember::new(content).said(session, speaker);
    for request in [
        turn(first, "monday", "Ana"),
        turn(again, "monday", "Ana"),
        turn(again, "tuesday", "Ana"),
        Remember::new(first),
        turn(again, "monday", "Ben"),
    ] {
        let receipt = engine.remember(request).unwrap();
        assert_eq!((receipt.outcome, receipt.absorbed), (Outcome::Stored, None));
    }
    engine.maintain().unwrap();
    assert_eq!(seen(&engine).len(), 5);
}

#[test]
fn statements_about_others_or_with_other_numbers_are_never_merged() {
    for (first, second) in [
        ("Ana prefers tea over coffee", "Ben prefers tea over coffee"),
        ("Ana prefers tea over coffee", "Ana prefers coffee over tea"),
        ("The API runs on port 8080", "The API runs on port 8081"),
        ("The server web1 has 16 GB of memory", "The server web2 has 16 GB of memory"),
        ("Invoice 1041 was paid in March", "Invoice 1042 was paid in March"),
        ("Maya has two cats", "Maya has three cats"),
        ("민수는 서울에 산다.", "지훈은 서울에 산다."),
        ("小明住在北京。", "小红住在北京。"),
    ] {
        let (_folder, engine) = fresh();
        keep(&engine, first);
        let receipt = tell(&engine, second);
        assert_eq!((receipt.outcome, receipt.absorbed), (Outcome::Stored, None), "{first} / {second}");
        engine.maintain().unwrap();
        assert_eq!(all(&engine, Trashed::Without).len(), 2);
    }
}

#[test]
fn merging_stays_within_a_namespace() {
    let (_folder, engine) = fresh();
    keep(&engine, SAME[0].0);
    let receipt = engine.remember(Remember::new(SAME[0].1).in_namespace(ns("other"))).unwrap();
    assert_eq!(receipt.outcome, Outcome::Stored);
}

#[test]
fn what_was_merged_is_seen_while_the_one_that_stands_for_it_is_away() {
    let (folder, engine) = fresh();
    let other = open(folder.path());
    let (first, again, question) = SAME[0];
    let kept = keep(&engine, first);
    let absorbed = tell(&engine, again).absorbed.unwrap();
    for engine in [&engine, &other] {
        assert_eq!(contents(&ask(engine, question)), [first]);
    }
    engine.forget(&Scope::All, kept).unwrap();
    for engine in [&engine, &other] {
        assert_eq!(contents(&ask(engine, question)), [again]);
    }
    other.restore(&Scope::All, kept).unwrap();
    for engine in [&engine, &other] {
        assert_eq!(contents(&ask(engine, question)), [first]);
    }
    engine.forget(&Scope::All, kept).unwrap();
    engine.purge(&Scope::All, kept).unwrap();
    assert_eq!(contents(&ask(&other, question)), [again]);
    assert_eq!(get(&engine, absorbed).facets.superseded_by, None);
    assert_eq!(kind_of(engine.split(&Scope::All, absorbed)), Some(ErrorKind::Conflict));
}

#[test]
fn what_was_merged_and_is_said_once_more_joins_the_one_that_stands_for_it() {
    let (_folder, engine) = fresh();
    let (first, again, question) = SAME[0];
    let kept = keep(&engine, first);
    tell(&engine, again);
    let receipt = engine.remember(Remember::new(again).tags(["drinks"])).unwrap();
    assert_eq!((receipt.outcome, receipt.id, receipt.absorbed), (Outcome::Merged, kept, None));
    assert_eq!(get(&engine, kept).facets.tags, ["drinks"]);
    assert_eq!(contents(&ask(&engine, question)), [first]);
}

#[test]
fn a_batch_of_any_size_is_merged_like_the_same_statements_one_by_one() {
    // The third one is nearer to the second than to the first.
    let teas = ["Ana prefers tea over coffee.", "Ana prefers tea to coffee", "ana prefers tea to coffee!"];
    for (same, fillers) in [(&DEPLOYS[..], 0), (&DEPLOYS[..], 70), (&teas[..], 0), (&teas[..], 70)] {
        let (_folder, engine) = fresh();
        let batch = same.iter().map(|text| (*text).to_owned());
        let fillers = (0..fillers).map(|i| format!("Quixou{}", "ab".repeat(i + 1)));
        let receipts = engine.remember_all(batch.chain(fillers).map(Remember::new).collect()).unwrap();
        engine.maintain().unwrap();
        let seen = seen(&engine);
        let ids: Vec<_> = receipts[..same.len()].iter().map(|receipt| receipt.id).collect();
        let shown: Vec<_> = ids.iter().filter(|id| seen.contains(id)).collect();
        assert_eq!(shown, [&ids[0]], "the first one stands for all: {same:?}");
        for id in &ids[1..] {
            engine.split(&Scope::All, *id).unwrap();
        }
    }
}

#[test]
fn each_setting_of_consolidation_changes_what_is_merged() {
    let outcome = |consolidation| {
        let folder = tempfile::tempdir().unwrap();
        let engine = Perihelion::open(Options { consolidation, ..options(folder.path()) }).unwrap();
        keep(&engine, "Maya has two cats and a dog.");
        tell(&engine, "Maya has a dog and two cats.").outcome
    };
    let usual = ConsolidationSettings::default();
    assert_eq!(outcome(usual), Outcome::Merged);
    assert_eq!(outcome(ConsolidationSettings { merge: false, ..usual }), Outcome::Stored);
    assert_eq!(outcome(ConsolidationSettings { merge_cosine_min: 1.1, ..usual }), Outcome::Stored);
}

#[test]
fn what_contradicts_stays_beside_what_it_contradicts_and_both_are_told() {
    for (first, second) in [
        ("The cache is enabled", "The cache is not enabled"),
        ("민수는 생선을 먹는다.", "민수는 생선을 먹지 않는다."),
        ("小明吃鱼。", "小明不吃鱼。"),
    ] {
        let (_folder, engine) = fresh();
        let one = keep(&engine, first);
        let receipt = tell(&engine, second);
        assert_eq!((receipt.outcome, &receipt.contradicts[..]), (Outcome::Stored, &[one][..]), "{second}");
        let edges = engine.edges(&Scope::All, one).unwrap();
        let contradicts = edges.iter().filter(|edge| edge.edge_type == EdgeType::Contradicts).count();
        assert_eq!(contradicts, 1);
        let found = engine.recall(&Recall::new(first)).unwrap();
        assert_eq!(found.hits.len(), 2, "both are recalled: {:?}", contents(&found));
    }
}

#[test]
fn a_contradiction_that_is_repeated_is_told_once() {
    let (_folder, engine) = fresh();
    keep(&engine, "The cache is enabled");
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = std::sync::Arc::clone(&told);
    let kinds = Some(vec![perihelion::EventKind::Contradicted]);
    let subscription =
        engine.subscribe(kinds, move |event| heard.lock().unwrap().push(event.clone())).unwrap();
    let receipt = tell(&engine, "The cache is not enabled");
    assert_eq!(tell(&engine, "The cache is not enabled").id, receipt.id);
    engine.maintain().unwrap();
    drop(subscription);
    let told = told.lock().unwrap();
    let [event] = &told[..] else { panic!("{told:?}") };
    let perihelion::Happening::Contradicted { first, .. } = &event.what else { panic!("{event:?}") };
    assert_eq!(*first, receipt.id);
}
