//! A private MariaDB.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use mysql::OptsBuilder;
use mysql::prelude::Queryable as _;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::certificate::Certificate;
use crate::folder::{self, Account};
use crate::process::{self, Hurry, Running};
use crate::{Flushing, PASSWORD, PASSWORD_ESCAPED, USER};

/// The database that is there from the start.
const FIRST: &str = "first";

/// What the tables of a new server are made by, in this order.
const SYSTEM_TABLES: [&str; 2] = ["mysql_system_tables.sql", "mysql_system_tables_data.sql"];

/// Small caches, the same when the template is made and when it is used.
const SIZES: [&str; 4] = [
    "--innodb-buffer-pool-size=16M",
    "--innodb-log-file-size=4M",
    "--aria-pagecache-buffer-size=1M",
    "--key-buffer-size=1M",
];

/// A MariaDB server of our own.
#[derive(Debug)]
pub struct MariaDb {
    program: PathBuf,
    account: Option<Account>,
    folder: TempDir,
    certificate: Certificate,
    port: u16,
    running: Option<Running>,
    databases: AtomicU32,
    flushing: Flushing,
}

impl MariaDb {
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
        let program = program()?;
        let account = folder::account()?;
        let folder = folder::temporary_in(above, "peri-mariadb-", account)?;
        folder::copy_template(&template(&program), &folder.path().join("data"), || make(&program, account))?;
        let greeting = folder.path().join("greeting.sql");
        folder::write(&greeting, &greet())?;
        let certificate = Certificate::make_in(folder.path())?;
        certificate.give(account)?;
        let port = process::free_port()?;
        let mut server = Self {
            program,
            account,
            folder,
            certificate,
            port,
            running: None,
            databases: AtomicU32::new(0),
            flushing,
        };
        server.start_again()?;
        Ok(server)
    }

    /// The server that all tests of this process share. It is never killed, so it need not wait for the disk.
    ///
    /// # Panics
    /// When no server can be started; the message says what to do.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<MariaDb> = OnceLock::new();
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
        let socket = self.folder.path().join("socket");
        format!("mysql://{USER}:{PASSWORD_ESCAPED}@/{FIRST}?host={}", socket.display())
    }

    /// The certificate that the server shows.
    #[must_use]
    pub fn certificate(&self) -> PathBuf {
        self.certificate.path()
    }

    fn url_of(&self, database: &str) -> String {
        format!("mysql://{USER}:{PASSWORD_ESCAPED}@127.0.0.1:{}/{database}", self.port)
    }

    /// The address of a new, empty database.
    ///
    /// # Errors
    /// What the server said.
    pub fn fresh_database(&self) -> Result<String, String> {
        let name = format!("fresh_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        ask(self.port, &format!("CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"))?;
        Ok(self.url_of(&name))
    }

    /// Stops the server cleanly. It can be started again.
    ///
    /// # Errors
    /// That it did not stop.
    pub fn stop(&mut self) -> Result<(), String> {
        self.running.take().map_or(Ok(()), |running| running.stop(Signal::TERM))
    }

    /// Kills the server's process where it stands. It can be started again.
    ///
    /// # Errors
    /// That it could not be killed.
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
        let mut running = Running::start(&mut self.command(), self.account, self.folder.path(), Hurry::Kill)?;
        let port = self.port;
        let started = running.wait_until(|| ask(port, "SELECT 1"));
        self.running = Some(running);
        started.map_err(|error| format!("MariaDB: {error}\n{}", process::log_end(self.folder.path())))
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
        let folder = self.folder.path();
        let mut command = Command::new(&self.program);
        let paths = [
            ("--datadir", "data"),
            ("--socket", "socket"),
            ("--pid-file", "process"),
            ("--init-file", "greeting.sql"),
            // Servers that share a folder for passing files sweep away each other's.
            ("--tmpdir", "data"),
        ];
        command.arg("--no-defaults").arg(format!("--port={}", self.port)).args(SIZES);
        command.args(paths.map(|(option, name)| format!("{option}={}", folder.join(name).display())));
        command.arg(format!("--ssl-cert={}", self.certificate.path().display()));
        command.arg(format!("--ssl-key={}", self.certificate.key().display()));
        command.args([
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
            "--skip-log-bin",
            "--performance-schema=OFF",
            match self.flushing {
                Flushing::AsUsual => "--innodb-flush-log-at-trx-commit=1",
                Flushing::Never => "--innodb-flush-log-at-trx-commit=0",
            },
            match self.flushing {
                Flushing::AsUsual => "--innodb-flush-method=O_DIRECT",
                Flushing::Never => "--innodb-flush-method=nosync",
            },
            "--max-allowed-packet=64M",
            "--max-connections=64",
        ]);
        command
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.running.take().map(Running::discard) {
            assert!(std::thread::panicking(), "{error}");
        }
    }
}

fn program() -> Result<PathBuf, String> {
    let folders = match std::env::var_os("PERI_TEST_MARIADB_BIN") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]).collect()
        }
    };
    let found = process::find("mariadbd", &folders);
    found.ok_or_else(|| "MariaDB is not installed for the tests: run tests/servers/install".to_owned())
}

fn template(program: &Path) -> String {
    let version = Command::new(program).arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let words: String = version.split_whitespace().skip(1).take(2).collect();
    format!("mariadb-{}", words.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"))
}

/// The user and the first database. MariaDB reads one statement per line.
fn greet() -> String {
    format!(
        "CREATE USER IF NOT EXISTS '{USER}'@'%' IDENTIFIED BY '{PASSWORD}';\n\
         GRANT ALL ON *.* TO '{USER}'@'%' WITH GRANT OPTION;\n\
         CREATE DATABASE IF NOT EXISTS {FIRST} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;\n"
    )
}

/// What `mariadb-install-db` would do, which needs more than the server itself.
fn make(program: &Path, account: Option<Account>) -> Result<(TempDir, PathBuf), String> {
    let folder = folder::temporary("peri-mariadb-", account)?;
    let data = folder.path().join("data");
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    folder::give(&data, account)?;
    let shared = program.ancestors().nth(2).unwrap_or(Path::new("/usr")).join("share");
    let mut places = ["mysql", "mariadb"].map(|name| shared.join(name)).into_iter();
    let shared = places.find(|folder| folder.join(SYSTEM_TABLES[0]).exists());
    let shared =
        shared.ok_or("MariaDB's system tables are not where they should be: run tests/servers/install")?;
    let mut script = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n".to_owned();
    for name in SYSTEM_TABLES {
        script += &folder::read(&shared.join(name))?;
    }
    let path = folder.path().join("tables.sql");
    folder::write(&path, &script)?;
    let mut command = Command::new(program);
    command
        .args(["--no-defaults", "--bootstrap", "--silent-startup", "--max-allowed-packet=64M"])
        .args(SIZES);
    command.arg(format!("--datadir={}", data.display()));
    process::become_account(&mut command, account);
    command.current_dir(folder.path()).stdin(File::open(&path).map_err(|error| error.to_string())?);
    process::run(&mut command)?;
    Ok((folder, data))
}

/// Runs one statement in the first database.
fn ask(port: u16, statement: &str) -> Result<(), String> {
    let options = OptsBuilder::new()
        .ip_or_hostname(Some("127.0.0.1"))
        .tcp_port(port)
        .prefer_socket(false)
        .user(Some(USER))
        .pass(Some(PASSWORD))
        .db_name(Some(FIRST));
    let mut connection = mysql::Conn::new(options).map_err(|error| error.to_string())?;
    connection.query_drop(statement).map_err(|error| error.to_string())
}
