//! What is remembered of a file: lost, damaged, of another store, or older than the file.

use peri_bridge::{BridgeError, FileFate, What};
use serde_json::Value;

use crate::support::{Desk, told};

fn change_state(desk: &Desk, change: impl Fn(&mut Value)) {
    let path = desk.state_file();
    let mut state: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    change(&mut state);
    std::fs::write(path, state.to_string()).unwrap();
}

#[test]
fn a_lost_or_damaged_state_is_found_out_from_the_memories() {
    let destroy: [fn(&Desk); 3] = [
        |desk| std::fs::remove_file(desk.state_file()).unwrap(),
        |desk| std::fs::write(desk.state_file(), "{ no").unwrap(),
        |desk| change_state(desk, |state| state["store"] = "another".into()),
    ];
    for (number, destroy) in destroy.into_iter().enumerate() {
        let desk = Desk::saying("- 항상 한국어로 답한다\n- the port is 8080\n- Ana drinks tea\n");
        desk.import();
        let id = desk.find("the port is 8080").id;
        desk.engine.forget(&perihelion::Scope::All, desk.find("Ana drinks tea").id).unwrap();
        destroy(&desk);
        desk.edit("8080", "9090");
        let imported = desk.import();
        assert_eq!(told(&imported.changes), [(What::Revised, "the port is 9090")], "{number}");
        assert_eq!(imported.rebuilt.is_some(), number > 0);
        assert_eq!((imported.unchanged, desk.memory(id).content), (2, "the port is 9090".to_owned()));
        desk.write("- Ana drinks tea\n");
        assert_eq!(desk.import().counts.forgotten, 2);
    }
}

#[test]
fn a_lost_state_still_knows_what_somebody_changed() {
    let desk = Desk::saying("- the port is 8080\n");
    desk.import();
    desk.revise(desk.find("the port is 8080").id, "the port is 7070");
    std::fs::remove_file(desk.state_file()).unwrap();
    desk.write("\n");
    assert_eq!(desk.import().counts.kept, 1);
    assert_eq!(desk.contents(), ["the port is 7070"]);
}

#[test]
fn a_newer_state_is_refused_and_left_alone() {
    let desk = Desk::saying("- the port is 8080\n");
    desk.import();
    change_state(&desk, |state| state["format"] = 9.into());
    let error = desk.try_export().unwrap_err();
    assert!(matches!(error, BridgeError::Newer { format: 9, .. }) && error.hint().is_some());
}

#[test]
fn an_export_that_ended_before_it_could_say_so_is_known() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    let old = std::fs::read(desk.state_file()).unwrap();
    desk.pin("a long memory\nof two lines");
    desk.sync();
    // As it is on the disk right after the file was written, and before that was noted.
    let new: Value = serde_json::from_slice(&std::fs::read(desk.state_file()).unwrap()).unwrap();
    std::fs::write(desk.state_file(), old).unwrap();
    change_state(&desk, |state| state["announced"] = new["shown"].clone());
    desk.edit("Ana drinks tea", "Ana drinks green tea");
    let synced = desk.sync();
    assert_eq!(told(&synced.edits.changes), [(What::Revised, "Ana drinks green tea")]);
    assert_eq!(desk.contents(), ["Ana drinks green tea", "a long memory\nof two lines"]);
    assert!(desk.sync().is_nothing());
}

#[test]
fn an_export_that_ended_before_the_file_was_written_changes_nothing() {
    let desk = Desk::saying("");
    desk.pin("Ana drinks tea");
    desk.sync();
    let old = desk.read();
    desk.pin("The office closes at six");
    desk.sync();
    let new: Value = serde_json::from_slice(&std::fs::read(desk.state_file()).unwrap()).unwrap();
    desk.write(&old);
    change_state(&desk, |state| {
        state["announced"] = new["shown"].clone();
        state["shown"].as_array_mut().unwrap().truncate(1);
    });
    let synced = desk.sync();
    assert!(synced.edits.changes.is_empty() && synced.exported.file == FileFate::Written);
    assert_eq!(desk.shown(), ["Ana drinks tea", "The office closes at six"]);
}

#[test]
fn an_import_that_ended_before_it_could_say_so_is_done_once() {
    let desk = Desk::saying("- the port is 8080\n- Ana drinks tea\n");
    desk.import();
    let old = std::fs::read(desk.state_file()).unwrap();
    desk.write("- the port is 9090\n- 항상 한국어로 답한다\n");
    desk.import();
    let memories = desk.memories(perihelion::Trashed::Without);
    std::fs::write(desk.state_file(), old).unwrap();
    let again = desk.import();
    assert_eq!((again.counts.revised, again.counts.forgotten, again.counts.remembered), (0, 0, 0));
    let after = desk.memories(perihelion::Trashed::Without);
    let said = |memories: &[perihelion::Memory]| -> Vec<_> {
        memories.iter().map(|memory| (memory.id, memory.content.clone())).collect()
    };
    assert_eq!(said(&after), said(&memories));
    assert_eq!(desk.import().unchanged, 2);
}
