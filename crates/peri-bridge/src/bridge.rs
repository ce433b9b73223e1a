//! The four things that a bridge does.

use std::path::Path;

use perihelion::{Namespace, Perihelion};

use crate::pass::Pass;
use crate::report::{Exported, Imported, SectionState, Status, Synced};
use crate::{BridgeError, BridgeSettings, Rehearsal};

/// Brings memories and the files of agents together.
pub struct Bridge<'a> {
    engine: &'a Perihelion,
    settings: BridgeSettings,
}

impl<'a> Bridge<'a> {
    /// A bridge from an engine's memories, within limits.
    pub fn new(engine: &'a Perihelion, settings: BridgeSettings) -> Self {
        Self { engine, settings }
    }

    /// Makes memories of what people wrote in a file, and lets them follow it. What stands in the section came from
    /// memories and is not read.
    pub fn import(
        &self,
        path: &Path,
        namespace: &Namespace,
        rehearsal: Rehearsal,
    ) -> Result<Imported, BridgeError> {
        let mut pass = self.begin(path, namespace, rehearsal)?;
        pass.check_exists()?;
        let read = pass.read_outside();
        let imported = pass.import(&read)?;
        pass.save()?;
        Ok(imported)
    }

    /// Writes durable notes and the memories that matter most into the section of a file, which is created if it is
    /// missing. Everything outside the section stays as it is.
    pub fn export(
        &self,
        path: &Path,
        namespace: &Namespace,
        durable: &[String],
        rehearsal: Rehearsal,
    ) -> Result<Exported, BridgeError> {
        let mut pass = self.begin(path, namespace, rehearsal)?;
        if pass.section_state() == SectionState::Edited {
            return Err(BridgeError::Edited { path: pass.target.path });
        }
        let outside = pass.read_outside().statements;
        pass.export(&outside, durable)
    }

    /// Both, and between them takes over what people edited within the section.
    pub fn sync(
        &self,
        path: &Path,
        namespace: &Namespace,
        durable: &[String],
        rehearsal: Rehearsal,
    ) -> Result<Synced, BridgeError> {
        let mut pass = self.begin(path, namespace, rehearsal)?;
        pass.check_exists()?;
        sync(&mut pass, durable)
    }

    /// How a file stands to the memories, and what a sync would do.
    pub fn status(
        &self,
        path: &Path,
        namespace: &Namespace,
        durable: &[String],
    ) -> Result<Status, BridgeError> {
        let mut pass = self.begin(path, namespace, Rehearsal::Dry)?;
        let (exists, section) = (pass.target.text.is_some(), pass.section_state());
        let (known, shown) = (pass.state.statements.len(), pass.state.shown.len());
        let hidden = pass.state.hidden.iter().map(|hidden| hidden.line.clone()).collect();
        let pending = if exists { Some(sync(&mut pass, durable)?) } else { None };
        let (path, namespace) = (pass.target.path, namespace.clone());
        Ok(Status { path, namespace, exists, section, known, shown, hidden, pending })
    }

    fn begin<'p>(
        &'p self,
        path: &Path,
        namespace: &'p Namespace,
        rehearsal: Rehearsal,
    ) -> Result<Pass<'p>, BridgeError> {
        Pass::begin(self.engine, &self.settings, (path, namespace), rehearsal)
    }
}

fn sync(pass: &mut Pass<'_>, durable: &[String]) -> Result<Synced, BridgeError> {
    let read = pass.read_outside();
    let imported = pass.import(&read)?;
    pass.save()?;
    let edits = pass.take_edits(&read.statements)?;
    let exported = pass.export(&read.statements, durable)?;
    Ok(Synced { imported, edits, exported })
}
