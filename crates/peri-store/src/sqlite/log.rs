//! The write-ahead log's own marks: whether it holds commits behind a damaged place.
//!
//! SQLite reads a log up to the first frame whose checksum is wrong and takes that for the end, since a commit that broke off
//! looks the same. Commits behind it say otherwise: something overwrote the log, and what they held is missing.

use std::path::Path;

use crate::Problem;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// A machine that loses power in a commit may leave its last frame on the disk and not those before it. A commit waits for
/// the one before it to be on the disk, so more than one does not come about that way.
const UNFINISHED: usize = 1;

/// What is wrong with the log beside a database; nothing if there is none.
pub(super) fn check(database: &Path) -> Vec<Problem> {
    let mut path = database.as_os_str().to_owned();
    path.push("-wal");
    // Somebody may be writing: what is really there is there the second time too.
    let lost = || peri_private::read(Path::new(&path)).map_or(0, |bytes| commits_behind_damage(&bytes));
    let (first, second) = (lost(), lost());
    if first.min(second) <= UNFINISHED {
        return Vec::new();
    }
    let what = format!(
        "the write-ahead log is damaged in its middle: {second} commits behind that place are not read"
    );
    let remedy = "keep a copy of the \
                  folder, and compare the last backup and logs/events.jsonl with what is here";
    vec![Problem { what, remedy: remedy.to_owned() }]
}

/// How many commits stand behind the first frame that does not belong to those before it.
fn commits_behind_damage(log: &[u8]) -> usize {
    let Some(header) = log.get(..HEADER) else { return 0 };
    let big_endian = match number(header, 0) {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return 0,
    };
    let page = number(header, 8) as usize;
    if !page.is_power_of_two() || !(512..=65_536).contains(&page) {
        return 0;
    }
    let salts = &header[16..24];
    let mut sums = (number(header, 24), number(header, 28));
    if sum(&header[..24], (0, 0), big_endian) != sums {
        return 0;
    }
    let (mut damaged, mut behind) = (false, 0);
    for frame in log[HEADER..].chunks_exact(FRAME_HEADER + page) {
        // Behind the end lie frames of the time before the log was begun anew.
        if frame[8..16] != *salts {
            break;
        }
        if !damaged {
            let own = sum(&frame[FRAME_HEADER..], sum(&frame[..8], sums, big_endian), big_endian);
            damaged = own != (number(frame, 16), number(frame, 20));
            sums = own;
            // A commit that was written in part counts as none, and so does its last frame.
            continue;
        }
        behind += usize::from(number(frame, 4) != 0);
    }
    behind
}

/// A number as the log's headers hold it.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
}

/// SQLite's sums over pairs of numbers.
fn sum(bytes: &[u8], (mut one, mut two): (u32, u32), big_endian: bool) -> (u32, u32) {
    let read = |four: &[u8]| {
        let four = [four[0], four[1], four[2], four[3]];
        if big_endian { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
    };
    for eight in bytes.chunks_exact(8) {
        one = one.wrapping_add(read(&eight[..4])).wrapping_add(two);
        two = two.wrapping_add(read(&eight[4..])).wrapping_add(one);
    }
    (one, two)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A log of many commits, none of which is in the database yet.
    fn log() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let file = rusqlite::Connection::open(&path).unwrap();
        file.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
        file.execute_batch("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x TEXT)").unwrap();
        for number in 0..20 {
            file.execute("INSERT INTO t VALUES (?1)", [format!("{number}")]).unwrap();
        }
        std::fs::read(folder.path().join("x.db-wal")).unwrap()
    }

    #[test]
    fn commits_behind_a_damaged_place_are_counted_and_a_torn_end_is_none() {
        let whole = log();
        let frame = FRAME_HEADER + number(&whole, 8) as usize;
        let frames = (whole.len() - HEADER) / frame;
        assert!(frames >= 20, "{frames}");
        assert_eq!(commits_behind_damage(&whole), 0);
        assert_eq!(commits_behind_damage(&whole[..whole.len() - frame / 2]), 0, "cut");
        let overwritten = |at: usize| {
            let mut bytes = whole.clone();
            bytes[HEADER + at * frame + 100..][..64].fill(0xa5);
            bytes
        };
        assert_eq!(commits_behind_damage(&overwritten(frames - 1)), 0, "the last commit broke off");
        let behind = commits_behind_damage(&overwritten(frames / 2));
        assert!((5..frames).contains(&behind), "{behind}");
        assert_eq!(commits_behind_damage(b""), 0);
        assert_eq!(commits_behind_damage(&[0; 4096]), 0);
    }

    #[test]
    fn what_lies_behind_the_end_of_a_log_that_was_begun_anew_is_no_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let file = rusqlite::Connection::open(&path).unwrap();
        file.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
        file.execute_batch("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x TEXT)").unwrap();
        for number in 0..20 {
            file.execute("INSERT INTO t VALUES (?1)", [format!("{number}")]).unwrap();
        }
        file.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
        file.execute("INSERT INTO t VALUES ('anew')", []).unwrap();
        assert!(check(&path).is_empty());
    }
}
