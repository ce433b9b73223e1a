//! From a task to the agent that should take it.
