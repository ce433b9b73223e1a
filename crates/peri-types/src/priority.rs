//! How much it matters that something is kept.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a note matters. The least comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// 🟢 Minor.
    Low,
    /// 🟡 Useful to know.
    Medium,
    /// 🔴 Must be remembered; never dropped.
    High,
}

impl Priority {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The sign it is written with.
    pub const fn sign(self) -> char {
        match self {
            Self::Low => '🟢',
            Self::Medium => '🟡',
            Self::High => '🔴',
        }
    }

    /// The name used on the wire and in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Its sign.
impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_signs_stay_what_files_and_stores_hold() {
        for (priority, name, sign) in
            [(Priority::Low, "low", "🟢"), (Priority::Medium, "medium", "🟡"), (Priority::High, "high", "🔴")]
        {
            assert_eq!(serde_json::to_value(priority).unwrap(), name);
            assert_eq!(serde_json::from_value::<Priority>(name.into()).unwrap(), priority);
            assert_eq!((priority.as_str(), priority.to_string().as_str()), (name, sign));
        }
        assert!(serde_json::from_str::<Priority>("\"urgent\"").is_err());
        assert!(Priority::ALL.is_sorted());
    }
}
