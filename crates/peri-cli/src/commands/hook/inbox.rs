//! Where calls wait until they are worked off.

use std::path::Path;

use peri_agents::hooks::{Call, Inbox, InboxError};
use perihelion::Namespace;

use crate::commands::mcp;
use crate::config::Loaded;

/// What hooks keep in the data folder: the inbox, and how far transcripts were read.
pub(super) const FOLDER: &str = "hooks";

/// Keeps a call, durably.
pub(super) fn keep(home: &Path, call: &Call) -> Result<(), InboxError> {
    at(home).put(call).map(drop)
}

/// The inbox of a data folder.
pub(super) fn at(home: &Path) -> Inbox {
    Inbox::at(home.join(FOLDER).join("inbox"))
}

/// Where what happens in an agent's folder belongs: as configured, or as an MCP client in the same folder would have it.
pub(super) fn namespace_of(loaded: &Loaded, call: &Call) -> Result<Namespace, String> {
    let home = mcp::settings(loaded, None).home;
    match home.namespace {
        Some(namespace) => Ok(namespace),
        None => home.of_folder(&peri_agents::hooks::folder_of(call)),
    }
}
