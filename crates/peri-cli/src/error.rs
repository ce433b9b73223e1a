//! What a person is told when something goes wrong.

use std::io;
use std::path::PathBuf;

use peri_agents::install::{ApplyError, InstallError};

use crate::config::ConfigError;
use crate::exit::Exit;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The engine refused or failed; its kind says what to do.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
    /// A backup was not made, verified or restored; its kind says what to do.
    #[error(transparent)]
    Backup(#[from] peri_backup::BackupError),
    /// Something was not done with the vault; its kind says what to do.
    #[error(transparent)]
    Vault(#[from] peri_vault::VaultError),
    /// The language model gave no answer, or what is known of its calls cannot be read.
    #[error(transparent)]
    Llm(#[from] peri_llm::Refusal),
    /// The settings of an agent cannot be edited; nothing was changed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// The settings of an agent were not written, or not wholly.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// Something was not done with a memory file; its kind says what to do.
    #[error(transparent)]
    Bridge(#[from] peri_bridge::BridgeError),
    /// The configuration must be mended.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server cannot be started, or broke off.
    #[error(transparent)]
    Serve(#[from] peri_http::ServeError),
    /// The arguments or what was piped in must be mended.
    #[error("{message}")]
    Input {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// An abbreviated id fits no memory.
    #[error("no memory has an id that begins with {prefix}")]
    NoSuchPrefix {
        /// What was given.
        prefix: String,
    },
    /// An abbreviated id fits nothing of what it was to name.
    #[error("no {what} has an id that begins with {prefix}")]
    NothingBegins {
        /// What was to be named.
        what: &'static str,
        /// What was given.
        prefix: String,
        /// The command that lists them.
        list: &'static str,
    },
    /// A file or standard input cannot be read.
    #[error("{what} cannot be read")]
    Read {
        /// What was being read.
        what: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("{path} cannot be written")]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// An import stopped before its end.
    #[error("the import stopped before line {line}; {kept} memories from the lines before it are stored")]
    ImportStopped {
        /// The first line that was not handled.
        line: usize,
        /// How many memories were stored or merged.
        kept: usize,
        /// Why.
        #[source]
        source: Box<CliError>,
    },
    /// Recording tasks stopped before the end of the file.
    #[error("recording stopped at line {line}; {kept} tasks from the lines before it are recorded")]
    TasksStopped {
        /// The first line that was not recorded.
        line: usize,
        /// How many tasks were.
        kept: usize,
        /// Why.
        #[source]
        source: Box<CliError>,
    },
    /// The answer cannot be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

impl CliError {
    /// Bad input, with what to do about it.
    pub(crate) fn input(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Input { message: message.into(), hint: Some(hint.into()) }
    }

    /// Something that cannot be read.
    pub(crate) fn read(what: impl Into<String>, source: io::Error) -> Self {
        Self::Read { what: what.into(), source }
    }

    /// How the program ends because of it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Engine(error) => error.kind().into(),
            Self::Backup(error) => error.kind().into(),
            Self::Vault(error) => error.kind().into(),
            Self::Bridge(error) => error.kind().into(),
            Self::Install(InstallError::Unreadable { .. }) | Self::Apply(ApplyError::Failed { .. }) => {
                Exit::Unavailable
            }
            Self::Install(_) => Exit::BadInput,
            Self::Apply(ApplyError::Changed { .. }) => Exit::Conflict,
            Self::Serve(peri_http::ServeError::Engine(error)) => error.kind().into(),
            Self::Serve(peri_http::ServeError::Serve(_)) => Exit::Unavailable,
            Self::Serve(_) => Exit::BadInput,
            Self::Config(_) | Self::Input { .. } | Self::Read { .. } => Exit::BadInput,
            Self::Write { source, .. } if source.kind() == io::ErrorKind::NotFound => Exit::BadInput,
            Self::NoSuchPrefix { .. } | Self::NothingBegins { .. } => Exit::NotFound,
            Self::ImportStopped { source, .. } | Self::TasksStopped { source, .. } => source.exit(),
            Self::Output(_) | Self::Write { .. } | Self::Llm(_) => Exit::Unavailable,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Engine(error) => error.hint(),
            Self::Backup(error) => error.hint(),
            Self::Vault(error) => error.hint(),
            Self::Bridge(error) => error.hint(),
            Self::Serve(error) => serve_hint(error),
            Self::Llm(error) => llm_hint(error),
            Self::Config(error) => error.hint(),
            Self::Input { hint, .. } => hint.clone(),
            Self::NoSuchPrefix { .. } => Some("`peri list` and `peri trash list` show the ids".to_owned()),
            Self::NothingBegins { list, .. } => Some(format!("`{list}` shows the ids")),
            Self::ImportStopped { source, .. } => {
                let again = "mend the cause and run the same import again: what is stored already is merged";
                Some(source.hint().map_or_else(|| again.to_owned(), |hint| format!("{hint}; {again}")))
            }
            Self::TasksStopped { source, .. } => {
                let again = "mend the cause and record the rest; tasks with an id are recorded once";
                Some(source.hint().map_or_else(|| again.to_owned(), |hint| format!("{hint}; {again}")))
            }
            Self::Output(_) => Some("only the answer is lost: what was asked for is done".to_owned()),
            Self::Write { .. } => {
                Some("nothing is left behind; look at the path, the permissions and the disk".to_owned())
            }
            // Their messages say what to do.
            Self::Install(_) | Self::Apply(_) | Self::Read { .. } => None,
        }
    }

    /// The causes below the message, from near to far.
    pub(crate) fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next = std::error::Error::source(self);
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        causes
    }
}

fn llm_hint(refusal: &peri_llm::Refusal) -> Option<String> {
    use peri_llm::Refusal;
    let hint = match refusal {
        Refusal::Status { status: 401 | 403, .. } => "look at the key: llm.key_variable names where it is",
        Refusal::Status { status: 404, .. } => "look at llm.url and llm.model",
        Refusal::Unreachable { .. } => "look at llm.url and the network; what waits is tried again by itself",
        Refusal::CapReached { .. } => "llm.tokens_per_day says how many; `peri llm log` shows the calls",
        Refusal::Ledger(_) => "look at the folder llm in the data folder, its permissions and the disk",
        Refusal::Garbled { .. } => "look at llm.url and llm.provider, or choose a model that can do it",
        Refusal::Request { .. }
        | Refusal::Paused { .. }
        | Refusal::Status { .. }
        | Refusal::Cut { .. }
        | Refusal::Declined => return None,
    };
    Some(hint.to_owned())
}

fn serve_hint(error: &peri_http::ServeError) -> Option<String> {
    use peri_http::ServeError;
    let hint = match error {
        ServeError::Unprotected { .. } => {
            "`peri key create NAME` makes a key; without one, listen on 127.0.0.1".to_owned()
        }
        ServeError::KeysUnknown { .. } => {
            "start it again once the store answers; until then, listen on 127.0.0.1: writes are queued"
                .to_owned()
        }
        ServeError::Listen { .. } => {
            "choose another with --listen, such as 127.0.0.1:0 for a free port".to_owned()
        }
        ServeError::Certificate { .. } => {
            "server.tls_certificate and server.tls_key name PEM files: the chain and its key".to_owned()
        }
        ServeError::Engine(error) => return error.hint(),
        ServeError::Serve(_) => return None,
    };
    Some(hint)
}
