//! What servers and networks do to us, and what we make of it.

use std::sync::Barrier;
use std::thread;

use rusqlite::types::Value;

use super::*;

const HASTY: Timeouts = Timeouts { connect: Duration::from_secs(20), statement: Duration::from_secs(1) };

/// Runs a check on servers of its own, which it may kill and pause.
macro_rules! on_own_servers {
    (|$server:ident| $body:block) => {
        if !peri_servers::may_be_left_out() {
            {
                #[allow(unused_mut)]
                let mut $server = Postgres::start().unwrap();
                $body
            }
            {
                #[allow(unused_mut)]
                let mut $server = MariaDb::start().unwrap();
                $body
            }
        }
    };
}

#[test]
fn a_killed_server_is_unreachable_and_keeps_what_it_confirmed() {
    on_own_servers!(|server| {
        let url = server.url();
        let mut driver = connect(&url);
        driver.batch(TABLE).unwrap();
        driver.execute("INSERT INTO t (id) VALUES (?1)", &[Value::Integer(1)]).unwrap();
        assert!(driver.is_alive());
        server.kill().unwrap();
        let failure = driver.execute("INSERT INTO t (id) VALUES (?1)", &[Value::Integer(2)]).unwrap_err();
        assert!(is_unreachable(&failure), "{failure:?}");
        assert!(!driver.is_alive());
        let failure = refusal(&url);
        assert!(is_unreachable(&failure), "{failure:?}");
        server.start_again().unwrap();
        let found = connect(&url).query("SELECT id FROM t", &[]).unwrap();
        assert_eq!(found, [[Value::Integer(1)]]);
    });
}

#[test]
fn a_connection_may_be_dropped_by_a_server_that_is_asynchronous() {
    for url in databases() {
        let driver = connect(&url);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async move { drop(driver) });
    }
}

#[test]
fn a_server_that_shuts_down_is_unreachable() {
    on_own_servers!(|server| {
        let mut driver = connect(&server.url());
        driver.batch("BEGIN").unwrap();
        server.stop().unwrap();
        let failure = driver.query("SELECT 1", &[]).unwrap_err();
        assert!(is_unreachable(&failure), "{failure:?}");
        assert!(!driver.is_alive());
    });
}

#[test]
fn a_server_that_hangs_is_unreachable() {
    on_own_servers!(|server| {
        let mut driver = try_connect(&server.url(), &HASTY).unwrap();
        server.pause().unwrap();
        let failure = driver.query("SELECT 1", &[]).unwrap_err();
        assert!(is_unreachable(&failure), "{failure:?}");
        assert!(!driver.is_alive());
        let failure = try_connect(&format!("{}?connect_timeout=1", server.url()), &USUAL).err().unwrap();
        assert!(is_unreachable(&failure), "{failure:?}");
        server.resume().unwrap();
        assert!(connect(&server.url()).is_alive());
    });
}

#[test]
fn a_statement_that_takes_too_long_is_ended_by_the_server() {
    for (url, slow) in databases().into_iter().zip(["SELECT pg_sleep(30)", "SELECT sleep(30)"]) {
        let mut driver = try_connect(&url, &HASTY).unwrap();
        // MySQL's sleep tells by its answer that it was ended.
        if let Err(failure) = driver.query(slow, &[]) {
            assert!(is_unreachable(&failure), "{failure:?}");
        }
        assert!(driver.is_alive());
        assert_eq!(driver.query("SELECT ?1 + 1", &[Value::Integer(1)]).unwrap(), [[Value::Integer(2)]]);
    }
}

#[test]
fn of_two_that_wait_for_each_other_one_is_told_to_try_again() {
    for url in databases() {
        let mut first = connect(&url);
        let mut second = connect(&url);
        first.batch(TABLE).unwrap();
        first.execute("INSERT INTO t (id, number) VALUES (1, 0), (2, 0)", &[]).unwrap();
        let both_hold_one = Barrier::new(2);
        let run = |driver: &mut dyn Driver, order: [i64; 2]| {
            driver.batch("BEGIN").unwrap();
            let sql = "UPDATE t SET number = number + 1 WHERE id = ?1";
            driver.execute(sql, &[Value::Integer(order[0])]).unwrap();
            both_hold_one.wait();
            let outcome = driver.execute(sql, &[Value::Integer(order[1])]);
            driver.batch(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" }).unwrap();
            outcome
        };
        let outcomes = thread::scope(|scope| {
            let other = scope.spawn(|| run(first.as_mut(), [1, 2]));
            [run(second.as_mut(), [2, 1]), other.join().unwrap()]
        });
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(is_again), "{outcomes:?}");
        let found = first.query("SELECT number FROM t", &[]).unwrap();
        assert_eq!(found, [[Value::Integer(1)], [Value::Integer(1)]]);
    }
}

#[test]
fn a_lock_that_is_held_too_long_is_a_reason_to_try_again() {
    let patient = Timeouts { statement: Duration::from_secs(4), ..USUAL };
    for url in databases() {
        let mut holder = connect(&url);
        holder.batch(TABLE).unwrap();
        holder.execute("INSERT INTO t (id, number) VALUES (1, 0)", &[]).unwrap();
        holder.batch("BEGIN").unwrap();
        let sql = "UPDATE t SET number = number + 1 WHERE id = 1";
        holder.execute(sql, &[]).unwrap();
        let mut waiting = try_connect(&url, &patient).unwrap();
        let failure = waiting.execute(sql, &[]).unwrap_err();
        assert!(is_again(&failure), "{failure:?}");
        assert!(waiting.is_alive());
    }
}

#[test]
fn what_a_server_refuses_has_its_code() {
    for (url, codes) in databases().into_iter().zip([["23505", "42601", "42P01"], ["1062", "1064", "1146"]]) {
        let mut driver = connect(&url);
        driver.batch(TABLE).unwrap();
        driver.execute("INSERT INTO t (id) VALUES (1)", &[]).unwrap();
        let statements = ["INSERT INTO t (id) VALUES (1)", "SELECT FROM WHERE", "SELECT 1 FROM nowhere"];
        for (sql, expected) in statements.into_iter().zip(codes) {
            let failure = driver.execute(sql, &[]).unwrap_err();
            assert!(
                matches!(&failure, Failure::Refused { code, .. } if code == expected),
                "{sql}: {failure:?}"
            );
            assert!(driver.is_alive());
        }
        let failure = driver.batch("DELETE FROM t; SELECT 1 FROM nowhere").unwrap_err();
        assert!(matches!(&failure, Failure::Refused { code, .. } if code == codes[2]), "{failure:?}");
    }
}

#[test]
fn a_wrong_number_of_values_is_refused() {
    on_both(|driver| {
        for parameters in [vec![], vec![Value::Integer(1); 3]] {
            let failure = driver.query("SELECT 1 + ?1 + ?2", &parameters).unwrap_err();
            assert!(matches!(&failure, Failure::Refused { code, .. } if code == "parameters"), "{failure:?}");
        }
        assert!(driver.is_alive());
    });
}

#[test]
fn a_wrong_password_or_database_is_refused_without_showing_the_password() {
    for url in databases() {
        let wrong = url.replace("open%2F", "shut%2F");
        assert_ne!(wrong, url);
        for url in [wrong, format!("{url}_that_is_not_there")] {
            let failure = refusal(&url);
            assert!(matches!(failure, Failure::Refused { .. }), "{failure:?}");
        }
    }
}

#[test]
fn a_host_that_does_not_exist_is_unreachable() {
    for scheme in ["postgres", "mysql"] {
        let failure = refusal(&format!("{scheme}://u:open%2Fsesame@no-such-host.invalid/d"));
        assert!(is_unreachable(&failure), "{failure:?}");
    }
}

#[test]
fn mariadb_is_spoken_to_in_secret_and_checked() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let server = MariaDb::shared();
    let encrypted = |options: &str| {
        let mut driver = connect(&format!("{}?{options}", server.url()));
        let found = driver.query("SHOW STATUS LIKE 'Ssl_cipher'", &[]).unwrap().remove(0).remove(1);
        !matches!(found, Value::Text(cipher) if cipher.is_empty())
    };
    assert!(encrypted("sslmode=prefer"));
    assert!(encrypted("ssl-mode=REQUIRED"));
    assert!(encrypted(&format!("sslmode=verify-full&sslrootcert={}", server.certificate().display())));
    assert!(!encrypted("sslmode=disable"));
    let failure = refusal(&format!("{}?sslmode=verify-full", server.url()));
    assert!(matches!(&failure, Failure::Refused { code, .. } if code == "tls"), "{failure:?}");
}

#[test]
fn a_server_that_cannot_encrypt_is_refused_where_that_is_required() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let url = Postgres::shared().url();
    for mode in ["require", "verify-full"] {
        let failure = refusal(&format!("{url}?sslmode={mode}"));
        assert!(matches!(&failure, Failure::Refused { code, .. } if code == "tls"), "{failure:?}");
    }
    connect(&format!("{url}?sslmode=prefer"));
}
