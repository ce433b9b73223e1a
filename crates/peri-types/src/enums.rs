//! The closed vocabularies: layers, kinds, zones, types of edges and roles.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A word that names no member of a closed vocabulary. The caller should use one of `expected`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} {given:?} (one of: {expected})")]
pub struct UnknownName {
    /// Which vocabulary was asked, such as "layer" or "kind".
    pub what: &'static str,
    /// What was given.
    pub given: String,
    /// The names that exist, separated by commas.
    pub expected: String,
}

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$variant_doc:meta])* $variant:ident = $text:literal = $code:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every member, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in the CLI, on the wire and in documents.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The number kept in stores and indexes. It never changes its meaning.
            pub const fn code(self) -> u8 {
                match self { $(Self::$variant => $code),+ }
            }

            /// The member with this stored number.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                let wanted = text.trim().to_ascii_lowercase().replace('-', "_");
                Self::ALL.iter().copied().find(|member| member.as_str() == wanted).ok_or_else(|| UnknownName {
                    what: $what,
                    given: text.to_owned(),
                    expected: Self::ALL.iter().map(|member| member.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

vocabulary!(
    /// How long a memory is meant to live.
    Layer, "layer", {
        /// For the session at hand; expires.
        Working = "working" = 0,
        /// What happened, kept for a retention time.
        Episodic = "episodic" = 1,
        /// What is worth knowing for good.
        LongTerm = "long_term" = 2,
    }
);

vocabulary!(
    /// What a memory is.
    Kind, "kind", {
        /// Something that is so.
        Fact = "fact" = 0,
        /// What somebody likes or wants.
        Preference = "preference" = 1,
        /// What was decided, and perhaps why.
        Decision = "decision" = 2,
        /// How something is done.
        Procedure = "procedure" = 3,
        /// Something that happened, such as a turn of a conversation.
        Episode = "episode" = 4,
        /// Something noticed, not yet interpreted.
        Observation = "observation" = 5,
        /// A shorter account of other memories.
        Summary = "summary" = 6,
        /// A piece of a document.
        Document = "document" = 7,
    }
);

vocabulary!(
    /// How near a memory orbits.
    #[derive(Default)]
    Zone, "zone", {
        /// The few that matter most.
        Core = "core" = 0,
        /// What is in use.
        Inner = "inner" = 1,
        /// What was in use lately.
        #[default]
        Outer = "outer" = 2,
        /// What is seldom used.
        Belt = "belt" = 3,
        /// What is about to be forgotten.
        Cloud = "cloud" = 4,
    }
);

impl Zone {
    /// The zone so many steps further out, at most the cloud.
    pub fn outward(self, steps: u64) -> Self {
        let code = u64::from(self.code()).saturating_add(steps).min(u64::from(Self::Cloud.code()));
        Self::ALL[code as usize]
    }
}

vocabulary!(
    /// What links two memories.
    EdgeType, "edge type", {
        /// They are about the same thing.
        RelatedTo = "related_to" = 0,
        /// The source was made from the target.
        DerivedFrom = "derived_from" = 1,
        /// Both cannot be true at once.
        Contradicts = "contradicts" = 2,
        /// The target comes after the source.
        Sequence = "sequence" = 3,
        /// The source took the target's place.
        Supersedes = "supersedes" = 4,
    }
);

vocabulary!(
    /// What the holder of a key may do. Each may do what the ones before it may.
    Role, "role", {
        /// Recall, read and list.
        Reader = "reader" = 0,
        /// Remember, revise and forget too.
        Writer = "writer" = 1,
        /// Everything, keys included.
        Admin = "admin" = 2,
    }
);

vocabulary!(
    /// Whether something came to the agent or from it.
    JournalDirection, "direction", {
        /// To the agent.
        Inbound = "inbound" = 0,
        /// From the agent.
        Outbound = "outbound" = 1,
    }
);

vocabulary!(
    /// How an observation or a turn went.
    JournalStatus, "status", {
        /// As it should.
        Ok = "ok" = 0,
        /// Something went wrong.
        Error = "error" = 1,
        /// It took longer than it was given.
        Timeout = "timeout" = 2,
    }
);

vocabulary!(
    /// How a task ended.
    TaskOutcome, "outcome", {
        /// What was wanted was reached.
        Success = "success" = 0,
        /// Some of it was.
        Partial = "partial" = 1,
        /// It was not.
        Failure = "failure" = 2,
    }
);

vocabulary!(
    /// How long a pattern is meant to be kept.
    #[derive(Default)]
    PatternTerm, "term", {
        /// Until it has proved itself or has not.
        #[default]
        Short = "short" = 0,
        /// For good: it has proved itself.
        Long = "long" = 1,
    }
);

vocabulary!(
    /// How much an alert of a worker matters.
    #[derive(Default)]
    Severity, "severity", {
        /// Good to know.
        Info = "info" = 0,
        /// Somebody should look at it.
        #[default]
        Warning = "warning" = 1,
        /// Somebody should look at it now.
        Critical = "critical" = 2,
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse::<Kind>().as_ref(), Ok(kind));
            assert_eq!(Kind::from_code(kind.code()), Some(*kind));
            assert_eq!(serde_json::to_string(kind).unwrap(), format!("{:?}", kind.as_str()));
        }
        for layer in Layer::ALL {
            assert_eq!(layer.as_str().parse::<Layer>().as_ref(), Ok(layer));
            assert_eq!(Layer::from_code(layer.code()), Some(*layer));
        }
        for role in Role::ALL {
            assert_eq!(role.as_str().parse::<Role>().as_ref(), Ok(role));
            assert_eq!(Role::from_code(role.code()), Some(*role));
        }
    }

    #[test]
    fn each_role_may_do_what_the_ones_before_it_may() {
        assert!(Role::ALL.is_sorted() && Role::Reader < Role::Writer && Role::Writer < Role::Admin);
    }

    #[test]
    fn spelling_is_forgiven_and_strangers_are_told_the_choices() {
        assert_eq!("Long-Term".parse::<Layer>(), Ok(Layer::LongTerm));
        let error = "opinion".parse::<Kind>().unwrap_err();
        assert!(error.to_string().contains("preference"), "{error}");
    }
}
