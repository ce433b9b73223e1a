//! The files of the log: `events.jsonl`, and its generations from `events.1.jsonl`, the newest, upwards.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::log::LogWarning;

/// The file of a generation; 0 is the one that is written to.
pub(super) fn path(folder: &Path, generation: u32) -> PathBuf {
    match generation {
        0 => folder.join("events.jsonl"),
        _ => folder.join(format!("events.{generation}.jsonl")),
    }
}

/// Opens a generation. What is not there, or is no file, is not part of the log.
pub(super) fn open(folder: &Path, generation: u32) -> io::Result<Option<(File, u64)>> {
    let file = match peri_private::open(path(folder, generation)) {
        Ok(file) => file,
        Err(error) if is_no_file(error.kind()) => return Ok(None),
        Err(error) => return Err(error),
    };
    let bytes = file.metadata()?.len();
    Ok(Some((file, bytes)))
}

fn is_no_file(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput)
}

/// Makes room for a new `events.jsonl`: every generation becomes one older, and the oldest goes.
///
/// Readers that look for generation after generation, the newest first, find every file, because files only
/// ever move ahead of them.
pub(super) fn rotate(folder: &Path, generations_max: u32) -> Result<(), LogWarning> {
    if generations_max == 0 {
        let current = path(folder, 0);
        return fs::remove_file(&current).map_err(|source| LogWarning::NotRotated { path: current, source });
    }
    for (from, to) in moves(folder, generations_max)? {
        fs::rename(&from, &to).map_err(|source| LogWarning::NotRotated { path: to, source })?;
    }
    Ok(())
}

/// What has to be renamed, in order. A gap that an earlier rotation left when it failed half way is filled
/// first, so that trying again and again pushes nothing out.
pub(super) fn moves(folder: &Path, generations_max: u32) -> Result<Vec<(PathBuf, PathBuf)>, LogWarning> {
    let mut top = generations_max;
    for generation in 1..=generations_max {
        let path = path(folder, generation);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => {
                let source =
                    io::Error::new(io::ErrorKind::AlreadyExists, "something that is no file is there");
                return Err(LogWarning::NotRotated { path, source });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                top = generation;
                break;
            }
            Err(source) => return Err(LogWarning::NotRotated { path, source }),
        }
    }
    Ok((0..top).rev().map(|generation| (path(folder, generation), path(folder, generation + 1))).collect())
}

/// Deletes generations from a time when more were kept.
pub(super) fn remove_surplus(folder: &Path, generations_max: u32) -> Result<(), LogWarning> {
    for generation in generations_max.saturating_add(1)..u32::MAX {
        let path = path(folder, generation);
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(source) => return Err(LogWarning::SurplusKept { path, source }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which generation holds which text.
    fn held(folder: &Path) -> Vec<(u32, String)> {
        let texts = (0..10).map(|generation| (generation, fs::read_to_string(path(folder, generation))));
        texts.filter_map(|(generation, text)| Some((generation, text.ok()?))).collect()
    }

    fn put(folder: &Path, generation: u32, text: &str) {
        fs::write(path(folder, generation), text).unwrap();
    }

    #[test]
    fn every_generation_becomes_one_older_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        for generation in 0..=3 {
            put(folder.path(), generation, &generation.to_string());
        }
        rotate(folder.path(), 3).unwrap();
        assert_eq!(held(folder.path()), [(1, "0".to_owned()), (2, "1".to_owned()), (3, "2".to_owned())]);
    }

    #[test]
    fn a_rotation_that_stops_half_way_is_finished_by_the_next_and_costs_one_generation_at_most() {
        for done in 0..=3 {
            let folder = tempfile::tempdir().unwrap();
            for generation in 0..=3 {
                put(folder.path(), generation, &generation.to_string());
            }
            for (from, to) in moves(folder.path(), 3).unwrap().into_iter().take(done) {
                fs::rename(from, to).unwrap();
            }
            if done == 3 {
                put(folder.path(), 0, "new");
            }
            for _ in 0..2 {
                rotate(folder.path(), 3).unwrap();
                put(folder.path(), 0, "new");
            }
            let texts: Vec<String> = held(folder.path()).into_iter().map(|(_, text)| text).collect();
            let expected = if done == 3 { ["new", "new", "new", "0"] } else { ["new", "new", "0", "1"] };
            assert_eq!(texts, expected, "after {done} moves");
        }
    }

    #[test]
    fn trying_again_and_again_pushes_nothing_out() {
        let folder = tempfile::tempdir().unwrap();
        for generation in 1..=3 {
            put(folder.path(), generation, &generation.to_string());
        }
        for _ in 0..5 {
            assert!(rotate(folder.path(), 3).is_err(), "there is nothing to rotate");
        }
        let texts: Vec<String> = held(folder.path()).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "2"]);
    }

    #[test]
    fn an_obstacle_is_found_before_anything_is_moved() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), 0, "0");
        put(folder.path(), 1, "1");
        fs::create_dir(path(folder.path(), 2)).unwrap();
        assert!(matches!(rotate(folder.path(), 3), Err(LogWarning::NotRotated { .. })));
        assert_eq!(held(folder.path()), [(0, "0".to_owned()), (1, "1".to_owned())]);
    }
}
