//! Learning from what was done: trajectories, patterns, routes.

use perihelion::{
    Event, EventKind, Happening, NewPattern, NewTrajectory, Options, Outcome, PatternList, PatternOutcome,
    PatternQuery, PatternTerm, Perihelion, RouteRequest, Scope, TaskOutcome, TrajectoryQuery,
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
