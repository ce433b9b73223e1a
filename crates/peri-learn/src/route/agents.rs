//! Who can be routed to: those of the table from the start, others from their first success on.

use super::RouteError;
use super::table::AGENTS;

/// How many agents a router tells apart; each takes a column of every matrix.
pub(super) const AGENTS_MAX: usize = 64;
const NAME_CHARS_MAX: usize = 64;

/// The agents by name, in the order they became known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Agents {
    names: Vec<String>,
}

impl Agents {
    pub(super) fn of_the_table() -> Self {
        Self { names: AGENTS.iter().map(|name| (*name).to_owned()).collect() }
    }

    /// Those of a kept router: the table's in their places, then others, each once.
    pub(super) fn from_names(names: Vec<String>) -> Result<Self, RouteError> {
        let damaged = RouteError::Damaged { what: "its agents" };
        let begins = names.len() >= AGENTS.len() && names.iter().zip(AGENTS).all(|(name, own)| name == own);
        let distinct: std::collections::HashSet<&String> = names.iter().collect();
        if !begins || names.len() > AGENTS_MAX || distinct.len() != names.len() {
            return Err(damaged);
        }
        names.iter().try_for_each(|name| check_name(name)).map_err(|_| damaged)?;
        Ok(Self { names })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub(super) fn add(&mut self, name: &str) -> Result<usize, RouteError> {
        if self.count() == AGENTS_MAX {
            return Err(RouteError::TooManyAgents { count: AGENTS_MAX });
        }
        self.names.push(name.to_owned());
        Ok(self.count() - 1)
    }
}

/// Whether a text can be an agent's name.
pub(super) fn check_name(name: &str) -> Result<(), RouteError> {
    let is_name = !name.trim().is_empty()
        && name.chars().count() <= NAME_CHARS_MAX
        && !name.chars().any(char::is_control);
    if is_name { Ok(()) } else { Err(RouteError::AgentName) }
}
