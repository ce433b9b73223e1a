//! What the rules can find in a text.

use serde::{Deserialize, Serialize};

/// A kind of evidence for importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Names, dates, amounts, identifiers, stable properties.
    Factual,
    /// Feelings, likes and dislikes, health, family.
    Emotional,
    /// Obligations, deadlines, appointments, promises, decisions.
    Actionable,
    /// A request to remember, or a rule without exception.
    Explicit,
}

/// One thing found in a text that speaks for or against its importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Somebody or something is named.
    Name,
    /// A date, a weekday or a time of day.
    Date,
    /// Money or a measured quantity.
    Amount,
    /// A number, code, address or path that identifies something.
    Identifier,
    /// What somebody or something is like for a longer time.
    Property,
    /// Why something happened, or what settled it.
    Cause,
    /// A strong feeling.
    Feeling,
    /// Something liked or disliked.
    Preference,
    /// Illness, treatment, allergies, diet.
    Health,
    /// A birth, a death, a wedding, a new job.
    LifeEvent,
    /// A member of the family.
    Family,
    /// Something that has to be done.
    Obligation,
    /// A point in time by which something has to be done.
    Deadline,
    /// Something that will take place at an agreed time.
    Appointment,
    /// A promise.
    Promise,
    /// A decision or an agreement.
    Decision,
    /// An item of a list of things to do.
    Task,
    /// How things are to be done from now on.
    Instruction,
    /// A request to remember.
    Remember,
    /// A statement that something is important.
    Important,
    /// A rule without exception: always, never.
    Rule,
    /// Said not to matter, or not to be needed.
    Negated,
    /// A question, which states nothing.
    Question,
    /// Laughter.
    Laughter,
    /// An acknowledgement, such as thanks.
    Acknowledgement,
    /// A greeting or a farewell.
    Greeting,
    /// Small talk, fillers, or a passing instruction such as "go on".
    SmallTalk,
    /// Hardly any words that mean something by themselves.
    Thin,
}

impl Reason {
    /// Every reason, in the order in which an evaluation lists them.
    pub const ALL: [Self; 28] = [
        Self::Name,
        Self::Date,
        Self::Amount,
        Self::Identifier,
        Self::Property,
        Self::Cause,
        Self::Feeling,
        Self::Preference,
        Self::Health,
        Self::LifeEvent,
        Self::Family,
        Self::Obligation,
        Self::Deadline,
        Self::Appointment,
        Self::Promise,
        Self::Decision,
        Self::Task,
        Self::Instruction,
        Self::Remember,
        Self::Important,
        Self::Rule,
        Self::Negated,
        Self::Question,
        Self::Laughter,
        Self::Acknowledgement,
        Self::Greeting,
        Self::SmallTalk,
        Self::Thin,
    ];

    /// The group it is evidence for; `None` when it speaks against importance.
    pub fn group(self) -> Option<Group> {
        match self {
            Self::Name | Self::Date | Self::Amount | Self::Identifier | Self::Property | Self::Cause => {
                Some(Group::Factual)
            }
            Self::Feeling | Self::Preference | Self::Health | Self::LifeEvent | Self::Family => {
                Some(Group::Emotional)
            }
            Self::Obligation
            | Self::Deadline
            | Self::Appointment
            | Self::Promise
            | Self::Decision
            | Self::Task
            | Self::Instruction => Some(Group::Actionable),
            Self::Remember | Self::Important | Self::Rule => Some(Group::Explicit),
            Self::Negated
            | Self::Question
            | Self::Laughter
            | Self::Acknowledgement
            | Self::Greeting
            | Self::SmallTalk
            | Self::Thin => None,
        }
    }

    /// Its name on the wire, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Date => "date",
            Self::Amount => "amount",
            Self::Identifier => "identifier",
            Self::Property => "property",
            Self::Cause => "cause",
            Self::Feeling => "feeling",
            Self::Preference => "preference",
            Self::Health => "health",
            Self::LifeEvent => "life_event",
            Self::Family => "family",
            Self::Obligation => "obligation",
            Self::Deadline => "deadline",
            Self::Appointment => "appointment",
            Self::Promise => "promise",
            Self::Decision => "decision",
            Self::Task => "task",
            Self::Instruction => "instruction",
            Self::Remember => "remember",
            Self::Important => "important",
            Self::Rule => "rule",
            Self::Negated => "negated",
            Self::Question => "question",
            Self::Laughter => "laughter",
            Self::Acknowledgement => "acknowledgement",
            Self::Greeting => "greeting",
            Self::SmallTalk => "small_talk",
            Self::Thin => "thin",
        }
    }
}
