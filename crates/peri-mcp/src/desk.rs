//! What a tool works with: the engine, who asks, and where.

use perihelion::{Caller, MemoryId, Namespace, Perihelion, Scope};

use crate::refusal::Refusal;

/// One call's surroundings.
pub(crate) struct Desk<'a> {
    /// The engine.
    pub(crate) engine: &'a Perihelion,
    /// Who asks.
    pub(crate) caller: &'a Caller,
    /// Where the call works, as resolved from the call, the client and the configuration.
    pub(crate) scope: Scope,
}

impl Desk<'_> {
    /// The namespace of a call that needs exactly one.
    pub(crate) fn namespace(&self) -> Result<&Namespace, Refusal> {
        match &self.scope {
            Scope::Exact(namespace) => Ok(namespace),
            scope => Err(Refusal::argument(
                "namespace",
                format!("{scope} is more than one namespace, and this works in exactly one"),
            )),
        }
    }

    /// Reads an id.
    pub(crate) fn id(&self, argument: &str, text: &str) -> Result<MemoryId, Refusal> {
        text.trim().parse().map_err(|_| {
            Refusal::argument(
                argument,
                format!("{text:?} is no id; ids come from memory_recall and memory_store"),
            )
        })
    }

    /// Reads several.
    pub(crate) fn ids(&self, argument: &str, texts: &[String]) -> Result<Vec<MemoryId>, Refusal> {
        texts.iter().map(|text| self.id(argument, text)).collect()
    }

    /// Reads the cursor of a list that goes by ids.
    pub(crate) fn cursor(&self, text: &str) -> Result<MemoryId, Refusal> {
        text.trim().parse().map_err(|_| {
            Refusal::argument(
                "cursor",
                "not one that an earlier answer gave; leave it out for the first page",
            )
        })
    }

    /// Keeps what the agent of a session was given from memory, so that it is not learned again when it repeats it. Where
    /// several namespaces are looked at, it is not known which one the session is of.
    pub(crate) fn note_handed_out(&self, session: &str, texts: &[String], degraded: &mut Vec<String>) {
        let Scope::Exact(namespace) = &self.scope else { return };
        if let Err(error) = self.engine.note_handed_out(namespace, session, texts) {
            tracing::warn!(%error, "what was given may be learned again");
            degraded.push(format!("what was given may be learned again: {error}"));
        }
    }

    /// Where ids are looked up: nowhere else than the call works.
    pub(crate) fn reach(&self) -> &Scope {
        &self.scope
    }
}
