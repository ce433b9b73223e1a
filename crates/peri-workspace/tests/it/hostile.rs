//! Trees that want to hurt.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use peri_workspace::{
    DuplicateLimits, Ending, LeftOutReason, Limits, SecretAllowances, UnreadReason, Workspace, WorkspaceError,
};

use crate::folder::{Folder, paths};

/// Everything that can be asked, to see that nothing hangs or breaks.
fn look_at_all(workspace: &Workspace) {
    let go_on = || true;
    let map = workspace.map(&go_on);
    let dependencies = workspace.dependencies(&map, &go_on);
    workspace.duplicates(&DuplicateLimits::default(), &go_on);
    workspace.test_gaps(&map, &dependencies, &Default::default(), &go_on);
    workspace.secrets(&SecretAllowances::default(), &go_on);
}

#[test]
fn a_path_without_a_folder_is_refused() {
    let folder = Folder::with(&[("a.rs", "")]);
    for path in [folder.path().join("a.rs"), folder.path().join("없음")] {
        let error = Workspace::open(&path, &Limits::default(), &|| true).unwrap_err();
        assert!(matches!(error, WorkspaceError::NotAFolder { .. }));
    }
}

#[cfg(unix)]
#[test]
fn links_are_told_and_never_followed() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("secret.rs", "fn secret() {}")]);
    let folder = Folder::with(&[("a.rs", "fn a() {}"), ("inner/b.rs", "")]);
    symlink(folder.path(), folder.path().join("inner/loop")).unwrap();
    symlink(outside.path(), folder.path().join("out")).unwrap();
    symlink(outside.path().join("secret.rs"), folder.path().join("linked.rs")).unwrap();
    symlink("nowhere", folder.path().join("broken.rs")).unwrap();
    for step in 0..2 {
        let workspace = folder.open();
        assert_eq!(paths(&workspace), ["a.rs", "inner/b.rs"], "{step}");
        assert_eq!(workspace.left_out().counts[&LeftOutReason::Link], 4);
        look_at_all(&workspace);
        folder.commit();
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_becomes_a_link_is_not_read_through() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("a.rs", "fn outside() {}")]);
    let folder = Folder::with(&[("inner/a.rs", "fn inside() {}")]);
    let workspace = folder.open();
    fs::remove_dir_all(folder.path().join("inner")).unwrap();
    symlink(outside.path(), folder.path().join("inner")).unwrap();
    assert_eq!(workspace.read(workspace.file("inner/a.rs").unwrap()), Err(UnreadReason::Link));
    assert!(workspace.map(&|| true).files.is_empty());
}

#[cfg(unix)]
#[test]
fn names_of_any_bytes_are_listed_and_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::with(&[
        ("줄\n바꿈.rs", "fn a() {}"),
        ("中文/文件.py", "def 函数(): pass\n"),
        ("a\\b.rs", ""),
    ]);
    let strange = OsStr::from_bytes(b"bad\xff.rs");
    // Some file systems take no such names; then there is nothing to test.
    let has_strange = fs::write(folder.path().join(strange), "fn strange() {}").is_ok();
    for step in 0..2 {
        let workspace = folder.open();
        let mut expected = vec!["a\\\\b.rs", "줄\n바꿈.rs", "中文/文件.py"];
        if has_strange {
            expected.push("bad\\xff.rs");
        }
        expected.sort_unstable();
        assert_eq!(paths(&workspace), expected, "{step}");
        let map = workspace.map(&|| true);
        assert!(!map.coverage.is_partial());
        assert_eq!(map.file("中文/文件.py").unwrap().symbols[0].name, "函数");
        look_at_all(&workspace);
        folder.commit();
    }
}

#[test]
fn large_and_binary_files_are_told() {
    let folder = Folder::with(&[("a.rs", "fn a() {}")]);
    folder.write("long.js", vec![b'x'; 3 * 1024 * 1024]);
    folder.write("picture.png", b"\x89PNG\0\0");
    folder.write("latin.py", b"# caf\xe9\nx = 1\n");
    let workspace = folder.open();
    assert_eq!(paths(&workspace), ["a.rs", "latin.py"]);
    let counts = &workspace.left_out().counts;
    assert_eq!((counts[&LeftOutReason::TooLarge], counts[&LeftOutReason::Binary]), (1, 1));
    assert!(workspace.left_out().listed.iter().any(|file| file.path == "long.js"));
}

#[test]
fn one_line_of_three_megabytes_is_looked_at_without_end() {
    let limits = Limits { file_bytes_max: 16 * 1024 * 1024, ..Limits::default() };
    let folder = Folder::with(&[]);
    for (name, piece) in [
        ("quotes.js", "\\'"),
        ("calls.js", "f('a',\"b\");"),
        ("modules.rs", "mod a{use b::c;"),
        ("groups.rs", "use a::{b::{"),
        ("paths.rs", "a::b::"),
        ("doc.py", "\"\"\""),
        ("keys.txt", "password=\""),
        ("braces.java", "class A{"),
        ("dots.go", "a.B"),
    ] {
        folder.write(name, piece.repeat(300_000 / piece.len()));
    }
    folder.write("long.js", "f('a');".repeat(3 * 1024 * 1024 / 7));
    folder.write("Cargo.toml", "[package]\nname = \"a\"\n[lib]\npath = \"modules.rs\"\n");
    look_at_all(&folder.open_within(&limits));
}

#[test]
fn a_file_that_vanishes_or_changes_after_listing_makes_the_answer_partial() {
    let folder = Folder::with(&[("a.rs", "fn a() {}"), ("b.rs", "fn b() {}"), ("c.rs", "fn c() {}")]);
    let limits = Limits { file_bytes_max: 100, ..Limits::default() };
    let workspace = folder.open_within(&limits);
    fs::remove_file(folder.path().join("a.rs")).unwrap();
    folder.write("b.rs", "x".repeat(101));
    folder.write("c.rs", b"\0");
    let map = workspace.map(&|| true);
    assert!(map.coverage.is_partial() && map.files.is_empty());
    let reasons: Vec<UnreadReason> = map.coverage.unread.iter().map(|unread| unread.reason).collect();
    assert_eq!(reasons, [UnreadReason::Vanished, UnreadReason::Grown, UnreadReason::NotText]);
}

#[test]
fn limits_hold_and_what_lies_beyond_is_told() {
    let folder =
        Folder::with(&[("a.rs", "12345"), ("b.rs", "12345"), ("c.rs", "12345"), ("node_modules/x.js", "")]);
    folder.write(&format!("{}deep.rs", "d/".repeat(6)), "");
    let few = folder.open_within(&Limits { files_max: 2, ..Limits::default() });
    assert_eq!(few.files().len(), 2);
    assert!(few.left_out().counts.contains_key(&LeftOutReason::TooMany));
    let small = folder.open_within(&Limits { bytes_max: 12, ..Limits::default() });
    assert_eq!(small.left_out().counts[&LeftOutReason::TooManyBytes], 1);
    let shallow = folder.open_within(&Limits { depth_max: 3, ..Limits::default() });
    assert_eq!(paths(&shallow), ["a.rs", "b.rs", "c.rs"]);
    assert_eq!(shallow.left_out().counts[&LeftOutReason::TooDeep], 1);
    assert_eq!(shallow.left_out().counts[&LeftOutReason::SkippedFolder], 1);
}

#[test]
fn whoever_asks_to_stop_gets_what_there_is_and_is_told() {
    let folder = Folder::with(&[("a.rs", "fn a() {}"), ("b.rs", "fn b() {}"), ("c.rs", "fn c() {}")]);
    let workspace = folder.open();
    let left = Cell::new(1);
    let once = || left.replace(left.get() - 1) > 0;
    let map = workspace.map(&once);
    assert_eq!((map.files.len(), map.coverage.ending, map.coverage.is_partial()), (1, Ending::Stopped, true));
    let never = || false;
    let map = workspace.map(&|| true);
    let dependencies = workspace.dependencies(&map, &never);
    let coverages = [
        dependencies.coverage.clone(),
        workspace.duplicates(&DuplicateLimits::default(), &never).coverage,
        workspace.test_gaps(&map, &dependencies, &Default::default(), &never).coverage,
        workspace.secrets(&SecretAllowances::default(), &never).coverage,
        workspace.digests(&never).1,
    ];
    assert!(coverages.iter().all(|coverage| coverage.ending == Ending::Stopped && coverage.is_partial()));
    let unlisted = Workspace::open(folder.path(), &Limits::default(), &never).unwrap();
    assert_eq!((unlisted.files().len(), unlisted.ending()), (0, Ending::Stopped));
}

#[test]
fn an_empty_folder_has_nothing_to_tell() {
    let folder = Folder::with(&[]);
    let workspace = folder.open();
    assert!(workspace.files().is_empty() && workspace.left_out().counts.is_empty());
    look_at_all(&workspace);
    assert!(Path::new(workspace.root()).is_absolute());
}
