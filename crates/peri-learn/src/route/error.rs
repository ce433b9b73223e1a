//! What can be wrong with what a router is told.

/// Why an outcome was not learned, or a kept router not read. Whatever the router knew before is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// The agent's name cannot be one. Give a name of 1 to 64 characters without control characters.
    #[error("an agent's name has 1 to 64 characters, none of them a control character")]
    AgentName,
    /// The router knows as many agents as it can. Route to one of those, or begin a new router.
    #[error("the router knows {count} agents already, which is as many as it can tell apart")]
    TooManyAgents {
        /// How many it knows.
        count: usize,
    },
    /// A kept router was made by another format. Learn again from the recorded trajectories.
    #[error("this router was kept in format {found}, and format {known} is what can be read")]
    Format {
        /// The format it names.
        found: u32,
        /// The format that is known.
        known: u32,
    },
    /// A kept router was made with another analysis of texts, so its weights belong to other words. Learn again.
    #[error("this router was kept with text analysis {found}, and texts are read with {known} now")]
    Analysis {
        /// The analysis it names.
        found: u32,
        /// The analysis in use.
        known: u32,
    },
    /// A kept router does not fit together. Restore a copy, or learn again from the recorded trajectories.
    #[error("this is not a whole router: {what}")]
    Damaged {
        /// What does not fit.
        what: &'static str,
    },
}
