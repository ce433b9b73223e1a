//! A context as text: parts in their order, each within its share of the budget.

use jiff::civil::Date;
use peri_notes::{Block, Origin, Session};
use peri_tokens::count;
use peri_types::Memory;

use super::gather::Gathered;
use super::{AgentContext, ContextPart, Given, PartKind, Provenance};
use crate::quote::{framed, quoted, unfenced};
use crate::{PatternMatch, WorkItem};

/// Of a hundred tokens, durable notes take at most so many...
const DIGEST_SHARE: usize = 40;
/// ...notes of the conversation and the one before so many...
const SESSION_SHARE: usize = 35;
/// ...strategies so many...
const PATTERN_SHARE: usize = 10;
/// ...and working memory so many. Memories get what is left.
const WORK_SHARE: usize = 15;

pub(super) fn render(gathered: &Gathered, tokens_max: usize, chars_max: usize) -> AgentContext {
    let mut context = fitted(gathered, tokens_max);
    let mut budget = tokens_max;
    while context.text.chars().count() > chars_max && budget > 0 {
        // Nearly in proportion; what is left over is little.
        budget = budget * 9 / 10;
        context = fitted(gathered, budget);
    }
    context
}

fn fitted(gathered: &Gathered, tokens_max: usize) -> AgentContext {
    let Gathered { today, loan, digest, own, session, earlier, memories, patterns, work, notices, degraded } =
        gathered;
    let today = today.unwrap_or_default();
    let frame = count(&framed(""));
    let notices: String = notices.iter().map(|notice| format!("<notice>\n{notice}\n</notice>\n")).collect();
    let left = tokens_max.saturating_sub(frame + count(&notices));
    let share = |of: usize| left * of / 100;
    let mut parts = vec![
        notes(PartKind::DurableNotes, digest, None, today, share(DIGEST_SHARE)),
        notes(PartKind::SessionNotes, own, session.as_ref(), today, share(SESSION_SHARE)),
    ];
    if let Some(earlier) = earlier {
        let blocks: Vec<Block> = earlier.items.iter().cloned().map(Block::Item).collect();
        let taken = parts.last().map_or(0, |part| part.tokens);
        let room = share(SESSION_SHARE).saturating_sub(taken);
        parts.push(notes(PartKind::EarlierSession, &blocks, Some(&earlier.session), today, room));
    }
    let worked = working(work, share(WORK_SHARE));
    let proven = strategies(patterns, share(PATTERN_SHARE));
    let taken: usize = parts.iter().chain([&worked, &proven]).map(|part| part.tokens).sum();
    parts.push(remembered(memories, left.saturating_sub(taken)));
    parts.push(proven);
    parts.push(worked);
    parts.retain(|part| !part.text.is_empty() || part.left_out > 0);
    let body: String = parts.iter().map(|part| part.text.as_str()).chain([notices.as_str()]).collect();
    let text = if body.is_empty() { String::new() } else { framed(&body) };
    AgentContext {
        tokens: count(&text),
        text,
        tokens_max,
        parts,
        degraded: degraded.clone(),
        loan: loan.clone(),
    }
}

impl PartKind {
    /// What surrounds it.
    const fn tag(self) -> &'static str {
        match self {
            Self::DurableNotes => "durable-notes",
            Self::SessionNotes => "session-notes",
            Self::EarlierSession => "earlier-session",
            Self::Memories => "memories",
            Self::Patterns => "patterns",
            Self::WorkingMemory => "working-memory",
        }
    }
}

/// A part's text between its tags; nothing if there is none.
fn enclosed(kind: PartKind, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    let tag = kind.tag();
    let gap = if body.ends_with('\n') { "" } else { "\n" };
    format!("<{tag}>\n{body}{gap}</{tag}>\n")
}

fn notes(
    kind: PartKind,
    blocks: &[Block],
    session: Option<&Session>,
    today: Date,
    tokens_max: usize,
) -> ContextPart {
    let overhead = count(&enclosed(kind, "x"));
    // Whose own words they are is not known here either: whoever was heard may have planted something.
    let shown: Vec<Block> = blocks.iter().map(quoted_block).collect();
    let prompted =
        peri_notes::for_prompt(&shown, today, tokens_max.saturating_sub(overhead), &|text| count(text));
    let text = enclosed(kind, &prompted.text);
    let given = blocks
        .iter()
        .zip(&shown)
        .filter_map(|(block, shown)| match (block, shown) {
            (Block::Item(item), Block::Item(shown)) => Some((item, shown)),
            _ => None,
        })
        .filter(|(_, shown)| prompted.text.contains(&shown.text.replace('\n', "\n  ")))
        .map(|(item, _)| Given {
            text: item.text.clone(),
            from: Provenance::Note {
                id: item.id.to_string(),
                session: session.filter(|_| kind != PartKind::DurableNotes).map(ToString::to_string),
                origins: item.origins.iter().map(origin).collect(),
            },
        })
        .collect();
    ContextPart { kind, tokens: count(&text), left_out: prompted.left_out.all(), given, text }
}

/// A block of notes whose words are quoted.
fn quoted_block(block: &Block) -> Block {
    match block {
        Block::Item(item) => {
            let text = quoted(&item.text);
            Block::Item(peri_notes::Item { text, ..item.clone() })
        }
        // A person wrote it into the sheet; it ends nothing all the same.
        Block::Text { date, text } => Block::Text { date: *date, text: unfenced(&peri_text::visible(text)) },
    }
}

/// A remembered text as an entry of a list, below which its further lines are moved in: none begins a line of its own.
fn indented(text: &str) -> String {
    quoted(text.trim()).replace('\n', "\n  ")
}

/// What a note was made from, in a word.
pub(crate) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Entry(id) => format!("journal:{id}"),
        Origin::Memory(id) => format!("memory:{id}"),
        Origin::Note { session, id } => format!("note:{session}#{id}"),
    }
}

fn remembered(memories: &[(Memory, Option<f32>)], tokens_max: usize) -> ContextPart {
    let lines = memories.iter().map(|(memory, score)| {
        let day = memory.at().strftime("%Y-%m-%d");
        let own = indented(&memory.content);
        let from = Provenance::Memory { id: memory.id, score: *score };
        (format!("- {own} ({day})\n"), Given { text: memory.content.clone(), from })
    });
    listed(PartKind::Memories, lines, tokens_max)
}

fn strategies(patterns: &[PatternMatch], tokens_max: usize) -> ContextPart {
    let lines = patterns.iter().map(|one| {
        let pattern = &one.pattern;
        let own = indented(&pattern.strategy);
        let tried = match pattern.uses {
            0 => String::new(),
            uses => format!(", succeeded {} of {uses} times", pattern.successes),
        };
        let from = Provenance::Pattern { id: pattern.id, score: one.score };
        (format!("- {own} (pattern {}{tried})\n", pattern.id), Given { text: pattern.strategy.clone(), from })
    });
    listed(PartKind::Patterns, lines, tokens_max)
}

fn working(work: &[WorkItem], tokens_max: usize) -> ContextPart {
    let lines = work.iter().map(|item| {
        let value = match &item.value {
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let text = match &item.key {
            Some(key) => format!("{key}: {value}"),
            None => value,
        };
        let from = Provenance::Work { key: item.key.clone() };
        (format!("- {}\n", indented(&text)), Given { text, from })
    });
    listed(PartKind::WorkingMemory, lines, tokens_max)
}

/// As many lines as fit, the first ones first; a long one does not keep shorter ones out.
fn listed(kind: PartKind, lines: impl Iterator<Item = (String, Given)>, tokens_max: usize) -> ContextPart {
    let (mut body, mut given, mut left_out) = (String::new(), Vec::new(), 0);
    for (line, own) in lines {
        let with = format!("{body}{line}");
        if count(&enclosed(kind, &with)) <= tokens_max {
            body = with;
            given.push(own);
        } else {
            left_out += 1;
        }
    }
    let text = enclosed(kind, &body);
    ContextPart { kind, tokens: count(&text), left_out, given, text }
}
