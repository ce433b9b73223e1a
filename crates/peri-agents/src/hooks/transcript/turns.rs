//! What an agent did, turn by turn: from what it was asked to what it was asked next.

use std::collections::{HashSet, VecDeque};

use jiff::Timestamp;

use super::deeds::{Deed, DeedResult, Trace, TurnEnd};
use super::heard::Rest;
use super::lines::Line;
use super::{Opened, Piece, Reading, Role, Told, TranscriptError, opened, own_words, told_in};

/// So many deeds of a turn are kept: the latest.
const DEEDS_MAX: usize = 200;

/// A turn of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Where its record begins.
    pub offset: u64,
    /// What the agent was asked; never empty.
    pub prompt: String,
    /// The agent's name of the prompt, if it has one.
    pub id: Option<String>,
    /// When it was asked, if the record tells.
    pub at: Option<Timestamp>,
    /// When the last thing happened in it, if the record tells.
    pub ended_at: Option<Timestamp>,
    /// What the agent did, in order: at most the last two hundred deeds.
    pub deeds: Vec<Deed>,
    /// How many earlier ones are left out.
    pub left_out: usize,
    /// How it came to its end.
    pub end: TurnEnd,
}

/// The turns of a record. The last one may still go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// In order.
    pub turns: Vec<Turn>,
    /// Where reading ended.
    pub next: u64,
    /// Whether there is more to read at once: go on where the last turn begins.
    pub rest: Rest,
}

/// A turn as it is put together.
struct Open {
    turn: Turn,
    deeds: VecDeque<Deed>,
}

/// Reads the turns that begin at a place or later. Where to go on is where the last turn begins: it is read again, in
/// full. Limits count turns and the length of lines; a turn takes little memory however long it is.
pub fn turns(reading: &Reading<'_>) -> Result<Turns, TranscriptError> {
    let Opened { mut lines, from, teller, .. } = opened(reading)?;
    let mut all = Turns { turns: Vec::new(), next: from, rest: Rest::None };
    let (mut open, mut seen): (Option<Open>, HashSet<String>) = (None, HashSet::new());
    loop {
        let offset = all.next;
        let (line, length) = lines.next().map_err(|source| reading.failed(source))?;
        let told = match line {
            Line::Whole(bytes) => told_in(bytes, teller),
            Line::TooLong => None,
            Line::Unfinished => break,
        };
        all.next += length;
        let Some(told) = told else { continue };
        if let Some(turn) = opens(reading, &told, offset) {
            let is_told_again = turn.id.as_ref().is_some_and(|id| !seen.insert(id.clone()));
            if !is_told_again {
                all.turns.extend(open.replace(Open::new(turn)).map(Open::closed));
            }
        }
        if let Some(open) = &mut open {
            open.take(told);
        }
        if all.turns.len() > reading.limits.messages_max {
            all.rest = Rest::More;
            break;
        }
    }
    all.turns.extend(open.map(Open::closed));
    Ok(all)
}

/// The turn that a line opens; none if it opens none. What the user says while the agent is at work belongs to its turn.
fn opens(reading: &Reading<'_>, told: &Told, offset: u64) -> Option<Turn> {
    let is_prompt = |piece: &&Piece| piece.role == Role::User && !told.is_amid;
    let piece = told.said.as_ref().filter(is_prompt)?;
    let prompt = own_words(reading, piece);
    (!prompt.is_empty()).then(|| Turn {
        offset,
        prompt,
        id: piece.id.clone().filter(|id| !id.is_empty()),
        at: piece.at,
        ended_at: piece.at,
        deeds: Vec::new(),
        left_out: 0,
        end: TurnEnd::Finished,
    })
}

impl Open {
    fn new(turn: Turn) -> Self {
        Self { turn, deeds: VecDeque::new() }
    }

    /// Takes in what a line tells.
    fn take(&mut self, told: Told) {
        let is_answer = told.said.as_ref().is_some_and(|said| said.role == Role::Assistant);
        if is_answer || !told.traces.is_empty() {
            self.turn.ended_at = told.at.or(self.turn.ended_at);
        }
        // Whatever broke off before, the agent goes on.
        if is_answer && told.said.is_some_and(|said| !said.text.trim().is_empty()) {
            self.turn.end = TurnEnd::Finished;
        }
        for trace in told.traces {
            match trace {
                Trace::Called(deed) => self.add(Deed { at: told.at, ..deed }),
                Trace::Answered { id, output, result } => {
                    self.answer(id.as_deref(), output, (result, told.at))
                }
                Trace::Ended(end) => self.turn.end = end,
            }
        }
    }

    /// Adds a deed. One that is told again is told in full.
    fn add(&mut self, deed: Deed) {
        self.turn.end = TurnEnd::Finished;
        let is_same = |own: &&mut Deed| deed.id.is_some() && own.id == deed.id;
        if let Some(own) = self.deeds.iter_mut().rev().find(is_same) {
            if !deed.argument.is_empty() {
                (own.argument, own.delegation) = (deed.argument, deed.delegation);
            }
            return;
        }
        if self.deeds.len() == DEEDS_MAX {
            self.deeds.pop_front();
            self.turn.left_out += 1;
        }
        self.deeds.push_back(deed);
    }

    /// Notes what came of a deed: of the one with this name or, without a name, of the first that nothing is known of.
    fn answer(&mut self, id: Option<&str>, output: String, (result, at): (DeedResult, Option<Timestamp>)) {
        let is_meant = |own: &&mut Deed| match id {
            Some(id) => own.id.as_deref() == Some(id),
            None => own.result == DeedResult::Unknown,
        };
        if let Some(own) = self.deeds.iter_mut().find(is_meant) {
            (own.output, own.result) = (output, result);
            let spent = own.at.zip(at).map(|(from, to)| to.as_millisecond() - from.as_millisecond());
            own.duration_ms = spent.and_then(|spent| u64::try_from(spent).ok());
        }
    }

    fn closed(self) -> Turn {
        Turn { deeds: self.deeds.into(), ..self.turn }
    }
}
