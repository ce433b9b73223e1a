//! Memory files of agents, which people write.

use std::fs;

use peri_bridge::{Bridge, BridgeSettings, Rehearsal};

use super::desk::{Desk, namespace};
use crate::given::is_for_people;

/// Memory files: a rehearsal changes nothing; what stands outside the section stays to the byte, and doing it again changes
/// nothing.
pub(crate) fn memory_file(data: &[u8]) {
    let desk = Desk::with_memories();
    let file = desk.folder.path().canonicalize().expect("the folder is there").join("CLAUDE.md");
    fs::write(&file, data).expect("the file is written");
    let bridge = Bridge::new(&desk.engine, BridgeSettings::new(|text| text.len() / 4));
    let before = desk.everything();
    let rehearsed = bridge.sync(&file, &namespace(), &[], Rehearsal::Dry);
    assert_eq!((desk.everything(), fs::read(&file).ok().as_deref()), (before, Some(data)), "a rehearsal");
    if let Err(error) = rehearsed {
        return is_for_people(&error);
    }
    bridge
        .sync(&file, &namespace(), &["늘 차를 마신다".to_owned()], Rehearsal::Real)
        .expect("it was rehearsed");
    let first = fs::read(&file).expect("the file is there");
    bridge.sync(&file, &namespace(), &["늘 차를 마신다".to_owned()], Rehearsal::Real).expect("a second time");
    assert_eq!(
        String::from_utf8_lossy(&fs::read(&file).expect("the file is there")),
        String::from_utf8_lossy(&first),
        "doing it again changes nothing"
    );
    if !data.windows(10).any(|window| window == b"perihelion") {
        let text = String::from_utf8_lossy(&first);
        let given = String::from_utf8_lossy(data);
        assert!(text.contains(given.trim_end()), "what people wrote stays: {given:?} in {text:?}");
    }
}
