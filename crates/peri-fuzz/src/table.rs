//! The table of targets, one line each.

use crate::targets::*;

/// One parser, or a few that read the same bytes.
pub struct Target {
    /// What it is called, here, in `corpus/` and in `fuzz/`.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
    /// How dear one run is.
    pub cost: Cost,
}

/// How dear one run of a target is, which decides how often the test runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// It computes.
    Low,
    /// It writes and reads files.
    Files,
    /// It asks an engine or a server.
    Engine,
}

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TABLE.iter().find(|target| target.name == name)
}

const fn line(name: &'static str, cost: Cost, run: fn(&[u8])) -> Target {
    Target { name, run, cost }
}

/// Every target. What each must hold is said at its function.
pub const TABLE: &[Target] = &[
    line("namespaces", Cost::Low, types::namespaces),
    line("ids", Cost::Low, types::ids),
    line("records", Cost::Low, types::records),
    line("words", Cost::Low, text::words),
    line("times", Cost::Low, text::times),
    line("secrets", Cost::Low, text::secrets),
    line("tokens", Cost::Low, text::tokens),
    line("statements", Cost::Low, text::statements),
    line("rvf", Cost::Low, learning::rvf),
    line("learned_sets", Cost::Low, learning::learned_sets),
    line("hook_input", Cost::Low, agents::hook_input),
    line("transcripts", Cost::Files, agents::transcripts),
    line("settings_files", Cost::Files, agents::settings_files),
    line("inbox", Cost::Files, agents::inbox),
    line("notes_parcel", Cost::Low, notes::notes_parcel),
    line("notes_files", Cost::Files, notes::notes_files),
    line("queue_files", Cost::Files, queue::queue_files),
    line("index_snapshot", Cost::Low, index::index_snapshot),
    line("base64", Cost::Low, index::base64),
    line("code_files", Cost::Files, workspace::code_files),
    #[cfg(feature = "engine")]
    line("front_matter", Cost::Low, vault::front_matter),
    #[cfg(feature = "engine")]
    line("vault_document", Cost::Low, vault::vault_document),
    #[cfg(feature = "engine")]
    line("vault_sync", Cost::Engine, vault::vault_sync),
    #[cfg(feature = "engine")]
    line("memory_file", Cost::Engine, bridge::memory_file),
    #[cfg(feature = "engine")]
    line("export_lines", Cost::Engine, transfer::export_lines),
    #[cfg(feature = "engine")]
    line("other_stores", Cost::Files, transfer::other_stores),
    #[cfg(feature = "engine")]
    line("imports", Cost::Files, imports::imports),
    #[cfg(feature = "engine")]
    line("settings", Cost::Files, configuration::settings),
    #[cfg(feature = "engine")]
    line("typed_times", Cost::Low, configuration::typed_times),
    #[cfg(feature = "engine")]
    line("questions", Cost::Files, engine::questions),
    #[cfg(feature = "engine")]
    line("contents", Cost::Engine, engine::contents),
    #[cfg(feature = "engine")]
    line("event_log", Cost::Engine, engine::event_log),
    #[cfg(feature = "engine")]
    line("mcp_messages", Cost::Files, mcp::mcp_messages),
    #[cfg(feature = "engine")]
    line("http_requests", Cost::Files, http::http_requests),
    #[cfg(feature = "engine")]
    line("embedding_answer", Cost::Low, servers::embedding_answer),
    #[cfg(feature = "engine")]
    line("model_answer", Cost::Low, servers::model_answer),
    #[cfg(feature = "engine")]
    line("addresses", Cost::Low, servers::addresses),
    #[cfg(feature = "engine")]
    line("manifest", Cost::Low, backups::manifest),
];
