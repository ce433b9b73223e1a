//! Files that are links, too large, no text, damaged, read-only, or in other hands.

use peri_bridge::{BridgeError, Damage, FileFate, Rehearsal};
use perihelion::ErrorKind;

use crate::support::{Desk, beside};

fn refused(desk: &Desk) -> [BridgeError; 3] {
    let (bridge, file, namespace) = (desk.bridge(), &desk.file, &desk.namespace);
    [
        bridge.import(file, namespace, Rehearsal::Real).unwrap_err(),
        bridge.export(file, namespace, &[], Rehearsal::Real).unwrap_err(),
        bridge.sync(file, namespace, &[], Rehearsal::Real).unwrap_err(),
    ]
}

#[test]
fn damaged_markers_stop_everything_and_say_what_to_do() {
    let (begin, end) = ("<!-- perihelion:begin -->", "<!-- perihelion:end -->");
    for (text, damage) in [
        (format!("{begin}\n- a\n"), Damage::NoEnd { line: 1 }),
        (format!("# 제목\n{end}\n"), Damage::NoBegin { line: 2 }),
        (format!("{begin}\n{begin}\n{end}\n{end}\n"), Damage::Nested { line: 2 }),
        (format!("{begin}\n{end}\n{begin}\n{end}\n"), Damage::Twice { line: 3 }),
    ] {
        let desk = Desk::saying(&text);
        desk.pin("Ana drinks tea");
        for error in refused(&desk) {
            let BridgeError::Markers { damage: own, .. } = &error else { panic!("{error:?}") };
            assert_eq!(*own, damage);
            assert!(error.hint().is_some() && error.kind() == ErrorKind::InvalidInput);
        }
        assert_eq!((desk.read(), desk.contents().len()), (text, 1));
    }
}

#[test]
fn a_file_that_ends_within_code_gets_no_section() {
    let desk = Desk::saying("```\nnever closed\n");
    desk.pin("Ana drinks tea");
    let error = desk.try_export().unwrap_err();
    assert!(matches!(error, BridgeError::Markers { damage: Damage::OpenCode, .. }));
    assert_eq!(desk.read(), "```\nnever closed\n");
}

#[test]
fn files_that_are_too_large_or_no_text_are_refused() {
    let desk = Desk::saying(&"가나다 라마바\n".repeat(60_000));
    assert!(refused(&desk).iter().all(|error| matches!(error, BridgeError::TooLarge { .. })));
    std::fs::write(&desk.file, b"caf\xe9\n").unwrap();
    assert!(refused(&desk).iter().all(|error| matches!(error, BridgeError::NotText { .. })));
    std::fs::remove_file(&desk.file).unwrap();
    std::fs::create_dir(&desk.file).unwrap();
    assert!(refused(&desk).iter().all(|error| matches!(error, BridgeError::File { .. })));
}

#[test]
fn a_missing_file_is_not_taken_for_an_empty_one() {
    let desk = Desk::saying("- Ana drinks tea\n");
    desk.import();
    std::fs::remove_file(&desk.file).unwrap();
    let error = desk.bridge().import(&desk.file, &desk.namespace, Rehearsal::Real).unwrap_err();
    assert!(matches!(error, BridgeError::NoFile { .. }) && error.kind() == ErrorKind::NotFound);
    let error = desk.bridge().sync(&desk.file, &desk.namespace, &[], Rehearsal::Real).unwrap_err();
    assert!(matches!(error, BridgeError::NoFile { .. }));
    assert_eq!(desk.contents(), ["Ana drinks tea"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_stay_links() {
    use std::os::unix::fs::symlink;
    let desk = Desk::saying("- Ana drinks tea\n");
    let link = beside(&desk.file, "AGENTS.md");
    symlink(&desk.file, &link).unwrap();
    desk.import();
    let imported = desk.bridge().import(&link, &desk.namespace, Rehearsal::Real).unwrap();
    assert_eq!((imported.unchanged, &imported.path), (1, &desk.file));
    desk.pin("火星是红色的");
    desk.bridge().export(&link, &desk.namespace, &[], Rehearsal::Real).unwrap();
    assert!(link.is_symlink() && desk.read().contains("火星是红色的"));
    let dangling = beside(&desk.file, "GEMINI.md");
    symlink("/nowhere/at/all", &dangling).unwrap();
    let error = desk.bridge().export(&dangling, &desk.namespace, &[], Rehearsal::Real).unwrap_err();
    assert!(matches!(error, BridgeError::File { .. }), "{error:?}");
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_a_read_only_file_stays_untouched() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::saying("# Mine\n");
    desk.pin("Ana drinks tea");
    let mode = |mode| std::fs::set_permissions(&desk.file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o640);
    assert_eq!(desk.export().file, FileFate::Written);
    assert_eq!(desk.file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    mode(0o440);
    desk.pin("another thing to show");
    let text = desk.read();
    assert!(matches!(desk.try_export().unwrap_err(), BridgeError::ReadOnly { .. }));
    assert_eq!(desk.read(), text);
    mode(0o640);
    assert_eq!(desk.export().added, ["another thing to show"], "and the next one goes on");
}

#[test]
fn nothing_is_left_beside_the_file() {
    let desk = Desk::saying("# Mine\n");
    desk.pin("Ana drinks tea");
    desk.sync();
    let mut names: Vec<_> = std::fs::read_dir(desk.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["CLAUDE.md", "data"]);
}

#[test]
fn one_process_at_a_time_works_on_a_file() {
    let desk = Desk::saying("- Ana drinks tea\n");
    desk.import();
    let lock = std::fs::File::open(desk.state_file().with_extension("lock")).unwrap();
    lock.try_lock().unwrap();
    assert!(refused(&desk).iter().all(|error| error.kind() == ErrorKind::Busy));
    let dry = desk.bridge().import(&desk.file, &desk.namespace, Rehearsal::Dry).unwrap();
    assert_eq!(dry.unchanged, 1, "to look is free");
}
