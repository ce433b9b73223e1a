//! A private PostgreSQL, with pgvector.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::Signal;
use tempfile::TempDir;
use tokio_postgres::NoTls;

use crate::folder::{self, Account};
use crate::process::{self, Hurry, Running};
use crate::{Flushing, PASSWORD, PASSWORD_ESCAPED, USER};

/// The database that is there from the start.
const FIRST: &str = "postgres";

/// A PostgreSQL server of our own.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    account: Option<Account>,
    folder: TempDir,
    port: u16,
    running: Option<Running>,
    databases: AtomicU32,
    flushing: Flushing,
}

impl Postgres {
    /// Starts a server and waits until it answers.
    ///
    /// # Errors
    /// What to install, or the end of the server's log.
    pub fn start() -> Result<Self, String> {
        Self::start_in(&std::env::temp_dir())
    }

    /// The same with its data below a folder of the caller's, such as on a small disk.
    ///
    /// # Errors
    /// What to install, or the end of the server's log.
    pub fn start_in(above: &Path) -> Result<Self, String> {
        Self::start_with(above, Flushing::AsUsual)
    }

    fn start_with(above: &Path, flushing: Flushing) -> Result<Self, String> {
        let programs = programs()?;
        let account = folder::account()?;
        let folder = folder::temporary_in(above, "peri-postgres-", account)?;
        folder::copy_template(&template(&programs), &folder.path().join("data"), || {
            make(&programs, account)
        })?;
        let port = process::free_port()?;
        let mut server =
            Self { programs, account, folder, port, running: None, databases: AtomicU32::new(0), flushing };
        server.start_again()?;
        Ok(server)
    }

    /// The server that all tests of this process share. It is never killed, so it need not wait for the disk.
    ///
    /// # Panics
    /// When no server can be started; the message says what to do.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| {
            Self::start_with(&std::env::temp_dir(), Flushing::Never).unwrap_or_else(|error| panic!("{error}"))
        })
    }

    /// The address of the first database, over TCP.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of(FIRST)
    }

    /// The address of the first database, over the server's socket.
    #[must_use]
    pub fn socket_url(&self) -> String {
        let folder = self.folder.path().display();
        format!("postgres://{USER}:{PASSWORD_ESCAPED}@/{FIRST}?host={folder}&port={}", self.port)
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD_ESCAPED}@127.0.0.1:{}/{database}", self.port)
    }

    /// The address of a new, empty database.
    ///
    /// # Errors
    /// What the server said.
    pub fn fresh_database(&self) -> Result<String, String> {
        let name = format!("fresh_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        ask(self.port, FIRST, &format!("CREATE DATABASE {name}"))?;
        Ok(self.url_of(&name))
    }

    /// Runs statements in the database of an address that this server gave.
    ///
    /// # Errors
    /// What the server said.
    pub fn run(&self, url: &str, statements: &str) -> Result<(), String> {
        ask(self.port, url.rsplit('/').next().unwrap_or(FIRST), statements)
    }

    /// Stops the server cleanly. It can be started again.
    ///
    /// # Errors
    /// That it did not stop.
    pub fn stop(&mut self) -> Result<(), String> {
        self.running.take().map_or(Ok(()), |running| running.stop(Signal::INT))
    }

    /// Kills the server's processes where they stand. It can be started again.
    ///
    /// # Errors
    /// That they could not be killed.
    pub fn kill(&mut self) -> Result<(), String> {
        self.running.take().map_or(Ok(()), Running::kill)
    }

    /// Starts the server again, with the same data and the same address.
    ///
    /// # Errors
    /// The end of the server's log.
    pub fn start_again(&mut self) -> Result<(), String> {
        if self.running.is_some() {
            return Ok(());
        }
        let mut running = Running::start(&mut self.command(), self.account, self.folder.path(), Hurry::Quit)?;
        let port = self.port;
        let started = running.wait_until(|| ask(port, FIRST, "SELECT 1"));
        self.running = Some(running);
        started.map_err(|error| format!("PostgreSQL: {error}\n{}", process::log_end(self.folder.path())))
    }

    /// Makes the server hang: its connections stay open and nothing is answered.
    ///
    /// # Errors
    /// That it could not be paused.
    pub fn pause(&self) -> Result<(), String> {
        self.running.as_ref().map_or(Ok(()), Running::pause)
    }

    /// Ends a pause.
    ///
    /// # Errors
    /// That it could not be resumed.
    pub fn resume(&self) -> Result<(), String> {
        self.running.as_ref().map_or(Ok(()), |running| running.signal(Signal::CONT))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.programs.join("postgres"));
        command.arg("-D").arg(self.folder.path().join("data"));
        let sockets = format!("unix_socket_directories={}", self.folder.path().display());
        let port = format!("port={}", self.port);
        let settings = [
            port.as_str(),
            &sockets,
            "listen_addresses=127.0.0.1",
            if self.flushing == Flushing::AsUsual { "fsync=on" } else { "fsync=off" },
            "shared_buffers=16MB",
            "max_connections=64",
            "min_wal_size=8MB",
            "max_wal_size=64MB",
            "dynamic_shared_memory_type=mmap",
        ];
        for setting in settings {
            command.args(["-c", setting]);
        }
        command
    }

    /// A killed server leaves a scrap of shared memory behind, which its next start would have removed.
    fn sweep(&self) {
        let Ok(lock) = folder::read(&self.folder.path().join("data/postmaster.pid")) else { return };
        let Some(id) = lock.lines().nth(6).and_then(|line| line.split_whitespace().nth(1)) else { return };
        // Of no consequence when it fails: the scrap has 56 bytes.
        drop(process::run(Command::new("ipcrm").args(["-m", id])));
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.running.take().map(Running::discard) {
            assert!(std::thread::panicking(), "{error}");
        }
        self.sweep();
    }
}

fn programs() -> Result<PathBuf, String> {
    let folders = match std::env::var_os("PERI_TEST_POSTGRES_BIN") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => vec![folder::installed().join("postgres/bin")],
    };
    let found = process::find("postgres", &folders).and_then(|path| path.parent().map(Path::to_owned));
    found.ok_or_else(|| "PostgreSQL is not installed for the tests: run tests/servers/install".to_owned())
}

/// Other programs make other templates.
fn template(programs: &Path) -> String {
    let version = Command::new(programs.join("postgres")).arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    version.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

fn make(programs: &Path, account: Option<Account>) -> Result<(TempDir, PathBuf), String> {
    let folder = folder::temporary("peri-postgres-", account)?;
    let password = folder.path().join("password");
    folder::write(&password, PASSWORD)?;
    let data = folder.path().join("data");
    let mut command = Command::new(programs.join("initdb"));
    command.arg("--pgdata").arg(&data).arg(format!("--username={USER}")).arg("--pwfile").arg(&password);
    command.args(["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--wal-segsize=1"]);
    process::become_account(&mut command, account);
    process::run(command.current_dir(folder.path()))?;
    Ok((folder, data))
}

/// Runs statements in a database.
fn ask(port: u16, database: &str, statement: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let mut settings = tokio_postgres::Config::new();
    settings.host("127.0.0.1").port(port).user(USER).password(PASSWORD).dbname(database);
    let outcome = runtime.block_on(async {
        let (client, connection) = settings.connect(NoTls).await?;
        let connection = tokio::spawn(connection);
        client.batch_execute(statement).await?;
        drop(client);
        drop(connection.await);
        Ok(())
    });
    outcome.map_err(|error: tokio_postgres::Error| error.to_string())
}
