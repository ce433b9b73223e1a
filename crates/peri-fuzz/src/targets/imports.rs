//! Files of other systems that the command imports.

use peri_cli::fuzzing::{System, foretell};

use super::desk::Desk;
use crate::given::{self, is_for_people};

thread_local! {
    /// Nothing is ever written here.
    static RESTING: Desk = Desk::empty();
}

/// Exports of ChatGPT, Claude, mem0, basic-memory and the memory server, as files and in archives: telling what would happen
/// stores nothing, refusals are for people, and what comes out is bounded by what went in.
pub(crate) fn imports(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let systems = [System::Chatgpt, System::Claude, System::Mem0, System::BasicMemory, System::MemoryServer];
    let system = systems[choice % systems.len()];
    let folder = tempfile::tempdir().expect("a folder for the export");
    let file =
        folder.path().join(if system == System::BasicMemory { "note.md" } else { "conversations.json" });
    std::fs::write(&file, data).expect("the export is written");
    let path = if system == System::BasicMemory { folder.path() } else { &file };
    RESTING.with(|desk| match foretell(&desk.engine, system, path) {
        Ok(foretold) => {
            assert!(foretold.added <= 16 + data.len() as u64 * 1100, "{} of {}", foretold.added, data.len());
            foretold.refused.iter().for_each(is_for_people);
        }
        Err(message) => is_for_people(&message),
    });
}
