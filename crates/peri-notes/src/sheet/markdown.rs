//! Notes as Markdown: days are headings, notes are list items that begin with their priority, and everything else is
//! kept as text.
//!
//! ```text
//! ## 2026-02-10
//!
//! - 🔴 The user never deploys on Fridays <!-- n1 -->
//! - [x] 🟡 Move the tests to nextest <!-- n2 -->
//!   (all but the benchmarks)
//! ```

use jiff::civil::Date;

use super::Block;
use crate::item::{BYTE_ORDER, ItemId, Priority, Progress, tidied};

/// A part of the Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Item { id: Option<ItemId>, priority: Priority, progress: Progress, text: String, date: Option<Date> },
    Text { date: Option<Date>, text: String },
}

impl Line {
    pub(super) fn id(&self) -> Option<ItemId> {
        match self {
            Self::Item { id, .. } => *id,
            Self::Text { .. } => None,
        }
    }
}

/// Makes emoji coloured; editors add it.
const VARIATION: char = '\u{FE0F}';

/// Reads Markdown. Nothing but blank lines and trailing blanks is lost.
pub(super) fn parse(markdown: &str) -> Vec<Line> {
    let text = markdown.replace(BYTE_ORDER, "").replace("\r\n", "\n").replace('\r', "\n").replace('\0', " ");
    let mut reader = Reader::default();
    text.split('\n').for_each(|line| reader.take(line.trim_end()));
    reader.finish();
    reader.lines
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    date: Option<Date>,
    /// Blank lines of which it is not known yet whether they belong to what is before them.
    blanks: usize,
    /// How a code block that is open began.
    fence: Option<String>,
}

impl Reader {
    fn take(&mut self, line: &str) {
        if self.fence.is_some() {
            return self.fenced(line);
        }
        if line.is_empty() {
            self.blanks += 1;
        } else if let Some(more) = self.continuation(line) {
            self.extend_item(more);
        } else if let Some(date) = heading(line.trim_start()) {
            self.head(date);
        } else if let Some(item) = item(line.trim_start(), self.date) {
            self.blanks = 0;
            self.lines.push(item);
        } else {
            self.fence = opening(line);
            self.text(line);
        }
    }

    fn head(&mut self, date: Date) {
        self.blanks = 0;
        if self.date != Some(date) {
            self.date = Some(date);
            // What follows stands below a heading, not below the note before it.
            self.lines.push(Line::Text { date: self.date, text: String::new() });
        }
    }

    fn fenced(&mut self, line: &str) {
        if line.is_empty() {
            self.blanks += 1;
            return;
        }
        self.text(line);
        if self.fence.as_deref().is_some_and(|fence| closes(line, fence)) {
            self.fence = None;
        }
    }

    /// The rest of a line that belongs to the note above it.
    fn continuation<'a>(&self, line: &'a str) -> Option<&'a str> {
        let below_item = matches!(self.lines.last(), Some(Line::Item { .. }));
        let more = line.strip_prefix("  ").or_else(|| line.strip_prefix('\t'));
        if below_item { more } else { None }
    }

    fn extend_item(&mut self, more: &str) {
        let blanks = std::mem::take(&mut self.blanks);
        if let Some(Line::Item { text, .. }) = self.lines.last_mut() {
            text.push_str(&"\n".repeat(blanks + 1));
            text.push_str(more);
        }
    }

    fn text(&mut self, line: &str) {
        let blanks = std::mem::take(&mut self.blanks);
        match self.lines.last_mut() {
            Some(Line::Text { text, date }) if *date == self.date => {
                if !text.is_empty() {
                    text.push_str(&"\n".repeat(blanks + 1));
                }
                text.push_str(line);
            }
            _ => self.lines.push(Line::Text { date: self.date, text: line.to_owned() }),
        }
    }

    fn finish(&mut self) {
        // Left open, it would swallow the notes that are added below it.
        if let Some(fence) = self.fence.take() {
            self.text(&fence);
        }
        self.lines.retain(|line| !matches!(line, Line::Text { text, .. } if text.is_empty()));
        for line in &mut self.lines {
            if let Line::Item { text, .. } = line {
                *text = tidied(text);
            }
        }
    }
}

fn heading(line: &str) -> Option<Date> {
    let text = line.strip_prefix("## ")?.trim();
    text.parse().ok().filter(|date: &Date| date.to_string() == text)
}

/// A note: a list item, or a line that begins with a priority.
fn item(line: &str, date: Option<Date>) -> Option<Line> {
    let bare = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    if line.chars().all(|c| matches!(c, '-' | '*' | ' ')) {
        return None;
    }
    let (progress, rest) = progress(bare.unwrap_or(line).trim_start(), bare.is_some());
    let (priority, rest) = priority(rest);
    if bare.is_none() && priority.is_none() {
        return None;
    }
    let (text, id) = id(rest);
    let text = tidied(text);
    if text.is_empty() {
        return None;
    }
    Some(Line::Item { id, priority: priority.unwrap_or(Priority::Medium), progress, text, date })
}

fn progress(rest: &str, in_list: bool) -> (Progress, &str) {
    let boxes = [("[x] ", Progress::Done), ("[X] ", Progress::Done), ("[ ] ", Progress::Open)];
    for (sign, progress) in boxes {
        if in_list && let Some(rest) = rest.strip_prefix(sign) {
            return (progress, rest.trim_start());
        }
    }
    (Progress::Open, rest)
}

fn priority(rest: &str) -> (Option<Priority>, &str) {
    for priority in Priority::ALL {
        if let Some(rest) = rest.strip_prefix(priority.sign()) {
            let rest = rest.strip_prefix(VARIATION).unwrap_or(rest);
            return (Some(priority), rest.trim_start());
        }
    }
    (None, rest)
}

/// The id at the end of a note's first line, which readers of the Markdown do not see.
fn id(rest: &str) -> (&str, Option<ItemId>) {
    let comment = rest.strip_suffix("-->").and_then(|rest| rest.rsplit_once("<!--"));
    match comment.map(|(text, id)| (text, id.trim().parse())) {
        Some((text, Ok(id))) => (text, Some(id)),
        _ => (rest, None),
    }
}

/// The signs that open a code block.
fn opening(line: &str) -> Option<String> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let signs: String = line.chars().take_while(|c| *c == sign).collect();
    let inline = sign == '`' && line[signs.len()..].contains('`');
    (signs.len() >= 3 && !inline).then_some(signs)
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.starts_with(fence) && line.chars().all(|c| fence.starts_with(c))
}

/// Writes blocks so that they read back the same.
pub(super) fn render(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut date = None;
    let mut below_item = false;
    for block in blocks {
        let headed = block.date() != date;
        if headed && let Some(day) = block.date() {
            separate(&mut text);
            text.push_str(&format!("## {day}\n\n"));
        }
        date = block.date();
        let is_item = matches!(block, Block::Item(_));
        let is_listed = below_item && is_item;
        if !headed && !is_listed {
            separate(&mut text);
        }
        below_item = is_item;
        match block {
            Block::Item(item) => text.push_str(&item_lines(item)),
            Block::Text { text: own, .. } => {
                text.push_str(own);
                text.push('\n');
            }
        }
    }
    text
}

fn separate(text: &mut String) {
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
}

fn item_lines(item: &crate::Item) -> String {
    let done = match item.progress {
        Progress::Open => "",
        Progress::Done => "[x] ",
    };
    let mut lines = item.text.split('\n');
    let first = lines.next().unwrap_or_default();
    let mut text = format!("- {done}{} {first} <!-- {} -->\n", item.priority.sign(), item.id);
    for line in lines {
        if !line.is_empty() {
            text.push_str("  ");
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}
