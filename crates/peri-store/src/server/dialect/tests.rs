#![allow(clippy::unwrap_used)]

use super::*;

/// What a statement becomes on PostgreSQL and on MySQL.
#[track_caller]
fn check(sql: &str, postgres: &str, mysql: &str) {
    assert_eq!(translate(sql, Target::Postgres).unwrap().sql, postgres);
    assert_eq!(translate(sql, Target::Mysql).unwrap().sql, mysql);
}

#[track_caller]
fn check_refused(sql: &str, targets: &[Target]) {
    for target in targets {
        assert!(translate(sql, *target).is_err(), "{sql} on {target:?}");
    }
}

const BOTH: [Target; 2] = [Target::Postgres, Target::Mysql];

#[test]
fn places_are_numbered_or_repeated() {
    check(
        "SELECT a FROM t WHERE a = ?2 OR b = ?1 OR c = ?2",
        "SELECT a FROM t WHERE a = $2 OR b = $1 OR c = $2",
        "SELECT a FROM t WHERE a = ? OR b = ? OR c = ?",
    );
    let sql = "SELECT ?2, ?1, ?2, ?";
    assert_eq!(translate(sql, Target::Mysql).unwrap().places, [1, 0, 1, 2]);
    assert_eq!(translate(sql, Target::Postgres).unwrap().places, [0, 1, 2]);
    assert_eq!(translate(sql, Target::Postgres).unwrap().sql, "SELECT $2, $1, $2, $3");
    assert_eq!(
        translate("VALUES (?, ?), (?, ?)", Target::Postgres).unwrap().sql,
        "VALUES ($1, $2), ($3, $4)"
    );
}

#[test]
fn what_is_asked_whether_it_is_null_has_a_place_of_its_own() {
    let sql = "DELETE FROM t WHERE id = ?1 AND (?2 IS NULL OR a = ?2) AND ?1 IS NOT NULL";
    let translation = translate(sql, Target::Postgres).unwrap();
    let expected = "DELETE FROM t WHERE id = $1 AND ($3::text IS NULL OR a = $2) AND $4::text IS NOT NULL";
    assert_eq!(translation.sql, expected);
    assert_eq!(translation.places, [0, 1, 1, 0]);
    assert_eq!(translate(sql, Target::Mysql).unwrap().places, [0, 1, 1, 0]);
    check("SELECT ?1 IS NULL", "SELECT $1::text IS NULL", "SELECT ? IS NULL");
}

#[test]
fn hints_for_sqlite_are_dropped() {
    check(
        "SELECT id FROM memories m INDEXED BY memories_by_id WHERE id = ?1",
        "SELECT id FROM memories m WHERE id = $1",
        "SELECT id FROM memories m WHERE id = ?",
    );
    check(
        "SELECT 1 FROM a INDEXED BY x CROSS JOIN b INDEXED BY y ON b.id = a.id CROSS JOIN c WHERE a.id = 1",
        "SELECT 1 FROM a JOIN b ON b.id = a.id CROSS JOIN c WHERE a.id = 1",
        "SELECT 1 FROM a CROSS JOIN b ON b.id = a.id CROSS JOIN c WHERE a.id = 1",
    );
}

#[test]
fn the_greater_of_several_is_not_the_greatest_of_all() {
    check(
        "SELECT max(a), max(a, ?1), min(max(a, b), coalesce(c, 0)), min((a + b) * 2) FROM t",
        "SELECT max(a), greatest(a, $1), least(greatest(a, b), coalesce(c, 0)), min((a + b) * 2) FROM t",
        "SELECT max(a), greatest(a, ?), least(greatest(a, b), coalesce(c, 0)), min((a + b) * 2) FROM t",
    );
}

#[test]
fn comparing_with_null_stays_comparing() {
    check(
        "SELECT 1 FROM t WHERE session IS ?1 AND t.a IS NOT ?2 AND lower(b) IS NOT ?3 AND c IS NOT NULL",
        "SELECT 1 FROM t WHERE session IS NOT DISTINCT FROM $1 AND t.a IS DISTINCT FROM $2 AND lower(b) IS DISTINCT \
         FROM $3 AND c IS NOT NULL",
        "SELECT 1 FROM t WHERE session <=> ? AND NOT ( t.a <=> ? ) AND NOT ( lower(b) <=> ? ) AND c IS NOT NULL",
    );
}

#[test]
fn types_of_casts_are_the_servers() {
    check(
        "SELECT CAST(sum(a) AS INTEGER) AS total, CAST(b AS BLOB), CAST(max(c, d) AS REAL) FROM t AS x",
        "SELECT CAST(sum(a) AS bigint) AS total, CAST(b AS bytea), CAST(greatest(c, d) AS double precision) FROM t AS x",
        "SELECT CAST(sum(a) AS signed) AS total, CAST(b AS binary), CAST(greatest(c, d) AS double) FROM t AS x",
    );
}

#[test]
fn an_insert_that_ignores_leaves_the_row_as_it_is() {
    let mysql =
        "INSERT INTO `keys` (id, `key`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `keys`.`id` = `keys`.`id`";
    for sql in [
        "INSERT OR IGNORE INTO keys (id, key) VALUES (?1, ?2)",
        "INSERT INTO keys (id, key) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        "insert into keys (id, key) values (?1, ?2) on conflict (id) do nothing",
    ] {
        for target in BOTH {
            assert_eq!(translate(sql, target).unwrap().counting, Counting::Affected);
        }
        assert!(translate(sql, Target::Mysql).unwrap().sql.eq_ignore_ascii_case(mysql), "{sql}");
    }
}

#[test]
fn an_insert_that_updates_says_whose_columns_it_means() {
    check(
        "INSERT INTO usage (namespace_id, id, recalls, last_at) SELECT namespace_id, id, sum(recalls), max(at) FROM uses
         GROUP BY namespace_id, id ON CONFLICT (namespace_id, id) DO UPDATE
         SET recalls = recalls + excluded.recalls, last_at = max(usage.last_at, excluded.last_at)",
        "INSERT INTO usage (namespace_id, id, recalls, last_at) SELECT namespace_id, id, sum(recalls), max(at) FROM uses \
         GROUP BY namespace_id, id ON CONFLICT (namespace_id, id) DO UPDATE SET recalls = usage.recalls + \
         excluded.recalls, last_at = greatest(usage.last_at, excluded.last_at)",
        "INSERT INTO `usage` (namespace_id, id, recalls, last_at) SELECT namespace_id, id, sum(recalls), max(at) FROM \
         uses GROUP BY namespace_id, id ON DUPLICATE KEY UPDATE recalls = `usage`.recalls + VALUES(recalls), last_at = \
         greatest(`usage`.last_at, VALUES(last_at))",
    );
    let sql = "INSERT INTO edge_changes (source, change) VALUES (?1, ?2) ON CONFLICT (source) DO UPDATE SET change = excluded.change";
    check(
        sql,
        "INSERT INTO edge_changes (source, change) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET change = \
         excluded.change",
        "INSERT INTO edge_changes (source, `change`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `change` = VALUES(`change`)",
    );
    assert_eq!(translate(sql, Target::Mysql).unwrap().counting, Counting::Given);
}

#[test]
fn texts_comments_and_quoted_names_are_left_alone() {
    check(
        "SELECT 'max(a, b) ?1 ''key'' 열쇠', \"key\", `keys` -- ?2 key\n FROM t /* ?3 */ WHERE key = ?1",
        "SELECT 'max(a, b) ?1 ''key'' 열쇠', \"key\", `keys` FROM t WHERE key = $1",
        "SELECT 'max(a, b) ?1 ''key'' 열쇠', \"key\", `keys` FROM t WHERE `key` = ?",
    );
}

#[test]
fn a_key_that_is_syntax_is_not_quoted() {
    let sql = "CREATE TABLE t (key INTEGER, PRIMARY KEY (key))";
    assert_eq!(
        translate(sql, Target::Mysql).unwrap().sql,
        "CREATE TABLE t (`key` INTEGER, PRIMARY KEY (`key`))"
    );
}

#[test]
fn updates_are_counted_by_the_rows_they_found() {
    assert_eq!(translate("UPDATE t SET a = 1", Target::Mysql).unwrap().counting, Counting::Matched);
    assert_eq!(translate("DELETE FROM t", Target::Mysql).unwrap().counting, Counting::Affected);
}

#[test]
fn what_has_no_translation_is_refused() {
    check_refused("INSERT OR REPLACE INTO t (a) VALUES (?1)", &BOTH);
    check_refused("UPDATE OR IGNORE t SET a = ?1", &BOTH);
    check_refused("INSERT OR IGNORE INTO t VALUES (?1)", &BOTH);
    check_refused("INSERT INTO t (a) VALUES (?1) ON CONFLICT", &BOTH);
    check_refused("INSERT INTO t (a) VALUES (?1) ON CONFLICT (a", &BOTH);
    check_refused("SELECT ?0", &BOTH);
    check_refused("SELECT ?99999999999999999999", &BOTH);
    check_refused("SELECT 'no end", &BOTH);
    check_refused("SELECT /* no end", &BOTH);
    let conditional =
        "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT (a) DO UPDATE SET b = excluded.b WHERE t.b < 1";
    assert!(translate(conditional, Target::Postgres).is_ok());
    check_refused(conditional, &[Target::Mysql]);
    // MySQL would see the new value of b.
    let order =
        "INSERT INTO t (a, b, c) VALUES (?1, ?2, ?3) ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = b + 1";
    assert!(translate(order, Target::Postgres).is_ok());
    check_refused(order, &[Target::Mysql]);
}

/// The texts in double quotes of a source file that begin as a statement does.
fn statements(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find('"') {
        let body = &rest[start + 1..];
        let Some(end) = body.find('"') else { break };
        let text = &body[..end];
        let first = text.split_whitespace().next().unwrap_or_default();
        if ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(&first) && text.contains(' ') {
            found.push(text.replace("\\\n", ""));
        }
        rest = &body[end + 1..];
    }
    found
}

#[test]
fn every_statement_of_the_store_has_a_translation() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sql");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        for sql in statements(&std::fs::read_to_string(file.unwrap().path()).unwrap()) {
            // One that is put together is not whole, and one for SQLite alone is not meant for us.
            if sql.contains(['{', '\\']) || sql.starts_with("UPDATE OR") {
                continue;
            }
            for target in BOTH {
                let translation = translate(&sql, target).unwrap_or_else(|error| panic!("{error:?} {sql}"));
                let places = translation.sql.matches(if target == Target::Mysql { '?' } else { '$' }).count();
                assert!(!translation.sql.contains("INDEXED") && places >= translation.places.len(), "{sql}");
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} statements were found");
}

/// Words that MySQL 8 or MariaDB reserve and that could be names of ours.
const RESERVED_AS_NAMES: &str = "accessible add analyze before between both call cascade case change check column \
    condition constraint convert cursor database dec declare default delayed describe div each else enclosed escaped \
    except exit explain fetch for force from fulltext function generated get grant group grouping groups having \
    ignore in index infile inner inout insert interval into is iterate join key keys kill lag lead leading leave left \
    like limit linear lines load lock long loop match master_bind mod natural not null of offset on optimize option or \
    order out outer outfile over page_checksum partition portion precision primary procedure purge range rank read \
    reads recursive references ref_system_id regexp release rename repeat replace require resignal restrict return \
    returning revoke right row_number rows schema schemas select sensitive separator set show signal spatial specific \
    sql ssl starting stored system table terminated then to trailing trigger undo union unique unlock unsigned update \
    usage use using values varying virtual when where while window with write xor zerofill";

#[test]
fn every_name_of_the_schema_that_mysql_reserves_is_quoted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sqlite/migrations");
    let mut columns = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let name = match words.as_slice() {
                ["CREATE", "TABLE", name, ..] => name,
                ["ALTER", "TABLE", _, "ADD", "COLUMN", name, ..] => name,
                [name, "INTEGER" | "TEXT" | "TEXT," | "BLOB" | "REAL" | "INTEGER,", ..] => name,
                _ => continue,
            };
            columns += 1;
            let reserved = RESERVED_AS_NAMES.split_whitespace().any(|word| word == name.to_ascii_lowercase());
            assert!(!reserved || RESERVED.contains(name), "{name} is reserved by MySQL");
        }
    }
    assert!(columns > 50, "only {columns} names were found");
}
