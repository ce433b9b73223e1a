//! Where calls wait until they are worked off.

use std::path::Path;

use peri_agents::hooks::{Call, Inbox, InboxError, Occasion};
use perihelion::{Namespace, Redaction};

use crate::commands::mcp;
use crate::config::Loaded;

/// What hooks keep in the data folder: the inbox, and how far transcripts were read.
pub(super) const FOLDER: &str = "hooks";

/// Keeps a call, durably and without the secrets in it.
pub(super) fn keep(loaded: &Loaded, call: &Call) -> Result<(), InboxError> {
    let home = &loaded.home.folder;
    let mut call = call.clone();
    let said = match &mut call.occasion {
        Occasion::Prompt { text } | Occasion::Stop { answer: Some(text) } => Some(text),
        Occasion::Stop { answer: None }
        | Occasion::SessionStart { .. }
        | Occasion::BeforeCompaction
        | Occasion::SessionEnd => None,
    };
    if let Some(said) = said
        && loaded.config.options(home).redaction == Redaction::On
    {
        *said = peri_text::redact(said).text.into_owned();
    }
    let seal = loaded.config.seal();
    if !seal.is_on() && perihelion::is_encrypted(home) {
        // What was said must not lie there in the open because somebody lost a variable of the environment.
        let detail = "the store is encrypted, and no key is given".to_owned();
        return Err(InboxError::Unwritable { detail });
    }
    at(home).sealed(seal).put(&call).map(drop)
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
