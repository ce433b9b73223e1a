//! A learning file on the disk: nothing is lost, whatever happens to it.

use std::fs;
use std::path::{Path, PathBuf};

use peri_learn::rvf::{
    AdapterRecord, Ending, EwcRecord, PatternRecord, Persisted, RvfError, RvfLearningStore, RvfLimits,
    TrajectoryRecord,
};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("배움.rvf");
    (folder, path)
}

fn opened(path: &Path) -> RvfLearningStore {
    let mut store = RvfLearningStore::new(path);
    assert!(store.initialize().unwrap().is_whole());
    store
}

fn pattern(id: &str, strategy: &str) -> PatternRecord {
    PatternRecord { id: id.to_owned(), strategy: strategy.to_owned(), ..Default::default() }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|one| one.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_was_persisted_is_there_the_next_time() {
    let (folder, path) = folder();
    let mut store = opened(&path);
    store.save_pattern(pattern("하나", "先测试")).unwrap();
    store.save_pattern(pattern("둘", "고친다")).unwrap();
    store.save_pattern(pattern("하나", "先运行测试")).unwrap();
    let trajectory =
        TrajectoryRecord { id: "t".to_owned(), outcome: "success".to_owned(), ..Default::default() };
    store.save_trajectory(trajectory.clone()).unwrap();
    store.save_ewc(EwcRecord { tasks_learned: 1, ..Default::default() }).unwrap();
    store.save_ewc(EwcRecord { tasks_learned: 2, ..Default::default() }).unwrap();
    let adapter = AdapterRecord { name: "q".to_owned(), rank: 2, ..Default::default() };
    store.save_adapter(adapter.clone()).unwrap();
    assert!(!path.exists(), "nothing is written before somebody persists");
    assert_eq!(store.persist().unwrap(), Persisted::Written { damaged: None });
    assert_eq!(store.persist().unwrap(), Persisted::Unchanged);

    let again = opened(&path);
    assert_eq!(again.get_all_patterns(), [pattern("하나", "先运行测试"), pattern("둘", "고친다")]);
    assert_eq!(again.file().trajectories.get("t"), Some(&trajectory));
    assert_eq!(again.file().ewc.records().next().unwrap().tasks_learned, 2);
    assert_eq!(again.file().adapters.get("q"), Some(&adapter));
    assert_eq!(again.file(), store.file());
    assert_eq!(names(folder.path()), ["배움.rvf"], "no half files stay beside it");
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, path) = folder();
    let mut store = opened(&path);
    store.persist().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let (folder, path) = folder();
    let link = folder.path().join("link.rvf");
    opened(&path).persist().unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut store = opened(&link);
    store.save_pattern(pattern("a", "b")).unwrap();
    store.persist().unwrap();
    assert!(link.is_symlink());
    assert_eq!(opened(&path).get_all_patterns().len(), 1);
}

#[test]
fn a_file_that_was_not_read_is_not_overwritten() {
    let (_folder, path) = folder();
    let mut store = opened(&path);
    store.save_pattern(pattern("a", "b")).unwrap();
    store.persist().unwrap();
    let before = fs::read(&path).unwrap();

    let mut unread = RvfLearningStore::new(&path);
    unread.save_pattern(pattern("c", "d")).unwrap();
    assert!(matches!(unread.persist(), Err(RvfError::NotInitialized { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn what_somebody_else_wrote_meanwhile_is_not_overwritten() {
    let (_folder, path) = folder();
    opened(&path).persist().unwrap();
    let (mut one, mut two) = (opened(&path), opened(&path));
    one.save_pattern(pattern("a", "b")).unwrap();
    one.persist().unwrap();
    two.save_pattern(pattern("c", "d")).unwrap();
    assert!(matches!(two.persist(), Err(RvfError::ChangedMeanwhile { .. })));
    two.initialize().unwrap();
    two.save_pattern(pattern("c", "d")).unwrap();
    two.persist().unwrap();
    one.initialize().unwrap();
    assert_eq!(one.get_all_patterns().len(), 2);
}

#[test]
fn another_kind_of_file_changes_nothing() {
    let (folder, path) = folder();
    let mut store = opened(&path);
    store.save_pattern(pattern("a", "b")).unwrap();
    store.persist().unwrap();
    fs::write(&path, "# 메모\n").unwrap();
    let error = store.initialize().unwrap_err();
    assert!(matches!(error, RvfError::NotALearningFile { .. }), "{error}");
    assert_eq!(store.get_all_patterns().len(), 1, "what was in memory stays");
    assert!(matches!(store.persist(), Err(RvfError::ChangedMeanwhile { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "# 메모\n");
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn a_damaged_file_is_kept_beside_the_one_that_takes_its_place() {
    let (folder, path) = folder();
    let mut store = opened(&path);
    store.save_pattern(pattern("a", "b")).unwrap();
    store.save_pattern(pattern("c", "d")).unwrap();
    store.persist().unwrap();
    let bytes = fs::read(&path).unwrap();
    let torn = &bytes[..bytes.len() - 12];
    fs::write(&path, torn).unwrap();

    let mut store = RvfLearningStore::new(&path);
    let report = store.initialize().unwrap();
    assert_eq!((report.ending, report.records), (Ending::CutLine, 1));
    assert_eq!(store.persist().unwrap(), Persisted::Unchanged, "reading alone changes nothing");
    store.save_pattern(pattern("e", "f")).unwrap();
    let copy = folder.path().join("배움.rvf.damaged-1");
    assert_eq!(store.persist().unwrap(), Persisted::Written { damaged: Some(copy.clone()) });
    assert_eq!(fs::read(&copy).unwrap(), torn);
    assert_eq!(opened(&path).get_all_patterns().len(), 2);

    fs::write(&path, "RVLS\n?\nREND\n").unwrap();
    assert_eq!(store.initialize().unwrap().skipped, 1);
    store.save_pattern(pattern("e", "f")).unwrap();
    store.persist().unwrap();
    assert_eq!(names(folder.path()), ["배움.rvf", "배움.rvf.damaged-1", "배움.rvf.damaged-2"]);
}

#[test]
fn what_cannot_be_kept_is_refused_and_the_former_file_stays() {
    let (folder, path) = folder();
    let limits = RvfLimits { line_bytes_max: 200, bytes_max: 400, ..Default::default() };
    let mut store = RvfLearningStore::with_limits(&path, limits);
    store.initialize().unwrap();
    store.save_pattern(pattern("a", "b")).unwrap();
    store.persist().unwrap();
    let before = fs::read(&path).unwrap();

    assert!(matches!(
        store.save_pattern(pattern("b", &"나".repeat(90))),
        Err(RvfError::RecordTooLarge { .. })
    ));
    let nan = PatternRecord { success_rate: f32::NAN, ..pattern("c", "d") };
    assert!(matches!(store.save_pattern(nan), Err(RvfError::Refused { .. })));
    assert_eq!(store.get_all_patterns().len(), 1);
    assert_eq!(store.persist().unwrap(), Persisted::Unchanged);

    // Each fits, but not all of them: writing breaks off in the middle, and what is there is not touched.
    for id in ["d", "e", "f", "g", "h"] {
        store.save_pattern(pattern(id, "테스트")).unwrap();
    }
    assert!(matches!(store.persist(), Err(RvfError::TooLarge { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(folder.path()), ["배움.rvf"]);
}

#[test]
fn a_folder_that_is_not_there_is_told_with_its_name() {
    let (folder, _) = folder();
    let path = folder.path().join("없음").join("a.rvf");
    let mut store = opened(&path);
    let error = store.persist().unwrap_err().to_string();
    assert!(error.contains("없음") && error.contains("written"), "{error}");
}

#[test]
fn unknown_fields_of_a_replaced_record_stay() {
    let (_folder, path) = folder();
    fs::write(
        &path,
        "RVLS\n{\"type\":\"pattern\",\"data\":{\"id\":\"a\",\"strategy\":\"b\",\"색\":1}}\nREND",
    )
    .unwrap();
    let mut store = opened(&path);
    store.save_pattern(pattern("a", "c")).unwrap();
    store.persist().unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("\"색\":1"));
}
