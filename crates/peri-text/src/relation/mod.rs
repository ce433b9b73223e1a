//! How a newer statement stands to an older one: the same, a replacement, a contradiction, or none of these.
//!
//! The rules are for English, Korean and Chinese and ask for proof. A wrong [`Verdict::Same`] or
//! [`Verdict::Replaces`] takes a memory out of recall, a missed one only leaves two where one would do, so
//! whatever the rules do not fully understand is [`Verdict::Unrelated`]. Callers ask about statements that
//! are near in meaning or share most of their words; the rules do not look for such pairs.

mod blockers;
mod chinese;
mod english;
mod korean;
mod order;
mod products;
mod readings;
mod several;
mod text;
mod token;
mod value;

use peri_types::Kind;

use readings::{Readings, Text};
use text::Language;

/// The longest text, in bytes, that is read beyond asking whether it is the same letter by letter.
const READ_BYTES_MAX: usize = 20_000;

/// One statement, as somebody made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement<'a> {
    /// What was said.
    pub content: &'a str,
    /// What kind of memory it is, if that is known.
    pub kind: Option<Kind>,
    /// Who said it, if that is known: "I live in Oslo" is about another person when another one says it.
    pub speaker: Option<&'a str>,
}

impl<'a> Statement<'a> {
    /// A statement of which only the text is known.
    pub const fn new(content: &'a str) -> Self {
        Self { content, kind: None, speaker: None }
    }
}

/// How a newer statement stands to an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Both say the same; keeping one of them loses nothing.
    Same,
    /// The newer one says what holds now instead of the older one.
    Replaces,
    /// Both cannot be true, and nothing tells that anything changed.
    Contradicts,
    /// Anything else, doubt included.
    Unrelated,
}

/// Why a verdict was reached, or what stood in the way of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The texts differ in case, spaces and punctuation at most.
    Identical,
    /// The words are the same but for articles, spelling, politeness and the like.
    SameWords,
    /// The words are the same in another order that does not matter.
    Reordered,
    /// The newer statement says all that the older one says, and more.
    Contains,
    /// The newer one says that the older one stopped being so.
    Ended,
    /// The newer one tells of a change, such as a move or a new name.
    ChangeEvent,
    /// The newer one names the older one's value as the one that was left.
    NamesOldValue,
    /// The newer one says that it holds now, as opposed to before.
    ChangeMarker,
    /// What both speak of has one value at a time, such as a birthday.
    SingleValued,
    /// One denies what the other asserts.
    Negation,
    /// The two differ in a word and its opposite.
    Antonym,
    /// One of them asks.
    Question,
    /// One of them is a wish, a plan, a guess or a report.
    Unreal,
    /// One of them speaks of the past, which stays as it was.
    Past,
    /// One of them holds for a while only.
    Temporary,
    /// The newer one adds to what was said.
    Additive,
    /// It is not clear who or what is spoken of.
    UnclearSubject,
    /// Two people speak of themselves.
    OtherSpeaker,
    /// A memory of that kind is neither replaced nor does it replace anything.
    OtherKind,
    /// The texts are in two languages, or in one that the rules do not know.
    OtherLanguage,
    /// A text is too long to be read.
    TooLong,
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// How the newer statement stands to the older one.
    pub verdict: Verdict,
    /// Why, or for [`Verdict::Unrelated`] what stood in the way, if anything did.
    pub reasons: Vec<Reason>,
}

impl Relation {
    fn new(verdict: Verdict, reasons: impl Into<Vec<Reason>>) -> Self {
        Self { verdict, reasons: reasons.into() }
    }

    fn unrelated(reasons: impl Into<Vec<Reason>>) -> Self {
        Self::new(Verdict::Unrelated, reasons)
    }

    /// Whether the text itself tells of the change, rather than only giving another value.
    fn is_explicit(&self) -> bool {
        use Reason::{ChangeEvent, ChangeMarker, Ended, NamesOldValue};
        self.reasons.iter().any(|one| matches!(one, ChangeEvent | ChangeMarker | Ended | NamesOldValue))
    }
}

/// Decides how `newer` stands to `older`, which may or may not be about the same thing.
///
/// ```
/// use peri_text::{Statement, Verdict, relate};
///
/// let verdict = |newer, older| relate(&Statement::new(newer), &Statement::new(older)).verdict;
/// assert_eq!(verdict("Ana moved to Lisbon.", "Ana lives in Berlin."), Verdict::Replaces);
/// assert_eq!(verdict("Ana wants to move to Lisbon.", "Ana lives in Berlin."), Verdict::Unrelated);
/// assert_eq!(verdict("Ana prefers tea to coffee", "Ana prefers tea over coffee."), Verdict::Same);
/// assert_eq!(verdict("The cache is not enabled.", "The cache is enabled."), Verdict::Contradicts);
/// ```
pub fn relate(newer: &Statement<'_>, older: &Statement<'_>) -> Relation {
    Comparison::default().relate(newer, older)
}

/// Compares statements of which one or the other comes up again, and reads each once.
#[derive(Debug, Default)]
pub struct Comparison(Readings);

impl Comparison {
    /// The same as [`relate`].
    pub fn relate(&mut self, newer: &Statement<'_>, older: &Statement<'_>) -> Relation {
        let (new_text, old_text) = (self.0.of(newer.content), self.0.of(older.content));
        let relation = relate_texts(&new_text, &old_text);
        if relation.verdict == Verdict::Unrelated {
            return relation;
        }
        allowed(relation, (newer, &new_text.normal), (older, &old_text.normal))
    }
}

/// A relation that the texts show, unless who speaks or what kind of memory it is stands in the way.
fn allowed(
    relation: Relation,
    (newer, new_text): (&Statement<'_>, &str),
    (older, old_text): (&Statement<'_>, &str),
) -> Relation {
    let is_other_speaker = matches!((newer.speaker, older.speaker), (Some(a), Some(b)) if a != b);
    if is_other_speaker && (text::is_personal(new_text) || text::is_personal(old_text)) {
        return Relation::unrelated([Reason::OtherSpeaker]);
    }
    if relation.verdict == Verdict::Replaces && !may_replace(newer.kind, older.kind) {
        return Relation::unrelated([Reason::OtherKind]);
    }
    relation
}

/// What happened stays so; a summary or a page holds more than the one thing that changed, and repeats
/// what was said earlier rather than bringing news.
fn may_replace(newer: Option<Kind>, older: Option<Kind>) -> bool {
    let is_whole = |kind| matches!(kind, Some(Kind::Summary | Kind::Document));
    !is_whole(newer) && !is_whole(older) && older != Some(Kind::Episode)
}

fn relate_texts(newer: &Text, older: &Text) -> Relation {
    if newer.normal == older.normal {
        return Relation::new(Verdict::Same, [Reason::Identical]);
    }
    if newer.normal.len().max(older.normal.len()) > READ_BYTES_MAX {
        return Relation::unrelated([Reason::TooLong]);
    }
    if newer.language != older.language || newer.language == Language::Other {
        return Relation::unrelated([Reason::OtherLanguage]);
    }
    several::relate(newer, older)
}
