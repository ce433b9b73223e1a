//! Why a memory is or is not recalled never disagrees with recall.

use std::collections::{BTreeSet, HashSet};

use jiff::SignedDuration;
use perihelion::{
    Clock, EdgeType, ErrorKind, Facets, Filter, FilterCondition, Kind, Layer, MemoryId, NewEdge, Options,
    Perihelion, Recall, Recalled, Remember, Scope, Stage, Stages, Why, WhyReason,
};
use tempfile::TempDir;

use crate::support::{Random, keep, kind_of, ns, options, scope, time};

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// More than there are memories.
const MANY: usize = 1000;

/// What memories speak of: some share words, some share nothing.
const WORDS: [&str; 18] = [
    "harbour",
    "lighthouse",
    "keys",
    "server",
    "Ganymede",
    "backup",
    "tea",
    "cello",
    "Friday",
    "invoice",
    "항구",
    "열쇠",
    "등대",
    "서버",
    "备份",
    "服务器",
    "香菜",
    "地图",
];

/// A store in which everything is that can keep a memory from being recalled.
struct World {
    _folder: TempDir,
    engine: Perihelion,
    clock: Clock,
    ids: Vec<MemoryId>,
}

fn text(random: &mut Random, words: u64) -> String {
    let word = |_| WORDS[random.below(WORDS.len() as u64) as usize];
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

/// A memory with facets that differ from one to the next.
fn various(i: usize, random: &mut Random) -> Remember {
    let length = 2 + random.below(6);
    Remember {
        kind: Some(Kind::ALL[i % Kind::ALL.len()]),
        layer: Some([Layer::LongTerm, Layer::Episodic, Layer::Working][i % 3]),
        facets: Facets {
            tags: ["red", "blue"].iter().take(i % 3).map(ToString::to_string).collect(),
            session: [None, Some("monday"), Some("금요일")][i % 3].map(ToOwned::to_owned),
            speaker: [None, Some("Ana"), Some("민수")][i % 3].map(ToOwned::to_owned),
            pinned: i.is_multiple_of(7),
            // Longer than what is at work is usually kept.
            expires_at: (i % 3 == 2).then(|| time("2027-01-01T00:00:00Z")),
            valid_until: (i % 11 == 5).then(|| time("2026-01-15T00:00:00Z")),
            ..Facets::default()
        },
        ..Remember::new(format!("{} {i}", text(random, length)))
    }
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2026-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let mut random = Random(7);
    let mut ids: Vec<MemoryId> = Vec::new();
    for i in 0..44 {
        ids.push(engine.remember(various(i, &mut random)).unwrap().id);
    }
    ids.push(keep(&engine, "The staging server is Ganymede"));
    let drawn = NewEdge { source: ids[0], target: ids[1], edge_type: EdgeType::RelatedTo, weight: 1.0 };
    engine.link(&Scope::All, &drawn).unwrap();
    clock.advance(DAY * 10);
    ids.push(keep(&engine, "The staging server is Callisto now"));
    let away = keep(&engine, "the lighthouse keys of the harbour lie in the tea box");
    engine.forget(&Scope::All, away).unwrap();
    ids.push(away);
    let elsewhere = Remember::new("항구의 열쇠와 서버 harbour keys").in_namespace(ns("team/다른"));
    ids.push(engine.remember(elsewhere).unwrap().id);
    clock.advance(DAY * 10);
    ids.sort();
    ids.dedup();
    World { _folder: folder, engine, clock, ids }
}

/// A request of any shape.
fn request(random: &mut Random, clock: &Clock) -> Recall {
    let length = 1 + random.below(4);
    let mut request = Recall::new(text(random, length)).limit(1 + random.below(12) as usize);
    request.score_min = [None, Some(0.0), Some(0.4)][random.below(3) as usize];
    request.tokens_max = [None, None, Some(6), Some(25)][random.below(4) as usize];
    request.session = [None, Some("monday"), Some("nobody")][random.below(3) as usize].map(ToOwned::to_owned);
    request.stages = match random.below(5) {
        0 => Some(Stages::ALL.without(Stage::Floor)),
        1 => Some(Stages::ALL.without(Stage::Graph).without(Stage::Meaning)),
        _ => None,
    };
    request.as_of = (random.below(5) == 0).then(|| clock.now() - DAY * (1 + random.below(25) as i32));
    request.filter = match random.below(8) {
        0 => Filter { layers: vec![Layer::LongTerm], ..Filter::default() },
        1 => Filter { tags: vec!["red".into(), "blue".into()], ..Filter::default() },
        2 => Filter { session: Some("monday".into()), pinned: Some(false), ..Filter::default() },
        3 => Filter { speaker: Some("민수".into()), kinds: Kind::ALL[..3].to_vec(), ..Filter::default() },
        _ => Filter::default(),
    };
    request
}

fn holds(recalled: &Recalled, id: MemoryId) -> bool {
    recalled.hits.iter().any(|hit| hit.memory.id == id)
}

/// What a request finds when its limits are no limits.
struct Wider {
    any_tokens: Recalled,
    any_number: Recalled,
    any_score: Recalled,
}

impl Wider {
    fn of(engine: &Perihelion, request: &Recall) -> Self {
        let any_tokens = Recall { tokens_max: None, ..request.clone() };
        let any_number = Recall { limit: Some(MANY), ..any_tokens.clone() };
        let stages = request.stages.unwrap_or_default().without(Stage::Floor);
        let any_score = Recall { stages: Some(stages), score_min: Some(0.0), ..any_number.clone() };
        let found = |request| engine.search(&request).unwrap();
        Self { any_tokens: found(any_tokens), any_number: found(any_number), any_score: found(any_score) }
    }
}

/// The reason is what would have to be otherwise for the memory to be there, and nothing less would do.
fn check_reason(why: &Why, wider: &Wider) {
    let (id, told) = (why.id, format!("{why:#?}"));
    let would = [&wider.any_tokens, &wider.any_number, &wider.any_score].map(|found| holds(found, id));
    match why.reason {
        WhyReason::Recalled => assert!(why.recalled, "{told}"),
        WhyReason::OverBudget => assert_eq!(would, [true; 3], "{told}"),
        WhyReason::BeyondLimit => assert_eq!(would, [false, true, true], "{told}"),
        WhyReason::BelowFloor => assert_eq!(would, [false, false, true], "{told}"),
        WhyReason::NotWeighed => assert!(why.place.is_none() && would == [false; 3], "{told}"),
        WhyReason::Filtered
        | WhyReason::Superseded
        | WhyReason::Expired
        | WhyReason::Trashed
        | WhyReason::Elsewhere => assert_eq!(would, [false; 3], "{told}"),
    }
    assert_eq!(why.recalled, why.reason == WhyReason::Recalled, "{told}");
    assert_eq!(!why.filtered_by.is_empty(), why.reason == WhyReason::Filtered, "{told}");
}

fn check_places(why: &Why) {
    let told = format!("{why:#?}");
    assert_eq!(why.place.is_some(), why.score.is_some(), "{told}");
    assert!(
        why.stages.iter().all(|one| one.of == why.weighed && (1..=one.of).contains(&one.place)),
        "{told}"
    );
    let distinct: HashSet<Stage> = why.stages.iter().map(|one| one.stage).collect();
    assert_eq!(distinct.len(), why.stages.len(), "{told}");
    assert!(why.verdict.ends_with('.') && why.verdict.len() > 10, "{told}");
}

#[test]
fn why_never_disagrees_with_recall_and_the_places_of_all_are_a_permutation() {
    let World { _folder, engine, clock, ids } = world();
    let mut random = Random(2026);
    let mut reasons = HashSet::new();
    for _ in 0..40 {
        let request = request(&mut random, &clock);
        let recalled = engine.search(&request).unwrap();
        let wider = Wider::of(&engine, &request);
        let mut places = BTreeSet::new();
        let mut weighed = 0;
        for id in &ids {
            let why = engine.why(&request, *id).unwrap();
            assert_eq!(why.recalled, holds(&recalled, *id), "{request:?}\n{why:#?}");
            if let Some(hit) = recalled.hits.iter().find(|hit| hit.memory.id == *id) {
                assert_eq!(why.score, Some(hit.score), "{request:?}\n{why:#?}");
            }
            check_reason(&why, &wider);
            check_places(&why);
            weighed = why.weighed;
            assert!(why.place.is_none_or(|place| places.insert(place)), "{request:?}\n{why:#?}");
            reasons.insert(why.reason);
        }
        assert!(places.iter().copied().eq(1..=weighed), "{request:?}: {places:?} of {weighed}");
    }
    assert_eq!(reasons.len(), 10, "every reason is among them: {reasons:?}");
}

#[test]
fn asking_why_counts_nothing_as_used_and_tells_nothing() {
    let (engine, id, _folder) = one("Ana prefers tea");
    let number = engine.last_event_number().unwrap();
    assert!(engine.why(&Recall::new("what does Ana drink, tea?"), id).unwrap().recalled);
    engine.maintain().unwrap();
    assert_eq!(engine.usage(&ns("default"), id).unwrap(), None);
    assert_eq!(engine.last_event_number().unwrap(), number);
}

fn one(content: &str) -> (Perihelion, MemoryId, TempDir) {
    let (folder, engine) = crate::support::fresh();
    let id = keep(&engine, content);
    (engine, id, folder)
}

#[test]
fn every_condition_that_shuts_a_memory_out_is_named_and_no_other() {
    use FilterCondition::{AsOf, InSession, Kinds, Layers, Pinned, Session, Since, Speaker, Tags, Until};
    let (_folder, engine) = crate::support::fresh();
    let said = Remember::new("등대 열쇠는 서랍에 있다").said("회의", "민수").at(time("2026-02-01T00:00:00Z"));
    let id = engine.remember(Remember { layer: Some(Layer::Working), ..said }).unwrap().id;
    let none = Filter::default;
    let cases: Vec<(Filter, &[FilterCondition])> = vec![
        (Filter { layers: vec![Layer::LongTerm], ..none() }, &[Layers]),
        (Filter { kinds: vec![Kind::Document], ..none() }, &[Kinds]),
        (Filter { tags: vec!["빨강".into()], pinned: Some(false), ..none() }, &[Tags]),
        (Filter { since: Some(time("2026-02-01T00:00:00.001Z")), ..none() }, &[Since]),
        (Filter { until: Some(time("2026-02-01T00:00:00Z")), ..none() }, &[Until]),
        (Filter { session: Some("다른 회의".into()), ..none() }, &[Session]),
        (Filter { speaker: Some("王芳".into()), pinned: Some(true), ..none() }, &[Speaker, Pinned]),
    ];
    for (filter, expected) in cases {
        let request = Recall { filter, ..Recall::new("등대 열쇠") };
        let why = engine.why(&request, id).unwrap();
        assert_eq!((why.reason, &why.filtered_by[..]), (WhyReason::Filtered, expected), "{request:?}");
        assert!(expected.iter().all(|one| why.verdict.contains(one.as_str())), "{}", why.verdict);
    }
    let before = Recall::new("등대 열쇠").as_of(time("2026-01-01T00:00:00Z"));
    assert_eq!(engine.why(&before, id).unwrap().filtered_by, [AsOf]);
    let other = engine.why(&Recall::new("등대 열쇠").in_session("다른 회의"), id).unwrap();
    assert_eq!((other.reason, &other.filtered_by[..]), (WhyReason::Filtered, &[InSession][..]));
    assert!(engine.why(&Recall::new("등대 열쇠").in_session("회의"), id).unwrap().recalled);
}

#[test]
fn what_is_gone_replaced_or_elsewhere_says_so() {
    let World { _folder, engine, clock, .. } = world();
    let old = keep(&engine, "Ana lives in Berlin");
    clock.advance(DAY);
    let new = engine.remember(Remember::new("Ana moved to Lisbon")).unwrap();
    assert_eq!(new.superseded, [old]);
    let question = Recall::new("where does Ana live, Berlin or Lisbon?");
    let why = engine.why(&question, old).unwrap();
    assert_eq!(why.reason, WhyReason::Superseded);
    assert!(why.verdict.contains(&new.id.to_string()), "{}", why.verdict);
    assert!(
        engine.why(&question.clone().as_of(clock.now() - DAY / 2), old).unwrap().recalled,
        "it held then"
    );
    engine.forget(&Scope::All, new.id).unwrap();
    assert_eq!(engine.why(&question, new.id).unwrap().reason, WhyReason::Trashed);
    let elsewhere = question.clone().in_scope(scope("team/*"));
    let why = engine.why(&elsewhere, old).unwrap();
    assert_eq!((why.reason, why.place, why.weighed), (WhyReason::Elsewhere, None, why.weighed));
    let ends = Some(clock.now() + DAY);
    let facets = Facets { valid_until: ends, ..Facets::default() };
    let holding = Remember { facets, ..Remember::new("the guest password is marmalade") };
    let holding = engine.remember(holding).unwrap().id;
    let guests = Recall::new("guest password");
    assert!(engine.why(&guests, holding).unwrap().recalled);
    clock.advance(DAY);
    assert_eq!(engine.why(&guests, holding).unwrap().reason, WhyReason::Expired);
}

#[test]
fn what_must_not_be_seen_any_more_is_not_told_of() {
    let (_folder, engine, clock) = crate::supersession::clocked();
    let facets = Facets { expires_at: Some(clock.now() + DAY), ..Facets::default() };
    let id = engine.remember(Remember { facets, ..Remember::new("客人密码是果酱") }).unwrap().id;
    assert!(engine.why(&Recall::new("客人密码"), id).unwrap().recalled);
    clock.advance(DAY);
    assert_eq!(kind_of(engine.why(&Recall::new("客人密码"), id)), Some(ErrorKind::NotFound));
    let never = "0198c5b2-7d3e-7000-8000-000000000001".parse().unwrap();
    assert_eq!(kind_of(engine.why(&Recall::new("客人密码"), never)), Some(ErrorKind::NotFound));
    assert_eq!(kind_of(engine.why(&Recall::new(" "), id)), Some(ErrorKind::NotFound));
}

#[test]
fn the_places_of_a_stage_follow_what_it_brought() {
    let (_folder, engine) = crate::support::fresh();
    let best = keep(&engine, "the harbour lighthouse keys");
    let twins = [keep(&engine, "the harbour is old"), keep(&engine, "a harbour was old")];
    let request = Recall { limit: Some(1), ..Recall::new("harbour lighthouse keys") };
    let words = |id| {
        let why = engine.why(&request, id).unwrap();
        *why.stages.iter().find(|one| one.stage == Stage::Words).unwrap()
    };
    assert_eq!(words(best).place, 1);
    let [first, second] = twins.map(words);
    assert!((first.value - second.value).abs() < f32::EPSILON, "{first:?} {second:?}");
    assert_eq!((first.place, second.place), (2, 2), "those with the same share have the better place");
    assert!(words(best).value > first.value);
}
