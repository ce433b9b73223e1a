//! Which agents seem to be on a machine.

use std::path::PathBuf;

use crate::Agent;

use super::request::{Folders, Platform};

/// The agents whose folders exist, in the order of [`Agent::ALL`].
pub fn detect(folders: &Folders, platform: Platform) -> Vec<Agent> {
    let is_there = |agent: &Agent| signs(*agent, folders, platform).iter().any(|folder| folder.is_dir());
    Agent::ALL.into_iter().filter(is_there).collect()
}

fn signs(agent: Agent, folders: &Folders, platform: Platform) -> Vec<PathBuf> {
    match agent {
        Agent::ClaudeCode => vec![folders.claude()],
        Agent::Cursor => vec![folders.home.join(".cursor")],
        Agent::Codex => vec![folders.codex()],
        Agent::Gemini => vec![folders.home.join(".gemini")],
        Agent::Windsurf => vec![folders.windsurf(), folders.devin(platform)],
        Agent::VsCode => vec![folders.visual_studio_code(platform)],
    }
}
