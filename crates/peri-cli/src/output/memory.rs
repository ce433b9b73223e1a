//! How memories and hits look to people.

use perihelion::{Hit, Memory};
use unicode_width::UnicodeWidthStr;

use super::wrap::{fit, wrap};
use super::{ACCENT, FAINT, Output, STRONG};
use crate::error::CliError;
use crate::time;

/// How far content is moved in below its heading.
const INDENT: usize = 4;

/// The longest bar of a stage's share.
const BAR_COLUMNS: f32 = 24.0;

/// So much of a content must be seen to recognise a memory by it.
const CONTENT_COLUMNS_MIN: usize = 24;

/// Columns for an id, a date, a kind, a zone and enough of the content on one line.
const LINE_COLUMNS_MIN: usize = 70 + CONTENT_COLUMNS_MIN;

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
        let text = self.remembered(text);
        let lines = match self.columns {
            Some(columns) => wrap(&text, columns.saturating_sub(INDENT)),
            None => text.lines().map(ToOwned::to_owned).collect(),
        };
        lines.iter().try_for_each(|line| self.line(format!("{margin}{line}").trim_end()))
    }

    /// A memory on one line: id, date, kind, zone, namespace if there are several, content. Where that leaves too
    /// little room for the content, the id has a line of its own.
    pub(crate) fn memory_line(&mut self, memory: &Memory, namespace: bool) -> Result<(), CliError> {
        let id = memory.id.to_string();
        let mut head = format!("{}  {:<11}  {:<5}  ", time::date(memory.at()), memory.kind, memory.zone);
        if namespace {
            head.push_str(&format!("{}  ", memory.namespace));
        }
        let speaker =
            memory.facets.speaker.as_ref().map(|speaker| format!("{speaker}: ")).unwrap_or_default();
        // Recall passes over it; whoever looks for the reason finds it here.
        let mark = if memory.facets.superseded_by.is_some() { "(superseded) " } else { "" };
        let content = self.remembered(&format!("{mark}{speaker}{}", memory.content));
        let rest = beside_or_below(id.len(), &head, &content, self.columns);
        let line = format!("{}{rest}", self.paint(FAINT, &id));
        self.line(&line)
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
        let zone = self.paint(FAINT, memory.zone.as_str());
        let mut heading = format!("{rank}  {score}  {}  {zone}", time::date(memory.at()));
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
        // What lies in a file says which one.
        let file = memory.facets.source.as_deref().filter(|source| source.starts_with("vault:"));
        let told =
            file.map_or_else(|| memory.id.to_string(), |file| format!("{}  {}", memory.id, self.clean(file)));
        let told = self.paint(FAINT, &told);
        self.line(&format!("{}{told}", " ".repeat(INDENT)))
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
        self.line(format!("{label} {value}").trim_end())
    }
}

/// What follows an id: beside it where a terminal is wide enough, else below it. The width of the terminal
/// alone decides, so that all lines of a list look alike.
fn beside_or_below(id_columns: usize, head: &str, content: &str, columns: Option<usize>) -> String {
    let beside = columns.is_none_or(|columns| columns >= LINE_COLUMNS_MIN);
    let (gap, before) = if beside { ("  ", id_columns + 2) } else { ("\n    ", INDENT) };
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(before + head.width()));
    format!("{gap}{head}{}", fit(content, room.max(CONTENT_COLUMNS_MIN / 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_list_keeps_within_the_terminal() {
        let (id, head) = ("0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "2026-11-15  observation  outer  ");
        for content in [
            "Ana prefers green tea over black coffee in the morning",
            "김민수는 다음 주 화요일에 부산으로 이사한다",
        ] {
            let whole = format!("{id}{}", beside_or_below(id.len(), head, content, None));
            assert_eq!(whole, format!("{id}  {head}{content}"));
            for columns in 48..140 {
                let shown = format!("{id}{}", beside_or_below(id.len(), head, content, Some(columns)));
                assert!(shown.lines().all(|line| line.width() <= columns), "{columns}: {shown}");
                assert_eq!(shown.lines().count(), if columns < LINE_COLUMNS_MIN { 2 } else { 1 });
            }
        }
    }
}
