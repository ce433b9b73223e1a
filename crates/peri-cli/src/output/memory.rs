//! How memories and hits look to people.

use perihelion::{Hit, Memory};

use super::wrap::{fit, wrap};
use super::{ACCENT, FAINT, Output, STRONG};
use crate::error::CliError;
use crate::time;

/// How far content is moved in below its heading.
const INDENT: usize = 4;

/// The longest bar of a stage's share.
const BAR_COLUMNS: f32 = 24.0;

/// Whether a hit is shown with the reasons for its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reasons {
    /// With them.
    Shown,
    /// Without.
    Hidden,
}

impl Output {
    /// A text below a heading: wrapped on a terminal, as it is in a pipe.
    pub(crate) fn indented(&mut self, text: &str) -> Result<(), CliError> {
        let margin = " ".repeat(INDENT);
        let text = self.clean(text);
        let lines = match self.columns {
            Some(columns) => wrap(&text, columns.saturating_sub(INDENT)),
            None => text.lines().map(ToOwned::to_owned).collect(),
        };
        lines.iter().try_for_each(|line| self.line(format!("{margin}{line}").trim_end()))
    }

    /// A memory on one line: id, date, kind, content.
    pub(crate) fn memory_line(&mut self, memory: &Memory) -> Result<(), CliError> {
        let id = memory.id.to_string();
        let head = format!("{id}  {}  {:<11}  ", time::date(memory.at()), memory.kind.as_str());
        let speaker =
            memory.facets.speaker.as_ref().map(|speaker| format!("{speaker}: ")).unwrap_or_default();
        let room = self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(head.len()).max(24));
        let content = fit(&self.clean(&format!("{speaker}{}", memory.content)), room);
        let head = head.replace(&id, &self.paint(FAINT, &id));
        self.line(&format!("{head}{content}"))
    }

    /// What recall found at a rank.
    pub(crate) fn hit(
        &mut self,
        rank: usize,
        hit: &Hit,
        namespace: bool,
        reasons: Reasons,
    ) -> Result<(), CliError> {
        let memory = &hit.memory;
        let rank = self.paint(STRONG, &format!("{rank:>2}"));
        let score = self.paint(ACCENT, &format!("{:.2}", hit.score));
        let mut heading = format!("{rank}  {score}  {}", time::date(memory.at()));
        if let Some(speaker) = &memory.facets.speaker {
            heading.push_str(&format!("  {}", self.paint(STRONG, &self.clean(speaker))));
        }
        if namespace {
            heading.push_str(&format!("  {}", self.paint(FAINT, memory.namespace.as_str())));
        }
        self.line(&heading)?;
        self.indented(&memory.content)?;
        if reasons == Reasons::Shown {
            self.reasons(hit)?;
        }
        let id = self.paint(FAINT, &memory.id.to_string());
        self.line(&format!("{}{id}", " ".repeat(INDENT)))
    }

    /// What each stage brought to a score, as a small table.
    pub(crate) fn reasons(&mut self, hit: &Hit) -> Result<(), CliError> {
        let margin = " ".repeat(INDENT);
        let largest = hit.explanation.parts.iter().map(|part| part.value.abs()).fold(f32::EPSILON, f32::max);
        for part in &hit.explanation.parts {
            let columns = (part.value.abs() / largest * BAR_COLUMNS).round().clamp(0.0, BAR_COLUMNS);
            let bar = self.paint(ACCENT, &"▪".repeat(columns as usize));
            let row = format!("{margin}{:<11} {:<+6.2} {bar}", part.stage.as_str(), part.value);
            self.line(row.trim_end())?;
        }
        if hit.explanation.matched.is_empty() {
            return Ok(());
        }
        let matched = self.clean(&hit.explanation.matched.join(", "));
        self.line(&format!("{margin}{:<11} {matched}", "matched"))
    }

    /// A label and what belongs to it.
    pub(crate) fn field(&mut self, label: &str, value: &str) -> Result<(), CliError> {
        let label = self.paint(FAINT, &format!("{label:<14}"));
        let value = self.clean(value);
        self.line(&format!("{label} {value}"))
    }
}
