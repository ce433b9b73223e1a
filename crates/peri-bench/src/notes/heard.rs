//! A conversation as the engine hears it: turn by turn, at the time it was said.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan};
use perihelion::{
    Chores, Clock, Decay, EngineChoice, EntryId, EpisodicSettings, Hear, JournalQuery, JournalSettings,
    LayerSettings, Memory, NotesSettings, Observe, Options, OrbitSettings, Order, Perihelion, Recall,
    Recallable, Said, SaidBy, Scope, Timestamp, TurnsKept,
};
use tempfile::TempDir;

use super::Roles;
use super::answer::{ASKED_FOR, Answer, Found, Source};
use crate::Outcome;
use crate::conversations::{self, Script, Turn};

/// So many turns are told at once: a question and its answer.
const TOLD_AT_ONCE: usize = 2;

/// So many entries of the journal are read at once.
const PAGE: usize = 500;

/// What can be recalled of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    Turns,
    Notes,
    Both,
}

/// A turn and when it was said; no two at the same time.
struct Timed {
    turn: Turn,
    at: Timestamp,
}

/// A conversation that was heard.
pub(super) struct Heard {
    engine: Perihelion,
    script: Script,
    told: usize,
    /// The turn that each entry of the journal holds.
    entries: HashMap<EntryId, String>,
    /// The turns that each note was made from, by session and note.
    notes: HashMap<(String, String), Vec<String>>,
    /// Goes last, when the engine is closed.
    _folder: TempDir,
}

impl Keeping {
    pub(super) const ALL: [Self; 3] = [Self::Turns, Self::Notes, Self::Both];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::Notes => "notes",
            Self::Both => "both",
        }
    }

    /// Without turns as memories the journal still has them, so that it can be told what a note was made from.
    fn settings(self) -> NotesSettings {
        let (turns, recallable) = match self {
            Self::Turns => (TurnsKept::Episodes, Recallable::No),
            Self::Notes => (TurnsKept::Journal, Recallable::Yes),
            Self::Both => (TurnsKept::Episodes, Recallable::Yes),
        };
        NotesSettings { turns, recallable, ..NotesSettings::default() }
    }
}

impl Heard {
    /// Hears a conversation from beginning to end. Nothing that was said fades meanwhile.
    pub(super) fn hear(
        mut script: Script,
        keeping: Keeping,
        roles: Roles,
        engine: EngineChoice,
    ) -> Outcome<Self> {
        let turns = timed(std::mem::take(&mut script.turns));
        let folder = tempfile::tempdir()?;
        let clock = Clock::manual(turns.first().map_or(Timestamp::UNIX_EPOCH, |first| first.at));
        let layers = LayerSettings {
            episodic: EpisodicSettings { retention: Duration::ZERO },
            ..LayerSettings::default()
        };
        let decay = Decay { enabled: false, ..Decay::default() };
        let engine = Perihelion::open(Options {
            engine,
            clock: clock.clone(),
            chores: Chores::ByHand,
            notes: keeping.settings(),
            layers,
            journal: JournalSettings { retention: Duration::ZERO, ..JournalSettings::default() },
            orbit: OrbitSettings { decay, ..OrbitSettings::default() },
            ..Options::at(folder.path())
        })?;
        tell(&engine, &script, &turns, &clock, roles)?;
        // So that the memories are linked and in orbit, as they are in use.
        engine.maintain()?;
        let entries = entries(&engine, &script, &turns)?;
        let notes = notes(&engine, &script, &entries)?;
        Ok(Self { engine, script, told: turns.len(), entries, notes, _folder: folder })
    }

    /// Asks every question.
    pub(super) fn ask(&self) -> Outcome<Vec<Answer>> {
        let known: HashSet<&String> = self.entries.values().collect();
        let mut answers = Vec::new();
        for question in &self.script.questions {
            let request = Recall::new(&question.text).in_scope(self.scope()).limit(ASKED_FOR);
            let hits = self.engine.recall(&request)?.hits;
            let gold = question.gold.iter().filter(|id| known.contains(id)).cloned().collect();
            let found = hits.iter().map(|hit| self.found(&hit.memory, hit.tokens)).collect();
            answers.push(Answer { category: question.category.clone(), gold, found });
        }
        Ok(answers)
    }

    /// How many turns were told.
    pub(super) fn turns(&self) -> usize {
        self.told
    }

    /// How many notes there are.
    pub(super) fn notes(&self) -> usize {
        self.notes.len()
    }

    /// How many memories there are.
    pub(super) fn memories(&self) -> Outcome<usize> {
        Ok(usize::try_from(self.engine.stats(&self.scope())?.memories)?)
    }

    fn scope(&self) -> Scope {
        Scope::Exact(self.script.namespace.clone())
    }

    /// A result in turns of the conversation.
    fn found(&self, memory: &Memory, tokens: usize) -> Found {
        let entry = memory.facets.entry.and_then(|entry| self.entries.get(&entry));
        let mut turns: Vec<String> = entry.into_iter().cloned().collect();
        let note = memory.facets.metadata.get("notes");
        if let Some(note) = note {
            let part = |name: &str| note[name].as_str().unwrap_or_default().to_owned();
            let made_from = self.notes.get(&(part("session"), part("note")));
            turns.extend(made_from.into_iter().flatten().filter(|id| Some(*id) != entry).cloned());
        }
        let source = if note.is_some() { Source::Note } else { Source::Turn };
        Found { source, turns, tokens }
    }
}

/// Tells the engine every turn at its time. A session is observed when enough was said, and when it is over.
fn tell(engine: &Perihelion, script: &Script, turns: &[Timed], clock: &Clock, roles: Roles) -> Outcome<()> {
    let user = turns.first().map(|first| first.turn.speaker.clone()).unwrap_or_default();
    let last: HashMap<&str, Timestamp> =
        turns.iter().map(|told| (told.turn.session.as_str(), told.at)).collect();
    for run in turns.chunk_by(|one, next| one.turn.session == next.turn.session) {
        for told in run.chunks(TOLD_AT_ONCE) {
            let Some(latest) = told.last() else { continue };
            clock.advance(latest.at.duration_since(clock.now()).max(SignedDuration::ZERO));
            let session = latest.turn.session.clone();
            let is_over = last.get(session.as_str()) == Some(&latest.at);
            let messages = told.iter().map(|one| said(one, &user, roles)).collect();
            let heard = Hear { namespace: script.namespace.clone(), session, messages, ..Hear::default() };
            let receipt = engine.hear(heard, if is_over { Observe::Now } else { Observe::Due })?;
            if let Some(trouble) = receipt.trouble {
                return Err(format!("{}: {trouble}", script.name).into());
            }
        }
    }
    Ok(())
}

fn said(told: &Timed, user: &str, roles: Roles) -> Said {
    let role = match roles {
        Roles::Users => SaidBy::User,
        Roles::Pair if told.turn.speaker == user => SaidBy::User,
        Roles::Pair => SaidBy::Assistant,
    };
    Said::new(role, &told.turn.text, told.at)
}

/// The turns in the order in which they were said, each later than the one before. One that does not tell its time may
/// begin with its day; else it follows the one before it.
fn timed(turns: Vec<Turn>) -> Vec<Timed> {
    let mut latest = None;
    let known = turns.into_iter().map(|turn| {
        latest = conversations::time(&turn.time).or_else(|| day(&turn.text)).or(latest);
        let at = latest.unwrap_or(Timestamp::UNIX_EPOCH);
        Timed { turn, at }
    });
    let mut turns: Vec<Timed> = known.collect();
    turns.sort_by_key(|told| told.at);
    for place in 1..turns.len() {
        turns[place].at = turns[place].at.max(turns[place - 1].at + 1.second());
    }
    turns
}

/// The day with which a text begins.
fn day(text: &str) -> Option<Timestamp> {
    let date: Date = text.get(..10)?.parse().ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The turn that each entry of the journal holds. No two were said at the same time.
fn entries(engine: &Perihelion, script: &Script, turns: &[Timed]) -> Outcome<HashMap<EntryId, String>> {
    let by_time: HashMap<Timestamp, &str> =
        turns.iter().map(|told| (told.at, told.turn.id.as_str())).collect();
    let mut entries = HashMap::new();
    let mut query = JournalQuery {
        scope: Scope::Exact(script.namespace.clone()),
        order: Order::OldestFirst,
        limit: PAGE,
        ..JournalQuery::default()
    };
    loop {
        let page = engine.journal(&query)?;
        for entry in page.entries {
            let turn = by_time.get(&entry.at).ok_or("the journal holds what nobody said")?;
            entries.insert(entry.id, (*turn).to_owned());
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => break,
        }
    }
    let told = turns.iter().filter(|told| !told.turn.text.trim().is_empty()).count();
    if entries.len() == told {
        Ok(entries)
    } else {
        Err(format!("{}: of {told} turns the journal holds {}", script.name, entries.len()).into())
    }
}

/// The turns that each note was made from.
fn notes(
    engine: &Perihelion,
    script: &Script,
    entries: &HashMap<EntryId, String>,
) -> Outcome<HashMap<(String, String), Vec<String>>> {
    let mut notes = HashMap::new();
    for session in engine.note_sessions(&script.namespace)? {
        let view = engine.session_notes(&script.namespace, &session.session)?;
        for note in view.into_iter().flat_map(|view| view.notes) {
            let cited =
                note.origins.iter().filter_map(|origin| origin.strip_prefix("journal:")?.parse().ok());
            let turns = cited.filter_map(|entry: EntryId| entries.get(&entry).cloned()).collect();
            notes.insert((session.session.clone(), note.id), turns);
        }
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(id: &str, time: &str, text: &str) -> Turn {
        let owned = |text: &str| text.to_owned();
        let speaker = if id.len().is_multiple_of(2) { "민지" } else { "Ana" };
        Turn {
            id: owned(id),
            session: owned("s"),
            time: owned(time),
            speaker: owned(speaker),
            text: owned(text),
        }
    }

    fn script(turns: Vec<Turn>, question: &str, gold: &[&str]) -> Script {
        let question = conversations::Question {
            text: question.to_owned(),
            category: "any".to_owned(),
            gold: gold.iter().map(ToString::to_string).collect(),
        };
        let namespace = "bench/test".parse().unwrap();
        Script { name: "test".to_owned(), namespace, turns, questions: vec![question] }
    }

    #[test]
    fn turns_are_told_in_the_order_of_their_times_and_no_two_at_once() {
        let turns = timed(vec![
            turn("1", "2025-01-02 10:00", "나중에"),
            turn("2", "2025-01-02 10:00", "同时"),
            turn("3", "", "2025-01-01 a day"),
            turn("4", "", "no day at all"),
        ]);
        let ids: Vec<&str> = turns.iter().map(|told| told.turn.id.as_str()).collect();
        assert_eq!(ids, ["3", "4", "1", "2"]);
        assert!(turns.is_sorted_by(|one, next| one.at < next.at));
    }

    #[test]
    fn a_note_is_found_and_counts_as_the_turn_it_was_made_from() {
        let turns = || {
            vec![
                turn("1", "2025-01-02 10:00", "Good morning, how was the weekend?"),
                turn("22", "2025-01-02 10:00", "배포는 이제 목요일에만 하기로 결정했어."),
                turn("3", "2025-01-02 10:00", "We decided to use Postgres for the billing service."),
            ]
        };
        for (keeping, sources) in [
            (Keeping::Turns, vec![Source::Turn]),
            (Keeping::Notes, vec![Source::Note]),
            (Keeping::Both, vec![Source::Turn, Source::Note]),
        ] {
            let script = script(turns(), "What does the billing service use?", &["3"]);
            let heard = Heard::hear(script, keeping, Roles::Users, EngineChoice::Off).unwrap();
            let answer = heard.ask().unwrap().pop().unwrap();
            assert_eq!(answer.recall(5), 1.0, "{keeping:?}");
            let cites = |found: &&Found| found.turns == ["3"];
            let found: Vec<Source> = answer.found.iter().filter(cites).map(|one| one.source).collect();
            assert!(sources.iter().all(|source| found.contains(source)), "{keeping:?}: {found:?}");
            assert_eq!(found.len(), sources.len(), "{keeping:?}");
            assert_eq!(heard.turns(), 3);
        }
    }

    #[test]
    fn what_was_said_a_year_ago_is_found_like_what_was_said_today() {
        let turns = vec![
            turn("1", "2024-01-02 10:00", "The cellar key hangs behind the piano."),
            turn("2", "", "   "),
            turn("3", "2025-01-02 10:00", "我今天很忙。"),
        ];
        let script = script(turns, "Where does the cellar key hang?", &["1"]);
        let heard = Heard::hear(script, Keeping::Turns, Roles::Pair, EngineChoice::Off).unwrap();
        assert_eq!(heard.ask().unwrap()[0].recall(1), 1.0);
        assert_eq!(heard.memories().unwrap(), 2);
    }

    #[test]
    fn a_question_whose_gold_nobody_said_is_left_without_gold() {
        let script = script(vec![turn("1", "", "We decided to use Postgres.")], "Postgres?", &["7"]);
        let heard = Heard::hear(script, Keeping::Both, Roles::Pair, EngineChoice::Off).unwrap();
        assert!(heard.ask().unwrap()[0].gold.is_empty());
    }
}
