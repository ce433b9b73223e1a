//! How notes look to people.

use jiff::civil::Date;
use perihelion::NoteView;
use unicode_width::UnicodeWidthStr;

use super::wrap::wrap;
use super::{FAINT, Output, STRONG};
use crate::error::CliError;

impl Output {
    /// A text behind its head; on a terminal its further lines begin where the first does, in a pipe they are moved in
    /// as far and otherwise as they are.
    pub(crate) fn hanging(&mut self, head: &str, text: &str) -> Result<(), CliError> {
        let (text, indent) = (self.remembered(text), head.width());
        let lines = match self.columns {
            Some(columns) => wrap(&text, columns.saturating_sub(indent)),
            None => text.lines().map(ToOwned::to_owned).collect(),
        };
        let margin = " ".repeat(indent);
        for (at, line) in lines.iter().enumerate() {
            let before = if at == 0 { head } else { &margin };
            self.line(format!("{before}{line}").trim_end())?;
        }
        Ok(())
    }

    /// A note: its sign, its id, whether it is done, and what it says.
    pub(crate) fn note_line(&mut self, margin: usize, note: &NoteView) -> Result<(), CliError> {
        let done = if note.done { "[x] " } else { "" };
        let kind = note.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
        let head = format!("{}{} {:<4} {done}", " ".repeat(margin), note.priority.sign(), note.id);
        self.hanging(&head, &format!("{}{kind}", note.text))
    }

    /// Notes below the days they are about, in their order.
    pub(crate) fn notes_by_day(&mut self, notes: &[NoteView]) -> Result<(), CliError> {
        let mut day: Option<Option<Date>> = None;
        for note in notes {
            if day != Some(note.date) {
                if day.is_some() {
                    self.line("")?;
                }
                let heading = note.date.map_or_else(|| "without a day".to_owned(), |date| date.to_string());
                let heading = self.paint(STRONG, &heading);
                self.line(&heading)?;
                day = Some(note.date);
            }
            self.note_line(2, note)?;
        }
        Ok(())
    }

    /// A heading of less weight.
    pub(crate) fn faint_line(&mut self, text: &str) -> Result<(), CliError> {
        let text = self.paint(FAINT, text);
        self.line(&text)
    }
}
