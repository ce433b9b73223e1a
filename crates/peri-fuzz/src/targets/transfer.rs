//! Exports of our own, and stores of other programs.

use perihelion::{Effect, ImportMode, ImportOptions, MigrateOptions, MigrationSource};

use super::desk::Desk;
use crate::given::{self, is_for_people};

thread_local! {
    /// Nothing is ever written here.
    static RESTING: Desk = Desk::with_memories();
}

/// Lines of an export: a rehearsal changes nothing; what comes in goes out again to the byte, and coming in twice is
/// coming in once.
pub(crate) fn export_lines(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let mode = [ImportMode::Append, ImportMode::Upsert, ImportMode::Replace][choice % 3];
    let options = ImportOptions { mode, ..ImportOptions::default() };
    let accepted = RESTING.with(|desk| {
        let before = desk.everything();
        let rehearsed = ImportOptions { effect: Effect::Rehearsed, ..options.clone() };
        let told = desk.engine.import(&mut &data[..], rehearsed);
        assert_eq!(desk.everything(), before, "a rehearsal changes nothing");
        match told {
            Ok(told) => {
                told.refused.iter().for_each(|(_, reason)| is_for_people(reason));
                told.added + told.edges + told.sessions + told.notes + told.entries + told.turns > 0
            }
            Err(error) => {
                is_for_people(&error);
                false
            }
        }
    });
    if accepted {
        comes_back(data, options);
    }
}

fn comes_back(data: &[u8], options: ImportOptions) {
    let first = Desk::empty();
    if first.engine.import(&mut &data[..], options.clone()).is_err() {
        return;
    }
    let out = first.everything();
    first.engine.import(&mut &data[..], options).expect("it came in before");
    // What was said of results has no id, and is counted again.
    if !data.windows(8).any(|window| window == b"feedback") {
        assert_eq!(text(&first.everything()), text(&out), "coming in twice is coming in once");
    }
    let second = Desk::empty();
    let imported =
        second.engine.import(&mut &out[..], ImportOptions::default()).expect("our own export comes in");
    assert!(imported.refused.is_empty(), "{:?} of {}", imported.refused, text(&out));
    assert_eq!(text(&second.everything()), text(&out), "an export of an import is the same file");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Records of other programs: a rehearsal changes nothing, and every record is migrated, known or told of.
pub(crate) fn other_stores(data: &[u8]) {
    let (choice, data) = given::choice(data);
    RESTING.with(|desk| {
        let before = desk.everything();
        let options =
            MigrateOptions { effect: Effect::Rehearsed, record_bytes_max: 4096, ..MigrateOptions::default() };
        let report = if choice % 4 == 0 {
            let folder = tempfile::tempdir().expect("a folder of records");
            let facts = folder.path().join("memory").join("facts");
            std::fs::create_dir_all(&facts).expect("folders are made");
            std::fs::write(facts.join("one.json"), data).expect("the record is written");
            desk.engine.migrate(MigrationSource::Folder(folder.path()), &options)
        } else {
            desk.engine.migrate(MigrationSource::Stream(&mut &data[..]), &options)
        };
        assert_eq!(desk.everything(), before, "a rehearsal changes nothing");
        match report {
            Ok(report) => {
                let progress = report.progress;
                assert_eq!(progress.total, progress.migrated + progress.already_there + progress.failed);
                progress.errors.iter().for_each(|(_, reason)| is_for_people(reason));
            }
            Err(error) => is_for_people(&error),
        }
    });
}
