//! No statement has a form that MySQL refuses, also where the MariaDB of these tests would take it.

use std::fs;
use std::path::Path;

/// What MySQL, MariaDB or both have no words for, and the translation does not give them.
const REFUSED: [&str; 8] = [
    " SET (",
    " RETURNING ",
    "FULL JOIN",
    "FULL OUTER",
    "NULLS FIRST",
    "NULLS LAST",
    "DISTINCT FROM",
    "INSERT OR REPLACE",
];

/// The parts of the sources that lie between quotes, with single spaces.
fn quoted() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sql");
    let files = fs::read_dir(folder).unwrap().map(|item| fs::read_to_string(item.unwrap().path()).unwrap());
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    files.flat_map(|source| source.split('"').map(one_line).collect::<Vec<_>>()).collect()
}

/// The table that a statement changes.
fn changed(statement: &str) -> Option<&str> {
    let rest = statement.strip_prefix("UPDATE ").or_else(|| statement.strip_prefix("DELETE FROM "))?;
    rest.split(' ').next()
}

/// Whether a statement reads the table that it changes, in another way than row by row.
fn reads_what_it_changes(statement: &str) -> bool {
    let Some(table) = changed(statement) else { return false };
    let rest = statement.replacen(&format!("DELETE FROM {table} "), "", 1);
    ["FROM", "JOIN"]
        .iter()
        .any(|word| format!("{rest} ").replace(')', " ").contains(&format!(" {word} {table} ")))
}

#[test]
fn no_statement_has_a_form_that_a_server_refuses() {
    let statements = quoted();
    assert!(statements.iter().filter(|one| changed(one).is_some()).count() > 40, "the sources are read");
    for statement in &statements {
        let found: Vec<_> = REFUSED.iter().filter(|form| format!(" {statement} ").contains(**form)).collect();
        assert!(found.is_empty(), "{found:?} in {statement}");
        let cte = statement.starts_with("WITH ");
        let changes = ["UPDATE ", "DELETE ", "INSERT "].iter().any(|word| statement.contains(word));
        assert!(!(cte && changes), "{statement}");
        let limited = statement.find(" IN (SELECT").is_some_and(|at| statement[at..].contains(" LIMIT "));
        assert!(!limited, "a limit inside of IN: {statement}");
    }
}

#[test]
fn a_table_is_not_read_while_it_is_changed() {
    let both: Vec<_> = quoted().into_iter().filter(|statement| reads_what_it_changes(statement)).collect();
    // What moves rows to where their like is: PostgreSQL alone is asked this way.
    let known = "DELETE FROM {table} WHERE namespace_id = ?1 AND EXISTS (SELECT 1 FROM {table} t WHERE t.namespace_id = ?2 {same})";
    assert_eq!(both, [known], "MySQL refuses such a statement");
    assert!(reads_what_it_changes("UPDATE a SET b = (SELECT max(b) FROM a)"));
    assert!(!reads_what_it_changes("UPDATE a SET b = (SELECT max(b) FROM c) WHERE a.d = 1"));
}
