//! What was learned leaves and arrives as a learning file.

use std::path::{Path, PathBuf};

use perihelion::learning::rvf::{PatternRecord, RvfFile, RvfLimits, TrajectoryRecord};
use perihelion::{
    Effect, ErrorKind, NewPattern, NewTrajectory, PatternList, Perihelion, Scope, TaskOutcome,
    TrajectoryQuery,
};

use crate::support::{fresh, ns};

fn taught() -> (tempfile::TempDir, Perihelion) {
    let (folder, engine) = fresh();
    for strategy in
        ["run the failing test alone first", "실패한 테스트를 먼저 단독으로 실행한다", "先备份数据库再迁移"]
    {
        engine.store_pattern(NewPattern::new(strategy)).unwrap();
    }
    let elsewhere = NewPattern::new("ask the owner before deleting a branch").in_namespace(ns("team/shop"));
    let put_aside = engine.store_pattern(elsewhere).unwrap().pattern.id;
    engine.retire_pattern(&Scope::All, put_aside).unwrap();
    let done =
        NewTrajectory::new("고객 목록을 내보낸다", TaskOutcome::Partial).by("coder").step("导出", "完成");
    engine.record_trajectory(done).unwrap();
    (folder, engine)
}

fn exported(engine: &Perihelion, folder: &Path) -> PathBuf {
    let path = folder.join("learned.rvls");
    engine.export_learning(&path, &Scope::All).unwrap();
    path
}

fn everything(engine: &Perihelion) -> (Vec<String>, Vec<String>) {
    let of = |retired| engine.patterns(&PatternList { scope: Scope::All, retired, ..PatternList::default() });
    let mut patterns: Vec<String> = [of(false), of(true)]
        .into_iter()
        .flat_map(Result::unwrap)
        .map(|pattern| serde_json::to_string(&pattern).unwrap())
        .collect();
    patterns.sort();
    let tasks = engine.trajectories(&TrajectoryQuery::default()).unwrap().trajectories;
    (patterns, tasks.iter().map(|one| serde_json::to_string(one).unwrap()).collect())
}

/// Reads a file, changes it and writes it back.
fn rewrite(path: &Path, change: impl FnOnce(&mut RvfFile)) {
    let limits = RvfLimits::default();
    let (mut file, _) = RvfFile::read(std::fs::File::open(path).unwrap(), &limits).unwrap();
    change(&mut file);
    file.write(&mut std::fs::File::create(path).unwrap(), &limits).unwrap();
}

#[test]
fn what_leaves_arrives_as_it_was_and_a_second_time_changes_nothing() {
    let (from, source) = taught();
    let path = exported(&source, from.path());
    let (_folder, target) = fresh();
    let rehearsed = target.import_learning(&path, &ns("default"), Effect::Rehearsed).unwrap();
    assert_eq!(everything(&target), (Vec::new(), Vec::new()), "a rehearsal changes nothing");
    let taken = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((&rehearsed, taken.patterns, taken.trajectories), (&taken, 4, 1));
    assert_eq!(everything(&target), everything(&source));
    let again = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((again.patterns, again.merged, again.trajectories), (0, 0, 0));
    assert_eq!((again.patterns_known, again.trajectories_known), (4, 1));
    assert_eq!(everything(&target), everything(&source));
    let bytes = std::fs::read(&path).unwrap();
    let copy = exported(&target, _folder.path());
    assert_eq!(std::fs::read(copy).unwrap(), bytes, "out, in and out again gives the same bytes");
}

#[test]
fn a_pattern_that_says_the_same_is_joined_once_and_counts_are_not_added_up() {
    let (from, source) = taught();
    let path = exported(&source, from.path());
    let (_folder, target) = fresh();
    let own = target.store_pattern(NewPattern::new("Run the failing test alone, first!")).unwrap().pattern;
    rewrite(&path, |file| {
        let same = file.patterns.records().find(|one| one.strategy.starts_with("run the")).unwrap().clone();
        file.patterns.put_record(PatternRecord {
            use_count: 7,
            successes: Some(6),
            quality: Some(0.75),
            ..same
        });
    });
    let taken = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((taken.patterns, taken.merged), (3, 1));
    let joined = target.pattern(&Scope::All, own.id).unwrap();
    assert_eq!((joined.uses, joined.successes, joined.strategy), (7, 6, own.strategy));
    let before = everything(&target);
    let again = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((again.patterns, again.merged), (0, 0));
    assert_eq!(everything(&target), before);
}

#[test]
fn what_was_put_aside_here_is_not_brought_back_by_a_file() {
    let (from, source) = taught();
    let path = exported(&source, from.path());
    let (_folder, target) = fresh();
    let own = target.store_pattern(NewPattern::new("run the failing test alone first")).unwrap().pattern.id;
    target.retire_pattern(&Scope::All, own).unwrap();
    target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    let offered = target.patterns(&PatternList { scope: Scope::All, ..PatternList::default() }).unwrap();
    assert!(offered.iter().all(|pattern| !pattern.strategy.contains("alone first")));
}

#[test]
fn vectors_of_another_space_or_size_are_made_anew() {
    let (from, source) = taught();
    let path = exported(&source, from.path());
    let (_folder, whole) = fresh();
    let taken = whole.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert!(taken.vectors_taken > 0 && taken.vectors_made == 0, "{taken:?}");
    rewrite(&path, |file| {
        for record in file.patterns.records().cloned().collect::<Vec<_>>() {
            let mut changed = record.clone();
            match record.strategy.starts_with("run the") {
                true => changed.embedding.truncate(3),
                false => changed.space = None,
            }
            file.patterns.put_record(changed);
        }
    });
    let (_folder, target) = fresh();
    let made = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((made.vectors_taken, made.vectors_made), (0, taken.vectors_taken));
    let found = target.search_patterns(&perihelion::PatternQuery::new("a test fails")).unwrap();
    assert!(!found.matches.is_empty(), "and it is found by its meaning");
}

#[test]
fn files_of_others_are_taken_into_the_namespace_that_is_named() {
    let (folder, engine) = fresh();
    let path = folder.path().join("theirs.rvls");
    let text = concat!(
        "RVLS\n",
        r#"{"type":"pattern","data":{"id":"p-1","strategy":"cache the parser","embedding":[1,2],"success_rate":0.8,"use_count":5,"last_used":"2026-01-02T03:04:05Z"}}"#,
        "\n",
        r#"{"type":"trajectory","data":{"id":"t-1","steps":[{"input":"解析文件","output":"好"}],"outcome":"success","duration_ms":4}}"#,
        "\n",
        r#"{"type":"trajectory","data":{"id":"t-2","steps":[],"outcome":"won"}}"#,
        "\n",
        r#"{"type":"pattern","data":{"id":"p-2","strategy":"the key is ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}"#,
        "\n{broken\n",
        r#"{"type":"galaxy","data":{"id":"x"}}"#,
        "\n",
        r#"{"type":"pattern","data":{"id":"p-3","stra"#,
    );
    std::fs::write(&path, text).unwrap();
    let taken = engine.import_learning(&path, &ns("team/shop"), Effect::Written).unwrap();
    assert_eq!(
        (taken.patterns, taken.trajectories, taken.foreign, taken.redacted),
        (2, 1, 1, 1),
        "{taken:?}"
    );
    assert!(taken.torn && taken.refused >= 2, "{taken:?}");
    assert!(taken.problems.iter().any(|problem| problem.starts_with("line 6:")), "{:?}", taken.problems);
    let (patterns, tasks) = everything(&engine);
    assert!(patterns.iter().chain(&tasks).all(|one| one.contains("team/shop") && !one.contains("ghp_")));
    let again = engine.import_learning(&path, &ns("team/shop"), Effect::Written).unwrap();
    assert_eq!((again.patterns, again.trajectories), (0, 0), "their ids lead to the same ids");
}

#[test]
fn what_is_no_learning_file_is_refused_and_left_as_it_is() {
    let (folder, engine) = taught();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "일기\n").unwrap();
    let read = engine.import_learning(&path, &ns("default"), Effect::Written).unwrap_err();
    let written = engine.export_learning(&path, &Scope::All).unwrap_err();
    assert_eq!((read.kind(), written.kind()), (ErrorKind::InvalidInput, ErrorKind::InvalidInput));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "일기\n");
    let missing = folder.path().join("nowhere.rvls");
    let read = engine.import_learning(&missing, &ns("default"), Effect::Written).unwrap_err();
    assert_eq!(read.kind(), ErrorKind::InvalidInput);
    assert!(!missing.exists());
}

#[test]
fn an_export_keeps_what_a_file_holds_besides() {
    let (folder, engine) = taught();
    let path = folder.path().join("shared.rvls");
    let theirs = r#"{"type":"galaxy","data":{"id":"x"}}"#;
    std::fs::write(&path, format!("RVLS\n{theirs}\nREND\n")).unwrap();
    let exported = engine.export_learning(&path, &Scope::All).unwrap();
    assert_eq!((exported.patterns, exported.trajectories, exported.kept), (4, 1, 1));
    assert!(std::fs::read_to_string(&path).unwrap().contains(theirs));
    let only = folder.path().join("shop.rvls");
    let exported = engine.export_learning(&only, &Scope::Exact(ns("team/shop"))).unwrap();
    assert_eq!((exported.patterns, exported.trajectories), (1, 0));
}

#[test]
fn a_task_that_is_too_large_or_says_nothing_is_refused_and_the_rest_is_taken() {
    let (from, source) = taught();
    let path = exported(&source, from.path());
    rewrite(&path, |file| {
        let one = file.trajectories.records().next().unwrap().clone();
        let step = one.steps[0].clone();
        let steps = vec![step; 1001];
        file.trajectories.put_record(TrajectoryRecord { id: "long".to_owned(), steps, ..one.clone() });
        let task = Some(" ".to_owned());
        file.trajectories.put_record(TrajectoryRecord { id: "blank".to_owned(), task, ..one });
    });
    let (_folder, target) = fresh();
    let taken = target.import_learning(&path, &ns("default"), Effect::Written).unwrap();
    assert_eq!((taken.trajectories, taken.refused), (1, 2), "{taken:?}");
}
