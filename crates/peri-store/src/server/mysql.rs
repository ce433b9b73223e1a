//! A connection to MySQL or MariaDB.

mod values;

use std::collections::HashMap;
use std::error::Error as _;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use ::mysql::prelude::Queryable as _;
use ::mysql::{Conn, DriverError, Error, MySqlError, OptsBuilder, Params, SslOpts};
use peri_types::patience;
use rusqlite::types::Value;

use super::address::{Address, Encryption, Place, Timeouts};
use super::dialect::{Counting, Target, Translation, translate};
use super::driver::{Driver, Failure};
use super::store::{KEEPALIVE_MIN, patient};
use crate::sql::connection::PROMPT_MAX;
use values::{decode, encode};

/// How many prepared statements a connection keeps.
const STATEMENTS_MAX: usize = 256;

/// How much longer than the server we wait, so that a server which is only slow can say so itself.
const GRACE: Duration = Duration::from_secs(1);

/// A connection that somebody opens who waits for an answer waits for at least so long: longer than for a lock, which is
/// counted in whole seconds.
const PROMPT_MIN: Duration = Duration::from_secs(2);

/// What one packet must be able to hold: the longest memory with all that is said about it.
const PACKET_MIN: u64 = 16 << 20;

/// Opens a connection.
pub(crate) fn connect(address: &Address, timeouts: &Timeouts) -> Result<Box<dyn Driver>, Failure> {
    let limit = patient(address.connect_timeout.unwrap_or(timeouts.connect));
    let connected = match address.encryption {
        Encryption::Disable => open(options(address, timeouts, None), limit),
        Encryption::Prefer => match open(options(address, timeouts, Some(anybody())), limit) {
            Err(Failed::Said(Error::DriverError(DriverError::TlsNotSupported))) => {
                open(options(address, timeouts, None), limit)
            }
            outcome => outcome,
        },
        Encryption::Require => open(options(address, timeouts, Some(anybody())), limit),
        Encryption::Verify => open(options(address, timeouts, Some(verified(address))), limit),
    };
    let connection = connected.map_err(|failed| address.hide_password(failed.into()))?;
    let patience = settled(timeouts);
    let mut driver = Mysql { connection, translations: HashMap::new(), state: State::Usable, patience };
    driver.set_up(timeouts).map_err(|failure| address.hide_password(failure))?;
    Ok(Box::new(driver))
}

/// Encrypted, but whose certificate it is does not matter.
fn anybody() -> SslOpts {
    SslOpts::default().with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true)
}

fn verified(address: &Address) -> SslOpts {
    SslOpts::default().with_root_cert_path(address.root_certificate.clone())
}

fn options(address: &Address, timeouts: &Timeouts, encryption: Option<SslOpts>) -> OptsBuilder {
    let limit = address.connect_timeout.unwrap_or(timeouts.connect);
    let patience = settled(timeouts);
    let options = OptsBuilder::new()
        .user(Some(&address.user))
        .pass(address.password.as_ref())
        .db_name(Some(&address.database))
        .tcp_connect_timeout(Some(limit))
        .read_timeout(Some(patience))
        .write_timeout(Some(patience))
        .tcp_keepalive_time_ms(Some(milliseconds(limit.max(KEEPALIVE_MIN))))
        .stmt_cache_size(STATEMENTS_MAX)
        .connect_attrs(Some(HashMap::from([("program_name", "perihelion")])))
        .ssl_opts(encryption);
    #[cfg(target_os = "linux")]
    let options = options.tcp_user_timeout_ms(Some(milliseconds(limit.max(KEEPALIVE_MIN))));
    match &address.place {
        // A server on this machine would otherwise be asked for its socket.
        Place::Tcp { host, port } => options.ip_or_hostname(Some(host)).tcp_port(*port).prefer_socket(false),
        Place::Socket { path, .. } => options.socket(Some(path.to_string_lossy())),
    }
}

/// How long a connection waits for an answer: as long as whoever opens it may, in round terms, since others use it after.
fn settled(timeouts: &Timeouts) -> Duration {
    let usual = timeouts.statement + GRACE;
    match patience::left() {
        Some(left) => left.clamp(PROMPT_MIN, PROMPT_MAX).min(usual),
        None => usual,
    }
}

fn milliseconds(limit: Duration) -> u32 {
    u32::try_from(limit.as_millis()).unwrap_or(u32::MAX)
}

/// Connects on a thread of its own, which is left alone when a server takes connections and then hangs: it gives up
/// by itself when a statement would.
fn open(options: OptsBuilder, limit: Duration) -> Result<Conn, Failed> {
    // Whoever encrypts first decides with what; nothing to do when somebody did.
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        drop(rustls::crypto::ring::default_provider().install_default());
    }
    let (sender, receiver) = sync_channel(1);
    let connecting = std::thread::Builder::new().name("peri-connect".to_owned()).spawn(move || {
        // Nobody may be waiting any more; then the connection is closed.
        drop(sender.send(Conn::new(options)));
    });
    connecting.map_err(|error| Failed::Said(Error::IoError(error)))?;
    // Who may wait for a moment only waits no longer for a server that could say by itself that it is slow.
    match receiver.recv_timeout(patient(limit + GRACE)) {
        Ok(outcome) => outcome.map_err(Failed::Said),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            patience::spend(limit);
            Err(Failed::TooLate(limit))
        }
    }
}

/// Whether a connection can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    Broken,
}

struct Mysql {
    connection: Conn,
    translations: HashMap<String, Arc<Translation>>,
    state: State,
    /// How long it waits for an answer.
    patience: Duration,
}

impl Driver for Mysql {
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<usize, Failure> {
        let translation = self.translation(sql)?;
        let parameters = fill(&translation, parameters)?;
        let began = Instant::now();
        let outcome = run(&mut self.connection, &translation, parameters);
        self.checked(outcome, began)
    }

    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let translation = self.translation(sql)?;
        let parameters = fill(&translation, parameters)?;
        let began = Instant::now();
        let outcome = fetch(&mut self.connection, &translation, parameters);
        self.checked(outcome, began)?.into_iter().map(decode).collect()
    }

    fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        let began = Instant::now();
        let outcome = run_all(&mut self.connection, sql);
        self.checked(outcome, began)
    }

    fn is_alive(&self) -> bool {
        self.state == State::Usable
    }

    fn patience(&self) -> Option<Duration> {
        Some(self.patience)
    }
}

impl Mysql {
    /// What every connection wants of its session. A wait for a lock ends before the statement's time does.
    fn set_up(&mut self, timeouts: &Timeouts) -> Result<(), Failure> {
        let said = self.query("SELECT version(), @@max_allowed_packet", &[])?;
        let version = match said.first().map(Vec::as_slice) {
            Some([Value::Text(version), packet]) => {
                warn_of_small_packets(packet);
                version.to_ascii_lowercase()
            }
            _ => String::new(),
        };
        let statement = timeouts.statement.as_secs_f64();
        let own = if version.contains("mariadb") {
            format!(
                "SET max_statement_time = {statement}, idle_transaction_timeout = {}",
                whole(statement * 2.0)
            )
        } else {
            format!("SET max_execution_time = {}", timeouts.statement.as_millis().max(1))
        };
        self.batch(&format!(
            "SET NAMES utf8mb4; SET time_zone = '+00:00', lc_messages = 'en_US', autocommit = 1;
             SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_BACKSLASH_ESCAPES,\
             NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT,ANSI_QUOTES';
             SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
             SET innodb_lock_wait_timeout = {}; {own}",
            whole(statement / 2.0)
        ))
    }

    fn translation(&mut self, sql: &str) -> Result<Arc<Translation>, Failure> {
        if let Some(known) = self.translations.get(sql) {
            return Ok(Arc::clone(known));
        }
        let translation = Arc::new(translate(sql, Target::Mysql)?);
        // They are small and few; statements that are put together are what makes them many.
        if self.translations.len() >= STATEMENTS_MAX {
            self.translations.clear();
        }
        self.translations.insert(sql.to_owned(), Arc::clone(&translation));
        Ok(translation)
    }

    /// Takes note of what a failure says of the connection.
    fn checked<T>(&mut self, outcome: Result<T, Error>, began: Instant) -> Result<T, Failure> {
        outcome.map_err(|error| {
            if ends_connection(&error) {
                patience::spend(began.elapsed());
                self.state = State::Broken;
            }
            told(error)
        })
    }
}

/// Seconds as a setting that takes whole ones, at least one.
fn whole(seconds: f64) -> u64 {
    Duration::from_secs_f64(seconds.clamp(1.0, 31_536_000.0)).as_secs()
}

fn warn_of_small_packets(packet: &Value) {
    if let Value::Integer(bytes) = packet
        && u64::try_from(*bytes).is_ok_and(|bytes| bytes < PACKET_MIN)
    {
        tracing::warn!(
            "the server's max_allowed_packet is {bytes} bytes; memories longer than that cannot be stored, set it to \
             at least 16M"
        );
    }
}

/// The values in the order of the statement's places.
fn fill(translation: &Translation, parameters: &[Value]) -> Result<Params, Failure> {
    let wanted = translation.places.iter().max().map_or(0, |highest| highest + 1);
    if wanted != parameters.len() {
        let detail = format!("the statement takes {wanted} values and was given {}", parameters.len());
        return Err(Failure::Refused { code: "parameters".to_owned(), detail });
    }
    if parameters.is_empty() {
        return Ok(Params::Empty);
    }
    Ok(Params::Positional(translation.places.iter().map(|place| encode(&parameters[*place])).collect()))
}

fn run(connection: &mut Conn, translation: &Translation, parameters: Params) -> Result<usize, Error> {
    let mut result = connection.exec_iter(translation.sql.as_str(), parameters)?;
    // Rows come before what is said of them, if there are any.
    while let Some(set) = result.iter() {
        for row in set {
            row?;
        }
    }
    drop(result);
    let affected = connection.affected_rows();
    let said = first_number(&connection.info_str());
    let changed = match translation.counting {
        Counting::Affected => affected,
        Counting::Matched => said.unwrap_or(affected),
        // A single row is not spoken of, and an update of it counts twice.
        Counting::Given => said.unwrap_or(1),
    };
    Ok(usize::try_from(changed).unwrap_or(usize::MAX))
}

/// The first number of `Rows matched: 1  Changed: 0  Warnings: 0` or `Records: 2  Duplicates: 1  Warnings: 0`.
fn first_number(info: &str) -> Option<u64> {
    info.split(|letter: char| !letter.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

fn fetch(
    connection: &mut Conn,
    translation: &Translation,
    parameters: Params,
) -> Result<Vec<::mysql::Row>, Error> {
    connection.exec(translation.sql.as_str(), parameters)
}

/// A failure of a later statement is told too.
fn run_all(connection: &mut Conn, sql: &str) -> Result<(), Error> {
    let mut result = connection.query_iter(sql)?;
    while let Some(set) = result.iter() {
        for row in set {
            row?;
        }
    }
    Ok(())
}

/// What became of connecting.
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
            Failed::Said(error) => told(error),
        }
    }
}

/// Whether nothing more can be said over the connection.
fn ends_connection(error: &Error) -> bool {
    match error {
        Error::IoError(_) | Error::CodecError(_) | Error::TlsError(_) => true,
        Error::DriverError(error) => !matches!(
            error,
            DriverError::MismatchedStmtParams(..) | DriverError::Params(_) | DriverError::MixedParams
        ),
        Error::MySqlError(said) => matches!(said.code, 1053 | 1927 | 2006 | 2013 | 4031),
        _ => false,
    }
}

fn told(error: Error) -> Failure {
    let refused = |code: &str, detail: String| Failure::Refused { code: code.to_owned(), detail };
    match error {
        Error::MySqlError(said) => answered(&said),
        Error::IoError(error) => broken(&error),
        Error::CodecError(error) => match error.source().and_then(|source| source.downcast_ref()) {
            Some(error) => broken(error),
            None => Failure::Unreachable(error.to_string()),
        },
        Error::TlsError(error) => refused("tls", error.to_string()),
        Error::DriverError(error @ DriverError::TlsNotSupported) => refused("tls", error.to_string()),
        Error::DriverError(
            error @ (DriverError::ConnectTimeout
            | DriverError::CouldNotConnect(_)
            | DriverError::Timeout
            | DriverError::PacketOutOfSync
            | DriverError::UnexpectedPacket
            | DriverError::SetupError),
        ) => Failure::Unreachable(error.to_string()),
        other => refused("client", other.to_string()),
    }
}

/// What a connection that broke means to us. What TLS finds wrong with a certificate comes as invalid data.
fn broken(error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::InvalidData => Failure::Refused { code: "tls".to_owned(), detail: error.to_string() },
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            Failure::Unreachable("the server did not answer in time".to_owned())
        }
        _ => Failure::Unreachable(error.to_string()),
    }
}

/// What the server's code means to us.
fn answered(said: &MySqlError) -> Failure {
    let detail = format!("{} ({})", said.message, said.code);
    match said.code {
        1213 | 1205 | 1615 | 1020 => Failure::Again(detail),
        1021 | 1041 | 1114 => Failure::Full(detail),
        // A file could not be written; 28 says that the disk is full.
        3 | 1026 | 1030 if said.message.contains("28") => Failure::Full(detail),
        // Shutting down or too busy; the connection was ended or cut; read-only after a failover; too slow.
        1040
        | 1053
        | 1129
        | 1158..=1161
        | 1203
        | 1226
        | 1290
        | 1317
        | 1836
        | 1927
        | 1969
        | 2006
        | 2013
        | 3024
        | 3100
        | 4031 => Failure::Unreachable(detail),
        code => Failure::Refused { code: code.to_string(), detail: said.message.clone() },
    }
}
