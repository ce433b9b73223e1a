//! What the journal refuses: the same as elsewhere, texts and structures that are too large, and NUL characters.

use peri_types::{JournalEntry, Turn};
use serde_json::Value;

use super::append::NewEntry;
use crate::Error;
use crate::engine::Core;

impl Core {
    pub(super) fn check_new_entry(&self, new: &NewEntry) -> Result<(), Error> {
        let labels = [("session", &new.session), ("actor", &new.actor), ("kind", &new.kind)];
        self.check_journal_labels(&labels)?;
        self.check_journal_text("text", &new.text)?;
        self.check_journal_value("body", new.body.as_ref())?;
        self.check_journal_value("gate", new.gate.as_ref())?;
        self.check_metadata(&new.metadata)
    }

    /// Checks an entry that comes from elsewhere, as one that is appended would be.
    pub(crate) fn check_entry(&self, entry: &JournalEntry) -> Result<(), Error> {
        let kind = Some(entry.kind.clone());
        let labels = [("session", &entry.session), ("actor", &entry.actor), ("kind", &kind)];
        self.check_journal_labels(&labels)?;
        self.check_journal_text("text", &entry.text)?;
        self.check_journal_value("body", entry.body.as_ref())?;
        self.check_journal_value("gate", entry.gate.as_ref())?;
        self.check_metadata(&entry.metadata)
    }

    /// Checks a turn, wherever it comes from.
    pub(crate) fn check_turn(&self, turn: &Turn) -> Result<(), Error> {
        self.check_journal_labels(&[("session", &turn.session)])?;
        for (what, text) in [("output text", &turn.output_text), ("error", &turn.error)] {
            text.as_deref().map_or(Ok(()), |text| self.check_journal_text(what, text))?;
        }
        self.check_journal_value("plan", turn.plan.as_ref())?;
        self.check_journal_list("tool calls", &turn.tool_calls)?;
        self.check_journal_list("tool results", &turn.tool_results)?;
        self.check_metadata(&turn.metadata)
    }

    fn check_journal_labels(&self, labels: &[(&'static str, &Option<String>)]) -> Result<(), Error> {
        let limits = &self.options.limits;
        let given = labels.iter().filter_map(|(what, label)| Some((*what, label.as_deref()?)));
        given.into_iter().try_for_each(|(what, label)| limits.check_label(what, label))?;
        Ok(())
    }

    fn check_journal_text(&self, what: &'static str, text: &str) -> Result<(), Error> {
        Ok(self.options.limits.check_journal_text(what, text)?)
    }

    fn check_journal_value(&self, what: &'static str, value: Option<&Value>) -> Result<(), Error> {
        let Some(value) = value else { return Ok(()) };
        let bytes = serde_json::to_string(value).map_or(usize::MAX, |json| json.len());
        Ok(self.options.limits.check_journal_json(what, bytes)?)
    }

    fn check_journal_list(&self, what: &'static str, values: &[Value]) -> Result<(), Error> {
        let bytes = serde_json::to_string(values).map_or(usize::MAX, |json| json.len());
        Ok(self.options.limits.check_journal_json(what, bytes)?)
    }
}
