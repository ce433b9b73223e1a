//! What a process can be told to do, and what it answers: one line of JSON each.

use serde::{Deserialize, Serialize};

use crate::picture::Picture;

/// How an engine is opened.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Manner {
    /// Whether writes wait that the store cannot take.
    pub(crate) queues: bool,
    /// Whether the engine's own threads do the chores.
    pub(crate) threads: bool,
    /// How long it waits for another process that writes.
    pub(crate) busy_ms: u64,
}

/// What a process is to do. Keys say what is written: [`content`] makes the words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Order {
    Open(Manner),
    Remember {
        key: String,
    },
    Batch {
        keys: Vec<String>,
    },
    Revise {
        id: String,
        key: String,
    },
    Forget {
        id: String,
    },
    Restore {
        id: String,
    },
    Purge {
        id: String,
    },
    Recall {
        key: String,
    },
    /// Remembers while somebody else holds the database, so that the statement waits.
    RememberAway {
        key: String,
    },
    /// Makes what waits.
    Drain,
    Append {
        key: String,
    },
    Learn {
        key: String,
    },
    Hear {
        key: String,
    },
    Import {
        keys: Vec<String>,
    },
    Export,
    Maintain,
    Reorbit,
    Consolidate,
    Snapshot,
    Backup,
    /// Brings the latest backup back.
    BringBack,
    Vault {
        key: String,
    },
    Close,
    /// Tells everything that is there, and the answers to some questions.
    Look {
        asked: Asked,
        settle: bool,
    },
}

/// What is asked of whoever looks.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// What is recalled for these.
    pub(crate) recalled: Vec<String>,
    /// Whether these were heard.
    pub(crate) heard: Vec<String>,
    /// Whether these are documents of the vault.
    pub(crate) documents: Vec<String>,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// Statements were stored or merged, with their ids and change numbers.
    Stored {
        ids: Vec<String>,
        changes: Vec<u64>,
    },
    /// They are on this machine's disk, with the ids they will have, if they have some.
    Queued {
        ids: Vec<String>,
    },
    /// It is done.
    Done,
    Found {
        ids: Vec<String>,
        degraded: Vec<String>,
    },
    Seen(Box<Picture>),
    Refused {
        kind: String,
        text: String,
        hint: Option<String>,
    },
}

/// What a statement with this key says. A key is one word that is never used twice, so that what is there twice is seen.
pub(crate) fn content(key: &str) -> String {
    match language(key) {
        0 => format!("창고 장부의 {key} 항목은 저울로 달아 확인했다"),
        1 => format!("仓库 账本 第 {key} 条 已经 称重 并且 签字"),
        _ => format!("the ledger holds entry{key} of the harvest, weighed and signed"),
    }
}

fn language(key: &str) -> u32 {
    key.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 5
}

/// The key of a statement; `None` if it is not whole, or nobody's.
pub(crate) fn key_of(text: &str) -> Option<&str> {
    let ways = [
        ("창고 장부의 ", " 항목은 저울로 달아 확인했다"),
        ("仓库 账本 第 ", " 条 已经 称重 并且 签字"),
        ("the ledger holds entry", " of the harvest, weighed and signed"),
    ];
    let key = ways.iter().find_map(|(begin, end)| text.strip_prefix(begin)?.strip_suffix(end))?;
    (content(key) == text).then_some(key)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_again_in_every_language_and_in_nothing_else() {
        for number in 0..50 {
            let key = format!("s{number}p1b3");
            assert_eq!(key_of(&content(&key)).unwrap(), key);
        }
        let torn = content("k1").chars().take(9).collect::<String>();
        assert_eq!(key_of(&torn), None);
    }
}
