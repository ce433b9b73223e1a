//! Whatever happens to a backup's bytes is found.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use peri_backup::{BackupError, BackupName, Backups, Depth};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::support::{CAREFUL, clock, create, files, furnished, open, restore};

/// A whole backup, which every case copies.
fn sample() -> &'static (TempDir, BackupName) {
    static SAMPLE: OnceLock<(TempDir, BackupName)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let (folder, engine) = furnished(&clock());
        let name = create(&Backups::beside(folder.path()), &engine).manifest.name;
        engine.close().unwrap();
        (folder, name)
    })
}

fn copied() -> (TempDir, PathBuf) {
    let (folder, name) = sample();
    let to = tempfile::tempdir().unwrap();
    let (from, place) =
        (folder.path().join("backups").join(name.as_str()), to.path().join("backups").join(name.as_str()));
    for file in files(&from) {
        let target = place.join(&file);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(from.join(&file), target).unwrap();
    }
    (to, place)
}

fn problems(data: &Path) -> Vec<String> {
    Backups::beside(data).verify(&sample().1, Depth::Quick, &mut |_| {}).unwrap().problems
}

fn refuses(data: &Path) {
    let to = tempfile::tempdir().unwrap();
    let engine = open(to.path());
    let outcome = restore(&Backups::beside(data), &sample().1, &engine, CAREFUL);
    assert!(matches!(outcome, Err(BackupError::Damaged { .. } | BackupError::TooNew { .. })), "{outcome:?}");
    assert_eq!(engine.store_facts().unwrap().change.0, 0, "nothing was written");
}

#[test]
fn an_untouched_copy_is_whole() {
    let (data, _) = copied();
    assert_eq!(problems(data.path()), [] as [String; 0]);
}

#[test]
fn every_missing_file_is_found() {
    for file in files(&copied().1) {
        let (data, place) = copied();
        std::fs::remove_file(place.join(&file)).unwrap();
        if file == "manifest.json" {
            assert_eq!(Backups::beside(data.path()).list().unwrap().len(), 0, "it was never finished");
            continue;
        }
        assert!(problems(data.path()).iter().any(|problem| problem.contains("missing")), "{file}");
        refuses(data.path());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_flipped_byte_is_found(which in 0_usize..100, at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let (data, place) = copied();
        let names = files(&place);
        let file = place.join(&names[which % names.len()]);
        let mut bytes = std::fs::read(&file).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        std::fs::write(&file, bytes).unwrap();
        prop_assert!(!problems(data.path()).is_empty(), "{} at {at}", file.display());
        refuses(data.path());
    }

    #[test]
    fn every_cut_and_every_lengthened_file_is_found(which in 0_usize..100, at in any::<prop::sample::Index>(), more: bool) {
        let (data, place) = copied();
        let names = files(&place);
        let file = place.join(&names[which % names.len()]);
        let mut bytes = std::fs::read(&file).unwrap();
        if more { bytes.push(b'\n') } else { bytes.truncate(at.index(bytes.len())) }
        std::fs::write(&file, bytes).unwrap();
        prop_assert!(!problems(data.path()).is_empty(), "{}", file.display());
    }
}

#[test]
fn a_manifest_that_reaches_out_of_the_folder_is_refused() {
    let (data, place) = copied();
    let text = std::fs::read_to_string(place.join("manifest.json")).unwrap();
    for path in ["../../outside", "/etc/passwd", "backups/x", "perihelion.db-wal"] {
        // Signed anew, so that only the path can be what is wrong.
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["files"][1]["path"] = path.into();
        let mut forged: peri_backup::Manifest = serde_json::from_value(manifest).unwrap();
        forged.hash = String::new();
        let pretty =
            |manifest: &peri_backup::Manifest| serde_json::to_string_pretty(manifest).unwrap() + "\n";
        forged.hash = blake3::hash(pretty(&forged).as_bytes()).to_hex().to_string();
        std::fs::write(place.join("manifest.json"), pretty(&forged)).unwrap();
        let told = problems(data.path());
        assert!(told[0].contains("no file of a data folder"), "{told:?}");
        refuses(data.path());
    }
}
