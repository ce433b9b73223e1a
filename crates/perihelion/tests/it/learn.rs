//! Learning from what was done: trajectories, patterns, routes.

use std::sync::Arc;

use peri_store::{SqliteSettings, SqliteStore};
use perihelion::embed::Engine;
use perihelion::{
    Event, EventKind, Happening, MemoryId, NewPattern, NewTrajectory, Options, Outcome, PatternList,
    PatternOutcome, PatternQuery, PatternTerm, Perihelion, RouteRequest, Scope, SpaceId, TaskOutcome,
    TrajectoryQuery,
};

use crate::support::{fresh, ns, open, options};

/// Tasks that were done in the same way, in words of their own.
fn deploys(engine: &Perihelion, count: usize) {
    for number in 0..count {
        let task = format!("deploy the billing service to staging, release {number}");
        let done = NewTrajectory::new(task, TaskOutcome::Success)
            .by("devops")
            .step("Bash: cargo test -p billing", "ok")
            .step("Bash: ./deploy staging billing", "deployed")
            .step("Bash: curl staging/health", "200");
        assert_eq!(engine.record_trajectory(done).unwrap().outcome, Outcome::Stored);
    }
}

fn distil(engine: &Perihelion) -> Vec<perihelion::Distilling> {
    engine.distil(&Scope::All, &|| true).unwrap()
}

fn told(engine: &Perihelion, kind: EventKind) -> Vec<Event> {
    let query = perihelion::LogQuery { kinds: vec![kind], ..perihelion::LogQuery::default() };
    engine.events(&query).unwrap().events
}

#[test]
fn tasks_that_succeed_in_the_same_way_become_a_pattern_that_is_offered_for_the_next_one() {
    let (_folder, engine) = fresh();
    deploys(&engine, 3);
    let drawn = distil(&engine);
    assert_eq!(drawn[0].learned.len(), 1, "{drawn:?}");
    let found = engine.search_patterns(&PatternQuery::new("deploy billing to staging")).unwrap();
    let best = &found.matches[0];
    assert!(best.pattern.strategy.contains("deploy"), "{}", best.pattern.strategy);
    assert_eq!(best.pattern.agent.as_deref(), Some("devops"));
    let recalled = engine.recall(&perihelion::Recall::new("how do I deploy billing to staging?")).unwrap();
    assert_eq!(recalled.patterns[0].pattern.id, best.pattern.id, "recall offers it too");
    assert_eq!(told(&engine, EventKind::PatternLearned).len(), 1);
    assert_eq!(told(&engine, EventKind::TrajectoryRecorded).len(), 3);
}

#[test]
fn distilling_again_changes_nothing_and_tells_nothing() {
    let (folder, engine) = fresh();
    deploys(&engine, 3);
    distil(&engine);
    let before = engine.patterns(&PatternList::default()).unwrap();
    let events = told(&engine, EventKind::PatternLearned).len();
    assert!(distil(&engine).is_empty());
    engine.close().unwrap();
    let engine = open(folder.path());
    assert!(distil(&engine).is_empty(), "nor in another process");
    assert_eq!(engine.patterns(&PatternList::default()).unwrap(), before);
    assert_eq!(told(&engine, EventKind::PatternLearned).len(), events);
}

#[test]
fn a_trajectory_that_is_recorded_twice_is_kept_once() {
    let (_folder, engine) = fresh();
    let task = NewTrajectory::new("고객 목록을 내보내기", TaskOutcome::Success).step("运行导出", "好");
    let id = engine.record_trajectory(task.clone()).unwrap().id;
    let again = engine.record_trajectory(NewTrajectory { id: Some(id), ..task }).unwrap();
    assert_eq!(again.outcome, Outcome::Merged);
    let page = engine.trajectories(&TrajectoryQuery::default()).unwrap();
    assert_eq!(page.trajectories.len(), 1);
    assert_eq!(page.trajectories[0].steps[0].input, "运行导出");
}

#[test]
fn what_follows_a_pattern_and_succeeds_promotes_it_and_what_fails_retires_it() {
    let (_folder, engine) = fresh();
    let good =
        engine.store_pattern(NewPattern::new("Run the failing test alone before anything else")).unwrap();
    let bad =
        engine.store_pattern(NewPattern::new("Delete the lock file and install everything anew")).unwrap();
    for number in 0..6 {
        let follow =
            |outcome, id| NewTrajectory::new(format!("mend test number {number}"), outcome).following(id);
        engine.record_trajectory(follow(TaskOutcome::Success, good.pattern.id)).unwrap();
        engine.record_trajectory(follow(TaskOutcome::Failure, bad.pattern.id)).unwrap();
    }
    distil(&engine);
    let good = engine.pattern(&Scope::All, good.pattern.id).unwrap();
    assert_eq!((good.term, good.uses, good.successes), (PatternTerm::Long, 6, 6));
    let bad = engine.pattern(&Scope::All, bad.pattern.id).unwrap();
    assert!(bad.retired_at.is_some() && bad.quality < 0.3, "{bad:?}");
    assert!(engine.search_patterns(&PatternQuery::new("delete the lock file")).unwrap().matches.is_empty());
    let restored = engine.restore_pattern(&Scope::All, bad.id).unwrap();
    assert!(restored.retired_at.is_none());
    assert_eq!(engine.search_patterns(&PatternQuery::new("delete the lock file")).unwrap().matches.len(), 1);
    let retired: Vec<_> =
        told(&engine, EventKind::PatternRetired).into_iter().map(|event| event.what).collect();
    assert_eq!(retired, [Happening::PatternRetired { pattern: bad.id }]);
}

#[test]
fn a_strategy_that_says_the_same_is_joined_and_another_is_not() {
    let (_folder, engine) = fresh();
    let first = engine.store_pattern(NewPattern::new("Profile before you optimise the query")).unwrap();
    let again = engine.store_pattern(NewPattern::new("profile  before you optimise the query")).unwrap();
    assert_eq!((again.outcome, again.pattern.id), (PatternOutcome::Merged, first.pattern.id));
    let other = engine.store_pattern(NewPattern::new("데이터베이스를 먼저 백업한다")).unwrap();
    assert_eq!(other.outcome, PatternOutcome::Stored);
    let found = engine.search_patterns(&PatternQuery::new("데이터베이스 백업")).unwrap();
    assert_eq!(found.matches[0].pattern.id, other.pattern.id, "without a vector, by its words");
}

#[test]
fn patterns_stay_in_their_namespace() {
    let (_folder, engine) = fresh();
    engine
        .store_pattern(NewPattern::new("Ask Mina before touching billing").in_namespace(ns("team/a")))
        .unwrap();
    let elsewhere = PatternQuery::new("touching billing").in_scope(Scope::Exact(ns("team/b")));
    assert!(engine.search_patterns(&elsewhere).unwrap().matches.is_empty());
    let here = PatternQuery::new("touching billing").in_scope("team/*".parse().unwrap());
    assert_eq!(engine.search_patterns(&here).unwrap().matches.len(), 1);
}

#[test]
fn what_another_process_learned_is_offered_on_the_next_call() {
    let (folder, engine) = fresh();
    let query = PatternQuery::new("rotate the signing keys");
    assert!(engine.search_patterns(&query).unwrap().matches.is_empty());
    let other = open(folder.path());
    let kept = other.store_pattern(NewPattern::new("Rotate signing keys one region at a time")).unwrap();
    assert_eq!(engine.search_patterns(&query).unwrap().matches[0].pattern.id, kept.pattern.id);
    other.retire_pattern(&Scope::All, kept.pattern.id).unwrap();
    assert!(engine.search_patterns(&query).unwrap().matches.is_empty());
}

#[test]
fn routing_begins_with_the_table_and_follows_outcomes() {
    let (folder, engine) = fresh();
    let task = RouteRequest::new("translate the release notes into Korean");
    assert_eq!(engine.route_task(&task).unwrap().agent, "coder");
    for text in
        ["translate the help pages", "translate button labels into Korean", "translate the error texts"]
    {
        engine.record_trajectory(NewTrajectory::new(text, TaskOutcome::Success).by("translator")).unwrap();
    }
    let routed = engine.route_task(&task).unwrap();
    assert_eq!((routed.agent.as_str(), routed.outcomes), ("translator", 3), "{routed:?}");
    assert!(routed.reasoning.contains("translate"), "{}", routed.reasoning);
    let trained = engine.train_router(&ns("default")).unwrap().unwrap();
    assert_eq!(
        engine.train_router(&ns("default")).unwrap().unwrap().set,
        trained.set,
        "nothing new, nothing kept"
    );
    engine.close().unwrap();
    let engine = open(folder.path());
    assert_eq!(engine.route_task(&task).unwrap().agent, "translator", "after a restart");
    engine.rollback_learned(&ns("default"), "router", 0).unwrap();
    let learned = engine.learned_sets(&ns("default"), "router").unwrap();
    assert!(!learned[0].active && learned.len() == 2, "{learned:?}");
}

#[test]
fn secrets_are_taken_out_of_tasks_and_steps() {
    let (_folder, engine) = fresh();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let new = NewTrajectory::new(format!("push with {secret}"), TaskOutcome::Success)
        .step(format!("Bash: git push https://{secret}@example.org"), secret);
    let receipt = engine.record_trajectory(new).unwrap();
    assert!(!receipt.redacted.is_empty());
    let kept = engine.trajectory(&Scope::All, receipt.id).unwrap();
    assert!(!format!("{kept:?}").contains(secret), "{kept:?}");
}

#[test]
fn bad_trajectories_and_patterns_are_refused_and_nothing_is_kept() {
    let (_folder, engine) = fresh();
    let blank = NewTrajectory::new("  ", TaskOutcome::Success);
    let nul = NewTrajectory::new("a\0b", TaskOutcome::Success);
    let mut unsure = NewTrajectory::new("task", TaskOutcome::Success).step("a", "b");
    unsure.steps[0].confidence = f32::NAN;
    let mut long = NewTrajectory::new("task", TaskOutcome::Success);
    long.steps = vec![perihelion::TrajectoryStep::default(); 1001];
    for bad in [blank, nul, unsure, long] {
        assert!(engine.record_trajectory(bad).is_err());
    }
    assert!(engine.store_pattern(NewPattern::new("")).is_err());
    let strange = NewPattern { quality: Some(1.5), ..NewPattern::new("strategy") };
    assert!(engine.store_pattern(strange).is_err());
    let overview = engine.learning(&Scope::All).unwrap();
    assert_eq!((overview.trajectories, overview.short_term), (0, 0));
}

#[test]
fn what_is_offered_can_be_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = options(folder.path());
    settings.learning.patterns_offered = 0;
    let engine = Perihelion::open(Options { ..settings }).unwrap();
    engine.store_pattern(NewPattern::new("Deploy on Tuesdays, never on Fridays")).unwrap();
    assert!(engine.recall(&perihelion::Recall::new("deploy on Friday?")).unwrap().patterns.is_empty());
    assert_eq!(engine.search_patterns(&PatternQuery::new("deploy on Friday?")).unwrap().matches.len(), 1);
}

/// An engine whose questions speak another language than its memories: what is meant by cluster 3 is asked as cluster 4.
struct Shifted(SpaceId);

const CLUSTERS: usize = 8;
const DIMENSIONS: usize = 32;

impl Engine for Shifted {
    fn space(&self) -> &SpaceId {
        &self.0
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, perihelion::embed::EmbedError> {
        Ok(texts.iter().map(|text| Some(vector_of(text))).collect())
    }
}

/// `m3x17` lies near axis 3, `q3x17` near axis 4, each a little off in a way of its own.
fn vector_of(text: &str) -> Vec<f32> {
    let numbers: Vec<usize> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let (cluster, own) = (numbers.first().copied().unwrap_or(0), numbers.get(1).copied().unwrap_or(0));
    let axis = if text.contains('q') { (cluster + 1) % CLUSTERS } else { cluster % CLUSTERS };
    let mut vector = [0.0; DIMENSIONS];
    vector[axis] = 1.0;
    vector[CLUSTERS + own % (DIMENSIONS - CLUSTERS)] = 0.3;
    let length = vector.iter().map(|value: &f32| value * value).sum::<f32>().sqrt();
    vector.iter().map(|value| value / length).collect()
}

fn shifted(folder: &std::path::Path) -> Perihelion {
    let store = SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap();
    let space = SpaceId { model: "shifted".to_owned(), dimensions: DIMENSIONS as u32 };
    let options = Options {
        graph: perihelion::GraphSettings { auto_link: false, ..Default::default() },
        consolidation: perihelion::ConsolidationSettings {
            merge: false,
            supersede: false,
            ..Default::default()
        },
        ..options(folder)
    };
    Perihelion::with_engine(options, Arc::new(store), Some(Arc::new(Shifted(space)))).unwrap()
}

/// Memories of each cluster, and feedback that says which cluster a question means.
fn taught(engine: &Perihelion) -> Vec<MemoryId> {
    let texts =
        (0..CLUSTERS * 4).map(|number| perihelion::Remember::new(format!("m{}x{number}", number % CLUSTERS)));
    let ids: Vec<MemoryId> =
        engine.remember_all(texts.collect()).unwrap().into_iter().map(|receipt| receipt.id).collect();
    for number in 0..120 {
        let cluster = number % CLUSTERS;
        let of = |cluster: usize| {
            ids.iter().copied().skip(cluster % CLUSTERS).step_by(CLUSTERS).collect::<Vec<_>>()
        };
        let feedback = perihelion::Feedback {
            query: format!("q{cluster}x{}", number / CLUSTERS),
            used: of(cluster),
            unused: of(cluster + 1),
            session: None,
        };
        engine.feedback(&ns("default"), &feedback).unwrap();
    }
    ids
}

#[test]
fn questions_in_another_vocabulary_are_adapted_once_feedback_has_proved_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = shifted(folder.path());
    let ids = taught(&engine);
    let question = perihelion::Recall::new("q2x21").limit(4);
    let is_right = |recalled: &perihelion::Recalled| recalled.hits.iter().any(|hit| hit.memory.id == ids[2]);
    let before = engine.search(&question).unwrap();
    assert!(!before.adapted && !is_right(&before), "nothing is adapted before it is proved");
    let trial = engine.train_adapter(&ns("default"), &|| true).unwrap().unwrap();
    assert!(trial.taken && trial.after > trial.before, "{trial:?}");
    let after = engine.search(&question).unwrap();
    assert!(after.adapted && is_right(&after), "{trial:?}");
    let without = perihelion::Recall {
        stages: Some(perihelion::Stages::ALL.without(perihelion::Stage::Adaptation)),
        ..question.clone()
    };
    assert_eq!(engine.search(&without).unwrap().hits, before.hits, "it can be left out");
    assert_eq!(
        engine.train_adapter(&ns("default"), &|| true).unwrap(),
        None,
        "there is nothing new to learn from"
    );
    engine.close().unwrap();
    let engine = shifted(folder.path());
    assert!(engine.search(&question).unwrap().adapted, "after a restart too");
    engine.rollback_learned(&ns("default"), "adapter", 0).unwrap();
    assert_eq!(engine.search(&question).unwrap(), before, "going back brings back what was");
}

#[test]
fn what_proves_nothing_is_not_taken_and_what_is_off_is_not_tried() {
    let folder = tempfile::tempdir().unwrap();
    let engine = shifted(folder.path());
    let texts =
        (0..CLUSTERS * 4).map(|number| perihelion::Remember::new(format!("m{}x{number}", number % CLUSTERS)));
    let receipts = engine.remember_all(texts.collect()).unwrap();
    // Who finds use in anything at random teaches nothing.
    let mut random = 7_usize;
    for number in 0..60 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = (random >> 33) % receipts.len();
        let feedback = perihelion::Feedback {
            query: format!("q{}x{number}", number % CLUSTERS),
            used: vec![receipts[place].id],
            unused: vec![receipts[(place + 1) % receipts.len()].id],
            session: None,
        };
        engine.feedback(&ns("default"), &feedback).unwrap();
    }
    let trial = engine.train_adapter(&ns("default"), &|| true).unwrap().unwrap();
    assert!(!trial.taken, "{trial:?}");
    assert!(!engine.search(&perihelion::Recall::new("q2x21")).unwrap().adapted);
    engine.close().unwrap();
    let engine = shifted(folder.path());
    assert_eq!(
        engine.train_adapter(&ns("default"), &|| true).unwrap(),
        None,
        "after a restart the same feedback is not tried again"
    );
    assert!(engine.learned_sets(&ns("default"), "adapter").unwrap().is_empty(), "nothing was taken");
    let other = tempfile::tempdir().unwrap();
    let mut settings = options(other.path());
    settings.learning.adaptation = perihelion::Adaptation::Off;
    let engine = Perihelion::open(settings).unwrap();
    assert_eq!(engine.train_adapter(&ns("default"), &|| true).unwrap(), None);
}
