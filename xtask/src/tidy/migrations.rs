//! Migrations that were released never change: databases in the field went through them.

use super::Finding;
use super::tree::Tree;
use crate::digest::fnv1a;

const FOLDER: &str = "crates/peri-store/src/";

/// The released migrations and their digests, in order. A release adds the rows that `cargo run -p xtask -- digests` prints and that are not here yet. Rows never change or leave.
const RELEASED: &[(&str, u64)] = &[
    ("sqlite/migrations/001_memories.sql", 0x1b80_6b94_4db1_1b9b),
    ("sqlite/migrations/002_lineage.sql", 0xa3d8_8ec6_eba7_9468),
    ("sqlite/migrations/003_superseded.sql", 0x3e00_d0c0_3e42_d2a0),
    ("sqlite/migrations/004_orbit.sql", 0x7833_e6fc_b185_fa32),
    ("sqlite/migrations/005_keys.sql", 0x9a41_c58f_5794_83e1),
    ("sqlite/migrations/006_layers.sql", 0xa628_2a40_d585_fd01),
    ("sqlite/migrations/007_journal.sql", 0x7f05_652a_0169_eb41),
    ("server/migrations/postgres/007_tables.sql", 0x37ae_475a_bbe8_0537),
    ("server/migrations/mysql/007_tables.sql", 0xb7e3_571c_e3d9_f56b),
    ("sqlite/migrations/008_notes.sql", 0xdc69_4fed_152c_20cf),
    ("server/migrations/postgres/008_notes.sql", 0xbcfd_34f3_8c90_5fea),
    ("server/migrations/mysql/008_notes.sql", 0x3268_a193_f351_ef08),
    ("sqlite/migrations/009_learning.sql", 0xc47f_d125_c9bc_67d5),
    ("server/migrations/postgres/009_learning.sql", 0xc383_36b6_cf83_26c6),
    ("server/migrations/mysql/009_learning.sql", 0xbabf_eaca_29a2_faed),
    ("sqlite/migrations/010_telling.sql", 0xb66a_13c1_7efc_024f),
    ("server/migrations/postgres/010_telling.sql", 0x2e6e_6119_d700_9a5a),
    ("server/migrations/mysql/010_telling.sql", 0xe336_ede7_c8d9_d418),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    check_against(tree, RELEASED)
}

/// The rows of the migrations that are there, as the table holds them.
pub(super) fn rows(tree: &Tree) -> Vec<String> {
    let own = |path: &str| path.starts_with(FOLDER) && path.contains("/migrations/");
    let files = tree.ending(".sql").filter(|file| own(&file.path));
    files
        .map(|file| format!("    ({:?}, {:#018x}),", &file.path[FOLDER.len()..], fnv1a(file.text.as_bytes())))
        .collect()
}

fn check_against(tree: &Tree, released: &[(&str, u64)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, digest) in released {
        let path = format!("{FOLDER}{name}");
        match tree.find(&path) {
            None => findings.push(Finding::breach(&path, 1, "a released migration is gone")),
            Some(file) if fnv1a(file.text.as_bytes()) != *digest => {
                findings.push(Finding::breach(
                    &path,
                    1,
                    "a released migration changed; add a new one instead",
                ));
            }
            Some(_) => {}
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_migration_may_neither_change_nor_leave() {
        let path = format!("{FOLDER}001_first.sql");
        let released = [("001_first.sql", fnv1a(b"CREATE TABLE a;"))];
        for (text, count) in [("CREATE TABLE a;", 0), ("CREATE TABLE b;", 1)] {
            assert_eq!(check_against(&Tree::of(&[(&path, text)]), &released).len(), count, "{text}");
        }
        assert_eq!(check_against(&Tree::of(&[]), &released).len(), 1);
    }

    #[test]
    fn a_new_migration_is_free_to_change() {
        let path = format!("{FOLDER}sqlite/migrations/001_first.sql");
        assert_eq!(check_against(&Tree::of(&[(&path, "anything")]), &[]), []);
        assert_eq!(
            rows(&Tree::of(&[(&path, "a")])),
            ["    (\"sqlite/migrations/001_first.sql\", 0xaf63dc4c8601ec8c),"]
        );
    }
}
