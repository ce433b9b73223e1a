use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use super::*;

fn folder(mode: u32) -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("기억");
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    (root, path)
}

fn mode_of(path: &Path) -> u32 {
    mode(path).unwrap() & 0o777
}

/// The umask of whoever runs the tests may take the group's right to write.
fn of_group(mode: u32) -> [u32; 2] {
    [mode, mode & !0o020]
}

#[test]
fn what_is_made_is_shared_with_a_group_that_the_folder_is_shared_with_and_with_nobody_else() {
    for (of_folder, of_file, of_sub) in [
        (0o700, 0o600, 0o700),
        (0o755, 0o600, 0o700),
        (0o775, 0o600, 0o700),
        (0o777, 0o600, 0o700),
        (0o750, 0o640, 0o750),
        (0o770, 0o660, 0o770),
        (0o2770, 0o660, 0o770),
        (0o2775, 0o660, 0o770),
    ] {
        let (_root, path) = folder(of_folder);
        write(&path.join("메모"), b"x").unwrap();
        assert!(of_group(of_file).contains(&mode_of(&path.join("메모"))), "{of_folder:o}");
        create_folder(&path.join("笔记")).unwrap();
        assert!(of_group(of_sub).contains(&mode_of(&path.join("笔记"))), "{of_folder:o}");
        own_file().write(true).create_new(true).open(path.join("own")).unwrap();
        create_root(&path.join("a/b")).unwrap();
        assert_eq!(
            [path.join("own"), path.join("a"), path.join("a/b")].map(|path| mode_of(&path)),
            [0o600, 0o700, 0o700]
        );
    }
}

#[test]
fn of_several_missing_folders_the_first_is_private_whatever_lies_above() {
    let (_root, path) = folder(0o750);
    create_folder(&path.join("data/index")).unwrap();
    assert_eq!([path.join("data"), path.join("data/index")].map(|path| mode_of(&path)), [0o700, 0o700]);
    create_folder(&path.join("data/index")).unwrap();
    fs::write(path.join("data/file"), "").unwrap();
    assert!(create_folder(&path.join("data/file")).is_err());
    assert!(create_folder(&path.join("data/file/below")).is_err());
}

#[test]
fn documents_are_as_readable_as_their_folder() {
    for (of_folder, of_file) in [(0o700, 0o600), (0o755, 0o644), (0o750, 0o640)] {
        let (_root, path) = folder(of_folder);
        document(&path.join("문서.md"))
            .write(true)
            .create(true)
            .truncate(true)
            .open(path.join("문서.md"))
            .unwrap();
        create_open_folder(&path.join("가/나")).unwrap();
        assert_eq!(mode_of(&path.join("문서.md")), of_file);
        assert_eq!(mode_of(&path.join("가/나")), of_folder);
    }
}

#[test]
fn what_is_open_to_all_is_closed_and_what_is_shared_on_purpose_stays_so() {
    for (before, after) in
        [(0o755, 0o700), (0o775, 0o700), (0o2775, 0o2770), (0o770, 0o770), (0o2750, 0o2750), (0o700, 0o700)]
    {
        let (_root, path) = folder(before);
        assert_eq!(
            (is_open(&path), tighten(&path).unwrap()),
            (before != after, before != after),
            "{before:o}"
        );
        assert_eq!(mode(&path).unwrap(), after, "{before:o}");
        assert!(!tighten(&path).unwrap());
    }
    let (_root, path) = folder(0o755);
    let link = path.with_file_name("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(!tighten(&link).unwrap());
    assert!(tighten(&path.join("nothing")).is_err());
}
