//! A vault that is followed: real files, the system's own notices, and the ways in which editors save.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use peri_vault::{Follower, Vault};
use perihelion::{ListQuery, Memory, Namespace, Perihelion, Revise, Scope};

/// A condition is looked at so often, so much later each time, before it counts as never met.
const LOOKS: usize = 600;
const LOOK: Duration = Duration::from_millis(50);

struct Desk {
    folder: tempfile::TempDir,
    engine: Arc<Perihelion>,
    follower: Option<Follower>,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = crate::support::options(folder.path(), &perihelion::Clock::system());
        let engine = Arc::new(Perihelion::open(options).unwrap());
        let vault = Vault::new(folder.path().join("vault"), Namespace::default());
        let shared = Arc::clone(&engine);
        let follower = Follower::start(vault, move || Some(shared), Box::new(|_| {})).unwrap();
        Self { folder, engine, follower: Some(follower) }
    }

    fn path(&self, place: &str) -> std::path::PathBuf {
        let path = self.folder.path().join("vault").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    fn contents(&self) -> Vec<String> {
        let mut contents: Vec<_> = self.memories().into_iter().map(|memory| memory.content).collect();
        contents.sort();
        contents
    }

    fn memories(&self) -> Vec<Memory> {
        self.engine.list(ListQuery::default()).unwrap().memories
    }

    fn comes_to_hold(&self, expected: &[&str]) {
        self.comes_true(|| self.contents() == expected, &expected);
    }

    fn comes_true(&self, condition: impl Fn() -> bool, what: &dyn std::fmt::Debug) {
        for _ in 0..LOOKS {
            if condition() {
                return;
            }
            std::thread::park_timeout(LOOK);
        }
        panic!("never: {what:?}; it holds {:?}", self.contents());
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(follower) = self.follower.take() {
            follower.end();
        }
    }
}

#[test]
fn edits_are_seen_whichever_way_an_editor_saves() {
    let desk = Desk::new();
    let path = desk.path("knowledge/facts/포트.md");
    // Obsidian and VS Code write in place.
    fs::write(&path, "The port is 1.").unwrap();
    desk.comes_to_hold(&["The port is 1."]);
    let id = desk.memories()[0].id;
    fs::write(&path, "The port is 2.").unwrap();
    desk.comes_to_hold(&["The port is 2."]);
    // Vim moves the file aside, writes a new one and removes the old.
    fs::write(desk.path("knowledge/facts/4913"), "").unwrap();
    fs::remove_file(desk.path("knowledge/facts/4913")).unwrap();
    fs::rename(&path, desk.path("knowledge/facts/포트.md~")).unwrap();
    fs::write(&path, "The port is 3.").unwrap();
    fs::remove_file(desk.path("knowledge/facts/포트.md~")).unwrap();
    desk.comes_to_hold(&["The port is 3."]);
    // Others write beside it and rename over it.
    fs::write(desk.path("knowledge/facts/.포트.md.tmp"), "The port is 4.").unwrap();
    fs::rename(desk.path("knowledge/facts/.포트.md.tmp"), &path).unwrap();
    desk.comes_to_hold(&["The port is 4."]);
    // Some delete first and create then.
    fs::remove_file(&path).unwrap();
    fs::write(&path, "The port is 5.").unwrap();
    desk.comes_to_hold(&["The port is 5."]);
    // And some write in pieces.
    let mut file = fs::File::create(&path).unwrap();
    for piece in ["The ", "port ", "is ", "6."] {
        std::io::Write::write_all(&mut file, piece.as_bytes()).unwrap();
        file.sync_all().unwrap();
    }
    desk.comes_to_hold(&["The port is 6."]);
    assert_eq!(desk.memories()[0].id, id);
}

#[test]
fn new_folders_renames_and_deletions_are_seen() {
    let desk = Desk::new();
    fs::write(desk.path("knowledge/새 폴더/깊은/하나.md"), "Mars is red.").unwrap();
    fs::write(desk.path("knowledge/새 폴더/둘.md"), "Neptune is blue.").unwrap();
    desk.comes_to_hold(&["Mars is red.", "Neptune is blue."]);
    fs::rename(desk.path("knowledge/새 폴더/둘.md"), desk.path("knowledge/facts/二.md")).unwrap();
    let moved = |memory: Memory| memory.facets.source.as_deref() == Some("vault:knowledge/facts/二.md");
    desk.comes_true(|| desk.memories().into_iter().any(moved), &"the new name");
    fs::remove_dir_all(desk.path("knowledge/새 폴더")).unwrap();
    desk.comes_to_hold(&["Neptune is blue."]);
}

#[test]
fn a_change_of_a_memory_reaches_the_file() {
    let desk = Desk::new();
    let path = desk.path("knowledge/facts/x.md");
    fs::write(&path, "The port is 1.").unwrap();
    desk.comes_to_hold(&["The port is 1."]);
    let revise = Revise { content: Some("포트는 2이다.".to_owned()), ..Revise::default() };
    // The follower may be about to write what it knows of the new memory; a revision beside it is never lost.
    desk.engine.revise(&Scope::All, desk.memories()[0].id, revise).unwrap();
    desk.comes_true(|| fs::read_to_string(&path).is_ok_and(|text| text == "포트는 2이다."), &"the file");
    desk.engine.forget(&Scope::All, desk.memories()[0].id).unwrap();
    desk.comes_true(|| !path.exists(), &"the file in the trash");
}
