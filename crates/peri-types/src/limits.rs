//! How large things may be. Every face checks the same limits, through the engine.

use serde::{Deserialize, Serialize};

/// Upper bounds on what one request may bring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// Largest content of one memory, in bytes of UTF-8.
    pub content_bytes_max: usize,
    /// Most tags and most aliases of one memory.
    pub labels_max: usize,
    /// Largest tag, alias, session, speaker or source, in bytes.
    pub label_bytes_max: usize,
    /// Largest metadata of one memory, in bytes of JSON.
    pub metadata_bytes_max: usize,
    /// Largest query, in bytes.
    pub query_bytes_max: usize,
    /// Most results of one recall or one page of a list.
    pub results_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            content_bytes_max: 256 * 1024,
            labels_max: 64,
            label_bytes_max: 256,
            metadata_bytes_max: 64 * 1024,
            query_bytes_max: 64 * 1024,
            results_max: 1000,
        }
    }
}

/// Something was empty, too large or malformed. Nothing was stored; the caller should mend the input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// There is nothing to store or to ask.
    #[error("the {what} is empty")]
    Empty {
        /// Which part of the request.
        what: &'static str,
    },
    /// A part of the request is larger than the limit allows.
    #[error("the {what} has {size} {unit}, more than the {max} allowed ({setting})")]
    TooLarge {
        /// Which part of the request.
        what: &'static str,
        /// How large it is.
        size: usize,
        /// Bytes or items.
        unit: &'static str,
        /// How large it may be.
        max: usize,
        /// The setting that would raise the limit.
        setting: &'static str,
    },
    /// The text holds a NUL character, which not every store can keep.
    #[error("the {what} holds a NUL character at byte {at}")]
    NulCharacter {
        /// Which part of the request.
        what: &'static str,
        /// Where, in bytes from the start.
        at: usize,
    },
}

impl Limits {
    /// Checks a memory's content: not blank, not too large, no NUL.
    pub fn check_content(&self, content: &str) -> Result<(), LimitError> {
        check_text("content", content, self.content_bytes_max, "limits.content_bytes_max")
    }

    /// Checks a query as [`Limits::check_content`] checks content.
    pub fn check_query(&self, query: &str) -> Result<(), LimitError> {
        check_text("query", query, self.query_bytes_max, "limits.query_bytes_max")
    }

    /// Checks a short text such as a speaker or a session.
    pub fn check_label(&self, what: &'static str, label: &str) -> Result<(), LimitError> {
        check_text(what, label, self.label_bytes_max, "limits.label_bytes_max")
    }

    /// Checks a list of tags or aliases and each of its members.
    pub fn check_labels(&self, what: &'static str, labels: &[String]) -> Result<(), LimitError> {
        if labels.len() > self.labels_max {
            let (size, max) = (labels.len(), self.labels_max);
            return Err(LimitError::TooLarge {
                what,
                size,
                unit: "items",
                max,
                setting: "limits.labels_max",
            });
        }
        let one = match what {
            "tags" => "tag",
            "aliases" => "alias",
            other => other,
        };
        labels.iter().try_for_each(|label| self.check_label(one, label))
    }

    /// Checks the size of metadata once it is written as JSON.
    pub fn check_metadata(&self, json_bytes: usize) -> Result<(), LimitError> {
        check_size("metadata", json_bytes, "bytes", self.metadata_bytes_max, "limits.metadata_bytes_max")
    }

    /// Checks the size of structured content once it is written as JSON.
    pub fn check_data(&self, json_bytes: usize) -> Result<(), LimitError> {
        check_size("data", json_bytes, "bytes", self.content_bytes_max, "limits.content_bytes_max")
    }

    /// Checks a text of the journal as [`Limits::check_content`] checks content, but that it may be blank.
    pub fn check_journal_text(&self, what: &'static str, text: &str) -> Result<(), LimitError> {
        check_size(what, text.len(), "bytes", self.content_bytes_max, "limits.content_bytes_max")?;
        check_nul(what, text)
    }

    /// Checks the size of a part of the journal once it is written as JSON.
    pub fn check_journal_json(&self, what: &'static str, json_bytes: usize) -> Result<(), LimitError> {
        check_size(what, json_bytes, "bytes", self.content_bytes_max, "limits.content_bytes_max")
    }

    /// Checks how many results were asked for.
    pub fn check_results(&self, count: usize) -> Result<(), LimitError> {
        check_size("limit", count, "results", self.results_max, "limits.results_max")
    }
}

fn check_text(what: &'static str, text: &str, max: usize, setting: &'static str) -> Result<(), LimitError> {
    check_size(what, text.len(), "bytes", max, setting)?;
    if text.trim().is_empty() {
        return Err(LimitError::Empty { what });
    }
    check_nul(what, text)
}

fn check_nul(what: &'static str, text: &str) -> Result<(), LimitError> {
    text.find('\0').map_or(Ok(()), |at| Err(LimitError::NulCharacter { what, at }))
}

fn check_size(
    what: &'static str,
    size: usize,
    unit: &'static str,
    max: usize,
    setting: &'static str,
) -> Result<(), LimitError> {
    if size > max { Err(LimitError::TooLarge { what, size, unit, max, setting }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_holds_at_its_boundary() {
        let limits = Limits { content_bytes_max: 4, labels_max: 1, ..Limits::default() };
        let cases: [(Result<(), LimitError>, bool); 6] = [
            (limits.check_content("four"), true),
            (limits.check_content("fives"), false),
            (limits.check_content(" \n"), false),
            (limits.check_content("a\0b"), false),
            (limits.check_labels("tags", &["a".into()]), true),
            (limits.check_labels("tags", &["a".into(), "b".into()]), false),
        ];
        for (number, (outcome, fits)) in cases.into_iter().enumerate() {
            assert_eq!(outcome.is_ok(), fits, "case {number}: {outcome:?}");
        }
    }
}
