//! What goes in comes out, and rows are counted as SQLite counts them.

use rusqlite::types::Value;

use super::*;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// The columns of a table in the words of each server, with keys that are compared byte by byte.
fn make_table(url: &str, driver: &mut dyn Driver) {
    let (blob, long, exact) = match Address::parse(url).unwrap().kind() {
        ServerKind::Postgres => ("BYTEA", "TEXT", "TEXT"),
        ServerKind::Mysql => ("LONGBLOB", "LONGTEXT", "VARBINARY(200)"),
    };
    driver
        .batch(&format!(
            "CREATE TABLE v (id BIGINT PRIMARY KEY, i BIGINT, r DOUBLE PRECISION, t {long}, b {blob}, k {exact})"
        ))
        .unwrap();
}

#[test]
fn values_come_back_as_they_were_given() {
    let every_byte: Vec<u8> = (0..=255).cycle().take(2048).collect();
    let long = "기억 记忆 🪐 ".repeat(60_000);
    let rows: Vec<[Value; 4]> = vec![
        [Value::Null, Value::Null, Value::Null, Value::Null],
        [Value::Integer(i64::MAX), Value::Real(f64::MAX), text(""), Value::Blob(Vec::new())],
        [
            Value::Integer(i64::MIN),
            Value::Real(-f64::MIN_POSITIVE),
            text("행성 轨道 🪐"),
            Value::Blob(every_byte),
        ],
        [
            Value::Integer(0),
            Value::Real(0.1 + 0.2),
            text("it's \"quoted\" \\ % _ \n\t"),
            Value::Blob(vec![0]),
        ],
        [Value::Integer(-1), Value::Integer(7), text(&long), Value::Blob(vec![0xff; 1 << 20])],
    ];
    for url in databases() {
        let mut driver = connect(&url);
        make_table(&url, driver.as_mut());
        for (id, row) in (0..).zip(&rows) {
            let parameters: Vec<Value> = [Value::Integer(id)].into_iter().chain(row.clone()).collect();
            let sql = "INSERT INTO v (id, i, r, t, b) VALUES (?1, ?2, ?3, ?4, ?5)";
            assert_eq!(driver.execute(sql, &parameters).unwrap(), 1);
        }
        let found = driver.query("SELECT i, r, t, b FROM v ORDER BY id", &[]).unwrap();
        let mut expected = rows.clone();
        expected[4][1] = Value::Real(7.0);
        assert!(found == expected, "on {}", Address::parse(&url).unwrap());
    }
}

#[test]
fn keys_are_compared_byte_by_byte_and_with_null() {
    for url in databases() {
        let mut driver = connect(&url);
        make_table(&url, driver.as_mut());
        for (id, key) in (0..).zip([text("Ä"), text("ä"), text("a"), text("a "), Value::Null]) {
            let sql = "INSERT INTO v (id, k) VALUES (?1, ?2)";
            driver.execute(sql, &[Value::Integer(id), key.clone()]).unwrap();
            let found = driver.query("SELECT id FROM v WHERE k IS ?1", std::slice::from_ref(&key)).unwrap();
            assert_eq!(found, [[Value::Integer(id)]], "{key:?}");
            let others = driver.query("SELECT count(*) FROM v WHERE k IS NOT ?1", &[key]).unwrap();
            assert_eq!(others, [[Value::Integer(id)]]);
        }
    }
}

#[test]
fn rows_are_counted_as_sqlite_counts_them() {
    let one = [Value::Integer(1), Value::Integer(5)];
    on_both(|driver| {
        driver
            .batch("CREATE TABLE t (id BIGINT PRIMARY KEY, number BIGINT); CREATE TABLE s (id BIGINT)")
            .unwrap();
        let ignoring = "INSERT OR IGNORE INTO t (id, number) VALUES (?1, ?2)";
        assert_eq!(driver.execute(ignoring, &one).unwrap(), 1);
        assert_eq!(driver.execute(ignoring, &one).unwrap(), 0);
        assert_eq!(driver.execute(ignoring, &[Value::Integer(1), Value::Integer(6)]).unwrap(), 0);
        let several = "INSERT INTO t (id, number) VALUES (1, 9), (2, 9), (3, 9) ON CONFLICT DO NOTHING";
        assert_eq!(driver.execute(several, &[]).unwrap(), 2);
        let same = "UPDATE t SET number = ?2 WHERE id = ?1";
        assert_eq!(driver.execute(same, &one).unwrap(), 1);
        assert_eq!(driver.execute(same, &one).unwrap(), 1);
        assert_eq!(driver.execute(same, &[Value::Integer(99), Value::Integer(5)]).unwrap(), 0);
        let upsert = "INSERT INTO t (id, number) VALUES (?1, ?2)
            ON CONFLICT (id) DO UPDATE SET number = max(number, excluded.number)";
        for (id, number, kept) in [(7, 3, 3), (7, 3, 3), (7, 2, 3), (7, 8, 8)] {
            assert_eq!(driver.execute(upsert, &[Value::Integer(id), Value::Integer(number)]).unwrap(), 1);
            let found = driver.query("SELECT number FROM t WHERE id = ?1", &[Value::Integer(id)]).unwrap();
            assert_eq!(found, [[Value::Integer(kept)]]);
        }
        driver.execute("INSERT INTO s (id) VALUES (1), (1), (50)", &[]).unwrap();
        let folded = "INSERT INTO t (id, number) SELECT id, count(*) FROM s WHERE id <> ?1 GROUP BY id
            ON CONFLICT (id) DO UPDATE SET number = number + excluded.number";
        assert_eq!(driver.execute(folded, &[Value::Integer(0)]).unwrap(), 2);
        assert_eq!(driver.query("SELECT number FROM t WHERE id = 1", &[]).unwrap(), [[Value::Integer(7)]]);
        assert_eq!(driver.execute("DELETE FROM t WHERE id < ?1", &[Value::Integer(3)]).unwrap(), 2);
        assert_eq!(driver.execute("DELETE FROM t WHERE id < ?1", &[Value::Integer(3)]).unwrap(), 0);
    });
}

#[test]
fn answers_have_the_types_that_sqlite_gives() {
    on_both(|driver| {
        driver.batch(TABLE).unwrap();
        driver.execute("INSERT INTO t (id, number) VALUES (1, 4), (2, 5), (3, NULL)", &[]).unwrap();
        let sql = "SELECT sum(number), count(*), max(number), min(id, 9), 1.5 * count(*), avg(id) FROM t";
        let sql = sql.replace("min(id, 9)", "min(min(id, 9))");
        let row = driver.query(&sql, &[]).unwrap().remove(0);
        let whole = Value::Integer;
        assert_eq!(row, [whole(9), whole(3), whole(5), whole(1), Value::Real(4.5), whole(2)]);
        let row =
            driver.query("SELECT number IS NULL, number > 4, ?1 FROM t WHERE id = 3", &[text("달")]).unwrap();
        assert_eq!(row, [[whole(1), Value::Null, text("달")]]);
    });
}

#[test]
fn a_large_number_may_stand_where_a_small_one_is_expected() {
    on_both(|driver| {
        for number in [3, i64::MAX, 3, i64::MIN] {
            let found = driver.query("SELECT max(?1, 0)", &[Value::Integer(number)]).unwrap();
            assert_eq!(found, [[Value::Integer(number.max(0))]]);
        }
    });
}

#[test]
fn a_condition_may_be_left_out_by_giving_null() {
    for url in databases() {
        let mut driver = connect(&url);
        make_table(&url, driver.as_mut());
        let rows = [
            [Value::Integer(1), text("하나"), Value::Blob(vec![1])],
            [Value::Integer(2), text("둘"), Value::Null],
        ];
        for row in &rows {
            driver.execute("INSERT INTO v (id, t, b) VALUES (?1, ?2, ?3)", row).unwrap();
        }
        let sql = "SELECT count(*) FROM v WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR t = ?2) AND (?3 IS NULL OR b = ?3)";
        let nothing = || Value::Null;
        for (parameters, expected) in [
            ([nothing(), nothing(), nothing()], 2),
            ([Value::Integer(2), nothing(), nothing()], 1),
            ([nothing(), text("하나"), Value::Blob(vec![1])], 1),
            ([Value::Integer(2), text("하나"), nothing()], 0),
        ] {
            assert_eq!(
                driver.query(sql, &parameters).unwrap(),
                [[Value::Integer(expected)]],
                "{parameters:?}"
            );
        }
        assert_eq!(driver.query("SELECT ?1 IS NULL", &[Value::Real(0.5)]).unwrap(), [[Value::Integer(0)]]);
    }
}

#[test]
fn more_statements_than_are_kept_can_be_used() {
    on_both(|driver| {
        for round in 0..2 {
            for number in 0..300 {
                let found =
                    driver.query(&format!("SELECT {number} + 0 * ?1"), &[Value::Integer(round)]).unwrap();
                assert_eq!(found, [[Value::Integer(number)]]);
            }
        }
    });
}

#[test]
fn a_transaction_is_kept_or_taken_back_with_its_savepoints() {
    on_both(|driver| {
        driver.batch(TABLE).unwrap();
        let insert = |driver: &mut dyn Driver, id| {
            driver.execute("INSERT INTO t (id) VALUES (?1)", &[Value::Integer(id)]).unwrap()
        };
        driver.batch("BEGIN").unwrap();
        insert(driver, 1);
        driver.batch("SAVEPOINT call1").unwrap();
        insert(driver, 2);
        driver.batch("ROLLBACK TO SAVEPOINT call1; RELEASE SAVEPOINT call1").unwrap();
        driver.batch("COMMIT").unwrap();
        driver.batch("BEGIN").unwrap();
        insert(driver, 3);
        driver.batch("ROLLBACK").unwrap();
        assert_eq!(driver.query("SELECT id FROM t", &[]).unwrap(), [[Value::Integer(1)]]);
    });
}

#[test]
fn a_statement_still_works_when_its_table_became_another() {
    on_both(|driver| {
        driver.batch(TABLE).unwrap();
        driver.execute("INSERT INTO t (id, number) VALUES (1, 2)", &[]).unwrap();
        assert_eq!(driver.query("SELECT * FROM t", &[]).unwrap()[0].len(), 2);
        driver.batch("ALTER TABLE t ADD COLUMN further BIGINT").unwrap();
        assert_eq!(driver.query("SELECT * FROM t", &[]).unwrap()[0].len(), 3);
    });
}

#[test]
fn a_socket_of_this_machine_is_an_address_too() {
    if peri_servers::may_be_left_out() {
        return;
    }
    for url in [Postgres::shared().socket_url(), MariaDb::shared().socket_url()] {
        let found = connect(&url).query("SELECT ?1 + 1", &[Value::Integer(1)]).unwrap();
        assert_eq!(found, [[Value::Integer(2)]]);
    }
}
