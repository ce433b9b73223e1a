//! What git knows: which files count, and what has changed.

use std::fs;

use peri_workspace::{LeftOutReason, Origin, Tracking, WorkspaceError};

use crate::folder::{Folder, paths};

#[test]
fn tracked_files_and_those_not_ignored_count_and_others_do_not() {
    let folder =
        Folder::with(&[("a.rs", ""), (".gitignore", "target\n"), ("target/b.rs", ""), ("한글/폴더.py", "x")]);
    let commit = folder.commit();
    folder.write("new.rs", "");
    folder.write("vendor/kept.go", "package kept\n");
    folder.commit();
    folder.write("later.rs", "");
    let workspace = folder.open();
    assert_eq!(
        paths(&workspace),
        [".gitignore", "a.rs", "later.rs", "new.rs", "vendor/kept.go", "한글/폴더.py"]
    );
    assert_eq!(workspace.file("later.rs").unwrap().tracking, Tracking::Untracked);
    let Origin::Git { commit: now, branch } = workspace.origin() else { panic!("not git") };
    assert_eq!((now.is_some(), branch.as_deref(), *now == Some(commit)), (true, Some("main"), false));
}

#[test]
fn changes_since_a_commit_are_told_by_kind() {
    let folder =
        Folder::with(&[("same.rs", "1"), ("changed.rs", "1"), ("gone.rs", "1"), ("모름\n줄.rs", "1")]);
    let commit = folder.commit();
    folder.write("changed.rs", "2");
    folder.write("added.rs", "1");
    folder.write("모름\n줄.rs", "2");
    fs::remove_file(folder.path().join("gone.rs")).unwrap();
    folder.commit();
    folder.write("same.rs", "on the disk alone");
    folder.write("untracked.rs", "1");
    let workspace = folder.open();
    let changes = workspace.changed_since(&commit, &|| true).unwrap();
    assert_eq!(changes.changed, ["added.rs", "changed.rs", "same.rs", "모름\n줄.rs"]);
    assert_eq!(
        (changes.removed, changes.untracked),
        (vec!["gone.rs".to_owned()], vec!["untracked.rs".to_owned()])
    );
}

#[test]
fn what_is_no_commit_is_refused_and_never_reaches_git_as_an_option() {
    let folder = Folder::with(&[("a.rs", "")]);
    folder.commit();
    let workspace = folder.open();
    for commit in ["--output=stolen", "HEAD", "", "0123456789abcdef0123456789abcdef01234567", "main~1"] {
        let error = workspace.changed_since(commit, &|| true).unwrap_err();
        assert!(matches!(error, WorkspaceError::UnknownCommit { .. }), "{commit}");
    }
    assert!(!folder.path().join("stolen").exists());
}

#[test]
fn without_git_digests_tell_what_has_changed() {
    let folder = Folder::with(&[("a.py", "1"), ("b.py", "1")]);
    let workspace = folder.open();
    assert!(matches!(workspace.changed_since("0123456789", &|| true), Err(WorkspaceError::NoHistory { .. })));
    let (before, coverage) = workspace.digests(&|| true);
    folder.write("b.py", "2");
    let (after, _) = folder.open().digests(&|| true);
    assert_eq!((before["a.py"] == after["a.py"], before["b.py"] == after["b.py"]), (true, false));
    assert!(!coverage.is_partial());
}

#[test]
fn a_folder_within_a_repository_is_a_workspace_of_its_own() {
    let folder = Folder::with(&[("top.rs", ""), ("inner/a.rs", "1")]);
    let commit = folder.commit();
    folder.write("top.rs", "2");
    folder.write("inner/a.rs", "2");
    let inner =
        peri_workspace::Workspace::open(&folder.path().join("inner"), &Default::default(), &|| true).unwrap();
    assert_eq!(paths(&inner), ["a.rs"]);
    assert_eq!(inner.changed_since(&commit, &|| true).unwrap().changed, ["a.rs"]);
    assert_eq!(
        inner.change_counts(10, &|| true).unwrap().into_iter().collect::<Vec<_>>(),
        [("a.rs".to_owned(), 1)]
    );
}

#[test]
fn changes_are_counted_per_commit() {
    let folder = Folder::with(&[("a.rs", "1"), ("b.rs", "1")]);
    folder.commit();
    for text in ["2", "3"] {
        folder.write("a.rs", text);
        folder.commit();
    }
    let workspace = folder.open();
    let counts = workspace.change_counts(100, &|| true).unwrap();
    assert_eq!((counts["a.rs"], counts["b.rs"]), (3, 1));
    assert_eq!(workspace.change_counts(1, &|| true).unwrap().get("b.rs"), None);
}

#[test]
fn a_repository_without_a_commit_opens() {
    let folder = Folder::with(&[("a.rs", "")]);
    folder.git(&["init", "--quiet"]);
    let workspace = folder.open();
    assert_eq!(paths(&workspace), ["a.rs"]);
    assert!(matches!(workspace.origin(), Origin::Git { commit: None, .. }));
    assert!(workspace.change_counts(10, &|| true).unwrap().is_empty());
}

#[test]
fn a_tracked_file_that_is_not_on_the_disk_is_told() {
    let folder = Folder::with(&[("a.rs", ""), ("b.rs", "")]);
    folder.commit();
    fs::remove_file(folder.path().join("b.rs")).unwrap();
    let workspace = folder.open();
    assert_eq!(paths(&workspace), ["a.rs"]);
    assert_eq!(workspace.left_out().counts[&LeftOutReason::Missing], 1);
}

#[test]
fn nothing_in_the_repository_is_touched() {
    let folder = Folder::with(&[("a.rs", "fn a() {}")]);
    let commit = folder.commit();
    let index = fs::read(folder.path().join(".git/index")).unwrap();
    let monitor = folder.path().join("monitor-ran");
    folder.git(&["config", "core.fsmonitor", &format!("touch {} #", monitor.display())]);
    let workspace = folder.open();
    workspace.changed_since(&commit, &|| true).unwrap();
    workspace.change_counts(10, &|| true).unwrap();
    assert_eq!(fs::read(folder.path().join(".git/index")).unwrap(), index);
    assert!(!monitor.exists());
}
