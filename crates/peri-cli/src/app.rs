//! What every command has at hand: the global arguments, the output, and the way to the engine.

use perihelion::{Awaited, Namespace, Perihelion, Scope};

use crate::cli::Global;
use crate::config::{self, Config, Loaded};
use crate::error::CliError;
use crate::home::{self, Home};
use crate::output::Output;

/// The program while it runs one command.
pub(crate) struct App {
    /// What was typed before or after the verb.
    pub(crate) global: Global,
    /// Where answers and messages go.
    pub(crate) out: Output,
    /// What whoever runs the command waits for.
    pub(crate) awaited: Awaited,
}

/// An open engine and the settings it was opened with.
pub(crate) struct Session {
    /// The engine.
    pub(crate) engine: Perihelion,
    /// The settings.
    pub(crate) config: Config,
}

impl App {
    /// The data folder.
    pub(crate) fn home(&self) -> Result<Home, CliError> {
        home::find(self.global.home.as_ref())
    }

    /// The settings from arguments, environment, file and defaults.
    pub(crate) fn config(&mut self) -> Result<Loaded, CliError> {
        let home = self.home()?;
        let namespace = match &self.global.namespace[..] {
            [Scope::Exact(namespace)] => Some(namespace.to_string()),
            _ => None,
        };
        let loaded = config::load(home, self.global.config.as_deref(), namespace)?;
        for warning in &loaded.warnings {
            self.out.warning(warning)?;
        }
        Ok(loaded)
    }

    /// Opens the engine on the data folder.
    pub(crate) fn open(&mut self) -> Result<Session, CliError> {
        let Loaded { home, config, .. } = self.config()?;
        config.deadlines.begin(self.awaited);
        let engine = Perihelion::open(config.options(&home.folder))?;
        Ok(Session { engine, config })
    }

    /// Where a verb looks that takes one scope: as typed, or else as given here.
    pub(crate) fn scope_or(&self, otherwise: Scope) -> Result<Scope, CliError> {
        match &self.global.namespace[..] {
            [] => Ok(otherwise),
            [scope] => Ok(scope.clone()),
            [..] => Err(CliError::input(
                "more than one --namespace was given, and this command takes one",
                "use a scope such as team/* for a namespace and all below it, or * for every one",
            )),
        }
    }
}

impl App {
    /// The namespace of a verb that works in exactly one: as typed, or else as configured.
    pub(crate) fn one_namespace(&self, config: &Config) -> Result<Namespace, CliError> {
        match &self.global.namespace[..] {
            [] | [Scope::Exact(_)] => Ok(config.namespace.clone()),
            [..] => Err(CliError::input(
                "this works in exactly one namespace",
                "give one, such as --namespace team/agent",
            )),
        }
    }

    /// Where a verb looks that takes any number of scopes: as typed, or else everywhere.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        match &self.global.namespace[..] {
            [] => vec![Scope::All],
            scopes => scopes.to_vec(),
        }
    }
}

impl Session {
    /// Hands the answer out, then finishes what the engine has under way.
    pub(crate) fn close(self, out: &mut Output) -> Result<(), CliError> {
        out.flush()?;
        if let Err(error) = self.engine.close() {
            // The answer stands and every receipt holds: closing only saves time for the next command.
            out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
        }
        Ok(())
    }
}
