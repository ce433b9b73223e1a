//! A connection to PostgreSQL.

mod tls;
mod values;

use std::collections::HashMap;
use std::error::Error as _;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use peri_types::patience;
use rusqlite::types::Value;
use tokio::runtime::Runtime;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::DbError;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Error, Statement};

use super::address::{Address, Encryption, Place, Timeouts};
use super::dialect::{Target, translate};
use super::driver::{Driver, Failure};
use super::store::{KEEPALIVE_MIN, patient};
use values::{Parameter, decode};

/// How many prepared statements a connection keeps.
const STATEMENTS_MAX: usize = 256;

/// How much longer than the server we wait, so that a server which is only slow can say so itself.
const GRACE: Duration = Duration::from_secs(1);

/// Opens a connection.
pub(crate) fn connect(address: &Address, timeouts: &Timeouts) -> Result<Box<dyn Driver>, Failure> {
    let limit = patient(address.connect_timeout.unwrap_or(timeouts.connect));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = Own(Some(runtime.map_err(|error| Failure::Unreachable(error.to_string()))?));
    let settings = settings(address, limit);
    let connector = tls::Connector::new(address)?;
    let connected = within(&runtime, limit, async {
        let (client, connection) = settings.connect(connector).await?;
        // It ends when the client is dropped, and what it meets the client's next call tells.
        tokio::spawn(connection);
        client.batch_execute(&setup(timeouts)).await?;
        Ok(client)
    });
    let client = connected.map_err(|failed| address.hide_password(failed.into()))?;
    Ok(Box::new(Postgres {
        runtime,
        client,
        statements: HashMap::new(),
        uses: 0,
        limit: timeouts.statement + GRACE,
        state: State::Usable,
    }))
}

fn settings(address: &Address, limit: Duration) -> Config {
    let mut settings = Config::new();
    match &address.place {
        Place::Tcp { host, port } => settings.host(host).port(*port),
        #[cfg(unix)]
        Place::Socket { path, port } => settings.host_path(path).port(*port),
        #[cfg(not(unix))]
        Place::Socket { path, port } => settings.host(path.to_string_lossy()).port(*port),
    };
    settings.user(&address.user).dbname(&address.database).application_name("perihelion");
    if let Some(password) = &address.password {
        settings.password(password);
    }
    settings.ssl_mode(match address.encryption {
        Encryption::Disable => SslMode::Disable,
        Encryption::Prefer => SslMode::Prefer,
        Encryption::Require | Encryption::Verify => SslMode::Require,
    });
    settings.connect_timeout(limit);
    let limit = limit.max(KEEPALIVE_MIN);
    settings.tcp_user_timeout(limit).keepalives(true);
    settings.keepalives_idle(limit).keepalives_interval(limit).keepalives_retries(3);
    settings
}

/// What every connection wants of its session. A wait for a lock ends before the statement's time does, so that it can
/// be told from a server that is too slow; and a commit is confirmed only when it is on the disk.
fn setup(timeouts: &Timeouts) -> String {
    let statement = timeouts.statement.as_millis().max(1);
    let lock = (statement / 2).max(1);
    let idle = statement * 2;
    format!(
        "SET statement_timeout = {statement}; SET lock_timeout = {lock};
         SET idle_in_transaction_session_timeout = {idle};
         SET TIME ZONE 'UTC'; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on;
         SET default_transaction_isolation = 'read committed';
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
}

/// Whether a connection can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    Broken,
}

/// A runtime that may be dropped anywhere, also by a server that is itself asynchronous.
struct Own(Option<Runtime>);

impl Deref for Own {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        self.0.as_ref().expect("the runtime is there until it is dropped")
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

struct Postgres {
    runtime: Own,
    client: Client,
    statements: HashMap<String, Prepared>,
    uses: u64,
    limit: Duration,
    state: State,
}

struct Prepared {
    statement: Statement,
    places: Arc<[usize]>,
    used: u64,
}

/// A statement with the values for its places.
struct Ready<'v> {
    statement: Statement,
    values: Vec<Parameter<'v>>,
}

impl Driver for Postgres {
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<usize, Failure> {
        let ready = self.prepare(sql, parameters)?;
        let values = references(&ready.values);
        let outcome = within(&self.runtime, self.limit, self.client.execute(&ready.statement, &values));
        let changed = self.checked(outcome)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let ready = self.prepare(sql, parameters)?;
        let values = references(&ready.values);
        let outcome = within(&self.runtime, self.limit, self.client.query(&ready.statement, &values));
        self.checked(outcome)?.iter().map(decode).collect::<Result<_, _>>().map_err(|error| told(&error))
    }

    fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        let outcome = within(&self.runtime, self.limit, self.client.batch_execute(sql));
        // Tables may have become others.
        if !steers_transactions(sql) {
            self.statements.clear();
        }
        self.checked(outcome)
    }

    fn is_alive(&self) -> bool {
        // One turn lets the connection notice that the server has hung up.
        self.runtime.block_on(tokio::task::yield_now());
        self.state == State::Usable && !self.client.is_closed()
    }
}

impl Postgres {
    /// The statement, prepared for these values. The server says which types it expects; where a value does not fit,
    /// such as a large number beside a small literal, the statement is prepared again with the value's own type.
    fn prepare<'v>(&mut self, sql: &str, parameters: &'v [Value]) -> Result<Ready<'v>, Failure> {
        let (statement, places) = self.prepare_as(sql, &[])?;
        let wanted = places.iter().max().map_or(0, |highest| highest + 1);
        if wanted != parameters.len() || statement.params().len() != places.len() {
            let detail = format!("the statement takes {wanted} values and was given {}", parameters.len());
            return Err(Failure::Refused { code: "parameters".to_owned(), detail });
        }
        let values: Vec<Parameter<'v>> = places.iter().map(|place| Parameter(&parameters[*place])).collect();
        let expected = statement.params();
        if expected.iter().zip(&values).all(|(expected, value)| values::fits(expected, value.0)) {
            return Ok(Ready { statement, values });
        }
        let types: Vec<Type> = expected
            .iter()
            .zip(&values)
            .map(|(expected, value)| values::fitting(expected, value.0))
            .collect();
        let (statement, _) = self.prepare_as(sql, &types)?;
        Ok(Ready { statement, values })
    }

    /// The statement and which parameters fill its places, prepared anew unless it is known.
    fn prepare_as(&mut self, sql: &str, types: &[Type]) -> Result<(Statement, Arc<[usize]>), Failure> {
        self.uses += 1;
        let names: Vec<&str> = types.iter().map(Type::name).collect();
        let key = if types.is_empty() { sql.to_owned() } else { format!("{sql}\0{}", names.join(" ")) };
        if let Some(known) = self.statements.get_mut(&key) {
            known.used = self.uses;
            return Ok((known.statement.clone(), Arc::clone(&known.places)));
        }
        let translation = translate(sql, Target::Postgres)?;
        let outcome = within(&self.runtime, self.limit, self.client.prepare_typed(&translation.sql, types));
        let statement = self.checked(outcome)?;
        if self.statements.len() >= STATEMENTS_MAX {
            self.forget_oldest();
        }
        let places: Arc<[usize]> = translation.places.into();
        let prepared =
            Prepared { statement: statement.clone(), places: Arc::clone(&places), used: self.uses };
        self.statements.insert(key, prepared);
        Ok((statement, places))
    }

    fn forget_oldest(&mut self) {
        let oldest = self.statements.iter().min_by_key(|(_, known)| known.used).map(|(key, _)| key.clone());
        if let Some(oldest) = oldest {
            self.statements.remove(&oldest);
        }
    }

    /// Takes note of what a failure says of the connection.
    fn checked<T>(&mut self, outcome: Result<T, Failed>) -> Result<T, Failure> {
        let failed = match outcome {
            Ok(answer) => return Ok(answer),
            Err(failed) => failed,
        };
        match &failed {
            Failed::TooLate(_) => self.state = State::Broken,
            Failed::Said(error) if error.is_closed() || ends_connection(error) => self.state = State::Broken,
            Failed::Said(error) if is_stale(error) => self.statements.clear(),
            Failed::Said(_) => {}
        }
        Err(failed.into())
    }
}

/// What became of a call.
enum Failed {
    TooLate(Duration),
    Said(Error),
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::TooLate(limit) => {
                Self::Unreachable(format!("the server did not answer within {} s", limit.as_secs_f32()))
            }
            Failed::Said(error) => told(&error),
        }
    }
}

/// Runs a call to its end, but not for ever: a server that hangs keeps its connections open.
fn within<T>(
    runtime: &Runtime,
    limit: Duration,
    call: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failed> {
    let limit = patient(limit);
    match runtime.block_on(async { tokio::time::timeout(limit, call).await }) {
        Ok(outcome) => outcome.map_err(Failed::Said),
        Err(_) => {
            patience::spend(limit);
            Err(Failed::TooLate(limit))
        }
    }
}

fn references<'p>(values: &'p [Parameter<'_>]) -> Vec<&'p (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// Whether statements only begin, end or mark transactions, or set something for the session.
fn steers_transactions(sql: &str) -> bool {
    let steering = ["BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET"];
    let first = |statement: &str| statement.split_whitespace().next().map(str::to_ascii_uppercase);
    sql.split(';').filter_map(first).all(|word| steering.contains(&word.as_str()))
}

/// Whether the server closes the connection after saying this.
fn ends_connection(error: &Error) -> bool {
    error.as_db_error().is_some_and(|said| matches!(said.severity(), "FATAL" | "PANIC"))
}

/// Whether a prepared statement is not what it was when it was prepared.
fn is_stale(error: &Error) -> bool {
    error.as_db_error().is_some_and(|said| match said.code().code() {
        "26000" => true,
        "0A000" => said.message().contains("cached plan"),
        _ => false,
    })
}

fn told(error: &Error) -> Failure {
    if let Some(said) = error.as_db_error() {
        return answered(said, is_stale(error));
    }
    let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    let detail =
        if error.to_string().ends_with(&cause) { error.to_string() } else { format!("{error}{cause}") };
    let broken = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    match broken {
        // What TLS finds wrong with a certificate comes as invalid data.
        Some(broken) if broken.kind() == std::io::ErrorKind::InvalidData => {
            Failure::Refused { code: "tls".to_owned(), detail }
        }
        Some(_) => Failure::Unreachable(detail),
        None if error.is_closed() => Failure::Unreachable(detail),
        None if detail.contains("TLS") => Failure::Refused { code: "tls".to_owned(), detail },
        None => Failure::Refused { code: "client".to_owned(), detail },
    }
}

/// What the server's code means to us. Its detail is left out: it may quote what is stored.
fn answered(said: &DbError, stale: bool) -> Failure {
    let code = said.code().code();
    let detail = format!("{} ({code})", said.message());
    match code {
        _ if stale => Failure::Again(detail),
        "40001" | "40P01" | "55P03" => Failure::Again(detail),
        "53100" => Failure::Full(detail),
        // Shutting down, starting up or too busy; read-only after a failover; too slow; out of memory.
        "25006" | "25P03" | "25P04" | "40003" | "53200" | "53300" | "57014" => Failure::Unreachable(detail),
        _ if code.starts_with("08") || code.starts_with("57P") || code.starts_with("58") => {
            Failure::Unreachable(detail)
        }
        _ => Failure::Refused { code: code.to_owned(), detail: said.message().to_owned() },
    }
}
