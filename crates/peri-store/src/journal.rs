//! What is asked of the journal, and what it answers.

use peri_types::{
    JournalEntry, JournalPosition, JournalStatus, Namespace, Scope, Timestamp, Turn, TurnId, folded_words,
};
use serde::Serialize;

use crate::Order;

/// Which entries of the journal to read. `None` asks for nothing.
#[derive(Debug, Clone)]
pub struct JournalQuery {
    /// Where to look.
    pub scope: Scope,
    /// Of one session.
    pub session: Option<String>,
    /// Said or done by this one.
    pub actor: Option<String>,
    /// Of this kind.
    pub kind: Option<String>,
    /// That went like this.
    pub status: Option<JournalStatus>,
    /// That are part of this turn.
    pub turn: Option<TurnId>,
    /// At this time or later.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
    /// That came here before this time.
    pub arrived_before: Option<Timestamp>,
    /// Whose text holds all of these words, in whatever case, also within longer words.
    pub text: Option<String>,
    /// Only those whose text is remembered too.
    pub remembered_only: bool,
    /// In which order, by time and then by id.
    pub order: Order,
    /// Go on after this place, as told by the page before.
    pub after: Option<JournalPosition>,
    /// At most so many.
    pub limit: usize,
}

impl Default for JournalQuery {
    fn default() -> Self {
        Self {
            scope: Scope::All,
            session: None,
            actor: None,
            kind: None,
            status: None,
            turn: None,
            since: None,
            until: None,
            arrived_before: None,
            text: None,
            remembered_only: false,
            order: Order::default(),
            after: None,
            limit: 100,
        }
    }
}

impl JournalQuery {
    /// Whether an entry is asked for, its place, when it came here and the limit apart. Stores answer the same question their own way;
    /// this is the definition they are tested against.
    pub fn matches(&self, entry: &JournalEntry) -> bool {
        let is = |asked: &Option<String>, own: Option<&str>| asked.is_none() || asked.as_deref() == own;
        self.scope.contains(&entry.namespace)
            && is(&self.session, entry.session.as_deref())
            && is(&self.actor, entry.actor.as_deref())
            && is(&self.kind, Some(&entry.kind))
            && (self.status.is_none() || self.status == entry.status)
            && (self.turn.is_none() || self.turn == entry.turn)
            && self.since.is_none_or(|since| entry.at >= since)
            && self.until.is_none_or(|until| entry.at < until)
            && self.text.as_deref().is_none_or(|text| holds_words(&entry.text, text))
            && (!self.remembered_only || entry.remember)
    }
}

/// Whether a text holds all words of another, in whatever case.
fn holds_words(text: &str, words: &str) -> bool {
    let folded = text.to_lowercase();
    folded_words(words).iter().all(|word| folded.contains(word))
}

/// A part of the journal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalPage {
    /// The journal events of this page.
    pub entries: Vec<JournalEntry>,
    /// Where the next page goes on, if there is one.
    pub next: Option<JournalPosition>,
}

/// Which turns to read. `None` asks for nothing.
#[derive(Debug, Clone)]
pub struct TurnQuery {
    /// Where to look.
    pub scope: Scope,
    /// Of one session.
    pub session: Option<String>,
    /// That went like this. Open ones have no status yet.
    pub status: Option<JournalStatus>,
    /// Begun at this time or later.
    pub since: Option<Timestamp>,
    /// Begun before this time.
    pub until: Option<Timestamp>,
    /// Last told of here before this time.
    pub arrived_before: Option<Timestamp>,
    /// In which order, by when they began and then by id.
    pub order: Order,
    /// Go on after this place, as told by the page before.
    pub after: Option<JournalPosition>,
    /// At most so many.
    pub limit: usize,
}

impl Default for TurnQuery {
    fn default() -> Self {
        Self {
            scope: Scope::All,
            session: None,
            status: None,
            since: None,
            until: None,
            arrived_before: None,
            order: Order::default(),
            after: None,
            limit: 100,
        }
    }
}

/// A part of the turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnPage {
    /// The turns of this page.
    pub turns: Vec<Turn>,
    /// Where the next page goes on, if there is one.
    pub next: Option<JournalPosition>,
}

/// What the journal of a namespace holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalStats {
    /// Which namespace.
    pub namespace: Namespace,
    /// How many journal events.
    pub entries: u64,
    /// Journal events by kind, by name.
    pub kinds: Vec<(String, u64)>,
    /// When the earliest of them happened.
    pub oldest_at: Option<Timestamp>,
    /// When the latest of them happened.
    pub newest_at: Option<Timestamp>,
    /// How many turns.
    pub turns: u64,
    /// Turns that have not ended.
    pub turns_open: u64,
}
